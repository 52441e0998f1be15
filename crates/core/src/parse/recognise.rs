//! Recognition: makes the chart of a text, set by set.
//!
//! An entry that ends a production is completed: for each entry of the set where it began, the
//! nonterminal leads on to another one here (Earley, "An Efficient Context-Free Parsing Algorithm",
//! 1970, over states instead of items). All that a set predicts is one state more. What cannot come
//! before the byte that follows is left out.

use super::chart::{Chart, Entry, FoundId, Link, Pending, PendingId, Set};
use super::error::Error;
use super::id::{EntryId, LeapId, LinkId, MemberId, NodeId, NonterminalId, Offset, SetId, StateId};
use super::id_vec::IdRange;
use super::leap::FEW_ENDS;
use super::lookahead::may_follow;
use super::nodes::{MOST_NODES, MOST_SPANS, Way};
use super::plan::{Ended, Onward, Plan};
use super::scan;
use super::states::States;
use super::steps::Begun;
use super::work::Work;
use crate::id::Id as _;
use crate::table::{Terminal, TerminalId};

/// Symbols that an automaton reads in the time of an item, and bytes of a literal.
const SYMBOLS_AN_ITEM: u64 = 16;
const BYTES_AN_ITEM: u64 = 512;
/// Ends of productions that are looked at in this time.
const ENDS_AN_ITEM: u32 = 16;

/// The most entries: their numbers share a word with a flag.
const MOST_ENTRIES: usize = 1 << 30;

