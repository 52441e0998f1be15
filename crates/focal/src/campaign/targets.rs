//! Targets and summaries: units are tested alone, and the paths on which they fail are noted.

use pleach_explore::native::{Judge, Verdict};
use pleach_explore::search;
use pleach_explore::subject::{Run, Site};

use super::{Campaign, Event, Next, Path, Target};
use crate::formula::Formula;
use crate::refine::Later;
use crate::summary::PROGRAM;

/// How many failing paths of a unit are kept for one place.
const PATHS: usize = 4;
/// How many instructions the tests of a unit may execute at a time.
const STEPS: u64 = 5_000_000;

impl Campaign {
    /// The program's own search, for as many steps as it has for the units that were tested, and then the next ones.
    pub(super) fn program(&mut self) -> Next {
        let owed = std::mem::take(&mut self.owed);
        match self.explorers.get(&PROGRAM) {
            Some(program) if owed > 0 => {
                let end = program.counts().steps + u64::from(owed) * STEPS;
                Next::Program(owed.saturating_mul(self.options.program), end)
            }
            _ => self.tests(),
        }
    }

    /// The test of the next unit; of the first one of the next round, with units in random order, if there is none left.
    pub(super) fn tests(&mut self) -> Next {
        if !self.order.is_empty() {
            return Next::Test;
        }
        let is_over = self.round >= self.options.rounds;
        if self.explorers.is_empty() || (is_over && !self.explorers.contains_key(&PROGRAM)) {
            return Next::Over;
        }
        if is_over {
            self.owed = 1;
            return self.composition();
        }
        self.round += 1;
        self.order = self.explorers.keys().copied().filter(|&it| it != PROGRAM).collect();
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, self.random.below(last + 1));
        }
        Next::Test
    }

    /// Takes a step of the search of the program itself, whose failures are validated by a run.
    pub(super) fn test_program(&mut self, judge: &mut dyn Judge) -> Event {
        let Some(mut explorer) = self.explorers.remove(&PROGRAM) else { return Event::Tested };
        let mut failing = Failing(false);
        match explorer.step(&mut failing) {
            search::Event::Finished => Event::Tested,
            search::Event::Asked { .. } => {
                self.explorers.insert(PROGRAM, explorer);
                Event::Tested
            }
            search::Event::Ran { input, edges, .. } => {
                self.explorers.insert(PROGRAM, explorer);
                // What takes no other way than those before has little to say of it.
                if edges == 0 && !failing.0 {
                    self.counts.runs += 1;
                    return Event::Ran { input, edges: 0, failure: None, error: None };
                }
                let program = &mut self.summaries[PROGRAM];
                let run = match program.record(&input, &self.units) {
                    Some(run) => run,
                    None => program.subject.run(&input, None),
                };
                self.note_run(PROGRAM, input, &run, judge)
            }
        }
    }

    /// Tests a unit for a while.
    pub(super) fn test(&mut self, place: usize) {
        let Some(mut explorer) = self.explorers.remove(&place) else { return };
        let begun = explorer.counts().steps;
        for _ in 0..self.options.slice {
            self.tested += 1;
            match explorer.step(&mut Later) {
                search::Event::Ran { input, .. } => {
                    // Without room for terms there is no path.
                    let Some(run) = self.summaries[place].record(&input, &self.units) else {
                        return;
                    };
                    self.counts.unit_runs += 1;
                    self.note_target(place, &input, &run);
                }
                search::Event::Finished => return,
                search::Event::Asked { .. } => {}
            }
            if explorer.counts().steps - begun > STEPS {
                break;
            }
        }
        self.explorers.insert(place, explorer);
    }

    /// Notes that a unit failed.
    pub(super) fn note_target(&mut self, unit: usize, input: &[u8], run: &Run) {
        let Some(site) = run.place.clone().filter(|_| run.outcome.is_crash()) else { return };
        let known = self.targets.iter().position(|it| it.site == site);
        let target = known.unwrap_or_else(|| {
            self.targets.push(Target {
                message: run.outcome.to_string(),
                function: self.site(unit, &site),
                site,
                formulas: 0,
                validating: 0,
                found: None,
            });
            self.paths.push(Vec::new());
            self.targets.len() - 1
        });
        let paths = &mut self.paths[target];
        if paths.iter().filter(|it| it.formula.chain == [unit]).count() < PATHS {
            let formula = Formula::of(unit, input, &run.trail.decisions);
            paths.push(Path { formula, composed_at: None });
        }
    }

    /// Where a unit's function is defined.
    pub(super) fn site(&self, unit: usize, otherwise: &Site) -> Site {
        let unit = self.summaries[unit].unit.as_ref();
        unit.map_or_else(|| otherwise.clone(), |unit| unit.site.clone())
    }
}

/// Whether a run failed in the machine; the program itself has its word later.
struct Failing(bool);

impl Judge for Failing {
    fn judge(&mut self, _: &[u8], _: Option<&Run>) -> Verdict {
        self.0 = true;
        Verdict::Passed
    }
}
