//! The ways in which a run ends.

use super::memory::{Exhausted, Fault};
use super::{Begun, Domain, Machine};
use crate::ir::{Meaning, Pc};
use std::fmt;

/// A place that the program itself knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The message, location and stack of a panic in the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// What it says.
    pub message: String,
    /// Where it says that it is; this may be in the standard library.
    pub location: Option<Location>,
    /// Where each function on the stack was, innermost first.
    pub trace: Vec<Pc>,
}

/// The way in which a run in the machine ended: by itself, by a failure, or at a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The function that was called returned these scalars.
    Returned(Vec<u128>),
    /// The program ended itself, with this status.
    Exit(i32),
    /// It panicked.
    Panic(Panic),
    /// It called `abort`.
    Abort,
    /// It executed what ends a program at once, as `core::intrinsics::abort` does.
    Trap,
    /// It reached what the compiler took for unreachable.
    Unreachable,
    /// It divided by zero, or the least number by -1.
    Division,
    /// It read, wrote, called or freed what it may not.
    Memory {
        /// What is wrong.
        fault: Fault,
        /// The address.
        address: u64,
    },
    /// Its stack has more bytes than it may have. How many a native one would have is a guess.
    StackOverflow,
    /// It executed as many instructions as it may.
    Budget,
    /// It asked for more memory than it may have.
    OutOfMemory,
    /// It started a thread.
    Thread,
    /// It opened a socket.
    Socket,
    /// It waits for what never comes: another thread, a signal.
    Deadlock,
    /// It came to what this machine cannot do.
    Unsupported {
        /// What that is.
        what: String,
        /// The line of the IR, 0 if it is a function of the system's.
        line: u32,
    },
    /// The domain asked to stop; the run can go on.
    Paused,
}

impl Outcome {
    /// What it is called in reports: one word for each way to end.
    pub fn kind(&self) -> &'static str {
        match self {
            Outcome::Returned(_) => "returned",
            Outcome::Exit(_) => "exit",
            Outcome::Panic(_) => "panic",
            Outcome::Abort => "abort",
            Outcome::Trap => "trap",
            Outcome::Unreachable => "unreachable",
            Outcome::Division => "division",
            Outcome::Memory { .. } => "memory",
            Outcome::StackOverflow => "stack-overflow",
            Outcome::Budget => "budget",
            Outcome::OutOfMemory => "out-of-memory",
            Outcome::Thread => "thread",
            Outcome::Socket => "socket",
            Outcome::Deadlock => "deadlock",
            Outcome::Unsupported { .. } => "unsupported",
            Outcome::Paused => "paused",
        }
    }

    /// Whether the program came to its end.
    pub fn is_end(&self) -> bool {
        matches!(self, Outcome::Returned(_) | Outcome::Exit(_))
    }

    /// Whether a native run would have ended in a crash.
    pub fn is_crash(&self) -> bool {
        matches!(
            self,
            Outcome::Panic(_)
                | Outcome::Abort
                | Outcome::Trap
                | Outcome::Unreachable
                | Outcome::Division
                | Outcome::Memory { .. }
                | Outcome::StackOverflow
        )
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned(_) => write!(f, "returned"),
            Outcome::Exit(status) => write!(f, "exit {status}"),
            Outcome::Panic(Panic { message, location: Some(at), .. }) => {
                write!(f, "panic at {}:{}:{}: {message}", at.file, at.line, at.column)
            }
            Outcome::Panic(Panic { message, .. }) => write!(f, "panic: {message}"),
            Outcome::Abort => write!(f, "abort"),
            Outcome::Trap => write!(f, "trap"),
            Outcome::Unreachable => write!(f, "unreachable code"),
            Outcome::Division => write!(f, "division trap"),
            Outcome::Memory { fault, address } => write!(f, "{fault:?} at {address:#x}"),
            Outcome::StackOverflow => write!(f, "stack overflow"),
            Outcome::Budget => write!(f, "out of steps"),
            Outcome::OutOfMemory => write!(f, "out of memory"),
            Outcome::Thread => write!(f, "threads are not supported"),
            Outcome::Socket => write!(f, "sockets are not supported"),
            Outcome::Deadlock => write!(f, "waits for ever"),
            Outcome::Unsupported { what, line: 0 } => write!(f, "{what} is not supported"),
            Outcome::Unsupported { what, line } => {
                write!(f, "line {line} is not supported: {what}")
            }
            Outcome::Paused => write!(f, "paused"),
        }
    }
}

