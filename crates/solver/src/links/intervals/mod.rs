//! Narrows intervals, and tries values where few are left.
//!
//! Each term has an interval of numbers without sign, each byte a set of values besides. What is known of
//! operands bounds what is made of them, and the other way round (hull consistency: Benhamou et al.,
//! Revising Hull and Box Consistency, ICLP 1999), until nothing changes. An empty interval excludes
//! the goal. Else the old values, or the nearest ones that are left, may do; else a byte is given
//! each value that it has left, in a search that ends at a number of steps.
//!
//! That settles numbers that are parsed from digits, which is where circuits are at their worst:
//! `10 * a + b = 31` leaves one value for each digit.

mod narrow;

use super::polish::preferred;
use super::single::Single;
use super::{Slice, Verdict};
use crate::budget::Steps;
use crate::bytes::ByteSet;
use crate::terms::{Evaluator, Terms};
use crate::{Model, Options};
use narrow::{Graph, Interval};

/// How many steps the search for a smaller core may take.
const CORE_STEPS: u64 = 20_000;

/// How often intervals are narrowed at most: what still changes then may do so for ever, by one.
const ROUNDS: usize = 16;

/// What may be left of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Domain {
    interval: Interval,
    set: Option<ByteSet>,
}

impl Domain {
    /// As far as an interval says; nothing if that is no value.
    fn within(self, interval: Interval) -> Option<Domain> {
        let interval = self.interval.meet(interval)?;
        let Some(set) = self.set else { return Some(Domain { interval, set: None }) };
        let set = set.and(ByteSet::range(interval.low as u8, interval.high as u8));
        let (low, high) = (u128::from(set.min()?), u128::from(set.max()?));
        Some(Domain { interval: Interval { low, high }, set: Some(set) })
    }

    fn is_single(self) -> bool {
        self.interval.low == self.interval.high
    }

    /// The value to try first.
    fn nearest(self, old: u128) -> u128 {
        match self.set.and_then(|set| preferred(set, old as u8)) {
            Some(byte) => u128::from(byte),
            None => old.clamp(self.interval.low, self.interval.high),
        }
    }

    /// How many values it has left, if they can be counted.
    fn size(self) -> u32 {
        self.set.map_or(u32::MAX, ByteSet::len)
    }
}

/// A choice of the search: the domains before it, the variable, the values not tried yet.
struct Choice {
    domains: Vec<Domain>,
    variable: usize,
    rest: ByteSet,
}

/// Intervals of the terms of a slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    graph: Graph,
    evaluator: Evaluator,
}

impl Intervals {
    pub(crate) fn solve(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        single: &mut Single,
        options: &Options,
    ) -> Verdict {
        let mut left = Steps::new(options.steps);
        self.graph.build(terms, slice);
        let active = vec![true; slice.constraints.len()];
        let mut domains = first_domains(terms, slice, single, &active);
        match self.contract(&mut domains, &active, &mut left) {
            Some(true) => {}
            Some(false) => return Verdict::Unsat(self.core(terms, slice, single)),
            None => return Verdict::Pass,
        }
        self.search(terms, slice, old, domains, left)
    }

    /// Narrows until nothing changes: whether something is left, nothing if the steps are spent.
    fn contract(
        &mut self,
        domains: &mut [Domain],
        active: &[bool],
        left: &mut Steps,
    ) -> Option<bool> {
        self.graph.reset(active);
        for _ in 0..ROUNDS {
            left.spend(2 * self.graph.len() as u64)?;
            for (at, domain) in domains.iter().enumerate() {
                if !self.graph.meet_variable(at, domain.interval) {
                    return Some(false);
                }
            }
            if !self.graph.forward() || !self.graph.backward() {
                return Some(false);
            }
            let mut changed = false;
            for (at, domain) in domains.iter_mut().enumerate() {
                let Some(narrowed) = domain.within(self.graph.variable(at)) else {
                    return Some(false);
                };
                changed |= narrowed != *domain;
                *domain = narrowed;
            }
            if !changed {
                break;
            }
        }
        Some(true)
    }

