//! Answers what is about single bytes, from tables.
//!
//! A constraint on one byte is the set of its values for which it holds, computed once. Where all
//! constraints are so, the sets decide. Else one byte of the goal may do: with all others as they
//! are, the values for which the goal and all else hold are computed in one walk. And where there
//! are but two bytes, every value of one is tried with all of the other.

use super::polish::{preferred, with};
use super::{Slice, Verdict};
use crate::budget::Steps;
use crate::bytes::ByteSet;
use crate::terms::{Evaluator, Lanes, TermId, Terms};
use crate::{Model, Options};
use fxhash::FxHashMap;

/// What a step of a row costs, in steps on single values.
const ROW: u64 = 16;

/// Tables of constraints on one byte, and room for others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Single {
    tables: FxHashMap<TermId, Option<ByteSet>>,
    evaluator: Evaluator,
    lanes: Lanes,
    /// The values of each variable of the slice, as far as the constraints on it alone say.
    domains: Vec<Option<ByteSet>>,
}

impl Single {
    pub(crate) fn solve(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        options: &Options,
    ) -> Verdict {
        self.narrow(terms, slice, |_| true);
        if let Some(empty) = self.domains.iter().position(|set| *set == Some(ByteSet::EMPTY)) {
            return Verdict::Unsat(self.exclude(terms, slice, slice.variables[empty]));
        }
        let tables = &self.tables;
        let plain = |term: &TermId| matches!(tables.get(term), Some(Some(_)));
        if slice.constraints.iter().all(plain) {
            return Verdict::Sat(self.nearest(slice, old));
        }
        let mut left = Steps::new(options.steps);
        self.change_one(terms, slice, old, &mut left)
    }

    /// The values of each of the slice's variables by those constraints on it alone whose places are
    /// active; nothing of variables wider than a byte.
    pub(crate) fn domains(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        active: &[bool],
    ) -> &[Option<ByteSet>] {
        self.narrow(terms, slice, |at| active[at]);
        &self.domains
    }

    fn narrow(&mut self, terms: &Terms, slice: &Slice, active: impl Fn(usize) -> bool) {
        self.domains.clear();
        self.domains.extend(slice.variables.iter().map(|&variable| {
            let width = terms.variable_width(variable).filter(|&width| width <= 8)?;
            Some(ByteSet::of_width(width))
        }));
        for (place, &constraint) in slice.constraints.iter().enumerate() {
            if !active(place) {
                continue;
            }
            if let [variable] = *terms.variables(constraint)
                && let Ok(at) = slice.variables.binary_search(&variable)
                && let Some(domain) = self.domains[at]
                && let Some(table) = self.table(terms, constraint, variable)
            {
                self.domains[at] = Some(domain.and(table));
            }
        }
    }

    /// The values for which a constraint on one byte holds; nothing if that is too much to compute.
    fn table(&mut self, terms: &Terms, constraint: TermId, variable: u32) -> Option<ByteSet> {
        let Single { tables, evaluator, lanes, .. } = self;
        *tables.entry(constraint).or_insert_with(|| {
            evaluator.forget();
            lanes.forget();
            lanes.truth(terms, constraint, variable, evaluator, &Model::new())
        })
    }

    /// Constraints on one byte that leave it no value, none of which can be spared.
    fn exclude(&self, terms: &Terms, slice: &Slice, variable: u32) -> Vec<usize> {
        let set = |at: &usize| self.tables.get(&slice.constraints[*at]).copied().flatten();
        let mut core: Vec<usize> = (0..slice.constraints.len())
            .filter(|&at| *terms.variables(slice.constraints[at]) == [variable])
            .filter(|at| set(at).is_some())
            .collect();
        let all = ByteSet::of_width(terms.variable_width(variable).unwrap_or(8).min(8));
        let mut spared = core.len();
        while spared > 0 {
            spared -= 1;
            let rest = core.iter().enumerate().filter(|&(at, _)| at != spared);
            let left = rest.filter_map(|(_, at)| set(at)).fold(all, ByteSet::and);
            if left.is_empty() {
                core.remove(spared);
            }
        }
        core
    }

    /// The values by the sets alone, as near to the old ones as may be.
    fn nearest(&self, slice: &Slice, old: &Model) -> Model {
        let mut model = old.clone();
        for (&variable, domain) in slice.variables.iter().zip(&self.domains) {
            let before = old.get(variable) as u8;
            if let Some(value) = domain.and_then(|set| preferred(set, before)) {
                model.set(variable, u128::from(value));
            }
        }
        model
    }

