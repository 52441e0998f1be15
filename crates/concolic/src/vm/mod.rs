//! The machine that runs a program.
//!
//! [`Machine`] executes a [`Module`] one instruction after the other, deterministically: the same
//! input gives the same run. Its state is in one place, so that [`Machine::snapshot`] is a copy of a
//! few pointers and of the topmost frame, and [`Machine::resume`] goes on from there any number of
//! times, also with memory or arguments changed. Whatever ends a run is an [`Outcome`] of its own.

mod calls;
mod compute;
mod domain;
mod memory;
mod options;
mod outcome;
mod stack;
mod step;
mod system;

pub use domain::{Access, Domain, Flow, Operation, Plain, Source, Value};
pub use memory::{Extent, Fault, Memory};
pub use options::Options;
pub use outcome::{Location, Outcome, Panic};

use crate::ir::{FunctionId, Global, Meaning, Module, Pc, Place, SymbolId};
use memory::Kind;
use outcome::Stop;
use stack::Stack;
use std::sync::Arc;
use system::System;

/// What is run when the stack is empty, and what runs then.
#[derive(Clone, Copy, Debug)]
enum Task {
    Main(FunctionId),
    Initializer(FunctionId),
    /// A function that somebody asked for.
    Call,
}

/// Where a panic began.
#[derive(Clone, Debug)]
struct Begun {
    location: Option<outcome::Location>,
    trace: Arc<[Pc]>,
}

/// Everything that a run changes.
#[derive(Clone, Debug)]
struct State<S> {
    memory: Memory<S>,
    stack: Stack<S>,
    stack_bytes: u64,
    steps: u64,
    system: System,
    pending: Vec<Task>,
    running: Option<Task>,
    /// The status with which the program ends, once it does.
    ended: Option<i32>,
    panic: Option<Begun>,
}

/// A copy of everything that a run changes, from which any number of runs can go on.
#[derive(Clone, Debug)]
pub struct Snapshot<S>(State<S>);

/// A virtual machine with a program and its state; a clone of it is a snapshot.
#[derive(Clone, Debug)]
pub struct Machine<D: Domain> {
    module: Arc<Module>,
    /// What shadows the values.
    pub domain: D,
    state: State<D::Shadow>,
    options: Arc<Options>,
    /// For each symbol what the system does where it is called.
    table: Arc<[Option<system::Known<D>>]>,
    /// Where panics go through.
    panic_entry: Option<FunctionId>,
    /// The instruction that is executed.
    at: Pc,
    /// Values on their way, kept to save allocations.
    scratch: Vec<Value<D::Shadow>>,
}

impl<D: Domain> Machine<D> {
    /// A machine that has not begun.
    ///
    /// # Errors
    /// [`Outcome::Memory`] never; [`Outcome::OutOfMemory`] if the program's variables alone have more
    /// bytes than [`Options::memory`].
    pub fn new(module: Arc<Module>, domain: D, options: Options) -> Result<Machine<D>, Outcome> {
        let mut memory = Memory::new(options.memory);
        for (id, symbol) in module.symbols.iter().enumerate() {
            let supplied = system::variable(&symbol.name).map(|size| Global {
                symbol: SymbolId(id as u32),
                size,
                writable: true,
                bytes: Box::default(),
            });
            let global = match symbol.meaning {
                Meaning::Global(index) => Some(&module.globals[index as usize]),
                Meaning::Declared => supplied.as_ref(),
                _ => None,
            };
            memory.add_symbol(global).map_err(|_| Outcome::OutOfMemory)?;
        }
        let names = module.symbols.iter();
        let table = names.map(|symbol| system::lookup(&symbol.name)).collect();
        let panic_entry = module.functions().find(|&id| {
            // Its name was changed once.
            let name = module.name(module.function(id).symbol);
            name.contains("panicking")
                && matches!(
                    &*crate::ir::demangled(name),
                    "std::panicking::panic_with_hook" | "std::panicking::rust_panic_with_hook"
                )
        });
        let state = State {
            memory,
            stack: Stack::default(),
            stack_bytes: 0,
            steps: 0,
            system: System::default(),
            pending: Vec::new(),
            running: None,
            ended: None,
            panic: None,
        };
        let options = Arc::new(options);
        let (at, scratch) = (Pc(0), Vec::new());
        Ok(Machine { module, domain, state, options, table, panic_entry, at, scratch })
    }

    /// Makes the program's start what runs next: what is called before `main`, and then `main`.
    ///
    /// # Errors
    /// There is no `main`, or no memory for the arguments.
    pub fn start(&mut self) -> Result<(), Outcome> {
        let main = self.module.symbol("main").map(|symbol| self.module.meaning(symbol));
        let Some(Meaning::Function(main)) = main else {
            return Err(Outcome::Unsupported { what: "a program without main".into(), line: 0 });
        };
        self.prepare()?;
        self.state.pending.push(Task::Main(main));
        self.push_initializers();
        Ok(())
    }

    /// Runs what is called before `main`, so that functions can be called: `None` if nothing
    /// failed.
    ///
    /// # Errors
    /// No memory is left for the arguments.
    pub fn initialize(&mut self) -> Result<Option<Outcome>, Outcome> {
        self.prepare()?;
        self.push_initializers();
        if self.state.pending.is_empty() {
            return Ok(None);
        }
        Ok(match self.run() {
            Outcome::Returned(_) => None,
            outcome => Some(outcome),
        })
    }

    fn push_initializers(&mut self) {
        for &symbol in self.module.initializers.iter().rev() {
            if let Meaning::Function(id) = self.module.meaning(symbol) {
                self.state.pending.push(Task::Initializer(id));
            }
        }
    }

