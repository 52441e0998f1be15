//! What is counted: the parts of a grammar, and how each is put together from others.

use crate::grammar::Encoding;
use crate::table::{
    AlternativeId, Objective, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table,
    Terminal, TerminalId,
};

use super::Measure;

/// A rule, the items of an alternative from one on, what is left of a repetition, or a state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State(u32);

impl State {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A way to go on from a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Nothing follows.
    End,
    /// An alternative of the rule.
    Alternative(AlternativeId, State),
    /// A symbol, and then another state.
    Item(Symbol, Inside, State),
    /// A move of an automaton by a symbol of so many bytes, and then another state.
    Move { terminal: TerminalId, index: u32, bytes: u32, then: State },
}

/// The sizes that a symbol may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inside {
    /// One.
    Fixed(u32),
    /// Those whose bits are set.
    Lengths(u8),
    /// Those of a state, and so much more.
    State(State, u32),
}

/// All states, those of rules first.
#[derive(Clone, Debug)]
pub(super) struct States {
    /// The ways of state `s` are `ways[starts[s]..starts[s + 1]]`.
    starts: Vec<u32>,
    ways: Vec<Way>,
    /// The named rule that each stands in.
    owners: Vec<RuleId>,
    /// What a node that is no leaf adds.
    node: u32,
    /// By alternative, repetition and terminal, the state it begins with.
    alternatives: Vec<State>,
    repetitions: Vec<State>,
    terminals: Vec<Option<State>>,
}

const NONE: State = State(u32::MAX);

/// The bits of how many bytes symbols of some ranges take.
pub(super) fn lengths(encoding: Encoding, ranges: &[(u32, u32)]) -> u8 {
    (1..=4)
        .filter(|&length| encoded(encoding, ranges, length).next().is_some())
        .fold(0, |bits, length| bits | 1 << length)
}

/// The parts of some ranges whose symbols take so many bytes.
pub(super) fn encoded(
    encoding: Encoding,
    ranges: &[(u32, u32)],
    length: u32,
) -> impl Iterator<Item = (u32, u32)> {
    let window = match (encoding, length) {
        (Encoding::Bytes, 1) => (0, 0xFF),
        (Encoding::Bytes, _) => (1, 0),
        (Encoding::Unicode, 1) => (0, 0x7F),
        (Encoding::Unicode, 2) => (0x80, 0x7FF),
        (Encoding::Unicode, 3) => (0x800, 0xFFFF),
        (Encoding::Unicode, _) => (0x1_0000, 0x10_FFFF),
    };
    ranges
        .iter()
        .map(move |&(low, high)| (low.max(window.0), high.min(window.1)))
        .filter(|(low, high)| low <= high)
}

impl States {
    /// The states of a table for sizes of up to `high`; none where counting takes more products than `most`.
    pub(super) fn new(table: &Table, measure: Measure, high: u32, most: u64) -> Option<Self> {
        let mut states = Self {
            starts: vec![0],
            ways: Vec::new(),
            owners: Vec::new(),
            node: u32::from(measure == Measure::Nodes),
            alternatives: vec![NONE; table.alternative_count()],
            repetitions: vec![NONE; table.repetition_count()],
            terminals: vec![None; table.terminal_count()],
        };
        if states.number(table, measure, high) > most {
            return None;
        }
        for rule in (0..table.rule_count() as u32).map(RuleId::new) {
            let ways = table
                .alternatives(rule)
                .map(|one| Way::Alternative(one, states.alternatives[one.index()]));
            states.ways.extend(ways.collect::<Vec<_>>());
            let owner = table.alternatives(rule).next().map_or(rule, |one| table.owner(one));
            states.close(owner);
        }
        for alternative in produced(table) {
            let items = table.items(alternative);
            for (index, &item) in items.iter().enumerate() {
                let then = State(states.alternatives[alternative.index()].0 + index as u32 + 1);
                states.item(table, measure, item, then);
                states.close(table.owner(alternative));
            }
            states.ways.push(Way::End);
            states.close(table.owner(alternative));
        }
        for id in (0..table.repetition_count() as u32).map(RepetitionId::new) {
            let repetition = *table.repetition(id);
            let levels = levels(table, measure, &repetition, high);
            let begin = states.repetitions[id.index()].0;
            for level in 0..levels {
                // The last level of what has no end goes on with itself.
                let is_last = level + 1 == levels;
                if level >= repetition.min {
                    states.ways.push(Way::End);
                }
                let endless = is_endless(table, measure, &repetition, high);
                if !is_last || endless {
                    let then = State(begin + if is_last { level } else { level + 1 });
                    states.item(table, measure, repetition.element, then);
                }
                states.close(table.owner(repetition.alternative));
            }
        }
        for terminal in (0..table.terminal_count() as u32).map(TerminalId::new) {
            states.automaton(table, terminal);
        }
        Some(states)
    }