impl Chart {
    /// Makes the sets of a text. Gives the node of all of it, or the offset of the last set where the text leaves the
    /// grammar; with `TREE` unset that node says nothing.
    #[cfg_attr(fuzzing, inline(always))]
    pub(super) fn recognise<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
    ) -> Result<Result<NodeId, Offset>, Error> {
        self.clear(work)?;
        let (begin, end) = (Offset::START, work.end());
        let mut last = begin;
        // What waited for the last set stays: a message makes that once more.
        let mut waited = PendingId::NONE;
        for at in self.waiting.ids() {
            let head = self.waiting[at];
            if head == PendingId::NONE && at > begin && !work.everywhere {
                continue;
            }
            last = at;
            let node = self.set::<TREE>(work, states, at, false)?;
            if at == end && node != NodeId::NONE {
                self.spans = self.nodes.end();
                return Ok(Ok(node));
            }
            let spans = self.nodes.end().index();
            if self.entries.len() >= MOST_ENTRIES || spans >= MOST_SPANS / 2 {
                return Err(Error::Budget { at: at.index() });
            }
            if at < end {
                self.recycle(std::mem::replace(&mut waited, head));
            }
        }
        Ok(Err(last))
    }

    fn recycle(&mut self, head: PendingId) {
        let mut next = head;
        while next != PendingId::NONE {
            let pending = &mut self.pending[next];
            let after = pending.next;
            pending.next = self.free;
            self.free = next;
            next = after;
        }
    }

    /// Makes the set of an offset. At the end of the text, gives the node of all of it, if there
    /// is one.
    #[cfg_attr(fuzzing, inline(always))]
    pub(super) fn set<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        at: Offset,
        is_blind: bool,
    ) -> Result<NodeId, Error> {
        let (first, spans) = (self.entries.end(), self.nodes.end());
        let active = IdRange::empty(self.active.end());
        work.budget.room(&mut self.sets, 1)?;
        let set = self.sets.push(Set { at, spans, active, predicted: StateId::NONE, ended: 0 });
        self.entry_index.clear();
        self.nodes.next_set();
        self.ahead.look(work, at, is_blind);
        let mut whole = NodeId::NONE;
        let mut predicted = StateId::NONE;
        if at == Offset::START || work.everywhere {
            predicted = states.start(work, work.is_blocked(at))?;
            if work.text.is_empty() && work.grammar.nonterminals[NonterminalId::TEXT].nullable {
                whole = NodeId::EMPTY;
            }
        }
        let mut next = self.waiting[at];
        while next != PendingId::NONE {
            let Pending { before, state, next: after } = self.pending[next];
            let origin = self.entries[before].origin;
            self.spend(work, at, 1)?;
            if self.ahead.is_in(work, &states.viable[state]) {
                self.entry::<TREE>(work, (state, origin, set), (before, NodeId::NONE))?;
            }
            next = after;
        }
        let mut next = first;
        while let Some(&Entry { state, origin, .. }) = self.entries.get(next) {
            let ends = states.ends_of(state);
            // Those that do not complete are looked at, too.
            self.spend(work, at, ends.len() / ENDS_AN_ITEM)?;
            for end in ends {
                let position = states.end(end);
                let owner = work.grammar.positions[position].owner;
                let follow = &work.grammar.nonterminals[owner].follow;
                if !self.ahead.is_in(work, follow) {
                    continue;
                }
                let (begun, way) = (Begun { symbol: owner, origin }, Way::entry(position, next));
                let node = self.complete::<TREE>(work, states, (begun, set), way)?;
                if owner == NonterminalId::TEXT && work.everywhere {
                    work.budget.room(&mut self.parts, 1)?;
                    self.parts.push((self.sets[origin].at, at));
                } else if owner == NonterminalId::TEXT && at == work.end() {
                    whole = node;
                }
            }
            let more = states.predicted(work, state)?;
            predicted = states.union(work, predicted, more)?;
            if states.state(state).has_nonterminals() {
                work.budget.room(&mut self.active, 1)?;
                self.active.push(next);
            }
            next = next.plus(1);
        }
        if predicted != StateId::NONE {
            let entry = Entry { state: predicted, origin: set, set, link: Link::NONE };
            work.budget.room(&mut self.active, 1)?;
            work.budget.room(&mut self.entries, 1)?;
            self.active.push(self.entries.end());
            self.entries.push(entry);
            self.spend(work, at, 1)?;
        }
        let entries = IdRange::new(first, self.entries.end());
        if entries.is_empty() {
            self.sets.pop();
            return Ok(whole);
        }
        self.sets[set].active.to = self.active.end();
        self.sets[set].predicted = predicted;
        if !is_blind && at < work.end() {
            self.found.clear();
            for entry in entries {
                self.scan(work, states, entry, at)?;
            }
        }
        self.ahead.settle()?;
        Ok(whole)
    }

    /// Adds an entry, or a link to one that is there.
    #[inline]
    fn entry<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        (state, origin, set): (StateId, SetId, SetId),
        (before, child): (EntryId, NodeId),
    ) -> Result<(), Error> {
        match self.entry_index.entry(work.budget, (state, origin), self.entries.end())? {
            None => {
                work.budget.room(&mut self.entries, 1)?;
                let link = Link { before, child, more: LinkId::NONE };
                self.entries.push(Entry { state, origin, set, link });
            }
            Some(known) => {
                if TREE {
                    work.budget.room(&mut self.links, 1)?;
                    let first = &mut self.entries[known].link;
                    let link = Link { before, child, more: first.more };
                    first.more = self.links.push(link);
                }
            }
        }
        Ok(())
    }

    /// A nonterminal ends here: adds the nodes and entries that it leads to.
    #[cfg_attr(not(fuzzing), inline)]
    #[cfg_attr(fuzzing, inline(always))]
    fn complete<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        (begun, set): (Begun, SetId),
        way: Way,
    ) -> Result<NodeId, Error> {
        let Begun { symbol, origin } = begun;
        let at = self.sets[set].at;
        let head = self.nodes.head(work.budget, origin)?;
        if let Some(known) = self.nodes.find(&states.plans, head, symbol) {
            self.nodes.add::<TREE>(work.budget, known, way)?;
            self.spend(work, at, 1)?;
            return Ok(known);
        }
        let ended = &mut self.sets[origin].ended;
        *ended = ended.saturating_add(1);
        if *ended > FEW_ENDS
            && let Some(last) = self.last(work, states, begun, at)?
        {
            let single = states.plans.single(work.budget, symbol)?;
            let node = self.nodes.push::<TREE>(work.budget, origin, single, symbol.bit(), way)?;
            let way = if TREE { self.leap(work, states, node)? } else { Way::leap(LeapId::NONE) };
            self.complete::<TREE>(work, states, (last, set), way)?;
            return Ok(node);
        }
        let Set { active, predicted, .. } = self.sets[origin];
        let plan = states.plan(work, (predicted, symbol), &mut self.ahead)?;
        let ended = plan.ended.len();
        let is_plain = ended <= MOST_NODES && !plan.repeats;
        if !is_plain || !self.nodes.are_apart(head, plan.mask) {
            return self.complete_slowly::<TREE>(work, states, (origin, set), way, plan);
        }
        let first = self.nodes.push::<TREE>(work.budget, origin, plan.ended, plan.mask, way)?;
        let node = |member: MemberId| first.above(member);
        self.lead_on::<TREE>(work, states, (origin, set), plan, node)?;
        self.spend(work, at, ended + plan.onward.len() + active.len())?;
        Ok(first)
    }

    /// Makes the entries that the nonterminals of a plan lead to; no node is one that has led on
    /// before.
    #[inline]
    fn lead_on<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        (origin, set): (SetId, SetId),
        plan: Plan,
        node: impl Fn(MemberId) -> NodeId,
    ) -> Result<(), Error> {
        let active = self.sets[origin].active;
        // The last one is what is predicted.
        let predicted = self.active[active.last()];
        for onward in plan.onward {
            let Onward { state, child } = states.plans.onward[onward];
            let child = node(child);
            if child != NodeId::NONE {
                self.entry::<TREE>(work, (state, origin, set), (predicted, child))?;
            }
        }
        for active in active.without_last() {
            let before = self.active[active];
            let Entry { state, origin, .. } = self.entries[before];
            for transition in states.expected(state, plan) {
                let transition = (state, transition);
                let onward = states.waited(work, plan, transition, &mut self.ahead)?;
                if let Some(Onward { state, child }) = onward
                    && let child = node(child)
                    && child != NodeId::NONE
                {
                    self.entry::<TREE>(work, (state, origin, set), (before, child))?;
                }
            }
        }
        Ok(())
    }

    /// The same where some of the nodes may be known: node by node.
    #[cold]
    fn complete_slowly<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        (origin, set): (SetId, SetId),
        way: Way,
        plan: Plan,
    ) -> Result<NodeId, Error> {
        let at = self.sets[set].at;
        self.spend(work, at, plan.ended.len() + plan.onward.len())?;
        self.spend(work, at, self.sets[origin].active.len())?;
        let mut nodes = std::mem::take(&mut self.ended);
        nodes.clear();
        work.budget.room(&mut nodes, plan.ended.len() as usize)?;
        for ended in plan.ended {
            let Ended { symbol, position, below } = states.plans.ended[ended];
            let way = match nodes.get(below) {
                None => way,
                Some(&NodeId::NONE) => {
                    nodes.push(NodeId::NONE);
                    continue;
                }
                Some(&below) => Way::unit(position, below),
            };
            let head = self.nodes.head(work.budget, origin)?;
            nodes.push(match self.nodes.find(&states.plans, head, symbol) {
                Some(known) => {
                    self.nodes.add::<TREE>(work.budget, known, way)?;
                    NodeId::NONE
                }
                None => {
                    let single = states.plans.single(work.budget, symbol)?;
                    self.nodes.push::<TREE>(work.budget, origin, single, symbol.bit(), way)?
                }
            });
        }
        self.lead_on::<TREE>(work, states, (origin, set), plan, |member| nodes[member])?;
        let first = nodes[MemberId::FIRST];
        self.ended = nodes;
        Ok(first)
    }

    /// Looks for the terminals that an entry waits for.
    #[pleach_unhooked::unhooked]
    fn scan(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        entry: EntryId,
        at: Offset,
    ) -> Result<(), Error> {
        let state = self.entries[entry].state;
        let byte = work.text[at.index()];
        let mut open = states.beginning(work, state, byte)?;
        while let Some(transition) = states.next_open(&mut open) {
            let Some(terminal) = states.transition_symbol(transition).terminal() else { continue };
            for found in self.seek(work, terminal, at)? {
                let end = self.found[found];
                let blocked = work.is_blocked(end);
                let target = states.follow(work, state, transition, blocked)?;
                self.spend(work, at, 1)?;
                if !may_follow(work, end, &states.viable[target]) {
                    if end >= self.rejected_at {
                        if end > self.rejected_at {
                            self.rejected.clear();
                            self.rejected_at = end;
                        }
                        work.budget.room(&mut self.rejected, 1)?;
                        self.rejected.push((entry, target));
                    }
                    continue;
                }
                self.wait(work, entry, target, end)?;
            }
        }
        Ok(())
    }

    /// Where a terminal that begins here ends, as a range of [`Chart::found`].
    fn seek(
        &mut self,
        work: &Work<'_>,
        terminal: TerminalId,
        at: Offset,
    ) -> Result<IdRange<FoundId>, Error> {
        let set = self.sets.end();
        let (sought, found) = self.sought[terminal];
        if sought == set {
            return Ok(found);
        }
        let from = self.found.end();
        if work.grammar.layout == terminal.into() {
            let ends = self.ahead.layout_ends(work);
            work.budget.room(&mut self.found, ends.len())?;
            self.found.extend_from_slice(ends);
        } else {
            let (found, mut room) = (&mut self.found, Ok(()));
            let note = |end: usize| {
                if room.is_ok() {
                    room = work.budget.room(found, 1);
                }
                if room.is_ok() {
                    found.push(Offset::at(end));
                }
            };
            let (broken, each) = match work.grammar.scanner(terminal) {
                Some(scanner) => {
                    let endings = work.grammar.endings.get(terminal);
                    let broken = match endings.and_then(Option::as_ref) {
                        Some(endings) => scanner.needed_ends(work.text, at.index(), endings, note),
                        None => scanner.ends(work.text, at.index(), note),
                    };
                    (broken, SYMBOLS_AN_ITEM)
                }
                None => {
                    let is_literal = matches!(
                        work.table.terminal(terminal),
                        Terminal::Literal { ignore_case: false, .. }
                    );
                    let each = if is_literal { BYTES_AN_ITEM } else { SYMBOLS_AN_ITEM };
                    (scan::ends(work.table, terminal, work.text, at.index(), note), each)
                }
            };
            // Symbols that are looked at again and again are work, too.
            room?;
            work.budget.spend(at.index(), (broken - at.index()) as u64 / each)?;
            self.note_broken(terminal, at, Offset::at(broken));
        }
        let found = IdRange::new(from, self.found.end());
        self.sought[terminal] = (set, found);
        Ok(found)
    }

    fn note_broken(&mut self, terminal: TerminalId, from: Offset, at: Offset) {
        if at > self.furthest {
            self.furthest = at;
            self.broken.clear();
        }
        if at == self.furthest && self.broken.len() < 64 {
            self.broken.push((terminal, from));
        }
    }

    pub(super) fn wait(
        &mut self,
        work: &Work<'_>,
        before: EntryId,
        state: StateId,
        end: Offset,
    ) -> Result<(), Error> {
        let head = &mut self.waiting[end];
        let pending = Pending { before, state, next: *head };
        if self.free == PendingId::NONE {
            work.budget.room(&mut self.pending, 1)?;
            *head = self.pending.push(pending);
        } else {
            let slot = self.free;
            self.free = self.pending[slot].next;
            self.pending[slot] = pending;
            *head = slot;
        }
        Ok(())
    }
}
