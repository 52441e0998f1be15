//! Formulas of failures, and how they are combined with slices of callers.
//!
//! The variables of a formula are the free bytes of a unit. Each is replaced by the term that a caller's path computes for it up to the
//! call, so that what comes of it is over the caller's own free bytes, and the solver says whether the path and the failure
//! go together.

use fxhash::{FxHashMap, FxHashSet, FxHasher};
use pleach_concolic::ir::Pc;
use pleach_explore::path::Decision;
use pleach_explore::subject::{Run, Site, model};
use pleach_explore::symbolic::{LENGTH, LENGTH_BITS, Trail};
use pleach_solver::{Answer, Compare, Model, Substitution, TermId, Terms};
use std::hash::{Hash, Hasher};
use std::ops::AddAssign;
use std::sync::Arc;

use crate::compose::{Parts, Step};
use crate::interpolant::all;
use crate::options::{Options, Variant};
use crate::profile::{Node, Profiles};
use crate::refine::{Refined, Refinement};
use crate::summary::{PROGRAM, Slice, Summary, Units};

/// How often a function may be in a chain, and how many units it may have.
const SAME: usize = 3;
const CHAIN: usize = 16;
/// How many callers are run into a callee that they call with memory of another shape, or with other numbers in it.
const INTO: usize = 4;

/// A condition, where it was decided, and whether an input that does not fulfil it takes another path for sure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) at: Pc,
    pub(crate) holds: TermId,
    pub(crate) is_necessary: bool,
}

impl Condition {
    pub(crate) fn of(decision: &Decision) -> Condition {
        let Decision { at, holds, .. } = *decision;
        Condition { at, holds, is_necessary: decision.is_necessary() }
    }
}

/// Under what a failure happens.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) conditions: Vec<Condition>,
    /// The units from the outermost one to that which fails, by their places among summaries; the first one's free bytes are what the
    /// conditions are about.
    pub(crate) chain: Vec<usize>,
    /// An input of the first one for which they hold.
    pub(crate) input: Vec<u8>,
    /// On which of the bytes that the first one was carved with it depends, in order.
    pub(crate) kept: Arc<[u32]>,
    /// The input of the slice that it was combined with last.
    pub(crate) base: Vec<u8>,
}

impl Formula {
    /// The path on which a unit fails.
    pub(crate) fn of(unit: usize, input: &[u8], trail: &Trail) -> Formula {
        Formula {
            conditions: trail.decisions.iter().map(Condition::of).collect(),
            kept: sorted(trail.read.clone()),
            chain: vec![unit],
            input: input.to_vec(),
            base: input.to_vec(),
        }
    }

    /// The path on which a caller comes to the same failure.
    pub(crate) fn through(&self, caller: usize, input: &[u8], trail: &Trail) -> Formula {
        let mut formula = Formula::of(caller, input, trail);
        formula.chain.extend(&self.chain);
        formula
    }

    /// Whether it asks for the same as another one of the same unit.
    pub(crate) fn is_same_path(&self, other: &Formula) -> bool {
        let [own, other] = [self, other].map(|it| it.conditions.iter().map(|it| it.holds));
        own.eq(other)
    }

    /// What it asks of the first unit's free bytes for sure.
    pub(crate) fn necessary(&self) -> Vec<TermId> {
        necessary(&self.conditions)
    }
}

/// Places in order, each once.
fn sorted(mut places: Vec<u32>) -> Arc<[u32]> {
    places.sort_unstable();
    places.dedup();
    places.into()
}

/// What comes of giving a unit what it was carved with.
pub(crate) struct Passed {
    /// Where the call does.
    pub(crate) same: Vec<Condition>,
    /// On what the whole depends of what the caller was carved with.
    kept: Arc<[u32]>,
}

/// Those conditions that are necessary.
pub(crate) fn necessary(conditions: &[Condition]) -> Vec<TermId> {
    conditions.iter().filter(|it| it.is_necessary).map(|it| it.holds).collect()
}

