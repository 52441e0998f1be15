//! Generational search: each run's path is negated decision by decision, and each input that comes of it runs too.
//!
//! After P. Godefroid, M. Levin and D. Molnar, "Automated Whitebox Fuzz Testing", NDSS 2008: a run made by
//! negating its parent's decision at some place is negated itself only behind that place. What is tried
//! next is drawn at random, with a seed: mostly edges that were never taken, and among these those that were tried
//! least, for many of them nothing can reach. Loops are gone through deeper and deeper: of a branch's rounds the first ones
//! are negated, some between, and the last ones.

mod added;
mod ask;
mod breed;
mod distance;
mod failures;
mod lengths;
mod options;
mod queue;
mod report;
mod reshape;
mod shape;
mod taken;
mod text;
mod widen;

pub use distance::Target;
pub use failures::{Failure, Failures};
pub use options::{Assumption, Options};
pub use report::{Lost, OneSided, Report, Why};
pub use shape::{ByteSet, Shape};

use crate::native::{Judge, Verdict};
use crate::path::Decision;
use crate::random::Random;
use crate::subject::{Run, Subject, model};
use crate::symbolic::LENGTH;
use added::Added;
use distance::{Distances, FAR};
use fxhash::{FxHashMap, FxHashSet, FxHasher};
use lengths::Words;
use pleach_concolic::ir::{FunctionId, Pc};
use pleach_concolic::vm::Outcome;
use pleach_solver::{Solver, Substitution, TermId};
use queue::{Candidate, Queue};
use report::Facts;
pub use report::is_set;
use reshape::{BARREN, Shapes};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use taken::Taken;
use widen::Widened;

/// How many candidates are asked about, at least, before terms are forgotten.
const ASKED: usize = 10;
/// How many runs are made again then, at most, those of the shortest inputs, and which part of all instructions since the last
/// time these may execute: most of the time is for what is new.
const AGAIN: usize = 256;
const REPEATED: u64 = 8;
/// How many inputs are known not to be run again.
const INPUTS: usize = 1 << 22;
/// How far what leads to no target counts as being from one: as what is more than two to the 12 steps away.
const NOWHERE: u32 = 48;

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Runs in the machine.
    pub runs: u64,
    /// Different paths among them.
    pub paths: u64,
    /// Runs of the program itself.
    pub native: u64,
    /// Inputs that took an edge that none before them had.
    pub inputs: u64,
    /// Edges of the control flow that were taken.
    pub edges: u64,
    /// Instructions that the machine executed.
    pub steps: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Questions with an input as the answer.
    pub satisfiable: u64,
    /// Questions that no input answers.
    pub unsatisfiable: u64,
    /// Questions that took too much.
    pub unknown: u64,
    /// Inputs that did not go where the solver said, as what it was told is not all that matters.
    pub diverged: u64,
    /// Inputs that fail in the machine and not natively.
    pub disagreements: u64,
    /// Inputs that are none of the grammar's language, and are not run.
    pub misshapen: u64,
    /// How often the terms were too many, and the search went on without those it had.
    pub forgotten: u64,
}

/// What one step of a search did, to be counted or shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An input was run.
    Ran {
        /// The input.
        input: Vec<u8>,
        /// How many edges it was the first to take.
        edges: u64,
        /// The failure that it shows, by its place in [`Explorer::failures`], if that is new or the input is
        /// the smallest so far.
        failure: Option<usize>,
        /// Whether the program itself fails on it, where it was run.
        fails: bool,
        /// Why the program could not be run natively, if it could not.
        error: Option<String>,
    },
    /// The solver was asked.
    Asked {
        /// Whether it has found an input, which waits to be run.
        solved: bool,
    },
    /// Nothing is left to try.
    Finished,
}

/// An input that is to be run.
#[derive(Debug)]
struct Waiting {
    input: Vec<u8>,
    reason: Reason,
    /// What the bytes of the input that it was made of may become.
    of: Option<Arc<[ByteSet]>>,
}

