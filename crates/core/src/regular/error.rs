//! What can go wrong with a regular language.

use std::fmt;

/// Why an automaton could not be built.
#[derive(Clone, PartialEq, Eq)]
pub struct RegularError {
    kind: Kind,
    span: Option<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "front"),
    expect(dead_code, reason = "patterns are read by the front end")
)]
enum Kind {
    /// The pattern is not well formed.
    Syntax(String),
    /// The pattern is well formed and asks for what these automata do not do.
    Unsupported(String),
    /// A bound of `AutomatonLimits` was passed.
    TooLarge { what: &'static str, limit: u64 },
    /// The pattern nests too deep.
    TooDeep { limit: u32 },
    /// An automaton over bytes met one over scalar values.
    Alphabets,
}

impl RegularError {
    #[cfg(feature = "front")]
    pub(super) fn syntax(message: impl Into<String>, span: Option<(usize, usize)>) -> Self {
        Self { kind: Kind::Syntax(message.into()), span }
    }

    pub(super) fn unsupported(message: impl Into<String>, span: Option<(usize, usize)>) -> Self {
        Self { kind: Kind::Unsupported(message.into()), span }
    }

    pub(super) fn too_large(what: &'static str, limit: u64) -> Self {
        Self { kind: Kind::TooLarge { what, limit }, span: None }
    }

    #[cfg(feature = "front")]
    pub(super) fn too_deep(limit: u32, span: Option<(usize, usize)>) -> Self {
        Self { kind: Kind::TooDeep { limit }, span }
    }

    pub(super) fn alphabets() -> Self {
        Self { kind: Kind::Alphabets, span: None }
    }

    /// The same where the pattern was longer by some insertions, each an offset in the longer
    /// pattern and a length, ascending.
    #[cfg(feature = "front")]
    pub(super) fn without(mut self, insertions: &[(usize, usize)]) -> Self {
        let original = |offset: usize| {
            insertions.iter().rev().fold(offset, |offset, &(at, length)| {
                if offset > at { at.max(offset.saturating_sub(length)) } else { offset }
            })
        };
        self.span = self.span.map(|(start, end)| (original(start), original(end)));
        self
    }

    /// Whether a bound on size, time or nesting was passed.
    pub fn is_size_limit_exceeded(&self) -> bool {
        matches!(self.kind, Kind::TooLarge { .. } | Kind::TooDeep { .. })
    }

    /// Of what there was too much, and how much there may be.
    #[doc(hidden)]
    pub fn limit(&self) -> Option<(&'static str, u64)> {
        match self.kind {
            Kind::TooLarge { what, limit } => Some((what, limit)),
            _ => None,
        }
    }

    /// Whether the pattern is malformed.
    pub fn is_syntax(&self) -> bool {
        matches!(self.kind, Kind::Syntax(_))
    }

    /// Whether the pattern is well formed and not a regular language over this alphabet, or not
    /// one that these automata express.
    pub fn is_unsupported(&self) -> bool {
        matches!(self.kind, Kind::Unsupported(_))
    }

    /// Whether automata over different alphabets were combined.
    pub fn is_alphabet_mismatch(&self) -> bool {
        matches!(self.kind, Kind::Alphabets)
    }

    /// Where in the pattern the fault is, as byte offsets of its first byte and of the one after
    /// its last, where that is known.
    pub fn span(&self) -> Option<(usize, usize)> {
        self.span
    }
}

impl fmt::Display for RegularError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Syntax(message) | Kind::Unsupported(message) => f.write_str(message),
            Kind::TooLarge { what, limit } => write!(
                f,
                "the automaton needs more than {limit} {what}: shorten its repetitions, split it \
                 into several terminals, or raise the limit"
            ),
            Kind::TooDeep { limit } => write!(
                f,
                "the pattern nests deeper than {limit} levels: take out groups, or move the inner \
                 part into a rule of its own"
            ),
            Kind::Alphabets => f.write_str(
                "an automaton over bytes cannot be combined with one over Unicode scalar values: \
                 build both with the same alphabet",
            ),
        }
    }
}

crate::displayed::displayed!(RegularError);

impl std::error::Error for RegularError {}
