//! What one parse may spend: items of work and bytes of memory, in all layers together.
//!
//! Vectors and maps double when they are full, so a bound that is looked at afterwards may be passed by
//! as much again, and an allocation that fails ends the process. So each asks for room before it grows,
//! and what the allocator refuses is the same error.

use std::cell::Cell;
use std::hash::Hash;
use std::mem::size_of;

use fxhash::FxHashMap;

use super::error::Error;
use super::limits::Limits;

/// What is left to one parse.
pub(super) struct Budget<'p> {
    limits: &'p Limits,
    /// Items that may be spent.
    most: u64,
    spent: Cell<u64>,
    /// Bytes of memory that are reserved.
    reserved: Cell<u64>,
}

impl<'p> Budget<'p> {
    /// The budget of a text of so many bytes, of which so much memory is reserved already.
    pub(super) fn new(limits: &'p Limits, length: usize, reserved: u64) -> Self {
        let most = limits.items(length);
        Self { limits, most, spent: Cell::new(0), reserved: Cell::new(reserved) }
    }

    /// The items that were spent.
    pub(super) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// The bytes that are reserved.
    pub(super) fn reserved(&self) -> u64 {
        self.reserved.get()
    }

    /// Counts items, and stops where there are too many.
    #[inline]
    pub(super) fn spend(&self, at: usize, items: u64) -> Result<(), Error> {
        let before = self.spent.get();
        let spent = before.saturating_add(items);
        self.spent.set(spent);
        if (before ^ spent) >> 16 != 0 && self.limits.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if spent > self.most { Err(Error::Budget { at }) } else { Ok(()) }
    }

    /// Counts items where no place of the text is known: the next that are spent stop where there are
    /// too many.
    pub(super) fn count(&self, items: u64) {
        self.spent.set(self.spent.get().saturating_add(items));
    }

    /// Stops where so many items would be too many that are counted when they are done.
    #[cold]
    pub(super) fn check(&self, at: usize, items: u64) -> Result<(), Error> {
        if self.limits.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let is_within = self.spent.get().saturating_add(items) <= self.most;
        if is_within { Ok(()) } else { Err(Error::Budget { at }) }
    }

    /// Sees to it that so many items are left, as far as there ever were.
    pub(super) fn spare(&self, items: u64) {
        self.spent.set(self.spent.get().min(self.most.saturating_sub(items)));
    }

    /// Makes room for more elements.
    #[inline]
    pub(super) fn room<T>(&self, of: &mut Vec<T>, more: usize) -> Result<(), Error> {
        if of.capacity() - of.len() >= more { Ok(()) } else { self.grow(of, more) }
    }

    #[cold]
    fn grow<T>(&self, of: &mut Vec<T>, more: usize) -> Result<(), Error> {
        let capacity = of.len().saturating_add(more).checked_next_power_of_two();
        let capacity = capacity.ok_or(self.refusal())?.max(4);
        self.room_exactly(of, capacity - of.len())
    }

    /// Makes room for more elements, and for no others behind these.
    pub(super) fn room_exactly<T>(&self, of: &mut Vec<T>, more: usize) -> Result<(), Error> {
        let before = of.capacity();
        if before - of.len() >= more {
            return Ok(());
        }
        let elements = of.len().saturating_add(more) - before;
        let bytes = (elements as u64).saturating_mul(size_of::<T>() as u64);
        self.check_memory(bytes)?;
        of.try_reserve_exact(more).map_err(|_| self.refusal())?;
        self.take((of.capacity() - before) as u64 * size_of::<T>() as u64);
        Ok(())
    }

    /// Makes room for one more pair in a map.
    #[inline]
    pub(super) fn room_in<K: Eq + Hash, V>(&self, map: &mut FxHashMap<K, V>) -> Result<(), Error> {
        if map.len() < map.capacity() { Ok(()) } else { self.grow_map(map) }
    }

    #[cold]
    fn grow_map<K: Eq + Hash, V>(&self, map: &mut FxHashMap<K, V>) -> Result<(), Error> {
        let before = map.capacity() as u64;
        let more = map.len().max(4);
        // A map has an eighth more places than it may hold pairs, and a byte for each.
        let each = (size_of::<(K, V)>() as u64 + 1) * 8 / 7 + 1;
        self.check_memory(2 * more as u64 * each)?;
        map.try_reserve(more).map_err(|_| self.refusal())?;
        self.take((map.capacity() as u64 - before) * each);
        Ok(())
    }

    /// Counts bytes that were reserved elsewhere.
    fn take(&self, bytes: u64) {
        self.reserved.set(self.reserved.get().saturating_add(bytes));
    }

    /// Counts bytes that are about to be reserved elsewhere.
    pub(super) fn reserve(&self, bytes: u64) -> Result<(), Error> {
        self.check_memory(bytes)?;
        self.take(bytes);
        Ok(())
    }

    /// Counts no more than so many bytes, for the others were freed.
    pub(super) fn give_back(&self, reserved: u64) {
        self.reserved.set(reserved);
    }

    fn check_memory(&self, bytes: u64) -> Result<(), Error> {
        let is_within = self.reserved.get().saturating_add(bytes) <= self.limits.memory_bytes();
        if is_within { Ok(()) } else { Err(self.refusal()) }
    }

    fn refusal(&self) -> Error {
        Error::Memory { most: self.limits.memory_bytes() }
    }
}
