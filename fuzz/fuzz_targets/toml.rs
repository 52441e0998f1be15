//! `toml`, fuzzed by the grammar `toml`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/toml.pleach", |text: &str| {
    pleach_fuzz::crates::toml(text)
});
