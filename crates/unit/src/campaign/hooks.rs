//! What the compiler's pass has called at each edge and comparison, and the C library's comparisons.
//!
//! Nothing here is ever hooked itself: the pass leaves functions alone whose names begin with `__sanitizer_`. As what they
//! call may be hooked where it is not optimized, an edge's guard is cleared first, and recording stops while something is recorded.
//!
//! An edge's guard is its number until the edge is taken, and 0 from then on. So an edge that is no news costs a load and a jump, and nothing is
//! cleared, looked through and restored between two runs of a unit.

use crate::wire::{COUNT, FIRST, MOST_EDGES};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many bytes of each side of a comparison are recorded, and how many comparisons of a run.
pub(super) const LONGEST: usize = 64;
const MOST: usize = 1024;
/// How many new edges of a run are told.
const MOST_NEW: usize = 256;
/// How many executables and libraries have edges; those of more are not seen.
const MOST_PARTS: usize = 64;

/// A comparison: its sides, and their length.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) left: [u8; LONGEST],
    pub(super) right: [u8; LONGEST],
    pub(super) length: u8,
    /// Whether the sides are numbers, with the lowest byte first.
    pub(super) number: bool,
}

const NO_PAIR: Pair = Pair { left: [0; LONGEST], right: [0; LONGEST], length: 0, number: false };

// SAFETY (of all these): they are written by the process's start, before it has threads; by the fork that tests a unit, which has one;
// and guards and the bytes of the file by all threads of the program. Of the latter each goes one way only, from its number to 0 and from 0 to 1, so
// whoever is late writes what is there. Atomics would be calls of hooked functions where nothing is optimized.

/// Where the file is that has the edges, once there is a campaign.
static mut FILE: *mut u8 = std::ptr::null_mut();
/// Where the guards are, and how many: of the executable, and of libraries that have some.
static mut PARTS: [(*mut u32, usize); MOST_PARTS] = [(std::ptr::null_mut(), 0); MOST_PARTS];
static mut PART_COUNT: usize = 0;
/// How many edges have a number, which is at most [`MOST_EDGES`].
static mut EDGES: usize = 0;
/// Whether edges go into the file, or are told as new.
static mut IS_UNIT: bool = false;
static mut NEW: [u32; MOST_NEW] = [0; MOST_NEW];
static mut NEW_COUNT: usize = 0;
static mut RECORDS: bool = false;
static mut PAIRS: [Pair; MOST] = [NO_PAIR; MOST];
static mut PAIR_COUNT: usize = 0;

#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_pc_guard(guard: *mut u32) {
    unsafe {
        let edge = *guard;
        if edge == 0 {
            return;
        }
        *guard = 0;
        if !IS_UNIT {
            *FILE.add(FIRST + edge as usize - 1) = 1;
        } else if NEW_COUNT < MOST_NEW {
            NEW[NEW_COUNT] = edge - 1;
            NEW_COUNT += 1;
        }
    }
}

/// Is called once for each part of each executable and library, with all guards of that.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_pc_guard_init(start: *mut u32, stop: *mut u32) {
    unsafe {
        super::begin();
        // Another one of the same executable's parts has come before.
        if FILE.is_null() || *start != 0 || PART_COUNT == MOST_PARTS {
            return;
        }
        let count = (stop.offset_from(start) as usize).min(MOST_EDGES - EDGES);
        for at in 0..count {
            *start.add(at) = (EDGES + at) as u32 + 1;
        }
        PARTS[PART_COUNT] = (start, count);
        PART_COUNT += 1;
        EDGES += count;
        // Another executable of the same run may have more.
        AtomicU32::from_ptr(FILE.add(COUNT).cast()).fetch_max(EDGES as u32, Ordering::Relaxed);
    }
}

/// Has edges written to the campaign's file from now on.
pub(super) fn share(file: *mut u8) {
    unsafe { FILE = file }
}

/// Where the campaign's file is in memory.
pub(super) fn shared() -> *const u8 {
    unsafe { FILE }
}

/// Is called once the process is no more the program, but a fork of it.
pub(super) fn part() {
    unsafe { IS_UNIT = true }
}

