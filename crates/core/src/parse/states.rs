//! States: sets of positions that a text leads to together, made when a text first leads there.
//!
//! This is the LR(0) automaton in the form that Aycock and Horspool gave it for Earley's algorithm
//! ("Practical Earley Parsing", 2002): a symbol that may be empty is stepped over when a state is
//! made, and what is predicted is kept apart from what has begun, for it begins here. States are
//! made on demand, as a grammar may have exponentially many and a text meets few; they stay in the
//! scratch memory for later texts.

use fxhash::FxHashMap;

use super::budget::Budget;
use super::compiled::{Compiled, Kind, Production};
use super::error::Error;
use super::id::{NonterminalId, PositionId, StateId, SymbolId, TransitionId};
use super::id_vec::{IdRange, IdVec};
use super::lookahead::Lookaheads;
use super::next::Look;
use super::plan::Plans;
use super::scan;
use super::work::Work;
use crate::id::{Id as _, id};

id! {
    /// A position in a list of those of one state.
    ListedId
}
id! {
    /// A position in a list of those where a production may end.
    EndId
}
id! {
    /// A class of bytes in a row of them.
    BeginningId | NONE
}
id! {
    /// A transition in a list of those that begin with a class of bytes.
    OpenId | NONE
}

/// The positions of a new state that are an item of work.
const POSITIONS_AN_ITEM: u64 = 64;

impl StateId {
    /// Stands for a target that is not known yet.
    const UNKNOWN: Self = Self::new(u32::MAX - 1);
}

impl OpenId {
    /// Stands for a list that is not made yet.
    const UNKNOWN: Self = Self::new(u32::MAX - 1);
}

#[derive(Clone, Debug)]
pub(super) struct State {
    /// Its positions, ascending.
    positions: IdRange<ListedId>,
    /// Its transitions, ascending by symbol: those of nonterminals come first.
    transitions: IdRange<TransitionId>,
    /// Where the transitions of terminals begin.
    terminals: TransitionId,
    /// The positions where a production may end.
    ends: IdRange<EndId>,
    /// The end of a production of one symbol, where that is the only end here.
    pub(super) unit: PositionId,
    /// Its row in `beginnings`, if it has one yet.
    beginnings: BeginningId,
    /// The symbol that leads here; none for what is predicted.
    pub(super) access: SymbolId,
    /// A bit for each nonterminal that it waits for.
    pub(super) waits: u64,
    /// Whether layout must not be stepped over here: the place is inside a word.
    blocked: bool,
    /// The state of what this one predicts, if it predicts anything.
    predicted: StateId,
}

impl State {
    pub(super) fn has_nonterminals(&self) -> bool {
        self.transitions.from < self.terminals
    }

    /// Its transitions by nonterminals.
    #[inline]
    pub(super) fn nonterminals(&self) -> IdRange<TransitionId> {
        IdRange::new(self.transitions.from, self.terminals)
    }
}

/// All states that texts have led to so far.
#[derive(Clone, Debug, Default)]
pub(super) struct States {
    states: IdVec<StateId, State>,
    /// What may come next in each state.
    pub(super) viable: IdVec<StateId, Look>,
    /// And what, where its productions do not end.
    pub(super) onward: IdVec<StateId, Look>,
    positions: IdVec<ListedId, PositionId>,
    ends: IdVec<EndId, PositionId>,
    /// The symbol of each transition, and its target in a word and elsewhere.
    symbols: IdVec<TransitionId, SymbolId>,
    targets: IdVec<TransitionId, [StateId; 2]>,
    /// For each class of bytes, where in `open` the transitions by terminals that begin with it
    /// are.
    beginnings: IdVec<BeginningId, OpenId>,
    /// Lists of transitions, behind each of them [`TransitionId::NONE`].
    open: IdVec<OpenId, TransitionId>,
    /// States by whether they are blocked, the symbol that leads there, and their positions: all as numbers.
    known: FxHashMap<Box<[u32]>, StateId>,
    unions: FxHashMap<(StateId, StateId), StateId>,
    /// The state before a text, and where layout cannot stand before it.
    starts: [Option<StateId>; 2],
    pub(super) plans: Plans,
    pub(super) aheads: Lookaheads,
    key: Vec<u32>,
    queue: Vec<PositionId>,
    seen: IdVec<PositionId, bool>,
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
    pub(super) fn start(&mut self, work: &Work<'_>, blocked: bool) -> Result<StateId, Error> {
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
        self.queue.extend(&work.grammar.nonterminals[NonterminalId::TEXT].starts);
        let start = self.predict(work, blocked)?;
        self.starts[usize::from(blocked)] = Some(start);
        Ok(start)
    }

