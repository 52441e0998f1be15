//! The importer of `tribble`.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/tribble.pleach", |text: &str| {
    pleach_fuzz::importers::import("tribble", text)
});
