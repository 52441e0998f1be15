//! What was not reached, and why.

use crate::path::Kind;
use crate::subject::{Run, Site};
use crate::symbolic::Loss;
use fxhash::{FxHashMap, FxHashSet};
use pleach_concolic::ir::{Instruction, Module, Pc};
use pleach_concolic::vm::Outcome;
use std::collections::BTreeMap;

/// Why a branch was not taken another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// No input does on the paths that were tried.
    Unsatisfiable,
    /// The solver gave up.
    Budget,
    /// The solver had an input, and the program did not go that way with it.
    Diverged,
    /// It was not asked for yet.
    Untried,
    /// It depends on what is not followed.
    Lost,
    /// It does not depend on the input, as far as that is followed.
    Independent,
}

impl Why {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Why::Unsatisfiable => "unsatisfiable",
            Why::Budget => "budget",
            Why::Diverged => "diverged",
            Why::Untried => "untried",
            Why::Lost => "lost",
            Why::Independent => "independent",
        }
    }
}

/// A branch that was met and has an edge that was never taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct OneSided {
    /// Where it stands.
    #[serde(flatten)]
    pub site: Site,
    /// The branch.
    #[serde(skip)]
    pub at: Pc,
    /// The edge, by its number in the program.
    pub edge: u32,
    /// Why it was not taken: of several reasons the one that more time could mend.
    pub why: Why,
    /// How often it was asked for.
    pub tries: u64,
}

/// A place at which values were not followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Lost {
    /// Where.
    #[serde(flatten)]
    pub site: Site,
    /// Why: [`Loss::name`].
    pub why: &'static str,
    /// How often, over all runs.
    pub count: u64,
}

/// A summary of what a search has not reached: one-sided branches, values not followed, runs cut
/// short.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// Branches outside of the standard library that were met and not taken in all ways, by place.
    pub branches: Vec<OneSided>,
    /// Where values were not followed, the most frequent first.
    pub lost: Vec<Lost>,
    /// Why runs were not followed to their end, and how many of those in [`Counts::runs`](super::Counts::runs).
    pub unfollowed: BTreeMap<String, u64>,
}

/// What was learned of branches.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Branches that depended on the input in some run.
    followed: FxHashSet<Pc>,
    /// Branches that depended on what is not followed.
    blind: FxHashSet<Pc>,
    /// How often a try at an edge failed, and why.
    refused: FxHashMap<(u32, Why), u64>,
    lost: FxHashMap<(Pc, Loss), u64>,
    /// How often the machine came to what it may not or cannot do.
    unfollowed: BTreeMap<String, u64>,
}

impl Facts {
    pub(super) fn add(&mut self, run: &Run) {
        let edges = run.trail.decisions.iter().filter(|it| matches!(it.kind, Kind::Edge(_)));
        self.followed.extend(edges.map(|decision| decision.at));
        self.blind.extend(&run.trail.blind);
        for (&at, count) in &run.trail.lost {
            *self.lost.entry(at).or_default() += count;
        }
    }

    /// Notes how a run ended that the machine could not follow further.
    /// Notes how a run ended, if that is not an end of the program.
    pub(super) fn ended(&mut self, outcome: &Outcome) {
        if !outcome.is_crash() && !outcome.is_end() {
            *self.unfollowed.entry(outcome.to_string()).or_default() += 1;
        }
    }

    pub(super) fn refused(&mut self, edge: u32, why: Why) {
        *self.refused.entry((edge, why)).or_default() += 1;
    }

    pub(super) fn diverged(&mut self, edge: Option<u32>) {
        if let Some(edge) = edge {
            self.refused(edge, Why::Diverged);
        }
    }

    /// The edge that was asked for most and is not taken, of a branch outside of the standard library.
    pub(super) fn obstacle(&self, module: &Module, taken: &[u64]) -> Option<OneSided> {
        let mut tries: FxHashMap<u32, u64> = FxHashMap::default();
        for (&(edge, _), count) in &self.refused {
            *tries.entry(edge).or_default() += count;
        }
        let missing = tries.into_iter().filter(|&(edge, _)| !is_set(taken, edge));
        let mut order: Vec<(u32, u64)> = missing.collect();
        order.sort_unstable_by_key(|&(edge, count)| (std::cmp::Reverse(count), edge));
        order.into_iter().find_map(|(edge, _)| {
            let at = module.edge(edge)?.0;
            self.one_sided(module, at, edge, own(module, at)?)
        })
    }

    fn one_sided(&self, module: &Module, at: Pc, edge: u32, site: Site) -> Option<OneSided> {
        // Where an edge ends in what can't be reached, the compiler knows that it is never taken.
        let (_, to) = module.edge(edge)?;
        if matches!(module.instruction(to), Some(Instruction::Unreachable)) {
            return None;
        }
        let tries = [Why::Budget, Why::Diverged, Why::Unsatisfiable]
            .iter()
            .filter_map(|&why| self.refused.get(&(edge, why)))
            .sum();
        Some(OneSided { site, at, edge, why: self.why(at, edge), tries })
    }

    fn why(&self, at: Pc, edge: u32) -> Why {
        let refused = |why| self.refused.contains_key(&(edge, why));
        match () {
            () if refused(Why::Budget) => Why::Budget,
            () if refused(Why::Diverged) => Why::Diverged,
            () if refused(Why::Unsatisfiable) => Why::Unsatisfiable,
            () if self.followed.contains(&at) => Why::Untried,
            () if self.blind.contains(&at) => Why::Lost,
            () => Why::Independent,
        }
    }

    pub(super) fn report(&self, module: &Module, taken: &[u64]) -> Report {
        let is_taken = |edge: u32| is_set(taken, edge);
        let met: FxHashSet<Pc> = (0..module.edges())
            .filter(|&edge| is_taken(edge))
            .filter_map(|edge| Some(module.edge(edge)?.0))
            .collect();
        let mut branches = Vec::new();
        for at in met {
            let mut edges = match module.instruction(at) {
                Some(&Instruction::Branch { then, otherwise, .. }) => vec![then, otherwise],
                Some(&Instruction::Switch { default, .. }) => {
                    module.cases(at).iter().map(|case| case.1).chain([default]).collect()
                }
                _ => continue,
            };
            edges.sort_unstable();
            edges.dedup();
            let Some(site) = own(module, at) else { continue };
            let missing = edges.into_iter().filter(|&edge| !is_taken(edge));
            let missing = missing.filter_map(|edge| self.one_sided(module, at, edge, site.clone()));
            branches.extend(missing);
        }
        branches.sort();
        let mut places: FxHashMap<(Site, &'static str), u64> = FxHashMap::default();
        for (&(at, loss), count) in &self.lost {
            if let Some(site) = Site::of(module, at) {
                *places.entry((site, loss.name())).or_default() += count;
            }
        }
        let places = places.into_iter();
        let mut lost: Vec<Lost> =
            places.map(|((site, why), count)| Lost { site, why, count }).collect();
        lost.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.cmp(b)));
        Report { branches, lost, unfollowed: self.unfollowed.clone() }
    }
}

/// Whether an edge's bit is set.
pub fn is_set(bits: &[u64], edge: u32) -> bool {
    bits.get(edge as usize / 64).is_some_and(|word| word >> (edge % 64) & 1 == 1)
}

/// The place of a branch that is not of the standard library; of what was inlined from there the caller's place would say nothing.
fn own(module: &Module, at: Pc) -> Option<Site> {
    let own = module.places(at).next().is_some_and(|place| !place.in_std());
    Site::of(module, at).filter(|_| own)
}
