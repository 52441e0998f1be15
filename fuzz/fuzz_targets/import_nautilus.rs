//! The importer of `nautilus`.

#![no_main]

pleach::fuzz_target!(
    grammar: ["../grammars/nautilus.pleach", "../../grammars/json.pleach"],
    |text: &str| {
        pleach_fuzz::importers::import("nautilus", text)
    }
);
