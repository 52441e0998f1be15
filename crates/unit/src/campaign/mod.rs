//! The program's side of a campaign: calls are told, and where one is asked for, the process forks.
#![allow(
    unsafe_code,
    reason = "forks, limits and memory that is shared are the system's, and the hooks are C's"
)]

mod apart;
mod hooks;
mod pieces;
mod shared;
mod tester;

use crate::trace;
use crate::wire::{self, Said, Value};
use shared::Shared;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How many calls of a function are told in each run of the system.
const CALLS: u32 = 16;

/// Whether this process is one of a campaign, and no fork that tests a unit.
static TELLS: AtomicBool = AtomicBool::new(false);
static SHARED: OnceLock<Shared> = OnceLock::new();
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Begins to tell, if there is a campaign: before `main`, and once. What can't be reached is none.
fn begin() {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    if BEGUN.swap(true, Ordering::Relaxed) {
        return;
    }
    let Some(folder) = std::env::var_os(wire::VARIABLE).map(PathBuf::from) else { return };
    let Some(shared) = Shared::open(&folder) else { return };
    let shared = SHARED.get_or_init(|| shared);
    shared.count();
    hooks::share(shared.begin());
    let _ = FOLDER.set(folder);
    TELLS.store(true, Ordering::Relaxed);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if TELLS.load(Ordering::Relaxed) {
            let (message, place) = said(panic);
            shared.say(&Said::Panicked { message, place });
        }
        before(panic);
    }));
}

/// What a panic says, and where it was: of one within the standard library, where that was called.
fn said(panic: &std::panic::PanicHookInfo<'_>) -> (String, String) {
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("a panic without a message");
    let mut place = panic.location().map(ToString::to_string).unwrap_or_default();
    if trace::is_of_std(&place) {
        let trace = format!("{:#}", std::backtrace::Backtrace::force_capture());
        if let Some(own) = trace::own(&trace) {
            own.clone_into(&mut place);
        }
    }
    (message.chars().take(1000).collect(), place)
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
        if !TELLS.load(Ordering::Relaxed) {
            return None;
        }
        let (shared, nth) = self.next()?;
        self.told(shared, nth, values())
    }

    /// Which call of the run it is, if it is to be told.
    fn next(&self) -> Option<(&'static Shared, u32)> {
        let shared = SHARED.get()?;
        let run = shared.run();
        if self.run.swap(run, Ordering::Relaxed) != run {
            self.calls.store(0, Ordering::Relaxed);
        }
        let nth = self.calls.fetch_add(1, Ordering::Relaxed);
        (nth < CALLS).then_some((shared, nth))
    }

    fn told(&self, shared: &Shared, nth: u32, values: Vec<Value>) -> Option<Call> {
        if values.iter().any(|value| value.bytes.len() > wire::LONGEST) {
            return None;
        }
        let called = Said::Called { function: self.name.into(), nth, values };
        shared.say(&called);
        let number = shared.wanted(self.name, nth)?;
        let Said::Called { values, .. } = called else { return None };
        apart::fork().then(|| {
            hooks::part();
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
    pub fn test(self, function: &mut dyn FnMut(&Values)) -> ! {
        if let Some(folder) = FOLDER.get() {
            apart::serve(folder, &self, function);
        }
        apart::end(0)
    }
}

/// The bytes of a call's arguments, in the order of its parameters. They are where nothing is given back, so that a function can be given values of
/// any lifetime that its signature asks for. One that keeps them finds other values there later, if they are short after thousands of calls.
#[derive(Debug)]
pub struct Values(&'static [u8]);

impl Values {
    /// The value of this number, as bytes.
    pub fn bytes(&self, index: usize) -> &'static [u8] {
        apart::values(self.0).nth(index).unwrap_or_default()
    }

    /// The value at an index, read as UTF-8; empty where it is not.
    pub fn text(&self, index: usize) -> &'static str {
        std::str::from_utf8(self.bytes(index)).unwrap_or_default()
    }

    /// As a number, of which as much counts as its type has.
    pub fn number(&self, index: usize) -> u128 {
        self.bytes(index).iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
    }
}
