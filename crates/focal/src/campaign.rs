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
use pleach_explore::subject::{Run, Site, Subject, model};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::compose::Composer;
use crate::formula::{Combined, Composition, Formula, Part};
use crate::graph::{Functions, MAIN};
use crate::profile::{Node, Profiles};
use crate::reduce::Reduction;
use crate::refine::{Refined, Refinement, Refining};
use crate::summary::{PROGRAM, Summary, Units};

/// How many units there are, at most, and how many failing paths of a unit are kept for one place.
const UNITS: usize = 256;
const PATHS: usize = 4;
/// How many inputs the program's own summary is made of, those with the most new first.
const KEPT: usize = 256;
/// How many instructions the tests of a unit may execute at a time.
const STEPS: u64 = 5_000_000;
/// How many instructions the search for functions that were not called may execute.
const REACHED: u64 = 20_000_000;

/// What is done in another way, to compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Nothing.
    #[default]
    Whole,
    /// No interpolants: callers are explored for all rounds without them.
    I,
    /// No extended units: of a unit's branches only those of its function are negated.
    E,
    /// Extended units are drawn at random from what a function calls, as large as they would be.
    R,
    /// No composition: the whole program is explored towards the targets, as KATCH does.
    W,
    /// No summaries: of each caller, backwards, it is looked for an input with which it comes to the target, as Mix-CCBSE does.
    M,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 6] =
        [Variant::Whole, Variant::I, Variant::E, Variant::R, Variant::W, Variant::M];

    /// By its letter, which [`Variant::Whole`] does not have.
    pub fn named(letter: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|it| it.letter() == Some(letter))
    }

    /// Its letter.
    pub fn letter(self) -> Option<&'static str> {
        match self {
            Variant::Whole => None,
            Variant::I => Some("I"),
            Variant::E => Some("E"),
            Variant::R => Some("R"),
            Variant::W => Some("W"),
            Variant::M => Some("M"),
        }
    }
}

/// How a campaign goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is done in another way. Default: nothing.
    pub variant: Variant,
    /// What its random choices are made of. Default: 0.
    pub seed: u64,
    /// How many inputs are made of the seeds, at random, before calls are profiled. Default: 256.
    pub fuzz: u32,
    /// How long these may get, in bytes. Default: 4,096.
    pub max_length: usize,
    /// How many of 100 pairs of functions are relevant. Default: 20.
    pub percent: u32,
    /// For how many steps the program is explored towards functions that no run calls. Default: 256.
    pub reach: u32,
    /// For how many steps of a search a unit is tested at a time. Default: 64.
    pub slice: u32,
    /// How often each unit is, at most. Default: 32.
    pub rounds: u32,
    /// How many paths of callers a failure is combined with after each round. Default: 256.
    pub attempts: u32,
    /// How callers are explored whose known paths exclude a failure.
    pub refinement: Refining,
    /// Which calls become units.
    pub sampling: Sampling,
    /// What the solver may use for one question. Default: 10,000 conflicts, 1,000,000 decisions and a circuit of 400,000 variables.
    pub solver: pleach_solver::Options,
}

