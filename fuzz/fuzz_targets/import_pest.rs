//! The importer of `pest`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/pest.pleach", |text: &str| {
    pleach_fuzz::importers::import("pest", text)
});
