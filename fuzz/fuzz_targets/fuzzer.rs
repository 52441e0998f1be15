//! What is behind the hooks of an engine, in sequences of calls.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/calls.pleach", |calls: &[u8]| {
    pleach_fuzz::own::fuzzer(calls)
});
