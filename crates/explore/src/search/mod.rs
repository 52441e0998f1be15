//! Generational search: each run's path is negated decision by decision, and each input that comes of it runs too.
//!
//! After P. Godefroid, M. Levin and D. Molnar, "Automated Whitebox Fuzz Testing", NDSS 2008: a run made by
//! negating its parent's decision at some place is negated itself only behind that place. What is tried
//! next is drawn at random, with a seed: mostly edges that were never taken, and among these those that were tried
//! least, for many of them nothing can reach. Loops are gone through deeper and deeper: of a branch's rounds the first ones
//! are negated, some between, and the last ones.

mod distance;
mod failures;
mod queue;
mod report;
mod shape;

pub use distance::Target;
pub use failures::Failure;
pub use report::{Lost, OneSided, Report, Why};
pub use shape::{ByteSet, Shape};

use crate::native::{Judge, Verdict};
use crate::path::{Decision, Kind, condition};
use crate::subject::{Run, Subject, model};
use crate::symbolic::{LENGTH, LENGTH_BITS, LONGEST};
use distance::{Distances, FAR};
use failures::Failures;
use fxhash::{FxHashMap, FxHashSet, FxHasher};
use pleach_concolic::ir::{FunctionId, Pc};
use pleach_concolic::vm::Outcome;
use pleach_solver::{Answer, Binary, Compare, Model, Solver, TermId};
use queue::{Candidate, Class, Parent, Queue, Random};
use report::{Facts, is_set};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many candidates are asked about, at least, before terms are forgotten.
const ASKED: usize = 10;
/// How many runs are made again then, those of the shortest inputs.
const AGAIN: usize = 256;
/// How many decisions the runs behind the queue may have together: some 500 MB.
const DECISIONS: usize = 1 << 24;
/// How many inputs are known not to be run again.
const INPUTS: usize = 1 << 22;
/// How many rounds a loop is followed at once, and how often from the same branch among the same calls.
const ROUNDS: u32 = 32;
const STREAKS: u32 = 4;
/// By how many bytes an input grows where fewer than all that are allowed do.
const GROWTH: usize = 8;
/// How many conflicts, and how large a circuit, a question may have at first.
const EASY: u64 = 100;
const EASY_CIRCUIT: u32 = 30_000;
/// How many conflicts of the SAT solver are as dear as another question, and what a question costs that was given up.
const CONFLICTS: u64 = 50;
const GIVEN_UP: u32 = 8;
/// How many rounds of a branch are negated, the first and the last ones.
const FIRST: u32 = 16;
const LAST: u32 = 2;
/// How far what leads to no target counts as being from one: as what is more than two to the 12 steps away.
const NOWHERE: u32 = 48;
/// How many inputs that were added are run before anything is asked.
const BEGINNING: u64 = 64;

/// How a search goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// What its random choices are made of. Default: 0.
    pub seed: u64,
    /// How long inputs may get, in bytes, at most [`LONGEST`]. Default: 4,096.
    pub max_length: usize,
    /// How often an edge is asked for among the same calls and in rounds of the same order: what bounds loops. Default: 200.
    pub repeats: u32,
    /// How many candidates are kept. Default: 50,000.
    pub queue: usize,
    /// What the solver may use for one question. Default: 1,000 conflicts, 100,000 decisions and a circuit of 100,000
    /// variables, as there always are other questions.
    pub solver: pleach_solver::Options,
    /// Where to go first. Default: nowhere.
    pub targets: Vec<Target>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            max_length: 4096,
            repeats: 200,
            queue: 50_000,
            solver: pleach_solver::Options::new()
                .conflicts(1_000)
                .decisions(100_000)
                .circuit(100_000),
            targets: Vec::new(),
        }
    }
}

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

/// One step of a search.
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
    /// What it was made for.
    goal: Option<Goal>,
    /// Whether it was run before, and only its path is wanted again.
    again: bool,
}

