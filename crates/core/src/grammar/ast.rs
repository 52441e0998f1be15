//! The syntax tree of a grammar: EBNF with spans, in one arena.
//!
//! Expressions stand in one flat array and refer to each other by [`ExprId`], so that neither
//! dropping nor walking a grammar recurses, however deep it nests. Every front end (the native
//! notation, importers) builds this type, and lowering reads nothing else.

use super::kept::{Binding, Encoding, Span};
use crate::parts::PartKind;

/// The name and the text of a file that a grammar was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SourceFile {
    /// The name that messages show.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Whether messages show none of its text. An include may name any file, and who reads the messages need not
    /// be who may read the file.
    #[cfg_attr(feature = "serde", serde(default))]
    pub hidden: bool,
}

impl SourceFile {
    /// A file whose lines messages show.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), hidden: false }
    }
}

/// An identifier of a rule as it is written, with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Name {
    /// The rule's name.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// The index of an expression in [`Grammar::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExprId(pub u32);

/// An annotation before an alternative: a weight, or that it is parse-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mark {
    /// How often it is taken, beside the others of its choice.
    Weight(u32),
    /// It is parse-only: read and never produced. It stands after those of its choice that are produced, of
    /// which there is one at least.
    ParseOnly,
}

/// One branch of a choice: an expression with its mark and its binding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Alternative {
    /// What is written before it; without a mark it weighs 1.
    pub mark: Option<Mark>,
    /// How tightly it binds, after the mark; only some alternatives need to.
    pub binding: Option<Binding>,
    /// What it derives.
    pub expr: ExprId,
}

impl Alternative {
    /// An alternative of which nothing is said.
    pub fn plain(expr: ExprId) -> Self {
        Self { mark: None, binding: None, expr }
    }

    /// Whether nothing is said of it.
    pub fn is_plain(&self) -> bool {
        self.mark.is_none() && self.binding.is_none()
    }
}

/// A node of the syntax tree of a rule's right side; its children are [`ExprId`]s.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Expr {
    /// A string. In a Unicode grammar the bytes are UTF-8. The empty one derives nothing.
    Literal {
        /// The bytes to write.
        bytes: Vec<u8>,
        /// Whether ASCII letters stand for both cases.
        ignore_case: bool,
    },
    /// One symbol of a set: sorted, disjoint, inclusive ranges.
    Class(Vec<(u32, u32)>),
    /// A regular terminal in the syntax of the `regex` crate.
    Regex(String),
    /// A rule by name.
    Reference(String),
    /// One after the other; the empty sequence derives the empty string.
    Sequence(Vec<ExprId>),
    /// One of several.
    Choice(Vec<Alternative>),
    /// The same expression several times.
    Repeat {
        /// What is repeated.
        expr: ExprId,
        /// The least count.
        min: u32,
        /// The greatest count; none where it is unbounded.
        max: Option<u32>,
        /// The odds of going on, to 1; without a weight they are 1 to 1.
        weight: Option<u32>,
    },
    /// The strings of a regular expression that another one does not have: one terminal.
    Except {
        /// What is kept.
        base: ExprId,
        /// What is taken away.
        minus: ExprId,
    },
}

impl Expr {
    /// The expressions in it, in the order of the text.
    #[doc(hidden)]
    pub fn children(&self) -> impl DoubleEndedIterator<Item = ExprId> + '_ {
        let (list, alternatives, one, two): (&[ExprId], &[_], _, _) = match self {
            Self::Sequence(items) => (items, &[], None, None),
            Self::Choice(alternatives) => (&[], alternatives, None, None),
            Self::Repeat { expr, .. } => (&[], &[], Some(*expr), None),
            Self::Except { base, minus } => (&[], &[], Some(*base), Some(*minus)),
            Self::Literal { .. } | Self::Class(_) | Self::Regex(_) | Self::Reference(_) => {
                (&[], &[], None, None)
            }
        };
        list.iter()
            .copied()
            .chain(alternatives.iter().map(|alternative: &Alternative| alternative.expr))
            .chain(one)
            .chain(two)
    }

    /// Puts other expressions in the place of those in it.
    #[doc(hidden)]
    pub fn map_children(&mut self, other: impl Fn(ExprId) -> ExprId) {
        let map = |id: &mut ExprId| *id = other(*id);
        match self {
            Self::Sequence(items) => items.iter_mut().for_each(map),
            Self::Choice(alternatives) => {
                alternatives.iter_mut().for_each(|one| map(&mut one.expr))
            }
            Self::Repeat { expr, .. } => map(expr),
            Self::Except { base, minus } => [base, minus].into_iter().for_each(map),
            Self::Literal { .. } | Self::Class(_) | Self::Regex(_) | Self::Reference(_) => {}
        }
    }
}

/// A definition of the grammar: a name, its docs and the expression it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rule {
    /// The rule's name.
    pub name: Name,
    /// The doc comment before it, without its markers; empty where there is none.
    pub docs: String,
    /// The right side.
    pub body: ExprId,
}

/// What a rule derives is a part of an input, where rules that derive no text of their own refer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartRule {
    /// What the part is.
    pub kind: PartKind,
    /// The rule.
    pub rule: Name,
}

/// A syntax tree of a grammar with spans: rules, and all their expressions in one arena.
///
/// With the feature `serde` it can be saved, includes joined, and lowered later without a parser.
/// Nothing in it is trusted: lowering checks every index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grammar {
    /// The files it was read from; [`Span::file`] indexes them.
    pub files: Vec<SourceFile>,
    /// Bytes or Unicode.
    pub encoding: Encoding,
    /// The start rule, where one is named; else the first rule is it.
    pub start: Option<Name>,
    /// The rule for what may stand between tokens.
    pub layout: Option<Name>,
    /// The rules whose yield is one token.
    pub lexical: Vec<Name>,
    /// The parts of which inputs are; none where an input is one text.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parts: Vec<PartRule>,
    /// The rules in the order in which they were written.
    pub rules: Vec<Rule>,
    /// All expressions.
    pub exprs: Vec<Expr>,
    /// Where each expression stands: as long as `exprs`.
    pub spans: Vec<Span>,
}

impl Grammar {
    /// An expression by its index.
    ///
    /// # Panics
    ///
    /// Where the index is of another grammar.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// Where an expression stands; the beginning of the first file where the grammar does not say.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// Adds an expression and gives its index.
    ///
    /// # Panics
    ///
    /// Where the grammar has 2^32 expressions already.
    pub fn push(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(
            u32::try_from(self.exprs.len()).expect("spans are u32, so a text cannot hold more"),
        );
        self.exprs.push(expr);
        self.spans.push(span);
        id
    }
}
