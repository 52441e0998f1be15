//! The bridge between the runs of a program and those of its functions.
//!
//! After A. Kampmann and A. Zeller, "Bridging the Gap between Unit Test Generation and System Test
//! Generation", 2019. A function's call is [`carve`]d out of a run of the whole program: the machine's state there is
//! its context, and the bytes in reach of its arguments that come from the program's input are free. A unit tester
//! ([`tester`], [`fuzzer`]) changes these and runs the function alone, and what it finds is [`lift`]ed: a
//! solver turns around what the program computed from its input up to the call. The whole program then
//! says whether it is so. [`campaign`] does this over and over.
//!
//! As a search does, the library reads no clock: it works step by step, and the caller says when to stop.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod campaign;
pub mod carve;
mod choice;
mod depends;
pub mod fuzzer;
pub mod lift;
mod sampling;
pub mod system;
pub mod tester;
