//! Concolic exploration of whole Rust programs: inputs that take the other way at each branch.
//!
//! A program runs in the machine of `pleach-concolic` on a concrete input, and beside its values
//! [`symbolic`] keeps how these depend on the input's bytes and length, as terms of `pleach-solver`. Of
//! each run there is a [`path`]: the decisions that depend on the input. [`search`] negates one of them,
//! has the solver find an input for that, runs it, and goes on from there. [`native`] is the judge: a
//! failure counts only when the program itself fails.
//!
//! The library reads no clock, and no files but those that [`subject::Subject::open`] is given: it works step by
//! step, and the caller says when to stop.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod native;
pub mod parts;
pub mod path;
pub mod search;
pub mod subject;
pub mod symbolic;

pub use pleach_unit::random;
