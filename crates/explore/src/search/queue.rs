//! What may be tried next, the newest kind first.

use crate::path::Decision;
use pleach_solver::{Model, TermId};
use std::sync::Arc;

/// Random numbers: SplitMix64, <https://doi.org/10.1145/2714064.2660195>.
#[derive(Clone, Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below a limit, which is not 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

/// A run from which others are made.
#[derive(Debug)]
pub(super) struct Parent {
    pub(super) input: Vec<u8>,
    pub(super) model: Model,
    pub(super) decisions: Vec<Decision>,
    /// What every input made of it has to fulfil.
    pub(super) assumptions: Vec<TermId>,
    pub(super) length_is_free: bool,
    /// Whether it took edges that none before it had.
    pub(super) fresh: bool,
}

/// A decision of a run that may be made otherwise.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) parent: Arc<Parent>,
    /// Which of the decisions.
    pub(super) index: u32,
    /// The edge that is wanted; none where a pinned value is to differ.
    pub(super) edge: Option<u32>,
    /// The branch, the edge and the calls around, hashed.
    pub(super) place: u64,
    /// How far the edge is from a target.
    pub(super) distance: u32,
}

/// How new it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// The edge was never taken.
    New,
    /// The edge was never asked for among these calls.
    Untried,
    /// It was.
    Tried,
    /// No branch, but a value that was used as it was.
    Pinned,
}

const CLASSES: usize = 4;
/// How often each class is chosen when all have something.
const WEIGHTS: [usize; CLASSES] = [32, 8, 2, 1];
/// Among how many the best is taken.
const DRAWN: usize = 8;

/// The candidates, class by class.
#[derive(Debug)]
pub(super) struct Queue {
    rows: [Vec<Candidate>; CLASSES],
    limit: usize,
}

impl Queue {
    pub(super) fn new(limit: usize) -> Queue {
        Queue { rows: [const { Vec::new() }; CLASSES], limit: limit.max(1) }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Adds a candidate; where there are too many of its class it takes another one's place.
    pub(super) fn push(&mut self, class: Class, candidate: Candidate, random: &mut Random) {
        let row = &mut self.rows[class as usize];
        if row.len() < self.limit {
            row.push(candidate);
        } else {
            let at = random.below(row.len());
            row[at] = candidate;
        }
    }

    /// Takes a candidate out: a class by weight, and in it the least by a key of a few drawn at random.
    pub(super) fn pop<K: Ord>(
        &mut self,
        random: &mut Random,
        key: impl Fn(&Candidate) -> K,
    ) -> Option<(Class, Candidate)> {
        const ALL: [Class; CLASSES] = [Class::New, Class::Untried, Class::Tried, Class::Pinned];
        let weight = |class: Class| match self.rows[class as usize].len() {
            0 => 0,
            _ => WEIGHTS[class as usize],
        };
        let total: usize = ALL.map(weight).iter().sum();
        if total == 0 {
            return None;
        }
        let mut rest = random.below(total);
        let class = ALL.into_iter().find(|&class| {
            let chosen = rest < weight(class);
            rest = rest.saturating_sub(weight(class));
            chosen
        })?;
        let row = &mut self.rows[class as usize];
        let drawn: Vec<usize> = (0..DRAWN).map(|_| random.below(row.len())).collect();
        let best = drawn.into_iter().min_by_key(|&at| key(&row[at]))?;
        Some((class, row.swap_remove(best)))
    }

    /// Takes everything out, and gives the runs that are behind it, each once.
    pub(super) fn parents(&mut self) -> Vec<Arc<Parent>> {
        let all = self.rows.iter_mut().flat_map(|row| row.drain(..));
        let mut parents: Vec<Arc<Parent>> = all.map(|candidate| candidate.parent).collect();
        parents.sort_by_key(Arc::as_ptr);
        parents.dedup_by_key(|parent| Arc::as_ptr(parent));
        // Addresses differ from run to run.
        parents.sort_by(|a, b| (a.input.len(), &a.input).cmp(&(b.input.len(), &b.input)));
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(place: u64) -> Candidate {
        let parent = Parent {
            input: vec![place as u8],
            model: Model::new(),
            decisions: Vec::new(),
            assumptions: Vec::new(),
            length_is_free: true,
            fresh: false,
        };
        Candidate { parent: Arc::new(parent), index: 0, edge: None, place, distance: 0 }
    }

    #[test]
    fn new_edges_come_first_mostly_and_everything_comes_in_the_end() {
        let (mut queue, mut random) = (Queue::new(1000), Random(7));
        for place in 0..100 {
            queue.push(Class::New, candidate(place), &mut random);
            queue.push(Class::Tried, candidate(100 + place), &mut random);
        }
        let mut order = Vec::new();
        while let Some((class, taken)) = queue.pop(&mut random, |it| it.place) {
            assert_eq!(class == Class::New, taken.place < 100);
            order.push(taken.place);
        }
        assert_eq!(order.len(), 200);
        let early = order[..100].iter().filter(|&&place| place < 100).count();
        assert!(early > 80, "{early} of the first 100 are new");
        order.sort_unstable();
        assert_eq!(order, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn a_queue_keeps_no_more_than_its_limit() {
        let (mut queue, mut random) = (Queue::new(10), Random(1));
        for place in 0..1000 {
            queue.push(Class::Untried, candidate(place), &mut random);
        }
        assert_eq!(queue.len(), 10);
        assert_eq!(queue.parents().len(), 10);
        assert_eq!(queue.len(), 0);
    }
}