impl Waiting {
    fn added(input: Vec<u8>) -> Waiting {
        Waiting { input, goal: None, again: false }
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
    /// The branch and the calls around.
    branch: (Pc, u64),
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
    added: VecDeque<Vec<u8>>,
    /// What goes on with a loop that has gone on once more, and how often that was so.
    next_round: Option<(Candidate, u32)>,
    /// Places at which the solver gave up at first.
    hard: FxHashSet<u64>,
    streaks: FxHashMap<(Pc, u64, u32), u32>,
    /// Whether one of them comes before a question.
    turn: bool,
    /// Inputs that were found, and those that are run again.
    waiting: VecDeque<Waiting>,
    queue: Queue,
    /// A bit for each edge that was taken.
    edges: Vec<u64>,
    /// Inputs that were run or will be, and paths, hashed.
    inputs: FxHashSet<u64>,
    paths: FxHashSet<u64>,
    /// What each pinned value was, over all runs.
    pinned: FxHashMap<TermId, Vec<TermId>>,
    failures: Failures,
    facts: Facts,
    counts: Counts,
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
    calls: (FxHashSet<(Pc, FunctionId)>, usize),
    shape: Option<Box<dyn Shape + Send>>,
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
        let options = Options { max_length: options.max_length.min(LONGEST), ..options };
        let mut targets: Vec<Pc> =
            options.targets.iter().flat_map(|target| target.instructions(&module)).collect();
        targets.sort_unstable();
        let calls = FxHashSet::default();
        let distances = match targets.is_empty() {
            true => Distances::default(),
            false => Distances::new(&module, &targets, &calls),
        };
        let mut goals = (Vec::new(), Vec::new());
        for target in &options.targets {
            match target {
                Target::Edge(edge) => goals.0.push(*edge),
                _ => {
                    let blocks = target.instructions(&module).into_iter();
                    goals.1.extend(blocks.map(|at| distances.block_of(at)));
                }
            }
        }
        goals.1.sort_unstable();
        Explorer {
            solver: Solver::new(options.solver),
            random: Random(options.seed),
            added: VecDeque::new(),
            next_round: None,
            hard: FxHashSet::default(),
            streaks: FxHashMap::default(),
            turn: false,
            waiting: VecDeque::new(),
            queue: Queue::new(options.queue),
            edges: vec![0; (module.edges() as usize).div_ceil(64)],
            inputs: FxHashSet::default(),
            paths: FxHashSet::default(),
            pinned: FxHashMap::default(),
            failures: Failures::default(),
            facts: Facts::default(),
            counts: Counts::default(),
            asked: 0,
            bred: 0,
            targets,
            goals,
            reached: None,
            distances,
            calls: (calls, 0),
            shape: None,
            subject,
            options,
        }
    }

    /// With what says of each input which bytes may change and into what.
    pub fn with_shape(mut self, shape: Box<dyn Shape + Send>) -> Explorer {
        self.shape = Some(shape);
        self
    }

    /// Adds an input, if it was not run before and is not too long. The first 64 are run before anything is asked, later ones in turns
    /// with questions.
    pub fn add(&mut self, input: &[u8]) {
        if input.len() <= self.options.max_length && self.is_new(input) {
            self.added.push_back(input.to_vec());
        }
    }

    /// Whether an input was not run yet, nor waits to be: from now on it counts as run. Of very many the oldest may come again.
    fn is_new(&mut self, input: &[u8]) -> bool {
        if self.inputs.len() >= INPUTS {
            self.inputs.clear();
        }
        let mut hasher = FxHasher::default();
        input.hash(&mut hasher);
        self.inputs.insert(hasher.finish())
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
        &self.edges
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
        self.facts.obstacle(self.subject.module(), &self.edges)
    }

    /// Which branches were only taken one way and why, and what was not followed.
    pub fn report(&self) -> Report {
        self.facts.report(self.subject.module(), &self.edges)
    }

