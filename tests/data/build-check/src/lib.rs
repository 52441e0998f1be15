//! A package whose grammar is checked when it is built.

/// The grammar, as it was checked.
pub const GRAMMAR: &str = include_str!("../grammar.pleach");