    /// Gives variables values, those with the fewest left first.
    fn search(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        domains: Vec<Domain>,
        mut left: Steps,
    ) -> Verdict {
        let active = vec![true; slice.constraints.len()];
        let mut choices: Vec<Choice> = Vec::new();
        let mut present = Some(domains);
        loop {
            if let Some(domains) = present.take() {
                let mut model = old.clone();
                for (&variable, domain) in slice.variables.iter().zip(&domains) {
                    model.set(variable, domain.nearest(old.get(variable)));
                }
                if left.spend(self.graph.len() as u64).is_none() {
                    return Verdict::Pass;
                }
                if self.holds(terms, slice, &model) {
                    return Verdict::Sat(model);
                }
                let open = (0..domains.len()).filter(|&at| !domains[at].is_single());
                // With all values given, what does not hold has shown itself.
                if let Some(variable) = open.min_by_key(|&at| domains[at].size()) {
                    let Some(rest) = domains[variable].set else { return Verdict::Pass };
                    choices.push(Choice { domains, variable, rest });
                }
            }
            let Some(choice) = choices.last_mut() else {
                return Verdict::Unsat((0..slice.constraints.len()).collect());
            };
            let before = old.get(slice.variables[choice.variable]) as u8;
            let Some(value) = preferred(choice.rest, before) else {
                choices.pop();
                continue;
            };
            choice.rest = choice.rest.without(value);
            let mut domains = choice.domains.clone();
            let value = u128::from(value);
            let variable = choice.variable;
            if let Some(one) = domains[variable].within(Interval { low: value, high: value }) {
                domains[variable] = one;
                match self.contract(&mut domains, &active, &mut left) {
                    Some(true) => present = Some(domains),
                    Some(false) => {}
                    None => return Verdict::Pass,
                }
            }
        }
    }

    fn holds(&mut self, terms: &Terms, slice: &Slice, model: &Model) -> bool {
        self.evaluator.forget();
        let evaluator = &mut self.evaluator;
        slice.constraints.iter().all(|&term| evaluator.value(terms, term, model) == 1)
    }

    /// Constraints that leave nothing, as few as are found within the steps.
    fn core(&mut self, terms: &Terms, slice: &Slice, single: &mut Single) -> Vec<usize> {
        let mut left = Steps::new(CORE_STEPS);
        let mut active = vec![true; slice.constraints.len()];
        let places = |active: &[bool]| (0..active.len()).filter(|&at| active[at]).collect();
        let mut excluded = |active: &[bool]| {
            let mut domains = first_domains(terms, slice, single, active);
            self.contract(&mut domains, active, &mut left)
        };
        // The goal is needed, as the path holds. Halves, quarters and so on of the rest may not be.
        let mut size = slice.constraints.len();
        while size > 1 {
            size = size.div_ceil(2);
            let mut end = slice.constraints.len();
            while end > 0 {
                let begin = end.saturating_sub(size);
                let kept = active.clone();
                active[begin..end].fill(false);
                match excluded(&active) {
                    Some(false) => {}
                    Some(true) => active = kept,
                    None => return places(&kept),
                }
                end = begin;
            }
        }
        places(&active)
    }
}

/// What the constraints on single bytes leave, of those that are active.
fn first_domains(
    terms: &Terms,
    slice: &Slice,
    single: &mut Single,
    active: &[bool],
) -> Vec<Domain> {
    let sets = single.domains(terms, slice, active);
    let domain = |(&variable, &set): (&u32, &Option<ByteSet>)| {
        let interval = Interval::full(terms.variable_width(variable).unwrap_or(128));
        // An empty set shows itself when it is met.
        Domain { interval, set }
    };
    slice.variables.iter().zip(sets).map(domain).collect()
}
