//! The tree-aware reducer beside one that knows bytes only, on failures planted in real parsers.
//!
//! A [`Planted`] failure is a parser that others wrote, and a property of what it parsed that stands
//! for a crash. Both reducers begin with the same generated input and are counted by how often they
//! run the parser.

mod bytes;
mod compare;
mod planted;

pub use bytes::reduce_bytes;
pub use compare::{Comparison, HEAD, Reached};
pub use planted::{PLANTED, Planted};