/// An input is none of the language.
struct Misshapen;

/// Why an input is to be run.
#[derive(Clone, Copy, Debug)]
enum Reason {
    /// Somebody added it.
    Added,
    /// It is to go somewhere.
    Goal(Goal),
    /// It was made to go somewhere, and nobody knows whether it does.
    Hope,
    /// It is another one with many rounds more: the program runs it, and the machine only where that fails.
    Rounds,
    /// It was run before, and only its path is wanted again.
    Again,
}

impl Waiting {
    fn new(input: Vec<u8>, reason: Reason) -> Waiting {
        Waiting { input, reason, of: None }
    }
}

/// A decision that an input is to make.
#[derive(Clone, Copy, Debug)]
struct Goal {
    /// The condition that should be on its path.
    holds: TermId,
    /// What decides.
    value: TermId,
    /// The edge to be taken; none where a pinned value is to be another.
    edge: Option<u32>,
    /// How many rounds of a loop were followed at once up to here.
    rounds: u32,
}

impl Goal {
    /// Behind which decision a run is to be negated that was made for this; none if it went elsewhere.
    fn bound(&self, decisions: &[Decision]) -> Option<usize> {
        match self.edge {
            Some(_) => decisions.iter().position(|it| it.holds == self.holds).map(|at| at + 1),
            // There may be more values to come.
            None => decisions.iter().position(|it| it.value == self.value && !it.is_necessary()),
        }
    }
}

