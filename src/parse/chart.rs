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

use super::Inside;
use super::compile::{Compiled, Kind, NONE, Next, inside_word, next_at};
use super::error::{Error, SyntaxError};
use super::limits::Limits;
use super::scan;
use super::states::States;
use crate::table::{Table, TerminalId};

/// A state that the text leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) state: u32,
    /// The set where the productions of the state's positions began.
    pub(super) origin: u32,
    /// The set that it is in.
    pub(super) set: u32,
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

/// A nonterminal over a part of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) symbol: u32,
    /// The set where it begins.
    pub(super) origin: u32,
    pub(super) first: Completion,
}

/// How a node came about: an entry, and a position of its state where a production ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completion {
    pub(super) position: u32,
    /// That entry; where [`UNIT`] is set the node of the one symbol of the production.
    pub(super) entry: u32,
    /// The next one of the same node in [`Chart::completions`], or [`NONE`].
    pub(super) more: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    pub(super) at: u32,
    /// Its entries that wait for a nonterminal, in [`Chart::active`].
    active: (u32, u32),
}

/// An entry to be made where a terminal ends.
#[derive(Clone, Copy, Debug)]
struct Pending {
    before: u32,
    state: u32,
    next: u32,
}

/// A map from pairs of numbers that is emptied in no time.
#[derive(Clone, Debug, Default)]
struct Index {
    /// Key, round and value.
    slots: Vec<(u64, u32, u32)>,
    round: u32,
    count: usize,
}

impl Index {
    fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.clear();
            self.round = 1;
        }
    }

    /// The value of a pair, where `value` is put if it has none.
    #[inline]
    fn entry(&mut self, left: u32, right: u32, value: u32) -> Option<u32> {
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let key = u64::from(left) << 32 | u64::from(right);
        let mask = self.slots.len() - 1;
        let mut slot = Self::hash(key) as usize & mask;
        loop {
            let (known, round, found) = self.slots[slot];
            if round != self.round {
                self.slots[slot] = (key, self.round, value);
                self.count += 1;
                return None;
            }
            if known == key {
                return Some(found);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn hash(key: u64) -> u64 {
        let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    }

    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0, 0); size]);
        self.round = self.round.max(1);
        let (round, mask) = (self.round, size - 1);
        for (key, _, value) in old.into_iter().filter(|slot| slot.1 == round) {
            let mut slot = Self::hash(key) as usize & mask;
            while self.slots[slot].1 == round {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (key, round, value);
        }
    }
}

/// What follows the offset of the set that is being made.
#[derive(Clone, Debug, Default)]
struct Ahead {
    at_once: u32,
    /// What stands after layout, once that is known.
    after_layout: Vec<u32>,
    is_known: bool,
    /// Where layout that begins here ends, the empty one left out.
    layout_ends: Vec<u32>,
}

/// The memory of the recogniser.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) entries: Vec<Entry>,
    /// The first link of each entry, where a tree is wanted.
    pub(super) firsts: Vec<Link>,
    pub(super) links: Vec<Link>,
    pub(super) nodes: Vec<Node>,
    pub(super) completions: Vec<Completion>,
    pub(super) sets: Vec<Set>,
    active: Vec<u32>,
    pending: Vec<Pending>,
    free: u32,
    /// The first entry to be made at each offset.
    waiting: Vec<u32>,
    entry_index: Index,
    node_index: Index,
    ahead: Ahead,
    /// For each terminal the set that it was last looked for in, and where it ended.
    sought: Vec<(u32, u32, u32)>,
    found: Vec<u32>,
    /// Nonterminals that end here and are still to be completed.
    units: Vec<(u32, u32, u32, u32)>,
    /// What was left out where a terminal ended, as far on in the text as that happened.
    rejected_at: u32,
    rejected: Vec<(u32, u32)>,
    /// Which terminals went furthest before they did not fit, where they began, and how far.
    furthest: u32,
    broken: Vec<(u32, u32)>,
    pub(super) spent: u64,
}

/// What stays the same in one parse.
pub(super) struct Work<'p> {
    pub(super) table: &'p Table,
    pub(super) grammar: &'p Compiled,
    /// What is inside its tokens.
    pub(super) insides: &'p [Inside],
    pub(super) limits: &'p Limits,
    pub(super) text: &'p [u8],
    pub(super) items: u64,
    /// Whether to find out what was expected where the text leaves the grammar.
    pub(super) explains: bool,
}

