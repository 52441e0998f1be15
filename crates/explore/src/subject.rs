//! The program that is explored: where it is entered, and its runs.

use crate::parts;
use crate::path::{Decision, Kind};
use crate::symbolic::{LENGTH, Symbolic, SymbolicLimits, Trail};
use pleach_concolic::build::{Built, Entry, Input};
use pleach_concolic::ir::{Module, Pc, Place};
use pleach_concolic::program::Program;
use pleach_concolic::vm::{Access, Machine, Options, Outcome, Snapshot};
use pleach_solver::Model;
use std::sync::Arc;

/// How what is run gets its input.
pub trait Enter: std::fmt::Debug + Send + Sync {
    /// Gives a machine that is where it begins an input: what runs next is what takes it.
    ///
    /// # Errors
    /// It has no room for the input.
    fn enter(&self, machine: &mut Machine<Symbolic>, input: &[u8]) -> Result<(), Outcome>;

    /// Whether the input's length is a variable too.
    fn has_length(&self) -> bool;

    /// Whether an input may have another length than those that were given, though nothing computes with that.
    fn takes_any_length(&self) -> bool {
        self.has_length()
    }

    /// Whether another input can be given to a machine that has returned of one.
    fn takes_another(&self) -> bool {
        false
    }

    /// An input in which some bytes of another one were changed, as one that is taken in the same way.
    fn mend(&self, old: &[u8], new: Vec<u8>) -> Vec<u8> {
        let _ = old;
        new
    }
}

impl Enter for Program {
    fn enter(&self, machine: &mut Machine<Symbolic>, input: &[u8]) -> Result<(), Outcome> {
        if !self.takes_bytes() {
            let given = match parts::read(input) {
                Some((given, layout)) => {
                    machine.domain.layout = Some(Arc::new(layout));
                    given
                }
                None => Input::bytes(input),
            };
            return self.give(machine, &given);
        }
        self.give(machine, &Input::bytes(input))?;
        let length = machine.domain.length(input.len());
        if let Some(shadow) = machine.frame_mut().1.get_mut(1) {
            *shadow = length;
        }
        Ok(())
    }

    fn mend(&self, old: &[u8], new: Vec<u8>) -> Vec<u8> {
        match self.takes_bytes() {
            true => new,
            false => parts::mend(old, new),
        }
    }

    fn has_length(&self) -> bool {
        self.takes_bytes()
    }

    fn takes_any_length(&self) -> bool {
        true
    }

    fn takes_another(&self) -> bool {
        self.takes_bytes()
    }
}

/// How many times as many instructions as others the run may execute that makes what is made once, and how many at most, which take some
/// ten seconds.
const ONCE: u64 = 256;
const MOST: u64 = 1 << 28;
/// Of how many instructions a run is worth to be shortened so, and how often that is tried.
const LONG: u64 = 200_000;
const TRIES: u32 = 4;

/// A program in the machine, or a part of one, stopped before it has seen its input.
#[derive(Debug)]
pub struct Subject {
    entry: Arc<dyn Enter>,
    machine: Machine<Symbolic>,
    start: Snapshot<Option<pleach_solver::TermId>>,
    /// How many instructions a run may execute, where that is known.
    steps: Option<u64>,
    /// How often it was tried to begin where a run has ended.
    warmed: u32,
}

/// The record of one input's run in the machine: outcome, steps and path.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// How many instructions it executed, from the program's entry on.
    pub steps: u64,
    /// The path, and what was lost.
    pub trail: Trail,
    /// Of a failure the innermost place outside of the standard library: file, line and function.
    pub place: Option<Site>,
}

/// An owned copy of a source place, which outlives the module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Site {
    /// The file's path from the root, as far as the compiler was told.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function, as it is written in the source.
    pub function: String,
}

impl Site {
    /// A place of the program.
    pub fn new(place: Place<'_>) -> Site {
        Site {
            file: place.path().to_string_lossy().into_owned(),
            line: place.line,
            column: place.column,
            function: pleach_concolic::ir::demangled(place.function),
        }
    }

