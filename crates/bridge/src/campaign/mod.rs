//! A campaign: carving, testing units and lifting, over and over.
//!
//! What is found waits to be lifted, inputs wait to be run, and else the unit is tested behind whose call most code lies that
//! no run has come to, the less the longer that has gone on. Every run of the program that does something new is
//! carved again.

mod attempts;
mod counts;
mod options;

pub use counts::{Alarm, Causes, Counts, Lifted, Mapped, Outcomes, Suspicion};
pub use options::Options;

use crate::carve::{Call, Carver, Context, Unit};
use crate::choice::Graph;
use crate::fuzzer::Fuzzer;
use crate::lift::Way;
use crate::system::{Broken, SystemTester};
use crate::tester::{Concolic, Findings, Predicted, UnitTester, UnitTesters};
use attempts::{Came, Expected, Guess, Waiting};
use fxhash::{FxHashMap, FxHashSet, FxHasher};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_concolic::vm::Outcome;
use pleach_explore::native::{Judge, Verdict};
use pleach_explore::path::Decision;
use pleach_explore::search::{Failure, Failures, is_set};
use pleach_explore::subject::{Run, Site, Subject};
use pleach_solver::Solver;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many inputs are known not to be run again.
const INPUTS: usize = 1 << 22;
/// How many inputs are run again when terms were forgotten.
const AGAIN: usize = 64;
/// How many instructions a unit executes before another one has its turn.
const STEPS: u64 = 2_000_000;
/// For how many slices a unit is tested that finds nothing.
const BARREN: u32 = 16;
/// How many suspicions are kept.
const SUSPICIONS: usize = 1000;

/// Which engine tests the units that a campaign carves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// The concolic engine.
    #[default]
    Concolic,
    /// A fuzzer of values.
    Fuzzer,
}

impl UnitTesters for Units {
    fn begin(&mut self, unit: &Unit, seed: u64) -> Box<dyn UnitTester> {
        match self {
            Units::Concolic => Box::new(Concolic::new(unit, seed)),
            Units::Fuzzer => Box::new(Fuzzer::new(unit, seed)),
        }
    }
}

/// What one step of a campaign did, to be counted or shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An input of the program was run.
    Ran {
        /// The input.
        input: Vec<u8>,
        /// How many edges it was the first to take.
        edges: u64,
        /// The failure that it shows, by its place in [`Campaign::failures`], if that is new or the input is
        /// the smallest so far.
        failure: Option<usize>,
        /// Whether the program itself fails on it, where it was run.
        fails: bool,
        /// Why the program could not be run natively, if it could not.
        error: Option<String>,
    },
    /// Nothing could be lifted.
    Unliftable,
    /// A unit was tested.
    Tested,
    /// The system tester can't go on, and is not asked any more.
    BrokenSystem(Broken),
    /// A unit tester can't go on: that unit is over.
    BrokenUnits(Broken),
    /// Nothing is left to try.
    Finished,
}

/// A unit and what is known of it.
#[derive(Debug)]
struct State {
    unit: Unit,
    tester: Option<Box<dyn UnitTester>>,
    predicted: Predicted,
    /// For how many slices it was tested, and for how many since something was found last.
    slices: u32,
    barren: u32,
    is_over: bool,
}

impl State {
    /// Tests it no more: what was found is still lifted, and a call like it may be carved again.
    fn retire(&mut self, carver: &mut Carver) {
        self.tester = None;
        self.is_over = true;
        carver.release(&self.unit);
    }
}

/// A run of the whole program.
struct Ran {
    event: Event,
    came: Option<Came>,
    /// Whether it did what was predicted, and did so in the machine.
    predicted: bool,
    shown: bool,
    /// Whether it failed where that was predicted, and whether it failed in a new way.
    failed_so: bool,
    is_failure: bool,
    edges: u64,
    /// The call, if that is what a detour is for and it has the same context.
    call: Option<Call>,
}

