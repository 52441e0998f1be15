//! The chain of links.

use crate::links::cache::Cache;
use crate::links::independence::Independence;
use crate::links::intervals::Intervals;
use crate::links::polish::Polish;
use crate::links::sat::Sat;
use crate::links::single::Single;
use crate::links::subset::Subset;
use crate::links::{Slice, Verdict};
use crate::terms::{Evaluator, TermId, Terms};
use crate::{Model, Options};

/// How many parts of a slice are tried before all of it.
const ROUNDS: usize = 8;

/// The solver's answer to a question: a model, a core, or that it gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Values for which the path's constraints and the goal hold: the old ones where nothing asks for
    /// others. They were checked by evaluation.
    Sat(Model),
    /// The places in the path of constraints that exclude the goal, in order.
    Unsat(Vec<usize>),
    /// The question was given up.
    Unknown(Reason),
}

/// Why a question was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The SAT solver met its limit of conflicts or decisions.
    Conflicts,
    /// The circuit is larger than it may be.
    Size,
    /// There are more terms than may be: [`Terms::is_exhausted`].
    Terms,
    /// A model did not hold when it was evaluated, which is an error of this crate.
    Wrong,
}

/// The counters of a solver: questions by their answers, and by the link that settled them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All questions.
    pub queries: u64,
    /// Those that can be true.
    pub sat: u64,
    /// Those that can't.
    pub unsat: u64,
    /// Those that were given up.
    pub unknown: u64,
    /// Those with a constant, or that hold as it is.
    pub trivial: u64,
    /// Those that earlier answers settled.
    pub by_cache: u64,
    /// Parts of questions that tables of bytes settled.
    pub by_bytes: u64,
    /// Parts of questions that intervals settled.
    pub by_intervals: u64,
    /// Parts of questions that went to the SAT solver.
    pub by_sat: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Models that did not hold when they were evaluated: errors of this crate.
    pub wrong: u64,
}

/// Answers questions about the terms of one [`Terms`].
pub struct Solver {
    options: Options,
    statistics: Statistics,
    independence: Independence,
    cache: Cache,
    single: Single,
    intervals: Intervals,
    sat: Sat,
    polish: Polish,
    subset: Subset,
    evaluator: Evaluator,
}

impl Solver {
    /// One that has answered nothing yet.
    pub fn new(options: Options) -> Solver {
        Solver {
            options,
            statistics: Statistics::default(),
            independence: Independence::default(),
            cache: Cache::default(),
            single: Single::default(),
            intervals: Intervals::default(),
            sat: Sat::default(),
            polish: Polish::default(),
            subset: Subset::default(),
            evaluator: Evaluator::new(),
        }
    }

    /// Gives the questions that come other limits; what was learnt from earlier ones stays.
    pub fn limit(&mut self, options: Options) {
        self.options = options;
    }

    /// Gives memory back that only saves time, up to tens of megabytes: for one that is not asked for a while. Answers that it remembers stay.
    pub fn rest(&mut self) {
        let Solver { options, statistics, ref mut cache, .. } = *self;
        let cache = std::mem::take(cache);
        *self = Solver { statistics, cache, ..Solver::new(options) };
    }