/// What a formula may be combined with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// A slice of a caller, by its places.
    Slice { caller: usize, slice: usize },
    /// Paths of a caller that are still to be found.
    Refined { caller: usize },
    /// A caller that makes the call with memory of another shape, or with other numbers in it, to be run into the callee.
    Into { caller: usize },
}

/// How questions about formulas were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Combined {
    /// Formulas that hold together with a path of a caller.
    pub satisfiable: u64,
    /// Formulas that no input of the caller fulfils on the path.
    pub conflicts: u64,
    /// Questions that took too much, or for which there was no room.
    pub unknown: u64,
}

impl AddAssign for Combined {
    fn add_assign(&mut self, more: Combined) {
        self.satisfiable += more.satisfiable;
        self.conflicts += more.conflicts;
        self.unknown += more.unknown;
    }
}

/// Formulas and all summaries.
pub(crate) struct Composition<'a> {
    pub(crate) options: &'a Options,
    pub(crate) summaries: &'a mut [Summary],
    pub(crate) units: &'a Units,
    pub(crate) profiles: &'a Profiles,
    /// The inputs that the program's summary is made of.
    pub(crate) begun: &'a [Vec<u8>],
    pub(crate) combined: &'a mut Combined,
    /// How many steps searches for more paths may still take.
    pub(crate) may_refine: u64,
    pub(crate) refinement: &'a mut Option<Refinement>,
    pub(crate) refined: &'a mut Refined,
    pub(crate) done: &'a mut Done,
    /// How much was known of callers when the way from this failure was begun.
    pub(crate) known: usize,
    /// Where the failure is.
    pub(crate) site: Option<Site>,
    /// What was run: which unit or the program, on what, and what it did.
    pub(crate) ran: Option<(usize, Vec<u8>, Run)>,
    /// Whether something was not refined for want of steps.
    pub(crate) is_deferred: bool,
}

/// Formulas, hashed, and what they need not be combined with again: for good slices that they exclude, and callers that were refined for their
/// sake; and slices of which nothing came while no more than this was known of callers.
pub(crate) type Done = FxHashMap<(u64, Part), usize>;

/// What is done for good.
const FOR_GOOD: usize = usize::MAX;

/// How much is known of callers: it is more when there is something new to compose with.
pub(crate) fn known(summaries: &[Summary]) -> usize {
    summaries.iter().map(|it| it.slices.len() + usize::from(it.is_known)).sum()
}

