//! The whole of it, step by step: profiles, failures of units with summaries beside them, composition, and the program's own word.

use fxhash::FxHashSet;
use pleach_bridge::carve::{Carver, Limits, Sampling, Unit};
use pleach_bridge::system::{Bytes, Changing, SystemTester};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_concolic::vm::Outcome;
use pleach_explore::native::{Judge, Verdict};
use pleach_explore::path::Decision;
use pleach_explore::random::Random;
use pleach_explore::search::{self, Explorer, Failure, Failures};
use pleach_explore::subject::{Run, Site, Subject};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::compose::Composer;
use crate::formula::{Combined, Composition, Formula, Part};
use crate::graph::{Functions, MAIN};
use crate::profile::{Node, Profiles};
use crate::summary::{PROGRAM, Summary, Units};

/// How many units there are, at most, and how many failing paths of a unit are kept for one place.
const UNITS: usize = 256;
const PATHS: usize = 4;
/// How many inputs the program's own summary is made of, those with the most new first.
const KEPT: usize = 256;
/// How many instructions the tests of a unit may execute at a time.
const STEPS: u64 = 5_000_000;

/// How a campaign goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// What its random choices are made of. Default: 0.
    pub seed: u64,
    /// How many inputs are made of the seeds, at random, before calls are profiled. Default: 256.
    pub fuzz: u32,
    /// How long these may get, in bytes. Default: 4,096.
    pub max_length: usize,
    /// How many of 100 pairs of functions are relevant. Default: 20.
    pub percent: u32,
    /// For how many steps of a search a unit is tested at a time. Default: 64.
    pub slice: u32,
    /// How often each unit is, at most. Default: 32.
    pub rounds: u32,
    /// How many paths of callers a failure is combined with after each round. Default: 256.
    pub attempts: u32,
    /// Which calls become units.
    pub sampling: Sampling,
    /// What the solver may use for one question. Default: 10,000 conflicts, 1,000,000 decisions and a circuit of 400,000 variables.
    pub solver: pleach_solver::Options,
}

impl Default for Options {
    fn default() -> Options {
        let limits = Limits { parameters: 1024, ..Limits::default() };
        Options {
            seed: 0,
            fuzz: 256,
            max_length: 4096,
            percent: 20,
            slice: 64,
            rounds: 32,
            attempts: 256,
            sampling: Sampling { calls: 2, limits, ..Sampling::default() },
            solver: pleach_solver::Options::new()
                .conflicts(10_000)
                .decisions(1_000_000)
                .circuit(400_000),
        }
    }
}

/// What a campaign does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Seeds and what is made of them run, calls are counted and units carved.
    Profiles,
    /// Units are tested and their summaries made.
    Targets,
    /// Formulas of failures are combined with paths of callers.
    Composition,
}

/// One step of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The program was run.
    Ran {
        /// The input.
        input: Vec<u8>,
        /// How many edges it was the first to take.
        edges: u64,
        /// The failure that it shows, by its place in [`Campaign::failures`], if that is new or the input is the smallest so far.
        failure: Option<usize>,
        /// Why the program could not be run natively, if it could not.
        error: Option<String>,
    },
    /// A unit was tested for a while.
    Tested,
    /// A formula was combined with a path of a caller.
    Combined,
    /// Nothing is left to do.
    Finished,
}

/// A failure of a unit, by its place: what the program is to be made to do.
#[derive(Clone, Debug)]
pub struct Target {
    /// The place of the program's own code.
    pub site: Site,
    /// How it fails, in the machine's words.
    pub message: String,
    /// The function of the unit that failed first.
    pub function: Site,
    /// How many formulas came to the program's entry.
    pub formulas: u64,
    /// On how many of their inputs the program failed so.
    pub validating: u64,
    /// What was found, once it was.
    pub found: Option<Found>,
}

