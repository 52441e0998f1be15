//! The importer of `gbnf`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/gbnf.pleach", |text: &str| {
    pleach_fuzz::importers::import("gbnf", text)
});
