//! The importer of `w3c`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/w3c.pleach", |text: &str| {
    pleach_fuzz::importers::import("w3c", text)
});