impl Parts for Composition<'_> {
    type Formula = Formula;
    type Part = Part;

    fn parts(&self, formula: &Formula) -> Vec<Part> {
        let last = formula.chain[0];
        let node = self.summaries[last].node;
        let calls_it = |slice: &Slice| slice.callee == last && slice.binding.fits(&formula.kept);
        let mut callers: Vec<(f64, usize)> = Vec::new();
        let mut others = Vec::new();
        let units: FxHashSet<Node> = self.summaries.iter().map(|summary| summary.node).collect();
        // A function that calls itself has the same failure anyhow.
        let mut calling = self.profiles.callers(node, |it| units.contains(&it));
        calling.remove(&node);
        for (at, summary) in self.summaries.iter().enumerate() {
            let is_same = |&&unit: &&usize| self.summaries[unit].node == summary.node;
            let is_too_often = formula.chain.iter().filter(is_same).count() >= SAME;
            if is_too_often || formula.chain.len() >= CHAIN {
                continue;
            }
            let relevance = self.profiles.relevance(summary.node, node);
            match summary.slices.iter().any(calls_it) {
                true => callers.push((relevance, at)),
                false if summary.is_known && calling.contains(&summary.node) => {
                    others.push((relevance, at));
                }
                false => {}
            }
        }
        for callers in [&mut callers, &mut others] {
            callers.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        let mut parts = Vec::new();
        let joined = if self.options.variant == Variant::M { &[] } else { &callers[..] };
        for &(_, caller) in joined {
            let slices = self.summaries[caller].slices.iter().enumerate();
            let own = slices.filter(|(_, slice)| calls_it(slice));
            let own = own.map(|(slice, _)| Part::Slice { caller, slice });
            parts.extend(own);
        }
        // What is known of all callers costs a question each, and comes first.
        if self.options.refinement.rounds > 0 {
            parts.extend(callers.into_iter().map(|(_, caller)| Part::Refined { caller }));
            parts.extend(others.into_iter().take(INTO).map(|(_, caller)| Part::Into { caller }));
        }
        let (joins, refines) = (self.key(formula, false), self.key(formula, true));
        let done = |part: &Part| {
            let is_slice = matches!(part, Part::Slice { .. });
            self.done.get(&(if is_slice { joins } else { refines }, *part)).copied()
        };
        let known = known(self.summaries);
        parts.retain(|part| done(part).is_none_or(|at| at < known));
        // What was never tried comes before that of which nothing came when less was known.
        parts.sort_by_key(|part| done(part).is_some());
        parts
    }

    fn combine(&mut self, formula: &Formula, part: &Part) -> Step<Formula> {
        match *part {
            Part::Slice { caller, slice } => {
                let joined = self.join(formula, caller, slice);
                // What is whole is validated at once; what is not has callers that may have more paths later.
                if joined.is_none() || caller == PROGRAM {
                    self.done.insert((self.key(formula, false), *part), FOR_GOOD);
                }
                joined.map_or(Step::Excluded, Step::Combined)
            }
            Part::Refined { caller } => {
                let site = self.site.clone().filter(|_| self.options.variant == Variant::M);
                self.refine(formula, part, || Refinement::new(formula.clone(), caller, site))
            }
            Part::Into { caller } => {
                let site = self.site.clone();
                self.refine(formula, part, || Refinement::into(formula.clone(), caller, site))
            }
        }
    }

    fn exhausted(&mut self, formula: &Formula, part: &Part) {
        if let Part::Slice { .. } = part {
            self.done.insert((self.key(formula, false), *part), self.known);
        }
    }

    fn is_whole(&self, formula: &Formula) -> bool {
        formula.chain[0] == PROGRAM
    }
}

