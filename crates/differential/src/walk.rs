//! Random strings of a language, fast.
//!
//! A walk over rows that are made beforehand: each state has a row of cells, as many as a few random bits
//! choose from, and a cell says the symbol and the state that it leads to. One read is a step, and rows are
//! short enough to stay in the processor's cache. A length is drawn first; until
//! the string has it, a move is the likelier the more symbols make it, by their logarithm, and of these
//! one is as likely as any other; from then on the walk takes the shortest way to acceptance. Strings are not uniform: for that,
//! see [`UniformSampler`](pleach_core::regular::UniformSampler).

use pleach_core::Entropy;
use pleach_core::regular::{Alphabet, ClassId, Dfa};

/// Symbols of a class that are listed.
const LISTED: u64 = 1024;

/// One draw in so many is of any symbol of a class, where there are more than [`LISTED`].
const ANY: u32 = 8;

/// Bits that choose a cell, where there is room for as many cells as that takes.
const BITS: u32 = 8;

/// How many cells there are, as far as that can be kept.
const ROOM: usize = 1 << 18;

/// A cell: the state that it leads to in the high half, and in the low one the place of its symbol.
type Cell = u32;

/// In place of the place: the symbol is drawn by itself.
const DRAWN: u32 = 0xFFFF;

/// In place of a move: the row has none. One of the state's is drawn, if there is one.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Move {
    to: u32,
    class: ClassId,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Its moves: where they begin, and how many there are.
    moves: (u32, u32),
    /// The move that is nearest to acceptance.
    nearest: u32,
    accepting: bool,
}

/// Draws random strings from a language.
///
/// # Examples
///
/// ```
/// use pleach::Seeded;
/// use pleach::differential::Walker;
/// use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
///
/// let dfa = Dfa::from_regex("[a-z]+@[a-z]+", Alphabet::Unicode, &AutomatonLimits::default())?;
/// let walker = Walker::new(&dfa).longest(20);
/// let (mut entropy, mut text) = (Seeded::new(7), String::new());
/// assert!(walker.string(&mut entropy, &mut text));
/// assert!(dfa.contains_bytes(text.as_bytes()) && text.len() <= 22);
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker<'a> {
    dfa: &'a Dfa,
    states: Vec<State>,
    /// The bits that choose from a row.
    bits: u32,
    /// A row for each state.
    cells: Vec<Cell>,
    /// The move of each cell, or [`NONE`].
    by: Vec<u32>,
    moves: Vec<Move>,
    /// Per class: where in `symbols` those that are listed begin, and how many there are.
    lists: Vec<(u32, u32)>,
    symbols: Vec<u32>,
    longest: u64,
}

impl<'a> Walker<'a> {
    /// Looks up the successors of an automaton.
    pub fn new(dfa: &'a Dfa) -> Self {
        let mut walker = Self {
            dfa,
            states: Vec::with_capacity(dfa.state_count()),
            bits: (ROOM / dfa.state_count()).max(1).ilog2().min(BITS),
            cells: Vec::new(),
            by: Vec::new(),
            moves: Vec::new(),
            lists: Vec::with_capacity(dfa.class_count()),
            symbols: Vec::new(),
            longest: 32,
        };
        for class in dfa.classes() {
            let first = walker.symbols.len() as u32;
            let ranges = dfa.class_ranges(class).iter();
            if dfa.class_size(class) > LISTED {
                let ascii = |&(low, high): &(u32, u32)| low.max(0x20)..=high.min(0x7E);
                walker.symbols.extend(ranges.flat_map(ascii));
            } else {
                walker.symbols.extend(ranges.flat_map(|&(low, high)| low..=high));
            }
            walker.lists.push((first, walker.symbols.len() as u32 - first));
        }
        for state in dfa.states() {
            let transitions = dfa.transitions(state);
            let first = walker.moves.len();
            walker.moves.extend(transitions.iter().map(|transition| Move {
                to: transition.target.index() as u32,
                class: transition.class,
            }));
            // Where there is none, the state accepts.
            let nearest = (0..transitions.len())
                .min_by_key(|&index| dfa.distance(transitions[index].target))
                .map_or(0, |index| (first + index) as u32);
            let accepting = dfa.is_accepting(state);
            let moves = (first as u32, transitions.len() as u32);
            walker.states.push(State { moves, nearest, accepting });
            walker.row(first);
        }
        walker
    }

    /// Adds the row of the last moves, from one on.
    fn row(&mut self, first: usize) {
        let moves = &self.moves[first..];
        let length = 1_usize << self.bits;
        // In a large automaton, rows are short.
        let is_small = self.bits == BITS;
        let weight = |it: &Move| match is_small {
            true => 1 + self.dfa.class_size(it.class).ilog2() as usize,
            false => 1,
        };
        let total: usize = moves.iter().map(weight).sum();
        let fits = total <= length && moves.iter().all(|it| it.to < DRAWN);
        if total == 0 || !fits {
            self.cells.resize(self.cells.len() + length, DRAWN);
            self.by.resize(self.by.len() + length, NONE);
            return;
        }
        let mut before = 0;
        for (by, it) in (first as u32..).zip(moves) {
            // Every move has its share of the row, at least one cell.
            let after = before + weight(it);
            let share = length * after / total - length * before / total;
            before = after;
            let (list, count) = self.lists[it.class.index()];
            let is_listed = u64::from(count) == self.dfa.class_size(it.class)
                && count as usize <= share
                && list + count <= DRAWN;
            let place = |cell: u32| if is_listed { list + cell % count } else { DRAWN };
            self.cells.extend((0..share as u32).map(|cell| it.to << 16 | place(cell)));
            self.by.resize(self.by.len() + share, by);
        }
    }

