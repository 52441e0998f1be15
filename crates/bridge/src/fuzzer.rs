//! A unit tester that changes values at random, after the paper's.

use crate::carve::{Group, Kind, Unit};
use crate::system::Broken;
use crate::tester::{Did, Trials, UnitTester};
use pleach_explore::native::Judge;
use pleach_unit::mutate;
use pleach_unit::random::Random;
use std::sync::Arc;

/// How many values are kept to go on from.
const KEPT: usize = 256;

/// Runs the unit on changed values, and goes on from those that took a new edge.
#[derive(Debug)]
pub struct Fuzzer {
    trials: Trials,
    groups: Vec<Group>,
    random: Random,
    kept: Vec<Arc<[u8]>>,
}

impl Fuzzer {
    /// One that begins with the values that the program had.
    pub fn new(unit: &Unit, seed: u64) -> Fuzzer {
        let trials = Trials::new(unit);
        let kept = vec![trials.values().into()];
        Fuzzer { trials, groups: unit.call.context.groups.clone(), random: Random(seed), kept }
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
    fn step(&mut self, judge: &mut dyn Judge) -> Result<bool, Broken> {
        let is_first = self.trials.runs() == 0;
        let values = if is_first { self.kept[0].to_vec() } else { self.changed() };
        if self.trials.run(&values, judge) == Did::New && !is_first {
            if self.kept.len() >= KEPT {
                let out = self.random.below(self.kept.len());
                self.kept.swap_remove(out);
            }
            self.kept.push(values.into());
        }
        Ok(!self.groups.is_empty())
    }

    fn runs(&self) -> u64 {
        self.trials.runs()
    }

    fn steps(&self) -> u64 {
        self.trials.steps()
    }
}