/// A campaign on one program: it runs inputs, carves units out of the runs, tests these and lifts
/// what they find.
pub struct Campaign {
    system: Subject,
    module: Arc<Module>,
    options: Options,
    carver: Carver,
    graph: Graph,
    solver: Solver,
    units: Vec<Option<State>>,
    waiting: VecDeque<Vec<u8>>,
    lifts: VecDeque<Waiting>,
    tester: Option<Box<dyn SystemTester>>,
    testers: Box<dyn UnitTesters>,
    /// How many inputs the system tester has made since a unit was tested.
    made: u32,
    /// Inputs that were run, hashed.
    inputs: FxHashSet<u64>,
    /// Those that did something new.
    kept: Vec<Vec<u8>>,
    taken: Vec<u64>,
    failures: Failures,
    alarms: Vec<Alarm>,
    suspicions: BTreeMap<(Option<Site>, &'static str), Suspicion>,
    /// How often the machine came to what it may not or cannot do.
    unfollowed: BTreeMap<String, u64>,
    counts: Counts,
    ways: [Lifted; 5],
    functions: [FxHashSet<FunctionId>; 4],
    /// What became of guesses, by function and way, and of findings of the same failure, by function and place: how many were
    /// made, and how many came true.
    guesses: FxHashMap<(FunctionId, Guess), (u32, u32)>,
    /// How many units were tested since terms were forgotten.
    tested: u64,
}

impl std::fmt::Debug for Campaign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Campaign").field("counts", &self.counts).finish_non_exhaustive()
    }
}

/// The places of [`Campaign::functions`].
const CARVED: usize = 0;
const TESTED: usize = 1;
const LIFTED: usize = 2;
const EFFECTIVE: usize = 3;

impl Campaign {
    /// A campaign without inputs yet, with units of these functions.
    pub fn new(
        system: Subject,
        admitted: impl IntoIterator<Item = FunctionId>,
        options: Options,
    ) -> Campaign {
        let module = Arc::clone(system.module());
        Campaign {
            carver: Carver::new(Arc::clone(&module), admitted, options.sampling),
            graph: Graph::new(&module),
            solver: Solver::new(options.solver),
            units: Vec::new(),
            waiting: VecDeque::new(),
            lifts: VecDeque::new(),
            tester: None,
            testers: Box::new(options.units),
            made: 0,
            inputs: FxHashSet::default(),
            kept: Vec::new(),
            taken: vec![0; (module.edges() as usize).div_ceil(64)],
            failures: Failures::default(),
            alarms: Vec::new(),
            suspicions: BTreeMap::new(),
            unfollowed: BTreeMap::new(),
            counts: Counts::default(),
            ways: [Lifted::default(); 5],
            functions: Default::default(),
            guesses: FxHashMap::default(),
            tested: 0,
            system,
            module,
            options,
        }
    }

    /// With what makes inputs of the whole program beside.
    pub fn with_system_tester(mut self, tester: Box<dyn SystemTester>) -> Campaign {
        self.tester = Some(tester);
        self
    }

    /// With other testers of units.
    pub fn with_unit_testers(mut self, testers: Box<dyn UnitTesters>) -> Campaign {
        self.testers = testers;
        self
    }

