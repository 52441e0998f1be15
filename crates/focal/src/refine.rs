//! More paths of a caller for the sake of a failure that all known ones exclude.
//!
//! After the refinement of function summaries in FOCAL. Of each known path it is asked which of the failure's conditions it excludes: what
//! comes of all is an interpolant of the failure and the caller's summary ([`crate::interpolant`]). It is checked before it is used: the failure
//! implies it, and it excludes each path that gives the callee what it was carved with. Then the caller is explored towards the call:
//!
//! - It begins with what would make the failure happen if the call came as on a known path: of that path what is in conflict is
//!   left out, until a solver has an input. Where that goes instead is up to the caller.
//! - Where the free bytes of which the interpolant speaks are passed on unchanged, it is assumed from the caller's start on, in one of
//!   the ways in which they were passed. Otherwise it is asked for at the call alone, over what is given there.
//!
//! Each new path to the call is either the one that was looked for, or has conditions in conflict that make the interpolant stronger: the
//! next round assumes these too. It ends when a path is found, and after three rounds in a row in which the caller took no new edge.

use pleach_explore::native::{Judge, Verdict};
use pleach_explore::search::{self, Assumption, Explorer, Target};
use pleach_explore::subject::{Run, Site, model};
use pleach_solver::{Answer, Model, Substitution, TermId, Terms};
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::compose::Step;
use crate::formula::{Composition, Formula, necessary, path, values};
use crate::interpolant::{Conflict, all, conflict};
use crate::options::{Options, Variant};
use crate::summary::{Slice, Summary};

/// After how many rounds without a new edge it ends.
const BARREN: u32 = 3;
/// How often a path is mended, how many inputs come of that in a round, and in how many ways free bytes may be passed on.
const MENDED: usize = 8;
const SEEDS: usize = 64;
const WAYS: usize = 16;

/// How callers are explored for the sake of a failure.
#[derive(Clone, Copy, Debug)]
pub struct Refining {
    pub(crate) rounds: u32,
    pub(crate) steps: u32,
    pub(crate) interpolants: bool,
    pub(crate) record: bool,
}

impl Default for Refining {
    fn default() -> Self {
        Self { rounds: 16, steps: 64, interpolants: true, record: false }
    }
}

impl Refining {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// For how many rounds, at most. The default is 16.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds;
        self
    }

    /// How many steps of a search a round is. The default is 64.
    #[must_use]
    pub fn steps(mut self, steps: u32) -> Self {
        self.steps = steps;
        self
    }

    /// Whether interpolants say where to go; without them all rounds are made. The default is `true`.
    #[must_use]
    pub fn interpolants(mut self, on: bool) -> Self {
        self.interpolants = on;
        self
    }

    /// Whether the questions by which they are checked are kept, for another solver. The default is `false`.
    #[must_use]
    pub fn record(mut self, on: bool) -> Self {
        self.record = on;
        self
    }
}

/// The counters of refinement: explored callers, interpolants, checks and steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refined {
    /// How often a caller was explored for the sake of a failure.
    pub begun: u64,
    /// How often a path was found that goes together with it.
    pub solved: u64,
    /// Rounds.
    pub rounds: u64,
    /// Interpolants that were used.
    pub interpolants: u64,
    /// Those that were not, as a check of them took too much.
    pub unchecked: u64,
    /// Edges that the callers took and had not taken before.
    pub edges: u64,
    /// Runs of callers.
    pub runs: u64,
    /// Steps of searches.
    pub steps: u64,
    /// The questions by which interpolants were checked, if they are kept: none has a solution.
    pub checks: Vec<String>,
}

/// How far the check of an interpolant is: a question for each step.
#[derive(Default)]
struct Check {
    /// Whether it was asked if the failure implies it, and of how many of the paths if they have it.
    is_implied: bool,
    looked: usize,
    /// The questions, if they are kept.
    scripts: Vec<String>,
}

