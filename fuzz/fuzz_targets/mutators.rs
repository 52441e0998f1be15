//! The mutators, on the largest grammar.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/javascript.pleach", |text: &[u8]| {
    pleach_fuzz::own::mutators(text)
});
