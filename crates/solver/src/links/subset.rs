//! Part of a slice: what the goal's own variables are in first, more where that was too little.
//!
//! A path has hundreds of constraints that hang together by a variable or two, and few that matter for
//! a goal. What excludes it is mostly found among those on its own variables; and a model of these
//! that stays near the old values mostly leaves the rest as it is. What it does not is added, as
//! refinement by counterexamples does (Clarke et al., CAV 2000).

use super::Slice;
use crate::Model;
use crate::terms::{Evaluator, Terms};

/// Some of the constraints of a slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subset {
    /// The constraints as a slice of their own.
    pub(crate) slice: Slice,
    /// For each its place in the whole.
    pub(crate) places: Vec<usize>,
    taken: Vec<bool>,
}

impl Subset {
    /// The goal and all constraints on no other variables than its own.
    pub(crate) fn begin(&mut self, terms: &Terms, whole: &Slice) {
        self.taken.clear();
        self.taken.resize(whole.constraints.len(), false);
        let goals = whole.goals();
        self.taken[..goals].fill(true);
        self.complete(terms, whole);
    }

    /// Everything.
    pub(crate) fn take_all(&mut self, terms: &Terms, whole: &Slice) {
        self.taken.fill(true);
        self.complete(terms, whole);
    }

    /// Adds what does not hold under a model. Whether there was something.
    pub(crate) fn refine(
        &mut self,
        terms: &Terms,
        whole: &Slice,
        model: &Model,
        evaluator: &mut Evaluator,
    ) -> bool {
        let mut more = false;
        evaluator.forget();
        for (taken, &term) in self.taken.iter_mut().zip(&whole.constraints) {
            if !*taken && evaluator.value(terms, term, model) == 0 {
                *taken = true;
                more = true;
            }
        }
        if more {
            self.complete(terms, whole);
        }
        more
    }

    /// Takes what is on the variables alone of what was taken, and makes the slice.
    fn complete(&mut self, terms: &Terms, whole: &Slice) {
        let Slice { constraints, owners, variables } = &mut self.slice;
        variables.clear();
        for (_, &term) in self.taken.iter().zip(&whole.constraints).filter(|(taken, _)| **taken) {
            variables.extend_from_slice(terms.variables(term));
        }
        variables.sort_unstable();
        variables.dedup();
        constraints.clear();
        owners.clear();
        self.places.clear();
        for (place, &term) in whole.constraints.iter().enumerate() {
            let known = |variable: &u32| variables.binary_search(variable).is_ok();
            if self.taken[place] || terms.variables(term).iter().all(known) {
                self.taken[place] = true;
                self.places.push(place);
                constraints.push(term);
                owners.push(whole.owners[place]);
            }
        }
    }
}