    /// Looks for a byte of the goal that can be changed alone.
    fn change_one(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        left: &mut Steps,
    ) -> Verdict {
        let goals = &slice.constraints[..slice.goals()];
        for (at, &variable) in slice.variables.iter().enumerate() {
            let Some(domain) = self.domains[at] else { continue };
            self.evaluator.forget();
            let elsewhere = |term: TermId| terms.variables(term).binary_search(&variable).is_err();
            let evaluator = &mut self.evaluator;
            let fails = |&term: &TermId| elsewhere(term) && evaluator.value(terms, term, old) == 0;
            if goals.iter().any(fails) {
                continue;
            }
            let constraints = with(terms, slice, variable);
            let values = self.values(terms, constraints, variable, domain, old, left);
            let Some(values) = values else { return Verdict::Pass };
            if let Some(value) = preferred(values, old.get(variable) as u8) {
                let mut model = old.clone();
                model.set(variable, u128::from(value));
                return Verdict::Sat(model);
            }
        }
        Verdict::Pass
    }

    /// Tries all values of two bytes, where there are no more.
    pub(crate) fn pair(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        options: &Options,
    ) -> Verdict {
        let [first, second] = *slice.variables else { return Verdict::Pass };
        self.narrow(terms, slice, |_| true);
        let (Some(mut rest), Some(domain)) = (self.domains[0], self.domains[1]) else {
            return Verdict::Pass;
        };
        let mut left = Steps::new(options.steps);
        let mut model = old.clone();
        let constraints = || slice.constraints.iter().copied();
        while let Some(value) = preferred(rest, old.get(first) as u8) {
            rest = rest.without(value);
            model.set(first, u128::from(value));
            let values = self.values(terms, constraints(), second, domain, &model, &mut left);
            let Some(values) = values else { return Verdict::Pass };
            if let Some(value) = preferred(values, old.get(second) as u8) {
                model.set(second, u128::from(value));
                return Verdict::Sat(model);
            }
        }
        Verdict::Unsat(self.pair_core(terms, slice, &mut left))
    }

    /// Constraints that exclude all values of two bytes: for each value of the first those that were
    /// needed before, and then one after the other that excludes more.
    fn pair_core(&mut self, terms: &Terms, slice: &Slice, left: &mut Steps) -> Vec<usize> {
        let all = |variable| ByteSet::of_width(terms.variable_width(variable).unwrap_or(8).min(8));
        let (first, second) = (slice.variables[0], slice.variables[1]);
        let mut needed: Vec<usize> = Vec::new();
        let mut model = Model::new();
        for value in 0..=255u8 {
            if !all(first).contains(value) {
                break;
            }
            model.set(first, u128::from(value));
            self.evaluator.forget();
            self.lanes.forget();
            let mut values = all(second);
            let others = (0..slice.constraints.len()).filter(|at| !needed.contains(at));
            let order: Vec<usize> = needed.iter().copied().chain(others).collect();
            for at in order {
                let term = slice.constraints[at];
                let row = self.lanes.rows();
                let truth = self.lanes.truth(terms, term, second, &mut self.evaluator, &model);
                let cost = (self.lanes.rows() - row) as u64 * ROW;
                let (Some(truth), Some(())) = (truth, left.spend(cost)) else {
                    return (0..slice.constraints.len()).collect();
                };
                let fewer = values.and(truth);
                if fewer != values && !needed.contains(&at) {
                    needed.push(at);
                }
                values = fewer;
                if values.is_empty() {
                    break;
                }
            }
        }
        needed.sort_unstable();
        needed
    }

    /// The values of a byte for which constraints hold, with the model's values of all others;
    /// nothing if that costs more than is left.
    fn values(
        &mut self,
        terms: &Terms,
        constraints: impl Iterator<Item = TermId>,
        variable: u32,
        mut values: ByteSet,
        model: &Model,
        left: &mut Steps,
    ) -> Option<ByteSet> {
        self.evaluator.forget();
        self.lanes.forget();
        for term in constraints {
            if values.is_empty() {
                break;
            }
            let before = self.lanes.rows();
            let truth = self.lanes.truth(terms, term, variable, &mut self.evaluator, model)?;
            values = values.and(truth);
            left.spend((self.lanes.rows() - before) as u64 * ROW)?;
        }
        Some(values)
    }
}
