//! `javascript`, fuzzed by the grammar `javascript`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/javascript.pleach", |text: &str| {
    pleach_fuzz::crates::javascript(text)
});
