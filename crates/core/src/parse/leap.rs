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

use fxhash::FxHashMap;

use super::chart::{Chart, Entry, Link, Set, Work};
use super::compiled::NONE;
use super::error::Error;
use super::extract::Source;
use super::nodes::{Completion, LEAP, UNIT};
use super::plan::Ended;
use super::states::States;

/// Leaps are tried where nonterminals that begin at one place have ended more often than this.
pub(super) const FEW_ENDS: u32 = 4;
/// A way of at most this many steps is not kept.
const FEW_STEPS: u32 = 4;

/// From the end of one nonterminal to the end of the next.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The entry that waited, its state after that, and where the production ends.
    before: u32,
    state: u32,
    position: u32,
    /// What ends beside the nonterminal, in the plans, and which of that the entry waited for.
    ended: u32,
    child: u32,
    /// Where all steps from here lead: a nonterminal and the set where it begins; and how many they
    /// are.
    last: (u32, u32),
    count: u32,
}

/// Where a leap began.
#[derive(Clone, Copy, Debug)]
struct Leap {
    node: u32,
    set: u32,
    ahead: u32,
}

/// The leaps of a chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaps {
    /// Steps by origin, nonterminal and what follows.
    steps: FxHashMap<(u32, u32, u32), Step>,
    leaps: Vec<Leap>,
    path: Vec<(u32, u32, Step)>,
    /// The nodes of sets that leaps end in, by symbol, origin and set; of which sets.
    nodes: FxHashMap<(u32, u32, u32), u32>,
    sets: FxHashMap<u32, ()>,
}

impl Leaps {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.leaps.clear();
        self.nodes.clear();
        self.sets.clear();
    }

    /// About how many bytes the leaps take.
    pub(super) fn memory(&self) -> u64 {
        (48 * self.steps.len() + 12 * self.leaps.len() + 20 * self.nodes.len()) as u64
    }
}

