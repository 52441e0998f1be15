//! Runs the driver of a row, and tells its fault from any other: the same code for every fuzzer and for the
//! check of the witness.
//!
//! A panic at the row's place is a hit, and ends the process. A panic elsewhere is noted by its place and
//! passed over: the driver has unwound, and the fuzzer goes on. What cannot be passed over ends the process
//! too: a stack that is spent, which a handler of SIGSEGV sees, and an execution that takes more than
//! [`HANG`] of CPU time, which a timer does.
//!
//! What has happened is said on standard error in lines that begin with `bugs:`; the input is in the file
//! `hit`, or `passed-over`, of the working directory, and the exit code is [`HIT`] or [`ELSEWHERE`].

mod signals;

use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process that has found the row's fault. No fuzzer has it.
pub const HIT: i32 = 91;

/// The exit code of a process that another fault has ended.
pub const ELSEWHERE: i32 = 92;

/// How much CPU time of one execution is a hang, in seconds.
pub const HANG: u32 = 5;

/// The variable that asks for the functions that a panic came through, on standard error.
pub const TRACE: &str = "PLEACH_BUGS_TRACE";

/// The fault of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault<'p> {
    /// A panic at this place: [`place`].
    Panic(&'p str),
    /// The stack is spent.
    Stack,
    /// One execution takes more than [`HANG`].
    Hang,
}

/// Whether the driver runs: any other panic is a fault of the fuzzer's.
static WITHIN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Where the last panic of the driver was.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
    /// Where panics were passed over.
    static NOTED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Runs the driver on one input; it does not return from the row's fault, a spent stack or a hang.
pub fn run(fault: Fault<'_>, input: &[u8], driver: impl FnOnce()) {
    static READY: Once = Once::new();
    READY.call_once(|| {
        watch_panics();
        signals::watch(fault);
    });
    signals::enter(input);
    WITHIN.store(true, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(driver));
    WITHIN.store(false, Ordering::Relaxed);
    signals::leave();
    if result.is_err() {
        LAST.with_borrow(|place| judge(fault, place, input));
    }
}

/// Runs the driver of a row that reads text; other bytes are passed over.
pub fn run_text(fault: Fault<'_>, input: &[u8], driver: impl FnOnce(&str)) {
    if let Ok(text) = std::str::from_utf8(input) {
        run(fault, input, || driver(text));
    }
}

/// Ends the process where a panic is the row's fault, and notes it otherwise.
fn judge(fault: Fault<'_>, place: &str, input: &[u8]) {
    if fault_place(fault) == Some(place) {
        eprintln!("bugs: hit {place}");
        keep("hit", input);
        signals::leave_process(HIT);
    }
    NOTED.with_borrow_mut(|noted| {
        if noted.insert(place.to_owned()) {
            eprintln!("bugs: elsewhere {place}");
            keep("passed-over", input);
        }
    });
}

fn fault_place(fault: Fault<'_>) -> Option<&str> {
    match fault {
        Fault::Panic(place) => Some(place),
        Fault::Stack | Fault::Hang => None,
    }
}

/// Keeps an input; where that fails the run is none the worse.
fn keep(name: &str, input: &[u8]) {
    if let Err(error) = std::fs::write(name, input) {
        eprintln!("bugs: the input is not kept: {error}");
    }
}

/// Has panics of the driver remembered, and all others told as before.
fn watch_panics() {
    let told = std::panic::take_hook();
    let traced = std::env::var_os(TRACE).is_some();
    std::panic::set_hook(Box::new(move |panic: &PanicHookInfo<'_>| {
        if !WITHIN.load(Ordering::Relaxed) {
            told(panic);
            return;
        }
        let place = panic.location().map_or_else(String::new, |at| place(at.file(), at.line()));
        // The standard library's lines are others with each compiler.
        let place = if place.starts_with("library/") { caller().unwrap_or(place) } else { place };
        if traced {
            eprintln!("bugs: panic at {place}\n{}", Backtrace::force_capture());
        }
        LAST.set(place);
    }));
}

/// The place of the innermost function on the stack that is of a registry's crate or of a row, where
/// symbols tell.
fn caller() -> Option<String> {
    let trace = Backtrace::force_capture().to_string();
    let mut places = trace.lines().filter_map(|line| line.trim_start().strip_prefix("at "));
    let at = places.find(|at| at.contains("/registry/src/") || at.contains("/bugs/rows/"))?;
    let mut parts = at.rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next()?, parts.next()?);
    Some(place(file, line.parse().ok()?))
}

/// A place in a source file that is the same on every machine: `CRATE-VERSION/PATH:LINE` in a registry's
/// crate, `ROW/PATH:LINE` in a row or a gate, `library/PATH:LINE` in the standard library.
pub fn place(file: &str, line: u32) -> String {
    let after = |mark: &str| file.split_once(mark).map(|(_, rest)| rest);
    let registry =
        after("/registry/src/").and_then(|rest| rest.split_once('/')).map(|(_, rest)| rest);
    let file = registry
        .or_else(|| after("/bugs/rows/").or_else(|| after("/bugs/gates/")))
        .or_else(|| file.find("/library/").map(|at| &file[at + 1..]))
        .unwrap_or(file);
    format!("{file}:{line}")
}
