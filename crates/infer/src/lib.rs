//! The language that a Rust function accepts, from its source.
//!
//! The source is read with `syn` and interpreted abstractly. A path through the code holds the
//! language of the inputs that take it; a variable holds a constant or a *view*, a string that is a
//! function of the input (what stands before the first `:`, a piece of a split, what a loop has not
//! read yet). A condition on a view is lifted to a condition on the input and divides the path. A
//! loop is read as an automaton whose states are what few-valued variables can be. What a function
//! accepts is the union of the paths that end in `true`, `Some` or `Ok`, or in whatever else it
//! returns without a panic.
//!
//! What cannot be followed makes a path that has more strings than take it, never fewer: so the
//! language is one that includes the true one, each imprecision that matters is reported with its
//! place, and where none matters the language is said to be exact.
//!
//! The idea is that of Sondhi and Purandare ("SEGATE: Unveiling Semantic Inconsistencies between
//! Code and Specification of String Inputs", ASE 2019), whose own way of putting regexes together
//! along the control flow is [`Mode::Paper`].
//!
//! Numbers are taken for integers without bounds, and below zero is a panic where the type is unsigned. Where
//! a number may be too large for its type, or the source does not tell whether it has a sign, that is an
//! imprecision. That a text may have more than two thousand million characters is left out of account.
//! A build with debug assertions and overflow checks is meant: `debug_assert!` counts as `assert!`.
//!
//! # Examples
//!
//! ```
//! use pleach::differential::infer::Infer;
//!
//! let source = r#"
//!     fn is_version(text: &str) -> bool {
//!         match text.split_once('.') {
//!             Some((major, minor)) => is_number(major) && is_number(minor),
//!             None => false,
//!         }
//!     }
//!     fn is_number(text: &str) -> bool {
//!         !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
//!     }
//! "#;
//! let files = [("version.rs".to_owned(), source.to_owned())];
//! let inference = Infer::new().run(&files, "is_version", None)?;
//! assert!(inference.exact);
//! assert!(inference.language.contains_bytes(b"1.20"));
//! assert!(!inference.language.contains_bytes(b"1.2.3"));
//! # Ok::<(), pleach::differential::infer::InferError>(())
//! ```

mod aging;
mod analysis;
mod arithmetic;
mod bags;
mod bodies;
mod calls;
mod collect;
mod control;
mod depth;
mod error;
mod exprs;
mod interp;
mod iter;
mod iterators;
mod kinds;
mod lists;
mod loops;
mod macros;
mod methods;
mod names;
mod numbers;
mod opaque;
mod operators;
mod options;
mod paper;
mod parsing;
mod parts;
mod patterns;
mod places;
mod pool;
mod scalars;
mod scopes;
mod slices;
mod source;
mod specials;
mod state;
mod stop;
mod streams;
mod strings;
mod table;
mod texts;
mod types;
mod uses;
mod value;
mod view;
mod visit;
mod widths;

pub use analysis::{Derived, Imprecision, Infer, Inference, Mode};
pub use error::InferError;
