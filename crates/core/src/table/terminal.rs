//! Terminals: literals, classes and regular languages, in flat arrays.

use super::id::TerminalId;
use crate::grammar::Encoding;
use crate::pack::packed;
use crate::regular::Dfa;
use crate::rows::Rows;

/// A terminal as it is stored: which array it is in, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Literal { row: u32, ignore_case: bool },
    Class { row: u32 },
    Regular { automaton: u32 },
}

/// The language of a terminal as its table holds it: a string, a set of symbols, or an automaton.
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

packed!(enum Entry {
    0 => Literal { row, ignore_case },
    1 => Class { row },
    2 => Regular { automaton },
});
packed!(struct Terminals { entries, literals, classes, automata, shortest });
