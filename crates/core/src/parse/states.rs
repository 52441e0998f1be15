//! States: sets of positions that a text leads to together, made when a text first leads there.
//!
//! This is the LR(0) automaton in the form that Aycock and Horspool gave it for Earley's algorithm
//! ("Practical Earley Parsing", 2002): a symbol that may be empty is stepped over when a state is
//! made, and what is predicted is kept apart from what has begun, for it begins here. States are
//! made on demand, as a grammar may have exponentially many and a text meets few; they stay in the
//! scratch memory for later texts.

use fxhash::FxHashMap;

use super::ahead::Aheads;
use super::budget::Budget;
use super::chart::Work;
use super::compiled::{Compiled, Kind, NONE};
use super::error::Error;
use super::next::Look;
use super::nodes::bit;
use super::plan::Plans;
use super::scan;

/// A target that is not known yet.
const UNKNOWN: u32 = u32::MAX - 1;

#[derive(Clone, Debug)]
pub(super) struct State {
    /// Its positions, ascending.
    pub(super) positions: (u32, u32),
    /// Its transitions, ascending by symbol: those of nonterminals come first.
    transitions: (u32, u32),
    /// Where the transitions of terminals begin.
    terminals: u32,
    /// The positions where a production may end.
    pub(super) ends: (u32, u32),
    /// The end of a production of one symbol, where that is the only end here; or [`NONE`].
    pub(super) unit: u32,
    /// Its row in `beginnings`; [`NONE`] where it has none yet.
    beginnings: u32,
    /// The symbol that leads here; [`NONE`] for what is predicted.
    pub(super) access: u32,
    /// A bit for each nonterminal that it waits for.
    pub(super) waits: u64,
    /// Whether layout must not be stepped over here: the place is inside a word.
    blocked: bool,
    /// The state of what this one predicts; [`NONE`] for nothing.
    predicted: u32,
}

impl State {
    pub(super) fn has_nonterminals(&self) -> bool {
        self.transitions.0 < self.terminals
    }

    /// Its transitions by nonterminals.
    #[inline]
    pub(super) fn nonterminals(&self) -> std::ops::Range<usize> {
        self.transitions.0 as usize..self.terminals as usize
    }
}

/// All states that texts have led to so far.
#[derive(Clone, Debug, Default)]
pub(super) struct States {
    pub(super) states: Vec<State>,
    /// What may come next in each state.
    pub(super) viable: Vec<Look>,
    /// And what, where its productions do not end.
    pub(super) onward: Vec<Look>,
    pub(super) positions: Vec<u32>,
    pub(super) ends: Vec<u32>,
    /// The symbol of each transition, and its target in a word and elsewhere.
    symbols: Vec<u32>,
    targets: Vec<[u32; 2]>,
    /// For each class of bytes, where in `open` the transitions by terminals that begin with it
    /// are.
    beginnings: Vec<u32>,
    pub(super) open: Vec<u32>,
    /// States by whether they are blocked, the symbol that leads there, and their positions.
    known: FxHashMap<Box<[u32]>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    /// The state before a text, and where layout cannot stand before it.
    starts: [Option<u32>; 2],
    pub(super) plans: Plans,
    pub(super) aheads: Aheads,
    key: Vec<u32>,
    queue: Vec<u32>,
    seen: Vec<bool>,
}

impl States {
    /// About how many bytes the states take.
    pub(super) fn memory(&self) -> u64 {
        let words = 2 * self.positions.len()
            + 3 * self.symbols.len()
            + self.beginnings.len()
            + self.open.len();
        (4 * words + 330 * self.states.len()) as u64 + self.plans.memory() + self.aheads.memory()
    }

