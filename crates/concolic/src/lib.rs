//! A virtual machine for whole Rust programs, unmodified and with std included, from the LLVM IR that a
//! stable compiler prints.
//!
//! [`build`] makes the text and the same program natively, [`ir`] reads the text into flat arrays, [`vm`] runs it: memory as
//! objects with bounds, what std asks of the system modelled, every way to fail an outcome of its own, and the whole state copied in
//! microseconds. [`trace`] says what a run did, and which bytes of the input each branch depends on; [`program`] brings
//! what was built into the machine.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod build;
pub mod ir;
pub mod program;
pub mod trace;
pub mod vm;
