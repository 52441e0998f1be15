//! Where a specification and an implementation differ: the part of [pleach](https://docs.rs/pleach) that compares
//! regular languages, picks test strings and judges what implementations do with them.
//!
//! Users depend on `pleach`, which has all of this as `pleach::differential`, its macros and the inference of
//! languages beside it, with its features `differential` and `known`.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod capture;
mod difference;
mod enumerate;
mod error;
mod implants;
pub mod judge;
#[cfg(feature = "known")]
pub mod known;
mod language;
mod matcher;
mod print;
mod specials;
mod strategy;
pub mod suite;
mod walk;

pub use capture::Groups;
pub use difference::{Difference, Side};
pub use enumerate::Strings;
pub use error::DifferentialError;
pub use implants::implants;
pub use language::Language;
pub use matcher::Matcher;
pub use print::to_regex;
pub use specials::{IMPLICIT, Specials};
pub use strategy::{Covered, Strategy, TestString};
pub use walk::Walker;

use pleach_core::regular::Alphabet;

/// The characters of a string of symbols, whatever their roles.
///
/// What is no scalar value, as bytes beyond ASCII of a language of bytes, is U+FFFD.
///
/// # Examples
///
/// ```
/// use pleach::differential::printed;
/// use pleach::regular::Alphabet;
///
/// assert_eq!(printed(&[0x61, 0x3A, Alphabet::role(':')]), "a::");
/// ```
pub fn printed(symbols: &[u32]) -> String {
    let character = |&symbol| Alphabet::character(symbol).unwrap_or(char::REPLACEMENT_CHARACTER);
    symbols.iter().map(character).collect()
}