    /// The state before a text: the first position of all.
    #[pleach_unhooked::unhooked]
    pub(super) fn start(&mut self, work: &Work<'_>, blocked: bool) -> Result<u32, Error> {
        if let Some(known) = self.starts[usize::from(blocked)] {
            return Ok(known);
        }
        self.queue.clear();
        let positions = work.grammar.positions.len();
        // All positions of two states, at most.
        work.budget.room_exactly(&mut self.queue, 2 * positions)?;
        self.seen.clear();
        work.budget.room_exactly(&mut self.seen, positions)?;
        self.seen.resize(positions, false);
        self.queue.extend(&work.grammar.nonterminals[0].starts);
        let start = self.predict(work, blocked)?;
        self.starts[usize::from(blocked)] = Some(start);
        Ok(start)
    }

    #[inline]
    pub(super) fn state(&self, state: u32) -> &State {
        &self.states[state as usize]
    }

    pub(super) fn positions(&self, state: u32) -> &[u32] {
        let (first, last) = self.state(state).positions;
        &self.positions[first as usize..last as usize]
    }

    pub(super) fn holds(&self, state: u32, position: u32) -> bool {
        self.positions(state).binary_search(&position).is_ok()
    }

    /// Where in `open` the transitions of a state begin whose terminals begin with a byte;
    /// [`NONE`] is after the last of them.
    #[inline]
    pub(super) fn beginning(
        &mut self,
        work: &Work<'_>,
        state: u32,
        byte: u8,
    ) -> Result<u32, Error> {
        let State { terminals, transitions, beginnings, .. } = self.states[state as usize];
        if terminals == transitions.1 {
            return Ok(NONE);
        }
        if beginnings != NONE {
            let class = usize::from(work.grammar.byte_classes[usize::from(byte)]);
            let known = self.beginnings[beginnings as usize + class];
            if known != UNKNOWN {
                return Ok(known);
            }
        }
        self.make_beginning(work, state, byte)
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn make_beginning(&mut self, work: &Work<'_>, state: u32, byte: u8) -> Result<u32, Error> {
        let (grammar, budget) = (work.grammar, work.budget);
        let State { terminals, transitions, beginnings, .. } = self.states[state as usize];
        let row = if beginnings == NONE {
            let row = self.beginnings.len();
            budget.room(&mut self.beginnings, grammar.byte_class_count as usize)?;
            self.beginnings.resize(row + grammar.byte_class_count as usize, UNKNOWN);
            self.states[state as usize].beginnings = row as u32;
            row
        } else {
            beginnings as usize
        };
        budget.room(&mut self.open, (transitions.1 - terminals) as usize + 1)?;
        let mut first = self.open.len();
        for transition in terminals..transitions.1 {
            let terminal = grammar.terminal(self.symbols[transition as usize]).unwrap_or(NONE);
            if scan::has_byte(&grammar.terminals[terminal as usize].0, byte) {
                self.open.push(transition);
            }
        }
        if self.open.len() == first {
            first = NONE as usize;
        } else {
            self.open.push(NONE);
        }
        let class = usize::from(grammar.byte_classes[usize::from(byte)]);
        self.beginnings[row + class] = first as u32;
        Ok(first as u32)
    }

    #[inline]
    pub(super) fn transition_symbol(&self, transition: usize) -> u32 {
        self.symbols[transition]
    }

    #[inline]
    fn transition(&self, state: u32, symbol: u32) -> Option<usize> {
        let (first, last) = self.states[state as usize].transitions;
        let symbols = &self.symbols[first as usize..last as usize];
        symbols.binary_search(&symbol).ok().map(|index| first as usize + index)
    }

    /// Where a symbol leads from a state, if it leads on; `blocked` says that the place where it
    /// ends is inside a word.
    #[inline]
    pub(super) fn next(
        &mut self,
        work: &Work<'_>,
        state: u32,
        symbol: u32,
        blocked: bool,
    ) -> Result<Option<u32>, Error> {
        let Some(transition) = self.transition(state, symbol) else { return Ok(None) };
        self.follow(work, state, transition, blocked).map(Some)
    }

    /// Where a transition of a state leads.
    #[inline]
    pub(super) fn follow(
        &mut self,
        work: &Work<'_>,
        state: u32,
        transition: usize,
        blocked: bool,
    ) -> Result<u32, Error> {
        let target = self.targets[transition][usize::from(blocked)];
        if target != UNKNOWN {
            return Ok(target);
        }
        self.make_target(work, state, transition, blocked)
    }

    #[cold]
    fn make_target(
        &mut self,
        work: &Work<'_>,
        state: u32,
        transition: usize,
        blocked: bool,
    ) -> Result<u32, Error> {
        let symbol = self.symbols[transition];
        let (first, last) = self.state(state).positions;
        self.queue.clear();
        for &position in &self.positions[first as usize..last as usize] {
            let position = work.grammar.positions[position as usize];
            if position.symbol == symbol {
                self.queue.push(position.target);
            }
        }
        self.close(work.grammar, blocked, false);
        let target = self.intern(work, blocked, symbol)?;
        self.targets[transition][usize::from(blocked)] = target;
        Ok(target)
    }

    /// The state of what a state predicts; [`NONE`] for nothing.
    #[inline]
    pub(super) fn predicted(&mut self, work: &Work<'_>, state: u32) -> Result<u32, Error> {
        let predicted = self.state(state).predicted;
        if predicted != UNKNOWN { Ok(predicted) } else { self.make_predicted(work, state) }
    }

    #[cold]
    fn make_predicted(&mut self, work: &Work<'_>, state: u32) -> Result<u32, Error> {
        let grammar = work.grammar;
        let blocked = self.state(state).blocked;
        self.queue.clear();
        for transition in self.state(state).nonterminals() {
            let symbol = self.symbols[transition];
            self.queue.extend(&grammar.nonterminals[symbol as usize].starts);
        }
        let predicted = if self.queue.is_empty() { NONE } else { self.predict(work, blocked)? };
        self.states[state as usize].predicted = predicted;
        Ok(predicted)
    }

    /// The state of what is predicted by both of two.
    #[pleach_unhooked::unhooked]
    pub(super) fn union(&mut self, work: &Work<'_>, left: u32, right: u32) -> Result<u32, Error> {
        if left == right || right == NONE {
            return Ok(left);
        }
        if left == NONE {
            return Ok(right);
        }
        let pair = (left.min(right), left.max(right));
        if let Some(&union) = self.unions.get(&pair) {
            return Ok(union);
        }
        work.budget.room_in(&mut self.unions)?;
        self.queue.clear();
        for state in [left, right] {
            let (first, last) = self.state(state).positions;
            self.queue.extend_from_slice(&self.positions[first as usize..last as usize]);
        }
        let blocked = self.state(left).blocked;
        let union = self.predict(work, blocked)?;
        self.unions.insert(pair, union);
        Ok(union)
    }

    fn predict(&mut self, work: &Work<'_>, blocked: bool) -> Result<u32, Error> {
        self.close(work.grammar, blocked, true);
        self.intern(work, blocked, NONE)
    }

    /// Turns the queue into all positions that are reached from it by stepping over what may be
    /// empty and, where asked, by prediction; sorted.
    #[pleach_unhooked::unhooked]
    fn close(&mut self, grammar: &Compiled, blocked: bool, predict: bool) {
        self.queue.retain(|&p| !std::mem::replace(&mut self.seen[p as usize], true));
        let mut next = 0;
        while let Some(&index) = self.queue.get(next) {
            next += 1;
            let position = grammar.positions[index as usize];
            let symbol = position.symbol;
            if symbol == NONE {
                continue;
            }
            let seen = &mut self.seen;
            let mut reach = |p: u32| !std::mem::replace(&mut seen[p as usize], true);
            if grammar.is_nullable(symbol)
                && !(blocked && symbol == grammar.layout)
                && reach(position.target)
            {
                self.queue.push(position.target);
            }
            if predict && grammar.terminal(symbol).is_none() {
                let starts = &grammar.nonterminals[symbol as usize].starts;
                self.queue.extend(starts.iter().filter(|&&start| reach(start)));
            }
        }
        for &position in &self.queue {
            self.seen[position as usize] = false;
        }
        self.queue.sort_unstable();
    }

    /// Makes room for a state of the positions in the queue.
    fn room(&mut self, budget: &Budget<'_>) -> Result<(), Error> {
        let count = self.queue.len();
        budget.room(&mut self.positions, count)?;
        budget.room(&mut self.ends, count)?;
        budget.room(&mut self.symbols, count)?;
        budget.room(&mut self.targets, count)?;
        budget.room(&mut self.viable, 1)?;
        budget.room(&mut self.onward, 1)?;
        budget.room(&mut self.states, 1)?;
        budget.room_in(&mut self.known)?;
        budget.reserve(4 * self.key.len() as u64)
    }

    /// The state of the positions in the queue.
    #[pleach_unhooked::unhooked]
    fn intern(&mut self, work: &Work<'_>, blocked: bool, access: u32) -> Result<u32, Error> {
        let (grammar, budget) = (work.grammar, work.budget);
        self.key.clear();
        budget.room(&mut self.key, self.queue.len() + 2)?;
        self.key.extend([u32::from(blocked), access]);
        self.key.extend_from_slice(&self.queue);
        if let Some(&known) = self.known.get(self.key.as_slice()) {
            return Ok(known);
        }
        self.room(budget)?;
        let index = self.states.len() as u32;
        let positions = self.positions.len() as u32;
        self.positions.extend_from_slice(&self.queue);
        let (ends, transitions) = (self.ends.len() as u32, self.symbols.len() as u32);
        let mut onward = Look::default();
        let mut viable = Look::default();
        for &index in &self.queue {
            let position = grammar.positions[index as usize];
            if position.production != NONE {
                self.ends.push(index);
            }
            if position.symbol != NONE {
                self.symbols.push(position.symbol);
            }
            viable.join(&grammar.first[index as usize]);
            onward.join(&grammar.first[index as usize]);
            if grammar.rest_nullable[index as usize] {
                viable.join(&grammar.nonterminals[position.owner as usize].follow);
            }
        }
        self.symbols[transitions as usize..].sort_unstable();
        let mut kept = transitions as usize;
        for i in transitions as usize..self.symbols.len() {
            if i == transitions as usize || self.symbols[i] != self.symbols[i - 1] {
                let symbol = self.symbols[i];
                // What is read lies behind what is written.
                self.symbols[kept] = symbol;
                kept += 1;
            }
        }
        self.symbols.truncate(kept);
        self.targets.resize(kept, [UNKNOWN; 2]);
        let terminals = transitions
            + self.symbols[transitions as usize..]
                .partition_point(|&symbol| grammar.terminal(symbol).is_none()) as u32;
        let waits = self.symbols[transitions as usize..terminals as usize].iter();
        let waits = waits.fold(0, |waits, &symbol| waits | bit(symbol));
        let unit = match self.ends[ends as usize..] {
            [end] if access != NONE && is_unit(grammar, end) => end,
            _ => NONE,
        };
        self.viable.push(viable);
        self.onward.push(onward);
        self.states.push(State {
            unit,
            waits,
            beginnings: NONE,
            positions: (positions, self.positions.len() as u32),
            transitions: (transitions, kept as u32),
            terminals,
            ends: (ends, self.ends.len() as u32),
            access,
            blocked,
            predicted: if access == NONE { NONE } else { UNKNOWN },
        });
        self.known.insert(self.key.clone().into_boxed_slice(), index);
        Ok(index)
    }
}

/// Whether a position is the end of an alternative of one symbol, of a rule that never derives
/// itself over its own text.
fn is_unit(grammar: &Compiled, end: u32) -> bool {
    let owner = &grammar.nonterminals[grammar.positions[end as usize].owner as usize];
    let before = &grammar.incoming[end as usize];
    matches!(owner.kind, Kind::Rule(_))
        && !owner.cyclic
        && matches!(before[..], [start] if owner.starts.binary_search(&start).is_ok()
            && grammar.terminal(grammar.positions[start as usize].symbol).is_none())
}
