//! Layout: what may stand between tokens, and which tokens need it.

use super::id::{RuleId, TerminalId};
use super::production::Table;
use super::symbol::{Symbol, SymbolKind};
use crate::pack::packed;
use crate::regular::Dfa;

/// The number of a token: a terminal outside lexical rules, or a whole lexical rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token(pub(crate) u32);

/// White space and comments of a grammar, as an attribute of its table.
///
/// Layout stands between tokens and never inside one. It is no occurrence: its leaves are no
/// k-path nodes.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The strings that may stand between tokens, the empty one included.
    pub(crate) automaton: Dfa,
    /// The plainest shortest layout that is not empty.
    pub(crate) separator: Vec<u8>,
    /// What may stand between two separators, so that what follows is read as after one.
    pub(crate) between: Dfa,
    /// Whether each named rule is lexical.
    pub(crate) lexical: Vec<bool>,
    /// Whether each named rule is used outside lexical rules.
    pub(crate) syntactic: Vec<bool>,
    /// The number of tokens: terminals first, then named rules.
    pub(crate) tokens: u32,
    /// Bit `left * tokens + right` says that the two would fuse; empty where every pair does.
    pub(crate) fusing: Vec<u64>,
    /// Whether layout never stands before each token; empty where it may before all.
    pub(crate) glued: Vec<bool>,
}

impl Layout {
    /// The strings that may stand between tokens, the empty one included.
    pub fn automaton(&self) -> &Dfa {
        &self.automaton
    }

    /// The shortest layout that is not empty, in bytes: what separates tokens that would fuse.
    #[inline]
    pub fn separator(&self) -> &[u8] {
        &self.separator
    }

    /// What may stand between two separators, so that what follows the second is read as it would
    /// be after the first alone: no comment is left open.
    pub fn between(&self) -> &Dfa {
        &self.between
    }

    /// Whether a rule's whole yield is one token.
    #[inline]
    pub fn is_lexical(&self, rule: RuleId) -> bool {
        self.lexical.get(rule.index()).copied().unwrap_or(false)
    }

    /// Whether a rule is used outside lexical rules, so that its terminals are tokens.
    #[inline]
    pub fn is_syntactic(&self, rule: RuleId) -> bool {
        self.syntactic.get(rule.index()).copied().unwrap_or(false)
    }

    /// The token that a terminal is outside lexical rules.
    #[inline]
    pub fn terminal_token(&self, terminal: TerminalId) -> Token {
        Token(terminal.get())
    }

    /// The token that a lexical rule is.
    #[inline]
    pub fn rule_token(&self, rule: RuleId) -> Token {
        Token(self.tokens - self.lexical.len() as u32 + rule.get())
    }

    /// Whether no layout stands before a token: it begins a part of an input.
    #[inline]
    pub fn is_glued(&self, token: Token) -> bool {
        self.glued.get(token.0 as usize) == Some(&true)
    }

    /// Whether `left` directly followed by `right` could be read otherwise than as these two
    /// tokens, so that layout must stand between them.
    ///
    /// # Panics
    ///
    /// May panic where a token is of another table.
    #[inline]
    pub fn fuses(&self, left: Token, right: Token) -> bool {
        if self.is_glued(right) {
            return false;
        }
        if self.fusing.is_empty() {
            return true;
        }
        let bit = left.0 as usize * self.tokens as usize + right.0 as usize;
        self.fusing[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// What must stand between two tokens that would otherwise meet: the separator where they fuse.
    #[inline]
    pub(crate) fn between_tokens(&self, left: Token, right: Token) -> Option<&[u8]> {
        self.fuses(left, right).then_some(&*self.separator)
    }
}

impl Table {
    /// The token that begins with a symbol outside tokens: a terminal, or a reference to a lexical
    /// rule. None for other symbols, and where the grammar names no layout.
    #[inline]
    pub(crate) fn token_at(&self, symbol: Symbol) -> Option<Token> {
        let layout = self.layout.as_ref()?;
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                self.terminal_at(occurrence).map(|terminal| layout.terminal_token(terminal))
            }
            SymbolKind::Reference(occurrence) => self
                .target(occurrence)
                .filter(|&rule| layout.is_lexical(rule))
                .map(|rule| layout.rule_token(rule)),
            _ => None,
        }
    }
}

packed!(struct Layout {
    automaton, separator, between, lexical, syntactic, tokens, fusing, glued
});
