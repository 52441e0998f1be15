//! `xml`, fuzzed by the grammar `xml`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/xml.pleach", |text: &str| {
    pleach_fuzz::crates::xml(text)
});