    /// Does one thing: runs an input, or asks the solver for one.
    ///
    /// What it may take is bounded by the machine's steps and the solver's options. The same steps with the same seed and
    /// the same verdicts do the same.
    pub fn step(&mut self, judge: &mut dyn Judge) -> Event {
        if self.bred > DECISIONS {
            self.bred = self.queue.decisions();
        }
        let terms = &self.subject.symbolic().terms;
        let full = terms.is_full() || self.bred > DECISIONS / 2;
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
        if (self.turn || self.counts.runs < BEGINNING)
            && let Some(input) = self.added.pop_front()
        {
            return self.execute(Waiting::added(input), judge);
        }
        match self.choose() {
            Some(candidate) => Event::Asked { solved: self.ask(&candidate, 0) },
            None => match self.added.pop_front() {
                Some(input) => self.execute(Waiting::added(input), judge),
                None => Event::Finished,
            },
        }
    }

    /// Goes on without the terms there are: what is in the queue is made again from its inputs.
    fn forget(&mut self) {
        self.counts.forgotten += 1;
        self.subject.symbolic().clear();
        self.solver = Solver::new(self.options.solver);
        self.pinned.clear();
        self.next_round = None;
        for waiting in &mut self.waiting {
            waiting.goal = None;
        }
        let parents = self.queue.parents();
        // If nothing was asked, one run alone is too much, and would be again.
        let kept = if self.asked > 0 { AGAIN } else { 0 };
        self.asked = 0;
        self.bred = 0;
        for parent in parents.into_iter().take(kept) {
            let input = parent.input.clone();
            self.waiting.push_back(Waiting { input, goal: None, again: true });
        }
    }

    fn execute(&mut self, waiting: Waiting, judge: &mut dyn Judge) -> Event {
        let Waiting { input, goal, again } = waiting;
        let sets = match &mut self.shape {
            None => None,
            Some(shape) => match shape.allowed(&input) {
                Some(sets) => Some(sets),
                None => {
                    self.counts.misshapen += 1;
                    if let Some(goal) = goal {
                        self.counts.diverged += 1;
                        self.facts.diverged(goal.edge);
                    }
                    return Event::Ran {
                        input,
                        edges: 0,
                        failure: None,
                        fails: false,
                        error: None,
                    };
                }
            },
        };
        let free: Option<Vec<bool>> =
            sets.as_ref().map(|sets| sets.iter().map(|set| !set.is_single()).collect());
        let run = self.subject.run(&input, free.as_deref());
        self.counts.runs += 1;
        self.counts.steps += run.steps;
        let edges = self.note_edges(&input, &run);
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
        let ended = matches!(run.outcome, Outcome::Returned(_) | Outcome::Exit(_));
        if !again && (goal.is_none() || edges > 0 || !ended) {
            (failure, fails, error) = self.judge(&input, &run, judge);
        }
        self.counts.inputs += u64::from(edges > 0);
        self.facts.add(&run);
        if !ended && !run.outcome.is_crash() {
            self.facts.unfollowed(&run.outcome);
        }
        self.calls.0.extend(run.trail.calls.iter().copied());
        self.aim();
        // What comes of a run that took too long would take as long.
        if run.outcome == Outcome::Budget {
            return Event::Ran { input, edges, failure, fails, error };
        }
        let parent = self.breed(&input, run, sets.as_deref(), bound, edges > 0);
        if let Some(goal) = goal.filter(|_| bound > 0) {
            self.follow(&goal, &parent, bound);
        }
        Event::Ran { input, edges, failure, fails, error }
    }

    /// Counts the edges that a run was the first to take.
    fn note_edges(&mut self, input: &[u8], run: &Run) -> u64 {
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
        let mut new = 0;
        for (known, &taken) in self.edges.iter_mut().zip(&run.trail.edges) {
            new += u64::from((taken & !*known).count_ones());
            *known |= taken;
        }
        self.counts.edges += new;
        new
    }

    fn judge(
        &mut self,
        input: &[u8],
        run: &Run,
        judge: &mut dyn Judge,
    ) -> (Option<usize>, bool, Option<String>) {
        self.counts.native += 1;
        match judge.judge(input) {
            Verdict::Failed(fault) => (self.failures.note(input, fault, run), true, None),
            Verdict::Passed => {
                self.counts.disagreements += u64::from(run.outcome.is_crash());
                (None, false, None)
            }
            Verdict::Unknown(error) => (None, false, Some(error)),
        }
    }