/// The search for more paths of a caller.
pub(crate) struct Refinement {
    formula: Formula,
    caller: usize,
    /// Where the failure is, if the caller is explored up to it.
    site: Option<Site>,
    /// Whether the caller is run into the callee, as no known path makes the call.
    goes_into: bool,
    /// What the formula asks of the callee for sure.
    conditions: Vec<TermId>,
    /// Which of that the interpolant is made of, and whether it has changed since it was used.
    assumed: BTreeSet<usize>,
    is_stronger: bool,
    /// How many of the caller's slices were looked at, and which it excludes.
    looked: usize,
    excluded: Vec<usize>,
    /// The check of the interpolant, before it is used.
    check: Option<Check>,
    /// Inputs to begin with.
    seeds: Vec<Vec<u8>>,
    explorer: Option<Explorer>,
    /// Whether the interpolant is assumed from the caller's start on where it can be, and whether it is now.
    at_start: bool,
    is_assumed: bool,
    round: u32,
    /// Steps of this round that are left, and edges at its begin.
    left: u32,
    edges: u64,
    barren: u32,
}

impl Refinement {
    pub(crate) fn new(formula: Formula, caller: usize, site: Option<Site>) -> Refinement {
        Refinement {
            site,
            goes_into: false,
            conditions: formula.necessary(),
            formula,
            caller,
            assumed: BTreeSet::new(),
            is_stronger: false,
            looked: 0,
            excluded: Vec::new(),
            check: None,
            seeds: Vec::new(),
            explorer: None,
            at_start: true,
            is_assumed: false,
            round: 0,
            left: 0,
            edges: 0,
            barren: 0,
        }
    }

    /// One that runs the caller into the callee, up to where the failure is.
    pub(crate) fn into(formula: Formula, caller: usize, site: Option<Site>) -> Refinement {
        Refinement { goes_into: true, ..Refinement::new(formula, caller, site) }
    }

    /// Whether the next step is about an interpolant.
    pub(crate) fn is_interpolating(&self, slices: usize, options: &Options) -> bool {
        let has_some = options.refinement.interpolants && options.variant != Variant::M;
        let is_looking = self.looked < slices && self.site.is_none();
        has_some && (is_looking || self.check.is_some() || self.left == 0)
    }

    pub(crate) fn caller(&self) -> usize {
        self.caller
    }

    /// Counts what its last round has brought. The caller is as others are again.
    pub(crate) fn end(&self, caller: &mut Summary, refined: &mut Refined) {
        caller.wanted = None;
        caller.rest();
        refined.edges += if self.round > 0 { caller.edges - self.edges } else { 0 };
    }

    fn callee(&self) -> usize {
        self.formula.chain[0]
    }

    /// Looks at a slice, begins a round, or takes a step of its search.
    pub(crate) fn step(&mut self, composition: &mut Composition<'_>) -> Step<Formula> {
        let slices = composition.summaries[self.caller].slices.len();
        if self.site.is_none() && self.looked < slices {
            self.looked += 1;
            return self.look(self.looked - 1, composition);
        }
        if let Some(check) = self.check.take() {
            self.check(check, composition);
            return Step::Again;
        }
        if self.left == 0 {
            return self.begin(composition);
        }
        self.search(composition).map_or(Step::Again, Step::Combined)
    }

