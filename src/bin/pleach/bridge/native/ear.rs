//! What a native program says of its calls, and the edges that it has taken.
//!
//! Its processes say it in memory that is shared, and wait for nobody. Forks for units connect.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use pleach::native::unit::wire::{self, Said, Told, Value};

use crate::runs::TemporaryFolder;

/// How long a fork may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it is waited where none can be listened to.
const PAUSE: Duration = Duration::from_millis(50);

/// A call of a run.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) function: String,
    /// How many calls of the function were before it.
    pub(super) nth: u32,
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
    /// Whether the call came that was wanted for a unit, so that there is a fork.
    pub(super) forked: bool,
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
    units: Receiver<Fork>,
    shared: File,
    run: u32,
    temporary: TemporaryFolder,
}

impl Ear {
    pub(super) fn new() -> io::Result<Self> {
        // Forks are children of this process once those between have ended.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let temporary = TemporaryFolder::new("native")?;
        let shared = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(temporary.path().join(wire::FILE))?;
        shared.set_len(wire::LENGTH as u64)?;
        let listener = UnixListener::bind(temporary.path().join(wire::SOCKET))?;
        let (send, units) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else {
                    // There may be too many open files, for a while.
                    thread::sleep(PAUSE);
                    continue;
                };
                // Whoever says something else first is none.
                let _ = stream.set_read_timeout(Some(PATIENCE));
                if let Ok(Some(Told::Unit { number, process })) = Told::receive(&mut stream)
                    && send.send(Fork { number, process, stream }).is_err()
                {
                    break;
                }
            }
        });
        Ok(Self { units, shared, run: 0, temporary })
    }

    fn number(&self, at: usize) -> io::Result<u32> {
        let mut number = [0; 4];
        self.shared.read_exact_at(&mut number, at as u64)?;
        Ok(u32::from_le_bytes(number))
    }

    fn set(&self, at: usize, number: u32) -> io::Result<()> {
        self.shared.write_all_at(&number.to_le_bytes(), at as u64)
    }

    /// All that was said in the run so far.
    fn said(&self) -> io::Result<Vec<u8>> {
        let length = (self.number(wire::SAID)? as usize).min(wire::MOST_SAID);
        let mut log = vec![0; length];
        self.shared.read_exact_at(&mut log, wire::LOG as u64)?;
        Ok(log)
    }

    /// The campaign's folder.
    pub(super) fn folder(&self) -> &Path {
        self.temporary.path()
    }

    /// A run begins, of which such a call is to be the unit of this number.
    pub(super) fn begin(&mut self, wanted: Option<(&Called, u32)>) -> io::Result<()> {
        // A fork that came too late for its time is none.
        while self.units.try_recv().is_ok() {}
        let zeros = vec![0; self.said()?.len()];
        self.shared.write_all_at(&zeros, wire::LOG as u64)?;
        self.set(wire::SAID, 0)?;
        if let Some((call, _)) = wanted {
            let function = wire::named(&call.function).to_le_bytes();
            self.shared.write_all_at(&function, wire::FUNCTION as u64)?;
            self.set(wire::NTH, call.nth)?;
        }
        self.set(wire::UNIT, wanted.map_or(wire::NONE, |(_, number)| number))?;
        self.run = self.run.wrapping_add(1);
        self.set(wire::RUN, self.run)
    }

    /// What was said in the run.
    pub(super) fn end(&mut self) -> io::Result<Heard> {
        let mut heard = Heard::default();
        for said in Said::all(&self.said()?) {
            match said {
                Said::Called { function, nth, values } => {
                    heard.calls.push(Called { function, nth, values });
                }
                Said::Panicked { message, place } => {
                    heard.panics.push(Panicked { message, place });
                }
            }
        }
        heard.forked = self.number(wire::UNIT)? == wire::NONE;
        // Who comes too late is not in another run.
        self.set(wire::UNIT, wire::NONE)?;
        Ok(heard)
    }

    /// How many processes have said that they are there.
    pub(super) fn processes(&self) -> io::Result<u32> {
        self.number(wire::PROCESSES)
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
        let count = (self.number(wire::COUNT)? as usize).min(wire::MOST_EDGES);
        let mut bytes = vec![0; count];
        self.shared.read_exact_at(&mut bytes, wire::FIRST as u64)?;
        known.resize(known.len().max(count), false);
        let mut new = Vec::new();
        for (edge, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            if *byte != 0 && !std::mem::replace(&mut known[edge], true) {
                new.push(edge as u32);
            }
        }
        Ok(new)
    }
}
