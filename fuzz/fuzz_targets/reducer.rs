//! The reducer.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/json.pleach", |text: &[u8]| {
    pleach_fuzz::own::reducer(text)
});
