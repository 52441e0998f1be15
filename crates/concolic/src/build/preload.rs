//! Random bytes that are always the same, and a clock that goes on by a microsecond whenever it is read, and by what somebody
//! sleeps, who does not wait for that.
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

/// Lets as much time go by as a place says, or until that time.
fn sleep(time: *const [u64; 2], is_end: bool) {
    // SAFETY: the caller passes a `timespec`: seconds and nanoseconds.
    let [seconds, nanoseconds] = unsafe { time.read() };
    let asked = seconds.saturating_mul(1_000_000).saturating_add(nanoseconds.div_ceil(1_000));
    let now = @CLOCK@ * 1_000_000 + TICKS.load(Ordering::Relaxed);
    pass(if is_end { asked.saturating_sub(now) } else { asked });
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
