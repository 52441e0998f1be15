//! Where a specification and an implementation differ: strings that one of the two accepts.
//!
//! A [`Language`] is the set of strings that a specification allows or an implementation accepts:
//! a regex, a regular rule of a grammar, a literal, or an automaton that an analysis made. The
//! [`Difference`] of two is the automaton of the strings that exactly one of them has, and a
//! [`Strategy`] picks [`TestString`]s from it, the telling ones first. What the implementation
//! does with them, and which value it returns, is for the caller to see and to [judge].
//!
//! The method is SEGATE's (Sondhi and Purandare, "SEGATE: Unveiling Semantic Inconsistencies
//! between Code and Specification of String Inputs", ASE 2019). [`Strategy::PaperDfs`] walks the
//! difference as it does; [`Strategy::EdgeCover`], the default, uses every transition.
//!
//! # Roles
//!
//! A colon that separates a name from a password and a colon inside the password are two
//! symbols that print as the same character. In a regex, what stands in a group whose name begins
//! with `data` is in the second role: `[^:]*:([^:]|(?<data>:))*`. See
//! [`Alphabet::Roles`](crate::regular::Alphabet::Roles).
//!
//! # Examples
//!
//! ```
//! use pleach::Seeded;
//! use pleach::differential::{Difference, Language, Side, Strategy};
//! use pleach::regular::AutomatonLimits;
//!
//! let limits = AutomatonLimits::default();
//! let port = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]|0";
//! let specification = Language::regex(port, &limits)?;
//! let implementation = Language::regex("[0-9]{1,5}", &limits)?;
//! let difference = Difference::new(&specification, &implementation, &limits)?;
//! let strings = difference.strings(Strategy::EdgeCover, 100, &mut Seeded::new(1));
//! assert!(strings.iter().all(|string| string.accepted_by == Side::Implementation));
//! assert!(strings.iter().any(|string| string.text == "00"));
//! assert!(strings.iter().any(|string| string.text.parse::<u32>().is_ok_and(|port| port > 65_535)));
//! # Ok::<(), pleach::differential::DifferentialError>(())
//! ```

pub mod target;

#[doc(inline)]
pub use pleach_differential::*;
#[cfg(feature = "infer")]
#[doc(inline)]
pub use pleach_infer as infer;
