//! What a corpus does: how often trees take each choice of a grammar, in the context of what stands above.
//!
//! [`Counts`] are of one table, by its identifiers; [`Weights`] are the same by the names of rules and the text of
//! alternatives, to be kept in a file and used after the grammar was edited; and a [`Model`] is what production
//! draws from.
//!
//! A **point** is a place of a grammar where a tree says something: a rule or group with more than one alternative, a
//! repetition, a terminal with more than one text. Its **context** are the references above it on the way to the
//! root, the nearest [`Counts::ORDER`] of them. Counts are kept for the longest context alone, for those of a
//! shorter one are their sums. Production takes the longest context that it knows, and *backs off* to a
//! shorter one with the probability of something new, by the estimate of Witten and Bell ("The zero-frequency
//! problem", 1991, method C): after n trees with t different choices it is t to n. What is left when no
//! context is are the grammar's own weights, so nothing becomes impossible.

mod counts;
mod gaps;
mod keys;
mod model;
mod weights;

pub use counts::Counts;
pub use gaps::{Gap, GapKind};
pub use model::Model;
pub(crate) use model::StateId;
pub use weights::{RuleWeights, Weights};

use crate::table::{OccurrenceId, RepetitionId, RuleId, Table, Terminal};

/// Where a tree says something, as one number: rules and groups, then repetitions, then occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PointId(u32);

/// A point taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// Its choices are alternatives.
    Rule(RuleId),
    /// Its choices are counts.
    Repetition(RepetitionId),
    /// Its choices are texts.
    Terminal(OccurrenceId),
}

impl PointId {
    /// The point of a rule; none where it has no choice.
    #[inline]
    pub(crate) fn rule(table: &Table, rule: RuleId) -> Option<Self> {
        (table.all_alternatives(rule).len() > 1).then(|| Self(rule.get()))
    }

    /// The point of a repetition; none where it has one count.
    #[inline]
    pub(crate) fn repetition(table: &Table, repetition: RepetitionId) -> Option<Self> {
        let of = table.repetition(repetition);
        (of.min < of.max).then(|| Self(table.rule_count() as u32 + repetition.get()))
    }

    /// The point of a terminal; none where it is a reference or a literal.
    #[inline]
    pub(crate) fn terminal(table: &Table, occurrence: OccurrenceId) -> Option<Self> {
        let base = (table.rule_count() + table.repetition_count()) as u32;
        match table.terminal(table.terminal_at(occurrence)?) {
            Terminal::Literal { .. } => None,
            Terminal::Class { .. } | Terminal::Regular { .. } => {
                Some(Self(base + occurrence.get()))
            }
        }
    }

    pub(crate) fn point(self, table: &Table) -> Point {
        let (rules, repetitions) = (table.rule_count() as u32, table.repetition_count() as u32);
        match self.0 {
            rule if rule < rules => Point::Rule(RuleId::new(rule)),
            other if other < rules + repetitions => {
                Point::Repetition(RepetitionId::new(other - rules))
            }
            other => Point::Terminal(OccurrenceId::new(other - rules - repetitions)),
        }
    }

    /// All points of a table.
    pub(crate) fn all(table: &Table) -> impl Iterator<Item = Self> + '_ {
        let rules = (0..table.rule_count() as u32).map(RuleId::new);
        let repetitions = (0..table.repetition_count() as u32).map(RepetitionId::new);
        let occurrences = (0..table.all_occurrence_count() as u32).map(OccurrenceId::new);
        rules
            .filter_map(|rule| Self::rule(table, rule))
            .chain(repetitions.filter_map(|repetition| Self::repetition(table, repetition)))
            .chain(occurrences.filter_map(|occurrence| Self::terminal(table, occurrence)))
    }
}
