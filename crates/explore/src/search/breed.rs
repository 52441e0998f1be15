//! Which decisions of a run may be made otherwise.

use super::queue::{Candidate, Class, Parent};
use super::shape::ByteSet;
use super::widen::Path;
use super::{Explorer, Goal};
use crate::path::{Decision, Kind};
use crate::subject::Run;
use crate::symbolic::{LENGTH, LENGTH_BITS};
use fxhash::{FxHashMap, FxHasher};
use pleach_concolic::ir::Pc;
use pleach_solver::{Compare, TermId};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How many rounds a loop is followed at once, and how often from the same branch among the same calls.
const ROUNDS: u32 = 32;
const STREAKS: u32 = 4;
/// After how many rounds that a loop has gone on for as it was asked to, all that an input may have are tried at once.
const PUMPED: u32 = 3;
/// How many rounds of a branch are negated, the first and the last ones.
pub(super) const FIRST: u32 = 16;
const LAST: u32 = 2;
/// Of how many decisions that stand in the way of an edge other ways are tried, the last ones, and how many of each.
const BLOCKS: usize = 2;
const WAYS: usize = 4;
/// What a decision costs that is of no preferred function, if there are some.
const OTHERS: u32 = 4;

impl Explorer {
    /// Makes candidates of a run's decisions from a place on.
    pub(super) fn breed(
        &mut self,
        input: &[u8],
        run: Run,
        sets: Option<Arc<[ByteSet]>>,
        bound: usize,
        fresh: bool,
        again: bool,
    ) -> Arc<Parent> {
        let assumptions = self.assumptions(sets.as_deref());
        let parent = Arc::new(Parent {
            input: input.to_vec(),
            decisions: run.trail.decisions,
            assumptions,
            steps: run.steps,
            length_is_free: self.subject.has_length() && sets.is_none(),
            sets,
            fresh,
            is_left: AtomicBool::new(false),
        });
        self.bred += parent.decisions.len();
        let module = Arc::clone(self.subject.module());
        // How often a branch was met among the same calls, on the whole and up to some decision.
        let mut rounds: FxHashMap<(Pc, u64), (u32, u32)> = FxHashMap::default();
        for decision in &parent.decisions {
            rounds.entry((decision.at, decision.context)).or_default().0 += 1;
        }
        let mut path = Path::default();
        let (repeats, first) = (self.repeats(), self.widened.first());
        for (index, decision) in parent.decisions.iter().enumerate() {
            let (all, round) = rounds.entry((decision.at, decision.context)).or_default();
            *round += 1;
            let (all, round) = (*all, *round);
            let counts = round <= first || round + LAST > all || round.is_power_of_two();
            let before = path;
            path.push(decision, &self.subject.symbolic().terms, input);
            if index < bound || !decision.may_be_negated() {
                continue;
            }
            let without = &self.options.without;
            if module.function_at(decision.from).is_some_and(|it| without.contains(&it)) {
                continue;
            }
            if !counts {
                self.queue.leave(&parent);
                continue;
            }
            if !decision.is_necessary() {
                let known = self.pinned.entry(decision.value).or_default();
                if !known.contains(&decision.holds) {
                    known.push(decision.holds);
                }
            }
            let others = decision.other_edges(&module).into_iter().map(Some);
            let pinned = (!decision.is_necessary()).then_some(None);
            for edge in others.chain(pinned) {
                if again && self.widened.is_asked(before, input.len(), edge) {
                    continue;
                }
                if self.queue.tried(place_of(decision, edge, round)) >= repeats {
                    self.queue.leave(&parent);
                    continue;
                }
                let class = match decision.kind {
                    // What the program says in the end is behind all that it decides without a branch.
                    Kind::Returned => Class::Way,
                    _ => self.taken.class(edge, Some(decision.from)),
                };
                let distance = self.distance(edge);
                let candidate =
                    Candidate { distance, ..self.candidate(&parent, index, round, edge) };
                self.queue.push(class, candidate, &mut self.random);
            }
        }
        parent
    }

