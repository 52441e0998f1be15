//! Terminals as they are met in a text: where one that begins at an offset can end.

use std::ops::Index;
use std::sync::Arc;

use crate::grammar::Encoding;
#[cfg(feature = "front")]
use crate::id::Id as _;
use crate::regular::{Dfa, StateId};
use crate::table::{Table, Terminal, TerminalId};

/// A set of bytes.
pub(super) type Bytes = [u64; 4];

pub(super) fn has_byte(bytes: &Bytes, byte: u8) -> bool {
    bytes[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
}

#[cfg(feature = "front")]
fn add_byte(bytes: &mut Bytes, byte: u8) {
    bytes[usize::from(byte >> 6)] |= 1 << (byte & 63);
}

/// The bytes that the symbols of ranges begin with.
#[cfg(feature = "front")]
fn first_bytes(encoding: Encoding, ranges: &[(u32, u32)], bytes: &mut Bytes) {
    for &(low, high) in ranges {
        match encoding {
            Encoding::Bytes => (low..=high.min(255)).for_each(|s| add_byte(bytes, s as u8)),
            Encoding::Unicode => {
                // No range ends in a surrogate, but one may pass over them.
                let first = |symbol: u32| {
                    let symbol = char::from_u32(symbol).unwrap_or('\u{FFFD}');
                    symbol.encode_utf8(&mut [0; 4]).as_bytes()[0]
                };
                (first(low)..=first(high)).for_each(|byte| add_byte(bytes, byte));
            }
        }
    }
}

/// By which bytes each of some terminals begins, and whether it may be empty. Those of the table are
/// shared: what is inside a token has them too, and there may be as many kinds of tokens.
#[derive(Clone, Debug)]
pub(super) struct Beginnings {
    pub(super) shared: Arc<[(Bytes, bool)]>,
    pub(super) own: Vec<(Bytes, bool)>,
}

impl Beginnings {
    #[cfg(feature = "front")]
    pub(super) fn new(shared: Arc<[(Bytes, bool)]>) -> Self {
        Self { shared, own: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.shared.len() + self.own.len()
    }

    /// The terminal that is added next.
    #[cfg(feature = "front")]
    pub(super) fn end(&self) -> TerminalId {
        TerminalId::at(self.len())
    }

    #[cfg(feature = "front")]
    pub(super) fn iter(&self) -> impl Iterator<Item = &(Bytes, bool)> {
        self.shared.iter().chain(&self.own)
    }

    /// Adds a terminal behind those that are shared.
    #[cfg(feature = "front")]
    pub(super) fn push(&mut self, beginning: (Bytes, bool)) {
        self.own.push(beginning);
    }
}

impl Index<TerminalId> for Beginnings {
    type Output = (Bytes, bool);

    #[inline]
    fn index(&self, terminal: TerminalId) -> &(Bytes, bool) {
        match terminal.index().checked_sub(self.shared.len()) {
            None => &self.shared[terminal.index()],
            Some(own) => &self.own[own],
        }
    }
}

/// The bytes that a terminal's strings begin with, and whether the empty one is of it.
#[cfg(feature = "front")]
pub(super) fn beginning(table: &Table, terminal: TerminalId) -> (Bytes, bool) {
    let mut bytes = [0; 4];
    match table.terminal(terminal) {
        Terminal::Literal { bytes: text, ignore_case } => {
            if let Some(&first) = text.first() {
                add_byte(&mut bytes, first);
                if ignore_case {
                    add_byte(&mut bytes, first.to_ascii_lowercase());
                    add_byte(&mut bytes, first.to_ascii_uppercase());
                }
            }
            (bytes, text.is_empty())
        }
        Terminal::Class { ranges } => {
            first_bytes(table.encoding(), ranges, &mut bytes);
            (bytes, false)
        }
        Terminal::Regular { automaton } => {
            (automaton_beginning(table, automaton), automaton.is_accepting(automaton.start()))
        }
    }
}

/// The bytes that an automaton's strings begin with.
#[cfg(feature = "front")]
pub(super) fn automaton_beginning(table: &Table, automaton: &Dfa) -> Bytes {
    let mut bytes = [0; 4];
    for transition in automaton.transitions(automaton.start()) {
        let ranges = automaton.class_ranges(transition.class);
        first_bytes(table.encoding(), ranges, &mut bytes);
    }
    bytes
}

/// The symbol at an offset, and its length; none at the end and where the text is no UTF-8.
#[inline]
pub(super) fn symbol(encoding: Encoding, text: &[u8], at: usize) -> Option<(u32, usize)> {
    let &byte = text.get(at)?;
    if byte < 0x80 || encoding == Encoding::Bytes {
        return Some((byte.into(), 1));
    }
    let length = match byte {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let piece = std::str::from_utf8(text.get(at..at + length)?).ok()?;
    Some((piece.chars().next()?.into(), length))
}

/// Tells where a terminal that begins at an offset can end, nearest first; the empty string is
/// left out. Gives the furthest offset that was looked at and did not fit.
pub(super) fn ends(
    table: &Table,
    terminal: TerminalId,
    text: &[u8],
    at: usize,
    mut found: impl FnMut(usize),
) -> usize {
    match table.terminal(terminal) {
        Terminal::Literal { bytes, ignore_case } => {
            let common = common(bytes, &text[at..], ignore_case);
            if common == bytes.len() {
                found(at + common);
                return at;
            }
            at + common
        }
        Terminal::Class { ranges } => {
            if let Some((symbol, length)) = symbol(table.encoding(), text, at) {
                let range = ranges.partition_point(|range| range.1 < symbol);
                if ranges.get(range).is_some_and(|range| range.0 <= symbol) {
                    found(at + length);
                }
            }
            at
        }
        Terminal::Regular { automaton } => {
            automaton_ends(table.encoding(), automaton, text, at, found)
        }
    }
}

/// How many bytes two texts have in common at their beginnings.
fn common(left: &[u8], right: &[u8], ignore_case: bool) -> usize {
    if ignore_case {
        let same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
        return left.iter().zip(right).take_while(same).count();
    }
    // Blocks are compared at once: a long literal may begin at many places.
    let blocks = left.chunks_exact(BLOCK).zip(right.chunks_exact(BLOCK));
    let whole = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let rest = left[whole..].iter().zip(&right[whole..]);
    whole + rest.take_while(|(a, b)| a == b).count()
}

/// Bytes that are compared at once.
const BLOCK: usize = 64;

/// As [`ends`], of an automaton.
pub(super) fn automaton_ends(
    encoding: Encoding,
    automaton: &Dfa,
    text: &[u8],
    mut at: usize,
    mut found: impl FnMut(usize),
) -> usize {
    let mut state = automaton.start();
    while let Some((symbol, length)) = symbol(encoding, text, at) {
        state = automaton.step(state, symbol);
        if state == StateId::DEAD || automaton.is_dead(state) {
            return at;
        }
        at += length;
        if automaton.is_accepting(state) {
            found(at);
        }
    }
    at
}
