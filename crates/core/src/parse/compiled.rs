//! A table as the chart reads it: nonterminals, and the positions of dots in their productions.
//!
//! A nonterminal is a rule or a repetition, inside a token or outside. The right-hand side of an
//! alternative is a chain of positions; a repetition's is a chain with one position for each count
//! that matters, and a loop at its end where it has no greatest count. Outside tokens the layout
//! that may precede one is a symbol of its own before it; so white space needs no special case.

use std::sync::Arc;

use super::next::{Look, Next, NextClasses};
use super::scan::{Beginnings, Bytes};
use super::token::{Endings, Scanner};
use crate::table::{RepetitionId, RuleId, Symbol};

pub(super) const NONE: u32 = u32::MAX;

/// What a nonterminal stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// The whole text: the start rule, and layout after it.
    Text,
    Rule(RuleId),
    Repetition(RepetitionId),
}

/// A place of the dot in a production.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// The symbol after the dot; [`NONE`] at the end of an alternative.
    pub(super) symbol: u32,
    /// The position after that symbol.
    pub(super) target: u32,
    /// What a tree calls that symbol.
    pub(super) item: Symbol,
    /// The nonterminal whose production this is.
    pub(super) owner: u32,
    /// Where the production may end here: the alternative, or the least count that this is.
    pub(super) production: u32,
}

/// How a way to a position goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    /// The production begins here.
    Begins,
    /// Over the symbol at this position, which is not empty.
    Over(u32),
    /// Over the layout at this position, where the state was reached by it, and else over none.
    OverLayout(u32),
    /// The states have to be asked.
    Uncertain,
}

/// A nonterminal's productions, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Nonterminal {
    pub(super) kind: Kind,
    /// The first position of each production.
    pub(super) starts: Vec<u32>,
    /// The alternative of each; [`NONE`] for a repetition.
    pub(super) productions: Vec<u32>,
    /// What may follow it.
    pub(super) follow: Look,
    /// Whether it derives the empty string.
    pub(super) nullable: bool,
    /// Whether it may derive itself over the same text.
    pub(super) cyclic: bool,
}

/// A table as the chart reads it.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) nonterminals: Vec<Nonterminal>,
    pub(super) positions: Vec<Position>,
    /// The positions before each position, by their symbols.
    pub(super) incoming: Vec<Vec<u32>>,
    /// How to step back from each position, where that is certain.
    pub(super) back: Vec<Back>,
    /// What may come next at a position, in its production.
    pub(super) first: Vec<Look>,
    /// Whether the rest of the production from a position on may be empty.
    pub(super) rest_nullable: Vec<bool>,
    /// By which bytes each terminal begins, and whether it may be empty: the table's, then layout
    /// if there is any, then the tokens that are rules.
    pub(super) terminals: Beginnings,
    /// The class of each byte: bytes of one class begin the same terminals.
    pub(super) byte_classes: [u8; 256],
    pub(super) byte_class_count: u32,
    /// What may follow, by classes.
    pub(super) next_classes: NextClasses,
    /// What finds each terminal of the table, and layout, that is not fixed; shared with what is
    /// inside tokens.
    pub(super) scanners: Arc<[Option<Scanner>]>,
    /// The ends of each terminal that are left out; nothing where none are.
    pub(super) endings: Vec<Option<Endings>>,
    /// What finds the tokens that are rules.
    pub(super) token_scanners: Vec<Scanner>,
    /// The rules and repetitions that are tokens, and the terminal that is the first of them.
    pub(super) tokens: Vec<Kind>,
    pub(super) first_token: u32,
    /// The symbol of layout; [`NONE`] where there is none.
    pub(super) layout: u32,
    /// Which bytes a token outside lexical rules can begin with, the end of the text included.
    pub(super) token_first: Next,
    /// Counts of repetitions are told apart up to this.
    pub(super) counted: u32,
    /// The longest text that counts in repetitions are exact for.
    pub(super) longest: usize,
}

/// The longest text of all.
pub(super) const LONGEST: usize = (i32::MAX - 1) as usize;

/// The terminals of a table, and layout.
pub(super) struct Terminals {
    /// What finds those that are not fixed.
    pub(super) scanners: Arc<[Option<Scanner>]>,
    /// By which bytes each begins, and whether it may be empty.
    pub(super) beginnings: Arc<[(Bytes, bool)]>,
    /// Up to which number repetitions are counted.
    pub(super) counted: u32,
}

impl Compiled {
    /// What is the same inside tokens.
    pub(super) fn shared(&self) -> Terminals {
        Terminals {
            scanners: Arc::clone(&self.scanners),
            beginnings: Arc::clone(&self.terminals.shared),
            counted: self.counted,
        }
    }

    /// The terminal that a symbol is, layout included.
    #[inline]
    pub(super) fn terminal(&self, symbol: u32) -> Option<u32> {
        symbol.checked_sub(self.nonterminals.len() as u32)
    }

    /// What finds a terminal that is neither a literal nor a class; none where it has too many
    /// states.
    #[inline]
    pub(super) fn scanner(&self, terminal: u32) -> Option<&Scanner> {
        match terminal.checked_sub(self.first_token) {
            None => self.scanners[terminal as usize].as_ref(),
            Some(token) => self.token_scanners.get(token as usize),
        }
    }

    /// The token that is a rule or repetition, by its index among those.
    #[inline]
    pub(super) fn token(&self, terminal: u32) -> Option<u32> {
        terminal.checked_sub(self.first_token)
    }

    pub(super) fn is_nullable(&self, symbol: u32) -> bool {
        match self.terminal(symbol) {
            Some(terminal) => self.terminals[terminal as usize].1,
            None => self.nonterminals[symbol as usize].nullable,
        }
    }

    /// Finds the positions before each.
    pub(super) fn find_incoming(&mut self) {
        self.incoming = vec![Vec::new(); self.positions.len()];
        for (index, position) in self.positions.iter().enumerate() {
            if position.symbol != NONE {
                self.incoming[position.target as usize].push(index as u32);
            }
        }
    }

    /// Finds how to step back from each position, when it is known what may be empty.
    #[pleach_unhooked::unhooked]
    pub(super) fn find_back(&mut self) {
        self.back = (0..self.positions.len() as u32).map(|index| self.step_back(index)).collect();
    }

    fn step_back(&self, index: u32) -> Back {
        let position = &self.positions[index as usize];
        match self.incoming[index as usize][..] {
            [] => Back::Begins,
            [before] => {
                let symbol = self.positions[before as usize].symbol;
                let token = position.symbol;
                if symbol == self.layout {
                    // An empty token could leave layout before and behind it.
                    let is_empty = token != NONE && self.is_nullable(token);
                    if is_empty { Back::Uncertain } else { Back::OverLayout(before) }
                } else if self.is_nullable(symbol) {
                    Back::Uncertain
                } else {
                    Back::Over(before)
                }
            }
            _ => Back::Uncertain,
        }
    }
}

/// Whether a byte is of words and numbers, in ASCII.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether an offset is inside a word or number, so that two tokens can meet there only with layout
/// between them.
#[inline]
pub(super) fn inside_word(text: &[u8], at: usize) -> bool {
    at > 0 && at < text.len() && is_word(text[at - 1]) && is_word(text[at])
}
