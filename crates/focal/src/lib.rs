//! From a failure in a function of a program to an input that makes the whole program fail there.
//!
//! After the FOCAL approach of concolic unit testing: failures are looked for in functions, where they are quick to find, and
//! what leads to them is composed backwards with paths through the callers, until a solver can say which input does all of that.

pub mod compose;
pub mod profile;
