//! Answers what is about single bytes, from tables.
//!
//! A constraint on one byte is the set of its values for which it holds, computed once. Where all
//! constraints are so, the sets decide. Else one byte of the goal may do: with all others as they
//! are, the values for which the goal and all else hold are computed in one walk. And where there
//! are but two bytes, every value of one is tried with all of the other.

use super::polish::{preferred, with};
use super::{Slice, Verdict};
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
        let mut left = options.steps;
        match self.change_one(terms, slice, old, &mut left) {
            Verdict::Pass if slice.variables.len() == 2 => {
                self.change_two(terms, slice, old, &mut left)
            }
            verdict => verdict,
        }
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
            Some(ByteSet::range(0, (255u16 >> (8 - width)) as u8))
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
        let bits = terms.variable_width(variable).unwrap_or(8);
        let all = ByteSet::range(0, (255u16 >> (8 - bits.min(8))) as u8);
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
    fn change_one(&mut self, terms: &Terms, slice: &Slice, old: &Model, left: &mut u64) -> Verdict {
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
            let Some(values) = self.values(terms, slice, variable, domain, old, left) else {
                return Verdict::Pass;
            };
            if let Some(value) = preferred(values, old.get(variable) as u8) {
                let mut model = old.clone();
                model.set(variable, u128::from(value));
                return Verdict::Sat(model);
            }
        }
        Verdict::Pass
    }

    /// Tries all values of two bytes.
    fn change_two(&mut self, terms: &Terms, slice: &Slice, old: &Model, left: &mut u64) -> Verdict {
        let (Some(first), Some(second)) = (self.domains[0], self.domains[1]) else {
            return Verdict::Pass;
        };
        let mut model = old.clone();
        for value in first.iter() {
            model.set(slice.variables[0], u128::from(value));
            let variable = slice.variables[1];
            let Some(values) = self.values(terms, slice, variable, second, &model, left) else {
                return Verdict::Pass;
            };
            if let Some(value) = preferred(values, old.get(variable) as u8) {
                model.set(variable, u128::from(value));
                return Verdict::Sat(model);
            }
        }
        Verdict::Unsat((0..slice.constraints.len()).collect())
    }

    /// The values of a byte for which the constraints that it is in hold, with the model's values of
    /// all others; nothing if that costs more than is left.
    fn values(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        variable: u32,
        domain: ByteSet,
        model: &Model,
        left: &mut u64,
    ) -> Option<ByteSet> {
        self.evaluator.forget();
        self.lanes.forget();
        let mut values = domain;
        for term in with(terms, slice, variable) {
            if values.is_empty() {
                break;
            }
            let before = self.lanes.rows();
            let truth = self.lanes.truth(terms, term, variable, &mut self.evaluator, model)?;
            values = values.and(truth);
            *left = left.checked_sub((self.lanes.rows() - before) as u64 * ROW)?;
        }
        Some(values)
    }
}