impl<'p> Work<'p> {
    pub(super) fn new(
        table: &'p Table,
        (grammar, insides): (&'p Compiled, &'p [Inside]),
        limits: &'p Limits,
        text: &'p [u8],
    ) -> Result<Self, Error> {
        if text.len() > grammar.longest {
            return Err(Error::TooLong);
        }
        let items = limits.items(text.len());
        Ok(Self { table, grammar, insides, limits, text, items, explains: true })
    }

    pub(super) fn is_blocked(&self, at: u32) -> bool {
        self.grammar.layout != NONE && inside_word(self.text, at as usize)
    }
}

impl Chart {
    pub(super) fn at(&self, entry: u32) -> u32 {
        self.sets[self.entries[entry as usize].set as usize].at
    }

    fn clear(&mut self, work: &Work<'_>) {
        self.forget();
        self.free = NONE;
        self.waiting.resize(work.text.len() + 1, NONE);
        self.sought.clear();
        self.sought.resize(work.grammar.terminals.len(), (NONE, 0, 0));
        self.found.clear();
        self.rejected_at = 0;
        self.rejected.clear();
        self.furthest = 0;
        self.broken.clear();
        self.units.clear();
    }

    /// Empties the chart, so that it takes no memory by its own account.
    pub(super) fn forget(&mut self) {
        self.entries.clear();
        self.firsts.clear();
        self.links.clear();
        self.nodes.clear();
        self.completions.clear();
        self.sets.clear();
        self.active.clear();
        self.pending.clear();
        self.waiting.clear();
        self.spent = 0;
    }

    /// About how many bytes the chart takes.
    pub(super) fn memory(&self) -> u64 {
        let words = 3 * (self.entries.len() + self.firsts.len() + self.links.len())
            + 5 * self.nodes.len()
            + 3 * (self.completions.len() + self.sets.len() + self.pending.len())
            + self.active.len()
            + self.waiting.len();
        4 * words as u64
    }

    /// Counts items, and stops where there are too many.
    #[inline]
    pub(super) fn spend(&mut self, work: &Work<'_>, at: u32) -> Result<(), Error> {
        self.spent += 1;
        if self.spent & 0xFFFF == 0 && work.limits.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if self.spent > work.items {
            return Err(Error::Budget { at: at as usize });
        }
        Ok(())
    }

