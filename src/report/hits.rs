//! How often each part of a grammar is used by some trees.

use crate::table::{AlternativeId, OccurrenceId, RuleId, SymbolKind, Table};
use crate::tree::{Node, Tree};

/// Counts of the occurrences and alternatives in some trees.
#[derive(Clone, Debug)]
pub struct Hits {
    occurrences: Vec<u64>,
    alternatives: Vec<u64>,
}

impl Hits {
    /// None yet.
    pub fn new(table: &Table) -> Self {
        Self {
            occurrences: vec![0; table.all_occurrence_count()],
            alternatives: vec![0; table.alternative_count()],
        }
    }

    /// Counts the nodes of a tree of the table.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn add(&mut self, tree: &Tree) {
        tree.nodes().iter().for_each(|&node| self.see(node));
    }

    /// Counts one node.
    #[inline]
    pub(super) fn see(&mut self, node: Node) {
        match node.symbol.kind() {
            SymbolKind::Terminal(occurrence) => self.occurrences[occurrence.index()] += 1,
            SymbolKind::Reference(occurrence) => {
                self.occurrences[occurrence.index()] += 1;
                self.alternatives[node.choice as usize] += 1;
            }
            SymbolKind::Group(_) | SymbolKind::Root(_) => {
                self.alternatives[node.choice as usize] += 1;
            }
            SymbolKind::Repetition(_) | SymbolKind::Layout => {}
        }
    }

    /// Adds what another count of the same table has.
    pub fn merge(&mut self, other: &Self) {
        let pairs = [
            (&mut self.occurrences, &other.occurrences),
            (&mut self.alternatives, &other.alternatives),
        ];
        for (mine, theirs) in pairs {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    /// How often an occurrence was used.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    pub fn occurrence(&self, occurrence: OccurrenceId) -> u64 {
        self.occurrences[occurrence.index()]
    }

    /// How often an alternative was taken.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    pub fn alternative(&self, alternative: AlternativeId) -> u64 {
        self.alternatives[alternative.index()]
    }

    /// How often a rule or group was expanded.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    pub fn rule(&self, table: &Table, rule: RuleId) -> u64 {
        table.all_alternatives(rule).map(|alternative| self.alternative(alternative)).sum()
    }
}