    /// Computes distances again if many more calls are known: those by address are only seen.
    fn aim(&mut self) {
        let (calls, counted) = &mut self.calls;
        if !self.targets.is_empty() && calls.len() > 2 * *counted {
            *counted = calls.len();
            self.distances = Distances::new(self.subject.module(), &self.targets, calls);
        }
    }

    fn distance(&self, edge: Option<u32>) -> u32 {
        let edge = edge.and_then(|edge| self.subject.module().edge(edge));
        match edge {
            _ if self.targets.is_empty() || self.reached.is_some() => 0,
            // The first steps away from the target count most.
            Some((_, to)) => match self.distances.of(to) {
                FAR => NOWHERE,
                steps => (4 * (steps + 1).ilog2()).min(NOWHERE),
            },
            None => NOWHERE,
        }
    }

    fn is_taken(&self, edge: u32) -> bool {
        is_set(&self.edges, edge)
    }

    fn class(&self, edge: Option<u32>) -> Class {
        match edge {
            None => Class::Pinned,
            Some(edge) if !self.is_taken(edge) => Class::New,
            Some(_) => Class::Known,
        }
    }

    /// Makes candidates of a run's decisions from a place on.
    fn breed(
        &mut self,
        input: &[u8],
        run: Run,
        sets: Option<&[ByteSet]>,
        bound: usize,
        fresh: bool,
    ) -> Arc<Parent> {
        let assumptions = self.assumptions(sets);
        let decisions = run.trail.decisions;
        let parent = Arc::new(Parent {
            input: input.to_vec(),
            model: model(input),
            decisions,
            assumptions,
            length_is_free: self.subject.has_length() && sets.is_none(),
            fresh,
        });
        self.bred += parent.decisions.len();
        let module = Arc::clone(self.subject.module());
        // How often a branch was met among the same calls, on the whole and up to some decision.
        let mut rounds: FxHashMap<(Pc, u64), (u32, u32)> = FxHashMap::default();
        for decision in &parent.decisions {
            rounds.entry((decision.at, decision.context)).or_default().0 += 1;
        }
        for (index, decision) in parent.decisions.iter().enumerate() {
            let (all, round) = rounds.entry((decision.at, decision.context)).or_default();
            *round += 1;
            let (all, round) = (*all, *round);
            let counts = round <= FIRST || round + LAST > all || round.is_power_of_two();
            if index < bound || !counts || !decision.may_be_negated() {
                continue;
            }
            if !decision.is_necessary() {
                let known = self.pinned.entry(decision.value).or_default();
                if !known.contains(&decision.holds) {
                    known.push(decision.holds);
                }
            }
            let others = decision.other_edges(&module).into_iter().map(Some);
            let pinned = (!decision.is_necessary()).then_some(None);
            for edge in others.chain(pinned) {
                let place = place_of(decision, edge, round);
                if self.queue.tried(place) >= self.options.repeats {
                    continue;
                }
                let (class, distance) = (self.class(edge), self.distance(edge));
                let (parent, index) = (Arc::clone(&parent), index as u32);
                let candidate = Candidate { parent, index, round, edge, place, distance };
                self.queue.push(class, candidate, &mut self.random);
            }
        }
        parent
    }

