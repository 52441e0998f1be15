//! What a native program says of its calls, and the edges that it has taken.
//!
//! Each connection has a thread, which answers at once: the program waits for it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pleach::bridge::unit::wire::{self, Told, Value};

use crate::runs::TemporaryFolder;

/// How many calls of a run are kept.
const CALLS: usize = 4096;
/// How long a fork may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(5);

/// A call of a run.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) function: String,
    /// How many calls of the function were before it.
    pub(super) nth: usize,
    pub(super) values: Vec<Value>,
}

/// A panic of a run.
#[derive(Clone, Debug)]
pub(super) struct Panicked {
    pub(super) message: String,
    pub(super) place: String,
}

/// What was said in a run.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) calls: Vec<Called>,
    pub(super) panics: Vec<Panicked>,
    counts: BTreeMap<String, usize>,
    /// The call at which to fork, and the number of the unit.
    wanted: Option<(String, usize, u32)>,
}

impl Heard {
    /// Takes a message, and gives the answer.
    fn take(&mut self, told: Told) -> u32 {
        match told {
            Told::Called { function, values } => {
                let count = self.counts.entry(function.clone()).or_default();
                let nth = *count;
                *count += 1;
                let is_wanted =
                    self.wanted.as_ref().filter(|(name, at, _)| (name, *at) == (&function, nth));
                let number = is_wanted.map_or(wire::GO, |(.., number)| *number);
                if self.calls.len() < CALLS {
                    self.calls.push(Called { function, nth, values });
                }
                number
            }
            Told::Panicked { message, place } => {
                self.panics.push(Panicked { message, place });
                wire::GO
            }
            _ => wire::GO,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    heard: Heard,
    /// How many processes have said that they are there.
    processes: u64,
}

/// The fork of a process for a unit; it ends with this.
#[derive(Debug)]
pub(super) struct Fork {
    number: u32,
    process: u32,
    pub(super) stream: UnixStream,
}

impl Drop for Fork {
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpgid};
        let Some(group) = i32::try_from(self.process).ok().and_then(Pid::from_raw) else { return };
        // What is no child of this process, as its parents were, is not its own to end.
        while let Ok(ended) = waitpgid(group, WaitOptions::NOHANG) {
            if ended.is_none() {
                let _ = kill_process_group(group, Signal::KILL);
                let _ = waitpgid(group, WaitOptions::empty());
            }
        }
    }
}

/// Listens to a program.
#[derive(Debug)]
pub(super) struct Ear {
    state: Arc<Mutex<State>>,
    units: Receiver<Fork>,
    edges: File,
    run: u32,
    temporary: TemporaryFolder,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ear {
    pub(super) fn new() -> io::Result<Self> {
        // Forks are children of this process once those between have ended.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let temporary = TemporaryFolder::new("native")?;
        let edges = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(temporary.path().join(wire::EDGES))?;
        edges.set_len((wire::FIRST + wire::MOST_EDGES) as u64)?;
        let listener = UnixListener::bind(temporary.path().join(wire::SOCKET))?;
        let state = Arc::new(Mutex::new(State::default()));
        let (send, units) = mpsc::channel();
        let of_threads = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, units) = (Arc::clone(&of_threads), send.clone());
                thread::spawn(move || listen(stream, &state, &units));
            }
        });
        Ok(Self { state, units, edges, run: 0, temporary })
    }

    /// The campaign's folder.
    pub(super) fn folder(&self) -> &Path {
        self.temporary.path()
    }

    /// A run begins, of which such a call is to be the unit of this number.
    pub(super) fn begin(&mut self, wanted: Option<(&Called, u32)>) -> io::Result<()> {
        // A fork that came too late for its time is none.
        while self.units.try_recv().is_ok() {}
        let wanted = wanted.map(|(call, number)| (call.function.clone(), call.nth, number));
        locked(&self.state).heard = Heard { wanted, ..Heard::default() };
        self.run = self.run.wrapping_add(1);
        self.edges.write_all_at(&self.run.to_le_bytes(), 0)
    }

    /// What was said in the run.
    pub(super) fn end(&mut self) -> Heard {
        std::mem::take(&mut locked(&self.state).heard)
    }

    /// How many processes have said that they are there.
    pub(super) fn processes(&self) -> u64 {
        locked(&self.state).processes
    }

    /// The fork for a unit.
    pub(super) fn unit(&self, number: u32) -> Option<Fork> {
        while let Ok(fork) = self.units.recv_timeout(PATIENCE) {
            if fork.number == number {
                return Some(fork);
            }
        }
        None
    }

    /// The edges that were taken by now and not before, of which notes are kept here.
    pub(super) fn new_edges(&self, known: &mut Vec<bool>) -> io::Result<Vec<u32>> {
        let mut count = [0; 4];
        self.edges.read_exact_at(&mut count, 4)?;
        let count = (u32::from_le_bytes(count) as usize).min(wire::MOST_EDGES);
        let mut bytes = vec![0; count];
        self.edges.read_exact_at(&mut bytes, wire::FIRST as u64)?;
        known.resize(count, false);
        let mut new = Vec::new();
        for (edge, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            if *byte != 0 && !std::mem::replace(&mut known[edge], true) {
                new.push(edge as u32);
            }
        }
        Ok(new)
    }
}

/// Answers a process to its end, or hands the connection of a unit's fork on.
fn listen(mut stream: UnixStream, state: &Mutex<State>, units: &Sender<Fork>) {
    // Whatever is no message ends the connection.
    while let Ok(Some(told)) = Told::receive(&mut stream) {
        match told {
            Told::Process => locked(state).processes += 1,
            Told::Unit { number, process } => {
                // The campaign may be over.
                let _ = units.send(Fork { number, process, stream });
                return;
            }
            told => {
                let answer = locked(state).heard.take(told);
                if wire::answer(&mut stream, answer).is_err() {
                    return;
                }
            }
        }
    }
}