impl Composition<'_> {
    /// What decides what comes of combining a formula with a slice, or of refining a caller for its sake.
    fn key(&self, formula: &Formula, refines: bool) -> u64 {
        let mut hasher = FxHasher::default();
        (&formula.chain, &formula.kept).hash(&mut hasher);
        for condition in &formula.conditions {
            if condition.is_necessary || !refines {
                (condition.holds, condition.is_necessary).hash(&mut hasher);
            }
        }
        self.site.as_ref().filter(|_| refines).hash(&mut hasher);
        hasher.finish()
    }

    /// A formula and a slice of a caller together, if an input of the caller fulfils both.
    pub(crate) fn join(
        &mut self,
        formula: &Formula,
        caller: usize,
        slice: usize,
    ) -> Option<Formula> {
        let slice = self.summaries[caller].slices[slice].clone();
        let Some(Passed { same, kept }) = self.passed(formula, &slice) else {
            self.combined.conflicts += 1;
            return None;
        };
        let Some(mut conditions) = self.substitute(formula, caller, &slice) else {
            self.combined.unknown += 1;
            return None;
        };
        // In the slice's own run these need not hold.
        conditions.extend(same);
        let mut before = slice.conditions();
        let caller_summary = &mut self.summaries[caller];
        // What holds anyhow says nothing.
        let terms = &caller_summary.subject.symbolic().terms;
        conditions.retain(|it| terms.as_constant(it.holds) != Some(1));
        let mut answer = question(caller_summary, &slice, &before, &conditions);
        if !matches!(answer, Answer::Sat(_)) {
            // What is not necessary only keeps values as they were, which may not matter.
            before.retain(|it| it.is_necessary);
            conditions.retain(|it| it.is_necessary);
            answer = question(caller_summary, &slice, &before, &conditions);
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
        let mut chain = vec![caller];
        chain.extend(&formula.chain);
        let (input, base) = (values(&slice.input, &solution), slice.input.to_vec());
        Some(Formula { conditions: before, chain, input, kept, base })
    }

    /// What else is to hold where a slice is combined with a formula. None if the call gives the formula's unit something else than it was
    /// carved with.
    pub(crate) fn passed(&self, formula: &Formula, slice: &Slice) -> Option<Passed> {
        let (same, mut kept) = slice.binding.same(&formula.kept)?;
        kept.extend(slice.read());
        let unit = &self.summaries[formula.chain[0]];
        let function = unit.unit.as_ref()?.function;
        let at = unit.subject.module().pcs(function).next()?;
        let same = same.into_iter().map(|holds| Condition { at, holds, is_necessary: true });
        Some(Passed { same: same.collect(), kept: sorted(kept) })
    }

    /// The formula's conditions over the caller's free bytes, in their order. None if there is no room for them.
    pub(crate) fn substitute(
        &mut self,
        formula: &Formula,
        caller: usize,
        slice: &Slice,
    ) -> Option<Vec<Condition>> {
        let callee = formula.chain[0];
        let mut substitution =
            Substitution::new(slice.binding.terms.iter().copied().map(Some).collect());
        let mut there = |from: Option<&Terms>, to: &mut Terms| {
            let there = |it: &Condition| {
                let holds = match from {
                    Some(from) => substitution.apply(from, to, it.holds)?,
                    None => substitution.apply_within(to, it.holds)?,
                };
                Some(Condition { holds, ..*it })
            };
            formula.conditions.iter().map(there).collect()
        };
        if callee == caller {
            return there(None, &mut self.summaries[caller].subject.symbolic().terms);
        }
        let [from, to] = self.summaries.get_disjoint_mut([callee, caller]).ok()?;
        there(Some(&from.subject.symbolic().terms), &mut to.subject.symbolic().terms)
    }

    /// Looks for more paths of a caller for a formula's sake, a step at a time.
    fn refine(
        &mut self,
        formula: &Formula,
        part: &Part,
        begin: impl FnOnce() -> Refinement,
    ) -> Step<Formula> {
        let Some(mut refinement) = self.refinement.take() else {
            if self.may_refine == 0 {
                self.is_deferred = true;
                return Step::Deferred;
            }
            self.done.insert((self.key(formula, true), *part), FOR_GOOD);
            self.refined.begun += 1;
            *self.refinement = Some(begin());
            return Step::Again;
        };
        let step = refinement.step(self);
        if matches!(step, Step::Again) {
            *self.refinement = Some(refinement);
        } else {
            refinement.end(&mut self.summaries[refinement.caller()], self.refined);
            self.refined.solved += u64::from(matches!(step, Step::Combined(_)));
        }
        step
    }
}

/// What holds on a path of a caller; of the program itself its length, too, for a slice is of one length.
pub(crate) fn path(caller: &mut Summary, slice: &Slice, before: &[TermId]) -> Vec<TermId> {
    let mut path = Vec::new();
    if caller.unit.is_none() {
        let terms = &mut caller.subject.symbolic().terms;
        let length = terms.variable(LENGTH, LENGTH_BITS);
        let is = terms.constant(LENGTH_BITS, slice.input.len() as u128);
        path.push(terms.compare(Compare::Eq, length, is));
    }
    path.extend(before);
    path
}

/// Whether a path of a caller and what is to hold at its call go together.
fn question(
    caller: &mut Summary,
    slice: &Slice,
    before: &[Condition],
    conditions: &[Condition],
) -> Answer {
    let before: Vec<TermId> = before.iter().map(|it| it.holds).collect();
    let path = path(caller, slice, &before);
    let terms = &mut caller.subject.symbolic().terms;
    let goal = all(terms, conditions.iter().map(|it| it.holds));
    caller.solver.solve(terms, &path, goal, &model(&slice.input))
}

/// The input that a solution means.
pub(crate) fn values(base: &[u8], solution: &Model) -> Vec<u8> {
    let mut input = base.to_vec();
    for (variable, value) in solution.iter() {
        if let Some(byte) = input.get_mut(variable as usize) {
            *byte = value as u8;
        }
    }
    input
}
