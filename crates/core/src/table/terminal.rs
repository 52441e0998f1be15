//! Terminals: literals, classes and regular languages, in flat arrays.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::id::TerminalId;
use super::rows::Rows;
use crate::grammar::Encoding;
use crate::regular::{Dfa, StateId};

/// A terminal as it is stored: which array it is in, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Literal { row: u32, ignore_case: bool },
    Class { row: u32 },
    Regular { automaton: u32 },
}

/// A terminal.
#[derive(Clone, Copy, Debug)]
pub enum Terminal<'t> {
    /// A string.
    Literal {
        /// Its bytes; never empty.
        bytes: &'t [u8],
        /// Whether ASCII letters stand for both cases.
        ignore_case: bool,
    },
    /// One symbol of a set.
    Class {
        /// Sorted, disjoint, inclusive ranges of bytes or scalar values; never empty.
        ranges: &'t [(u32, u32)],
    },
    /// A string of a regular language.
    Regular {
        /// The automaton over the symbols; its language is never empty.
        automaton: &'t Dfa,
    },
}

/// All terminals of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terminals {
    pub(crate) entries: Vec<Entry>,
    pub(crate) literals: Rows<u8>,
    pub(crate) classes: Rows<(u32, u32)>,
    pub(crate) automata: Vec<Dfa>,
    /// A string of the fewest bytes of each terminal.
    pub(crate) shortest: Rows<u8>,
}

impl Terminals {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn get(&self, id: TerminalId) -> Terminal<'_> {
        match self.entries[id.index()] {
            Entry::Literal { row, ignore_case } => {
                Terminal::Literal { bytes: self.literals.row(row as usize), ignore_case }
            }
            Entry::Class { row } => Terminal::Class { ranges: self.classes.row(row as usize) },
            Entry::Regular { automaton } => {
                Terminal::Regular { automaton: &self.automata[automaton as usize] }
            }
        }
    }

    /// Where among the items of [`Terminals::literals`] the only text of a terminal begins, and its
    /// end; empty where it has others.
    pub(crate) fn literal_range(&self, id: TerminalId) -> (u32, u32) {
        match self.entries[id.index()] {
            Entry::Literal { row, ignore_case: false } => {
                let range = self.literals.range(row as usize);
                (range.start, range.end)
            }
            _ => (0, 0),
        }
    }

    pub(crate) fn push_literal(&mut self, bytes: &[u8], ignore_case: bool) -> TerminalId {
        let row = self.literals.len() as u32;
        self.literals.push(bytes.iter().copied());
        self.push_entry(Entry::Literal { row, ignore_case }, bytes)
    }

    pub(crate) fn push_class(&mut self, ranges: &[(u32, u32)], encoding: Encoding) -> TerminalId {
        let row = self.classes.len() as u32;
        self.classes.push(ranges.iter().copied());
        let mut shortest = Vec::new();
        encode(encoding, plain_symbol(ranges), &mut shortest);
        self.push_entry(Entry::Class { row }, &shortest)
    }

    pub(crate) fn push_automaton(&mut self, automaton: Dfa, encoding: Encoding) -> TerminalId {
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

/// Writes a symbol as the encoding says; a symbol that is no scalar value writes nothing.
#[inline]
pub(crate) fn encode(encoding: Encoding, symbol: u32, out: &mut Vec<u8>) {
    match encoding {
        Encoding::Bytes => out.push(symbol as u8),
        Encoding::Unicode if symbol < 0x80 => out.push(symbol as u8),
        Encoding::Unicode => {
            if let Some(scalar) = char::from_u32(symbol) {
                out.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

/// The plainest symbol of a class: a letter, else a digit, else printable ASCII, else the first.
pub(crate) fn plain_symbol(ranges: &[(u32, u32)]) -> u32 {
    let preferred = [('a', 'z'), ('A', 'Z'), ('0', '9'), (' ', '~')];
    for (low, high) in preferred {
        let (low, high) = (low as u32, high as u32);
        if let Some(&(start, _)) = ranges.iter().find(|&&(start, end)| start <= high && end >= low)
        {
            return start.max(low);
        }
    }
    ranges.first().map_or(0, |&(start, _)| start)
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
