//! `json`, fuzzed by the grammar `json`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/json.pleach", |text: &str| {
    pleach_fuzz::crates::json(text)
});
