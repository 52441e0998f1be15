//! Summaries: the explored paths of a function's unit, and where each calls units of other functions.
//!
//! A unit is explored in one machine and recorded in another, of which the terms stay: a path's conditions are over the unit's free
//! bytes, and so is what a call of another unit is given ([`Slice`]). The program itself has a summary too, over its input: the
//! way to those units that it calls with no other unit between.

use fxhash::{FxHashMap, FxHashSet, FxHasher};
use pleach_bridge::carve::{Binding, Context, Kept, Unit};
use pleach_concolic::ir::{FunctionId, Pc};
use pleach_concolic::vm::Machine;
use pleach_explore::path::Decision;
use pleach_explore::subject::{Run, Subject};
use pleach_explore::symbolic::Symbolic;
use pleach_solver::Solver;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::formula::Condition;
use crate::profile::Node;

/// How many calls of a function a run is asked for, and how many of those below other units are looked at.
const CALLS: u32 = 16;
const BELOW: u32 = 256;
/// How many slices to the same unit a summary has, and how many to one for whose sake it is refined.
const SLICES: u32 = 64;
const REFINED: u32 = 512;

/// The place of the program itself among summaries.
pub(crate) const PROGRAM: usize = 0;

/// A path up to a call of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    /// The unit that is called, by its place among summaries.
    pub(crate) callee: usize,
    /// The input of the path: of a unit its free bytes.
    pub(crate) input: Arc<[u8]>,
    path: Arc<[Decision]>,
    before: usize,
    /// How the callee's unit gets its context.
    pub(crate) binding: Arc<Binding>,
    /// On which of the bytes that the caller was carved with its run depends, and how many of these are before the call.
    read: Arc<[u32]>,
    depends: usize,
}

impl Slice {
    /// What was decided up to the call.
    pub(crate) fn decisions(&self) -> &[Decision] {
        &self.path[..self.before.min(self.path.len())]
    }

    /// What was decided, as conditions.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        self.decisions().iter().map(Condition::of).collect()
    }

    /// On which of the bytes that the caller was carved with the path depends.
    pub(crate) fn read(&self) -> &[u32] {
        &self.read[..self.depends.min(self.read.len())]
    }
}

/// A unit by its place among summaries, and what it was carved with.
#[derive(Clone, Debug)]
pub(crate) struct Carved {
    pub(crate) place: usize,
    pub(crate) context: Arc<Context>,
    pub(crate) kept: Arc<Kept>,
}

/// What units there are of each function.
pub(crate) type Units = FxHashMap<FunctionId, Vec<Carved>>;

/// A unit, or the program, and its paths.
pub(crate) struct Summary {
    /// The unit; none for the program.
    pub(crate) unit: Option<Unit>,
    /// Its function.
    pub(crate) node: Node,
    /// Where paths are recorded.
    pub(crate) subject: Subject,
    pub(crate) solver: Solver,
    pub(crate) slices: Vec<Slice>,
    /// The functions of which its search leaves decisions as they are.
    pub(crate) without: FxHashSet<FunctionId>,
    /// The unit for whose sake it is refined.
    pub(crate) wanted: Option<usize>,
    /// A bit for each edge that a run has taken, and how many bits there are.
    taken: Vec<u64>,
    pub(crate) edges: u64,
    /// Whether paths of it were recorded, and whether there is no room for more.
    pub(crate) is_known: bool,
    pub(crate) is_full: bool,
    /// Slices that there are, hashed, and how many of them lead to each unit.
    seen: FxHashSet<u64>,
    counts: FxHashMap<usize, u32>,
}

/// A call that was met in a run.
struct Met {
    callee: usize,
    before: usize,
    binding: Binding,
    depends: usize,
}

/// Those of one run, but for calls of units to which there are slices enough.
struct Slices {
    met: Vec<Met>,
    full: FxHashSet<usize>,
}

/// How many slices to a unit there may be.
fn most(wanted: Option<usize>, unit: usize) -> u32 {
    if wanted == Some(unit) { REFINED } else { SLICES }
}

