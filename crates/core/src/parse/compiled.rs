//! A table as the chart reads it: nonterminals, and the positions of dots in their productions.
//!
//! A nonterminal is a rule or a repetition, inside a token or outside. The right-hand side of an
//! alternative is a chain of positions; a repetition's is a chain with one position for each count
//! that matters, and a loop at its end where it has no greatest count. Outside tokens the layout
//! that may precede one is a symbol of its own before it; so white space needs no special case.

use std::sync::Arc;

use super::id::{NonterminalId, PositionId, SymbolId, SymbolSort, TokenId};
use super::id_vec::IdVec;
use super::next::{Look, Next, NextClasses};
use super::scan::{Beginnings, Bytes};
use super::scanner::{Endings, Scanner};
use crate::pack::packed;
#[cfg(feature = "front")]
use crate::table::AlternativeId;
use crate::table::{RepetitionId, RuleId, Symbol, TerminalId};

/// What a nonterminal stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// The whole text: the start rule, and layout after it.
    Text,
    Rule(RuleId),
    Repetition(RepetitionId),
}

/// A production, as the nodes by it tell it from the others of its nonterminal.
///
/// One word, in which the kind of the nonterminal says what it is: an alternative of a rule, so many elements of a
/// repetition, or a text of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Production(u32);

impl Production {
    /// Where no production ends, and of a repetition as long as its elements are not counted.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The only one of a text.
    #[cfg(feature = "front")]
    pub(super) const ONLY: Self = Self(0);

    #[cfg(feature = "front")]
    pub(super) fn alternative(alternative: AlternativeId) -> Self {
        Self(alternative.get())
    }

    #[cfg(feature = "front")]
    pub(super) fn text(rule: RuleId) -> Self {
        Self(rule.get())
    }

    /// A repetition of so many elements, or of that many at least.
    pub(super) fn count(elements: u32) -> Self {
        Self(elements)
    }

    /// What a node by it says: [`Node::choice`](crate::tree::Node::choice).
    #[inline]
    pub(super) fn choice(self) -> u32 {
        self.0
    }
}

packed!(id Production, Production, Production::choice);

/// A place of the dot in a production.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// The symbol after the dot; none at the end of an alternative.
    pub(super) symbol: SymbolId,
    /// The position after that symbol.
    pub(super) target: PositionId,
    /// What a tree calls that symbol.
    pub(super) item: Symbol,
    /// The nonterminal whose production this is.
    pub(super) owner: NonterminalId,
    /// The production, where it may end here.
    pub(super) production: Production,
}

/// How a way to a position goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    /// The production begins here.
    Begins,
    /// Over the symbol at this position, which is not empty.
    Over(PositionId),
    /// Over the layout at this position, where the state was reached by it, and else over none.
    OverLayout(PositionId),
    /// The states have to be asked.
    Uncertain,
}

/// A nonterminal's productions, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Nonterminal {
    pub(super) kind: Kind,
    /// The first position of each production.
    pub(super) starts: Vec<PositionId>,
    /// These productions; none for a repetition.
    pub(super) productions: Vec<Production>,
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
    pub(super) nonterminals: IdVec<NonterminalId, Nonterminal>,
    pub(super) positions: IdVec<PositionId, Position>,
    /// The positions before each position, by their symbols.
    pub(super) incoming: IdVec<PositionId, Vec<PositionId>>,
    /// How to step back from each position, where that is certain.
    pub(super) back: IdVec<PositionId, Back>,
    /// What may come next at a position, in its production.
    pub(super) first: IdVec<PositionId, Look>,
    /// Whether the rest of the production from a position on may be empty.
    pub(super) rest_nullable: IdVec<PositionId, bool>,
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
    pub(super) endings: IdVec<TerminalId, Option<Endings>>,
    /// What finds the tokens that are rules.
    pub(super) token_scanners: IdVec<TokenId, Scanner>,
    /// The rules and repetitions that are tokens, and the terminal that is the first of them.
    pub(super) tokens: IdVec<TokenId, Kind>,
    pub(super) first_token: TerminalId,
    /// The symbol of layout, if there is any.
    pub(super) layout: SymbolId,
    /// Which bytes a token outside lexical rules can begin with, the end of the text included.
    pub(super) token_first: Next,
    /// Counts of repetitions are told apart up to this.
    pub(super) counted: u32,
    /// The longest text that counts in repetitions are exact for.
    pub(super) longest: usize,
}

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

    /// What finds a terminal that is neither a literal nor a class; none where it has too many
    /// states.
    #[inline]
    pub(super) fn scanner(&self, terminal: TerminalId) -> Option<&Scanner> {
        match self.token(terminal) {
            None => self.scanners[terminal.index()].as_ref(),
            Some(token) => self.token_scanners.get(token),
        }
    }

    /// The token that a terminal is, where that is a rule or repetition.
    #[inline]
    pub(super) fn token(&self, terminal: TerminalId) -> Option<TokenId> {
        terminal.get().checked_sub(self.first_token.get()).map(TokenId::new)
    }

    pub(super) fn is_nullable(&self, symbol: SymbolId) -> bool {
        match symbol.sort() {
            SymbolSort::Terminal(terminal) => self.terminals[terminal].1,
            SymbolSort::Nonterminal(nonterminal) => self.nonterminals[nonterminal].nullable,
        }
    }

    /// Finds the positions before each.
    pub(super) fn find_incoming(&mut self) {
        self.incoming = vec![Vec::new(); self.positions.len()].into();
        for (id, position) in self.positions.pairs() {
            if position.symbol != SymbolId::NONE {
                self.incoming[position.target].push(id);
            }
        }
    }

    /// Finds how to step back from each position, when it is known what may be empty.
    #[pleach_unhooked::unhooked]
    pub(super) fn find_back(&mut self) {
        self.back = self.positions.ids().into_iter().map(|id| self.step_back(id)).collect();
    }

    fn step_back(&self, id: PositionId) -> Back {
        let position = &self.positions[id];
        match self.incoming[id][..] {
            [] => Back::Begins,
            [before] => {
                let symbol = self.positions[before].symbol;
                let token = position.symbol;
                if symbol == self.layout {
                    // An empty token could leave layout before and behind it.
                    let is_empty = token != SymbolId::NONE && self.is_nullable(token);
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
