//! The whole of it, step by step: profiles, failures of units with summaries beside them, composition, and the program's own word.

mod backwards;
mod found;
mod judged;
mod profiles;
mod program;
mod targets;
mod validation;

use fxhash::FxHashSet;
use pleach_bridge::carve::{Carver, Unit};
use pleach_bridge::system::{Broken, Bytes, Changing, SystemTester};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_explore::native::Judge;
use pleach_explore::random::Random;
use pleach_explore::search::{self, Explorer, Failure, Failures};
use pleach_explore::subject::{Run, Site, Subject};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::compose::Composer;
use crate::formula::{Done, Formula, Part, known};
use crate::graph::{Functions, MAIN};
use crate::profile::{Node, Profiles};
use crate::reduce::Reduction;
use crate::refine::{Refined, Refinement};
use crate::summary::{PROGRAM, Summary, Units};

pub use crate::options::{Options, Variant};
pub use found::{Change, Counts, Found, Open, Target};

/// How many units are tested before what is new of them is composed, and the program's own search goes on.
const TOGETHER: usize = 16;

/// The stage of the approach that the next step of a campaign belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Seeds run, and what a search of the program finds and what is made of them at random, calls are counted and units carved; the program is
    /// explored towards functions that it did not call.
    Profiles,
    /// Units are tested and their summaries made, and the program is searched beside.
    Targets,
    /// Formulas of failures are combined with paths of callers.
    Composition,
    /// It is looked for what all paths of a caller exclude.
    Interpolants,
    /// A caller is explored for more paths.
    Refinement,
    /// The input of a failure that is new is made shorter.
    Reduction,
}

/// What one step of a campaign did, to be counted or shown.
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
        /// Whether the program itself fails on it.
        fails: bool,
        /// Why the program could not be run natively, if it could not.
        error: Option<String>,
    },
    /// What makes inputs of the program to begin with is broken, and is not asked any more.
    Broken(Broken),
    /// A unit was tested for a while.
    Tested,
    /// A formula was combined with a path of a caller.
    Combined,
    /// Nothing is left to do.
    Finished,
}

/// What is to be done next.
#[derive(Debug)]
enum Next {
    /// Inputs that were added, the search of the program from these, and inputs made at random; whether that search is behind.
    Profile(bool),
    /// The search of the program before there are units: how many steps it may take without new edges, and up to which instruction, and how many
    /// it may take at all.
    Begin(u32, u64, u32),
    /// The search for functions that were not called, and how many steps it may still take.
    Reach(Box<Explorer>, u32),
    /// The program's own summary, of these inputs.
    Enter(Vec<Vec<u8>>),
    /// The next unit of those that are left in this round.
    Test,
    /// The program's own search, and how many steps it takes and up to which instruction.
    Program(u32, u64),
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
    /// How much was known of callers when it began.
    known: usize,
}

/// A failing path, and how much was known of callers when it was composed last.
#[derive(Debug)]
struct Path {
    formula: Formula,
    composed_at: Option<usize>,
}

/// A campaign on one program: it profiles runs, explores units, and composes their failures
/// backwards to inputs.
pub struct Campaign {
    module: Arc<Module>,
    options: Options,
    functions: Functions,
    profiles: Profiles,
    carver: Carver,
    random: Random,
    tester: Box<dyn SystemTester>,
    /// How many inputs were made at random, and how many instructions their runs have executed.
    made: u32,
    fuzzed: u64,
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
    done: Done,
    /// How many steps searches of units have taken.
    tested: u64,
    /// The search of the program itself, until it is over.
    program: Option<Explorer>,
    /// Where the program failed while it was explored.
    met: BTreeMap<Site, Found>,
    /// The search of the program towards targets, and those that were open when it began.
    whole: Option<(Vec<search::Target>, Explorer)>,
    round: u32,
    /// The units that are still to be tested in this round, the next one last.
    order: Vec<usize>,
    /// For how many of them the program's own search has not taken its steps yet.
    owed: u32,
    next: Next,
}

