//! What the end of a nonterminal leads to, found out once.
//!
//! Where a nonterminal began, a state was predicted. Which productions of one symbol end with the
//! nonterminal, one above the other, and which of what was predicted goes on, depends on that
//! state and on what follows, and both come again and again in a text: so that is kept, as a plan.

use std::hash::BuildHasher as _;

use fxhash::{FxBuildHasher, FxHashMap};

use super::budget::Budget;
use super::error::Error;
use super::id::{
    EndedId, LookaheadId, MemberId, NonterminalId, OnwardId, PlanId, PositionId, StateId,
};
use super::id_vec::{IdRange, IdVec};
use crate::id::Id as _;

/// A nonterminal that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ended {
    pub(super) symbol: NonterminalId,
    /// Where its production of one symbol ends; for the first of a plan the caller knows how it
    /// came about.
    pub(super) position: PositionId,
    /// That symbol, which is of the plan as well.
    pub(super) below: MemberId,
}

/// An entry to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Onward {
    pub(super) state: StateId,
    /// What it waited for.
    pub(super) child: MemberId,
}

/// What the end of a nonterminal leads to: parts of [`Plans::ended`] and of [`Plans::onward`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) ended: IdRange<EndedId>,
    pub(super) onward: IdRange<OnwardId>,
    /// A bit for each symbol that ends.
    pub(super) mask: u64,
    /// Whether a symbol ends twice: it came about in two ways.
    pub(super) repeats: bool,
}

/// What a plan depends on: a predicted state, the nonterminal that ends, and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) state: StateId,
    pub(super) symbol: NonterminalId,
    pub(super) ahead: LookaheadId,
}

/// Plans by what they depend on. A look-up mostly touches one line of the cache.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Keys and plans; [`PlanId::NONE`] where a slot is free.
    slots: Vec<(Key, PlanId)>,
    count: usize,
}

impl Known {
    #[inline]
    fn hash(&self, Key { state, symbol, ahead }: Key) -> usize {
        let left = u64::from(state.get()) << 32 | u64::from(symbol.get());
        let left = left.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let both = (left ^ left >> 29 ^ u64::from(ahead.get())).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (both >> 32) as usize
    }

    #[inline]
    fn get(&self, key: Key) -> Option<PlanId> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.hash(key) & mask;
        loop {
            let (known, plan) = self.slots[slot];
            if known == key {
                return Some(plan);
            }
            if plan == PlanId::NONE {
                return None;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[pleach_unhooked::unhooked]
    fn insert(&mut self, budget: &Budget<'_>, key: Key, plan: PlanId) -> Result<(), Error> {
        if 4 * (self.count + 1) > 3 * self.slots.len() {
            let size = (2 * self.slots.len()).max(64);
            let mut slots = Vec::new();
            budget.room_exactly(&mut slots, size)?;
            let (state, symbol, ahead) = (StateId::NONE, NonterminalId::NONE, LookaheadId::NONE);
            slots.resize(size, (Key { state, symbol, ahead }, PlanId::NONE));
            let old = std::mem::replace(&mut self.slots, slots);
            for (key, plan) in old.into_iter().filter(|slot| slot.1 != PlanId::NONE) {
                self.put(key, plan);
            }
        }
        self.put(key, plan);
        self.count += 1;
        Ok(())
    }

    fn put(&mut self, key: Key, plan: PlanId) {
        let mask = self.slots.len() - 1;
        let mut slot = self.hash(key) & mask;
        while self.slots[slot].1 != PlanId::NONE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = (key, plan);
    }
}

/// All plans that were found out so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans {
    known: Known,
    /// Plans by what they say.
    alike: FxHashMap<u64, Vec<PlanId>>,
    plans: IdVec<PlanId, Plan>,
    /// For each nonterminal a list of it alone, in `ended`.
    singles: FxHashMap<NonterminalId, EndedId>,
    pub(super) ended: IdVec<EndedId, Ended>,
    pub(super) onward: IdVec<OnwardId, Onward>,
}

impl Plans {
    /// About how many bytes the plans take.
    pub(super) fn memory(&self) -> u64 {
        let words = 4 * self.known.slots.len() + 16 * self.plans.len();
        4 * (words + 3 * (self.ended.len() + self.onward.len())) as u64
    }

    /// The plan of a key, if it was made.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Plan> {
        self.known.get(key).map(|plan| self.plans[plan])
    }

    /// Keeps a plan that was just made, unless there is one that says the same.
    pub(super) fn keep(
        &mut self,
        budget: &Budget<'_>,
        key: Key,
        plan: Plan,
    ) -> Result<Plan, Error> {
        budget.room_in(&mut self.alike)?;
        budget.room(&mut self.plans, 1)?;
        let ended = |plan: Plan| &self.ended[plan.ended];
        let onward = |plan: Plan| &self.onward[plan.onward];
        let hash = FxBuildHasher.hash_one((ended(plan), onward(plan)));
        let alike = self.alike.entry(hash).or_default();
        let same = alike.iter().find(|&&known| {
            let known = self.plans[known];
            ended(known) == ended(plan) && onward(known) == onward(plan)
        });
        if let Some(&known) = same {
            self.known.insert(budget, key, known)?;
            self.forget(plan);
            return Ok(self.plans[known]);
        }
        let next = self.plans.end();
        budget.room(alike, 1)?;
        alike.push(next);
        self.known.insert(budget, key, next)?;
        self.plans.push(plan);
        Ok(plan)
    }

    /// Forgets the plan that was made last.
    fn forget(&mut self, plan: Plan) {
        self.ended.truncate(plan.ended.from);
        self.onward.truncate(plan.onward.from);
    }

    /// Where in [`Plans::ended`] a symbol stands alone.
    pub(super) fn single(
        &mut self,
        budget: &Budget<'_>,
        symbol: NonterminalId,
    ) -> Result<IdRange<EndedId>, Error> {
        budget.room_in(&mut self.singles)?;
        budget.room(&mut self.ended, 1)?;
        let next = self.ended.end();
        let single = *self.singles.entry(symbol).or_insert(next);
        if single == next {
            self.ended.push(Ended { symbol, position: PositionId::NONE, below: MemberId::NONE });
        }
        Ok(IdRange::new(single, single.plus(1)))
    }
}