    #[inline]
    pub(super) fn state(&self, state: StateId) -> &State {
        &self.states[state]
    }

    pub(super) fn positions(&self, state: StateId) -> &[PositionId] {
        &self.positions[self.state(state).positions]
    }

    /// Where in a list the positions of a state are where a production may end.
    #[inline]
    pub(super) fn ends_of(&self, state: StateId) -> IdRange<EndId> {
        self.states[state].ends
    }

    #[inline]
    pub(super) fn end(&self, end: EndId) -> PositionId {
        self.ends[end]
    }

    /// These positions.
    #[inline]
    pub(super) fn ends(&self, state: StateId) -> &[PositionId] {
        &self.ends[self.state(state).ends]
    }

    pub(super) fn holds(&self, state: StateId, position: PositionId) -> bool {
        self.positions(state).binary_search(&position).is_ok()
    }

    /// The list of the transitions of a state whose terminals begin with a byte: see [`States::open`].
    #[inline]
    pub(super) fn beginning(
        &mut self,
        work: &Work<'_>,
        state: StateId,
        byte: u8,
    ) -> Result<OpenId, Error> {
        let State { terminals, transitions, beginnings, .. } = self.states[state];
        if terminals == transitions.to {
            return Ok(OpenId::NONE);
        }
        if beginnings != BeginningId::NONE {
            let class = work.grammar.byte_classes[usize::from(byte)];
            let known = self.beginnings[beginnings.plus(class.into())];
            if known != OpenId::UNKNOWN {
                return Ok(known);
            }
        }
        self.make_beginning(work, state, byte)
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn make_beginning(
        &mut self,
        work: &Work<'_>,
        state: StateId,
        byte: u8,
    ) -> Result<OpenId, Error> {
        let (grammar, budget) = (work.grammar, work.budget);
        let State { terminals, transitions, beginnings: mut row, .. } = self.states[state];
        if row == BeginningId::NONE {
            row = self.beginnings.end();
            let classes = grammar.byte_class_count as usize;
            budget.room(&mut self.beginnings, classes)?;
            self.beginnings.resize(row.index() + classes, OpenId::UNKNOWN);
            self.states[state].beginnings = row;
        }
        let transitions = IdRange::new(terminals, transitions.to);
        budget.room(&mut self.open, transitions.len() as usize + 1)?;
        let mut first = self.open.end();
        for transition in transitions {
            let terminal = self.symbols[transition].terminal();
            let begins = |terminal| scan::has_byte(&grammar.terminals[terminal].0, byte);
            if terminal.is_some_and(begins) {
                self.open.push(transition);
            }
        }
        if self.open.end() == first {
            first = OpenId::NONE;
        } else {
            self.open.push(TransitionId::NONE);
        }
        let class = grammar.byte_classes[usize::from(byte)];
        self.beginnings[row.plus(class.into())] = first;
        Ok(first)
    }

    /// Takes the next transition off a list.
    #[inline]
    pub(super) fn next_open(&self, list: &mut OpenId) -> Option<TransitionId> {
        if *list == OpenId::NONE {
            return None;
        }
        let transition = self.open[*list];
        *list = list.plus(1);
        (transition != TransitionId::NONE).then_some(transition)
    }

    #[inline]
    pub(super) fn transition_symbol(&self, transition: TransitionId) -> SymbolId {
        self.symbols[transition]
    }

    #[inline]
    fn transition(&self, state: StateId, symbol: SymbolId) -> Option<TransitionId> {
        let transitions = self.states[state].transitions;
        let place = self.symbols[transitions].binary_search(&symbol).ok()?;
        Some(transitions.from.plus(place as u32))
    }

    /// Where a symbol leads from a state, if it leads on; `blocked` says that the place where it
    /// ends is inside a word.
    #[inline]
    pub(super) fn next(
        &mut self,
        work: &Work<'_>,
        state: StateId,
        symbol: SymbolId,
        blocked: bool,
    ) -> Result<Option<StateId>, Error> {
        let Some(transition) = self.transition(state, symbol) else { return Ok(None) };
        self.follow(work, state, transition, blocked).map(Some)
    }

    /// Where a transition of a state leads.
    #[inline]
    pub(super) fn follow(
        &mut self,
        work: &Work<'_>,
        state: StateId,
        transition: TransitionId,
        blocked: bool,
    ) -> Result<StateId, Error> {
        let target = self.targets[transition][usize::from(blocked)];
        if target != StateId::UNKNOWN {
            return Ok(target);
        }
        self.make_target(work, state, transition, blocked)
    }

    #[cold]
    fn make_target(
        &mut self,
        work: &Work<'_>,
        state: StateId,
        transition: TransitionId,
        blocked: bool,
    ) -> Result<StateId, Error> {
        let symbol = self.symbols[transition];
        self.queue.clear();
        for &position in &self.positions[self.states[state].positions] {
            let position = work.grammar.positions[position];
            if position.symbol == symbol {
                self.queue.push(position.target);
            }
        }
        self.close(work.grammar, blocked, false);
        let target = self.intern(work, blocked, symbol)?;
        self.targets[transition][usize::from(blocked)] = target;
        Ok(target)
    }

    /// The state of what a state predicts, if it predicts anything.
    #[inline]
    pub(super) fn predicted(&mut self, work: &Work<'_>, state: StateId) -> Result<StateId, Error> {
        let predicted = self.state(state).predicted;
        if predicted != StateId::UNKNOWN { Ok(predicted) } else { self.make_predicted(work, state) }
    }

    #[cold]
    fn make_predicted(&mut self, work: &Work<'_>, state: StateId) -> Result<StateId, Error> {
        let grammar = work.grammar;
        let blocked = self.state(state).blocked;
        self.queue.clear();
        for transition in self.state(state).nonterminals() {
            let starts = |id: NonterminalId| &grammar.nonterminals[id].starts;
            self.queue.extend(self.symbols[transition].nonterminal().into_iter().flat_map(starts));
        }
        let predicted =
            if self.queue.is_empty() { StateId::NONE } else { self.predict(work, blocked)? };
        self.states[state].predicted = predicted;
        Ok(predicted)
    }

    /// The state of what is predicted by both of two.
    #[pleach_unhooked::unhooked]
    pub(super) fn union(
        &mut self,
        work: &Work<'_>,
        left: StateId,
        right: StateId,
    ) -> Result<StateId, Error> {
        if left == right || right == StateId::NONE {
            return Ok(left);
        }
        if left == StateId::NONE {
            return Ok(right);
        }
        let pair = (left.min(right), left.max(right));
        if let Some(&union) = self.unions.get(&pair) {
            return Ok(union);
        }
        work.budget.room_in(&mut self.unions)?;
        self.queue.clear();
        for state in [left, right] {
            self.queue.extend_from_slice(&self.positions[self.states[state].positions]);
        }
        let blocked = self.state(left).blocked;
        let union = self.predict(work, blocked)?;
        self.unions.insert(pair, union);
        Ok(union)
    }

    fn predict(&mut self, work: &Work<'_>, blocked: bool) -> Result<StateId, Error> {
        self.close(work.grammar, blocked, true);
        self.intern(work, blocked, SymbolId::NONE)
    }

    /// Turns the queue into all positions that are reached from it by stepping over what may be
    /// empty and, where asked, by prediction; sorted.
    #[pleach_unhooked::unhooked]
    fn close(&mut self, grammar: &Compiled, blocked: bool, predict: bool) {
        self.queue.retain(|&p| !std::mem::replace(&mut self.seen[p], true));
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            let position = grammar.positions[at];
            let symbol = position.symbol;
            if symbol == SymbolId::NONE {
                continue;
            }
            let seen = &mut self.seen;
            let mut reach = |p: PositionId| !std::mem::replace(&mut seen[p], true);
            if grammar.is_nullable(symbol)
                && !(blocked && symbol == grammar.layout)
                && reach(position.target)
            {
                self.queue.push(position.target);
            }
            if predict && let Some(nonterminal) = symbol.nonterminal() {
                let starts = &grammar.nonterminals[nonterminal].starts;
                self.queue.extend(starts.iter().filter(|&&start| reach(start)));
            }
        }
        for &position in &self.queue {
            self.seen[position] = false;
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
    fn intern(
        &mut self,
        work: &Work<'_>,
        blocked: bool,
        access: SymbolId,
    ) -> Result<StateId, Error> {
        let (grammar, budget) = (work.grammar, work.budget);
        budget.count(self.queue.len() as u64 / POSITIONS_AN_ITEM);
        self.key.clear();
        budget.room(&mut self.key, self.queue.len() + 2)?;
        self.key.extend([u32::from(blocked), access.get()]);
        self.key.extend(self.queue.iter().map(|position| position.get()));
        if let Some(&known) = self.known.get(self.key.as_slice()) {
            return Ok(known);
        }
        self.room(budget)?;
        let positions = self.positions.end();
        self.positions.extend_from_slice(&self.queue);
        let (ends, transitions) = (self.ends.end(), self.symbols.end());
        let mut onward = Look::default();
        let mut viable = Look::default();
        for &at in &self.queue {
            let position = grammar.positions[at];
            if position.production != Production::NONE {
                self.ends.push(at);
            }
            if position.symbol != SymbolId::NONE {
                self.symbols.push(position.symbol);
            }
            viable.join(&grammar.first[at]);
            onward.join(&grammar.first[at]);
            if grammar.rest_nullable[at] {
                viable.join(&grammar.nonterminals[position.owner].follow);
            }
        }
        let all = IdRange::new(transitions, self.symbols.end());
        let kept = distinct(&mut self.symbols[all]);
        let transitions = IdRange::new(transitions, transitions.plus(kept));
        self.symbols.truncate(transitions.to);
        self.targets.resize(transitions.to.index(), [StateId::UNKNOWN; 2]);
        let is_nonterminal = |symbol: &SymbolId| symbol.nonterminal().is_some();
        let nonterminals = self.symbols[transitions].partition_point(is_nonterminal);
        let terminals = transitions.from.plus(nonterminals as u32);
        let waits = self.symbols[IdRange::new(transitions.from, terminals)].iter();
        let waits = waits.filter_map(|symbol| symbol.nonterminal());
        let waits = waits.fold(0, |waits, nonterminal| waits | nonterminal.bit());
        let ends = IdRange::new(ends, self.ends.end());
        let unit = match self.ends[ends] {
            [end] if access != SymbolId::NONE && is_unit(grammar, end) => end,
            _ => PositionId::NONE,
        };
        self.viable.push(viable);
        self.onward.push(onward);
        let state = self.states.push(State {
            unit,
            waits,
            beginnings: BeginningId::NONE,
            positions: IdRange::new(positions, self.positions.end()),
            transitions,
            terminals,
            ends,
            access,
            blocked,
            predicted: if access == SymbolId::NONE { StateId::NONE } else { StateId::UNKNOWN },
        });
        self.known.insert(self.key.clone().into_boxed_slice(), state);
        Ok(state)
    }
}

/// Sorts symbols, each once, to the front; gives how many these are.
fn distinct(symbols: &mut [SymbolId]) -> u32 {
    symbols.sort_unstable();
    let mut kept = 0;
    for place in 0..symbols.len() {
        let symbol = symbols[place];
        if place == 0 || symbol != symbols[place - 1] {
            // What is read lies behind what is written.
            symbols[kept] = symbol;
            kept += 1;
        }
    }
    kept as u32
}

/// Whether a position is the end of an alternative of one symbol, of a rule that never derives
/// itself over its own text.
fn is_unit(grammar: &Compiled, end: PositionId) -> bool {
    let owner = &grammar.nonterminals[grammar.positions[end].owner];
    let before = &grammar.incoming[end];
    matches!(owner.kind, Kind::Rule(_))
        && !owner.cyclic
        && matches!(before[..], [start] if owner.starts.binary_search(&start).is_ok()
            && grammar.positions[start].symbol.nonterminal().is_some())
}
