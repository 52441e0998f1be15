//! What coverage of a grammar buys: how much of a parser's code is run by the inputs that each way
//! of production makes, at equal bytes and at equal production time.
//!
//! Two programs share this library. `pleach-experiment` makes corpora and prints the table; it
//! builds `measure` with coverage flags for the parsers, and gives it one corpus a process. See
//! `experiment/README.md`.

mod build;
mod cell;
mod corpus;
#[cfg(feature = "coverage")]
mod flags;
#[cfg(feature = "measure")]
mod parsers;
mod subject;
#[cfg(feature = "coverage")]
mod symbols;
pub mod wrapper;

pub use build::{Instrumented, cargo, discard_other, host};
pub use cell::Cell;
pub use corpus::{Reached, Reading, Texts};
#[cfg(feature = "coverage")]
pub use flags::Flags;
pub use subject::{SUBJECTS, Subject, crates};
#[cfg(feature = "coverage")]
pub use symbols::Functions;
