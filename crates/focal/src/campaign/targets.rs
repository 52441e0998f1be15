//! Targets and summaries: units are tested alone, and the paths on which they fail are noted.

use pleach_explore::search;
use pleach_explore::subject::{Run, Site};

use super::{Campaign, Next, Path, Target};
use crate::formula::{Combined, Formula};
use crate::refine::Later;

/// How many failing paths of a unit are kept for one place.
const PATHS: usize = 4;
/// How many instructions the tests of a unit may execute at a time, and the search of the program for each of them.
pub(super) const STEPS: u64 = 5_000_000;

impl Campaign {
    /// Whether all units were tested as often as they are to be.
    pub(super) fn is_over(&self) -> bool {
        let is_last = self.round >= self.options.rounds || self.explorers.is_empty();
        self.order.is_empty() && is_last
    }

    /// The test of the next unit; of the first one of the next round, with units in random order, if there is none left. Then what remains.
    pub(super) fn tests(&mut self) -> Next {
        if !self.order.is_empty() {
            return Next::Test;
        }
        if self.is_over() {
            self.owed = u32::from(self.program.is_some());
            return match self.composition() {
                Next::Compose(waiting, None) if waiting.is_empty() && self.owed == 0 => Next::Over,
                next => next,
            };
        }
        self.round += 1;
        self.order = self.explorers.keys().copied().collect();
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, self.random.below(last + 1));
        }
        Next::Test
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
                        return self.summaries[place].rest();
                    };
                    self.counts.unit_runs += 1;
                    self.note_target(place, &input, &run);
                }
                search::Event::Finished => return self.summaries[place].rest(),
                search::Event::Asked { .. } => {}
            }
            if explorer.counts().steps - begun > STEPS {
                break;
            }
        }
        explorer.rest();
        self.summaries[place].rest();
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
                followed: 0,
                combined: Combined::default(),
                formulas: 0,
                validating: 0,
                found: self.met.get(&site).cloned(),
                site,
            });
            self.paths.push(Vec::new());
            self.targets.len() - 1
        });
        let paths = &mut self.paths[target];
        let own = || paths.iter().filter(|it| it.formula.chain == [unit]);
        if own().count() < PATHS {
            let formula = Formula::of(unit, input, &run.trail);
            if !own().any(|it| it.formula.is_same_path(&formula)) {
                paths.push(Path { formula, composed_at: None });
            }
        }
    }

    /// Where a unit's function is defined.
    pub(super) fn site(&self, unit: usize, otherwise: &Site) -> Site {
        let unit = self.summaries[unit].unit.as_ref();
        unit.map_or_else(|| otherwise.clone(), |unit| unit.site.clone())
    }
}
