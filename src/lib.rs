//! Grammar-based fuzzing: inputs along every path of a grammar, few and small.

mod entropy;
pub mod grammar;
pub mod regular;

pub use entropy::{Entropy, Seeded};
