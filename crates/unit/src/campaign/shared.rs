//! Memory that a campaign shares with all processes of the program: which call it wants, edges, and what processes say.

use crate::wire::{self, Said};
use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The campaign's file in memory.
#[derive(Debug)]
pub(super) struct Shared(*mut u8);

// SAFETY: the memory is never given back, and what is written by several is written by atomics, but for the bytes of edges, each of which goes
// from 0 to 1 alone, and those of the log, of which each has one who writes it.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// That in a campaign's folder.
    pub(super) fn open(folder: &Path) -> Option<Self> {
        let file = OpenOptions::new().read(true).write(true).open(folder.join(wire::FILE)).ok()?;
        if file.metadata().ok()?.len() < wire::LENGTH as u64 {
            return None;
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (shared, file) = (libc::MAP_SHARED, file.as_raw_fd());
        // SAFETY: the memory is new.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), wire::LENGTH, access, shared, file, 0) };
        (at != libc::MAP_FAILED).then(|| Self(at.cast()))
    }

    /// Where it begins.
    pub(super) fn begin(&self) -> *mut u8 {
        self.0
    }

    fn four(&self, at: usize) -> &AtomicU32 {
        // SAFETY: the place is within the memory, and is a multiple of four behind its beginning, which is that of a page.
        unsafe { AtomicU32::from_ptr(self.0.add(at).cast()) }
    }

    /// Counts a process of the program.
    pub(super) fn count(&self) {
        self.four(wire::PROCESSES).fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the system's run.
    pub(super) fn run(&self) -> u32 {
        self.four(wire::RUN).load(Ordering::Relaxed)
    }

    /// The number of the unit that a call is to be, which nobody is told again.
    pub(super) fn wanted(&self, function: &str, nth: u32) -> Option<u32> {
        // SAFETY: as above, of eight.
        let wanted = unsafe { AtomicU64::from_ptr(self.0.add(wire::FUNCTION).cast()) };
        let unit = self.four(wire::UNIT).load(Ordering::Acquire);
        let is_other = unit == wire::NONE
            || self.four(wire::NTH).load(Ordering::Relaxed) != nth
            || wanted.load(Ordering::Relaxed) != wire::named(function);
        if is_other {
            return None;
        }
        let first = self.four(wire::UNIT).swap(wire::NONE, Ordering::Relaxed);
        (first == unit).then_some(unit)
    }

    /// Says something, if there is room for it: calls leave some for panics.
    pub(super) fn say(&self, said: &Said) {
        let message = said.message();
        let most = match said {
            Said::Called { .. } => wire::MOST_SAID - wire::PANICS,
            Said::Panicked { .. } => wire::MOST_SAID,
        };
        let end = |at: u32| Some(at as usize + message.len()).filter(|&end| end <= most);
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        let at = { self.four(wire::SAID) }.fetch_update(set, fetch, |at| Some(end(at)? as u32));
        let Ok(at) = at else { return };
        // SAFETY: it is within the memory, and nobody else has this part of it.
        unsafe {
            self.0
                .add(wire::LOG + at as usize)
                .copy_from_nonoverlapping(message.as_ptr(), message.len())
        };
    }
}