    /// Looks at a slice: whether the failure goes together with it, and else why not.
    fn look(&mut self, at: usize, composition: &mut Composition<'_>) -> Step<Formula> {
        let slice = composition.summaries[self.caller].slices[at].clone();
        if slice.callee != self.callee() {
            return Step::Again;
        }
        if !composition.options.refinement.interpolants {
            let found = composition.join(&self.formula, self.caller, at);
            return found.map_or(Step::Again, Step::Combined);
        }
        let Some(before) = self.before(&slice, composition) else {
            // It is not the failure's conditions that such a call excludes, if it does.
            let found = composition.join(&self.formula, self.caller, at);
            return found.map_or(Step::Again, Step::Combined);
        };
        let Some(there) = composition.substitute(&self.formula, self.caller, &slice) else {
            return Step::Excluded;
        };
        let there = necessary(&there);
        let caller = &mut composition.summaries[self.caller];
        let path = path(caller, &slice, &before);
        let old = model(&slice.input);
        let assumed: Vec<usize> = self.assumed.iter().copied().collect();
        let terms = &mut caller.subject.symbolic().terms;
        match conflict(terms, &mut caller.solver, &path, &there, &assumed, &old) {
            Conflict::None => {
                let found = composition.join(&self.formula, self.caller, at);
                found.map_or(Step::Again, Step::Combined)
            }
            Conflict::Core(chosen, reasons) => {
                self.excluded.push(at);
                for condition in chosen {
                    self.is_stronger |= self.assumed.insert(condition);
                }
                let goal = all(terms, there);
                // The length of a program's input stays.
                let fixed = path.len() - before.len();
                let mut ask = |path: &[TermId]| caller.solver.solve(terms, path, goal, &old);
                let mended = mend(path, fixed, reasons, &mut ask);
                let mut seed = mended.map(|solution| values(&slice.input, &solution));
                if let (Some(seed), Some(unit)) = (&mut seed, &caller.unit) {
                    unit.texts().mend(seed);
                }
                self.seeds.extend(seed);
                Step::Again
            }
            Conflict::Unknown => Step::Again,
        }
    }

    /// What holds on a slice's path up to the call, and where that gives the callee what it was carved with. None if it does not
    /// do so in the slice's own run.
    fn before(&self, slice: &Slice, composition: &mut Composition<'_>) -> Option<Vec<TermId>> {
        let passed = composition.passed(&self.formula, slice)?;
        let mut before = necessary(&slice.conditions());
        let (same, old) = (necessary(&passed.same), model(&slice.input));
        let terms = &composition.summaries[self.caller].subject.symbolic().terms;
        let holds = same.iter().all(|&holds| terms.evaluate(holds, &old) == 1);
        before.extend(same);
        holds.then_some(before)
    }

    /// Begins a round; excluded where there is none.
    fn begin(&mut self, composition: &mut Composition<'_>) -> Step<Formula> {
        let options = composition.options.refinement;
        let edges = composition.summaries[self.caller].edges;
        if self.round > 0 {
            let gained = edges - self.edges;
            composition.refined.edges += gained;
            self.edges = edges;
            let is_barren = gained == 0;
            self.barren = if is_barren { self.barren + 1 } else { 0 };
            // What is passed on may be passed otherwise.
            if is_barren && self.is_assumed {
                self.at_start = false;
                self.explorer = None;
            }
        }
        let is_guided = options.interpolants && composition.options.variant != Variant::M;
        let is_enough = is_guided && self.barren >= BARREN;
        if self.round >= options.rounds || is_enough {
            return Step::Excluded;
        }
        self.round += 1;
        self.left = options.steps;
        self.edges = edges;
        composition.refined.rounds += 1;
        composition.summaries[self.caller].wanted = Some(self.callee());
        if std::mem::take(&mut self.is_stronger) {
            self.check = Some(Check::default());
        } else if self.explorer.is_none() {
            self.guide(None, composition);
        } else {
            self.seed();
        }
        Step::Again
    }

    /// Makes the round's search.
    fn guide(&mut self, assumption: Option<Assumption>, composition: &mut Composition<'_>) {
        self.is_assumed = assumption.is_some();
        self.explorer = Some(self.explorer(assumption, composition));
        self.seed();
    }

    /// Gives the search what there is to begin with.
    fn seed(&mut self) {
        let Some(explorer) = &mut self.explorer else { return };
        for seed in self.seeds.drain(..).take(SEEDS) {
            explorer.add(&seed);
        }
    }

