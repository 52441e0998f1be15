//! A hash map for one set after the other.

use std::marker::PhantomData;

use super::budget::Budget;
use super::error::Error;
use crate::id::Id;

/// A map from identifiers `K`, or from pairs of them, that is emptied in no time.
#[derive(Clone, Debug)]
pub(super) struct Index<K, V> {
    /// Key, round and value.
    slots: Vec<(u64, u32, V)>,
    round: u32,
    count: usize,
    keys: PhantomData<K>,
}

impl<K, V> Default for Index<K, V> {
    fn default() -> Self {
        Self { slots: Vec::new(), round: 0, count: 0, keys: PhantomData }
    }
}

/// What an [`Index`] is asked by.
pub(super) trait Key {
    /// As one number.
    fn bits(self) -> u64;
}

impl<I: Id> Key for I {
    #[inline]
    fn bits(self) -> u64 {
        self.get().into()
    }
}

impl<I: Id, J: Id> Key for (I, J) {
    #[inline]
    fn bits(self) -> u64 {
        self.0.bits() << 32 | self.1.bits()
    }
}

impl<K: Key, V: Id> Index<K, V> {
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.clear();
            self.round = 1;
        }
    }

    /// The value of a key, where `value` is put if it has none.
    #[inline]
    pub(super) fn entry(
        &mut self,
        budget: &Budget<'_>,
        key: K,
        value: V,
    ) -> Result<Option<V>, Error> {
        if 2 * self.count >= self.slots.len() {
            self.grow(budget)?;
        }
        let key = key.bits();
        let mask = self.slots.len() - 1;
        let mut slot = Self::hash(key) & mask;
        loop {
            let (known, round, found) = self.slots[slot];
            if round != self.round {
                self.slots[slot] = (key, self.round, value);
                self.count += 1;
                return Ok(None);
            }
            if known == key {
                return Ok(Some(found));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The value of a key, `none` where it has none yet.
    #[inline]
    pub(super) fn slot(&mut self, budget: &Budget<'_>, key: K, none: V) -> Result<&mut V, Error> {
        if 2 * self.count >= self.slots.len() {
            self.grow(budget)?;
        }
        let key = key.bits();
        let mask = self.slots.len() - 1;
        let mut slot = Self::hash(key) & mask;
        loop {
            let (known, round, _) = self.slots[slot];
            if round != self.round {
                self.slots[slot] = (key, self.round, none);
                self.count += 1;
                break;
            }
            if known == key {
                break;
            }
            slot = (slot + 1) & mask;
        }
        Ok(&mut self.slots[slot].2)
    }

    #[inline]
    fn hash(key: u64) -> usize {
        let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (product ^ product >> 32) as usize
    }

    #[cold]
    fn grow(&mut self, budget: &Budget<'_>) -> Result<(), Error> {
        let size = (2 * self.slots.len()).max(64);
        let mut slots = Vec::new();
        budget.room_exactly(&mut slots, size)?;
        slots.resize(size, (0, 0, V::new(0)));
        let old = std::mem::replace(&mut self.slots, slots);
        self.round = self.round.max(1);
        let (round, mask) = (self.round, size - 1);
        for (key, _, value) in old.into_iter().filter(|slot| slot.1 == round) {
            let mut slot = Self::hash(key) & mask;
            while self.slots[slot].1 == round {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (key, round, value);
        }
        Ok(())
    }
}
