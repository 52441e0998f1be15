//! The search of the program itself, beside those of its units: what it fails on need not be composed.

use pleach_explore::native::{Fault, Judge, Verdict};
use pleach_explore::search::{self, Explorer};
use pleach_explore::subject::Run;
use std::collections::{BTreeMap, BTreeSet};

use super::targets::STEPS;
use super::{Campaign, Event, Next, is_same};
use crate::graph::MAIN;
use crate::options::Variant;
use crate::profile::Node;
use crate::summary::PROGRAM;

impl Campaign {
    /// Makes the search, which begins with what has the most new.
    pub(super) fn begin_program(&mut self, extended: &BTreeMap<Node, BTreeSet<Node>>) {
        // With `W` the program has a search towards the targets instead.
        if self.options.program == 0 || self.options.variant == Variant::W {
            return;
        }
        let mut options =
            search::Options::new().seed(self.options.seed).max_length(self.options.max_length);
        // Of what it calls nothing is left out, but that is what `E` is for: there it has what it begins with.
        if self.options.variant == Variant::E {
            let mut unit = extended.clone();
            unit.entry(MAIN).or_default().extend(self.profiles.callees(MAIN));
            options = options.without(self.without(MAIN, &unit));
        }
        let mut explorer = Explorer::new(self.summaries[PROGRAM].subject.again(), options);
        self.begun.iter().for_each(|input| explorer.add(input));
        self.program = Some(explorer);
    }

    /// The search, for as many steps as it has for the units that were tested since its last ones; and then the next unit.
    pub(super) fn program(&mut self) -> Next {
        let owed = std::mem::take(&mut self.owed);
        match &self.program {
            Some(program) if owed > 0 => {
                let end = program.counts().steps + u64::from(owed) * STEPS;
                Next::Program(owed.saturating_mul(self.options.program), end)
            }
            _ => self.tests(),
        }
    }

    /// Takes a step of the search. What takes new edges belongs to the program's summary.
    pub(super) fn search_program(&mut self, judge: &mut dyn Judge) -> Event {
        let Some(explorer) = &mut self.program else { return Event::Tested };
        let mut word = Word { judge, native: 0, fault: None, is_crash: false, unfollowed: None };
        let step = explorer.step(&mut word);
        let Word { native, fault, is_crash, unfollowed, .. } = word;
        self.counts.native += native;
        let (input, edges, error) = match step {
            search::Event::Finished => {
                self.program = None;
                return Event::Tested;
            }
            search::Event::Asked { .. } => return Event::Tested,
            search::Event::Ran { input, edges, error, .. } => (input, edges, error),
        };
        let program = &mut self.summaries[PROGRAM];
        if let Some(fault) = fault {
            let run = program.subject.run(&input, Some(&[]));
            let edges = self.note_edges(&run);
            let is_same = is_same(&fault, &run);
            let failure = self.failures.note(&input, fault, &run);
            if is_same {
                self.note_met(&input, &run, failure);
            }
            return Event::Ran { input, edges, failure, error: None };
        }
        // What was begun with is there already, and what takes no other way than runs before has little to say of it.
        if (edges == 0 && !is_crash) || self.begun.contains(&input) {
            self.counts.runs += 1;
            if let Some(outcome) = unfollowed {
                *self.unfollowed.entry(outcome).or_default() += 1;
            }
            return Event::Ran { input, edges: 0, failure: None, error };
        }
        let run = match program.record(&input, &self.units) {
            Some(run) => run,
            None => program.subject.run(&input, None),
        };
        self.note_run(PROGRAM, input, &run, judge)
    }
}

/// Notes what runs in the machine come to, of which the program has its word later, and asks it at once where it runs alone or behind
/// what the machine follows.
struct Word<'a> {
    judge: &'a mut dyn Judge,
    /// How often the program ran alone, and how it failed.
    native: u64,
    fault: Option<Fault>,
    is_crash: bool,
    unfollowed: Option<String>,
}

impl Judge for Word<'_> {
    fn judge(&mut self, input: &[u8], run: Option<&Run>) -> Verdict {
        if let Some(run) = run {
            self.is_crash = run.outcome.is_crash();
            if self.is_crash || run.outcome.is_end() {
                return Verdict::Passed;
            }
            self.unfollowed = Some(run.outcome.to_string());
        }
        self.native += 1;
        let verdict = self.judge.judge(input, run);
        if let Verdict::Failed(fault) = &verdict {
            self.fault = Some(fault.clone());
        }
        verdict
    }
}
