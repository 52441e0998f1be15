//! Looks earlier answers up.
//!
//! A core excludes every question that has all of its constraints, and a model that was found may
//! hold for another question too: most paths differ in a few branches.

use super::{Slice, Verdict};
use crate::Model;
use crate::terms::{Evaluator, TermId, Terms};
use fxhash::{FxHashMap, FxHashSet};

/// How many models are tried.
const MODELS: usize = 16;

/// How many cores are kept; beyond that all are forgotten.
const CORES: usize = 10_000;

/// Longer cores are hardly met again.
const LONGEST: usize = 100;

/// Earlier answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// The values of the variables of their questions, the latest last.
    models: Vec<Box<[(u32, u128)]>>,
    cores: Vec<Box<[TermId]>>,
    /// The cores that each constraint is in.
    of: FxHashMap<TermId, Vec<u32>>,
    present: FxHashSet<TermId>,
}

impl Cache {
    pub(crate) fn solve(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        evaluator: &mut Evaluator,
    ) -> Verdict {
        if let Some(core) = self.core(slice) {
            return Verdict::Unsat(core);
        }
        for values in self.models.iter().rev() {
            let mut model = old.clone();
            let mut other = false;
            for &(variable, value) in values {
                if slice.variables.binary_search(&variable).is_ok() {
                    other |= model.get(variable) != value;
                    model.set(variable, value);
                }
            }
            evaluator.forget();
            let mut holds = |&term: &TermId| evaluator.value(terms, term, &model) == 1;
            if other && slice.constraints.iter().all(&mut holds) {
                return Verdict::Sat(model);
            }
        }
        Verdict::Pass
    }

    /// The places of a core's constraints, if they are all there.
    fn core(&mut self, slice: &Slice) -> Option<Vec<usize>> {
        self.present.clear();
        self.present.extend(&slice.constraints);
        // The path holds, so what excludes the goal has something of the goal.
        for goal in &slice.constraints[..slice.goals()] {
            for &core in self.of.get(goal).into_iter().flatten() {
                let core = &self.cores[core as usize];
                if core.iter().all(|term| self.present.contains(term)) {
                    let places = (0..slice.constraints.len())
                        .filter(|&at| core.binary_search(&slice.constraints[at]).is_ok());
                    return Some(places.collect());
                }
            }
        }
        None
    }

    pub(crate) fn remember_core(&mut self, slice: &Slice, places: &[usize]) {
        if places.len() > LONGEST {
            return;
        }
        let mut core: Vec<TermId> = places.iter().map(|&at| slice.constraints[at]).collect();
        core.sort_unstable();
        if self.cores.len() == CORES {
            self.cores.clear();
            self.of.clear();
        }
        let number = self.cores.len() as u32;
        let first = self.of.get(&core[0]).into_iter().flatten();
        if first.into_iter().any(|&known| *self.cores[known as usize] == *core) {
            return;
        }
        for &term in &core {
            self.of.entry(term).or_default().push(number);
        }
        self.cores.push(core.into());
    }

    pub(crate) fn remember_model(&mut self, slice: &Slice, model: &Model) {
        if self.models.len() == MODELS {
            self.models.remove(0);
        }
        self.models.push(slice.variables.iter().map(|&v| (v, model.get(v))).collect());
    }
}