impl Default for Options {
    fn default() -> Options {
        let limits = Limits { parameters: 1024, ..Limits::default() };
        Options {
            variant: Variant::Whole,
            seed: 0,
            fuzz: 256,
            max_length: 4096,
            percent: 20,
            reach: 256,
            slice: 64,
            rounds: 32,
            attempts: 256,
            refinement: Refining::default(),
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
    /// Seeds and what is made of them run, calls are counted and units carved; the program is explored towards functions that it did not call.
    Profiles,
    /// Units are tested and their summaries made.
    Targets,
    /// Formulas of failures are combined with paths of callers.
    Composition,
    /// It is looked for what all paths of a caller exclude.
    Interpolants,
    /// A caller is explored for more paths.
    Refinement,
    /// An input that was composed is made shorter.
    Reduction,
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
    /// The functions whose paths were combined, the outermost one first; none if the program failed on the way, while more paths of it
    /// were looked for.
    pub chain: Vec<Site>,
    /// The input that was composed.
    pub composed: Vec<u8>,
    /// The bytes of it that the solver changed.
    pub changes: Vec<Change>,
    /// The shortest input that does the same and was found.
    pub reduced: Vec<u8>,
}

/// A byte of an input that the solver changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it is.
    pub at: usize,
    /// What it was.
    pub old: u8,
    /// What it is.
    pub new: u8,
    /// The places that decide otherwise for it, those nearest to the failure first.
    pub why: Vec<Site>,
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
    /// Functions of the program's own that no run has called: they have no context.
    pub without_context: u64,
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
    /// The search for functions that were not called, and how many steps it may still take.
    Reach(Box<Explorer>, u32),
    /// The program's own summary, of these inputs.
    Enter(Vec<Vec<u8>>),
    /// Units, the next one last.
    Test(Vec<usize>),
    /// Targets and their paths, the next one first, and the way from one of them.
    Compose(VecDeque<(usize, usize)>, Option<Way>),
    /// The whole program is explored towards the targets that were open when it began.
    Explore,
    /// An input is made shorter, before what comes then.
    Reduce(Box<Reduction>, Box<Next>),
    Over,
}

/// The way backwards from a target's path.
#[derive(Debug)]
struct Way {
    target: usize,
    path: usize,
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
    /// The inputs that the program's own summary is made of.
    begun: Vec<Vec<u8>>,
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
    /// A caller that is explored for a failure's sake, and what came of all.
    refinement: Option<Refinement>,
    refined: Refined,
    /// Callers and formulas for whose sake they were explored, hashed.
    done: FxHashSet<u64>,
    /// How many steps searches of units have taken.
    tested: u64,
    /// The search of the whole program, and how many targets were open when it began.
    whole: Option<(usize, Explorer)>,
    round: u32,
    next: Next,
}

impl std::fmt::Debug for Campaign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Campaign").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

/// What a unit does is no failure of the program, which has its word later.
pub(crate) struct Later;

impl Judge for Later {
    fn judge(&mut self, _: &[u8], _: Option<&Run>) -> Verdict {
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
        let refinement = Refining {
            interpolants: options.refinement.interpolants && options.variant != Variant::I,
            ..options.refinement
        };
        let options = Options { refinement, ..options };
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
            begun: Vec::new(),
            summaries: vec![Summary::new(None, MAIN, system, options.solver, None)],
            explorers: BTreeMap::new(),
            units: Units::default(),
            targets: Vec::new(),
            paths: Vec::new(),
            failures: Failures::default(),
            taken: vec![0; (module.edges() as usize).div_ceil(64)],
            unfollowed: BTreeMap::new(),
            counts: Counts::default(),
            refinement: None,
            refined: Refined::default(),
            done: FxHashSet::default(),
            tested: 0,
            whole: None,
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
            Next::Profile | Next::Reach(..) | Next::Enter(_) => Phase::Profiles,
            Next::Reduce(..) => Phase::Reduction,
            Next::Test(_) => Phase::Targets,
            Next::Explore => Phase::Refinement,
            Next::Compose(..) | Next::Over => match &self.refinement {
                None => Phase::Composition,
                Some(it) if it.is_interpolating(self.summaries[it.caller()].slices.len()) => {
                    Phase::Interpolants
                }
                Some(_) => Phase::Refinement,
            },
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        let sum = |of: fn(&Target) -> u64| self.targets.iter().map(of).sum();
        Counts {
            called: self.profiles.functions().filter(|&it| it != MAIN).count() as u64,
            without_context: self.uncalled().len() as u64,
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

    /// What came of exploring callers for the sake of failures.
    pub fn refined(&self) -> &Refined {
        &self.refined
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
            Next::Reach(explorer, left) => self.reach(explorer, left, judge),
            Next::Reduce(reduction, then) => self.reduce(*reduction, *then, judge),
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
            Next::Explore => self.explore(judge),
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
            self.next = self.towards_uncalled();
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

    /// The program's own functions that no run has called.
    fn uncalled(&self) -> Vec<FunctionId> {
        self.functions.all(|node| !self.profiles.occurs(node))
    }

    /// A search towards functions that were not called, if there are some; else what comes then.
    fn towards_uncalled(&mut self) -> Next {
        let uncalled = self.uncalled();
        if self.options.reach == 0 || uncalled.is_empty() || self.kept.is_empty() {
            return self.enter();
        }
        let options = search::Options {
            seed: self.options.seed,
            max_length: self.options.max_length,
            targets: uncalled.into_iter().map(search::Target::Entry).collect(),
            keeps_on: true,
            varies_lengths: false,
            ..search::Options::default()
        };
        let mut explorer = Explorer::new(self.summaries[PROGRAM].subject.again(), options);
        for (_, input) in &self.kept {
            explorer.add(input);
        }
        Next::Reach(Box::new(explorer), self.options.reach)
    }

    /// Takes a step towards functions that were not called. What takes edges that are new there may call one.
    fn reach(&mut self, mut explorer: Box<Explorer>, left: u32, judge: &mut dyn Judge) -> Event {
        let step = explorer.step(&mut Later);
        let is_over =
            step == search::Event::Finished || left == 1 || explorer.counts().steps > REACHED;
        let event = match step {
            search::Event::Ran { input, edges, .. }
                if edges > 0 && !self.kept.iter().any(|(_, kept)| *kept == input) =>
            {
                self.carve(input, false, judge)
            }
            _ => Event::Tested,
        };
        self.next = if is_over { self.enter() } else { Next::Reach(explorer, left - 1) };
        event
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
        match judge.judge(input, Some(run)) {
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
        let percent = match self.options.variant {
            Variant::E => 0,
            _ => self.options.percent,
        };
        let mut extended = self.profiles.extended(percent);
        if self.options.variant == Variant::R {
            let random = &mut self.random;
            self.profiles.redraw(&mut extended, &mut |limit| random.below(limit));
        }
        for unit in std::mem::take(&mut self.carved) {
            let Some(node) = self.functions.node(unit.function) else { continue };
            let place = self.summaries.len();
            let context = &unit.call.context;
            self.units.entry(unit.function).or_default().push((place, Arc::clone(context)));
            let within = self.within(node, &extended);
            let options = search::Options {
                seed: self.options.seed.wrapping_add(place as u64),
                max_length: context.values.len(),
                within: Some(within.clone()),
                preferred: self.functions.all(|it| it == node).into_iter().collect(),
                ..search::Options::default()
            };
            let mut explorer = Explorer::new(unit.subject(), options);
            explorer.add(&context.values);
            self.explorers.insert(place, explorer);
            let subject = unit.subject();
            let solver = self.options.solver;
            self.summaries.push(Summary::new(Some(unit), node, subject, solver, Some(within)));
        }
        self.summaries[PROGRAM].subject.symbolic().clear();
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(|(edges, _)| std::cmp::Reverse(*edges));
        kept.truncate(KEPT);
        let kept: Vec<Vec<u8>> = kept.into_iter().rev().map(|(_, input)| input).collect();
        self.begun.clone_from(&kept);
        Next::Enter(kept)
    }

    /// The functions of which a unit's search makes decisions otherwise: all but those that profiles have and that are not relevant.
    fn within(
        &self,
        node: Node,
        extended: &BTreeMap<Node, BTreeSet<Node>>,
    ) -> FxHashSet<FunctionId> {
        let unit = extended.get(&node);
        let is_alone = self.options.variant == Variant::E;
        let is_in = |function: &FunctionId| match self.functions.node(*function) {
            Some(other) if other != node && (is_alone || self.profiles.occurs(other)) => {
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
            self.tested += 1;
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
        if self.options.variant == Variant::W {
            return Next::Explore;
        }
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
        let may_refine = self.may_refine();
        let site = { way.as_ref() }.filter(|_| self.options.variant == Variant::M);
        let site = site.map(|way| self.targets[way.target].site.clone());
        let mut parts = Composition {
            options: &self.options,
            summaries: &mut self.summaries,
            units: &self.units,
            profiles: &self.profiles,
            combined: &mut self.counts.combined,
            may_refine,
            refinement: &mut self.refinement,
            refined: &mut self.refined,
            done: &mut self.done,
            site,
            ran: None,
            is_deferred: false,
        };
        let Some(mut way) = way else {
            let Some((target, path)) = waiting.pop_front() else {
                self.next = self.round();
                return Event::Tested;
            };
            if self.targets[target].found.is_none() {
                let known = &mut self.paths[target][path];
                known.composed_at = Some(slices);
                let composer = Composer::new(&parts, known.formula.clone());
                let way = Way { target, path, composer, left: self.options.attempts };
                self.next = Next::Compose(waiting, Some(way));
            } else {
                self.next = Next::Compose(waiting, None);
            }
            return Event::Combined;
        };
        let whole = way.composer.step(&mut parts);
        let Composition { ran, is_deferred, .. } = parts;
        way.left -= u32::from(self.refinement.is_none());
        let target = way.target;
        if is_deferred {
            self.paths[target][way.path].composed_at = None;
        }
        let (event, reduction) = match (whole, ran) {
            (Some(formula), _) => self.validate(target, &formula, judge),
            (None, Some((place, input, run))) => (self.note_run(place, input, &run, judge), None),
            (None, None) => (Event::Combined, None),
        };
        if way.composer.is_over() || way.left == 0 || self.targets[target].found.is_some() {
            if let Some(refinement) = self.refinement.take() {
                refinement.end(&mut self.summaries[refinement.caller()], &mut self.refined);
            }
            self.next = Next::Compose(waiting, None);
        } else {
            self.next = Next::Compose(waiting, Some(way));
        }
        if let Some(reduction) = reduction {
            let then = std::mem::replace(&mut self.next, Next::Over);
            self.next = Next::Reduce(Box::new(reduction), Box::new(then));
        }
        event
    }

    /// How many steps refinement may still take: as many as tests of units have, and all that it asks for when these are over.
    fn may_refine(&self) -> u64 {
        match self.explorers.is_empty() || self.round >= self.options.rounds {
            true => u64::MAX,
            false => self.tested.saturating_sub(self.refined.steps),
        }
    }

    /// Takes a step of a search of the whole program towards the targets.
    fn explore(&mut self, judge: &mut dyn Judge) -> Event {
        let open = self.targets.iter().filter(|target| target.found.is_none());
        let open: Vec<search::Target> = open.map(|target| line(&target.site)).collect();
        if self.may_refine() == 0 || open.is_empty() {
            self.next = self.round();
            return Event::Tested;
        }
        let (_, explorer) = match &mut self.whole {
            Some(whole) if whole.0 == open.len() => whole,
            whole => {
                let options = search::Options {
                    seed: self.options.seed,
                    max_length: self.options.max_length,
                    targets: open.clone(),
                    keeps_on: true,
                    varies_lengths: false,
                    ..search::Options::default()
                };
                let program = &mut self.summaries[PROGRAM];
                let mut explorer = Explorer::new(program.subject.again(), options);
                for input in &self.begun {
                    explorer.add(input);
                }
                whole.insert((open.len(), explorer))
            }
        };
        self.refined.steps += 1;
        match explorer.step(&mut Later) {
            search::Event::Ran { input, .. } => {
                self.next = Next::Explore;
                let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
                self.refined.runs += 1;
                self.note_run(PROGRAM, input, &run, judge)
            }
            search::Event::Asked { .. } => {
                self.next = Next::Explore;
                Event::Combined
            }
            search::Event::Finished => {
                // There is something new for it when there are other targets.
                self.next = self.round();
                Event::Tested
            }
        }
    }

    /// Notes what a unit or the program did while it was refined.
    fn note_run(
        &mut self,
        place: usize,
        input: Vec<u8>,
        run: &Run,
        judge: &mut dyn Judge,
    ) -> Event {
        if place != PROGRAM {
            self.counts.unit_runs += 1;
            self.note_target(place, &input, run);
            return Event::Combined;
        }
        let edges = self.note_edges(run);
        let (failure, is_same, error) = self.judge(&input, run, judge);
        if let Some(site) = run.place.as_ref().filter(|_| is_same)
            && let Some(target) = self.targets.iter_mut().find(|it| it.site == *site)
        {
            let (composed, reduced) = (input.clone(), input.clone());
            let met = Found { failure, chain: Vec::new(), composed, changes: Vec::new(), reduced };
            target.found.get_or_insert(met);
        }
        Event::Ran { input, edges, failure, error }
    }

    /// Runs the program on what was composed.
    fn validate(
        &mut self,
        target: usize,
        formula: &Formula,
        judge: &mut dyn Judge,
    ) -> (Event, Option<Reduction>) {
        let mut reduction = None;
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
            let (changes, composed) = (self.changes(formula), input.clone());
            let reduced = input.clone();
            let found = &mut self.targets[target];
            found.validating += 1;
            found.found = Some(Found { failure, chain, composed, changes, reduced });
            reduction = Some(Reduction::new(target, input.len()));
        }
        (Event::Ran { input, edges, failure, error }, reduction)
    }

    /// The bytes that the solver changed, each with the places whose conditions it did not fulfil before.
    fn changes(&mut self, formula: &Formula) -> Vec<Change> {
        let Formula { base, input, .. } = formula;
        let pairs = base.iter().zip(input).enumerate().filter(|(_, (old, new))| old != new);
        let mut changes: Vec<Change> =
            pairs.map(|(at, (&old, &new))| Change { at, old, new, why: Vec::new() }).collect();
        let (terms, before) = (&self.summaries[PROGRAM].subject.symbolic().terms, model(base));
        for condition in formula.conditions.iter().rev() {
            if terms.evaluate(condition.holds, &before) == 1 {
                continue;
            }
            let Some(site) = Site::of(&self.module, condition.at) else { continue };
            let variables = terms.variables(condition.holds);
            for change in &mut changes {
                let depends = variables.binary_search(&(change.at as u32)).is_ok();
                if depends && !change.why.contains(&site) {
                    change.why.push(site.clone());
                }
            }
        }
        changes
    }

    /// Leaves a part of an input out and sees whether the program still fails so.
    fn reduce(&mut self, mut reduction: Reduction, then: Next, judge: &mut dyn Judge) -> Event {
        let target = reduction.target;
        let found = self.targets[target].found.as_ref();
        let (reduced, failure) =
            found.map_or((Vec::new(), None), |it| (it.reduced.clone(), it.failure));
        let Some(input) = reduction.next(&reduced) else {
            self.next = then;
            return Event::Ran { input: reduced, edges: 0, failure, error: None };
        };
        let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
        self.note(&run);
        let is_there = run.place.as_ref() == Some(&self.targets[target].site);
        let (_, is_same, error) =
            if is_there { self.judge(&input, &run, judge) } else { (None, false, None) };
        if is_same && let Some(found) = &mut self.targets[target].found {
            found.reduced = input.clone();
        }
        reduction.tell(is_same);
        self.next = Next::Reduce(Box::new(reduction), Box::new(then));
        Event::Ran { input, edges: 0, failure: None, error }
    }
}

/// A place, as a search goes there.
pub(crate) fn line(site: &Site) -> search::Target {
    search::Target::Line { file: site.file.clone(), line: site.line }
}
