//! A hash map for one set after the other.

use super::budget::Budget;
use super::error::Error;

/// A map from pairs of numbers that is emptied in no time.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Key, round and value.
    slots: Vec<(u64, u32, u32)>,
    round: u32,
    count: usize,
}

impl Index {
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.clear();
            self.round = 1;
        }
    }

    /// The value of a pair, where `value` is put if it has none.
    #[inline]
    pub(super) fn entry(
        &mut self,
        budget: &Budget<'_>,
        (left, right): (u32, u32),
        value: u32,
    ) -> Result<Option<u32>, Error> {
        if 2 * self.count >= self.slots.len() {
            self.grow(budget)?;
        }
        let key = u64::from(left) << 32 | u64::from(right);
        let mask = self.slots.len() - 1;
        let mut slot = Self::hash(key) as usize & mask;
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

    /// The value of a number, [`u32::MAX`] where it has none yet.
    #[inline]
    pub(super) fn slot(&mut self, budget: &Budget<'_>, key: u32) -> Result<&mut u32, Error> {
        if 2 * self.count >= self.slots.len() {
            self.grow(budget)?;
        }
        let key = u64::from(key);
        let mask = self.slots.len() - 1;
        let mut slot = Self::hash(key) as usize & mask;
        loop {
            let (known, round, _) = self.slots[slot];
            if round != self.round {
                self.slots[slot] = (key, self.round, u32::MAX);
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
    fn hash(key: u64) -> u64 {
        let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    }

    #[cold]
    fn grow(&mut self, budget: &Budget<'_>) -> Result<(), Error> {
        let size = (2 * self.slots.len()).max(64);
        let mut slots = Vec::new();
        budget.room_exactly(&mut slots, size)?;
        slots.resize(size, (0, 0, 0));
        let old = std::mem::replace(&mut self.slots, slots);
        self.round = self.round.max(1);
        let (round, mask) = (self.round, size - 1);
        for (key, _, value) in old.into_iter().filter(|slot| slot.1 == round) {
            let mut slot = Self::hash(key) as usize & mask;
            while self.slots[slot].1 == round {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (key, round, value);
        }
        Ok(())
    }
}
