//! A table's terminals, put together one by one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grammar::Encoding;
use crate::regular::{Dfa, StateId};
use crate::table::terminal::{Entry, Terminals};
use crate::table::{TerminalId, encode, plain_symbol};

impl Terminals {
    pub(super) fn push_literal(&mut self, bytes: &[u8], ignore_case: bool) -> TerminalId {
        let row = self.literals.len() as u32;
        self.literals.push(bytes.iter().copied());
        self.push_entry(Entry::Literal { row, ignore_case }, bytes)
    }

    pub(super) fn push_class(&mut self, ranges: &[(u32, u32)], encoding: Encoding) -> TerminalId {
        let row = self.classes.len() as u32;
        self.classes.push(ranges.iter().copied());
        let mut shortest = Vec::new();
        encode(encoding, plain_symbol(ranges), &mut shortest);
        self.push_entry(Entry::Class { row }, &shortest)
    }

    pub(super) fn push_automaton(&mut self, automaton: Dfa, encoding: Encoding) -> TerminalId {
        let mut shortest = Vec::new();
        let mut symbols = automaton.shortest().unwrap_or_default();
        if encoding == Encoding::Unicode && symbols.iter().any(|&symbol| symbol >= 0x80) {
            symbols = fewest_bytes(&automaton);
        }
        for symbol in symbols {
            encode(encoding, symbol, &mut shortest);
        }
        let index = self.automata.len() as u32;
        self.automata.push(automaton);
        self.push_entry(Entry::Regular { automaton: index }, &shortest)
    }

    fn push_entry(&mut self, entry: Entry, shortest: &[u8]) -> TerminalId {
        let id = TerminalId::new(self.entries.len() as u32);
        self.entries.push(entry);
        self.shortest.push(shortest.iter().copied());
        id
    }
}

/// A string of an automaton with the fewest bytes of UTF-8, which need not be one with the fewest
/// symbols (Dijkstra's algorithm from the start).
fn fewest_bytes(automaton: &Dfa) -> Vec<u32> {
    let mut least = vec![u64::MAX; automaton.state_count()];
    let mut from: Vec<Option<(StateId, u32)>> = vec![None; automaton.state_count()];
    let mut queue = BinaryHeap::from([(Reverse(0), automaton.start())]);
    least[automaton.start().index()] = 0;
    while let Some((Reverse(bytes), state)) = queue.pop() {
        if bytes > least[state.index()] {
            continue;
        }
        if automaton.is_accepting(state) {
            let steps = std::iter::successors(from[state.index()], |(at, _)| from[at.index()]);
            let mut symbols: Vec<u32> = steps.map(|(_, symbol)| symbol).collect();
            symbols.reverse();
            return symbols;
        }
        for transition in automaton.transitions(state) {
            let symbol = plain_symbol(automaton.class_ranges(transition.class));
            let width = char::from_u32(symbol).map_or(1, char::len_utf8);
            let target = transition.target.index();
            if bytes + (width as u64) < least[target] {
                least[target] = bytes + width as u64;
                from[target] = Some((state, symbol));
                queue.push((Reverse(least[target]), transition.target));
            }
        }
    }
    Vec::new()
}
