//! The chart: which states a text leads to, set by set.
//!
//! A set belongs to an offset of the text. Its entries are pairs of a state and the set where the
//! productions of the state's positions began. An entry that ends a production is completed: for
//! each entry of the set where it began, the nonterminal leads on to another one here (Earley,
//! "An Efficient Context-Free Parsing Algorithm", 1970, over states instead of items). All that a
//! set predicts is one state more. What cannot come before the byte that follows is left out.
//!
//! Where a tree is wanted, an entry keeps how it came about: the entry before its last symbol, and
//! the node of that symbol. An entry that came about in several ways has several such links.

use super::ahead::{Ahead, may_follow};
use super::budget::Budget;
use super::compiled::{Compiled, NONE, inside_word};
use super::error::{Error, SyntaxError};
use super::index::Index;
use super::inside::Insides;
use super::leap::{FEW_ENDS, Leaps};
use super::nodes::{EMPTY, LEAP, MOST_NODES, MOST_SPANS, Nodes, UNIT, bit};
use super::plan::{Ended, Onward, Plan};
use super::scan;
use super::states::States;
use crate::table::{Table, Terminal, TerminalId};

/// A state that the text leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) state: u32,
    /// The set where the productions of the state's positions began.
    pub(super) origin: u32,
    /// The set that it is in.
    pub(super) set: u32,
    /// How it came about first, where a tree is wanted.
    pub(super) link: Link,
}

/// How an entry came about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The entry before the last symbol.
    pub(super) before: u32,
    /// The node of that symbol; [`NONE`] for a terminal.
    pub(super) child: u32,
    /// The next link of the same entry in [`Chart::links`], or [`NONE`].
    pub(super) more: u32,
}

impl Link {
    /// What is predicted did not come about by a symbol.
    const NONE: Self = Self { before: NONE, child: NONE, more: NONE };
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    pub(super) at: u32,
    /// Its first span of nodes.
    pub(super) spans: u32,
    /// Its entries that wait for a nonterminal, in [`Chart::active`].
    pub(super) active: (u32, u32),
    /// The state of the last of them: what is predicted.
    pub(super) predicted: u32,
    /// How often nonterminals that begin in it ended so far, or the greatest number: a long text
    /// may have more items than that.
    ended: u32,
}

/// Symbols that an automaton reads in the time of an item, and bytes of a literal.
const SYMBOLS_AN_ITEM: u64 = 16;
const BYTES_AN_ITEM: u64 = 512;

/// The most entries: their numbers share a word with a flag.
const MOST_ENTRIES: usize = 1 << 30;

/// An entry to be made where a terminal ends.
#[derive(Clone, Copy, Debug)]
struct Pending {
    before: u32,
    state: u32,
    next: u32,
}

/// The memory of the recogniser.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) entries: Vec<Entry>,
    pub(super) links: Vec<Link>,
    pub(super) nodes: Nodes,
    /// How many spans of nodes there were when the last set was finished.
    pub(super) spans: u32,
    pub(super) leaps: Leaps,
    pub(super) sets: Vec<Set>,
    pub(super) active: Vec<u32>,
    pending: Vec<Pending>,
    free: u32,
    /// The first entry to be made at each offset.
    pub(super) waiting: Vec<u32>,
    entry_index: Index,
    pub(super) ahead: Ahead,
    /// The nodes of a plan, where some of them are known already.
    ended: Vec<u32>,
    /// For each terminal the set that it was last looked for in, and where it ended.
    sought: Vec<(u32, u32, u32)>,
    found: Vec<u32>,
    /// What was left out where a terminal ended, as far on in the text as that happened.
    pub(super) rejected_at: u32,
    pub(super) rejected: Vec<(u32, u32)>,
    /// Which terminals went furthest before they did not fit, where they began, and how far.
    pub(super) furthest: u32,
    pub(super) broken: Vec<(u32, u32)>,
    /// Where the texts begin and end that were found, if they are looked for everywhere.
    pub(super) parts: Vec<(u32, u32)>,
}

