//! What the end of a nonterminal leads to, found out once.
//!
//! Where a nonterminal began, a state was predicted. Which productions of one symbol end with the
//! nonterminal, one above the other, and which of what was predicted goes on, depends on that
//! state and on what follows, and both come again and again in a text: so that is kept, as a plan.

use std::hash::BuildHasher as _;

use fxhash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::ahead::Ahead;
use super::budget::Budget;
use super::error::Error;
use super::id::{
    AheadId, EndedId, MemberId, NonterminalId, OnwardId, PlanId, PositionId, StateId, TransitionId,
};
use super::id_vec::{IdRange, IdVec};
use super::states::States;
use super::work::Work;
use crate::table::Id as _;

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
struct Key {
    state: StateId,
    symbol: NonterminalId,
    ahead: AheadId,
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
            let (state, symbol, ahead) = (StateId::NONE, NonterminalId::NONE, AheadId::NONE);
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

    /// Keeps a plan that was just made, unless there is one that says the same.
    fn keep(&mut self, budget: &Budget<'_>, key: Key, plan: Plan) -> Result<Plan, Error> {
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

impl States {
    /// What the end of a symbol leads to from a predicted state, here.
    #[inline]
    pub(super) fn plan(
        &mut self,
        work: &Work<'_>,
        (state, symbol): (StateId, NonterminalId),
        ahead: &mut Ahead,
    ) -> Result<Plan, Error> {
        let key = Key { state, symbol, ahead: ahead.id(work, &mut self.aheads) };
        match self.plans.known.get(key) {
            Some(plan) => Ok(self.plans.plans[plan]),
            None => self.make_plan(work, key, ahead),
        }
    }

    /// The transitions by nonterminals of a state that waits where a plan's nonterminals begin.
    #[inline]
    pub(super) fn expected(&self, state: StateId, plan: Plan) -> IdRange<TransitionId> {
        let state = self.state(state);
        let all = state.nonterminals();
        if state.waits & plan.mask == 0 { IdRange::empty(all.from) } else { all }
    }

    /// Where one of these transitions leads, if its nonterminal is of the plan and what it leads
    /// to is possible here.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    pub(super) fn waited(
        &mut self,
        work: &Work<'_>,
        plan: Plan,
        (state, transition): (StateId, TransitionId),
        ahead: &mut Ahead,
    ) -> Result<Option<Onward>, Error> {
        let Some(symbol) = self.transition_symbol(transition).nonterminal() else {
            return Ok(None);
        };
        if plan.mask & symbol.bit() == 0 {
            return Ok(None);
        }
        let mut ended = self.plans.ended[plan.ended].iter();
        let Some(child) = ended.position(|ended| ended.symbol == symbol) else {
            return Ok(None);
        };
        let child = MemberId::at(child);
        let state = self.follow(work, state, transition, ahead.blocked)?;
        let is_possible = ahead.is_in(work, &self.viable[state]);
        Ok(is_possible.then_some(Onward { state, child }))
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn make_plan(&mut self, work: &Work<'_>, key: Key, ahead: &mut Ahead) -> Result<Plan, Error> {
        let (grammar, budget) = (work.grammar, work.budget);
        let (first, onward) = (self.plans.ended.end(), self.plans.onward.end());
        budget.room(&mut self.plans.ended, 1)?;
        let lowest =
            Ended { symbol: key.symbol, position: PositionId::NONE, below: MemberId::NONE };
        self.plans.ended.push(lowest);
        let mut led_on = FxHashSet::default();
        let (mut child, mut mask, mut repeats) = (MemberId::FIRST, 0, false);
        while let Some(&Ended { symbol, .. }) = self.plans.ended.get(first.member(child)) {
            let below = child;
            child = child.plus(1);
            // The symbols before have led on from here.
            let is_repeated = !led_on.insert(symbol);
            mask |= symbol.bit();
            if is_repeated {
                repeats = true;
                continue;
            }
            let Some(target) = self.next(work, key.state, symbol.into(), ahead.blocked)? else {
                continue;
            };
            budget.room(&mut self.plans.ended, 1)?;
            budget.room(&mut self.plans.onward, 1)?;
            let unit = self.state(target).unit;
            if unit != PositionId::NONE && !ahead.is_in(work, &self.onward[target]) {
                // An entry that could only end a production of this one nonterminal is not made.
                let owner = grammar.positions[unit].owner;
                if ahead.is_in(work, &grammar.nonterminals[owner].follow) {
                    self.plans.ended.push(Ended { symbol: owner, position: unit, below });
                }
            } else if ahead.is_in(work, &self.viable[target]) {
                self.plans.onward.push(Onward { state: target, child: below });
            }
        }
        let plan = Plan {
            ended: IdRange::new(first, self.plans.ended.end()),
            onward: IdRange::new(onward, self.plans.onward.end()),
            mask,
            repeats,
        };
        self.plans.keep(budget, key, plan)
    }
}
