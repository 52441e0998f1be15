//! The importer of `tree-sitter`.

#![no_main]

pleach::fuzz_target!(
    grammar: ["../grammars/tree-sitter.pleach", "../../grammars/json.pleach"],
    |text: &str| {
        pleach_fuzz::importers::import("tree-sitter", text)
    }
);
