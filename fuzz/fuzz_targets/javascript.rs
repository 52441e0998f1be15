//! `javascript`, fuzzed by the grammar `ecmascript`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/ecmascript.pleach", |text: &str| {
    pleach_fuzz::crates::javascript(text)
});
