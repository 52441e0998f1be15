//! Reading: a text back into a derivation tree.
//!
//! A [`Parser`] reads any text of its table's grammar, whatever the grammar is: left-recursive,
//! ambiguous, cyclic, with rules that derive the empty string. Memory is the caller's: a
//! [`Scratch`] that serves text after text.
//!
//! # The tree
//!
//! Where alternatives say how they bind ([`Binding`](crate::grammar::Binding)), only derivations in which
//! operators are nested as that asks are taken; there always is one. Of several derivations the first in
//! this order is taken. Two are compared at the first node, in preorder, where they differ:
//!
//! 1. the alternative that the grammar writes first;
//! 2. of a repetition the greater count, where no element beyond the least count is empty;
//! 3. the longer left child; layout belongs to the token that it precedes, and longer layout comes
//!    first.
//!
//! No rule derives itself over its own text.
//!
//! Layout may stand before the first token and after the last, too. It must stand between two
//! tokens that meet inside a word or number: `ifx` is one name, not `if` and `x`.
//!
//! # Examples
//!
//! ```
//! use pleach::parse::{Parser, Scratch};
//! use pleach::table::Table;
//! use pleach::tree::Tree;
//!
//! let table = Table::parse(r#"sum = sum "+" number | number ; number = [0-9]+ ;"#)?;
//! let parser = Parser::new(&table);
//! let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
//! parser.parse(b"1+20+3", &mut scratch, &mut tree)?;
//! tree.check(&table)?;
//! assert_eq!(tree.text(), b"1+20+3");
//! let error = parser.parse(b"1+", &mut scratch, &mut tree).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 1, column 3: the end of the text where number is expected"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "front")]
mod analysis;
#[cfg(feature = "front")]
mod binding;
mod budget;
mod chain;
mod chart;
#[cfg(feature = "front")]
mod compile;
mod compiled;
mod cyclic;
mod empty;
#[cfg(feature = "front")]
mod endings;
mod error;
mod extract;
mod failure;
#[cfg(feature = "front")]
mod first_follow;
mod graph;
mod id;
mod id_vec;
mod index;
mod inside;
mod leap;
mod limits;
mod lookahead;
mod next;
mod nodes;
pub(crate) mod packed;
mod parser;
#[cfg(feature = "front")]
mod parts;
mod plan;
mod planning;
mod predict;
mod prepared;
#[cfg(feature = "front")]
mod program;
mod recent;
mod recognise;
#[cfg(feature = "front")]
mod regular;
mod run;
mod scan;
mod scanner;
mod states;
mod steps;
mod task;
mod token;
mod tokens;
mod work;

pub use error::{Error, SyntaxError};
pub use limits::Limits;
pub use parser::{Parser, Scratch};
#[cfg(feature = "front")]
pub use parts::{Found, PartialParser};
