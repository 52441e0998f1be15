//! The importer of `antlr`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/antlr.pleach", |text: &str| {
    pleach_fuzz::importers::import("antlr", text)
});