    /// A search of the caller towards the call.
    fn explorer(
        &mut self,
        assumption: Option<Assumption>,
        composition: &mut Composition<'_>,
    ) -> Explorer {
        let callee = &composition.summaries[self.callee()];
        let target = callee.unit.as_ref().map(|unit| Target::Entry(unit.function));
        let (callee, caller) = (self.callee(), &mut composition.summaries[self.caller]);
        let longest = match &caller.unit {
            Some(unit) => unit.call.context.values.len(),
            None => composition.options.max_length,
        };
        let texts = caller.unit.as_ref().map_or_else(Vec::new, |unit| unit.assumed());
        let mut options = search::Options::new()
            .seed(composition.options.seed.wrapping_add(u64::from(self.round)))
            .max_length(longest)
            .targets(target.into_iter().chain(self.site.as_ref().map(line)))
            .keeps_on(true)
            .assumed(texts.into_iter().chain(assumption))
            .varies_lengths(false);
        // What is run into the callee is explored there, too.
        let goes_into = self.goes_into;
        if !goes_into {
            options = options.without(caller.without.iter().copied());
        }
        let mut explorer = Explorer::new(caller.another(), options);
        match &caller.unit {
            Some(unit) if goes_into => explorer.add(&unit.call.context.values),
            None if goes_into => {
                composition.begun.iter().take(SEEDS).for_each(|input| explorer.add(input));
            }
            _ => {}
        }
        let own = caller.slices.iter().filter(|slice| goes_into || slice.callee == callee);
        for slice in own.take(SEEDS) {
            explorer.add(&slice.input);
        }
        explorer
    }

    /// Takes a step of the search.
    fn search(&mut self, composition: &mut Composition<'_>) -> Option<Formula> {
        let explorer = self.explorer.as_mut()?;
        self.left -= 1;
        composition.refined.steps += 1;
        composition.may_refine = composition.may_refine.saturating_sub(1);
        match explorer.step(&mut Later) {
            search::Event::Ran { input, .. } => {
                let caller = &mut composition.summaries[self.caller];
                // Without room for terms there is no path.
                let Some(run) = caller.record(&input, composition.units) else {
                    self.round = u32::MAX;
                    self.left = 0;
                    return None;
                };
                composition.refined.runs += 1;
                let is_there = self.site.is_some() && run.place == self.site;
                let trail = &run.trail;
                let found = is_there.then(|| self.formula.through(self.caller, &input, trail));
                composition.ran = Some((self.caller, input, run));
                return found;
            }
            search::Event::Asked { .. } => {}
            search::Event::Finished => self.left = 0,
        }
        None
    }

    /// Asks whether the failure implies the interpolant, and then of each path that it is to exclude whether that has it. Then the search
    /// is made, with the interpolant if all is as it should be.
    fn check(&mut self, mut check: Check, composition: &mut Composition<'_>) {
        let holds = if !check.is_implied {
            check.is_implied = true;
            self.is_implied(&mut check.scripts, composition)
        } else if let Some(&at) = self.excluded.get(check.looked) {
            check.looked += 1;
            self.excludes(at, &mut check.scripts, composition) == Some(true)
        } else {
            composition.refined.interpolants += 1;
            composition.refined.checks.append(&mut check.scripts);
            let assumption = if self.at_start { self.at_start(composition) } else { None };
            return self.guide(assumption, composition);
        };
        if holds {
            self.check = Some(check);
        } else {
            composition.refined.unchecked += 1;
            self.guide(None, composition);
        }
    }

    /// Whether the failure implies the interpolant.
    fn is_implied(&self, scripts: &mut Vec<String>, composition: &mut Composition<'_>) -> bool {
        let callee = &mut composition.summaries[self.callee()];
        let terms = &mut callee.subject.symbolic().terms;
        let interpolant = all(terms, self.assumed.iter().map(|&at| self.conditions[at]));
        let not = terms.not(interpolant);
        let old = model(&self.formula.input);
        let answer = callee.solver.solve(terms, &self.conditions, not, &old);
        if composition.options.refinement.record {
            let mut asked = self.conditions.clone();
            asked.push(not);
            scripts.push(terms.to_smtlib(&asked));
        }
        matches!(answer, Answer::Unsat(_))
    }

