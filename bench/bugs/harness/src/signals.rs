//! A stack that is spent, and executions that do not end.
//!
//! Both are seen by handlers of signals, which may do next to nothing: they write to open files and leave.
//! The fuzzers have handlers of SIGSEGV of their own, which these replace at the first execution; none uses
//! SIGPROF.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crate::{ELSEWHERE, Fault, HANG, HIT};

/// How often the timer looks, in a second of CPU time.
const TICKS: u32 = 4;

/// The stack of the handlers: the other one is spent.
const STACK: usize = 1 << 16;

/// How far below the driver an address is the stack's.
const REACH: usize = 1 << 26;

/// How many executions have begun and ended: odd while one runs.
static BEGUN: AtomicU64 = AtomicU64::new(0);
/// What [`BEGUN`] was when the timer looked last.
static SEEN: AtomicU64 = AtomicU64::new(0);
/// How often it was that in a row.
static SAME: AtomicU32 = AtomicU32::new(0);
/// The input of the execution.
static INPUT: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);
/// An address of the stack where the driver begins.
static BASE: AtomicUsize = AtomicUsize::new(0);
/// Which of the two is the row's fault: 0 neither, 1 the stack, 2 the hang.
static EXPECTED: AtomicU32 = AtomicU32::new(0);

const STACK_FAULT: u32 = 1;
const HANG_FAULT: u32 = 2;

/// Begins an execution.
pub fn enter(input: &[u8]) {
    INPUT.store(input.as_ptr().cast_mut(), Ordering::Relaxed);
    LENGTH.store(input.len(), Ordering::Relaxed);
    BASE.store((&raw const input) as usize, Ordering::Relaxed);
    BEGUN.fetch_add(1, Ordering::Relaxed);
}

/// Ends it.
pub fn leave() {
    BEGUN.fetch_add(1, Ordering::Relaxed);
}

/// Sets the handlers and the timer, for the thread that calls and its process.
pub fn watch(fault: Fault<'_>) {
    let expected = match fault {
        Fault::Panic(_) => 0,
        Fault::Stack => STACK_FAULT,
        Fault::Hang => HANG_FAULT,
    };
    EXPECTED.store(expected, Ordering::Relaxed);
    let memory = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    let stack =
        libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
    // SAFETY: the memory is leaked, so the stack is there for as long as the thread.
    let set = unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    assert_eq!(set, 0, "no stack for handlers: {}", std::io::Error::last_os_error());
    handle(libc::SIGSEGV, segv as *const () as usize);
    handle(libc::SIGBUS, segv as *const () as usize);
    handle(libc::SIGPROF, tick as *const () as usize);
    let every = libc::timeval { tv_sec: 0, tv_usec: 1_000_000 / libc::suseconds_t::from(TICKS) };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: the timer is read in the call, and its handler is set.
    let set = unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) };
    assert_eq!(set, 0, "no timer: {}", std::io::Error::last_os_error());
}

/// Ends the process at once: the handlers that fuzzers have for its end take any for a failure of theirs.
pub fn leave_process(code: i32) -> ! {
    // SAFETY: it may be called at any time, and does not return.
    unsafe { libc::_exit(code) }
}

fn handle(signal: libc::c_int, handler: usize) {
    // SAFETY: all zeros are a `sigaction`, whose mask is then empty.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
    // SAFETY: the handlers are of the form that SA_SIGINFO asks for, and call what a handler may.
    let set = unsafe { libc::sigaction(signal, &action, ptr::null_mut()) };
    assert_eq!(set, 0, "no handler: {}", std::io::Error::last_os_error());
}

extern "C" fn segv(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system hands the handler of a fault its address.
    let address = unsafe { (*info).si_addr() } as usize;
    let base = BASE.load(Ordering::Relaxed);
    if (base.saturating_sub(REACH)..base).contains(&address) {
        leave_for_good(STACK_FAULT, b"stack\n");
    }
    leave_for_good(0, b"memory\n");
}

extern "C" fn tick(_: libc::c_int, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let begun = BEGUN.load(Ordering::Relaxed);
    if begun.is_multiple_of(2) || SEEN.swap(begun, Ordering::Relaxed) != begun {
        SAME.store(0, Ordering::Relaxed);
    } else if SAME.fetch_add(1, Ordering::Relaxed) >= HANG * TICKS {
        leave_for_good(HANG_FAULT, b"hang\n");
    }
}

/// Says what has happened, keeps the input and ends the process.
fn leave_for_good(what: u32, name: &[u8]) -> ! {
    let hit = what != 0 && what == EXPECTED.load(Ordering::Relaxed);
    let (said, file): (&[u8], _) =
        if hit { (b"bugs: hit ", c"hit") } else { (b"bugs: elsewhere ", c"passed-over") };
    let input = INPUT.load(Ordering::Relaxed);
    let length = LENGTH.load(Ordering::Relaxed);
    // SAFETY: `open`, `write` and `_exit` may be called in a handler; the texts are static, and the input is
    // there while its execution runs, as it does in either handler.
    unsafe {
        libc::write(2, said.as_ptr().cast(), said.len());
        libc::write(2, name.as_ptr().cast(), name.len());
        let file = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC, 0o644);
        libc::write(file, input.cast(), length);
        libc::_exit(if hit { HIT } else { ELSEWHERE })
    }
}
