//! Leaps over right recursion, after Leo ("A General Context-Free Parsing Algorithm Running in
//! Linear Time on Every LR(k) Grammar Without Using Lookahead", 1991).
//!
//! Where the end of a nonterminal leads to one entry alone, which does nothing but end the next
//! nonterminal, which leads to one entry alone, and so on, only what comes after the last of them
//! matters. The way there depends on sets that are finished, and on what follows; so it is kept,
//! and taken in one step from then on. Otherwise a right recursion of n levels that may end at each
//! of n places takes n steps at each.
//!
//! What was leapt over is made up for where a tree goes through it: the last nonterminal has a way
//! that says where the leap began, and the nodes between are made when its ways are looked at. Each
//! node between leads to the last one only, so they are there before anything asks for them.
//!
//! Most nonterminals that begin at a place end at only a few places. A leap does not pay there, so
//! the first few ends at each place take the steps one by one.

use super::chart::{Chart, Entry, Link, Set, Source};
use super::error::Error;
use super::id::{
    CompletionId, EndedId, LeapId, LinkId, MemberId, NodeId, NonterminalId, Offset, SetId,
};
use super::id_vec::IdRange;
use super::nodes::{Completion, Via, Way};
use super::plan::Ended;
use super::states::States;
use super::steps::{Begun, Leap, Step};
use super::work::Work;
use crate::id::Id as _;

/// Leaps are tried where nonterminals that begin at one place have ended more often than this.
pub(super) const FEW_ENDS: u32 = 4;
/// A way of at most this many steps is not kept.
const FEW_STEPS: u32 = 4;

impl Chart {
    /// Where the end of a nonterminal surely leads, if that is further than itself.
    #[pleach_unhooked::unhooked]
    pub(super) fn last(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        begun: Begun,
        at: Offset,
    ) -> Result<Option<Begun>, Error> {
        let ahead = self.ahead.id(work, &mut states.aheads);
        let mut path = std::mem::take(&mut self.leaps.path);
        path.clear();
        let (mut last, mut known) = (begun, 0);
        loop {
            if let Some(step) = self.leaps.steps.get(&(last, ahead)) {
                (last, known) = (step.last, step.count);
                break;
            }
            let Some(step) = self.step(work, states, last)? else { break };
            work.budget.room(&mut path, 1)?;
            path.push((last, step));
            last = step.last;
            self.spend(work, at, 1)?;
        }
        let count = known + path.len() as u32;
        let pays = count > FEW_STEPS;
        if pays {
            for (&(begun, step), before) in path.iter().zip(0..) {
                let step = Step { last, count: count - before, ..step };
                work.budget.room_in(&mut self.leaps.steps)?;
                self.leaps.steps.insert((begun, ahead), step);
            }
        }
        self.leaps.path = path;
        Ok(pays.then_some(last))
    }

    /// The one step that the end of a nonterminal leads to, if it is one.
    fn step(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        Begun { symbol, origin }: Begun,
    ) -> Result<Option<Step>, Error> {
        let Set { active, predicted, .. } = self.sets[origin];
        let plan = states.plan(work, (predicted, symbol), &mut self.ahead)?;
        if plan.repeats || plan.onward.len() > 1 {
            return Ok(None);
        }
        let onward = plan.onward.first().map(|onward| states.plans.onward[onward]);
        let mut only = onward.map(|onward| (self.active[active.last()], onward));
        for active in active.without_last() {
            let before = self.active[active];
            let state = self.entries[before].state;
            for transition in states.expected(state, plan) {
                let onward = states.waited(work, plan, (state, transition), &mut self.ahead)?;
                let Some(onward) = onward else { continue };
                if only.is_some() {
                    return Ok(None);
                }
                only = Some((before, onward));
            }
        }
        let Some((before, onward)) = only else { return Ok(None) };
        if self.ahead.is_in(work, &states.onward[onward.state]) {
            return Ok(None);
        }
        let mut end = None;
        for &position in states.ends(onward.state) {
            let owner = work.grammar.positions[position].owner;
            let nonterminal = &work.grammar.nonterminals[owner];
            if self.ahead.is_in(work, &nonterminal.follow) {
                // What may derive itself would lead here again.
                if end.is_some() || owner == NonterminalId::TEXT || nonterminal.cyclic {
                    return Ok(None);
                }
                end = Some((position, owner));
            }
        }
        let Some((position, owner)) = end else { return Ok(None) };
        let last = Begun { symbol: owner, origin: self.entries[before].origin };
        let (ended, child) = (plan.ended.from, onward.child);
        Ok(Some(Step { before, state: onward.state, position, ended, child, last, count: 1 }))
    }

