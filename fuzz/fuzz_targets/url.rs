//! `url`, fuzzed by the grammar `url`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/url.pleach", |text: &str| {
    pleach_fuzz::crates::url(text)
});