impl Chart {
    /// Where the end of a nonterminal surely leads, if that is further than itself.
    #[pleach_unhooked::unhooked]
    pub(super) fn last(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        (symbol, origin): (u32, u32),
        at: u32,
    ) -> Result<Option<(u32, u32)>, Error> {
        let ahead = self.ahead.id(work, &mut states.aheads);
        let mut path = std::mem::take(&mut self.leaps.path);
        path.clear();
        let (mut last, mut known) = ((symbol, origin), 0);
        loop {
            let (symbol, origin) = last;
            if let Some(step) = self.leaps.steps.get(&(origin, symbol, ahead)) {
                (last, known) = (step.last, step.count);
                break;
            }
            let Some(step) = self.step(work, states, last)? else { break };
            work.budget.room(&mut path, 1)?;
            path.push((origin, symbol, step));
            last = step.last;
            self.spend(work, at, 1)?;
        }
        let count = known + path.len() as u32;
        let pays = count > FEW_STEPS;
        if pays {
            for (&(origin, symbol, step), before) in path.iter().zip(0..) {
                let step = Step { last, count: count - before, ..step };
                work.budget.room_in(&mut self.leaps.steps)?;
                self.leaps.steps.insert((origin, symbol, ahead), step);
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
        (symbol, origin): (u32, u32),
    ) -> Result<Option<Step>, Error> {
        let Set { active: (from, to), predicted, .. } = self.sets[origin as usize];
        let plan = states.plan(work, (predicted, symbol), &mut self.ahead)?;
        if plan.repeats || plan.onward.1 - plan.onward.0 > 1 {
            return Ok(None);
        }
        let onward =
            (plan.onward.0..plan.onward.1).map(|index| states.plans.onward[index as usize]);
        let mut only = onward.map(|onward| (self.active[to as usize - 1], onward)).next();
        for active in from..to - 1 {
            let before = self.active[active as usize];
            let state = self.entries[before as usize].state;
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
        if self.ahead.is_in(work, &states.onward[onward.state as usize]) {
            return Ok(None);
        }
        let (from, to) = states.state(onward.state).ends;
        let mut end = None;
        for &position in &states.ends[from as usize..to as usize] {
            let owner = work.grammar.positions[position as usize].owner;
            let nonterminal = &work.grammar.nonterminals[owner as usize];
            if self.ahead.is_in(work, &nonterminal.follow) {
                // What may derive itself would lead here again.
                if end.is_some() || owner == 0 || nonterminal.cyclic {
                    return Ok(None);
                }
                end = Some((position, owner));
            }
        }
        let Some((position, owner)) = end else { return Ok(None) };
        let last = (owner, self.entries[before as usize].origin);
        let (ended, child) = (plan.ended.0, onward.child);
        Ok(Some(Step { before, state: onward.state, position, ended, child, last, count: 1 }))
    }

    /// Notes a leap from a node of a set; gives the way of what it leads to.
    pub(super) fn leap(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        node: u32,
    ) -> Result<(u32, u32), Error> {
        work.budget.room(&mut self.leaps.leaps, 1)?;
        let ahead = self.ahead.id(work, &mut states.aheads);
        let set = self.sets.len() as u32 - 1;
        let leap = self.leaps.leaps.len() as u32;
        self.leaps.leaps.push(Leap { node, set, ahead });
        Ok((LEAP, leap))
    }

    /// The set where a node ends that came about so.
    pub(super) fn end(&self, completion: Completion) -> u32 {
        let Completion { position, entry, .. } = completion;
        if position == LEAP {
            self.leaps.leaps[entry as usize].set
        } else {
            self.entries[entry as usize].set
        }
    }

    /// Makes the nodes that were leapt over on the way to a node.
    #[inline]
    pub(super) fn settle(&mut self, source: &Source<'_>, node: u32) -> Result<(), Error> {
        let first = self.nodes.first(&source.states.plans, node);
        if first.more == NONE && first.position != LEAP {
            return Ok(());
        }
        self.settle_several(source, node, first)
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn settle_several(
        &mut self,
        source: &Source<'_>,
        node: u32,
        first: Completion,
    ) -> Result<(), Error> {
        let leaps: Vec<u32> = self
            .nodes
            .ways(first)
            .filter(|way| way.position == LEAP)
            .map(|way| way.entry)
            .collect();
        if leaps.is_empty() {
            return Ok(());
        }
        for leap in leaps {
            self.make_up(source, leap)?;
        }
        self.nodes.forget_leaps(source.work.budget, &source.states.plans, node)
    }

    /// Makes the nodes of a leap, up to the first one that is there.
    fn make_up(&mut self, source: &Source<'_>, leap: u32) -> Result<(), Error> {
        let (work, plans) = (source.work, &source.states.plans);
        let Leap { mut node, set, ahead } = self.leaps.leaps[leap as usize];
        self.map(source, set)?;
        let mut symbol = self.nodes.symbol(plans, node);
        let origin = self.nodes.origin(node);
        let mut place = (symbol, origin);
        loop {
            let step = self.leaps.steps[&(place.1, place.0, ahead)];
            // The productions of one symbol between, the lowest first.
            let mut between = Vec::new();
            let mut index = step.child;
            while index != 0 {
                between.push(index);
                index = plans.ended[(step.ended + index) as usize].below;
            }
            for index in between.into_iter().rev() {
                let index = step.ended + index;
                let Ended { symbol: above, position, .. } = plans.ended[index as usize];
                symbol = above;
                let way = (position, UNIT | node);
                let Some(made) = self.make_node(work, (symbol, place.1, set), index, way)? else {
                    return Ok(());
                };
                node = made;
                self.spend(work, work.text.len() as u32, 1)?;
            }
            work.budget.room(&mut self.entries, 1)?;
            let entry = self.entries.len() as u32;
            let origin = self.entries[step.before as usize].origin;
            let link = Link { before: step.before, child: node, more: NONE };
            self.entries.push(Entry { state: step.state, origin, set, link });
            self.spend(work, work.text.len() as u32, 2)?;
            place = (work.grammar.positions[step.position as usize].owner, origin);
            // The last one is there, so a node that is made has a step on.
            let next = self.leaps.steps.get(&(place.1, place.0, ahead));
            let index = next.map_or(NONE, |step| step.ended);
            let way = (step.position, entry);
            match self.make_node(work, (place.0, place.1, set), index, way)? {
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
        key: (u32, u32, u32),
        ended: u32,
        way: (u32, u32),
    ) -> Result<Option<u32>, Error> {
        if let Some(&known) = self.leaps.nodes.get(&key) {
            self.nodes.add::<true>(work.budget, known, way)?;
            return Ok(None);
        }
        let node = self.nodes.append(work.budget, key.1, ended, way)?;
        work.budget.room_in(&mut self.leaps.nodes)?;
        self.leaps.nodes.insert(key, node);
        Ok(Some(node))
    }

    /// Finds the nodes of a set.
    fn map(&mut self, source: &Source<'_>, set: u32) -> Result<(), Error> {
        let budget = source.work.budget;
        budget.room_in(&mut self.leaps.sets)?;
        if self.leaps.sets.insert(set, ()).is_some() {
            return Ok(());
        }
        let from = self.sets[set as usize].spans;
        let to = self.sets.get(set as usize + 1).map_or(self.spans, |set| set.spans);
        for node in self.nodes.range(&source.states.plans, from, to) {
            let symbol = self.nodes.symbol(&source.states.plans, node);
            budget.room_in(&mut self.leaps.nodes)?;
            self.leaps.nodes.insert((symbol, self.nodes.origin(node), set), node);
        }
        Ok(())
    }
}