    /// Reads a whole text. Gives the node of all of it; with `TREE` unset that node says nothing.
    pub(super) fn read<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
    ) -> Result<u32, Error> {
        self.clear(work);
        if work.limits.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let length = work.text.len() as u32;
        let mut last = 0;
        for at in 0..=length {
            let head = self.waiting[at as usize];
            if head == NONE && at > 0 {
                continue;
            }
            last = at;
            let node = self.set::<TREE, true>(work, states, at)?;
            if at == length && node != NONE {
                return Ok(node);
            }
            let needed = self.memory() + states.memory();
            let many = self.entries.len().max(self.nodes.len()) >= UNIT as usize / 2;
            if many || needed > work.limits.memory_bytes() {
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
    fn set<const TREE: bool, const FILTER: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        at: u32,
    ) -> Result<u32, Error> {
        let set = self.sets.len() as u32;
        let active = self.active.len() as u32;
        self.sets.push(Set { at, active: (active, active) });
        self.entry_index.clear();
        self.node_index.clear();
        self.ahead.at_once = next_at(work.text, at as usize);
        self.ahead.is_known = false;
        let first = self.entries.len() as u32;
        let mut whole = NONE;
        let mut predicted = NONE;
        if at == 0 {
            predicted = states.start(work.grammar, work.is_blocked(0));
            if work.text.is_empty() && work.grammar.nonterminals[0].nullable {
                whole = EMPTY;
            }
        }
        let mut next = self.waiting[at as usize];
        while next != NONE {
            let Pending { before, state, next: after } = self.pending[next as usize];
            let origin = self.entries[before as usize].origin;
            self.entry::<TREE, FILTER>(work, states, (state, origin, set), (before, NONE))?;
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
                if FILTER && !self.can_follow(work, at, follow) {
                    continue;
                }
                let node = self.complete::<TREE, FILTER>(
                    work,
                    states,
                    (owner, origin, set),
                    position,
                    next,
                )?;
                if owner == 0 && at as usize == work.text.len() {
                    whole = node;
                }
            }
            let more = states.predicted(work.grammar, state);
            predicted = states.union(work.grammar, predicted, more);
            if states.state(state).has_nonterminals() {
                self.active.push(next);
            }
            next += 1;
        }
        if predicted != NONE {
            let entry = Entry { state: predicted, origin: set, set };
            self.active.push(self.entries.len() as u32);
            self.entries.push(entry);
            if TREE {
                self.firsts.push(Link { before: NONE, child: NONE, more: NONE });
            }
            self.spend(work, at)?;
        }
        if self.entries.len() as u32 == first {
            self.sets.pop();
            return Ok(whole);
        }
        self.sets[set as usize].active.1 = self.active.len() as u32;
        if FILTER && (at as usize) < work.text.len() {
            self.found.clear();
            for entry in first..self.entries.len() as u32 {
                self.scan(work, states, entry, at)?;
            }
        }
        Ok(whole)
    }

    /// Adds an entry, or a link to one that is there.
    #[inline]
    fn entry<const TREE: bool, const FILTER: bool>(
        &mut self,
        work: &Work<'_>,
        states: &States,
        (state, origin, set): (u32, u32, u32),
        (before, child): (u32, u32),
    ) -> Result<(), Error> {
        let at = self.sets[set as usize].at;
        self.spend(work, at)?;
        if FILTER && !self.can_follow(work, at, &states.next_sets[state as usize].0) {
            return Ok(());
        }
        let index = self.entries.len() as u32;
        match self.entry_index.entry(state, origin, index) {
            None => {
                self.entries.push(Entry { state, origin, set });
                if TREE {
                    self.firsts.push(Link { before, child, more: NONE });
                }
            }
            Some(known) => {
                if TREE {
                    let first = &mut self.firsts[known as usize];
                    let link = Link { before, child, more: first.more };
                    first.more = self.links.len() as u32;
                    self.links.push(link);
                }
            }
        }
        Ok(())
    }

    /// A nonterminal ends here: adds the entries that it leads to.
    ///
    /// An entry that could only end a production of this one nonterminal is not made: the production
    /// ends at once. Grammars of expressions have many such productions above each operand.
    #[inline]
    fn complete<const TREE: bool, const FILTER: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        (symbol, origin, set): (u32, u32, u32),
        position: u32,
        entry: u32,
    ) -> Result<u32, Error> {
        let at = self.sets[set as usize].at;
        let blocked = work.is_blocked(at);
        let bottom = self.nodes.len() as u32;
        let mut result = None;
        self.units.push((symbol, origin, position, entry));
        while let Some((symbol, origin, position, entry)) = self.units.pop() {
            self.spend(work, at)?;
            let index = self.nodes.len() as u32;
            if let Some(known) = self.node_index.entry(symbol, origin, index) {
                if TREE {
                    let first = &mut self.nodes[known as usize].first;
                    let more = std::mem::replace(&mut first.more, self.completions.len() as u32);
                    self.completions.push(Completion { position, entry, more });
                }
                result.get_or_insert(known);
                continue;
            }
            if TREE {
                let first = Completion { position, entry, more: NONE };
                self.nodes.push(Node { symbol, origin, first });
            }
            let (from, to) = self.sets[origin as usize].active;
            for active in from..to {
                let waiting = self.active[active as usize];
                let Entry { state, origin, .. } = self.entries[waiting as usize];
                let Some(target) = states.next(work.grammar, state, symbol, blocked) else {
                    continue;
                };
                let unit = states.state(target).unit;
                if FILTER
                    && unit != NONE
                    && !self.can_follow(work, at, &states.next_sets[target as usize].1)
                {
                    let owner = work.grammar.positions[unit as usize].owner;
                    let follow = &work.grammar.nonterminals[owner as usize].follow;
                    if self.can_follow(work, at, follow) {
                        self.units.push((owner, origin, unit, UNIT | index));
                    }
                    continue;
                }
                let (key, link) = ((target, origin, set), (waiting, index));
                self.entry::<TREE, FILTER>(work, states, key, link)?;
            }
            self.spent += u64::from(to - from);
        }
        Ok(result.unwrap_or(bottom))
    }

    /// Whether what follows here is in a set.
    #[inline]
    fn can_follow(&mut self, work: &Work<'_>, at: u32, next: &Next) -> bool {
        if next.has(self.ahead.at_once) {
            return true;
        }
        if work.grammar.layout == NONE || !next.has_after_layout() {
            return false;
        }
        if !self.ahead.is_known {
            self.look_past_layout(work, at);
        }
        self.ahead.after_layout.iter().any(|&after| next.has(after))
    }

    /// Finds where layout that begins here ends, and what follows it.
    fn look_past_layout(&mut self, work: &Work<'_>, at: u32) {
        let Ahead { after_layout, is_known, layout_ends, .. } = &mut self.ahead;
        *is_known = true;
        after_layout.clear();
        layout_ends.clear();
        let mut note = |at: usize| {
            let next = next_at(work.text, at);
            if work.grammar.token_first.has(next) {
                let next = next + Next::AFTER_LAYOUT;
                if !after_layout.contains(&next) {
                    after_layout.push(next);
                }
                return true;
            }
            false
        };
        if !work.is_blocked(at) {
            note(at as usize);
        }
        if let Some(layout) = work.table.layout() {
            let encoding = work.table.encoding();
            let automaton = layout.automaton();
            scan::automaton_ends(encoding, automaton, work.text, at as usize, |end| {
                if note(end) {
                    layout_ends.push(end as u32);
                }
            });
        }
    }

    /// Looks for the terminals that an entry waits for.
    fn scan(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        entry: u32,
        at: u32,
    ) -> Result<(), Error> {
        let state = self.entries[entry as usize].state;
        let byte = work.text[at as usize];
        let mut open = states.beginning(work.grammar, state, byte);
        while open != NONE && states.open[open as usize] != NONE {
            let transition = states.open[open as usize] as usize;
            open += 1;
            let symbol = states.transition_symbol(transition);
            let terminal = symbol - work.grammar.nonterminals.len() as u32;
            let (from, to) = self.seek(work, terminal, at);
            for found in from..to {
                let end = self.found[found as usize];
                let blocked = work.is_blocked(end);
                let target = states.follow(work.grammar, state, transition, blocked);
                self.spend(work, at)?;
                if !may_follow(work, end, &states.next_sets[target as usize].0) {
                    if end >= self.rejected_at {
                        if end > self.rejected_at {
                            self.rejected.clear();
                            self.rejected_at = end;
                        }
                        self.rejected.push((entry, target));
                    }
                    continue;
                }
                self.wait(entry, target, end);
            }
        }
        Ok(())
    }

    /// Where a terminal that begins here ends, as a range of [`Chart::found`].
    fn seek(&mut self, work: &Work<'_>, terminal: u32, at: u32) -> (u32, u32) {
        let set = self.sets.len() as u32;
        let (sought, from, to) = self.sought[terminal as usize];
        if sought == set {
            return (from, to);
        }
        let from = self.found.len() as u32;
        if work.grammar.layout == terminal + work.grammar.nonterminals.len() as u32 {
            if !self.ahead.is_known {
                self.look_past_layout(work, at);
            }
            self.found.extend_from_slice(&self.ahead.layout_ends);
        } else {
            let found = &mut self.found;
            let note = |end: usize| found.push(end as u32);
            let broken = match work.grammar.scanner(terminal) {
                Some(scanner) => scanner.ends(work.text, at as usize, note),
                None => {
                    let terminal = TerminalId::new(terminal);
                    scan::ends(work.table, terminal, work.text, at as usize, note)
                }
            };
            // Symbols that are looked at again and again are work, too.
            self.spent += (broken as u64 - u64::from(at)) / 8;
            self.note_broken(terminal, at, broken as u32);
        }
        let to = self.found.len() as u32;
        self.sought[terminal as usize] = (set, from, to);
        (from, to)
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

    fn wait(&mut self, before: u32, state: u32, end: u32) {
        let head = &mut self.waiting[end as usize];
        let pending = Pending { before, state, next: *head };
        if self.free == NONE {
            *head = self.pending.len() as u32;
            self.pending.push(pending);
        } else {
            let slot = self.free;
            self.free = self.pending[slot as usize].next;
            self.pending[slot as usize] = pending;
            *head = slot;
        }
    }

    /// Says where the text leaves the grammar: makes the last set once more without a look ahead.
    fn failure<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        last: u32,
    ) -> Result<u32, Error> {
        let at = last.max(self.rejected_at);
        if at > last {
            self.waiting[at as usize] = NONE;
        }
        if at == self.rejected_at {
            for (before, state) in std::mem::take(&mut self.rejected) {
                self.wait(before, state, at);
            }
        }
        let mut expected = Vec::new();
        if self.furthest > at {
            for &(terminal, from) in &self.broken {
                match work.grammar.token(terminal) {
                    Some(token) => inside_names(work, token, from, self.furthest, &mut expected),
                    None => note_name(terminal_name(work, terminal), &mut expected),
                }
            }
            let at = self.furthest as usize;
            return Err(Error::Syntax(SyntaxError::new(work.text, at, expected)));
        }
        if self.furthest == at {
            for &(terminal, from) in self.broken.iter().filter(|broken| broken.1 < at) {
                match work.grammar.token(terminal) {
                    Some(token) => inside_names(work, token, from, at, &mut expected),
                    None => note_name(terminal_name(work, terminal), &mut expected),
                }
            }
        }
        let first = self.entries.len();
        self.items_left(work);
        // The budget of the message; without it the message names less.
        match self.set::<TREE, false>(work, states, at) {
            Ok(_) | Err(Error::Budget { .. }) => {}
            Err(error) => return Err(error),
        }
        for entry in first..self.entries.len() {
            let state = self.entries[entry].state;
            let is_first = at == 0;
            if states.state(state).access == NONE && !is_first {
                continue;
            }
            for &position in states.positions(state) {
                let position = &work.grammar.positions[position as usize];
                if is_first && position.owner != 0 {
                    continue;
                }
                if position.symbol != NONE {
                    names(work, position.symbol, &mut expected);
                } else if position.owner == 0 {
                    note_name("the end of the text".to_owned(), &mut expected);
                }
            }
        }
        Err(Error::Syntax(SyntaxError::new(work.text, at as usize, expected)))
    }

    fn items_left(&mut self, work: &Work<'_>) {
        self.spent = self.spent.min(work.items.saturating_sub(1 << 16));
    }
}