/// The input for a target, and how it was composed.
#[derive(Clone, Debug)]
pub struct Found {
    /// The failure of the program itself, by its place among all; none if it was known before by a smaller input.
    pub failure: Option<usize>,
    /// The functions whose paths were combined, the outermost one first.
    pub chain: Vec<Site>,
    /// The bytes that the solver changed: where, from what and to what.
    pub changes: Vec<(usize, u8, u8)>,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs of the program in the machine.
    pub runs: u64,
    /// Runs of the program itself.
    pub native: u64,
    /// Edges of the control flow that runs of the program took.
    pub edges: u64,
    /// Functions that profiles have.
    pub called: u64,
    /// Those of which a unit was carved.
    pub functions: u64,
    /// Units.
    pub units: u64,
    /// Runs of units.
    pub unit_runs: u64,
    /// Paths through units, and through the program, to calls of units.
    pub slices: u64,
    /// Places at which units fail.
    pub targets: u64,
    /// Those at which the program was made to fail, too.
    pub validated: u64,
    /// Formulas that came to the program's entry.
    pub formulas: u64,
    /// Those on whose input the program failed so.
    pub validating: u64,
    /// How formulas were combined.
    pub combined: Combined,
}

/// What is to be done next.
#[derive(Debug)]
enum Next {
    Profile,
    /// The program's own summary, of these inputs.
    Enter(Vec<Vec<u8>>),
    /// Units, the next one last.
    Test(Vec<usize>),
    /// Targets and their paths, the next one first, and the way from one of them.
    Compose(VecDeque<(usize, usize)>, Option<Way>),
    Over,
}

/// The way backwards from a target's path.
#[derive(Debug)]
struct Way {
    target: usize,
    composer: Composer<Formula, Part>,
    /// How many paths of callers it may still be combined with.
    left: u32,
}

/// A failing path, and how many slices there were when it was composed last.
#[derive(Debug)]
struct Path {
    formula: Formula,
    composed_at: Option<usize>,
}

/// Profiles, targets, composition.
pub struct Campaign {
    module: Arc<Module>,
    options: Options,
    functions: Functions,
    profiles: Profiles,
    carver: Carver,
    random: Random,
    bytes: Changing<Bytes>,
    made: u32,
    waiting: VecDeque<Vec<u8>>,
    /// Inputs that took new edges, and how many.
    kept: Vec<(u64, Vec<u8>)>,
    carved: Vec<Unit>,
    /// The program's, and those of all units.
    summaries: Vec<Summary>,
    /// The searches of units that are not over, by the places of their summaries.
    explorers: BTreeMap<usize, Explorer>,
    units: Units,
    targets: Vec<Target>,
    /// The failing paths of each target.
    paths: Vec<Vec<Path>>,
    failures: Failures,
    taken: Vec<u64>,
    /// How often the machine came to what it may not or cannot do.
    unfollowed: BTreeMap<String, u64>,
    counts: Counts,
    round: u32,
    next: Next,
}

impl std::fmt::Debug for Campaign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Campaign").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

/// What a unit does is no failure of the program, which has its word later.
struct Later;

impl Judge for Later {
    fn judge(&mut self, _: &[u8], _: &Run) -> Verdict {
        Verdict::Passed
    }
}

impl Campaign {
    /// A campaign without inputs yet, of which these functions are the program's own.
    pub fn new(
        system: Subject,
        own: impl IntoIterator<Item = FunctionId>,
        options: Options,
    ) -> Campaign {
        let module = Arc::clone(system.module());
        let own: Vec<FunctionId> = own.into_iter().collect();
        Campaign {
            functions: Functions::new(&module, &own),
            profiles: Profiles::default(),
            carver: Carver::new(Arc::clone(&module), own, options.sampling),
            random: Random(options.seed),
            bytes: Changing::new(Bytes, options.seed, options.max_length),
            made: 0,
            waiting: VecDeque::new(),
            kept: Vec::new(),
            carved: Vec::new(),
            summaries: vec![Summary::new(None, MAIN, system, options.solver)],
            explorers: BTreeMap::new(),
            units: Units::default(),
            targets: Vec::new(),
            paths: Vec::new(),
            failures: Failures::default(),
            taken: vec![0; (module.edges() as usize).div_ceil(64)],
            unfollowed: BTreeMap::new(),
            counts: Counts::default(),
            round: 0,
            next: Next::Profile,
            module,
            options,
        }
    }

    /// Adds an input to begin with. Once units are tested none is looked at any more.
    pub fn add(&mut self, input: &[u8]) {
        self.waiting.push_back(input.to_vec());
    }

