//! Makes plans, when one is first asked for.

use fxhash::FxHashSet;

use super::error::Error;
use super::id::{MemberId, NonterminalId, PositionId, StateId, TransitionId};
use super::id_vec::IdRange;
use super::lookahead::Lookahead;
use super::plan::{Ended, Key, Onward, Plan};
use super::states::States;
use super::work::Work;
use crate::id::Id as _;

impl States {
    /// What the end of a symbol leads to from a predicted state, here.
    #[inline]
    pub(super) fn plan(
        &mut self,
        work: &Work<'_>,
        (state, symbol): (StateId, NonterminalId),
        ahead: &mut Lookahead,
    ) -> Result<Plan, Error> {
        let key = Key { state, symbol, ahead: ahead.id(work, &mut self.aheads) };
        match self.plans.get(key) {
            Some(plan) => Ok(plan),
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
        ahead: &mut Lookahead,
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
    fn make_plan(
        &mut self,
        work: &Work<'_>,
        key: Key,
        ahead: &mut Lookahead,
    ) -> Result<Plan, Error> {
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