/// Has edges told as new from now on that are neither in the file nor among these.
pub(super) fn begin_unit(seen: &[u32]) {
    unsafe {
        let mut seen = seen.to_vec();
        seen.sort_unstable();
        let mut edge = 0;
        let parts = PARTS;
        for (start, count) in parts.into_iter().take(PART_COUNT) {
            for at in 0..count {
                let is_known =
                    *FILE.add(FIRST + edge as usize) != 0 || seen.binary_search(&edge).is_ok();
                *start.add(at) = if is_known { 0 } else { edge + 1 };
                edge += 1;
            }
        }
    }
}

/// Calls a function: the edges that are new are its answer.
pub(super) fn edges(records: bool, call: &mut dyn FnMut()) -> &'static [u32] {
    unsafe {
        NEW_COUNT = 0;
        PAIR_COUNT = if records { 0 } else { PAIR_COUNT };
        RECORDS = records;
        call();
        RECORDS = false;
        std::slice::from_raw_parts((&raw const NEW).cast(), NEW_COUNT)
    }
}

/// The comparisons of the last call that was to be recorded.
pub(super) fn pairs() -> &'static [Pair] {
    unsafe { std::slice::from_raw_parts((&raw const PAIRS).cast(), PAIR_COUNT) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_pleach_compared(
    left: *const u8,
    right: *const u8,
    length: usize,
    number: bool,
) {
    unsafe {
        RECORDS = false;
        if PAIR_COUNT < MOST
            && length <= LONGEST
            && __sanitizer_pleach_difference(left, right, length) != 0
        {
            let mut pair = Pair { length: length as u8, number, ..NO_PAIR };
            pair.left.as_mut_ptr().copy_from_nonoverlapping(left, length);
            pair.right.as_mut_ptr().copy_from_nonoverlapping(right, length);
            PAIRS[PAIR_COUNT] = pair;
            PAIR_COUNT += 1;
        }
        RECORDS = true;
    }
}

macro_rules! compared {
    ($($name:ident: $type:ty;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(left: $type, right: $type) {
            unsafe {
                if RECORDS {
                    let (left, right) = (&raw const left, &raw const right);
                    __sanitizer_pleach_compared(left as *const u8, right as *const u8, size_of::<$type>(), true);
                }
            }
        }
    )*};
}

// The machine's byte order is that of x86-64 and of arm64.
compared! {
    __sanitizer_cov_trace_cmp1: u8;
    __sanitizer_cov_trace_cmp2: u16;
    __sanitizer_cov_trace_cmp4: u32;
    __sanitizer_cov_trace_cmp8: u64;
    __sanitizer_cov_trace_const_cmp1: u8;
    __sanitizer_cov_trace_const_cmp2: u16;
    __sanitizer_cov_trace_const_cmp4: u32;
    __sanitizer_cov_trace_const_cmp8: u64;
}

/// The cases are behind their number and the width of the value in bits.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_switch(value: u64, cases: *const u64) {
    unsafe {
        if RECORDS {
            let (count, width) = (*cases as usize, *cases.add(1) as usize / 8);
            for at in 0..count.min(64) {
                let case = cases.add(2 + at);
                __sanitizer_pleach_compared(
                    (&raw const value) as *const u8,
                    case as *const u8,
                    width.min(8),
                    true,
                );
            }
        }
    }
}

/// As `memcmp`, which it must not call.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_pleach_difference(
    left: *const u8,
    right: *const u8,
    length: usize,
) -> i32 {
    unsafe {
        let mut at = 0;
        while at + 8 <= length {
            let one = (left.add(at) as *const u64).read_unaligned();
            let other = (right.add(at) as *const u64).read_unaligned();
            if one != other {
                return if u64::from_be(one) < u64::from_be(other) { -1 } else { 1 };
            }
            at += 8;
        }
        while at < length {
            let (one, other) = (*left.add(at), *right.add(at));
            if one != other {
                return i32::from(one) - i32::from(other);
            }
            at += 1;
        }
        0
    }
}

/// The C library's, of which Rust's comparisons of slices and text are calls, and C's.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
    unsafe {
        if RECORDS {
            __sanitizer_pleach_compared(left, right, length, false);
        }
        __sanitizer_pleach_difference(left, right, length)
    }
}

/// What the compiler makes of the same where the order does not matter.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
    unsafe { memcmp(left, right, length) }
}
