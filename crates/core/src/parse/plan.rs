//! What the end of a nonterminal leads to, found out once.
//!
//! Where a nonterminal began, a state was predicted. Which productions of one symbol end with the
//! nonterminal, one above the other, and which of what was predicted goes on, depends on that
//! state and on what follows, and both come again and again in a text: so that is kept, as a plan.

use std::hash::BuildHasher as _;

use fxhash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::ahead::Ahead;
use super::budget::Budget;
use super::chart::Work;
use super::compiled::NONE;
use super::error::Error;
use super::nodes::bit;
use super::states::States;

/// A nonterminal that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ended {
    pub(super) symbol: u32,
    /// Where its production of one symbol ends; for the first of a plan the caller knows how it
    /// came about.
    pub(super) position: u32,
    /// That symbol, by its index in the plan.
    pub(super) below: u32,
}

/// An entry to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Onward {
    pub(super) state: u32,
    /// What it waited for, by its index in the plan.
    pub(super) child: u32,
}

/// What the end of a nonterminal leads to: parts of [`Plans::ended`] and of [`Plans::onward`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) ended: (u32, u32),
    pub(super) onward: (u32, u32),
    /// A bit for each symbol that ends.
    pub(super) mask: u64,
    /// Whether a symbol ends twice: it came about in two ways.
    pub(super) repeats: bool,
}

/// Plans by predicted state, symbol and what follows. A look-up mostly touches one line of the cache.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The three numbers and the plan, or [`NONE`].
    slots: Vec<[u32; 4]>,
    count: usize,
}