    /// What is done next.
    pub fn phase(&self) -> Phase {
        match self.next {
            Next::Profile | Next::Enter(_) => Phase::Profiles,
            Next::Test(_) => Phase::Targets,
            Next::Compose(..) | Next::Over => Phase::Composition,
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        let sum = |of: fn(&Target) -> u64| self.targets.iter().map(of).sum();
        Counts {
            called: self.profiles.functions().filter(|&it| it != MAIN).count() as u64,
            functions: self.units.len() as u64,
            units: self.summaries.len() as u64 - 1,
            slices: self.slices() as u64,
            targets: self.targets.len() as u64,
            validated: sum(|it| u64::from(it.found.is_some())),
            formulas: sum(|it| it.formulas),
            validating: sum(|it| it.validating),
            ..self.counts
        }
    }

    fn slices(&self) -> usize {
        self.summaries.iter().map(|it| it.slices.len()).sum()
    }

    /// All failures of the program itself, in the order in which they were found.
    pub fn failures(&self) -> &[Failure] {
        self.failures.all()
    }

    /// Why runs of the program were not followed to their end, and how many of those in [`Counts::runs`].
    pub fn unfollowed(&self) -> &BTreeMap<String, u64> {
        &self.unfollowed
    }

    /// The places at which units fail.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Does one thing.
    ///
    /// The same steps with the same seed and the same verdicts do the same.
    pub fn step(&mut self, judge: &mut dyn Judge) -> Event {
        match std::mem::replace(&mut self.next, Next::Over) {
            Next::Profile => self.profile(judge),
            Next::Enter(mut inputs) => {
                if let Some(input) = inputs.pop() {
                    self.summaries[PROGRAM].record(&input, &self.units);
                    self.next = Next::Enter(inputs);
                } else {
                    self.next = self.round();
                }
                Event::Tested
            }
            Next::Test(mut order) => {
                if let Some(unit) = order.pop() {
                    self.test(unit);
                    self.next = Next::Test(order);
                } else {
                    self.next = self.composition();
                }
                Event::Tested
            }
            Next::Compose(waiting, way) => self.compose(waiting, way, judge),
            Next::Over => Event::Finished,
        }
    }

    /// Runs an input that was added, or one that is made of those that were run.
    fn profile(&mut self, judge: &mut dyn Judge) -> Event {
        self.next = Next::Profile;
        let system = &mut self.summaries[PROGRAM].subject;
        if system.symbolic().terms.is_full() {
            // What a context's bytes are computed from is not asked for here.
            system.symbolic().clear();
        }
        if let Some(input) = self.waiting.pop_front() {
            return self.carve(input, true, judge);
        }
        // What changes bytes can't break.
        let next = || self.bytes.next().unwrap_or_default();
        let made = (self.made < self.options.fuzz).then(next).flatten();
        let Some(input) = made else {
            self.next = self.enter();
            return Event::Tested;
        };
        self.made += 1;
        system.symbolic().watched.clear();
        let run = system.run(&input, Some(&[]));
        let is_known =
            run.trail.edges.iter().zip(&self.taken).all(|(own, known)| own & !known == 0);
        if !is_known || run.outcome.is_crash() {
            return self.carve(input, false, judge);
        }
        self.note(&run);
        self.profiles.add(self.functions.calls(&self.module, &run.trail.calls));
        Event::Ran { input, edges: 0, failure: None, error: None }
    }

    /// Runs an input and takes units out of its run.
    fn carve(&mut self, input: Vec<u8>, is_given: bool, judge: &mut dyn Judge) -> Event {
        let system = &mut self.summaries[PROGRAM].subject;
        system.symbolic().watched = self.carver.begin();
        let carver = &mut self.carver;
        let run = system.run_watched(&input, None, &mut |machine| {
            carver.look(machine, None);
        });
        self.profiles.add(self.functions.calls(&self.module, &run.trail.calls));
        let (whole, path): (Arc<[u8]>, Arc<[Decision]>) = (input.as_slice().into(), Arc::new([]));
        let edges = self.note_edges(&run);
        let is_wanted = (is_given || edges > 0) && self.carved.len() < UNITS;
        self.carved.extend(self.carver.end(&whole, &path, is_wanted));
        if is_given || edges > 0 {
            self.bytes.learn(&input);
            self.kept.push((edges, input.clone()));
        }
        let (failure, _, error) = self.judge(&input, &run, judge);
        Event::Ran { input, edges, failure, error }
    }

    /// Counts a run of the program.
    fn note(&mut self, run: &Run) {
        self.counts.runs += 1;
        let outcome = &run.outcome;
        if !outcome.is_crash() && !matches!(outcome, Outcome::Returned(_) | Outcome::Exit(_)) {
            *self.unfollowed.entry(outcome.to_string()).or_default() += 1;
        }
    }

    fn note_edges(&mut self, run: &Run) -> u64 {
        self.note(run);
        let mut edges = 0;
        for (known, own) in self.taken.iter_mut().zip(&run.trail.edges) {
            edges += u64::from((own & !*known).count_ones());
            *known |= own;
        }
        self.counts.edges += edges;
        edges
    }

    /// Runs the program itself where the machine says that it fails: the failure, if it is new or smaller; whether it failed at the
    /// place that the machine says; and why it could not be run.
    fn judge(
        &mut self,
        input: &[u8],
        run: &Run,
        judge: &mut dyn Judge,
    ) -> (Option<usize>, bool, Option<String>) {
        if !run.outcome.is_crash() {
            return (None, false, None);
        }
        self.counts.native += 1;
        match judge.judge(input, run) {
            Verdict::Failed(fault) => {
                let there = match &run.outcome {
                    Outcome::Panic(panic) => panic.location.as_ref(),
                    _ => None,
                };
                let there = there.map(|it| (it.line, it.column));
                let is_same = fault.location.as_ref().map(|it| (it.1, it.2)) == there;
                (self.failures.note(input, fault, run), is_same, None)
            }
            Verdict::Passed => (None, false, None),
            Verdict::Unknown(error) => (None, false, Some(error)),
        }
    }

    /// Makes searches of all units, and begins with the program's own summary.
    fn enter(&mut self) -> Next {
        let extended = self.profiles.extended(self.options.percent);
        for unit in std::mem::take(&mut self.carved) {
            let Some(node) = self.functions.node(unit.function) else { continue };
            let place = self.summaries.len();
            let context = &unit.call.context;
            self.units.entry(unit.function).or_default().push((place, Arc::clone(context)));
            let options = search::Options {
                seed: self.options.seed.wrapping_add(place as u64),
                max_length: context.values.len(),
                within: Some(self.within(node, &extended)),
                ..search::Options::default()
            };
            let mut explorer = Explorer::new(unit.subject(), options);
            explorer.add(&context.values);
            self.explorers.insert(place, explorer);
            let subject = unit.subject();
            self.summaries.push(Summary::new(Some(unit), node, subject, self.options.solver));
        }
        self.summaries[PROGRAM].subject.symbolic().clear();
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(|(edges, _)| std::cmp::Reverse(*edges));
        kept.truncate(KEPT);
        Next::Enter(kept.into_iter().rev().map(|(_, input)| input).collect())
    }

    /// The functions of which a unit's search makes decisions otherwise: all but those that profiles have and that are not relevant.
    fn within(
        &self,
        node: Node,
        extended: &BTreeMap<Node, BTreeSet<Node>>,
    ) -> FxHashSet<FunctionId> {
        let unit = extended.get(&node);
        let is_in = |function: &FunctionId| match self.functions.node(*function) {
            Some(other) if other != node && self.profiles.occurs(other) => {
                unit.is_some_and(|unit| unit.contains(&other))
            }
            _ => true,
        };
        self.module.functions().filter(is_in).collect()
    }

    /// The next round, with units in random order.
    fn round(&mut self) -> Next {
        if self.round >= self.options.rounds || self.explorers.is_empty() {
            return Next::Over;
        }
        self.round += 1;
        let mut order: Vec<usize> = self.explorers.keys().copied().collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.random.below(last + 1));
        }
        Next::Test(order)
    }

    /// Tests a unit for a while.
    fn test(&mut self, place: usize) {
        let Some(mut explorer) = self.explorers.remove(&place) else { return };
        let begun = explorer.counts().steps;
        for _ in 0..self.options.slice {
            match explorer.step(&mut Later) {
                search::Event::Ran { input, .. } => {
                    // Without room for terms there is no path.
                    let Some(run) = self.summaries[place].record(&input, &self.units) else {
                        return;
                    };
                    self.counts.unit_runs += 1;
                    self.note_target(place, &input, &run);
                }
                search::Event::Finished => return,
                search::Event::Asked { .. } => {}
            }
            if explorer.counts().steps - begun > STEPS {
                break;
            }
        }
        self.explorers.insert(place, explorer);
    }

    /// Notes that a unit failed.
    fn note_target(&mut self, unit: usize, input: &[u8], run: &Run) {
        let Some(site) = run.place.clone().filter(|_| run.outcome.is_crash()) else { return };
        let known = self.targets.iter().position(|it| it.site == site);
        let target = known.unwrap_or_else(|| {
            self.targets.push(Target {
                message: run.outcome.to_string(),
                function: self.site(unit, &site),
                site,
                formulas: 0,
                validating: 0,
                found: None,
            });
            self.paths.push(Vec::new());
            self.targets.len() - 1
        });
        let paths = &mut self.paths[target];
        if paths.iter().filter(|it| it.formula.chain == [unit]).count() < PATHS {
            let formula = Formula::of(unit, input, &run.trail.decisions);
            paths.push(Path { formula, composed_at: None });
        }
    }

    /// Where a unit's function is defined.
    fn site(&self, unit: usize, otherwise: &Site) -> Site {
        let unit = self.summaries[unit].unit.as_ref();
        unit.map_or_else(|| otherwise.clone(), |unit| unit.site.clone())
    }

    /// The paths of targets that are still to be composed, if there is something new to do so with.
    fn composition(&mut self) -> Next {
        let slices = self.slices();
        let mut waiting = VecDeque::new();
        for (target, paths) in self.paths.iter().enumerate() {
            if self.targets[target].found.is_none() {
                let new = paths.iter().enumerate();
                let new = new.filter(|(_, path)| path.composed_at != Some(slices));
                waiting.extend(new.map(|(path, _)| (target, path)));
            }
        }
        Next::Compose(waiting, None)
    }

    /// Combines a formula with a path of a caller.
    fn compose(
        &mut self,
        mut waiting: VecDeque<(usize, usize)>,
        way: Option<Way>,
        judge: &mut dyn Judge,
    ) -> Event {
        let slices = self.slices();
        let mut parts = Composition {
            summaries: &mut self.summaries,
            profiles: &self.profiles,
            combined: &mut self.counts.combined,
        };
        let Some(mut way) = way else {
            let Some((target, path)) = waiting.pop_front() else {
                self.next = self.round();
                return Event::Tested;
            };
            if self.targets[target].found.is_none() {
                let path = &mut self.paths[target][path];
                path.composed_at = Some(slices);
                let composer = Composer::new(&parts, path.formula.clone());
                let way = Way { target, composer, left: self.options.attempts };
                self.next = Next::Compose(waiting, Some(way));
            } else {
                self.next = Next::Compose(waiting, None);
            }
            return Event::Combined;
        };
        let whole = way.composer.step(&mut parts);
        way.left -= 1;
        let target = way.target;
        let event = whole.map(|formula| self.validate(target, &formula, judge));
        let is_over =
            way.composer.is_over() || way.left == 0 || self.targets[target].found.is_some();
        self.next = Next::Compose(waiting, (!is_over).then_some(way));
        event.unwrap_or(Event::Combined)
    }

    /// Runs the program on what was composed.
    fn validate(&mut self, target: usize, formula: &Formula, judge: &mut dyn Judge) -> Event {
        let input = formula.input.clone();
        self.targets[target].formulas += 1;
        let program = &mut self.summaries[PROGRAM];
        let run = match program.record(&input, &self.units) {
            Some(run) => run,
            None => program.subject.run(&input, None),
        };
        let edges = self.note_edges(&run);
        let (failure, is_same, error) = self.judge(&input, &run, judge);
        if is_same && run.place.as_ref() == Some(&self.targets[target].site) {
            let chain = formula.chain.iter().filter(|&&unit| unit != PROGRAM);
            let site = self.targets[target].site.clone();
            let chain = chain.map(|&unit| self.site(unit, &site)).collect();
            let pairs = formula.base.iter().zip(&input).enumerate();
            let changes = pairs.filter(|(_, (old, new))| old != new);
            let changes = changes.map(|(at, (&old, &new))| (at, old, new)).collect();
            let found = &mut self.targets[target];
            found.validating += 1;
            found.found = Some(Found { failure, chain, changes });
        }
        Event::Ran { input, edges, failure, error }
    }
}
