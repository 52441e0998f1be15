//! Fuzz targets whose inputs are mutated by the trees behind them: what a target needs of
//! [pleach](https://docs.rs/pleach), and no more.
//!
//! ```text
//! #![no_main]
//!
//! pleach::fuzz_target!(grammar: "../grammars/json.pleach", |text: &str| {
//!     let _ = serde_json::from_str::<serde_json::Value>(text);
//! });
//! ```
//!
//! Here the grammar is compiled with the target: the target holds a table and nothing that reads grammars, so that it
//! is built in less time, starts at once and has fewer of an engine's counters, and a mistake in a grammar is an error
//! of the compiler. `pleach` has the same under the same paths: in builds for an engine, where `cfg(fuzzing)` is set, it does so too,
//! and in others it reads grammars when targets start. A crate of targets writes `pleach = { package = "pleach-target", ... }`, as
//! `pleach init` does, and changes nothing else when it goes from one to the other.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod fuzz;
mod macros;
#[cfg(feature = "ahead")]
mod made;
mod options;
#[cfg(feature = "read")]
mod read;
mod session;

#[cfg(feature = "ahead")]
#[doc(hidden)]
pub use pleach_ahead as ahead;
#[doc(inline)]
pub use pleach_core::{
    Entropy, Seeded, kpath, mutate, parse, parts, produce, regular, table, tree,
};
#[cfg(feature = "read")]
#[doc(hidden)]
pub use read::{read_grammar, read_table};