    /// The length that is drawn is at most this; a string may be longer by what it takes to be
    /// accepted. The default is 32.
    #[must_use]
    pub fn longest(mut self, longest: usize) -> Self {
        self.longest = longest as u64;
        self
    }

    /// Appends the symbols of a string, and says whether there is one.
    pub fn symbols(&self, entropy: &mut impl Entropy, out: &mut Vec<u32>) -> bool {
        let Some(length) = self.length(entropy) else { return false };
        self.walk(length, entropy, |symbol| out.push(symbol));
        true
    }

    /// Appends a string, whatever the roles of its characters, and says whether there is one.
    ///
    /// What is no scalar value is left out: use [`Walker::symbols`] with an alphabet of bytes.
    pub fn string(&self, entropy: &mut impl Entropy, out: &mut String) -> bool {
        let Some(length) = self.length(entropy) else { return false };
        // A little more, for the way to acceptance.
        out.reserve(length as usize + 16);
        self.walk(length, entropy, |symbol| match symbol {
            0..0x80 => out.push(symbol as u8 as char),
            _ => out.extend(Alphabet::character(symbol)),
        });
        true
    }

    /// The length that is drawn; none where there is no string.
    fn length(&self, entropy: &mut impl Entropy) -> Option<u64> {
        (!self.dfa.is_empty()).then(|| entropy.below(self.longest.saturating_add(1)))
    }

    #[inline]
    fn walk(&self, length: u64, entropy: &mut impl Entropy, mut push: impl FnMut(u32)) {
        let mut bits = Bits { word: 0, left: 0 };
        let mut state = self.dfa.start().index();
        for _ in 0..length {
            let index = state << self.bits | bits.take(self.bits, entropy) as usize;
            let cell = self.cells[index];
            if cell & DRAWN != DRAWN {
                push(self.symbols[(cell & DRAWN) as usize]);
                state = (cell >> 16) as usize;
                continue;
            }
            let by = match self.by[index] {
                NONE => {
                    let (first, count) = self.states[state].moves;
                    if count == 0 {
                        break;
                    }
                    first + entropy.below(count.into()) as u32
                }
                by => by,
            };
            let it = self.moves[by as usize];
            push(self.draw(it.class, &mut bits, entropy));
            state = it.to as usize;
        }
        while !self.states[state].accepting {
            let it = self.moves[self.states[state].nearest as usize];
            push(self.draw(it.class, &mut bits, entropy));
            state = it.to as usize;
        }
    }

    /// A symbol of a class.
    #[inline]
    fn draw(&self, class: ClassId, bits: &mut Bits, entropy: &mut impl Entropy) -> u32 {
        let (first, count) = self.lists[class.index()];
        let size = self.dfa.class_size(class);
        if u64::from(count) < size && (count == 0 || bits.below(ANY, entropy) == 0) {
            return self.dfa.class_symbol(class, entropy.below(size)).unwrap_or_default();
        }
        self.symbols[(first + bits.below(count, entropy)) as usize]
    }
}

/// Words cut into pieces.
struct Bits {
    word: u64,
    left: u32,
}

impl Bits {
    /// So many bits, at most 32; none are drawn for none.
    #[inline]
    fn take(&mut self, count: u32, entropy: &mut impl Entropy) -> u32 {
        if self.left < count {
            self.word = entropy.next_u64();
            self.left = u64::BITS;
        }
        let piece = self.word & ((1 << count) - 1);
        self.word >>= count;
        self.left -= count;
        piece as u32
    }

    /// A number below one that is at most 2^16; nothing is drawn where there is one choice.
    #[inline]
    fn below(&mut self, bound: u32, entropy: &mut impl Entropy) -> u32 {
        if bound < 2 {
            return 0;
        }
        let piece = self.take(16, entropy);
        ((u64::from(piece) * u64::from(bound)) >> 16) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::Seeded;
    use pleach_core::regular::AutomatonLimits;

    #[test]
    fn every_string_is_of_the_language() {
        for pattern in [
            "(?s).*",
            "a",
            "",
            r"(?:\p{Greek}{3}|[a-c]x*)+",
            r"[^:]*:(?:[^:]|(?<data>:))*",
            "(?:abcdefgh)*z{40}",
        ] {
            let dfa = Dfa::from_regex(pattern, Alphabet::Roles, &AutomatonLimits::default())
                .expect(pattern);
            let walker = Walker::new(&dfa).longest(10);
            let mut entropy = Seeded::new(5);
            for _ in 0..200 {
                let mut symbols = Vec::new();
                assert!(walker.symbols(&mut entropy, &mut symbols));
                assert!(dfa.contains(symbols.iter().copied()), "{pattern}: {symbols:?}");
                assert!(symbols.len() <= 10 + dfa.state_count());
            }
        }
        let none = Dfa::empty(Alphabet::Unicode);
        assert!(!Walker::new(&none).string(&mut Seeded::new(1), &mut String::new()));
    }

    #[test]
    fn all_symbols_and_moves_are_drawn() {
        let limits = AutomatonLimits::default();
        let dfa = Dfa::from_regex("[ab]|[c-e]f?", Alphabet::Unicode, &limits).expect("small");
        let walker = Walker::new(&dfa);
        let mut entropy = Seeded::new(9);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..500 {
            let mut text = String::new();
            walker.string(&mut entropy, &mut text);
            seen.insert(text);
        }
        assert_eq!(seen.len(), 8);
    }
}
