//! The coverage flags of this program: a byte for each edge, set to 1 where it was run, and the
//! address of each edge's block.
//!
//! They are SanitizerCoverage's `inline-bool-flag` and `pc-table`. Counters of eight bits would
//! wrap to 0 at every 256th run of an edge; flags stay. The compiler puts a call of each function
//! below before `main`, with the bounds of a section that the linker has made of all objects' parts.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicPtr, Ordering};

static FLAGS: Bounds<u8> = Bounds::new();
static BLOCKS: Bounds<Block> = Bounds::new();

/// An entry of the table of blocks.
#[repr(C)]
struct Block {
    address: usize,
    /// Bit 0: the block is where its function is entered.
    _kind: usize,
}

/// The bounds of a section: both null until the program has been told.
struct Bounds<T> {
    start: AtomicPtr<T>,
    end: AtomicPtr<T>,
}

impl<T> Bounds<T> {
    const fn new() -> Self {
        let null = std::ptr::null_mut();
        Self { start: AtomicPtr::new(null), end: AtomicPtr::new(null) }
    }

    /// Each object of the program tells the bounds, and all tell the same.
    fn tell(&self, start: *mut T, end: *mut T) {
        let before = self.start.swap(start, Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        if !before.is_null() && before != start {
            // Unwinding out of a C function before `main` is no better.
            std::process::abort();
        }
    }

    fn get(&self) -> (*mut T, usize) {
        let start = self.start.load(Ordering::Relaxed);
        let bytes = self.end.load(Ordering::Relaxed) as usize - start as usize;
        (start, bytes / size_of::<T>())
    }
}

/// Called before `main` with the bounds of the flags.
#[unsafe(no_mangle)]
// SAFETY: the name is reserved for whoever serves SanitizerCoverage, which is this module alone.
pub extern "C" fn __sanitizer_cov_bool_flag_init(start: *mut u8, end: *mut u8) {
    FLAGS.tell(start, end);
}

/// Called before `main` with the bounds of the table of blocks.
#[unsafe(no_mangle)]
// SAFETY: as above.
pub extern "C" fn __sanitizer_cov_pcs_init(start: *mut usize, end: *mut usize) {
    BLOCKS.tell(start.cast(), end.cast());
}

/// The coverage flags of this program.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    count: usize,
}

impl Flags {
    /// The flags; none where the program was built without.
    pub fn new() -> Option<Self> {
        let ((start, count), (_, blocks)) = (FLAGS.get(), BLOCKS.get());
        (!start.is_null() && count > 0 && count == blocks).then_some(Self { count })
    }

    /// How many edges the program has, whatever crate they are of.
    pub fn count(self) -> usize {
        self.count
    }

    /// Whether an edge has been run.
    ///
    /// # Panics
    ///
    /// Where there is no such edge.
    pub fn is_set(self, edge: u32) -> bool {
        assert!((edge as usize) < self.count, "there is no edge {edge}");
        // SAFETY: the linker's section holds `count` bytes for as long as the program runs, and the
        // edge is one of them. Only compiled-in stores of 1 write there; the reader runs in the
        // thread that ran the parser, and the read is volatile because no code that the compiler
        // sees here writes it.
        unsafe { FLAGS.get().0.add(edge as usize).read_volatile() != 0 }
    }

    /// Forgets what has been run.
    pub fn clear(self) {
        // SAFETY: as above, for all bytes of the section.
        unsafe { FLAGS.get().0.write_bytes(0, self.count) };
    }

    /// The address of an edge's block, as the running program has it.
    ///
    /// # Panics
    ///
    /// Where there is no such edge.
    pub fn address(self, edge: u32) -> usize {
        assert!((edge as usize) < self.count, "there is no edge {edge}");
        // SAFETY: the table has as many entries as there are flags, which `new` has checked, and
        // nothing writes it after the program is loaded.
        unsafe { (*BLOCKS.get().0.add(edge as usize)).address }
    }

    /// A function of this program that has an address and a name in the file.
    pub(crate) fn landmark() -> (usize, &'static str) {
        (__sanitizer_cov_bool_flag_init as *const () as usize, "__sanitizer_cov_bool_flag_init")
    }
}
