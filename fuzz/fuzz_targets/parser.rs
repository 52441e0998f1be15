//! The parser, on its hardest grammar.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/javascript.pleach", |text: &[u8]| {
    pleach_fuzz::own::parser(text)
});
