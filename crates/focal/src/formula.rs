//! Formulas of failures, and how they are combined with slices of callers.
//!
//! The variables of a formula are the free bytes of a unit. Each is replaced by the term that a caller's path computes for it up to the
//! call, so that what comes of it is over the caller's own free bytes, and the solver says whether the path and the failure
//! go together.

use pleach_explore::path::Decision;
use pleach_explore::subject::model;
use pleach_explore::symbolic::{LENGTH, LENGTH_BITS};
use pleach_solver::{Answer, Binary, Compare, Model, Substitution, TermId};

use crate::compose::Parts;
use crate::profile::Profiles;
use crate::summary::{PROGRAM, Slice, Summary};

/// How often a function may be in a chain, and how many units it may have.
const SAME: usize = 3;
const CHAIN: usize = 16;

/// A condition, and whether an input that does not fulfil it takes another path for sure.
#[derive(Clone, Copy, Debug)]
struct Condition {
    holds: TermId,
    is_necessary: bool,
}

impl Condition {
    fn of(decision: &Decision) -> Condition {
        Condition { holds: decision.holds, is_necessary: decision.is_necessary() }
    }
}

/// Under what a failure happens.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    conditions: Vec<Condition>,
    /// The units from the outermost one to that which fails, by their places among summaries; the first one's free bytes are what the
    /// conditions are about.
    pub(crate) chain: Vec<usize>,
    /// An input of the first one for which they hold.
    pub(crate) input: Vec<u8>,
    /// The input of the slice that it was combined with last.
    pub(crate) base: Vec<u8>,
}

impl Formula {
    /// The path on which a unit fails.
    pub(crate) fn of(unit: usize, input: &[u8], path: &[Decision]) -> Formula {
        Formula {
            conditions: path.iter().map(Condition::of).collect(),
            chain: vec![unit],
            input: input.to_vec(),
            base: input.to_vec(),
        }
    }
}

/// A slice of a caller, by its places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    caller: usize,
    slice: usize,
}

/// How questions about formulas were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Combined {
    /// Formulas that hold together with a path of a caller.
    pub satisfiable: u64,
    /// Formulas that no input of the caller fulfils on the path.
    pub conflicts: u64,
    /// Questions that took too much.
    pub unknown: u64,
}

/// Formulas and all summaries.
pub(crate) struct Composition<'a> {
    pub(crate) summaries: &'a mut [Summary],
    pub(crate) profiles: &'a Profiles,
    pub(crate) combined: &'a mut Combined,
}

impl Parts for Composition<'_> {
    type Formula = Formula;
    type Part = Part;

    fn parts(&self, formula: &Formula) -> Vec<Part> {
        let last = formula.chain[0];
        let node = self.summaries[last].node;
        let mut callers: Vec<(f64, usize)> = Vec::new();
        for (at, summary) in self.summaries.iter().enumerate() {
            let is_same = |&&unit: &&usize| self.summaries[unit].node == summary.node;
            let is_too_often = formula.chain.iter().filter(is_same).count() >= SAME;
            if !is_too_often && formula.chain.len() < CHAIN {
                callers.push((self.profiles.relevance(summary.node, node), at));
            }
        }
        callers.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut parts = Vec::new();
        for (_, caller) in callers {
            let slices = self.summaries[caller].slices.iter().enumerate();
            let own = slices.filter(|(_, slice)| slice.callee == last);
            parts.extend(own.map(|(slice, _)| Part { caller, slice }));
        }
        parts
    }

    fn combine(&mut self, formula: &Formula, part: &Part) -> Option<Formula> {
        let slice = self.summaries[part.caller].slices[part.slice].clone();
        let mut conditions = self.substitute(formula, part.caller, &slice)?;
        let caller = &mut self.summaries[part.caller];
        let mut before: Vec<Condition> = slice.decisions().iter().map(Condition::of).collect();
        let mut answer = question(caller, part.caller, &slice, &before, &conditions);
        if !matches!(answer, Answer::Sat(_)) {
            // What is not necessary only keeps values as they were, which may not matter.
            before.retain(|it| it.is_necessary);
            conditions.retain(|it| it.is_necessary);
            answer = question(caller, part.caller, &slice, &before, &conditions);
        }
        let solution = match answer {
            Answer::Sat(solution) => solution,
            Answer::Unsat(_) => {
                self.combined.conflicts += 1;
                return None;
            }
            Answer::Unknown(_) => {
                self.combined.unknown += 1;
                return None;
            }
        };
        self.combined.satisfiable += 1;
        before.extend(conditions);
        let mut chain = vec![part.caller];
        chain.extend(&formula.chain);
        let mut input = values(&slice.input, &solution);
        if part.caller == PROGRAM {
            input = self.summaries[PROGRAM].subject.mend(&slice.input, input);
        }
        Some(Formula { conditions: before, chain, input, base: slice.input.to_vec() })
    }

    fn is_whole(&self, formula: &Formula) -> bool {
        formula.chain[0] == PROGRAM
    }
}

impl Composition<'_> {
    /// The formula's conditions over the caller's free bytes; those that hold anyhow are left out. None if there is no room for them.
    fn substitute(
        &mut self,
        formula: &Formula,
        caller: usize,
        slice: &Slice,
    ) -> Option<Vec<Condition>> {
        let callee = formula.chain[0];
        let mut substitution = Substitution::new(slice.terms.iter().copied().map(Some).collect());
        let copy;
        let (from, to) = if callee == caller {
            let terms = &mut self.summaries[caller].subject.symbolic().terms;
            copy = terms.clone();
            (&copy, terms)
        } else {
            let [from, to] = self.summaries.get_disjoint_mut([callee, caller]).ok()?;
            (&from.subject.symbolic().terms, &mut to.subject.symbolic().terms)
        };
        let mut conditions = Vec::new();
        for &Condition { holds, is_necessary } in &formula.conditions {
            let holds = substitution.apply(from, to, holds)?;
            if to.as_constant(holds) != Some(1) {
                conditions.push(Condition { holds, is_necessary });
            }
        }
        Some(conditions)
    }
}

/// Whether a path of a caller and what is to hold at its call go together.
fn question(
    caller: &mut Summary,
    place: usize,
    slice: &Slice,
    before: &[Condition],
    conditions: &[Condition],
) -> Answer {
    let old = model(&slice.input);
    let terms = &mut caller.subject.symbolic().terms;
    let mut path: Vec<TermId> = before.iter().map(|it| it.holds).collect();
    if place == PROGRAM {
        // A slice is of one length.
        let length = terms.variable(LENGTH, LENGTH_BITS);
        let is = terms.constant(LENGTH_BITS, slice.input.len() as u128);
        path.push(terms.compare(Compare::Eq, length, is));
    }
    let mut goal = terms.constant(1, 1);
    for condition in conditions {
        goal = terms.binary(Binary::And, goal, condition.holds);
    }
    caller.solver.solve(terms, &path, goal, &old)
}

/// The input that a solution means.
fn values(base: &[u8], solution: &Model) -> Vec<u8> {
    let mut input = base.to_vec();
    for (variable, value) in solution.iter() {
        if let Some(byte) = input.get_mut(variable as usize) {
            *byte = value as u8;
        }
    }
    input
}
