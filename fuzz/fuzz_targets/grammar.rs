//! Lowering, production and parsing, of any grammar.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/notation.pleach", |text: &str| {
    pleach_fuzz::own::grammar(text)
});
