//! `lua`, fuzzed by the grammar `lua`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/lua.pleach", |text: &str| {
    pleach_fuzz::crates::lua(text)
});