    /// If a loop has gone on for a round because it was asked to, and ends at the same branch, asks it to go on for another one at
    /// once: what needs many rounds needs them in a row, and nothing says so before.
    fn follow(&mut self, goal: &Goal, parent: &Arc<Parent>, bound: usize) {
        let Some(edge) = goal.edge.filter(|_| goal.rounds < ROUNDS) else { return };
        let (at, context) = goal.branch;
        let is_there = |it: &Decision| {
            (it.at, it.context) == goal.branch && it.is_necessary() && it.kind != Kind::Edge(edge)
        };
        let behind = parent.decisions.iter().skip(bound);
        let Some(index) = behind.clone().position(is_there) else { return };
        if goal.rounds == 0 {
            let streaks = self.streaks.entry((at, context, edge)).or_default();
            *streaks += 1;
            if *streaks > STREAKS && !streaks.is_power_of_two() {
                return;
            }
        }
        let index = (bound + index) as u32;
        let decision = &parent.decisions[index as usize];
        let before = parent.decisions[..index as usize].iter();
        let round = before.filter(|it| (it.at, it.context) == goal.branch).count() as u32 + 1;
        let candidate = Candidate {
            parent: Arc::clone(parent),
            index,
            round,
            edge: Some(edge),
            place: place_of(decision, Some(edge), round),
            distance: 0,
        };
        self.next_round = Some((candidate, goal.rounds + 1));
    }

    /// What each input made of this one has to fulfil: the bytes are of their sets, and it is not too long.
    fn assumptions(&mut self, sets: Option<&[ByteSet]>) -> Vec<TermId> {
        let limit = self.options.max_length as u128;
        let has_length = self.subject.has_length();
        let terms = &mut self.subject.symbolic().terms;
        let Some(sets) = sets else {
            if !has_length {
                return Vec::new();
            }
            let (length, limit) =
                (terms.variable(LENGTH, LENGTH_BITS), terms.constant(LENGTH_BITS, limit));
            return vec![terms.compare(Compare::Ule, length, limit)];
        };
        let free = sets.iter().enumerate().filter(|(_, set)| !set.is_single() && !set.is_full());
        free.map(|(offset, set)| set.contains_term(terms, offset as u32)).collect()
    }

    /// Draws a candidate.
    fn choose(&mut self) -> Option<Candidate> {
        let edges = &self.edges;
        loop {
            let candidate = self.queue.pop(&mut self.random, |edge| is_set(edges, edge))?;
            if self.queue.tried(candidate.place) <= self.options.repeats {
                return Some(candidate);
            }
        }
    }

    /// Asks the solver for an input that decides otherwise. True if there is one that was not run before.
    /// For a loop that is followed it is said for how many rounds it was.
    fn ask(&mut self, candidate: &Candidate, rounds: u32) -> bool {
        self.asked += 1;
        let parent = &candidate.parent;
        let (before, rest) = parent.decisions.split_at(candidate.index as usize);
        let Some(decision) = rest.first() else {
            return false;
        };
        let module = Arc::clone(self.subject.module());
        let terms = &mut self.subject.symbolic().terms;
        let goal = match candidate.edge {
            Some(edge) => condition(terms, &module, decision.at, decision.value, edge),
            None => {
                // None of the values that it had in any run.
                let mut goal = terms.not(decision.holds);
                for &known in self.pinned.get(&decision.value).into_iter().flatten() {
                    let other = terms.not(known);
                    goal = terms.binary(Binary::And, goal, other);
                }
                goal
            }
        };
        let conflicts = self.solver.statistics().conflicts;
        let mut path = parent.assumptions.clone();
        path.extend(before.iter().map(|before| before.holds));
        if parent.length_is_free {
            // Inputs grow little by little, as each byte more is work for all that come of it.
            let length = terms.variable(LENGTH, LENGTH_BITS);
            let most = parent.input.len() + GROWTH;
            let most = terms.constant(LENGTH_BITS, most.min(LONGEST) as u128);
            path.push(terms.compare(Compare::Ule, length, most));
        }
        // What has never taken long gets little first: what takes more is asked again when the rest has had its turn.
        let hard = self.hard.contains(&candidate.place);
        self.solver.limit(if hard {
            self.options.solver
        } else {
            self.options.solver.at_most(EASY, EASY_CIRCUIT)
        });
        let mut answer = self.solve(&path, goal, &parent.model);
        let fixed = parent.assumptions.len();
        let is_optional = |at: &usize| {
            let decision = at.checked_sub(fixed);
            decision.is_some_and(|at| before.get(at).is_none_or(|it| !it.is_necessary()))
        };
        let in_the_way = match &answer {
            Answer::Sat(_) => false,
            Answer::Unsat(core) => core.iter().any(is_optional),
            Answer::Unknown(_) => (0..path.len()).any(|at| is_optional(&at)),
        };
        if in_the_way {
            // What is not necessary is left out.
            path.truncate(fixed);
            let necessary = before.iter().filter(|before| before.is_necessary());
            path.extend(necessary.map(|before| before.holds));
            answer = self.solve(&path, goal, &parent.model);
        }
        let conflicts = (self.solver.statistics().conflicts - conflicts) / CONFLICTS;
        if matches!(answer, Answer::Unknown(_)) {
            self.hard.insert(candidate.place);
        }
        let given_up = if matches!(answer, Answer::Unknown(_)) { GIVEN_UP } else { 0 };
        self.queue.charge(candidate, given_up.max(u32::try_from(conflicts).unwrap_or(u32::MAX)));
        if !hard && matches!(answer, Answer::Unknown(_)) {
            let class = self.class(candidate.edge);
            self.queue.push(class, candidate.clone(), &mut self.random);
        }
        let why = match &answer {
            Answer::Sat(_) => None,
            Answer::Unsat(_) => Some(Why::Unsatisfiable),
            Answer::Unknown(_) => Some(Why::Budget),
        };
        if let (Some(edge), Some(why)) = (candidate.edge, why) {
            self.facts.refused(edge, why);
        }
        let Answer::Sat(solution) = answer else {
            return false;
        };
        let input = self.input(parent, &solution, rounds > 0);
        let new = self.is_new(&input);
        if new {
            let goal = Some(Goal {
                holds: goal,
                value: decision.value,
                edge: candidate.edge,
                branch: (decision.at, decision.context),
                rounds,
            });
            self.waiting.push_back(Waiting { input, goal, again: false });
        }
        new
    }