    /// Whether a slice of the caller excludes the interpolant. None if there is no room for the question.
    fn excludes(
        &self,
        at: usize,
        scripts: &mut Vec<String>,
        composition: &mut Composition<'_>,
    ) -> Option<bool> {
        let slice = composition.summaries[self.caller].slices[at].clone();
        let there = necessary(&composition.substitute(&self.formula, self.caller, &slice)?);
        let before = self.before(&slice, composition)?;
        let caller = &mut composition.summaries[self.caller];
        let mut path = path(caller, &slice, &before);
        let terms = &mut caller.subject.symbolic().terms;
        let goal = all(terms, self.assumed.iter().map(|&at| there[at]));
        let answer = caller.solver.solve(terms, &path, goal, &model(&slice.input));
        if composition.options.refinement.record {
            path.push(goal);
            scripts.push(terms.to_smtlib(&path));
        }
        Some(matches!(answer, Answer::Unsat(_)))
    }

    /// The interpolant over the caller's free bytes, in one of the ways in which those of the callee were passed on; nothing if some were
    /// passed as something else.
    fn at_start(&self, composition: &mut Composition<'_>) -> Option<Assumption> {
        let [callee, caller] =
            composition.summaries.get_disjoint_mut([self.callee(), self.caller]).ok()?;
        let inner = &mut callee.subject.symbolic().terms;
        let interpolant = all(inner, self.assumed.iter().map(|&at| self.conditions[at]));
        let variables = inner.variables(interpolant).to_vec();
        let outer = &caller.subject.symbolic().terms;
        let mut ways: BTreeSet<Vec<u32>> = BTreeSet::new();
        for &at in &self.excluded {
            let given = &caller.slices[at].binding.terms;
            let passed = |&byte: &u32| outer.as_variable(*given.get(byte as usize)?);
            ways.insert(variables.iter().map(passed).collect::<Option<Vec<u32>>>()?);
        }
        if ways.is_empty() || ways.len() > WAYS {
            return None;
        }
        let mut terms = Terms::new(inner.len().saturating_mul(2 * ways.len()).max(1 << 10));
        let mut none = terms.constant(1, 1);
        for way in ways {
            let mut given = vec![None; variables.last().map_or(0, |&last| last as usize + 1)];
            for (&byte, from) in variables.iter().zip(way) {
                given[byte as usize] = Some(terms.variable(from, 8));
            }
            let holds = Substitution::new(given).apply(inner, &mut terms, interpolant)?;
            let not = terms.not(holds);
            none = all(&mut terms, [none, not]);
        }
        let holds = terms.not(none);
        Some(Assumption { terms: Arc::new(terms), holds })
    }
}

/// An input for which a goal holds, and of a path what is not in conflict with it: of that these are known. The first ones of the path stay.
fn mend(
    mut path: Vec<TermId>,
    fixed: usize,
    mut reasons: Vec<usize>,
    ask: &mut dyn FnMut(&[TermId]) -> Answer,
) -> Option<Model> {
    for _ in 0..MENDED {
        let mut at = 0;
        let before = path.len();
        path.retain(|_| {
            at += 1;
            at <= fixed || reasons.binary_search(&(at - 1)).is_err()
        });
        if path.len() == before {
            return None;
        }
        match ask(&path) {
            Answer::Sat(solution) => return Some(solution),
            Answer::Unsat(core) => reasons = core,
            Answer::Unknown(_) => return None,
        }
    }
    None
}

/// What a unit does is no failure of the program, which has its word later.
pub(crate) struct Later;

impl Judge for Later {
    fn judge(&mut self, _: &[u8], _: Option<&Run>) -> Verdict {
        Verdict::Passed
    }
}

/// A place, as a search goes there.
pub(crate) fn line(site: &Site) -> search::Target {
    search::Target::Line { file: site.file.clone(), line: site.line }
}
