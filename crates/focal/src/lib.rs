//! From a failure in a function of a program to an input that makes the whole program fail there.
//!
//! After the FOCAL approach to concolic unit testing: failures are looked for in functions, where they are quick to find, and
//! what leads to them is composed backwards with paths through the callers, until a solver can say which input does all of
//! that. [`profile`] says which functions have to do with each other, [`compose`] goes backwards, and [`campaign`] does all of it, with units
//! that `pleach-bridge` carves. Where no known path of a caller goes together with a failure, more are looked for as [`Refining`] says.
//!
//! As a search does, the library reads no clock: it works step by step, and the caller says when to stop.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod campaign;
pub mod compose;
mod formula;
mod graph;
mod interpolant;
mod options;
pub mod profile;
mod reduce;
mod refine;
mod summary;

pub use formula::Combined;
pub use refine::{Refined, Refining};
