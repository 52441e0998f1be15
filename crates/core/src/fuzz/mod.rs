//! In a fuzzer's loop: bytes in, bytes out.
//!
//! A [`Fuzzer`] reads an input back into its tree, or recalls it, mutates the tree and writes the
//! text, so that a corpus stays what its target reads. It has no globals and does no I/O. The same calls
//! in the same order give the same bytes; [`Options::replayable`] says when one call does by itself.

mod cache;
mod fuzzer;
mod goals;
mod numbers;
mod options;
mod statistics;

pub use cache::TreeCache;
pub use fuzzer::Fuzzer;
pub use options::Options;
pub use statistics::{Share, Statistics};