impl Known {
    #[inline]
    fn hash(&self, (state, symbol, ahead): (u32, u32, u32)) -> usize {
        let left = (u64::from(state) << 32 | u64::from(symbol)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let both = (left ^ left >> 29 ^ u64::from(ahead)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (both >> 32) as usize
    }

    #[inline]
    fn get(&self, key: (u32, u32, u32)) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.hash(key) & mask;
        loop {
            let [state, symbol, ahead, plan] = self.slots[slot];
            if (state, symbol, ahead) == key {
                return Some(plan);
            }
            if plan == NONE {
                return None;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[pleach_unhooked::unhooked]
    fn insert(
        &mut self,
        budget: &Budget<'_>,
        key: (u32, u32, u32),
        plan: u32,
    ) -> Result<(), Error> {
        if 4 * (self.count + 1) > 3 * self.slots.len() {
            let size = (2 * self.slots.len()).max(64);
            let mut slots = Vec::new();
            budget.room_exactly(&mut slots, size)?;
            slots.resize(size, [NONE; 4]);
            let old = std::mem::replace(&mut self.slots, slots);
            for [state, symbol, ahead, plan] in old.into_iter().filter(|slot| slot[3] != NONE) {
                self.put((state, symbol, ahead), plan);
            }
        }
        self.put(key, plan);
        self.count += 1;
        Ok(())
    }

    fn put(&mut self, key: (u32, u32, u32), plan: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = self.hash(key) & mask;
        while self.slots[slot][3] != NONE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = [key.0, key.1, key.2, plan];
    }
}

/// All plans that were found out so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans {
    known: Known,
    /// Plans by what they say.
    alike: FxHashMap<u64, Vec<u32>>,
    plans: Vec<Plan>,
    /// For each nonterminal a list of it alone, in `ended`.
    singles: FxHashMap<u32, u32>,
    pub(super) ended: Vec<Ended>,
    pub(super) onward: Vec<Onward>,
}

impl Plans {
    /// About how many bytes the plans take.
    pub(super) fn memory(&self) -> u64 {
        let words = 4 * self.known.slots.len() + 16 * self.plans.len();
        4 * (words + 3 * (self.ended.len() + self.onward.len())) as u64
    }

    /// Keeps a plan that was just made, unless there is one that says the same.
    fn keep(
        &mut self,
        budget: &Budget<'_>,
        key: (u32, u32, u32),
        plan: Plan,
    ) -> Result<Plan, Error> {
        budget.room_in(&mut self.alike)?;
        budget.room(&mut self.plans, 1)?;
        let ended = |plan: Plan| &self.ended[plan.ended.0 as usize..plan.ended.1 as usize];
        let onward = |plan: Plan| &self.onward[plan.onward.0 as usize..plan.onward.1 as usize];
        let hash = FxBuildHasher.hash_one((ended(plan), onward(plan)));
        let alike = self.alike.entry(hash).or_default();
        let same = alike.iter().find(|&&known| {
            let known = self.plans[known as usize];
            ended(known) == ended(plan) && onward(known) == onward(plan)
        });
        if let Some(&known) = same {
            self.known.insert(budget, key, known)?;
            self.forget(plan);
            return Ok(self.plans[known as usize]);
        }
        let index = self.plans.len() as u32;
        budget.room(alike, 1)?;
        alike.push(index);
        self.known.insert(budget, key, index)?;
        self.plans.push(plan);
        Ok(plan)
    }

    /// Forgets the plan that was made last.
    fn forget(&mut self, plan: Plan) {
        self.ended.truncate(plan.ended.0 as usize);
        self.onward.truncate(plan.onward.0 as usize);
    }

    /// Where in [`Plans::ended`] a symbol stands alone.
    pub(super) fn single(&mut self, budget: &Budget<'_>, symbol: u32) -> Result<(u32, u32), Error> {
        budget.room_in(&mut self.singles)?;
        budget.room(&mut self.ended, 1)?;
        let next = self.ended.len() as u32;
        let index = *self.singles.entry(symbol).or_insert(next);
        if index == next {
            self.ended.push(Ended { symbol, position: NONE, below: NONE });
        }
        Ok((index, index + 1))
    }
}

impl States {
    /// What the end of a symbol leads to from a predicted state, here.
    #[inline]
    pub(super) fn plan(
        &mut self,
        work: &Work<'_>,
        (state, symbol): (u32, u32),
        ahead: &mut Ahead,
    ) -> Result<Plan, Error> {
        let key = (state, symbol, ahead.id(work, &mut self.aheads));
        match self.plans.known.get(key) {
            Some(plan) => Ok(self.plans.plans[plan as usize]),
            None => self.make_plan(work, key, ahead),
        }
    }

    /// The transitions by nonterminals of a state that waits where a plan's nonterminals begin.
    #[inline]
    pub(super) fn expected(&self, state: u32, plan: Plan) -> std::ops::Range<usize> {
        let state = self.state(state);
        if state.waits & plan.mask == 0 { 0..0 } else { state.nonterminals() }
    }

    /// Where one of these transitions leads, if its nonterminal is of the plan and what it leads
    /// to is possible here.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    pub(super) fn waited(
        &mut self,
        work: &Work<'_>,
        plan: Plan,
        (state, transition): (u32, usize),
        ahead: &mut Ahead,
    ) -> Result<Option<Onward>, Error> {
        let symbol = self.transition_symbol(transition);
        if plan.mask & bit(symbol) == 0 {
            return Ok(None);
        }
        let ended = &self.plans.ended[plan.ended.0 as usize..plan.ended.1 as usize];
        let Some(child) = ended.iter().position(|ended| ended.symbol == symbol) else {
            return Ok(None);
        };
        let child = child as u32;
        let state = self.follow(work, state, transition, ahead.blocked)?;
        let is_possible = ahead.is_in(work, &self.viable[state as usize]);
        Ok(is_possible.then_some(Onward { state, child }))
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn make_plan(
        &mut self,
        work: &Work<'_>,
        key: (u32, u32, u32),
        ahead: &mut Ahead,
    ) -> Result<Plan, Error> {
        let (grammar, budget) = (work.grammar, work.budget);
        let first = self.plans.ended.len();
        let onward = self.plans.onward.len() as u32;
        budget.room(&mut self.plans.ended, 1)?;
        self.plans.ended.push(Ended { symbol: key.1, position: NONE, below: NONE });
        let mut led_on = FxHashSet::default();
        let (mut next, mut mask, mut repeats) = (first, 0, false);
        while let Some(&Ended { symbol, .. }) = self.plans.ended.get(next) {
            let child = (next - first) as u32;
            // The symbols before have led on from here.
            let is_repeated = !led_on.insert(symbol);
            next += 1;
            mask |= bit(symbol);
            if is_repeated {
                repeats = true;
                continue;
            }
            let Some(target) = self.next(work, key.0, symbol, ahead.blocked)? else { continue };
            budget.room(&mut self.plans.ended, 1)?;
            budget.room(&mut self.plans.onward, 1)?;
            let unit = self.state(target).unit;
            if unit != NONE && !ahead.is_in(work, &self.onward[target as usize]) {
                // An entry that could only end a production of this one nonterminal is not made.
                let owner = grammar.positions[unit as usize].owner;
                if ahead.is_in(work, &grammar.nonterminals[owner as usize].follow) {
                    self.plans.ended.push(Ended { symbol: owner, position: unit, below: child });
                }
            } else if ahead.is_in(work, &self.viable[target as usize]) {
                self.plans.onward.push(Onward { state: target, child });
            }
        }
        let plan = Plan {
            ended: (first as u32, self.plans.ended.len() as u32),
            onward: (onward, self.plans.onward.len() as u32),
            mask,
            repeats,
        };
        self.plans.keep(budget, key, plan)
    }
}