    /// Where an edge that nothing has taken is excluded by what was decided before, makes candidates of that: these decisions of a run
    /// stand in the way.
    pub(super) fn unblock(&mut self, candidate: &Candidate, core: Vec<usize>) {
        let Candidate { parent, edge, distance, .. } = candidate;
        if !matches!(self.taken.class(*edge, candidate.from()), Class::New | Class::Called) {
            return;
        }
        let module = Arc::clone(self.subject.module());
        let necessary = core.into_iter().rev().filter(|&at| parent.decisions[at].is_necessary());
        for index in necessary.take(BLOCKS) {
            let (before, decision) = (&parent.decisions[..index], &parent.decisions[index]);
            let same = |it: &&Decision| (it.at, it.context) == (decision.at, decision.context);
            let round = before.iter().filter(same).count() as u32 + 1;
            for edge in decision.other_edges(&module).into_iter().take(WAYS) {
                let wanted = self.candidate(parent, index, round, Some(edge));
                let candidate = Candidate { distance: *distance, ..wanted };
                if self.queue.tried(candidate.place) < self.repeats() {
                    self.queue.push(Class::Way, candidate, &mut self.random);
                }
            }
        }
    }

    /// If a loop has gone on for a round because it was asked to, and ends at the same branch, asks it to go on for another one at
    /// once: what needs many rounds needs them in a row, and nothing says so before.
    pub(super) fn follow(&mut self, goal: &Goal, parent: &Arc<Parent>, bound: usize) {
        let Some(edge) = goal.edge.filter(|_| goal.rounds < ROUNDS) else { return };
        let (before, behind) = parent.decisions.split_at(bound);
        let Some(gone_on) = before.last() else { return };
        // Not by its context: a recursion is seldom among the same calls at first.
        let is_there = |it: &Decision| {
            (it.at, it.from) == (gone_on.at, gone_on.from)
                && it.is_necessary()
                && it.kind != Kind::Edge(edge)
        };
        let Some(index) = behind.iter().position(is_there) else { return };
        let decision = &behind[index];
        let index = bound + index;
        if goal.rounds == 0 {
            let streaks = self.streaks.entry((gone_on.at, gone_on.context, edge)).or_default();
            *streaks += 1;
            if *streaks > STREAKS && !streaks.is_power_of_two() {
                return;
            }
        }
        if goal.rounds == PUMPED && self.options.varies_lengths {
            self.go_round(parent, gone_on, decision);
        }
        let same = |it: &&Decision| (it.at, it.context) == (decision.at, decision.context);
        let round = parent.decisions[..index].iter().filter(same).count() as u32 + 1;
        let candidate = self.candidate(parent, index, round, Some(edge));
        self.next_round = Some((candidate, goal.rounds + 1));
    }

    /// A decision of a run that is to be made otherwise, at no distance.
    fn candidate(
        &mut self,
        parent: &Arc<Parent>,
        index: usize,
        round: u32,
        edge: Option<u32>,
    ) -> Candidate {
        let decision = &parent.decisions[index];
        let bytes = self.subject.symbolic().terms.variables(decision.value).len();
        Candidate {
            parent: Arc::clone(parent),
            index: index as u32,
            round,
            edge,
            place: place_of(decision, edge, round),
            distance: 0,
            price: self.price(decision),
            breadth: bytes.max(1).ilog2(),
        }
    }

    /// As how many questions one counts that asks for another way at a decision.
    fn price(&self, decision: &Decision) -> u32 {
        let preferred = &self.options.preferred;
        let function = self.subject.module().function_at(decision.from);
        match preferred.is_empty() || function.is_some_and(|it| preferred.contains(&it)) {
            true => 1,
            false => OTHERS,
        }
    }

    /// What each input made of this one has to fulfil: the bytes are of their sets, and it is not too long.
    pub(super) fn assumptions(&mut self, sets: Option<&[ByteSet]>) -> Vec<TermId> {
        let limit = self.options.max_length as u128;
        let has_length = self.subject.has_length();
        let terms = &mut self.subject.symbolic().terms;
        let mut assumptions = self.assumed.clone();
        if let Some(sets) = sets {
            let sets = sets.iter().enumerate();
            let free = sets.filter(|(_, set)| !set.is_single() && !set.is_full());
            assumptions.extend(free.map(|(offset, set)| set.contains_term(terms, offset as u32)));
        } else if has_length {
            let (length, limit) =
                (terms.variable(LENGTH, LENGTH_BITS), terms.constant(LENGTH_BITS, limit));
            assumptions.push(terms.compare(Compare::Ule, length, limit));
        }
        assumptions
    }
}

/// The branch, the edge that is wanted, the calls around and the order of the round, hashed.
fn place_of(decision: &Decision, edge: Option<u32>, round: u32) -> u64 {
    let mut hasher = FxHasher::default();
    (decision.at, edge, decision.context, round.checked_ilog2()).hash(&mut hasher);
    if let Kind::Pinned(access) = decision.kind {
        access.hash(&mut hasher);
    }
    hasher.finish()
}
