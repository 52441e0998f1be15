//! How much work a parse may do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The longest text of all, in bytes: places in it have 31 bits.
pub(super) const LONGEST: usize = (i32::MAX - 1) as usize;

/// Bounds on the work of one parse.
///
/// A grammar that is not ambiguous and can be read from left to right needs some tens of items a
/// byte at most; one that derives a text in very many ways needs ever more of them, and a parse then
/// ends with [`Error::Budget`](super::Error::Budget).
#[derive(Clone, Debug)]
pub struct Limits {
    items_per_byte: u32,
    memory: u64,
    cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { items_per_byte: 256, memory: 2 << 30, cancel: None }
    }
}

impl Limits {
    /// The default bounds.
    pub fn new() -> Self {
        Self::default()
    }

    /// The items of the chart that a parse may make for each byte of its text, and for 1,024 bytes
    /// more: what is known at one place of the text, and each way that leads there, is an item,
    /// and so is a node of the tree. It does not matter where in the text they are made, nor by which
    /// way of reading. The default is 256.
    #[must_use]
    pub fn items_per_byte(mut self, items: u32) -> Self {
        self.items_per_byte = items;
        self
    }

    /// The bytes of memory that a parse may have reserved at a time, in its [`Scratch`](super::Scratch)
    /// and in the tree, which takes 8 bytes a node and the text. What doubles when it is full counts
    /// before it does, so twice what is needed may be asked for.
    /// More than 16 GiB count as these. The default is 2 GiB.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// A flag that ends a parse with [`Error::Cancelled`](super::Error::Cancelled) soon after
    /// another thread sets it. There is none by default.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    pub(super) fn items(&self, length: usize) -> u64 {
        u64::from(self.items_per_byte).saturating_mul(length as u64 + 1024)
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        // Nodes of a tree have numbers of 32 bits.
        self.memory.min(16 << 30)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