    /// Makes a function with these arguments, one for each scalar, what runs next.
    pub fn call(&mut self, function: FunctionId, arguments: &[u128]) {
        self.state.running = Some(Task::Call);
        self.enter(function, arguments, crate::ir::NO_RESULT);
    }

    /// Runs until something ends or pauses the run.
    pub fn run(&mut self) -> Outcome {
        match self.execute() {
            Stop::Paused => Outcome::Paused,
            stop => self.outcome(stop),
        }
    }

    /// Copies everything that a run changes, but the domain.
    pub fn snapshot(&mut self) -> Snapshot<D::Shadow> {
        self.state.stack.seal();
        Snapshot(self.state.clone())
    }

    /// Goes back to a snapshot.
    pub fn resume(&mut self, snapshot: &Snapshot<D::Shadow>) {
        self.state = snapshot.0.clone();
    }

    /// A machine of its own in which the topmost function alone is left to run: when that returns, the run has
    /// [`Outcome::Returned`]. No value has a shadow there.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach_concolic::ir::Module;
    /// use pleach_concolic::vm::{Machine, Options, Outcome, Plain};
    ///
    /// let text = "define i32 @half(i32 %a) {\nstart:\n  %r = udiv i32 %a, 2\n  ret i32 %r\n}\n";
    /// let module = std::sync::Arc::new(Module::read(text).unwrap());
    /// let half = module.find_function("half").unwrap();
    /// let mut machine = Machine::new(module, Plain, Options::default())?;
    /// machine.call(half, &[84]);
    /// let mut unit = machine.carve(Plain);
    /// unit.frame_mut().0[0] = 10;
    /// assert_eq!(unit.run(), Outcome::Returned(vec![5]));
    /// assert_eq!(machine.run(), Outcome::Returned(vec![42]));
    /// # Ok::<(), Outcome>(())
    /// ```
    pub fn carve(&self, domain: D) -> Machine<D> {
        let mut state = self.state.clone();
        state.stack.keep_top();
        state.memory.forget_shadows();
        state.pending.clear();
        state.running = Some(Task::Call);
        Machine {
            module: Arc::clone(&self.module),
            domain,
            state,
            options: Arc::clone(&self.options),
            table: Arc::clone(&self.table),
            panic_entry: self.panic_entry,
            at: self.at,
            scratch: Vec::new(),
        }
    }

    /// Lets it execute so many instructions more, instead of what [`Options::steps`] says.
    pub fn allow(&mut self, steps: u64) {
        Arc::make_mut(&mut self.options).steps = self.state.steps.saturating_add(steps);
    }

    /// Changes what a program that has not begun is given.
    pub fn give(&mut self, given: impl FnOnce(Options) -> Options) {
        let options = Arc::make_mut(&mut self.options);
        *options = given(std::mem::take(options));
    }

    /// The program.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// The program's memory.
    pub fn memory(&self) -> &Memory<D::Shadow> {
        &self.state.memory
    }

    /// The program's memory, to change it.
    pub fn memory_mut(&mut self) -> &mut Memory<D::Shadow> {
        &mut self.state.memory
    }

    /// Puts bytes into memory of their own and says where.
    ///
    /// # Errors
    /// No memory is left of what the run may have.
    pub fn allocate(&mut self, bytes: &[u8]) -> Result<u64, Outcome> {
        let address = self.state.memory.allocate(bytes.len() as u64, 16, Kind::Variable);
        let address = address.map_err(|_| Outcome::OutOfMemory)?;
        let written = self.state.memory.write_bytes(address, bytes);
        written.map_err(|fault| Outcome::Memory { fault, address })?;
        Ok(address)
    }

    /// Gives bytes in memory the shadows of an input that comes from outside.
    ///
    /// # Errors
    /// The bytes are not there.
    pub fn mark_input(&mut self, address: u64, length: u64, source: Source) -> Result<(), Fault> {
        let shadows: Vec<_> = (0..length).map(|i| self.domain.input(source, i)).collect();
        self.state.memory.set_shadows(address, &shadows)
    }

    /// The slots of the topmost function's frame: its arguments first.
    pub fn frame(&self) -> &[u128] {
        let base = self.state.stack.frames.last().map_or(0, |frame| frame.base as usize);
        &self.state.stack.slots[base..]
    }

    /// The slots of the topmost function's frame and their shadows, to change them.
    pub fn frame_mut(&mut self) -> (&mut [u128], &mut [D::Shadow]) {
        let stack = &mut self.state.stack;
        let base = stack.frames.last().map_or(0, |frame| frame.base as usize);
        (&mut stack.slots[base..], &mut stack.shadows[base..])
    }

    /// How many functions were called and have not returned.
    pub fn depth(&self) -> usize {
        self.state.stack.depth()
    }

    /// How many instructions were executed.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// What was written to standard output.
    pub fn output(&self) -> &[u8] {
        self.state.system.output()
    }

    /// What was written to standard error.
    pub fn error_output(&self) -> &[u8] {
        self.state.system.error_output()
    }

    /// The contents of a file, as the program left it.
    pub fn file(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.file_bytes(path)
    }

    /// The instructions at which the functions on the stack are, innermost first; of a panic, those
    /// where it began.
    pub fn trace(&self) -> Vec<Pc> {
        match &self.state.panic {
            Some(begun) => begun.trace.to_vec(),
            None => self.state.stack.iter().map(|frame| Pc(frame.pc)).collect(),
        }
    }

    /// The innermost place on the stack that lies outside of the standard library.
    pub fn subject_place(&self) -> Option<Place<'_>> {
        self.trace().into_iter().find_map(|pc| self.module.places(pc).find(|place| !place.in_std()))
    }
}
