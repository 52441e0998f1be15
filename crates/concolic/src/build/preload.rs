//! Random bytes that are always the same, and a clock that goes on by a microsecond whenever it is read, and by what somebody
//! sleeps, who does not wait for that. Who waits for others with an end does, if there are any; the end is one of this clock, which is
//! not the kernel's.
#![no_std]

use core::sync::atomic::{AtomicU64, Ordering};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

static TICKS: AtomicU64 = AtomicU64::new(0);

/// Microseconds.
fn now() -> u64 {
    @CLOCK@ * 1_000_000 + TICKS.fetch_add(1, Ordering::Relaxed) + 1
}

/// Lets as many microseconds go by.
fn pass(microseconds: u64) {
    TICKS.fetch_add(microseconds.min(u64::MAX >> 24), Ordering::Relaxed);
}

/// How many microseconds are left of as much time as a place says, or until that time.
fn left(time: *const [u64; 2], is_end: bool) -> u64 {
    // SAFETY: the caller passes a `timespec`: seconds and nanoseconds.
    let [seconds, nanoseconds] = unsafe { time.read() };
    let asked = seconds.saturating_mul(1_000_000).saturating_add(nanoseconds.div_ceil(1_000));
    let now = @CLOCK@ * 1_000_000 + TICKS.load(Ordering::Relaxed);
    if is_end { asked.saturating_sub(now) } else { asked }
}

/// Lets that time go by.
fn sleep(time: *const [u64; 2], is_end: bool) {
    pass(left(time, is_end));
}