impl std::fmt::Debug for Campaign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Campaign").field("counts", &self.counts()).finish_non_exhaustive()
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
        let interpolants = options.refinement.interpolants && options.variant != Variant::I;
        let refinement = options.refinement.interpolants(interpolants);
        let options = options.refinement(refinement);
        Campaign {
            functions: Functions::new(&module, &own),
            profiles: Profiles::default(),
            carver: Carver::new(Arc::clone(&module), own, options.sampling),
            random: Random(options.seed),
            tester: Box::new(Changing::new(Bytes, options.seed, options.max_length)),
            made: 0,
            fuzzed: 0,
            waiting: VecDeque::new(),
            kept: Vec::new(),
            carved: Vec::new(),
            begun: Vec::new(),
            summaries: vec![Summary::new(None, MAIN, system, options.solver, FxHashSet::default())],
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
            done: Done::default(),
            tested: 0,
            program: None,
            met: BTreeMap::new(),
            whole: None,
            round: 0,
            order: Vec::new(),
            owed: 0,
            next: Next::Profile(false),
            module,
            options,
        }
    }

    /// With what else than random changes of bytes makes inputs of those to begin with.
    pub fn with_system_tester(mut self, tester: Box<dyn SystemTester>) -> Campaign {
        self.tester = tester;
        self
    }

    /// Adds an input to begin with. Once units are tested none is looked at any more.
    pub fn add(&mut self, input: &[u8]) {
        self.waiting.push_back(input.to_vec());
    }

    /// What is done next.
    pub fn phase(&self) -> Phase {
        match self.next {
            Next::Profile(_) | Next::Begin(..) | Next::Reach(..) | Next::Enter(_) => {
                Phase::Profiles
            }
            Next::Reduce(..) => Phase::Reduction,
            Next::Test | Next::Program(..) => Phase::Targets,
            Next::Explore => Phase::Refinement,
            Next::Compose(..) | Next::Over => match &self.refinement {
                None => Phase::Composition,
                Some(it) => {
                    let slices = self.summaries[it.caller()].slices.len();
                    match it.is_interpolating(slices, &self.options) {
                        true => Phase::Interpolants,
                        false => Phase::Refinement,
                    }
                }
            },
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        let sum = |of: fn(&Target) -> u64| self.targets.iter().map(of).sum();
        let defined = |functions: &mut dyn Iterator<Item = FunctionId>| {
            let nodes: BTreeSet<Node> =
                functions.filter_map(|it| self.functions.node(it)).collect();
            nodes.len() as u64
        };
        Counts {
            called: self.profiles.functions().filter(|&it| it != MAIN).count() as u64,
            without_context: defined(&mut self.uncalled().into_iter()),
            functions: defined(&mut self.units.keys().copied()),
            units: self.summaries.len() as u64 - 1,
            full: self.summaries.iter().filter(|it| it.is_full).count() as u64,
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

    /// How much is known of callers: it is another number when there is something new to compose with.
    fn known(&self) -> usize {
        known(&self.summaries)
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
        let known = self.failures.all().len();
        let event = self.advance(judge);
        if self.failures.all().len() > known {
            self.begin_reduction(known);
        }
        event
    }

    fn advance(&mut self, judge: &mut dyn Judge) -> Event {
        match std::mem::replace(&mut self.next, Next::Over) {
            Next::Profile(is_searched) => self.profile(is_searched, judge),
            Next::Begin(left, end, all) => self.begin(left, end, all, judge),
            Next::Reach(explorer, left) => self.reach(explorer, left, judge),
            Next::Reduce(reduction, then) => self.reduce(*reduction, *then, judge),
            Next::Enter(mut inputs) => {
                if let Some(input) = inputs.pop() {
                    self.summaries[PROGRAM].record(&input, &self.units);
                    self.next = Next::Enter(inputs);
                } else {
                    self.next = self.tests();
                }
                Event::Tested
            }
            Next::Test => {
                if let Some(unit) = self.order.pop() {
                    self.test(unit);
                    self.owed += 1;
                }
                self.next = match self.order.len().is_multiple_of(TOGETHER) {
                    true => self.composition(),
                    false => Next::Test,
                };
                Event::Tested
            }
            Next::Program(left, end) => match self.search_program(left, end, judge) {
                Some((event, left, end)) => {
                    self.next = Next::Program(left, end);
                    event
                }
                None => {
                    self.next = self.tests();
                    Event::Tested
                }
            },
            Next::Compose(waiting, way) => self.compose(waiting, way, judge),
            Next::Explore => self.explore(judge),
            Next::Over => Event::Finished,
        }
    }

    /// Counts a run of the program.
    fn note(&mut self, run: &Run) {
        self.counts.runs += 1;
        let outcome = &run.outcome;
        if !outcome.is_crash() && !outcome.is_end() {
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

    /// Notes what a unit or the program did while it was explored.
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
        let judged = self.judge(&input, run, judge);
        if judged.is_same {
            self.note_met(&input, run, judged.failure);
        }
        judged.event(input, edges)
    }

    /// Notes that the program fails as a run in the machine says: nothing need be composed to make it fail there.
    fn note_met(&mut self, input: &[u8], run: &Run, failure: Option<usize>) {
        let Some(site) = &run.place else { return };
        let (chain, composed, changes) = (Vec::new(), input.to_vec(), Vec::new());
        let met = Found { failure, chain, composed, changes };
        let met = self.met.entry(site.clone()).or_insert(met);
        if let Some(target) = self.targets.iter_mut().find(|it| it.site == *site) {
            target.found.get_or_insert_with(|| met.clone());
        }
    }
}
