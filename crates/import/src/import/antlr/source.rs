//! What the files of a grammar say, before lexer and parser are put together.

use std::collections::HashSet;

use pleach_core::grammar::{ExprId, Span};

/// What a file is a grammar of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Combined,
    Lexer,
    Parser,
}

/// What the reader has found, of a file and of those that it imports.
#[derive(Default)]
pub(super) struct Source {
    /// What the main file is; none where it does not say.
    pub(super) kind: Option<Kind>,
    /// Whether letters stand for both cases where a rule does not say otherwise.
    pub(super) ignore_case: bool,
    /// What is still to be read: names of grammars and where they are named.
    pub(super) imports: Vec<(String, Span)>,
    /// The grammar that the parser has its tokens from.
    pub(super) vocabulary: Option<(String, Span)>,
    pub(super) parser: Vec<ParserRule>,
    pub(super) lexer: Vec<LexerRule>,
    /// The names of the modes; the first is the default one.
    pub(super) modes: Vec<(String, Span)>,
    /// Names in `tokens {}`.
    pub(super) tokens: Vec<(String, Span)>,
    /// Literals in parser rules: they become tokens, by their text.
    pub(super) literals: Vec<(ExprId, Vec<u32>)>,
    /// Places of parser rules where any token stands but some: each an expression to be replaced, and
    /// the choice of what it is not.
    pub(super) negations: Vec<(ExprId, Option<ExprId>)>,
    /// Loops of lexer rules that take as little as they can.
    pub(super) lazy: HashSet<ExprId>,
    /// Places of parser rules where the end of the text stands.
    pub(super) ends: HashSet<ExprId>,
    /// Where an alternative is said to associate to the right.
    pub(super) rights: Vec<Span>,
}

/// A rule of the parser.
pub(super) struct ParserRule {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) body: ExprId,
}

/// A rule of the lexer.
pub(super) struct LexerRule {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) fragment: bool,
    /// Index into [`Source::modes`].
    pub(super) mode: usize,
    pub(super) alternatives: Vec<LexerAlternative>,
}

/// An outermost alternative of a lexer rule.
pub(super) struct LexerAlternative {
    /// None where only the end of the text is meant.
    pub(super) expr: Option<ExprId>,
    pub(super) commands: Vec<Command>,
    /// How many commands have an argument.
    pub(super) calls: u32,
    /// The same where the text ends after it, if that makes a difference.
    pub(super) at_end: Option<ExprId>,
}

/// What is done with a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// The parser does not see it: `skip`, or `channel` with another than the default one.
    Hide,
    /// It goes on with the next one.
    More,
    Type(String),
    Mode(String),
    Push(String),
    Pop,
}

impl Source {
    /// The index of a mode, which is added if it is new.
    pub(super) fn mode(&mut self, name: &str, span: Span) -> usize {
        let found = self.modes.iter().position(|(mode, _)| mode == name);
        found.unwrap_or_else(|| {
            self.modes.push((name.to_owned(), span));
            self.modes.len() - 1
        })
    }
}
