//! The importer of `fuzzingbook`, with the extensions for EBNF and without (`fuzzingbook-bnf`).

#![no_main]

pleach::fuzz_target!(
    grammar: ["../grammars/fuzzingbook.pleach", "../../grammars/json.pleach"],
    |text: &str| {
        pleach_fuzz::importers::import("fuzzingbook", text);
        pleach_fuzz::importers::import("fuzzingbook-bnf", text)
    }
);