    /// The innermost place of an instruction outside of the standard library.
    pub fn of(module: &Module, at: Pc) -> Option<Site> {
        module.places(at).find(|place| !place.in_std()).map(Site::new)
    }
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Subject {
    /// Loads a program and runs what is done before it sees its input.
    ///
    /// [`Options::input`] is not used.
    ///
    /// # Errors
    /// The function is not there, or what comes before it fails.
    pub fn new(
        module: Arc<Module>,
        entry: &Entry,
        options: Options,
        limits: SymbolicLimits,
    ) -> Result<Subject, Outcome> {
        let Some(program) = Program::new(module, entry) else {
            let what = "a program without its entry".to_owned();
            return Err(Outcome::Unsupported { what, line: 0 });
        };
        Subject::of(program, options, limits)
    }

    fn of(program: Program, options: Options, limits: SymbolicLimits) -> Result<Subject, Outcome> {
        let mut domain = Symbolic::new(Arc::clone(program.module()), limits);
        domain.begin(None);
        let steps = options.get_steps();
        let machine = program.prepare(domain, options)?;
        Ok(Subject { steps: Some(steps), ..Subject::at(machine, Arc::new(program)) })
    }

    /// What goes on where a machine is, once it has its input.
    pub fn at(mut machine: Machine<Symbolic>, entry: Arc<dyn Enter>) -> Subject {
        let start = machine.snapshot();
        Subject { entry, machine, start, steps: None, warmed: 0 }
    }

    /// The same once more, with terms of its own.
    pub fn again(&mut self) -> Subject {
        let fresh = self.machine.domain.fresh();
        let domain = std::mem::replace(&mut self.machine.domain, fresh);
        let machine = self.machine.clone();
        self.machine.domain = domain;
        // Nothing comes from an input before there is one, so that the start has no terms.
        let (entry, start) = (Arc::clone(&self.entry), self.start.clone());
        Subject { entry, machine, start, steps: self.steps, warmed: self.warmed }
    }

    /// Begins where a run on an input has ended, if another one takes less than half of its instructions there: tables that a program
    /// makes when it first needs them are made. That is tried a few times, where a run is long. The run that
    /// has made them, if so.
    pub fn warm(&mut self, input: &[u8], run: &Run) -> Option<Run> {
        let steps = self.steps.filter(|_| self.entry.takes_another())?;
        if self.warmed >= TRIES || run.steps < LONG || run.outcome.is_crash() {
            return None;
        }
        self.warmed += 1;
        self.machine.resume(&self.start);
        self.machine.allow(steps.saturating_mul(ONCE).min(MOST).max(steps));
        let first = self.run(input, Some(&[]));
        if first.outcome == Outcome::Budget {
            // One more that has no end would take as long.
            self.warmed = TRIES;
        }
        let mut is_warm = matches!(first.outcome, Outcome::Returned(_));
        if is_warm {
            let warm = self.machine.snapshot();
            let cold = std::mem::replace(&mut self.start, warm);
            self.machine.allow(steps);
            let next = self.run(input, Some(&[]));
            is_warm = matches!(next.outcome, Outcome::Returned(_)) && next.steps < first.steps / 2;
            if !is_warm {
                self.start = cold;
            }
        }
        self.machine.resume(&self.start);
        self.machine.allow(steps);
        is_warm.then_some(first)
    }

    /// The same for an input of which no run is known.
    pub fn warm_by(&mut self, input: &[u8]) -> Option<Run> {
        if self.warmed >= TRIES || !self.entry.takes_another() {
            return None;
        }
        self.machine.domain.watched.clear();
        let run = self.run(input, Some(&[]));
        self.warm(input, &run)
    }

    /// Loads what was built.
    ///
    /// # Errors
    /// In words: a file that cannot be read, a text that is no IR, a program that fails before it sees its input.
    pub fn open(
        built: &Built,
        options: Options,
        limits: SymbolicLimits,
    ) -> Result<Subject, String> {
        let program = Program::read(built).map_err(|error| error.to_string())?;
        Subject::of(program, options, limits)
            .map_err(|outcome| format!("before the program sees its input: {outcome}"))
    }

    /// The program.
    pub fn module(&self) -> &Arc<Module> {
        self.machine.module()
    }

    /// Its terms, and how they are made.
    pub fn symbolic(&mut self) -> &mut Symbolic {
        &mut self.machine.domain
    }

    /// Whether the input's length is a variable too.
    pub fn has_length(&self) -> bool {
        self.entry.has_length()
    }

    /// Whether an input may have another length than those that were given.
    pub fn takes_any_length(&self) -> bool {
        self.entry.takes_any_length()
    }

    /// An input in which some bytes of another one were changed, as one that the program takes in the same way.
    pub fn mend(&self, old: &[u8], new: Vec<u8>) -> Vec<u8> {
        self.entry.mend(old, new)
    }

    /// Runs the program on an input of which these bytes are followed; if nothing is said, all and the length.
    pub fn run(&mut self, input: &[u8], free: Option<&[bool]>) -> Run {
        self.run_watched(input, free, &mut |_| ())
    }

    /// The same, and has a look at the machine where it has entered one of the functions that are
    /// [watched](Symbolic::watched).
    pub fn run_watched(
        &mut self,
        input: &[u8],
        free: Option<&[bool]>,
        at_call: &mut dyn FnMut(&mut Machine<Symbolic>),
    ) -> Run {
        let machine = &mut self.machine;
        machine.resume(&self.start);
        machine.domain.begin(free);
        let before = machine.steps();
        let mut outcome = match self.entry.enter(machine, input) {
            Ok(()) => machine.run(),
            Err(outcome) => outcome,
        };
        while outcome == Outcome::Paused {
            at_call(machine);
            outcome = machine.run();
        }
        let steps = machine.steps() - before;
        let fails = outcome.is_crash();
        let place = if fails { machine.subject_place().map(Site::new) } else { None };
        let trail = machine.domain.end(input);
        Run { outcome, steps, trail, place }
    }
}

/// An input as the values of variables.
pub fn model(input: &[u8]) -> Model {
    let mut model = Model::from_bytes(input);
    model.set(LENGTH, input.len() as u128);
    model
}

impl Decision {
    /// Whether it is worth trying to go another way here.
    pub fn may_be_negated(&self) -> bool {
        match self.kind {
            Kind::Edge(_) => true,
            Kind::Pinned(access) => matches!(access, Access::Load | Access::Call | Access::Choice),
            Kind::Returned => true,
            Kind::Fixed | Kind::Within => false,
        }
    }
}