/// A search through a program's paths.
pub struct Explorer {
    subject: Subject,
    options: Options,
    solver: Solver,
    random: Random,
    /// Inputs that were added.
    added: Added,
    /// What goes on with a loop that has gone on once more, and how often that was so.
    next_round: Option<(Candidate, u32)>,
    /// Places at which the solver gave up at first.
    hard: FxHashSet<u64>,
    /// How often a branch, among the same calls, has begun to take an edge in each round.
    streaks: FxHashMap<(Pc, u64, u32), u32>,
    /// How often inputs with a byte behind another one, or behind none, were varied there.
    ends: FxHashMap<(Option<u8>, u8), u32>,
    /// How often an edge was asked for, for a place, whatever comes before.
    hopes: FxHashMap<(u32, Pc), u32>,
    /// The rounds of a branch that were repeated and left out, hashed.
    rounds: FxHashMap<Pc, FxHashSet<u64>>,
    words: Words,
    /// Whether one of them, or one of another length, comes before a question.
    turn: bool,
    /// Inputs that were found, and those that are run again.
    waiting: VecDeque<Waiting>,
    /// Those of other lengths, which are run in turns with questions.
    varied: VecDeque<Waiting>,
    queue: Queue,
    widened: Widened,
    taken: Taken,
    /// Inputs that were run or will be, and paths, hashed.
    inputs: FxHashSet<u64>,
    paths: FxHashSet<u64>,
    /// What each pinned value was, over all runs.
    pinned: FxHashMap<TermId, Vec<TermId>>,
    failures: Failures,
    facts: Facts,
    counts: Counts,
    /// How many instructions had been executed when terms were forgotten last.
    forgotten_at: u64,
    /// How many candidates were asked about since terms were forgotten.
    asked: usize,
    /// How many decisions the runs have that were made since then.
    bred: usize,
    targets: Vec<Pc>,
    /// What counts as reaching one: the edges that are targets themselves, and the blocks of all others, sorted.
    goals: (Vec<u32>, Vec<Pc>),
    reached: Option<Vec<u8>>,
    distances: Distances,
    /// Calls that were seen, and how many there were when distances were computed.
    calls: (FxHashSet<(Pc, FunctionId)>, Option<usize>),
    /// What inputs are to fulfil, in the terms that there are.
    assumed: Vec<TermId>,
    shape: Option<Box<dyn Shape + Send>>,
    shapes: Shapes,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl Explorer {
    /// A search that has no inputs yet.
    pub fn new(subject: Subject, options: Options) -> Explorer {
        let module = Arc::clone(subject.module());
        let distances = match options.targets.is_empty() {
            true => Distances::default(),
            false => Distances::new(&module),
        };
        let (mut targets, mut goals) = (Vec::new(), (Vec::new(), Vec::new()));
        for target in &options.targets {
            let instructions = target.instructions(&module);
            match target {
                Target::Edge(edge) => goals.0.push(*edge),
                _ => goals.1.extend(instructions.iter().map(|&at| distances.block_of(at))),
            }
            targets.extend(instructions);
        }
        targets.sort_unstable();
        goals.1.sort_unstable();
        let mut explorer = Explorer {
            solver: Solver::new(options.solver),
            random: Random(options.seed),
            added: Added::default(),
            next_round: None,
            hard: FxHashSet::default(),
            streaks: FxHashMap::default(),
            ends: FxHashMap::default(),
            hopes: FxHashMap::default(),
            rounds: FxHashMap::default(),
            words: Words::default(),
            turn: false,
            waiting: VecDeque::new(),
            varied: VecDeque::new(),
            queue: Queue::new(options.queue),
            widened: Widened::default(),
            taken: Taken::new(module.edges()),
            inputs: FxHashSet::default(),
            paths: FxHashSet::default(),
            pinned: FxHashMap::default(),
            failures: Failures::default(),
            facts: Facts::default(),
            counts: Counts::default(),
            forgotten_at: 0,
            asked: 0,
            bred: 0,
            targets,
            goals,
            reached: None,
            distances,
            calls: Default::default(),
            assumed: Vec::new(),
            shape: None,
            shapes: Shapes::default(),
            subject,
            options,
        };
        explorer.assume();
        explorer
    }

    /// Makes the terms of what inputs are to fulfil.
    fn assume(&mut self) {
        let terms = &mut self.subject.symbolic().terms;
        let assumed = &self.options.assumed;
        let last = |it: &Assumption| {
            let variables = it.terms.variables(it.holds).iter();
            variables.rev().find(|&&variable| variable < LENGTH).copied()
        };
        let most = assumed.iter().filter_map(last).max().map_or(0, |last| last + 1);
        let bytes: Vec<_> = (0..most).map(|byte| Some(terms.variable(byte, 8))).collect();
        self.assumed.clear();
        for of_table in assumed.chunk_by(|a, b| Arc::ptr_eq(&a.terms, &b.terms)) {
            let mut substitution = Substitution::new(bytes.clone());
            let make = |it: &Assumption| substitution.apply(&it.terms, terms, it.holds);
            self.assumed.extend(of_table.iter().filter_map(make));
        }
    }

    /// Whether an input fulfils what inputs are to fulfil.
    fn is_as_assumed(&mut self, input: &[u8]) -> bool {
        if self.assumed.is_empty() {
            return true;
        }
        let (terms, model) = (&self.subject.symbolic().terms, model(input));
        self.assumed.iter().all(|&holds| terms.evaluate(holds, &model) == 1)
    }

    /// With what says of each input which bytes may change and into what.
    pub fn with_shape(mut self, shape: Box<dyn Shape + Send>) -> Explorer {
        self.shape = Some(shape);
        self
    }

    /// Adds an input, if it was not run before and is not too long. The first 64 are run before anything is asked. Later ones are run
    /// in turns with questions and at first for the edges they take; what may be found from them comes in a quarter of the
    /// instructions, those with new edges and the cheapest first, and all of it when nothing else is left.
    pub fn add(&mut self, input: &[u8]) {
        if input.len() <= self.options.max_length && self.is_new(input, false) {
            self.added.push(input.to_vec());
        }
    }

    /// Whether an input was not run yet, by the program alone or in the machine, nor waits to be: from now on it counts as run. Of very
    /// many the oldest may come again.
    fn is_new(&mut self, input: &[u8], alone: bool) -> bool {
        if self.inputs.len() >= INPUTS {
            self.inputs.clear();
        }
        let mut hasher = FxHasher::default();
        (input, alone).hash(&mut hasher);
        self.inputs.insert(hasher.finish())
    }

    /// Gives memory back that only saves time: for a search that waits for others.
    pub fn rest(&mut self) {
        self.subject.symbolic().rest();
        self.solver.rest();
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// All failures, in the order in which they were found.
    pub fn failures(&self) -> &[Failure] {
        self.failures.all()
    }

    /// A bit for each edge of the control flow that was taken.
    pub fn edges(&self) -> &[u64] {
        &self.taken.edges
    }

    /// How many decisions wait to be made otherwise.
    pub fn candidates(&self) -> usize {
        self.queue.len()
    }

    /// The first input on which one of the targets was reached: the block of a line or function was entered, or the edge taken.
    pub fn reached_target(&self) -> Option<&[u8]> {
        self.reached.as_deref()
    }

    /// The branch that was asked for most and not taken: what blocks the search.
    pub fn obstacle(&self) -> Option<OneSided> {
        self.facts.obstacle(self.subject.module(), &self.taken.edges)
    }

    /// Which branches were only taken one way and why, and what was not followed.
    pub fn report(&self) -> Report {
        self.facts.report(self.subject.module(), &self.taken.edges)
    }

    /// Does one thing: runs an input, or asks the solver for one.
    ///
    /// What it may take is bounded by the machine's steps and the solver's options; up to four times it is a run of up to 2^28 instructions, to
    /// begin later where it has ended ([`Subject::warm`]). The same steps with the same seed and the same verdicts do the same.
    pub fn step(&mut self, judge: &mut dyn Judge) -> Event {
        if self.bred > self.options.decisions {
            self.bred = self.queue.decisions();
        }
        let terms = &self.subject.symbolic().terms;
        let full = terms.is_full() || self.bred > self.options.decisions / 2;
        if terms.is_exhausted() || (full && self.asked >= ASKED) {
            self.forget();
        } else if full {
            // A run without room for terms has no path, and would not be made again: what is found waits.
            match self.choose() {
                Some(candidate) => return Event::Asked { solved: self.ask(&candidate, 0) },
                None => self.forget(),
            }
        }
        if let Some(waiting) = self.waiting.pop_front() {
            return self.execute(waiting, judge);
        }
        if let Some((candidate, rounds)) = self.next_round.take() {
            return Event::Asked { solved: self.ask(&candidate, rounds) };
        }
        self.turn = !self.turn;
        if (self.turn || self.is_beginning())
            && let Some(event) = self.run_added(false, judge)
        {
            return event;
        }
        if self.turn
            && let Some(event) = self.run_word(judge)
        {
            return event;
        }
        if self.turn
            && let Some(varied) = self.varied.pop_front()
        {
            return self.execute(varied, judge);
        }
        if self.shapes.barren >= BARREN {
            self.reshape();
        }
        if let Some(candidate) = self.choose() {
            return Event::Asked { solved: self.ask(&candidate, 0) };
        }
        if self.added.is_empty() {
            self.reshape();
        }
        if let Some(event) = self.run_added(true, judge) {
            return event;
        }
        let varied = self.waiting.pop_front().or_else(|| self.varied.pop_front());
        let varied = varied.or_else(|| self.words.next());
        match varied.or_else(|| self.go_back()) {
            Some(waiting) => self.execute(waiting, judge),
            None => Event::Finished,
        }
    }

    /// Goes on without the terms there are: what is in the queue is made again from its inputs.
    fn forget(&mut self) {
        self.counts.forgotten += 1;
        self.subject.symbolic().clear();
        self.solver = Solver::new(self.options.solver);
        self.assume();
        self.pinned.clear();
        self.next_round = None;
        for waiting in &mut self.waiting {
            if let Reason::Goal(_) = waiting.reason {
                waiting.reason = Reason::Hope;
            }
        }
        let parents = self.queue.parents();
        // If nothing was asked, one run alone is too much, and would be again.
        let kept = if self.asked > 0 { AGAIN } else { 0 };
        self.asked = 0;
        self.bred = 0;
        let mut steps = (self.counts.steps - self.forgotten_at) / REPEATED;
        self.forgotten_at = self.counts.steps;
        for (number, parent) in parents.into_iter().enumerate() {
            if number >= kept || (number >= ASKED && parent.steps > steps) {
                self.queue.leave(&parent);
                continue;
            }
            steps = steps.saturating_sub(parent.steps);
            let (input, of) = (parent.input.clone(), parent.sets.clone());
            self.waiting.push_back(Waiting { input, reason: Reason::Again, of });
        }
    }

    fn execute(&mut self, waiting: Waiting, judge: &mut dyn Judge) -> Event {
        let Waiting { input, reason, of } = waiting;
        let goal = match reason {
            Reason::Goal(goal) => Some(goal),
            _ => None,
        };
        if let Reason::Rounds = reason {
            return self.execute_alone(input, judge);
        }
        let Ok(sets) = self.sets(&input, of.as_deref()) else {
            if let Some(goal) = goal {
                self.counts.diverged += 1;
                self.facts.diverged(goal.edge);
            }
            return Event::Ran { input, edges: 0, failure: None, fails: false, error: None };
        };
        let free: Option<Vec<bool>> =
            sets.as_ref().map(|sets| sets.iter().map(|set| !set.is_single()).collect());
        let mut run = self.subject.run(&input, free.as_deref());
        if matches!(reason, Reason::Added)
            && let Some(cold) = self.subject.warm(&input, &run)
        {
            run = self.subject.run(&input, free.as_deref());
            // What makes what is made once is taken, too.
            run.trail.edges.iter_mut().zip(cold.trail.edges).for_each(|(own, cold)| *own |= cold);
        }
        self.counts.runs += 1;
        self.counts.steps += run.steps;
        let (edges, fresh) = self.note_edges(&input, &run);
        if edges > 0 || matches!(reason, Reason::Added) {
            self.note_shape(&input, edges);
        }
        if self.options.varies_lengths && fresh && sets.is_none() {
            if self.subject.has_length() {
                if edges > 0 {
                    self.vary_length(&input);
                }
                self.vary_rounds(&input, &run.trail.decisions);
            }
            if self.subject.takes_any_length() {
                self.vary_words(&input, &run.trail.lengths);
            }
        }
        let mut hasher = FxHasher::default();
        for decision in &run.trail.decisions {
            (decision.at, decision.kind).hash(&mut hasher);
        }
        if self.paths.len() >= INPUTS {
            self.paths.clear();
        }
        self.counts.paths += u64::from(self.paths.insert(hasher.finish()));
        let mut bound = 0;
        if let Some(goal) = goal {
            match goal.bound(&run.trail.decisions) {
                Some(behind) => bound = behind,
                None => {
                    self.counts.diverged += 1;
                    self.facts.diverged(goal.edge);
                }
            }
        }
        let (mut failure, mut fails, mut error) = (None, false, None);
        let ended = run.outcome.is_end();
        let is_judged = match reason {
            Reason::Added => true,
            Reason::Goal(_) | Reason::Hope => edges > 0 || !ended,
            Reason::Again | Reason::Rounds => false,
        };
        if is_judged {
            (failure, fails, error) = self.judge(&input, &run, judge);
        }
        self.counts.inputs += u64::from(edges > 0);
        self.facts.add(&run);
        let again = matches!(reason, Reason::Again);
        self.facts.ended(&run.outcome);
        self.calls.0.extend(run.trail.calls.iter().copied());
        self.aim();
        if !self.is_as_assumed(&input) {
            return Event::Ran { input, edges, failure, fails, error };
        }
        // What comes of a run that took too long would take as long: it waits until there is nothing else.
        if run.outcome == Outcome::Budget && !again {
            self.queue.leave_input(input.clone(), sets);
            return Event::Ran { input, edges, failure, fails, error };
        }
        let parent = self.breed(&input, run, sets, bound, fresh, again);
        if let Some(goal) = goal.filter(|_| bound > 0) {
            self.follow(&goal, &parent, bound);
        }
        Event::Ran { input, edges, failure, fails, error }
    }

    /// What an input's bytes may become, where there is a shape, and whether it has that at all.
    fn sets(
        &mut self,
        input: &[u8],
        of: Option<&[ByteSet]>,
    ) -> Result<Option<Arc<[ByteSet]>>, Misshapen> {
        let Some(shape) = &mut self.shape else { return Ok(None) };
        match shape.allowed(input, of) {
            Some(sets) => Ok(Some(sets.into())),
            None => {
                self.counts.misshapen += 1;
                Err(Misshapen)
            }
        }
    }

    fn execute_alone(&mut self, input: Vec<u8>, judge: &mut dyn Judge) -> Event {
        self.counts.native += 1;
        let (mut failure, mut fails, mut error, mut edges) = (None, false, None, 0);
        match judge.judge(&input, None) {
            Verdict::Failed(fault) => {
                let run = self.subject.run(&input, Some(&[]));
                self.counts.runs += 1;
                self.counts.steps += run.steps;
                self.facts.ended(&run.outcome);
                edges = self.note_edges(&input, &run).0;
                self.counts.inputs += u64::from(edges > 0);
                (failure, fails) = (self.failures.note(&input, fault, &run), true);
            }
            Verdict::Passed => {}
            Verdict::Unknown(why) => error = Some(why),
        }
        Event::Ran { input, edges, failure, fails, error }
    }

    /// Counts the edges that a run was the first to take, and says whether it did something else as the first.
    fn note_edges(&mut self, input: &[u8], run: &Run) -> (u64, bool) {
        if !self.targets.is_empty() && self.reached.is_none() {
            let module = self.subject.module();
            let taken = (0..module.edges()).filter(|&edge| is_set(&run.trail.edges, edge));
            let entered = run.trail.calls.iter().filter_map(|&(_, to)| module.pcs(to).next());
            let blocks = taken.filter_map(|edge| Some(module.edge(edge)?.1)).chain(entered);
            let (edges, places) = &self.goals;
            let reached = edges.iter().any(|&edge| is_set(&run.trail.edges, edge)) || { blocks }
                .any(|block| places.binary_search(&block).is_ok());
            self.reached = reached.then(|| input.to_vec());
        }
        let (new, fresh) = self.taken.add(run);
        self.counts.edges += new;
        (new, fresh)
    }

    fn judge(
        &mut self,
        input: &[u8],
        run: &Run,
        judge: &mut dyn Judge,
    ) -> (Option<usize>, bool, Option<String>) {
        if !self.failures.asks(run) {
            return (None, false, None);
        }
        self.counts.native += 1;
        match judge.judge(input, Some(run)) {
            Verdict::Failed(fault) => (self.failures.note(input, fault, run), true, None),
            Verdict::Passed => {
                self.counts.disagreements += u64::from(run.outcome.is_crash());
                (None, false, None)
            }
            Verdict::Unknown(error) => (None, false, Some(error)),
        }
    }

    /// Computes distances, and again if many more calls are known: those by address are only seen.
    fn aim(&mut self) {
        let (calls, counted) = &mut self.calls;
        if !self.targets.is_empty() && counted.is_none_or(|counted| calls.len() > 2 * counted) {
            *counted = Some(calls.len());
            self.distances.aim(self.subject.module(), &self.targets, calls);
        }
    }

    fn distance(&self, edge: Option<u32>) -> u32 {
        let edge = edge.and_then(|edge| self.subject.module().edge(edge));
        match edge {
            _ if self.targets.is_empty() => 0,
            _ if self.reached.is_some() && !self.options.keeps_on => 0,
            // The first steps away from the target count most.
            Some((_, to)) => match self.distances.of(to) {
                FAR => NOWHERE,
                steps => (4 * (steps + 1).ilog2()).min(NOWHERE),
            },
            None => NOWHERE,
        }
    }
}