/// Set in [`Completion::entry`] where a production is one symbol, whose node the rest is.
pub(super) const UNIT: u32 = 1 << 31;

/// The node of the whole text where that is empty.
pub(super) const EMPTY: u32 = u32::MAX - 1;

/// Whether what follows an offset may be in a set; where that takes a look behind layout, it may.
#[inline]
fn may_follow(work: &Work<'_>, at: u32, next: &Next) -> bool {
    let ahead = next_at(work.text, at as usize);
    if next.has(ahead) {
        return true;
    }
    if work.grammar.layout == NONE || !next.has_after_layout() {
        return false;
    }
    if next.has(ahead + Next::AFTER_LAYOUT) && !work.is_blocked(at) {
        return true;
    }
    let layout = work.grammar.terminal(work.grammar.layout).unwrap_or(NONE) as usize;
    ahead < Next::END && scan::has_byte(&work.grammar.terminals[layout].0, ahead as u8)
}

fn terminal_name(work: &Work<'_>, terminal: u32) -> String {
    work.table.names().terminal(TerminalId::new(terminal)).to_owned()
}

/// Names what was expected inside a token that did not fit.
fn inside_names(work: &Work<'_>, token: u32, from: u32, at: u32, expected: &mut Vec<String>) {
    let end = (at as usize + 4).min(work.text.len());
    let text = &work.text[from as usize..end];
    let grammar = &work.insides[token as usize].grammar;
    let inside = Work { grammar, insides: &[], text, ..*work };
    let mut chart = Chart::default();
    if let Err(Error::Syntax(error)) = chart.read::<false>(&inside, &mut States::default()) {
        error.expected.into_iter().for_each(|name| note_name(name, expected));
    }
}