#[unsafe(no_mangle)]
pub extern "C" fn nanosleep(time: *const [u64; 2], _left: *mut [u64; 2]) -> i32 {
    sleep(time, false);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn clock_nanosleep(
    _clock: i32,
    flags: i32,
    time: *const [u64; 2],
    _left: *mut [u64; 2],
) -> i32 {
    // TIMER_ABSTIME
    sleep(time, flags & 1 == 1);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn usleep(microseconds: u32) -> i32 {
    pass(u64::from(microseconds));
    0
}

fn fill(buffer: *mut u8, length: usize) {
    for at in 0..length {
        // SAFETY: the caller says that it has so many bytes.
        unsafe { buffer.add(at).write_volatile(@BYTE@) };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    fill(buffer, length);
    length as isize
}

#[unsafe(no_mangle)]
pub extern "C" fn getentropy(buffer: *mut u8, length: usize) -> i32 {
    fill(buffer, length);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn clock_gettime(_clock: i32, time: *mut [u64; 2]) -> i32 {
    let now = now();
    // SAFETY: the caller passes a `timespec`: seconds and nanoseconds.
    unsafe { time.write([now / 1_000_000, now % 1_000_000 * 1_000]) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn gettimeofday(time: *mut [u64; 2], _zone: *mut u8) -> i32 {
    let now = now();
    // SAFETY: the caller passes a `timeval`: seconds and microseconds.
    unsafe { time.write([now / 1_000_000, now % 1_000_000]) };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn time(place: *mut u64) -> u64 {
    let seconds = now() / 1_000_000;
    if !place.is_null() {
        // SAFETY: the caller may pass a place for the seconds.
        unsafe { place.write(seconds) };
    }
    seconds
}

#[cfg(target_arch = "x86_64")]
mod waits {
    use core::ffi::{CStr, c_void};

    const TIMED_OUT: i64 = 110;
    const MONOTONIC: usize = 1;
    /// Calls of the kernel's.
    const STAT: i64 = 4;
    const FUTEX: i64 = 202;
    const CLOCK_GETTIME: i64 = 228;
    const GETRANDOM: i64 = 318;

    unsafe extern "C" {
        fn __errno_location() -> *mut i32;
        fn dlsym(library: *mut c_void, name: *const i8) -> *const c_void;
    }

    /// Calls the kernel, which answers with the number of an error below zero.
    ///
    /// # Safety
    ///
    /// The arguments are what the call takes.
    unsafe fn kernel(number: i64, a: [usize; 6]) -> i64 {
        let result;
        // SAFETY: these are the registers of a call, and those that it changes.
        unsafe {
            core::arch::asm!(
                "syscall", inlateout("rax") number => result,
                in("rdi") a[0], in("rsi") a[1], in("rdx") a[2],
                in("r10") a[3], in("r8") a[4], in("r9") a[5],
                lateout("rcx") _, lateout("r11") _, options(nostack)
            );
        }
        result
    }

    /// Whether no other thread could end a wait: each is a folder here, beside the two that every
    /// folder has.
    fn is_alone() -> bool {
        const TASKS: &CStr = c"/proc/self/task";
        let mut status = [0_u64; 18];
        // SAFETY: a path, and room for what is known of it.
        let failed = unsafe {
            let place = status.as_mut_ptr().expose_provenance();
            kernel(STAT, [TASKS.as_ptr().expose_provenance(), place, 0, 0, 0, 0])
        };
        failed == 0 && status[2] == 3
    }

    /// A time that far ahead by one of the kernel's clocks, or where none is said, as long a time.
    fn ahead(clock: Option<usize>, microseconds: u64) -> [u64; 2] {
        let mut now = [0; 2];
        if let Some(clock) = clock {
            let place = (&raw mut now).expose_provenance();
            // SAFETY: there is room for a time.
            unsafe { kernel(CLOCK_GETTIME, [clock, place, 0, 0, 0, 0]) };
        }
        let nanoseconds = now[1] + microseconds % 1_000_000 * 1_000;
        let seconds = now[0] + microseconds / 1_000_000 + nanoseconds / 1_000_000_000;
        [seconds, nanoseconds % 1_000_000_000]
    }

    /// Waits so long at most by the kernel's time, by a function that says how it ended, and not at
    /// all if nobody else is there; the time has gone by where nothing came before.
    fn wait(left: u64, clock: Option<usize>, by: impl FnOnce([u64; 2]) -> i64) -> i64 {
        let result = by(ahead(clock, if is_alone() { 0 } else { left }));
        if result.abs() == TIMED_OUT {
            super::pass(left);
        }
        result
    }

    /// # Safety
    ///
    /// As for the system's.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn syscall(
        number: i64,
        a: usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
    ) -> i64 {
        let end = core::ptr::with_exposed_provenance::<[u64; 2]>(d);
        let result = match (number, b & 0x7f) {
            (GETRANDOM, _) => {
                super::getrandom(core::ptr::with_exposed_provenance_mut(a), b, 0) as i64
            }
            // So long, and until then, by one of two clocks.
            (FUTEX, operation @ (0 | 9)) if !end.is_null() => {
                let is_end = operation == 9;
                let clock = is_end.then_some(if b & 0x100 == 0 { MONOTONIC } else { 0 });
                wait(super::left(end, is_end), clock, |time| {
                    // SAFETY: what the caller passes, with another time.
                    unsafe { kernel(FUTEX, [a, b, c, (&raw const time).expose_provenance(), e, f]) }
                })
            }
            // SAFETY: what the caller passes.
            _ => unsafe { kernel(number, [a, b, c, d, e, f]) },
        };
        if (-4095..0).contains(&result) {
            // SAFETY: it is this thread's.
            unsafe { __errno_location().write(-result as i32) };
            return -1;
        }
        result
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn pthread_cond_timedwait(
        condition: *mut c_void,
        mutex: *mut c_void,
        end: *const [u64; 2],
    ) -> i32 {
        type Wait = extern "C" fn(*mut c_void, *mut c_void, i32, *const [u64; 2]) -> i32;
        // SAFETY: it waits by the clock that is said, if there is such a function.
        let by: Option<Wait> = unsafe {
            core::mem::transmute(dlsym(core::ptr::null_mut(), c"pthread_cond_clockwait".as_ptr()))
        };
        let ended = wait(super::left(end, true), Some(MONOTONIC), |time| {
            by.map_or(TIMED_OUT, |by| by(condition, mutex, MONOTONIC as i32, &time).into())
        });
        ended as i32
    }
}
