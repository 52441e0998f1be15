//! What [pleach](https://docs.rs/pleach) is built on: grammars, derivation trees, k-paths, and what is done with them.
//!
//! Users depend on `pleach`, which has all of this under the same paths; the examples are written so. The
//! stages, each of which uses only those before it:
//!
//! | stage | |
//! | --- | --- |
//! | [`regular`] | automata over classes of symbols |
//! | [`parts`] | inputs of several parts in one text |
//! | [`grammar`] | notation text to a syntax tree with spans |
//! | [`table`] | a grammar as flat, immutable arrays |
//! | [`tree`] | derivation trees: preorder, two words a node |
//! | [`kpath`] | counts, ranks, coverage and goals of k-paths |
//! | [`learn`] | how often trees take each choice, in the context of what stands above |
//! | [`produce`] | choices to trees to bytes |
//! | [`parse`] | bytes to trees |
//! | [`reduce`] | trees to smaller trees that still fail |
//! | [`mutate`] | trees to other trees |
//! | [`fuzz`] | all of it behind one function for each hook of a fuzzer |

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod displayed;
mod entropy;
pub mod fuzz;
pub mod grammar;
mod id;
#[doc(hidden)]
pub mod internal;
pub mod kpath;
#[cfg(feature = "front")]
pub mod learn;
pub mod mutate;
mod pack;
pub mod parse;
pub mod parts;
pub mod produce;
#[cfg(feature = "front")]
pub mod reduce;
pub mod regular;
mod rows;
pub mod table;
pub mod tree;

#[cfg(feature = "rand")]
pub use entropy::Rand;
pub use entropy::{Entropy, Seeded};
