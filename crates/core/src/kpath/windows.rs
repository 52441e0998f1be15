//! The longest walks that end at the nodes of a tree, by an automaton.
//!
//! What a node has to know of the nodes above it is the walk of the last k - 1 references. These
//! walks are states, numbered by rank, and because walks that share a beginning have consecutive
//! ranks, a state is two numbers: added to an occurrence, the one gives the rank of the walk that
//! ends there, the other the state below it.

use super::index::PathIndex;
use crate::table::{OccurrenceId, Table};

/// A state: a walk of at most k - 1 references.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The rank of the walk that ends in an occurrence below, less the occurrence (wrapping).
    pub(super) rank: u32,
    /// The state below an occurrence, less the occurrence (wrapping).
    pub(super) next: u32,
}

/// The states of an index.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    /// The empty walk first, then all walks of 1 to k - 1 nodes by rank.
    states: Vec<State>,
    /// Where all walks are of one node, there is no state but the first.
    single: bool,
}

impl Windows {
    pub(super) fn new(table: &Table, index: &PathIndex) -> Self {
        let mut states = vec![State { rank: 0, next: 1 }];
        let single = index.k() == 1;
        if single {
            return Self { states, single };
        }
        let inner = index.block(index.k() - 1).end as usize;
        states.reserve_exact(inner);
        // The last node of each walk, and the state of what is left of it without the first.
        let mut lasts: Vec<u32> = (0..table.occurrence_count() as u32).collect();
        let mut suffixes = vec![0; lasts.len()];
        for length in 1..index.k() {
            let mut first = index.block(length + 1).start;
            let (mut below, mut below_suffixes) = (Vec::new(), Vec::new());
            for (&last, &suffix) in lasts.iter().zip(&suffixes) {
                let (start, end) = index.body(OccurrenceId::new(last));
                let rank = first.wrapping_sub(start);
                first += end - start;
                let shorter = states[suffix as usize].rank;
                let longer = if length + 1 < index.k() { rank } else { shorter };
                states.push(State { rank, next: longer.wrapping_add(1) });
                if length + 1 < index.k() {
                    below.extend(start..end);
                    below_suffixes.extend((start..end).map(|node| shorter.wrapping_add(node) + 1));
                }
            }
            (lasts, suffixes) = (below, below_suffixes);
        }
        Self { states, single }
    }

    /// A state by its number; 0 is the one at the root.
    #[inline]
    pub(super) fn state(&self, state: u32) -> State {
        self.states[state as usize]
    }

    /// The number of the state below an occurrence.
    #[inline]
    pub(super) fn below(&self, state: State, occurrence: u32) -> u32 {
        if self.single { 0 } else { state.next.wrapping_add(occurrence) }
    }
}