    fn solve(&mut self, path: &[TermId], goal: TermId, old: &Model) -> Answer {
        let answer = self.solver.solve(&mut self.subject.symbolic().terms, path, goal, old);
        self.counts.queries += 1;
        match &answer {
            Answer::Sat(_) => self.counts.satisfiable += 1,
            Answer::Unsat(_) => self.counts.unsatisfiable += 1,
            Answer::Unknown(_) => self.counts.unknown += 1,
        }
        answer
    }

    /// The input that a solution means: what it does not say is as in the parent, and what is longer than that goes
    /// on as the parent did somewhere, or ended.
    fn input(&mut self, parent: &Parent, solution: &Model, repeats: bool) -> Vec<u8> {
        let mut model = parent.model.clone();
        for (variable, value) in solution.iter() {
            model.set(variable, value);
        }
        let old = parent.input.len();
        let length = match parent.length_is_free {
            true => usize::try_from(model.get(LENGTH)).unwrap_or(usize::MAX),
            false => old,
        };
        let length = length.min(self.options.max_length);
        let mut input: Vec<u8> =
            (0..length.min(old)).map(|offset| model.get(offset as u32) as u8).collect();
        let said: FxHashMap<u32, u128> = solution.iter().collect();
        let source = if parent.input.is_empty() { &b"0"[..] } else { &parent.input[..] };
        let from = match repeats || self.random.below(2) == 0 {
            // The byte at its end again and again.
            true => None,
            false => Some(self.random.below(source.len())),
        };
        for offset in input.len()..length {
            let plausible = match from {
                Some(from) => source[(from + offset) % source.len()],
                None => source[source.len() - 1],
            };
            input.push(said.get(&(offset as u32)).map_or(plausible, |&value| value as u8));
        }
        input
    }
}

/// The branch, the edge that is wanted, the calls around and the order of the round, hashed.
fn place_of(decision: &Decision, edge: Option<u32>, round: u32) -> u64 {
    let mut hasher = FxHasher::default();
    (decision.at, edge, decision.context, round.checked_ilog2()).hash(&mut hasher);
    if let Kind::Pinned(access) = decision.kind {
        access.hash(&mut hasher);
    }
    hasher.finish()
}