    /// Notes a leap from a node of a set; gives the way of what it leads to.
    pub(super) fn leap(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        node: NodeId,
    ) -> Result<Way, Error> {
        work.budget.room(&mut self.leaps.leaps, 1)?;
        let ahead = self.ahead.id(work, &mut states.aheads);
        let set = self.sets.ids().last();
        Ok(Way::leap(self.leaps.leaps.push(Leap { node, set, ahead })))
    }

    /// Makes the nodes that were leapt over on the way to a node.
    #[inline]
    pub(super) fn settle(&mut self, source: &Source<'_>, node: NodeId) -> Result<(), Error> {
        let first = self.nodes.first(&source.states.plans, node);
        if first.more == CompletionId::NONE && !first.way.is_leap() {
            return Ok(());
        }
        self.settle_several(source, node, first)
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn settle_several(
        &mut self,
        source: &Source<'_>,
        node: NodeId,
        first: Completion,
    ) -> Result<(), Error> {
        let leap = |completion: Completion| match completion.way.via() {
            Via::Leap(leap) => Some(leap),
            _ => None,
        };
        let leaps: Vec<LeapId> = self.nodes.ways(first).filter_map(leap).collect();
        if leaps.is_empty() {
            return Ok(());
        }
        for leap in leaps {
            self.make_up(source, leap)?;
        }
        self.nodes.forget_leaps(source.work.budget, &source.states.plans, node)
    }

    /// Makes the nodes of a leap, up to the first one that is there.
    fn make_up(&mut self, source: &Source<'_>, leap: LeapId) -> Result<(), Error> {
        let (work, plans) = (source.work, &source.states.plans);
        let Leap { mut node, set, ahead } = self.leaps.leaps[leap];
        self.map(source, set)?;
        let mut begun =
            Begun { symbol: self.nodes.symbol(plans, node), origin: self.nodes.origin(node) };
        loop {
            let step = self.leaps.steps[&(begun, ahead)];
            // The productions of one symbol between, the lowest first.
            let mut between = Vec::new();
            let mut member = step.child;
            while member != MemberId::FIRST {
                between.push(member);
                member = plans.ended[step.ended.member(member)].below;
            }
            for member in between.into_iter().rev() {
                let ended = step.ended.member(member);
                let Ended { symbol, position, .. } = plans.ended[ended];
                let (above, way) = (Begun { symbol, ..begun }, Way::unit(position, node));
                let Some(made) = self.make_node(work, (above, set), ended, way)? else {
                    return Ok(());
                };
                node = made;
                self.spend(work, work.end(), 1)?;
            }
            work.budget.room(&mut self.entries, 1)?;
            let origin = self.entries[step.before].origin;
            let link = Link { before: step.before, child: node, more: LinkId::NONE };
            let entry = self.entries.push(Entry { state: step.state, origin, set, link });
            self.spend(work, work.end(), 2)?;
            let symbol = work.grammar.positions[step.position].owner;
            begun = Begun { symbol, origin };
            // The last one is there, so a node that is made has a step on.
            let next = self.leaps.steps.get(&(begun, ahead));
            let ended = next.map_or(EndedId::NONE, |step| step.ended);
            let way = Way::entry(step.position, entry);
            match self.make_node(work, (begun, set), ended, way)? {
                Some(made) => node = made,
                None => return Ok(()),
            }
        }
    }

    /// Adds a node, or a way to it where it is there.
    #[pleach_unhooked::unhooked]
    fn make_node(
        &mut self,
        work: &Work<'_>,
        key: (Begun, SetId),
        ended: EndedId,
        way: Way,
    ) -> Result<Option<NodeId>, Error> {
        if let Some(&known) = self.leaps.nodes.get(&key) {
            self.nodes.add::<true>(work.budget, known, way)?;
            return Ok(None);
        }
        let node = self.nodes.append(work.budget, key.0.origin, ended, way)?;
        work.budget.room_in(&mut self.leaps.nodes)?;
        self.leaps.nodes.insert(key, node);
        Ok(Some(node))
    }

    /// Finds the nodes of a set.
    fn map(&mut self, source: &Source<'_>, set: SetId) -> Result<(), Error> {
        let budget = source.work.budget;
        budget.room_in(&mut self.leaps.sets)?;
        if self.leaps.sets.insert(set, ()).is_some() {
            return Ok(());
        }
        let from = self.sets[set].spans;
        let to = self.sets.get(set.plus(1)).map_or(self.spans, |set| set.spans);
        for node in self.nodes.range(&source.states.plans, IdRange::new(from, to)) {
            let symbol = self.nodes.symbol(&source.states.plans, node);
            let begun = Begun { symbol, origin: self.nodes.origin(node) };
            budget.room_in(&mut self.leaps.nodes)?;
            self.leaps.nodes.insert((begun, set), node);
        }
        Ok(())
    }
}
