//! What can go wrong with a language.

use std::fmt;

use pleach_core::grammar::GrammarError;
use pleach_core::regular::RegularError;

/// Why there is no language, or no form of it.
#[derive(Clone, Debug)]
pub struct DifferentialError {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A regex or an automaton is at fault.
    Regular(RegularError),
    /// A grammar cannot be used.
    Grammar(GrammarError),
    /// A rule is not regular.
    NotRegular(GrammarError),
    /// The automaton of a rule passes its bounds.
    RuleTooLarge(GrammarError),
    /// A form of an automaton passes its bound.
    TooLarge { what: &'static str, limit: usize },
    /// A difference has too many transitions, special characters apart.
    TooManyTransitions(usize),
    /// There is no group of this name.
    NoGroup(String),
    /// There is no rule of this name.
    NoRule(String),
}

impl DifferentialError {
    #[doc(hidden)]
    pub fn grammar(error: GrammarError) -> Self {
        Self { kind: Kind::Grammar(error) }
    }

    pub(super) fn not_regular(error: GrammarError) -> Self {
        Self { kind: Kind::NotRegular(error) }
    }

    pub(super) fn rule_too_large(error: GrammarError) -> Self {
        Self { kind: Kind::RuleTooLarge(error) }
    }

    pub(super) fn too_large(what: &'static str, limit: usize) -> Self {
        Self { kind: Kind::TooLarge { what, limit } }
    }

    pub(super) fn too_many_transitions(limit: usize) -> Self {
        Self { kind: Kind::TooManyTransitions(limit) }
    }

    pub(super) fn no_group(name: &str) -> Self {
        Self { kind: Kind::NoGroup(name.into()) }
    }

    pub(super) fn no_rule(name: &str) -> Self {
        Self { kind: Kind::NoRule(name.into()) }
    }

    /// Whether a bound on size, time or nesting was passed.
    pub fn is_size_limit_exceeded(&self) -> bool {
        match &self.kind {
            Kind::Regular(error) => error.is_size_limit_exceeded(),
            Kind::RuleTooLarge(_) | Kind::TooLarge { .. } | Kind::TooManyTransitions(_) => true,
            _ => false,
        }
    }

    /// Whether a rule contains itself in its own middle, so that no automaton accepts what it
    /// derives.
    pub fn is_not_regular(&self) -> bool {
        matches!(self.kind, Kind::NotRegular(_))
    }

    /// Where in a regex the fault is, as byte offsets of its first byte and of the one after its
    /// last, where that is known.
    pub fn span(&self) -> Option<(usize, usize)> {
        match &self.kind {
            Kind::Regular(error) => error.span(),
            _ => None,
        }
    }
}

impl fmt::Display for DifferentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Regular(error) => error.fmt(f),
            Kind::Grammar(error) | Kind::NotRegular(error) | Kind::RuleTooLarge(error) => {
                error.fmt(f)
            }
            Kind::TooLarge { what, limit } => {
                write!(f, "too large: {what} would have more than {limit} characters")
            }
            Kind::TooManyTransitions(limit) => write!(
                f,
                "the difference has more than {limit} transitions, special characters apart: \
                 compare smaller parts, or raise the limit on table entries"
            ),
            Kind::NoGroup(name) => {
                write!(f, "the pattern has no group `{name}`: write the part as `(?<{name}>...)`")
            }
            Kind::NoRule(name) => write!(f, "the grammar has no rule `{name}`"),
        }
    }
}

impl std::error::Error for DifferentialError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Regular(error) => Some(error),
            Kind::Grammar(error) | Kind::NotRegular(error) | Kind::RuleTooLarge(error) => {
                Some(error)
            }
            _ => None,
        }
    }
}

impl From<RegularError> for DifferentialError {
    fn from(error: RegularError) -> Self {
        Self { kind: Kind::Regular(error) }
    }
}