    /// Numbers the states, and gives how many products counting takes.
    fn number(&mut self, table: &Table, measure: Measure, high: u32) -> u64 {
        let sizes = u64::from(high) + 1;
        let (mut next, mut products) = (table.rule_count() as u64, 0_u64);
        for alternative in produced(table) {
            self.alternatives[alternative.index()] = State(next as u32);
            let arity = u64::from(table.arity(alternative));
            next += arity + 1;
            products += arity;
        }
        for id in (0..table.repetition_count() as u32).map(RepetitionId::new) {
            self.repetitions[id.index()] = State(next as u32);
            let levels = u64::from(levels(table, measure, table.repetition(id), high));
            next += levels;
            products += levels;
        }
        let mut moves = 0;
        if measure == Measure::Bytes {
            for terminal in (0..table.terminal_count() as u32).map(TerminalId::new) {
                let Terminal::Regular { automaton } = table.terminal(terminal) else { continue };
                self.terminals[terminal.index()] = Some(State(next as u32));
                next += automaton.state_count() as u64;
                moves += automaton
                    .states()
                    .map(|state| automaton.transitions(state).len() as u64)
                    .sum::<u64>();
            }
        }
        let of_pairs = products.saturating_mul(sizes).saturating_mul(sizes) / 2;
        // A count takes the memory of some words.
        of_pairs.max((next + moves).saturating_mul(sizes).saturating_mul(64))
    }

    fn automaton(&mut self, table: &Table, terminal: TerminalId) {
        let Some(begin) = self.terminals[terminal.index()] else { return };
        let Terminal::Regular { automaton } = table.terminal(terminal) else { return };
        for state in automaton.states() {
            if automaton.is_accepting(state) {
                self.ways.push(Way::End);
            }
            for (index, next) in automaton.transitions(state).iter().enumerate() {
                let lengths = lengths(table.encoding(), automaton.class_ranges(next.class));
                let then = State(begin.0 + next.target.index() as u32);
                for bytes in (1..=4).filter(|bytes| lengths & 1 << bytes != 0) {
                    self.ways.push(Way::Move { terminal, index: index as u32, bytes, then });
                }
            }
            self.close(RuleId::new(0));
        }
    }

    fn item(&mut self, table: &Table, measure: Measure, symbol: Symbol, then: State) {
        let inside = match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                let Some(terminal) = table.terminal_at(occurrence) else { return };
                match (measure, table.terminal(terminal)) {
                    (Measure::Nodes, _) => Inside::Fixed(1),
                    (_, Terminal::Literal { bytes, .. }) => Inside::Fixed(bytes.len() as u32),
                    (_, Terminal::Class { ranges }) => {
                        Inside::Lengths(lengths(table.encoding(), ranges))
                    }
                    (_, Terminal::Regular { automaton }) => {
                        let begin = self.terminals[terminal.index()].map_or(0, |begin| begin.0);
                        Inside::State(State(begin + automaton.start().index() as u32), 0)
                    }
                }
            }
            SymbolKind::Repetition(id) => Inside::State(self.repetitions[id.index()], self.node),
            _ => match table.rule_behind(symbol) {
                Some(rule) => Inside::State(self.rule(rule), self.node),
                None => return,
            },
        };
        self.ways.push(Way::Item(symbol, inside, then));
    }

    fn close(&mut self, owner: RuleId) {
        self.starts.push(self.ways.len() as u32);
        self.owners.push(owner);
    }

    /// How many states there are.
    pub(super) fn count(&self) -> usize {
        self.owners.len()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = State> + use<> {
        (0..self.count() as u32).map(State)
    }

    #[inline]
    pub(super) fn ways(&self, state: State) -> &[Way] {
        &self.ways[self.starts[state.index()] as usize..self.starts[state.index() + 1] as usize]
    }

    #[inline]
    pub(super) fn rule(&self, rule: RuleId) -> State {
        State(rule.get())
    }

    pub(super) fn repetition(&self, repetition: RepetitionId) -> State {
        self.repetitions[repetition.index()]
    }

    /// The state that the automaton of a terminal begins with; none where sizes are in nodes.
    pub(super) fn walk(&self, table: &Table, terminal: TerminalId) -> Option<State> {
        let begin = self.terminals[terminal.index()]?;
        let Terminal::Regular { automaton } = table.terminal(terminal) else { return None };
        Some(State(begin.0 + automaton.start().index() as u32))
    }

    /// The state of an automaton that a state of its terminal is.
    pub(super) fn position(&self, terminal: TerminalId, state: State) -> usize {
        state.index() - self.terminals[terminal.index()].map_or(0, State::index)
    }

    /// What a node that is no leaf adds to a size.
    #[inline]
    pub(super) fn node(&self) -> u32 {
        self.node
    }

    /// The named rule that a state stands in.
    pub(super) fn rule_of(&self, state: State) -> RuleId {
        self.owners[state.index()]
    }
}

/// The alternatives that are produced.
fn produced(table: &Table) -> impl Iterator<Item = AlternativeId> {
    (0..table.rule_count() as u32).map(RuleId::new).flat_map(|rule| table.alternatives(rule))
}

/// Whether the greatest count of a repetition does not matter up to a size: there is none, or so many elements
/// are larger than that.
fn is_endless(table: &Table, measure: Measure, repetition: &Repetition, high: u32) -> bool {
    repetition.max == Repetition::UNBOUNDED
        || (repetition.max > high.saturating_add(repetition.min)
            && has_size(table, measure, repetition.element))
}

/// Whether each element has a size.
fn has_size(table: &Table, measure: Measure, element: Symbol) -> bool {
    measure == Measure::Nodes
        || table
            .minima()
            .symbol_cost(table, Objective::Bytes, element, u32::MAX)
            .is_some_and(|cost| cost.bytes > 0)
}

/// How many states a repetition has: one for each count that is told from others.
fn levels(table: &Table, measure: Measure, repetition: &Repetition, high: u32) -> u32 {
    let least = repetition.min;
    if is_endless(table, measure, repetition, high) {
        least.saturating_add(1)
    } else {
        repetition.max.saturating_add(1)
    }
}
