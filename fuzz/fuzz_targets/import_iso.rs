//! The importer of `iso`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/iso.pleach", |text: &str| {
    pleach_fuzz::importers::import("iso", text)
});
