//! What is behind the hooks of an engine, in sequences of calls. They grow at once, as a cache is filled by
//! many calls.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/calls.pleach", free_size: 1 << 10, |calls: &[u8]| {
    pleach_fuzz::own::fuzzer(calls)
});
