//! `regex`, fuzzed by the grammar `regex`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/regex.pleach", |text: &str| {
    pleach_fuzz::crates::regex(text)
});
