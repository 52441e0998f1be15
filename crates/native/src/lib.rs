//! Units of a program that runs natively, of whose sources and inputs alone anything is known.
//!
//! Which functions may be units is read from the sources ([`marks`]), and so is what they compare without a trace
//! ([`words`]). What a call was given is looked for in the program's input ([`places`]). How marked functions are called
//! again is in [`mod@unit`]; a campaign of these is in the command `pleach bridge --units native`.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod marks;
pub mod places;
pub mod words;

#[doc(no_inline)]
pub use pleach_unit as unit;
