//! In a fuzzer's loop: bytes in, bytes out.
//!
//! A [`Fuzzer`] reads an input back into its tree, or recalls it, mutates the tree and writes the
//! text, so that a corpus stays what its target reads. It has no globals and does no I/O. The same calls
//! in the same order give the same bytes; [`Options::replayable`] says when one call does by itself.
//! [`fuzz_target!`](crate::fuzz_target) puts one behind the hooks of libFuzzer.

#[doc(inline)]
pub use pleach_core::fuzz::{Fuzzer, Options, Share, Statistics, TreeCache};

pub use crate::options::TargetOptions;
#[doc(hidden)]
pub use crate::session::Session;