/// What stays the same in one parse.
pub(super) struct Work<'p> {
    pub(super) table: &'p Table,
    pub(super) grammar: &'p Compiled,
    /// What is inside its tokens.
    pub(super) insides: Option<&'p Insides>,
    pub(super) budget: &'p Budget<'p>,
    pub(super) text: &'p [u8],
    /// Whether to find out what was expected where the text leaves the grammar.
    pub(super) explains: bool,
    /// Whether a text may begin and end anywhere, instead of where this one does.
    pub(super) everywhere: bool,
}

impl<'p> Work<'p> {
    pub(super) fn new(
        table: &'p Table,
        (grammar, insides): (&'p Compiled, Option<&'p Insides>),
        budget: &'p Budget<'p>,
        text: &'p [u8],
    ) -> Result<Self, Error> {
        if text.len() > grammar.longest {
            return Err(Error::TooLong { most: grammar.longest });
        }
        Ok(Self { table, grammar, insides, budget, text, explains: true, everywhere: false })
    }

    pub(super) fn is_blocked(&self, at: u32) -> bool {
        self.grammar.layout != NONE && inside_word(self.text, at as usize)
    }
}

impl Chart {
    pub(super) fn at(&self, entry: u32) -> u32 {
        self.sets[self.entries[entry as usize].set as usize].at
    }

    fn clear(&mut self, work: &Work<'_>) -> Result<(), Error> {
        self.forget();
        self.free = NONE;
        work.budget.room_exactly(&mut self.waiting, work.text.len() + 1)?;
        self.waiting.resize(work.text.len() + 1, NONE);
        self.sought.clear();
        work.budget.room(&mut self.sought, work.grammar.terminals.len())?;
        self.sought.resize(work.grammar.terminals.len(), (NONE, 0, 0));
        self.found.clear();
        self.rejected_at = 0;
        self.rejected.clear();
        self.furthest = 0;
        self.broken.clear();
        Ok(())
    }

    /// Empties the chart, so that it takes no memory by its own account.
    pub(super) fn forget(&mut self) {
        self.entries.clear();
        self.links.clear();
        self.nodes.clear();
        self.leaps.clear();
        self.sets.clear();
        self.active.clear();
        self.pending.clear();
        self.waiting.clear();
        self.parts.clear();
    }

    /// About how many bytes the chart takes.
    pub(super) fn memory(&self) -> u64 {
        let words = 6 * self.entries.len()
            + 3 * (self.links.len() + self.pending.len())
            + 6 * self.sets.len()
            + self.active.len()
            + 2 * self.parts.len()
            + self.waiting.len();
        4 * words as u64 + self.nodes.memory() + self.leaps.memory()
    }

    /// Counts items, and stops where there are too many.
    #[inline]
    pub(super) fn spend(&self, work: &Work<'_>, at: u32, items: u32) -> Result<(), Error> {
        work.budget.spend(at as usize, items.into())
    }

