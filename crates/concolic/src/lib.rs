//! A virtual machine for whole Rust programs, unmodified and with std included, from the LLVM IR that a
//! stable compiler prints.
