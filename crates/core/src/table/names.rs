//! Names and places of a table's parts: the side table that only display reads.

use super::id::{OccurrenceId, RuleId, TerminalId};
use crate::grammar::Span;
use crate::pack::packed;

/// Names of rules, labels of terminals and places in the grammar's files.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All texts, one after the other.
    pub(crate) text: String,
    /// The end of each named rule's name in `text`; rules come first.
    pub(crate) rule_ends: Vec<u32>,
    /// The end of each terminal's label in `text`.
    pub(crate) terminal_ends: Vec<u32>,
    /// Where each named rule's name is written.
    pub(crate) rule_spans: Vec<Span>,
    /// Where each occurrence is written.
    pub(crate) occurrence_spans: Vec<Span>,
}

impl Names {
    /// The name of a rule; empty for a group.
    pub fn rule(&self, rule: RuleId) -> &str {
        piece(&self.text, 0, &self.rule_ends, rule.index())
    }

    /// The named rule of this name.
    #[pleach_unhooked::unhooked]
    pub fn find_rule(&self, name: &str) -> Option<RuleId> {
        (0..self.rule_ends.len() as u32).map(RuleId::new).find(|&rule| self.rule(rule) == name)
    }

    /// A terminal as the notation writes it.
    pub fn terminal(&self, terminal: TerminalId) -> &str {
        let base = self.rule_ends.last().copied().unwrap_or(0);
        piece(&self.text, base, &self.terminal_ends, terminal.index())
    }

    /// Where a named rule's name is written.
    pub fn rule_span(&self, rule: RuleId) -> Option<Span> {
        self.rule_spans.get(rule.index()).copied()
    }

    /// Where an occurrence is written.
    pub fn occurrence_span(&self, occurrence: OccurrenceId) -> Option<Span> {
        self.occurrence_spans.get(occurrence.index()).copied()
    }
}

fn piece<'t>(text: &'t str, base: u32, ends: &[u32], index: usize) -> &'t str {
    let Some(&end) = ends.get(index) else { return "" };
    let start = if index == 0 { base } else { ends[index - 1] };
    text.get(start as usize..end as usize).unwrap_or("")
}

packed!(struct Names { text, rule_ends, terminal_ends, rule_spans, occurrence_spans });
