//! What one parse is about, and what it may spend.

use super::budget::Budget;
use super::compiled::{Compiled, inside_word};
use super::error::Error;
use super::id::{Offset, SymbolId};
use super::inside::Insides;
use crate::id::Id as _;
use crate::table::Table;

/// What stays the same in one parse.
pub(super) struct Work<'p> {
    pub(super) table: &'p Table,
    pub(super) grammar: &'p Compiled,
    /// What is inside its tokens.
    pub(super) insides: Option<&'p Insides>,
    pub(super) budget: &'p Budget<'p>,
    pub(super) text: &'p [u8],
    /// Whether to find out what was expected where the text leaves the grammar.
    pub(super) explains: bool,
    /// Whether a text may begin and end anywhere, instead of where this one does.
    pub(super) everywhere: bool,
}

impl<'p> Work<'p> {
    pub(super) fn new(
        table: &'p Table,
        (grammar, insides): (&'p Compiled, Option<&'p Insides>),
        budget: &'p Budget<'p>,
        text: &'p [u8],
    ) -> Result<Self, Error> {
        if text.len() > grammar.longest {
            return Err(Error::TooLong { most: grammar.longest });
        }
        Ok(Self { table, grammar, insides, budget, text, explains: true, everywhere: false })
    }

    pub(super) fn is_blocked(&self, at: Offset) -> bool {
        self.grammar.layout != SymbolId::NONE && inside_word(self.text, at.index())
    }

    /// Where the text ends.
    pub(super) fn end(&self) -> Offset {
        Offset::at(self.text.len())
    }
}
