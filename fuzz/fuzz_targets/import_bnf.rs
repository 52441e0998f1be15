//! The importer of `bnf`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/bnf.pleach", |text: &str| {
    pleach_fuzz::importers::import("bnf", text)
});