impl std::error::Error for Outcome {}

/// What ends the execution of instructions; most are made without allocating.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    Returned(Vec<u128>),
    Exit(i32),
    Abort,
    Trap,
    Unreachable,
    Division,
    Memory(Fault, u64),
    StackOverflow,
    Budget,
    OutOfMemory,
    Thread,
    Socket,
    Deadlock,
    /// An index into what the module does not support.
    Instruction(u32),
    /// A symbol that nobody defines.
    Symbol(u32),
    Other(&'static str),
    Paused,
}

impl From<Exhausted> for Stop {
    fn from(_: Exhausted) -> Stop {
        Stop::OutOfMemory
    }
}

impl<D: Domain> Machine<D> {
    pub(super) fn outcome(&self, stop: Stop) -> Outcome {
        if let Some(begun) = &self.state.panic
            && !matches!(stop, Stop::Returned(_))
        {
            return Outcome::Panic(self.panic(begun));
        }
        // A variable that nobody defines has an address, and nothing there.
        let stop = match stop {
            Stop::Memory(Fault::Function, address) => {
                let symbol = ((address >> 32) as u32).wrapping_sub(1);
                match self.module.symbols.get(symbol as usize) {
                    Some(it) if it.meaning == Meaning::Declared => Stop::Symbol(symbol),
                    _ => stop,
                }
            }
            _ => stop,
        };
        match stop {
            Stop::Returned(values) => Outcome::Returned(values),
            Stop::Exit(status) => Outcome::Exit(status),
            Stop::Abort => Outcome::Abort,
            Stop::Trap => Outcome::Trap,
            Stop::Unreachable => Outcome::Unreachable,
            Stop::Division => Outcome::Division,
            Stop::Memory(fault, address) => Outcome::Memory { fault, address },
            Stop::StackOverflow => Outcome::StackOverflow,
            Stop::Budget => Outcome::Budget,
            Stop::OutOfMemory => Outcome::OutOfMemory,
            Stop::Thread => Outcome::Thread,
            Stop::Socket => Outcome::Socket,
            Stop::Deadlock => Outcome::Deadlock,
            Stop::Instruction(index) => {
                let (what, line) = &self.module.unsupported[index as usize];
                Outcome::Unsupported { what: what.to_string(), line: *line }
            }
            Stop::Symbol(index) => {
                let name = &self.module.symbols[index as usize].name;
                Outcome::Unsupported { what: crate::ir::demangled(name), line: 0 }
            }
            Stop::Other(what) => Outcome::Unsupported { what: what.into(), line: 0 },
            Stop::Paused => Outcome::Paused,
        }
    }

    /// The message is what the program's own hook has written, behind the location and before the
    /// note on backtraces.
    fn panic(&self, begun: &Begun) -> Panic {
        let text = String::from_utf8_lossy(self.error_output());
        let location = begun.location.clone();
        let message = location.as_ref().and_then(|at| {
            let head = format!("panicked at {}:{}:{}:\n", at.file, at.line, at.column);
            let (_, message) = text.rsplit_once(&head)?;
            let message = match message.split_once("\nnote: run with `RUST_BACKTRACE") {
                Some((message, _)) => message,
                None => message.strip_suffix('\n').unwrap_or(message),
            };
            Some(message.to_owned())
        });
        Panic { message: message.unwrap_or_default(), location, trace: begun.trace.to_vec() }
    }
}
