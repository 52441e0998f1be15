//! pleach as a custom mutator of AFL++.
//!
//! ```text
//! AFL_CUSTOM_MUTATOR_LIBRARY=.../libpleach_afl.so PLEACH_GRAMMAR=json.pleach cargo afl fuzz ...
//! ```
//!
//! The grammar and the options come from the environment when `afl-fuzz` starts, so one library serves
//! all grammars: [`Settings`] lists them. This file is the interface that AFL++ documents in
//! `docs/custom_mutators.md`, and the only one with `unsafe`; what is done is in [`Mutator`].
//!
//! `afl_custom_splice_optout` is not exported, since the second input is the donor of crossovers, nor is
//! `afl_custom_queue_get`: which input is next is for AFL++ to say.

mod mutator;
mod settings;
mod trim;

pub use mutator::Mutator;
pub use settings::Settings;

use std::ffi::{c_int, c_uchar, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use pleach::table::Table;

/// What `afl-fuzz` holds between calls.
struct State {
    /// Borrows from `table`, so it is dropped before.
    mutator: ManuallyDrop<Mutator<'static>>,
    /// From `Box::into_raw`.
    table: *mut Table,
}

impl State {
    fn new(settings: &Settings, seed: u64) -> Result<Self, String> {
        let table = Box::into_raw(Box::new(settings.table()?));
        // SAFETY: the pointer is of a box that `drop` alone frees, after the mutator, and nothing
        // changes the table meanwhile. The mutator is private, so nobody keeps what it borrows.
        let borrowed: &'static Table = unsafe { &*table };
        match Mutator::new(borrowed, settings, seed) {
            Ok(mutator) => Ok(Self { mutator: ManuallyDrop::new(mutator), table }),
            Err(error) => {
                // SAFETY: the pointer is of a box, and there is no mutator that borrows from it.
                drop(unsafe { Box::from_raw(table) });
                Err(error)
            }
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: it is not used again, here or by anyone else.
        unsafe { ManuallyDrop::drop(&mut self.mutator) };
        // SAFETY: the pointer is of a box, and the mutator, the only one to borrow from it, is gone.
        drop(unsafe { Box::from_raw(self.table) });
    }
}

/// Runs a call with the state; a panic, which must not reach C, or no state gives the other answer.
///
/// # Safety
///
/// `data` is null, or from [`afl_custom_init`] and not yet given to [`afl_custom_deinit`], and in no
/// other call.
unsafe fn with<T>(data: *mut c_void, other: T, call: impl FnOnce(&mut Mutator<'static>) -> T) -> T {
    // SAFETY: as the caller says, it is null or points to a state that no other call has.
    let Some(state) = (unsafe { data.cast::<State>().as_mut() }) else { return other };
    // The hook of panics has written the message. What the mutator holds is memory to be written
    // over, so a call that was cut short does the next no harm.
    catch_unwind(AssertUnwindSafe(|| call(&mut state.mutator))).unwrap_or(other)
}

/// The bytes at an address: none where that is null.
///
/// # Safety
///
/// The address is null, or of so many bytes that can be read and that nobody writes during `'a`.
unsafe fn bytes<'a>(address: *const c_uchar, count: usize) -> &'a [u8] {
    if address.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { slice::from_raw_parts(address, count) }
}

/// Reads the grammar that the environment names.
///
/// Where something is wrong with it, the process ends with status 1 and the message: `afl-fuzz` does not
/// look whether there is a state, and would run without mutating anything.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_init(_afl: *mut c_void, seed: c_uint) -> *mut c_void {
    let made = catch_unwind(|| {
        let settings = Settings::read(|name| std::env::var_os(name))?;
        State::new(&settings, seed.into())
    });
    match made {
        Ok(Ok(state)) => Box::into_raw(Box::new(state)).cast(),
        Ok(Err(error)) => {
            eprintln!("pleach: {error}");
            std::process::exit(1)
        }
        // The hook of panics has written the message.
        Err(_) => std::process::exit(1),
    }
}

/// Writes a mutant of `buf`, or a crossover of it and `add_buf`, and gives its length: at most
/// `max_size`, or 0, with which `afl-fuzz` passes over it.
///
/// # Safety
///
/// `data` is from [`afl_custom_init`]; `buf` and `add_buf` have as many bytes as is said, or are null;
/// `out_buf` can be written. What it points to then is valid until the next call with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_fuzz(
    data: *mut c_void,
    buf: *mut c_uchar,
    buf_size: usize,
    out_buf: *mut *const c_uchar,
    add_buf: *mut c_uchar,
    add_buf_size: usize,
    max_size: usize,
) -> usize {
    // SAFETY: as the caller says, for as long as this call lasts.
    let (base, donor) = unsafe { (bytes(buf, buf_size), bytes(add_buf, add_buf_size)) };
    // SAFETY: `data` is what the caller says.
    let (address, size) = unsafe {
        with(data, (std::ptr::null(), 0), |mutator| {
            let mutant = mutator.fuzz(base, donor, max_size);
            (mutant.as_ptr(), mutant.len())
        })
    };
    // SAFETY: as the caller says.
    unsafe { out_buf.write(address) };
    size
}

/// Begins to trim an input, and gives the most steps that this may take; 0 where there are none.
///
/// # Safety
///
/// `data` is from [`afl_custom_init`], and `buf` has as many bytes as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_init_trim(
    data: *mut c_void,
    buf: *mut c_uchar,
    buf_size: usize,
) -> c_int {
    // SAFETY: as the caller says, for as long as this call lasts.
    let text = unsafe { bytes(buf, buf_size) };
    // SAFETY: `data` is what the caller says.
    unsafe { with(data, 0, |mutator| mutator.begin_trim(text) as c_int) }
}

/// Writes the next shorter input to be tried, and gives its length.
///
/// # Safety
///
/// `data` is from [`afl_custom_init`]; `out_buf` can be written. What it points to then is valid until
/// the next call with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_trim(data: *mut c_void, out_buf: *mut *const c_uchar) -> usize {
    // `afl-fuzz` ends where the address is null, whatever the length.
    static NOTHING: [u8; 1] = [0];
    // SAFETY: `data` is what the caller says.
    let (address, size) = unsafe {
        with(data, (NOTHING.as_ptr(), 0), |mutator| {
            let shorter = mutator.trim();
            (shorter.as_ptr(), shorter.len())
        })
    };
    // SAFETY: as the caller says.
    unsafe { out_buf.write(address) };
    size
}

/// Says whether what was tried takes the same paths, and gives how many steps are done: as many as
/// [`afl_custom_init_trim`] gave where there are no more.
///
/// # Safety
///
/// `data` is from [`afl_custom_init`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_trim(data: *mut c_void, success: c_uchar) -> c_int {
    // SAFETY: `data` is what the caller says.
    unsafe { with(data, c_int::MAX, |mutator| mutator.end_step(success != 0) as c_int) }
}

/// Frees everything.
///
/// # Safety
///
/// `data` is from [`afl_custom_init`], and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_deinit(data: *mut c_void) {
    if data.is_null() {
        return;
    }
    // SAFETY: it is from `Box::into_raw` in `afl_custom_init`, and this is its last use.
    let state = unsafe { Box::from_raw(data.cast::<State>()) };
    let _ = catch_unwind(AssertUnwindSafe(|| drop(state)));
}
