//! Released programs on which the bridge is compared with testers of whole programs: each is a program of `src/bin`.
//!
//! Where the compiler has put counters in, a program writes them at its end, a byte for each edge, to the file that [`FILE`] names. It
//! has five seconds and a gigabyte then, and may write no file of more than a megabyte.

use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The variable that names the file.
pub const FILE: &str = "PLEACH_SUBJECT_COUNTERS";

/// Seconds until a program is ended by a signal.
const PATIENCE: u32 = 5;
/// Limits, by their numbers on Linux: of a file that it writes, and of its address space, in bytes.
const LIMITS: [(c_int, u64); 2] = [(1, 1 << 20), (9, 1 << 30)];

static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn alarm(seconds: u32) -> u32;
    fn atexit(function: extern "C" fn()) -> c_int;
    fn setrlimit(resource: c_int, limit: *const [u64; 2]) -> c_int;
}

/// Called before `main` with the bounds of the counters, once for each object that has some; all tell the same bounds.
#[unsafe(no_mangle)]
// SAFETY: the name is reserved for whoever serves SanitizerCoverage, which is this crate alone.
pub extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, end: *mut u8) {
    if START.swap(start, Ordering::Relaxed).is_null() {
        COUNT.store(end as usize - start as usize, Ordering::Relaxed);
        // SAFETY: the C library has these functions, with these types on 64-bit Linux, and a limit is read during the call alone.
        unsafe {
            alarm(PATIENCE);
            for (resource, limit) in LIMITS {
                setrlimit(resource, &[limit; 2]);
            }
            atexit(write);
        }
    }
}

extern "C" fn write() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let (start, count) = (START.load(Ordering::Relaxed), COUNT.load(Ordering::Relaxed));
    // SAFETY: the linker's section holds so many bytes for as long as the program runs. A thread that still counts would at
    // worst have an edge more or less told.
    let counters = unsafe { std::slice::from_raw_parts(start, count) };
    let _ = std::fs::write(path, counters);
}
