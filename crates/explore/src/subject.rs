//! The program that is explored: where it is entered, and its runs.

use crate::path::{Decision, Kind};
use crate::symbolic::{LENGTH, Limits, Symbolic, Trail};
use pleach_concolic::build::{Built, Entry};
use pleach_concolic::ir::{FunctionId, Module, Pc, Place};
use pleach_concolic::vm::{Access, Machine, Options, Outcome, Snapshot, Source};
use pleach_solver::Model;
use std::sync::Arc;

/// A program in the machine, stopped before it has seen its input.
#[derive(Debug)]
pub struct Subject {
    machine: Machine<Symbolic>,
    start: Snapshot<Option<pleach_solver::TermId>>,
    /// The function that takes bytes and their number; none if `main` reads standard input.
    function: Option<FunctionId>,
}

/// What a run on one input did.
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

/// A place in the source, to be kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Site {
    /// The file as the compiler was told.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function, as it is written in the source.
    pub function: String,
}

impl Site {
    fn new(place: Place<'_>) -> Site {
        Site {
            file: place.file.to_owned(),
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
        limits: Limits,
    ) -> Result<Subject, Outcome> {
        let domain = Symbolic::new(Arc::clone(&module), limits);
        let mut machine = Machine::new(Arc::clone(&module), domain, options)?;
        machine.domain.begin(None);
        let function = match entry {
            Entry::Main => None,
            Entry::Bytes { symbol, initialize } => {
                let Some(function) = module.find_function(symbol) else {
                    let what = format!("a program without {symbol}");
                    return Err(Outcome::Unsupported { what, line: 0 });
                };
                if let Some(outcome) = machine.initialize()? {
                    return Err(outcome);
                }
                if let Some(first) = initialize.and_then(|name| module.find_function(name)) {
                    Self::call_first(&mut machine, first)?;
                }
                Some(function)
            }
        };
        let start = machine.snapshot();
        Ok(Subject { machine, start, function })
    }

    /// Calls what a fuzz target asks to be called once, with one argument.
    fn call_first(machine: &mut Machine<Symbolic>, first: FunctionId) -> Result<(), Outcome> {
        let name = machine.allocate(b"program\0")?;
        let row: Vec<u8> = [name, 0].iter().flat_map(|place| place.to_le_bytes()).collect();
        let row = machine.allocate(&row)?;
        let count = machine.allocate(&1u64.to_le_bytes())?;
        let rows = machine.allocate(&row.to_le_bytes())?;
        machine.call(first, &[count.into(), rows.into()]);
        match machine.run() {
            Outcome::Returned(_) => Ok(()),
            outcome => Err(outcome),
        }
    }

    /// Loads what was built.
    ///
    /// # Errors
    /// In words: a file that cannot be read, a text that is no IR, a program that fails before it sees its input.
    pub fn open(built: &Built, options: Options, limits: Limits) -> Result<Subject, String> {
        let files = [&built.ir].into_iter().chain(&built.more);
        let texts: Vec<String> = files
            .map(|file| {
                std::fs::read_to_string(file)
                    .map_err(|error| format!("{}: {error}", file.display()))
            })
            .collect::<Result<_, _>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let module =
            Module::read_all(&texts).map_err(|error| format!("{}: {error}", built.ir.display()))?;
        Subject::new(Arc::new(module), &built.entry, options, limits)
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
        self.function.is_some()
    }

    /// Runs the program on an input of which these bytes are followed; if nothing is said, all and the length.
    pub fn run(&mut self, input: &[u8], free: Option<&[bool]>) -> Run {
        let machine = &mut self.machine;
        machine.resume(&self.start);
        machine.domain.begin(free);
        let before = machine.steps();
        let outcome = match self.function {
            Some(function) => enter(machine, function, input, free.is_none()),
            None => {
                machine.set_input(input);
                machine.start()
            }
        };
        let outcome = match outcome {
            Ok(()) => machine.run(),
            Err(outcome) => outcome,
        };
        let steps = machine.steps() - before;
        let fails = outcome.is_crash();
        let place = if fails { machine.subject_place().map(Site::new) } else { None };
        let trail = machine.domain.end(input);
        Run { outcome, steps, trail, place }
    }
}

/// Enters a function that takes bytes and their number.
fn enter(
    machine: &mut Machine<Symbolic>,
    function: FunctionId,
    input: &[u8],
    length: bool,
) -> Result<(), Outcome> {
    let address = machine.allocate(input)?;
    let marked = machine.mark_input(address, input.len() as u64, Source::Input);
    marked.map_err(|fault| Outcome::Memory { fault, address })?;
    machine.call(function, &[address.into(), input.len() as u128]);
    if length {
        let length = machine.domain.length();
        if let Some(shadow) = machine.frame_mut().1.get_mut(1) {
            *shadow = length;
        }
    }
    Ok(())
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
            Kind::Fixed | Kind::Within => false,
        }
    }
}
