//! `toml`, fuzzed by the grammar `toml`.

#![no_main]

pleach::fuzz_target!(grammar: ["../../grammars/toml.pleach", "../../grammars/rfc3339.pleach"], |text: &str| {
    pleach_fuzz::crates::toml(text)
});
