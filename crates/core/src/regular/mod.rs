//! Regular languages as automata over classes of symbols.
//!
//! The lowest stage. A symbol is a `u32`: a byte, a Unicode scalar value, or one in
//! another role than its usual one, which is a symbol of its own. Automata are deterministic, and their tables have one column
//! for each *class*, a set of symbols that the automaton cannot tell apart, so that `\p{L}` costs
//! one column rather than a hundred thousand.
//!
//! An [`Nfa`] is put together from states, edges, regexes and other automata and made
//! deterministic by [`Nfa::determinize`]. A [`Dfa`] is combined, minimised, asked, walked and
//! sampled. Whatever may grow beyond its inputs takes [`AutomatonLimits`] and gives a [`RegularError`]
//! instead of exhausting memory or time.
//!
//! # Examples
//!
//! ```
//! use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
//!
//! let limits = AutomatonLimits::default();
//! let name = Dfa::from_regex("[a-z]+", Alphabet::Unicode, &limits)?;
//! let keyword = Dfa::from_regex("if|else", Alphabet::Unicode, &limits)?;
//! let identifier = name.difference(&keyword, &limits)?.minimize();
//! assert!(identifier.contains_bytes(b"iff"));
//! assert!(!identifier.contains_bytes(b"if"));
//! # Ok::<(), pleach::regular::RegularError>(())
//! ```

pub(crate) mod alphabet;
mod classes;
#[cfg(feature = "front")]
mod decode;
#[cfg(feature = "front")]
mod determinize;
mod dfa;
#[cfg(feature = "front")]
mod error;
mod ids;
#[cfg(feature = "front")]
mod limits;
pub(crate) mod marked;
#[cfg(feature = "front")]
mod marked_regex;
#[cfg(feature = "front")]
mod minimize;
#[cfg(feature = "front")]
mod nfa;
#[cfg(feature = "front")]
mod product;
mod query;
#[cfg(feature = "front")]
mod sampler;
#[cfg(feature = "front")]
pub(crate) mod syntax;

pub use alphabet::Alphabet;
#[cfg(feature = "front")]
pub(crate) use alphabet::difference;
pub use dfa::{Dfa, Transition};
#[cfg(feature = "front")]
pub use error::RegularError;
#[cfg(feature = "front")]
pub use ids::NfaState;
pub use ids::{ClassId, StateId};
#[cfg(feature = "front")]
pub use limits::AutomatonLimits;
#[cfg(feature = "front")]
pub use nfa::Nfa;
#[cfg(feature = "front")]
pub use sampler::{StringCount, UniformSampler};
#[cfg(feature = "front")]
pub use syntax::class_ranges;
