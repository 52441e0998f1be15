//! The program's side of a campaign: calls are told, and where one is asked for, the process forks.
#![allow(
    unsafe_code,
    reason = "forks, limits and memory that is shared are the system's, and the hooks are C's"
)]

mod apart;
mod hooks;
mod pieces;
mod tester;

use crate::wire::{self, Row, Told, Value};
use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// How many calls of a function are told in each run of the system.
const CALLS: u32 = 16;

/// Whether this process is one of a campaign, and no fork that tests a unit.
static TELLS: AtomicBool = AtomicBool::new(false);
static CONNECTION: Mutex<Option<UnixStream>> = Mutex::new(None);
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Begins to tell, if there is a campaign: before `main`, and once. What can't be reached is none.
fn begin() {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    if BEGUN.swap(true, Ordering::Relaxed) {
        return;
    }
    let Some(folder) = std::env::var_os(wire::VARIABLE).map(PathBuf::from) else { return };
    let Some(file) = edges(&folder) else { return };
    let Ok(mut stream) = UnixStream::connect(folder.join(wire::SOCKET)) else { return };
    if Told::Process.send(&mut stream).is_err() {
        return;
    }
    hooks::share(file);
    *CONNECTION.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
    let _ = FOLDER.set(folder);
    TELLS.store(true, Ordering::Relaxed);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let (message, place) = said(panic);
        ask(&Told::Panicked { message, place });
        before(panic);
    }));
}

/// The campaign's file in memory.
fn edges(folder: &Path) -> Option<*mut u8> {
    let file = OpenOptions::new().read(true).write(true).open(folder.join(wire::EDGES)).ok()?;
    let length = wire::FIRST + wire::MOST_EDGES;
    if file.metadata().ok()?.len() < length as u64 {
        return None;
    }
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: the memory is new, and is never given back. Other processes write to it, bytes of which each goes from 0 to 1,
    // and the run's number, of which it does not matter when it is seen.
    unsafe {
        let at =
            libc::mmap(std::ptr::null_mut(), length, access, libc::MAP_SHARED, file.as_raw_fd(), 0);
        (at != libc::MAP_FAILED).then_some(at.cast())
    }
}

/// What a panic says, and where it was.
fn said(panic: &std::panic::PanicHookInfo<'_>) -> (String, String) {
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("a panic without a message");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    (message.chars().take(1000).collect(), place)
}

/// Says something, and waits for the answer; whoever is not there any more has the program go on.
fn ask(told: &Told) -> u32 {
    if !TELLS.load(Ordering::Relaxed) {
        return wire::GO;
    }
    let mut connection = CONNECTION.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(stream) = connection.as_mut() else { return wire::GO };
    told.send(stream).and_then(|()| wire::answered(stream)).unwrap_or_else(|_| {
        *connection = None;
        wire::GO
    })
}

/// The static record of a marked function, one for each in the program.
#[derive(Debug)]
pub struct Unit {
    name: &'static str,
    /// The last run in which it was called, and how often it was told of in that.
    run: AtomicU32,
    calls: AtomicU32,
}

impl Unit {
    /// One that has not been called.
    pub const fn new(name: &'static str) -> Unit {
        Unit { name, run: AtomicU32::new(0), calls: AtomicU32::new(0) }
    }

    /// Tells the campaign, if there is one, that the function is called. In the fork that is to test it there is a call then.
    #[inline]
    pub fn called(&self, values: impl FnOnce() -> Vec<Value>) -> Option<Call> {
        if TELLS.load(Ordering::Relaxed) { self.told(values()) } else { None }
    }

    fn told(&self, values: Vec<Value>) -> Option<Call> {
        let run = hooks::run();
        if self.run.swap(run, Ordering::Relaxed) != run {
            self.calls.store(0, Ordering::Relaxed);
        }
        let is_long = values.iter().any(|value| value.bytes.len() > wire::LONGEST);
        if is_long || self.calls.fetch_add(1, Ordering::Relaxed) >= CALLS {
            return None;
        }
        let told = Told::Called { function: self.name.into(), values };
        let number = ask(&told);
        let Told::Called { values, .. } = told else { return None };
        (number != wire::GO && apart::fork()).then(|| {
            TELLS.store(false, Ordering::Relaxed);
            Call { number, values }
        })
    }
}

/// A call at which the process has forked, as the fork sees it.
#[derive(Debug)]
pub struct Call {
    number: u32,
    values: Vec<Value>,
}

impl Call {
    /// Has the function called with other values, as often as the campaign wants; it does not return.
    pub fn test(self, function: &mut dyn FnMut(&Values<'_>)) -> ! {
        if let Some(folder) = FOLDER.get() {
            apart::serve(folder, &self, function);
        }
        apart::end(0)
    }
}

/// The bytes of a call's arguments, in the order of its parameters.
#[derive(Debug)]
pub struct Values<'a>(&'a Row);

impl<'a> Values<'a> {
    /// The value of this number, as bytes.
    pub fn bytes(&self, index: usize) -> &'a [u8] {
        self.0.get(index).map_or(&[], Vec::as_slice)
    }

    /// The value at an index, read as UTF-8; empty where it is not.
    pub fn text(&self, index: usize) -> &'a str {
        std::str::from_utf8(self.bytes(index)).unwrap_or_default()
    }

    /// As a number, of which as much counts as its type has.
    pub fn number(&self, index: usize) -> u128 {
        self.bytes(index).iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
    }
}
