//! Flags of programs that fuzz.

/// What cargo-fuzz builds targets for libFuzzer with, less the sanitizer and debug assertions: as good on a
/// stable toolchain.
pub const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
     -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Ccodegen-units=1";

/// The same counters for LibAFL, which has no use for comparisons and places.
pub const COUNTERS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-simplifycfg-branch-fold-threshold=0";
