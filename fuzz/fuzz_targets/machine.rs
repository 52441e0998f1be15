//! The machine that runs programs from their IR, and the reader before it.

#![no_main]

pleach::fuzz_target!(grammar: "../grammars/llvm-ir.pleach", |text: &str| {
    pleach_fuzz::machine::machine(text)
});
