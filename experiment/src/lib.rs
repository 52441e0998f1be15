//! What coverage of a grammar buys: how much of a parser's code is run by the inputs that each way
//! of production makes, at equal bytes and at equal production time.
//!
//! Two programs share this library. `pleach-experiment` makes corpora and prints the table; it
//! builds `measure` with coverage flags for the parsers, and gives it one corpus a process. See
//! `experiment/README.md`.

#[cfg(feature = "attend")]
mod attend;
mod build;
mod cell;
mod circumstances;
mod corpus;
mod dictionary;
#[cfg(feature = "coverage")]
mod flags;
pub mod libfuzzer;
mod made;
#[cfg(feature = "measure")]
mod parsers;
mod subject;
#[cfg(feature = "coverage")]
mod symbols;
pub mod wrapper;

#[cfg(feature = "attend")]
pub use attend::{Signal, attend, tell, used, used_by_all};
pub use build::{Instrumented, cargo, discard_other, host, remove};
pub use cell::Cell;
pub use circumstances::circumstances;
pub use corpus::{Reached, Reading, Texts};
pub use dictionary::{dictionary, pleach};
#[cfg(feature = "coverage")]
pub use flags::Flags;
pub use made::Made;
pub use subject::{SUBJECTS, Subject, crates};
#[cfg(feature = "coverage")]
pub use symbols::Functions;
