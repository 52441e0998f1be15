//! `url`, fuzzed by the grammar `uri`.

#![no_main]

pleach::fuzz_target!(grammar: ["../../grammars/uri.pleach", "../../grammars/ip.pleach"], |text: &str| {
    pleach_fuzz::crates::url(text)
});
