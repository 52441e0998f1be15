//! Functions of one's own program that `pleach bridge` takes out of its runs, and tests alone.
//!
//! A function is marked by [`macro@unit`]:
//!
//! ```
//! #[pleach_unit::unit]
//! fn digits(separator: &[char], text: &str) -> usize {
//!     text.split(separator).map(str::len).sum()
//! }
//! assert_eq!(digits(&['-'], "20-26"), 4);
//! ```
//!
//! Arguments of `&str`, `&[u8]`, `String`, `Vec<u8>` and of types of integers are the unit's values; all else is its context. Without the feature `campaign` the
//! attribute is nothing. With it, and with the compiler's flags that `pleach bridge --help` has, a program that runs in a
//! campaign (the environment variable [`wire::VARIABLE`] names its folder) tells of these calls and their values. Where the campaign asks for
//! it, the process forks at a call. The fork is the context: an open database, all state. In it the function is called again and
//! again with other values, and what is new is told.
//!
//! The function is called by its own name for that: one of a type that has no `self` is marked `#[unit(Self)]`. Where types of one module have functions of one
//! name, the marks say of which each is: `#[unit(Self, Name)]`, and with a `self` `#[unit(self, Name)]`. A method of a trait is marked where a type
//! has it: `#[unit(<Self as Trait>, "<Name as Trait>")]`. Context by reference is lent again, owned context is cloned. Functions that are `async` or `const` can't be units. All this is for Linux; elsewhere the attribute is nothing.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(all(feature = "campaign", target_os = "linux"))]
mod campaign;
pub mod lengths;
pub mod mutate;
pub mod random;
#[cfg(feature = "sources")]
pub mod sources;
pub mod trace;
pub mod wire;

pub use pleach_unit_macros::unit;
pub use wire::Value;

#[cfg(all(feature = "campaign", target_os = "linux"))]
pub use campaign::{Call, Unit, Values};