    /// How questions were answered up to now.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether the goal can hold besides the path's constraints.
    ///
    /// All of them have width 1, and those of the path hold under `old`. All questions to one solver
    /// are about the same terms, as it remembers answers by them.
    ///
    /// # Panics
    /// A constraint is no boolean.
    pub fn solve(
        &mut self,
        terms: &mut Terms,
        path: &[TermId],
        goal: TermId,
        old: &Model,
    ) -> Answer {
        let answer = self.answer(terms, path, goal, old);
        self.statistics.queries += 1;
        match answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat(_) => self.statistics.unsat += 1,
            Answer::Unknown(reason) => {
                self.statistics.unknown += 1;
                self.statistics.wrong += u64::from(reason == Reason::Wrong);
            }
        }
        answer
    }

    /// The path's constraints that bear on the goal: those that share variables with it, or with one
    /// that does. They are taken apart where they are conjunctions.
    ///
    /// With the goal they are the question that is left, as it may be recorded:
    /// [`Terms::question_to_smtlib`]. There are none if one of them or the goal is constantly false.
    pub fn relevant(&mut self, terms: &Terms, path: &[TermId], goal: TermId) -> Vec<TermId> {
        let slice = self.independence.slice(terms, path, goal, false).unwrap_or_default();
        let goals = slice.goals();
        slice.constraints.into_iter().skip(goals).collect()
    }

    fn answer(&mut self, terms: &Terms, path: &[TermId], goal: TermId, old: &Model) -> Answer {
        for &constraint in path.iter().chain([&goal]) {
            assert_eq!(terms.width(constraint), 1, "a constraint that is no boolean");
        }
        if terms.is_exhausted() {
            return Answer::Unknown(Reason::Terms);
        }
        let all = !self.options.independence;
        let slice = match self.independence.slice(terms, path, goal, all) {
            Ok(slice) => slice,
            Err(place) => {
                self.statistics.trivial += 1;
                return Answer::Unsat(place.into_iter().collect());
            }
        };
        if self.holds(terms, &slice, old) {
            self.statistics.trivial += 1;
            return Answer::Sat(old.clone());
        }
        match self.links(terms, &slice, old) {
            Ok(Verdict::Sat(model)) => self.sat(terms, &slice, old, model),
            Ok(Verdict::Unsat(core)) => {
                if self.options.cache {
                    self.cache.remember_core(&slice, &core);
                }
                let mut places: Vec<usize> =
                    core.into_iter().filter_map(|at| slice.owners[at]).collect();
                places.sort_unstable();
                places.dedup();
                Answer::Unsat(places)
            }
            Ok(Verdict::Pass) => Answer::Unknown(Reason::Conflicts),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    /// What earlier answers say, or the links about more and more of the slice.
    fn links(&mut self, terms: &Terms, slice: &Slice, old: &Model) -> Result<Verdict, Reason> {
        if self.options.cache {
            let verdict = self.cache.solve(terms, slice, old, &mut self.evaluator);
            if verdict != Verdict::Pass {
                self.statistics.by_cache += 1;
                return Ok(verdict);
            }
        }
        let mut subset = std::mem::take(&mut self.subset);
        subset.begin(terms, slice);
        let mut rounds = if self.options.subsets { ROUNDS } else { 0 };
        let verdict = loop {
            if rounds == 0 {
                subset.take_all(terms, slice);
            }
            rounds = rounds.saturating_sub(1);
            match self.compute(terms, &subset.slice, old) {
                Ok(Verdict::Unsat(core)) => {
                    let core = core.into_iter().map(|at| subset.places[at]).collect();
                    break Ok(Verdict::Unsat(core));
                }
                Ok(Verdict::Sat(model)) => {
                    if !subset.refine(terms, slice, &model, &mut self.evaluator) {
                        break Ok(Verdict::Sat(model));
                    }
                }
                other => break other,
            }
        };
        self.subset = subset;
        verdict
    }

    /// What the first link says that does not pass.
    fn compute(&mut self, terms: &Terms, slice: &Slice, old: &Model) -> Result<Verdict, Reason> {
        if self.options.bytes {
            let verdict = self.single.solve(terms, slice, old, &self.options);
            if verdict != Verdict::Pass {
                self.statistics.by_bytes += 1;
                return Ok(verdict);
            }
        }
        if self.options.intervals {
            let verdict = self.intervals.solve(terms, slice, old, &mut self.single, &self.options);
            if verdict != Verdict::Pass {
                self.statistics.by_intervals += 1;
                return Ok(verdict);
            }
        }
        if self.options.bytes {
            let verdict = self.single.pair(terms, slice, old, &self.options);
            if verdict != Verdict::Pass {
                self.statistics.by_bytes += 1;
                return Ok(verdict);
            }
        }
        self.statistics.by_sat += 1;
        let verdict = self.sat.solve(terms, slice, old, &self.options);
        self.statistics.conflicts += self.sat.conflicts();
        verdict
    }

    /// A model that was found, made better and checked.
    fn sat(&mut self, terms: &Terms, slice: &Slice, old: &Model, mut model: Model) -> Answer {
        if !self.holds(terms, slice, &model) {
            return Answer::Unknown(Reason::Wrong);
        }
        if self.options.polish {
            let polished = self.polish.polish(terms, slice, old, &model);
            if self.holds(terms, slice, &polished) {
                model = polished;
            } else {
                debug_assert!(false, "a polished model that does not hold");
                self.statistics.wrong += 1;
            }
        }
        if self.options.cache {
            self.cache.remember_model(slice, &model);
        }
        Answer::Sat(model)
    }

    fn holds(&mut self, terms: &Terms, slice: &Slice, model: &Model) -> bool {
        self.evaluator.forget();
        let evaluator = &mut self.evaluator;
        slice.constraints.iter().all(|&term| evaluator.value(terms, term, model) == 1)
    }
}
