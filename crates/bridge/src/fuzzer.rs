//! A unit tester that changes values at random, after the paper's.

use crate::carve::{Group, Kind, Unit};
use crate::mutate;
use crate::tester::UnitTester;
use pleach_explore::native::Judge;
use pleach_explore::random::Random;
use pleach_explore::subject::Subject;
use std::sync::Arc;

/// How many values are kept to go on from.
const KEPT: usize = 256;

/// Runs the unit on changed values, and goes on from those that took a new edge.
#[derive(Debug)]
pub struct Fuzzer {
    subject: Subject,
    groups: Vec<Group>,
    random: Random,
    kept: Vec<Arc<[u8]>>,
    /// A bit for each edge that a run of the unit took.
    taken: Vec<u64>,
    /// Of each free byte that its term is not wanted: that takes time.
    free: Vec<bool>,
    runs: u64,
    steps: u64,
}

impl Fuzzer {
    /// One that begins with the values that the program had.
    pub fn new(unit: &Unit, seed: u64) -> Fuzzer {
        let values = &unit.call.context.values;
        Fuzzer {
            subject: unit.subject(),
            groups: unit.call.context.groups.clone(),
            random: Random(seed),
            kept: vec![values.as_slice().into()],
            taken: Vec::new(),
            free: vec![false; values.len()],
            runs: 0,
            steps: 0,
        }
    }

    fn changed(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let mut values = self.kept[random.below(self.kept.len())].to_vec();
        if self.groups.is_empty() {
            return values;
        }
        // Mostly once, seldom often.
        let times = 1 << random.below(4).min(random.below(4));
        for _ in 0..times {
            let Group { begin, end, kind } = self.groups[random.below(self.groups.len())];
            let bytes = &mut values[begin as usize..end as usize];
            match kind {
                Kind::Number => mutate::number(bytes, random),
                Kind::Text => mutate::text(bytes, random),
            }
        }
        values
    }
}

impl UnitTester for Fuzzer {
    fn step(&mut self, judge: &mut dyn Judge) -> bool {
        let values = if self.runs == 0 { self.kept[0].to_vec() } else { self.changed() };
        let run = self.subject.run(&values, Some(&self.free));
        self.runs += 1;
        self.steps += run.steps;
        self.taken.resize(run.trail.edges.len(), 0);
        let mut is_new = false;
        for (known, &edges) in self.taken.iter_mut().zip(&run.trail.edges) {
            is_new |= edges & !*known != 0;
            *known |= edges;
        }
        if is_new || run.outcome.is_crash() {
            judge.judge(&values, Some(&run));
        }
        if is_new && !run.outcome.is_crash() && self.runs > 1 {
            if self.kept.len() >= KEPT {
                let out = self.random.below(self.kept.len());
                self.kept.swap_remove(out);
            }
            self.kept.push(values.into());
        }
        !self.groups.is_empty()
    }

    fn runs(&self) -> u64 {
        self.runs
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}
