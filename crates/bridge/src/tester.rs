//! Unit testers: what tries other values of a unit's free bytes.

use crate::carve::{Kinds, Unit};
use crate::system::Broken;
use pleach_explore::native::{Judge, Verdict};
use pleach_explore::search::{Event, Explorer, Options, is_set};
use pleach_explore::subject::{Run, Site, Subject};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How often a failure at the same place of a unit is tried to be lifted.
const SAME: u32 = 12;
/// How many values for the same edge are.
const AGAIN: u8 = 3;

/// Values of a unit's free bytes with which it does what no run of the program has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The values.
    pub values: Vec<u8>,
    /// Edges that it took and no run of the program has.
    pub edges: Vec<u32>,
    /// How and where it failed, if it did.
    pub failure: Option<Failing>,
}

/// The identity of a unit's failure: place, kind and message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failing {
    /// The place of the program's own code.
    pub site: Option<Site>,
    /// How, in the machine's words.
    pub kind: &'static str,
    /// What the machine says.
    pub message: String,
}

/// Gathers what runs of a unit found.
#[derive(Debug)]
pub struct Findings<'a> {
    /// A bit for each edge that a run of the program has taken.
    taken: &'a [u64],
    predicted: &'a mut Predicted,
    /// What was found since it was looked at last.
    pub found: Vec<Finding>,
}

/// What a unit was found to do, so that the same is not lifted for ever.
#[derive(Clone, Debug, Default)]
pub struct Predicted {
    edges: BTreeMap<u32, u8>,
    failures: BTreeMap<(Option<Site>, &'static str), u32>,
}

impl<'a> Findings<'a> {
    /// Nothing yet.
    pub fn new(taken: &'a [u64], predicted: &'a mut Predicted) -> Findings<'a> {
        Findings { taken, predicted, found: Vec::new() }
    }
}

impl Judge for Findings<'_> {
    /// Notes what a run of the unit did. What a failure is only the program itself can say, so that it passes.
    fn judge(&mut self, input: &[u8], run: Option<&Run>) -> Verdict {
        let Some(run) = run else { return Verdict::Passed };
        let mut edges = Vec::new();
        for (word, (&own, &known)) in (0..).zip(run.trail.edges.iter().zip(self.taken)) {
            let mut new = own & !known;
            while new != 0 {
                edges.push(64 * word + new.trailing_zeros());
                new &= new - 1;
            }
        }
        let tried = &mut self.predicted.edges;
        edges.retain(|&edge| {
            let times = tried.entry(edge).or_default();
            *times = times.saturating_add(1);
            *times <= AGAIN
        });
        let mut failure = None;
        if run.outcome.is_crash() {
            let kind = run.outcome.kind();
            let times = self.predicted.failures.entry((run.place.clone(), kind)).or_default();
            *times += 1;
            if *times <= SAME {
                let message = run.outcome.to_string();
                failure = Some(Failing { site: run.place.clone(), kind, message });
            }
        }
        if !edges.is_empty() || failure.is_some() {
            self.found.push(Finding { values: input.to_vec(), edges, failure });
        }
        Verdict::Passed
    }
}

impl Finding {
    /// Leaves out edges that a run of the program has taken meanwhile: false if nothing is left.
    pub fn is_still_new(&mut self, taken: &[u64]) -> bool {
        self.edges.retain(|&edge| !is_set(taken, edge));
        !self.edges.is_empty() || self.failure.is_some()
    }
}

/// Runs a unit on values, without terms, which take time.
#[derive(Debug)]
pub struct Trials {
    subject: Subject,
    /// A bit for each edge that a run of the unit took.
    taken: Vec<u64>,
    /// Of each free byte that its term is not wanted.
    free: Vec<bool>,
    /// The values that the program had.
    values: Vec<u8>,
    texts: Arc<Kinds>,
    runs: u64,
    steps: u64,
}

/// The outcome of one run of a unit, compared with the runs before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// It failed.
    Failed,
    /// It took an edge that none before it had.
    New,
    /// Nothing else than those before.
    Nothing,
}

impl Trials {
    /// Of a unit that has not run yet.
    pub fn new(unit: &Unit) -> Trials {
        let values = unit.call.context.values.clone();
        let free = vec![false; values.len()];
        let (subject, taken) = (unit.subject(), Vec::new());
        let texts = Arc::clone(unit.texts());
        Trials { subject, taken, free, values, texts, runs: 0, steps: 0 }
    }

    /// The values that the program had.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// Runs the unit and shows the judge what was new. What is missing is as the program had it, there are no more values than
    /// that, and of what is to be a text and is none one is made.
    pub fn run(&mut self, values: &[u8], judge: &mut dyn Judge) -> Did {
        let mut whole = self.values.clone();
        for (own, &value) in whole.iter_mut().zip(values) {
            *own = value;
        }
        self.texts.mend(&mut whole);
        let run = self.subject.run(&whole, Some(&self.free));
        self.runs += 1;
        self.steps += run.steps;
        self.taken.resize(run.trail.edges.len(), 0);
        let mut is_new = false;
        for (known, &edges) in self.taken.iter_mut().zip(&run.trail.edges) {
            is_new |= edges & !*known != 0;
            *known |= edges;
        }
        let did = match () {
            () if run.outcome.is_crash() => Did::Failed,
            () if is_new => Did::New,
            () => return Did::Nothing,
        };
        judge.judge(&whole, Some(&run));
        did
    }

    /// How often it has run.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// How many instructions that took.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// A factory of unit testers, one for each unit that is carved.
pub trait UnitTesters {
    /// What tests a unit, with a seed of its own.
    fn begin(&mut self, unit: &Unit, seed: u64) -> Box<dyn UnitTester>;
}

/// An engine that tries values of one unit, a step at a time.
pub trait UnitTester: std::fmt::Debug {
    /// Does one thing, and shows what a run did to the judge if it took an edge that none of the unit's had or
    /// failed. False if nothing is left to do.
    ///
    /// # Errors
    /// It can't go on.
    fn step(&mut self, judge: &mut dyn Judge) -> Result<bool, Broken>;

    /// How often it has run the unit.
    fn runs(&self) -> u64;

    /// How many instructions these have executed.
    fn steps(&self) -> u64;
}

/// The unit tester that explores by a solver: it negates the unit's own branches.
#[derive(Debug)]
pub struct Concolic(Explorer);

impl Concolic {
    /// One that begins with the values that the program had.
    pub fn new(unit: &Unit, seed: u64) -> Concolic {
        let values = &unit.call.context.values;
        let options = Options::new().seed(seed).max_length(values.len()).assumed(unit.assumed());
        let mut explorer = Explorer::new(unit.subject(), options);
        explorer.add(values);
        Concolic(explorer)
    }
}

impl UnitTester for Concolic {
    fn step(&mut self, judge: &mut dyn Judge) -> Result<bool, Broken> {
        Ok(self.0.step(judge) != Event::Finished)
    }

    fn runs(&self) -> u64 {
        self.0.counts().runs
    }

    fn steps(&self) -> u64 {
        self.0.counts().steps
    }
}
