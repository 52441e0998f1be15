//! The importer of `abnf`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/abnf.pleach", |text: &str| {
    pleach_fuzz::importers::import("abnf", text)
});
