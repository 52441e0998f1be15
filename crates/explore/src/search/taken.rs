//! What runs have done so far: the edges they took, for which place of the program, and how often in a run.

use super::queue::Class;
use crate::path::Kind;
use crate::subject::Run;
use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::Pc;

/// What was taken in any run.
#[derive(Debug)]
pub(super) struct Taken {
    /// A bit for each edge of the control flow.
    pub(super) edges: Vec<u64>,
    /// The edges that runs decided to take by their inputs, with the innermost place outside of the standard library,
    /// and the binary logarithm of how often one run did.
    decided: FxHashSet<(u32, Option<Pc>, u32)>,
}

impl Taken {
    /// Nothing, of so many edges.
    pub(super) fn new(edges: u32) -> Taken {
        Taken { edges: vec![0; (edges as usize).div_ceil(64)], decided: FxHashSet::default() }
    }

    /// Adds a run: how many edges it was the first to take, and whether it took one from a place or as often as none before.
    pub(super) fn add(&mut self, run: &Run) -> (u64, bool) {
        let mut new = 0;
        for (known, &taken) in self.edges.iter_mut().zip(&run.trail.edges) {
            new += u64::from((taken & !*known).count_ones());
            *known |= taken;
        }
        let mut times: FxHashMap<(u32, Option<Pc>), u32> = FxHashMap::default();
        let mut fresh = new > 0;
        for decision in &run.trail.decisions {
            let Kind::Edge(edge) = decision.kind else { continue };
            let times = times.entry((edge, Some(decision.from))).or_default();
            *times += 1;
            if times.is_power_of_two() {
                fresh |= self.decided.insert((edge, Some(decision.from), times.ilog2()));
            }
        }
        (new, fresh)
    }

    pub(super) fn is_taken(&self, edge: u32) -> bool {
        super::report::is_set(&self.edges, edge)
    }

    /// How new it would be to take an edge for a place, or to have another value if there is no edge.
    pub(super) fn class(&self, edge: Option<u32>, from: Option<Pc>) -> Class {
        match edge {
            None => Class::Pinned,
            Some(edge) if !self.is_taken(edge) => Class::New,
            Some(edge) if !self.decided.contains(&(edge, from, 0)) => Class::Called,
            Some(_) => Class::Known,
        }
    }
}
