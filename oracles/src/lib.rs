//! What pleach's grammars derive, judged by parsers that others wrote.
//!
//! A [`Subject`] is a grammar of `grammars/` with its [`Oracle`]s: independent parsers of the same
//! standard. [`Acceptance::of`] gives a grammar's k-path corpus and random sentences to them. A
//! refusal is a failure unless one of the oracle's [`Clause`]s excuses it, by a predicate over the
//! sentence alone.

mod acceptance;
#[cfg(test)]
mod check;
pub mod conformance;
mod deviation;
mod grammars;
#[cfg(test)]
mod imported;
#[cfg(test)]
mod mutated;
mod oracle;
mod plain;
pub mod reduction;
mod row;
mod subjects;
#[cfg(test)]
mod texts;

pub use acceptance::{Acceptance, Corpus};
pub use deviation::deviations;
pub use grammars::{folder, grammar, table};
pub use oracle::{Beyond, Clause, Kind, Oracle, Reader, Subject};
pub use plain::{Plain, Verdicts};
pub use row::{HEAD, row};
pub use subjects::SUBJECTS;