impl Summary {
    pub(crate) fn new(
        unit: Option<Unit>,
        node: Node,
        subject: Subject,
        solver: pleach_solver::Options,
        without: FxHashSet<FunctionId>,
    ) -> Summary {
        Summary {
            without,
            wanted: None,
            taken: vec![0; (subject.module().edges() as usize).div_ceil(64)],
            edges: 0,
            is_known: false,
            is_full: false,
            unit,
            node,
            subject,
            solver: Solver::new(solver),
            slices: Vec::new(),
            seen: FxHashSet::default(),
            counts: FxHashMap::default(),
        }
    }

    /// The same subject once more, for a search of its own.
    pub(crate) fn another(&mut self) -> Subject {
        match &self.unit {
            Some(unit) => unit.subject(),
            None => self.subject.again(),
        }
    }

    /// Runs an input and keeps its path to each call of a unit. None if there is no room for more terms.
    pub(crate) fn record(&mut self, input: &[u8], units: &Units) -> Option<Run> {
        self.is_full = self.subject.symbolic().terms.is_full();
        if self.is_full {
            return None;
        }
        self.subject.symbolic().watched = units.keys().copied().collect();
        let is_program = self.unit.is_none();
        let mut calls = FxHashMap::default();
        let counts = self.counts.iter();
        let full = counts.filter(|&(&unit, &count)| count >= most(self.wanted, unit));
        let mut met = Slices { met: Vec::new(), full: full.map(|(&unit, _)| unit).collect() };
        let run = self.subject.run_watched(input, None, &mut |machine| {
            met.look(machine, is_program, units, &mut calls);
        });
        self.subject.symbolic().watched.clear();
        for (known, own) in self.taken.iter_mut().zip(&run.trail.edges) {
            self.edges += u64::from((own & !*known).count_ones());
            *known |= own;
        }
        self.is_known = true;
        let path: Arc<[Decision]> = run.trail.decisions.as_slice().into();
        let input: Arc<[u8]> = input.into();
        let read: Arc<[u32]> = run.trail.read.as_slice().into();
        for Met { callee, before, binding, depends } in met.met {
            let (input, path, read) = (Arc::clone(&input), Arc::clone(&path), Arc::clone(&read));
            let binding = Arc::new(binding);
            self.keep(Slice { callee, input, path, before, binding, read, depends });
        }
        Some(run)
    }

    /// Gives memory back that only saves time, until it is recorded again.
    pub(crate) fn rest(&mut self) {
        self.subject.symbolic().rest();
        self.solver.rest();
    }

    fn keep(&mut self, slice: Slice) {
        let mut hasher = FxHasher::default();
        (slice.callee, &slice.binding).hash(&mut hasher);
        for decision in slice.decisions() {
            decision.holds.hash(&mut hasher);
        }
        let count = self.counts.entry(slice.callee).or_default();
        if *count < most(self.wanted, slice.callee) && self.seen.insert(hasher.finish()) {
            *count += 1;
            self.slices.push(slice);
        }
    }
}

impl Slices {
    /// Looks at a call that a machine has just entered.
    fn look(
        &mut self,
        machine: &mut Machine<Symbolic>,
        is_program: bool,
        units: &Units,
        calls: &mut FxHashMap<FunctionId, (u32, u32)>,
    ) {
        let module = Arc::clone(machine.module());
        let trace = machine.trace();
        let Some(callee) = trace.first().and_then(|&at| module.function_at(at)) else { return };
        // The outermost function of a unit is the caller itself.
        let end = if is_program { trace.len() } else { trace.len() - 1 };
        let is_unit = |at: &Pc| module.function_at(*at).is_some_and(|it| units.contains_key(&it));
        let is_below = trace.get(1..end).is_some_and(|between| between.iter().any(is_unit));
        let (own, below) = calls.entry(callee).or_default();
        *(if is_below { &mut *below } else { &mut *own }) += 1;
        if *own > CALLS || *below > BELOW {
            machine.domain.watched.remove(&callee);
            return;
        }
        if is_below {
            return;
        }
        let units = units.get(&callee).into_iter().flatten();
        for unit in units.filter(|unit| !self.full.contains(&unit.place)) {
            if let Some(binding) = unit.context.bind(&unit.kept, machine) {
                let (before, depends) = (machine.domain.decided(), machine.domain.depends());
                self.met.push(Met { callee: unit.place, before, binding, depends });
            }
        }
    }
}
