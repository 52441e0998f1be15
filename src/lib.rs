#![doc = include_str!("../README.md")]

#[cfg(fuzzing)]
#[macro_use]
mod unhooked;

#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "differential")]
pub mod differential;
mod entropy;
#[cfg(feature = "import")]
pub mod export;
pub mod fuzz;
pub mod grammar;
#[cfg(feature = "import")]
pub mod import;
pub mod kpath;
pub mod mutate;
pub mod parse;
pub mod produce;
pub mod reduce;
pub mod regular;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "arbitrary")]
pub mod sentence;
#[cfg(feature = "proptest")]
pub mod strategy;
pub mod table;
pub mod tree;

pub use entropy::{Entropy, Seeded};