    /// Reads a whole text. Gives the node of all of it; with `TREE` unset that node says nothing.
    #[cfg_attr(fuzzing, inline(always))]
    pub(super) fn read<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
    ) -> Result<u32, Error> {
        self.clear(work)?;
        let length = work.text.len() as u32;
        let mut last = 0;
        for at in 0..=length {
            let head = self.waiting[at as usize];
            if head == NONE && at > 0 && !work.everywhere {
                continue;
            }
            last = at;
            let node = self.set::<TREE>(work, states, at, false)?;
            if at == length && node != NONE {
                self.spans = self.nodes.len() as u32;
                return Ok(node);
            }
            if self.entries.len() >= MOST_ENTRIES || self.nodes.len() >= MOST_SPANS / 2 {
                return Err(Error::Budget { at: at as usize });
            }
            if at < length {
                self.recycle(head);
            }
        }
        if !work.explains {
            return Err(Error::Syntax(SyntaxError::unexplained(last as usize)));
        }
        self.failure::<TREE>(work, states, last)
    }

    fn recycle(&mut self, head: u32) {
        let mut next = head;
        while next != NONE {
            let pending = &mut self.pending[next as usize];
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
        at: u32,
        is_blind: bool,
    ) -> Result<u32, Error> {
        let set = self.sets.len() as u32;
        let active = self.active.len() as u32;
        let (first, spans) = (self.entries.len() as u32, self.nodes.len() as u32);
        work.budget.room(&mut self.sets, 1)?;
        self.sets.push(Set { at, spans, active: (active, active), predicted: NONE, ended: 0 });
        self.entry_index.clear();
        self.nodes.next_set();
        self.ahead.look(work, at, is_blind);
        let mut whole = NONE;
        let mut predicted = NONE;
        if at == 0 || work.everywhere {
            predicted = states.start(work, work.is_blocked(at))?;
            if work.text.is_empty() && work.grammar.nonterminals[0].nullable {
                whole = EMPTY;
            }
        }
        let mut next = self.waiting[at as usize];
        while next != NONE {
            let Pending { before, state, next: after } = self.pending[next as usize];
            let origin = self.entries[before as usize].origin;
            self.spend(work, at, 1)?;
            if self.ahead.is_in(work, &states.viable[state as usize]) {
                self.entry::<TREE>(work, (state, origin, set), (before, NONE))?;
            }
            next = after;
        }
        let mut next = first;
        while (next as usize) < self.entries.len() {
            let Entry { state, origin, .. } = self.entries[next as usize];
            let (from, to) = states.state(state).ends;
            for end in from..to {
                let position = states.ends[end as usize];
                let owner = work.grammar.positions[position as usize].owner;
                let follow = &work.grammar.nonterminals[owner as usize].follow;
                if !self.ahead.is_in(work, follow) {
                    continue;
                }
                let node =
                    self.complete::<TREE>(work, states, (owner, origin, set), (position, next))?;
                if owner == 0 && work.everywhere {
                    work.budget.room(&mut self.parts, 1)?;
                    self.parts.push((self.sets[origin as usize].at, at));
                } else if owner == 0 && at as usize == work.text.len() {
                    whole = node;
                }
            }
            let more = states.predicted(work, state)?;
            predicted = states.union(work, predicted, more)?;
            if states.state(state).has_nonterminals() {
                work.budget.room(&mut self.active, 1)?;
                self.active.push(next);
            }
            next += 1;
        }
        if predicted != NONE {
            let entry = Entry { state: predicted, origin: set, set, link: Link::NONE };
            work.budget.room(&mut self.active, 1)?;
            work.budget.room(&mut self.entries, 1)?;
            self.active.push(self.entries.len() as u32);
            self.entries.push(entry);
            self.spend(work, at, 1)?;
        }
        if self.entries.len() as u32 == first {
            self.sets.pop();
            return Ok(whole);
        }
        self.sets[set as usize].active.1 = self.active.len() as u32;
        self.sets[set as usize].predicted = predicted;
        if !is_blind && (at as usize) < work.text.len() {
            self.found.clear();
            for entry in first..self.entries.len() as u32 {
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
        (state, origin, set): (u32, u32, u32),
        (before, child): (u32, u32),
    ) -> Result<(), Error> {
        let index = self.entries.len() as u32;
        match self.entry_index.entry(work.budget, (state, origin), index)? {
            None => {
                work.budget.room(&mut self.entries, 1)?;
                let link = Link { before, child, more: NONE };
                self.entries.push(Entry { state, origin, set, link });
            }
            Some(known) => {
                if TREE {
                    work.budget.room(&mut self.links, 1)?;
                    let first = &mut self.entries[known as usize].link;
                    let link = Link { before, child, more: first.more };
                    first.more = self.links.len() as u32;
                    self.links.push(link);
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
        (symbol, origin, set): (u32, u32, u32),
        way: (u32, u32),
    ) -> Result<u32, Error> {
        let at = self.sets[set as usize].at;
        let head = self.nodes.head(work.budget, origin)?;
        if let Some(known) = self.nodes.find(&states.plans, head, symbol) {
            self.nodes.add::<TREE>(work.budget, known, way)?;
            self.spend(work, at, 1)?;
            return Ok(known);
        }
        let ended = &mut self.sets[origin as usize].ended;
        *ended = ended.saturating_add(1);
        if *ended > FEW_ENDS
            && let Some((last, begin)) = self.last(work, states, (symbol, origin), at)?
        {
            let single = states.plans.single(work.budget, symbol)?;
            let node = self.nodes.push::<TREE>(work.budget, origin, single, bit(symbol), way)?;
            let way = if TREE { self.leap(work, states, node)? } else { (LEAP, NONE) };
            self.complete::<TREE>(work, states, (last, begin, set), way)?;
            return Ok(node);
        }
        let Set { active: (from, to), predicted, .. } = self.sets[origin as usize];
        let plan = states.plan(work, (predicted, symbol), &mut self.ahead)?;
        let ended = plan.ended.1 - plan.ended.0;
        let is_plain = ended as usize <= MOST_NODES && !plan.repeats;
        if !is_plain || !self.nodes.are_apart(head, plan.mask) {
            return self.complete_slowly::<TREE>(work, states, (origin, set), way, plan);
        }
        let first = self.nodes.push::<TREE>(work.budget, origin, plan.ended, plan.mask, way)?;
        let node = |index: u32| first + index;
        self.lead_on::<TREE>(work, states, (origin, set), plan, node)?;
        self.spend(work, at, ended + plan.onward.1 - plan.onward.0 + to - from)?;
        Ok(first)
    }

    /// Makes the entries that the nonterminals of a plan lead to; [`NONE`] is a node that has led
    /// on before.
    #[inline]
    fn lead_on<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        (origin, set): (u32, u32),
        plan: Plan,
        node: impl Fn(u32) -> u32,
    ) -> Result<(), Error> {
        let (from, to) = self.sets[origin as usize].active;
        // The last one is what is predicted.
        let predicted = self.active[to as usize - 1];
        for index in plan.onward.0..plan.onward.1 {
            let Onward { state, child } = states.plans.onward[index as usize];
            let child = node(child);
            if child != NONE {
                self.entry::<TREE>(work, (state, origin, set), (predicted, child))?;
            }
        }
        for active in from..to - 1 {
            let before = self.active[active as usize];
            let Entry { state, origin, .. } = self.entries[before as usize];
            for transition in states.expected(state, plan) {
                let transition = (state, transition);
                let onward = states.waited(work, plan, transition, &mut self.ahead)?;
                if let Some(Onward { state, child }) = onward
                    && let child = node(child)
                    && child != NONE
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
        (origin, set): (u32, u32),
        way: (u32, u32),
        plan: Plan,
    ) -> Result<u32, Error> {
        let at = self.sets[set as usize].at;
        let (from, to) = self.sets[origin as usize].active;
        self.spend(work, at, plan.ended.1 - plan.ended.0 + plan.onward.1 - plan.onward.0)?;
        self.spend(work, at, to - from)?;
        let mut nodes = std::mem::take(&mut self.ended);
        nodes.clear();
        work.budget.room(&mut nodes, (plan.ended.1 - plan.ended.0) as usize)?;
        for index in plan.ended.0..plan.ended.1 {
            let Ended { symbol, position, below } = states.plans.ended[index as usize];
            let way = match nodes.get(below as usize) {
                None => way,
                Some(&NONE) => {
                    nodes.push(NONE);
                    continue;
                }
                Some(below) => (position, UNIT | below),
            };
            let head = self.nodes.head(work.budget, origin)?;
            nodes.push(match self.nodes.find(&states.plans, head, symbol) {
                Some(known) => {
                    self.nodes.add::<TREE>(work.budget, known, way)?;
                    NONE
                }
                None => {
                    let single = states.plans.single(work.budget, symbol)?;
                    self.nodes.push::<TREE>(work.budget, origin, single, bit(symbol), way)?
                }
            });
        }
        self.lead_on::<TREE>(work, states, (origin, set), plan, |index| nodes[index as usize])?;
        let first = nodes[0];
        self.ended = nodes;
        Ok(first)
    }

    /// Looks for the terminals that an entry waits for.
    #[pleach_unhooked::unhooked]
    fn scan(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        entry: u32,
        at: u32,
    ) -> Result<(), Error> {
        let state = self.entries[entry as usize].state;
        let byte = work.text[at as usize];
        let mut open = states.beginning(work, state, byte)?;
        while open != NONE && states.open[open as usize] != NONE {
            let transition = states.open[open as usize] as usize;
            open += 1;
            let symbol = states.transition_symbol(transition);
            let terminal = symbol - work.grammar.nonterminals.len() as u32;
            let (from, to) = self.seek(work, terminal, at)?;
            for found in from..to {
                let end = self.found[found as usize];
                let blocked = work.is_blocked(end);
                let target = states.follow(work, state, transition, blocked)?;
                self.spend(work, at, 1)?;
                if !may_follow(work, end, &states.viable[target as usize]) {
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
    fn seek(&mut self, work: &Work<'_>, terminal: u32, at: u32) -> Result<(u32, u32), Error> {
        let set = self.sets.len() as u32;
        let (sought, from, to) = self.sought[terminal as usize];
        if sought == set {
            return Ok((from, to));
        }
        let from = self.found.len() as u32;
        if work.grammar.layout == terminal + work.grammar.nonterminals.len() as u32 {
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
                    found.push(end as u32);
                }
            };
            let (broken, each) = match work.grammar.scanner(terminal) {
                Some(scanner) => {
                    let at = at as usize;
                    let broken = match work
                        .grammar
                        .endings
                        .get(terminal as usize)
                        .and_then(Option::as_ref)
                    {
                        Some(endings) => scanner.needed_ends(work.text, at, endings, note),
                        None => scanner.ends(work.text, at, note),
                    };
                    (broken, SYMBOLS_AN_ITEM)
                }
                None => {
                    let terminal = TerminalId::new(terminal);
                    let is_literal = matches!(
                        work.table.terminal(terminal),
                        Terminal::Literal { ignore_case: false, .. }
                    );
                    let each = if is_literal { BYTES_AN_ITEM } else { SYMBOLS_AN_ITEM };
                    (scan::ends(work.table, terminal, work.text, at as usize, note), each)
                }
            };
            // Symbols that are looked at again and again are work, too.
            room?;
            work.budget.spend(at as usize, (broken as u64 - u64::from(at)) / each)?;
            self.note_broken(terminal, at, broken as u32);
        }
        let to = self.found.len() as u32;
        self.sought[terminal as usize] = (set, from, to);
        Ok((from, to))
    }

    fn note_broken(&mut self, terminal: u32, from: u32, at: u32) {
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
        before: u32,
        state: u32,
        end: u32,
    ) -> Result<(), Error> {
        let head = &mut self.waiting[end as usize];
        let pending = Pending { before, state, next: *head };
        if self.free == NONE {
            work.budget.room(&mut self.pending, 1)?;
            *head = self.pending.len() as u32;
            self.pending.push(pending);
        } else {
            let slot = self.free;
            self.free = self.pending[slot as usize].next;
            self.pending[slot as usize] = pending;
            *head = slot;
        }
        Ok(())
    }
}
