//! The search of the program itself, beside those of its units: what it fails on need not be composed.

use pleach_explore::native::{Fault, Judge, Verdict};
use pleach_explore::search::{self, Explorer};
use pleach_explore::subject::Run;
use std::collections::BTreeMap;

use super::judged::is_same;
use super::targets::STEPS;
use super::{Campaign, Event, Next};
use crate::graph::MAIN;
use crate::options::Variant;
use crate::summary::PROGRAM;

/// How many times its steps for a unit the search takes without new edges before something else is done.
const BARREN: u32 = 4;
/// How many times these it takes at all before there are units: in a large program there is something new for long.
const BEFORE: u32 = 32;

impl Campaign {
    /// Makes the search, which begins with what was kept so far; whether there is one.
    pub(super) fn begin_program(&mut self) -> bool {
        // With `W` the program has a search towards the targets instead.
        let is_wanted = self.options.program > 0 && self.options.variant != Variant::W;
        if !is_wanted || self.kept.is_empty() {
            return false;
        }
        let mut options =
            search::Options::new().seed(self.options.seed).max_length(self.options.max_length);
        // Of what it calls nothing is left out, but that is what `E` is for: there it has what it begins with.
        if self.options.variant == Variant::E {
            let unit = self.profiles.callees(MAIN).chain([MAIN]).collect();
            options = options.without(self.without(MAIN, &BTreeMap::from([(MAIN, unit)])));
        }
        let mut explorer = Explorer::new(self.summaries[PROGRAM].subject.again(), options);
        self.kept.iter().for_each(|(_, input)| explorer.add(input));
        self.program = Some(explorer);
        let [left, all] = [BARREN, BEFORE].map(|times| self.options.program.saturating_mul(times));
        self.next = Next::Begin(left, u64::from(BARREN) * STEPS, all);
        true
    }

    /// Takes a step of the search before there are units, for as long as it takes new edges and some are left at all.
    pub(super) fn begin(&mut self, left: u32, end: u64, all: u32, judge: &mut dyn Judge) -> Event {
        match self.search_program(left.min(all), end, judge) {
            Some((event, left, end)) => {
                self.next = Next::Begin(left, end, all.saturating_sub(1));
                event
            }
            None => {
                self.next = Next::Profile(true);
                Event::Tested
            }
        }
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

    /// Takes a step of the search, if some are left: what it did, and then how many steps are left and up to which instruction, of which
    /// there are more again after a new edge.
    pub(super) fn search_program(
        &mut self,
        left: u32,
        end: u64,
        judge: &mut dyn Judge,
    ) -> Option<(Event, u32, u64)> {
        let begun = self.program.as_ref()?.counts().steps;
        if left == 0 || begun >= end {
            return None;
        }
        let event = self.step_program(judge)?;
        let is_new = matches!(event, Event::Ran { edges: 1.., .. });
        let more = match is_new {
            true => {
                (self.options.program.saturating_mul(BARREN), begun + u64::from(BARREN) * STEPS)
            }
            false => (0, 0),
        };
        Some((event, (left - 1).max(more.0), end.max(more.1)))
    }

    /// Takes a step of the search. What takes new edges is carved where there are no units yet, and then belongs to the
    /// program's summary. None if nothing is left to search, until there is more to begin with.
    fn step_program(&mut self, judge: &mut dyn Judge) -> Option<Event> {
        let explorer = self.program.as_mut()?;
        let mut word = Word { judge, native: 0, fault: None, is_crash: false, unfollowed: None };
        let step = explorer.step(&mut word);
        let Word { native, fault, is_crash, unfollowed, .. } = word;
        self.counts.native += native;
        let (input, edges, error) = match step {
            search::Event::Finished => {
                self.program = self.program.take().filter(|_| self.begun.is_empty());
                return None;
            }
            search::Event::Asked { .. } => return Some(Event::Tested),
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
            return Some(Event::Ran { input, edges, failure, fails: true, error: None });
        }
        // What was begun with is there already, and what takes no other way than runs before has little to say of it.
        let is_known =
            self.begun.contains(&input) || self.kept.iter().any(|(_, kept)| *kept == input);
        if (edges == 0 && !is_crash) || is_known {
            self.counts.runs += 1;
            if let Some(outcome) = unfollowed {
                *self.unfollowed.entry(outcome).or_default() += 1;
            }
            return Some(Event::Ran { input, edges: 0, failure: None, fails: false, error });
        }
        if self.begun.is_empty() {
            return Some(self.carve(input, false, judge));
        }
        let run = match program.record(&input, &self.units) {
            Some(run) => run,
            None => program.subject.run(&input, None),
        };
        Some(self.note_run(PROGRAM, input, &run, judge))
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
