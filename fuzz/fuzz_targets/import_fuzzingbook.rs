//! The importer of `fuzzingbook`.

#![no_main]

pleach::fuzz_target!(
    grammar: ["../grammars/fuzzingbook.pleach", "../../grammars/json.pleach"],
    |text: &str| {
        pleach_fuzz::importers::import("fuzzingbook", text)
    }
);