fn note_name(name: String, expected: &mut Vec<String>) {
    if !name.is_empty() && !expected.contains(&name) && expected.len() < 256 {
        expected.push(name);
    }
}

/// Names what a symbol begins with: a rule or a terminal by itself, a group or repetition by what
/// stands first in it.
fn names(work: &Work<'_>, symbol: u32, expected: &mut Vec<String>) {
    let mut queue = vec![symbol];
    let mut seen = queue.clone();
    let mut next = 0;
    while let Some(&symbol) = queue.get(next) {
        next += 1;
        if symbol == work.grammar.layout {
            continue;
        }
        if let Some(terminal) = work.grammar.terminal(symbol) {
            match work.grammar.token(terminal) {
                None => note_name(terminal_name(work, terminal), expected),
                Some(token) => match work.grammar.tokens[token as usize] {
                    Kind::Rule(rule) if rule.index() < work.table.named_rule_count() => {
                        note_name(work.table.names().rule(rule).to_owned(), expected);
                    }
                    _ => {
                        let inside = &work.insides[token as usize].grammar;
                        let first = inside.nonterminals[0].starts[0];
                        let inside = Work { grammar: inside, insides: &[], ..*work };
                        names(&inside, inside.grammar.positions[first as usize].symbol, expected);
                    }
                },
            }
            continue;
        }
        let nonterminal = &work.grammar.nonterminals[symbol as usize];
        if let Kind::Rule(rule) = nonterminal.kind
            && rule.index() < work.table.named_rule_count()
        {
            note_name(work.table.names().rule(rule).to_owned(), expected);
            continue;
        }
        for &start in &nonterminal.starts {
            let mut position = start;
            while let symbol = work.grammar.positions[position as usize].symbol
                && symbol != NONE
            {
                if !seen.contains(&symbol) {
                    seen.push(symbol);
                    queue.push(symbol);
                }
                let next = work.grammar.positions[position as usize].target;
                if !work.grammar.is_nullable(symbol) || next <= position {
                    break;
                }
                position = next;
            }
        }
    }
}