    /// Adds an input, if it was not run before.
    pub fn add(&mut self, input: &[u8]) {
        if self.is_new(input) {
            self.waiting.push_back(input.to_vec());
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        let count = |functions: &FxHashSet<FunctionId>| functions.len() as u64;
        Counts {
            called: count(&self.carver.called),
            carved: count(&self.functions[CARVED]),
            tested: count(&self.functions[TESTED]),
            lifted: count(&self.functions[LIFTED]),
            effective: count(&self.functions[EFFECTIVE]),
            refused: self.carver.refused,
            ..self.counts
        }
    }

    /// What became of what was lifted in each way.
    pub fn ways(&self) -> [(Way, Lifted); 5] {
        let mut ways = Way::ALL.map(|way| (way, Lifted::default()));
        for (way, lifted) in ways.iter_mut().zip(self.ways) {
            way.1 = lifted;
        }
        ways
    }

    /// All failures of the program itself, in the order in which they were found.
    pub fn failures(&self) -> &[Failure] {
        self.failures.all()
    }

    /// Those that were found in a unit.
    pub fn alarms(&self) -> &[Alarm] {
        &self.alarms
    }

    /// What failed in units and not in the program, at lines at which that has not failed.
    pub fn suspicions(&self) -> impl Iterator<Item = &Suspicion> {
        let lines = self.failures().iter().filter_map(|it| it.location.rsplit_once(':'));
        let lines: FxHashSet<&str> = lines.map(|(line, _)| line).collect();
        let is_open = move |(site, _): &(Option<Site>, &str)| {
            let line = site.as_ref().map(|site| format!("{}:{}", site.file, site.line));
            line.is_none_or(|line| !lines.contains(&line[..]))
        };
        self.suspicions.iter().filter(move |(key, _)| is_open(key)).map(|(_, it)| it)
    }

    /// Why runs of the program were not followed to their end, and how many of those in [`Counts::runs`].
    pub fn unfollowed(&self) -> &BTreeMap<String, u64> {
        &self.unfollowed
    }

    /// A bit for each edge of the control flow that a run of the program took.
    pub fn edges(&self) -> &[u64] {
        &self.taken
    }

    fn is_new(&mut self, input: &[u8]) -> bool {
        if self.inputs.len() >= INPUTS {
            self.inputs.clear();
        }
        let mut hasher = FxHasher::default();
        input.hash(&mut hasher);
        self.inputs.insert(hasher.finish())
    }

    /// Does one thing: runs an input, lifts, or tests a unit for a while.
    ///
    /// The same steps with the same seed and the same verdicts do the same.
    pub fn step(&mut self, judge: &mut dyn Judge) -> Event {
        if self.system.symbolic().terms.is_full() {
            self.forget();
        }
        if let Some(input) = self.waiting.pop_front() {
            // A unit is of a call by its number, which is another one where runs begin later.
            let cold = if self.units.is_empty() { self.system.warm_by(&input) } else { None };
            let event = self.run(input, None, true, judge).event;
            if let Some(cold) = cold {
                self.note_edges(&cold);
            }
            return event;
        }
        if let Some(waiting) = self.lifts.pop_front() {
            return self.lift(waiting, judge);
        }
        self.sweep();
        let chosen = self.choose();
        if (self.made < self.options.system || chosen.is_none())
            && let Some(event) = self.make(judge)
        {
            self.made += 1;
            return event;
        }
        self.made = 0;
        match chosen {
            Some(unit) => self.test(unit),
            None => Event::Finished,
        }
    }

    /// Goes on without the terms there are: units are carved again from the inputs that did something new.
    fn forget(&mut self) {
        self.counts.forgotten += 1;
        self.system.symbolic().clear();
        self.solver = Solver::new(self.options.solver);
        self.units.clear();
        self.lifts.clear();
        self.carver.forget();
        // If no unit was tested, these inputs alone are too much, and would be again.
        if self.tested > 0 {
            self.waiting.extend(self.kept.iter().rev().take(AGAIN).cloned());
        }
        self.tested = 0;
    }

    /// An input of the system tester. First it runs without terms: most do nothing new.
    fn make(&mut self, judge: &mut dyn Judge) -> Option<Event> {
        let input = match self.tester.as_mut()?.next() {
            Ok(input) => input?,
            Err(broken) => {
                self.tester = None;
                return Some(Event::BrokenSystem(broken));
            }
        };
        if !self.is_new(&input) {
            return Some(Event::Tested);
        }
        self.system.symbolic().watched.clear();
        let run = self.system.run(&input, Some(&[]));
        let known = run.trail.edges.iter().zip(&self.taken).all(|(own, known)| own & !known == 0);
        if known && !run.outcome.is_crash() {
            self.note(&run.outcome);
            return Some(Event::Ran { input, edges: 0, failure: None, fails: false, error: None });
        }
        Some(self.run(input, None, false, judge).event)
    }

    /// Counts a run of the program.
    fn note(&mut self, outcome: &Outcome) {
        self.counts.runs += 1;
        if !outcome.is_crash() && !outcome.is_end() {
            *self.unfollowed.entry(outcome.to_string()).or_default() += 1;
        }
    }

    /// Notes which edges and calls a run has taken: how many of the edges are new.
    fn note_edges(&mut self, run: &Run) -> u64 {
        let mut edges = 0;
        for (known, &own) in self.taken.iter_mut().zip(&run.trail.edges) {
            edges += u64::from((own & !*known).count_ones());
            *known |= own;
        }
        self.counts.edges += edges;
        self.graph.add(&self.module, &run.trail.calls);
        edges
    }

    /// Runs the whole program on an input.
    fn run(
        &mut self,
        input: Vec<u8>,
        expected: Option<&Expected<'_>>,
        is_given: bool,
        judge: &mut dyn Judge,
    ) -> Ran {
        let observed = expected.map(|expected| expected.unit.function);
        let mut watched = self.carver.begin();
        watched.extend(observed);
        self.system.symbolic().watched = watched;
        let carver = &mut self.carver;
        // Whether the call of the same number came, and how; and how any did.
        let (mut same, mut any, mut new) = (None, None, false);
        let mut found: Option<(usize, Context)> = None;
        let limits = self.options.sampling.limits;
        let run = self.system.run_watched(&input, None, &mut |machine| {
            let looked = carver.look(machine, observed);
            let (Some(expected), Some((function, ordinal))) = (expected, looked) else { return };
            if function != expected.unit.function || new {
                return;
            }
            if expected.way.is_none() {
                if found.is_none() && ordinal == expected.unit.ordinal {
                    let context = Context::of(machine, limits);
                    let is_same = context.places == expected.unit.call.context.places;
                    found = is_same.then(|| (machine.domain.decided(), context));
                }
                return;
            }
            let came = expected.came(machine);
            new = came == Came::New;
            any = Some(came);
            if ordinal == expected.unit.ordinal {
                same = Some(came);
            }
        });
        let came = if new { Some(Came::New) } else { same.or(any) };
        self.note(&run.outcome);
        let mut predicted = expected.is_some_and(|expected| {
            let edges = &run.trail.edges;
            expected.finding.edges.iter().any(|&edge| is_set(edges, edge))
        });
        let mut shown = predicted;
        let edges = self.note_edges(&run);
        let fails_so = expected.and_then(|expected| expected.finding.failure.as_ref());
        let fails_there =
            fails_so.is_some_and(|failing| run.outcome.is_crash() && run.place == failing.site);
        shown |= fails_there;
        let (mut failure, mut fails, mut failed_so, mut error) = (None, false, false, None);
        let is_new = is_given || edges > 0 || run.outcome.is_crash();
        if fails_so.is_some() || (is_new && self.failures.asks(&run)) {
            self.counts.native += 1;
            match judge.judge(&input, Some(&run)) {
                Verdict::Failed(fault) => {
                    fails = true;
                    let known = self.failures.all().len();
                    failure = self.failures.note(&input, fault, &run);
                    failed_so = fails_there;
                    predicted |= fails_there;
                    if let (Some(at), Some(expected)) = (failure, expected) {
                        self.alarm(at, at >= known, expected);
                    }
                }
                Verdict::Passed => {}
                Verdict::Unknown(why) => error = Some(why),
            }
        }
        let is_wanted = is_given || edges > 0;
        if edges > 0 {
            self.counts.inputs += 1;
            self.kept.push(input.clone());
            if let Some(tester) = &mut self.tester {
                tester.learn(&input);
            }
        }
        let whole: Arc<[u8]> = input.as_slice().into();
        let path: Arc<[Decision]> = run.trail.decisions.into();
        let call = found.map(|(before, context)| {
            Call::new(Arc::clone(&whole), Arc::clone(&path), before, Arc::new(context))
        });
        let terms = &self.system.symbolic().terms;
        for unit in self.carver.end(&whole, &path, terms, is_wanted) {
            self.counts.units += 1;
            self.counts.mapped += unit.call.context.values.len() as u64;
            self.functions[CARVED].insert(unit.function);
            let state = State {
                unit,
                tester: None,
                predicted: Predicted::default(),
                slices: 0,
                barren: 0,
                is_over: false,
            };
            self.units.push(Some(state));
        }
        let is_failure = failure.is_some();
        let event = Event::Ran { input, edges, failure, fails, error };
        Ran { event, came, predicted, shown, failed_so, is_failure, edges, call }
    }

    /// The unit behind which most is missing, the less the longer it was tested.
    fn choose(&self) -> Option<usize> {
        let missing = self.graph.missing(&self.taken);
        let mut behind: FxHashMap<FunctionId, u32> = FxHashMap::default();
        let mut best: Option<(u64, usize)> = None;
        for (at, state) in self.units.iter().enumerate() {
            let Some(state) = state.as_ref().filter(|state| !state.is_over) else { continue };
            let function = state.unit.function;
            let behind =
                *behind.entry(function).or_insert_with(|| self.graph.behind(function, &missing));
            let score = (1000 * (1 + u64::from(behind))) / u64::from(1 + state.slices);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Tests a unit for a while.
    fn test(&mut self, at: usize) -> Event {
        let Some(mut state) = self.units[at].take() else { return Event::Tested };
        if state.tester.is_none() {
            self.make_room();
        }
        let seed = self.options.seed.wrapping_add(at as u64);
        let unit = &state.unit;
        let tester = state.tester.get_or_insert_with(|| self.testers.begin(unit, seed));
        self.tested += 1;
        self.functions[TESTED].insert(unit.function);
        let (runs, steps) = (tester.runs(), tester.steps());
        let mut findings = Findings::new(&self.taken, &mut state.predicted);
        let mut goes_on = Ok(true);
        for _ in 0..self.options.slice {
            goes_on = tester.step(&mut findings);
            if goes_on != Ok(true) || tester.steps() - steps > STEPS {
                break;
            }
        }
        self.counts.unit_runs += tester.runs() - runs;
        let found = findings.found;
        state.slices += 1;
        state.barren = if found.is_empty() { state.barren + 1 } else { 0 };
        self.counts.found += found.len() as u64;
        for finding in found.into_iter().filter(|it| it.values != unit.call.context.values) {
            let is_failure = finding.failure.is_some();
            let waiting = Waiting::new(at, finding);
            match is_failure {
                true => self.lifts.push_front(waiting),
                false => self.lifts.push_back(waiting),
            }
        }
        if goes_on != Ok(true) || state.barren >= BARREN {
            state.retire(&mut self.carver);
        }
        self.units[at] = Some(state);
        goes_on.map_or_else(Event::BrokenUnits, |_| Event::Tested)
    }

    /// Has the unit go that was tested longest, if there are as many testers as may be.
    fn make_room(&mut self) {
        let tested = self.units.iter_mut().flatten().filter(|state| state.tester.is_some());
        let mut tested: Vec<&mut State> = tested.collect();
        if tested.len() >= self.options.testers
            && let Some(oldest) = tested.iter_mut().max_by_key(|state| (state.barren, state.slices))
        {
            oldest.retire(&mut self.carver);
        }
    }

    /// Forgets units that are over and of which nothing waits to be lifted.
    fn sweep(&mut self) {
        if self.lifts.is_empty() {
            for state in &mut self.units {
                if state.as_ref().is_some_and(|state| state.is_over) {
                    *state = None;
                }
            }
        }
    }
}
