//! The grammar front end.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/notation.pleach", |text: &str| {
    pleach_fuzz::own::notation(text)
});
