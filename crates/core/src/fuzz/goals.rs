//! What the inputs of a campaign cover, so that mutants can grow towards what they do not.
//!
//! An engine hands over entries of its corpus, and stacks further mutations on a mutant that was of no
//! interest. So what is not the last result is in a corpus, and is counted when it is met for the
//! first time; a tree in the cache is not counted again.

use std::sync::atomic::{AtomicU8, Ordering};

use super::cache::hash;
use super::options::Options;
use crate::kpath::{Coverage, PathIndex, Scope};
use crate::mutate::mix;
use crate::table::Table;
use crate::tree::Node;

/// A coverage, if one is asked for and the grammar has one that is small enough.
#[derive(Clone)]
pub(super) struct Goals {
    coverage: Option<Coverage>,
    /// The hash of the last result.
    last: u64,
}

impl Goals {
    /// The coverage of the k-paths up to `k`, or up to the greatest length below with no more than
    /// [`Options::MOST_PATHS`].
    pub(super) fn new(table: &Table, k: usize) -> Self {
        let new = |k| Coverage::new(table, k, Scope::UpTo, Options::MOST_PATHS).ok();
        Self { coverage: (1..=k.min(PathIndex::LONGEST)).rev().find_map(new), last: 0 }
    }

    pub(super) fn coverage(&self) -> Option<&Coverage> {
        self.coverage.as_ref()
    }

    /// Adds what a tree covers.
    #[pleach_unhooked::unhooked]
    pub(super) fn count(&mut self, nodes: &[Node]) {
        if let Some(coverage) = &mut self.coverage {
            coverage.add_nodes(nodes);
        }
    }

    /// Sets a counter to 1 for each k-path of a tree, by a hash of its rank.
    pub(super) fn mark(&mut self, nodes: &[Node], counters: &[AtomicU8]) {
        let Some(coverage) = &mut self.coverage else { return };
        let count = counters.len() as u128;
        coverage.each_rank(nodes, |rank| {
            let place = (u128::from(mix(rank.into())) * count) >> 64;
            if let Some(counter) = counters.get(place as usize) {
                counter.store(1, Ordering::Relaxed);
            }
        });
    }

    /// Says what a call results in.
    pub(super) fn set_last(&mut self, text: &[u8]) {
        self.last = hash(text);
    }

    /// Whether a text is the last result.
    pub(super) fn is_last(&self, text: &[u8]) -> bool {
        self.last == hash(text)
    }
}
