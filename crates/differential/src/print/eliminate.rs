//! Elimination of an automaton's states, until one part stands between its ends.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::join;
use super::parts::{EMPTY, FACTORING, Id, Parts};
use crate::DifferentialError;
use pleach_core::regular::Dfa;

/// The live states of an automaton that is printed, at most: finding the next to eliminate is
/// linear in them.
const MOST_STATES: usize = 1 << 13;

/// The edges of what is left, from both ends.
struct Graph {
    after: Vec<BTreeMap<usize, Id>>,
    before: Vec<BTreeSet<usize>>,
}

impl Graph {
    fn new(states: usize) -> Self {
        Self { after: vec![BTreeMap::new(); states], before: vec![Default::default(); states] }
    }

    fn set(&mut self, from: usize, to: usize, part: Id) {
        self.after[from].insert(to, part);
        self.before[to].insert(from);
    }
}

/// The whole language as a part, and none where it is empty.
pub(super) fn eliminate(dfa: &Dfa, all: &mut Parts) -> Result<Option<Id>, DifferentialError> {
    let live: Vec<_> = dfa.states().filter(|&state| !dfa.is_dead(state)).collect();
    if live.len() > MOST_STATES {
        return Err(all.too_large());
    }
    let mut place = vec![usize::MAX; dfa.state_count()];
    for (index, &state) in live.iter().enumerate() {
        place[state.index()] = index;
    }
    let Some(&first) = place.get(dfa.start().index()).filter(|&&it| it < live.len()) else {
        return Ok(None);
    };
    // The last two stand before the start and after all that accept.
    let (start, end) = (live.len(), live.len() + 1);
    let mut graph = Graph::new(live.len() + 2);
    graph.set(start, first, EMPTY);
    for (index, &state) in live.iter().enumerate() {
        let mut targets: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
        for transition in dfa.transitions(state) {
            let ranges = dfa.class_ranges(transition.class);
            targets.entry(place[transition.target.index()]).or_default().extend(ranges);
        }
        for (target, mut ranges) in targets {
            join(&mut ranges);
            let class = all.class(ranges);
            graph.set(index, target, class);
        }
        if dfa.is_accepting(state) {
            graph.set(index, end, EMPTY);
        }
    }
    let mut weights: Vec<(usize, usize)> =
        (0..live.len()).map(|it| weight(all, &graph, it)).collect();
    let mut left: Vec<usize> = (0..live.len()).collect();
    while let Some(at) = (0..left.len()).min_by_key(|&at| (weights[left[at]], left[at])) {
        let state = left.swap_remove(at);
        all.spend(1 + left.len() / 64)?;
        for changed in remove(all, &mut graph, state)? {
            if changed < live.len() {
                weights[changed] = weight(all, &graph, changed);
            }
        }
    }
    Ok(graph.after[start].get(&end).copied())
}

/// How much more is written when a state is eliminated, and how much is put together: in a chain,
/// nothing is written twice, and parts are joined pairwise rather than one after the other.
fn weight(all: &Parts, graph: &Graph, state: usize) -> (usize, usize) {
    let size = |id: &Id| all.size(*id);
    let (mut into, mut out) = (0, 0);
    let (mut sum, mut all) = (0_usize, 0_usize);
    let around = graph.after[state].get(&state).map_or(0, size);
    let before: Vec<usize> =
        graph.before[state].iter().copied().filter(|&it| it != state).collect();
    let after: Vec<_> = graph.after[state].iter().filter(|(it, _)| **it != state).collect();
    into += before.len();
    out += after.len();
    for source in before {
        let part = graph.after[source].get(&state).map_or(0, size);
        sum = sum.saturating_add(part.saturating_mul(out.saturating_sub(1)));
        all = all.saturating_add(part);
    }
    for (_, part) in after {
        sum = sum.saturating_add(size(part).saturating_mul(into.saturating_sub(1)));
        all = all.saturating_add(size(part));
    }
    (sum.saturating_add(around.saturating_mul((into * out).saturating_sub(1))), all)
}

/// Takes a state out, and gives those around it.
fn remove(
    all: &mut Parts,
    graph: &mut Graph,
    state: usize,
) -> Result<Vec<usize>, DifferentialError> {
    let around = graph.after[state].get(&state).copied();
    let around = around.map(|part| all.repeat(part, 0, None));
    let after: Vec<(usize, Id)> = graph.after[state]
        .iter()
        .filter(|(target, _)| **target != state)
        .map(|(&target, &part)| (target, part))
        .collect();
    let before: Vec<usize> =
        graph.before[state].iter().copied().filter(|&it| it != state).collect();
    for &source in &before {
        let Some(into) = graph.after[source].remove(&state) else { continue };
        let into = match around {
            Some(around) => all.concat(&[into, around])?,
            None => into,
        };
        for &(target, out) in &after {
            let way = all.concat(&[into, out])?;
            let known = graph.after[source].get(&target).copied();
            let part = match known {
                Some(known) => all.alternatives(&[known, way], FACTORING)?,
                None => way,
            };
            if all.size(part) > all.longest {
                return Err(all.too_large());
            }
            graph.set(source, target, part);
        }
    }
    for &(target, _) in &after {
        graph.before[target].remove(&state);
    }
    let mut changed = before;
    changed.extend(after.iter().map(|&(target, _)| target));
    changed.sort_unstable();
    changed.dedup();
    Ok(changed)
}
