//! The flat table: a grammar's productions as arrays of `u32` identifiers.
//!
//! [`Lowering`] turns a [`Grammar`](crate::grammar::Grammar) into a [`Table`]: it resolves names,
//! leaves out what no finite derivation uses, compiles regular terminals to automata and computes
//! the [`Minima`] by which trees are closed. Everything after this stage reads the table and
//! nothing else.
//!
//! The shape of a production: a rule has alternatives, an alternative has items, and an item is a
//! [`Symbol`]: a reference or a terminal (these two are the occurrences), a group (a rule without
//! a name, for an alternation inside an alternative) or a repetition of one element.

mod graph;
mod id;
mod layout;
#[cfg(feature = "front")]
pub(crate) mod lower;
mod minima;
mod names;
mod production;
mod symbol;
mod terminal;

pub use id::{AlternativeId, OccurrenceId, RepetitionId, RuleId, TerminalId};
pub use layout::{Layout, Token};
#[cfg(feature = "front")]
pub use lower::{Lowered, Lowering};
pub use minima::{Cost, EXACT_POINTS, FrontPoint, Minima, Objective};
pub use names::Names;
pub use production::{Repetition, Site, Table};
pub use symbol::{Symbol, SymbolKind};
pub use terminal::Terminal;

pub(crate) use graph::{cyclic, spread};
pub(crate) use terminal::{encode, plain_symbol};
