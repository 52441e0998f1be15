//! Random strings of a language, fast.
//!
//! A walk over successors that are looked up beforehand: a choice of move and one of symbol, 16
//! random bits each. A length is drawn first; until the string has it, moves are
//! drawn, each as likely as any other, and from then on the walk takes the shortest way to
//! acceptance. Strings are not uniform: for that, see
//! [`UniformSampler`](crate::regular::UniformSampler).

use crate::Entropy;
use crate::regular::{Alphabet, Dfa, StateId};

/// Symbols of a class that are drawn from a list.
const LISTED: u64 = 256;

/// One draw in so many is of any symbol of a class, where there are more than [`LISTED`].
const WIDE: u32 = 8;

#[derive(Clone, Copy, Debug)]
struct Move {
    to: u32,
    /// Where in `symbols` those that make it begin, and how many there are.
    first: u32,
    count: u32,
    /// Whether its class has more of them.
    class: u32,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Where in `moves` its moves begin, and how many there are.
    first: u32,
    count: u32,
    /// The move that is nearest to acceptance.
    nearest: u32,
    accepting: bool,
}

/// "All symbols are listed."
const NONE: u32 = u32::MAX;

/// Draws random strings from a language.
///
/// # Examples
///
/// ```
/// use pleach::Seeded;
/// use pleach::differential::Walker;
/// use pleach::regular::{Alphabet, Dfa, Limits};
///
/// let dfa = Dfa::from_regex("[a-z]+@[a-z]+", Alphabet::Unicode, &Limits::default())?;
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
    moves: Vec<Move>,
    symbols: Vec<u32>,
    longest: u64,
}

impl<'a> Walker<'a> {
    /// Looks up the successors of an automaton.
    pub fn new(dfa: &'a Dfa) -> Self {
        let mut symbols = Vec::new();
        let lists: Vec<(u32, u32, u32)> = dfa
            .classes()
            .map(|class| {
                let first = symbols.len() as u32;
                let is_wide = dfa.class_size(class) > LISTED;
                let ranges = dfa.class_ranges(class).iter();
                if is_wide {
                    let ascii = |&(low, high): &(u32, u32)| low.max(0x20)..=high.min(0x7E);
                    symbols.extend(ranges.flat_map(ascii));
                } else {
                    symbols.extend(ranges.flat_map(|&(low, high)| low..=high));
                }
                let class = if is_wide { class.index() as u32 } else { NONE };
                (first, symbols.len() as u32 - first, class)
            })
            .collect();
        let mut walker = Self { dfa, states: Vec::new(), moves: Vec::new(), symbols, longest: 32 };
        for state in dfa.states() {
            let first = walker.moves.len() as u32;
            let transitions = dfa.transitions(state);
            walker.moves.extend(transitions.iter().map(|transition| {
                let (first, count, class) = lists[transition.class.index()];
                Move { to: transition.target.index() as u32, first, count, class }
            }));
            let nearest = (0..transitions.len())
                .min_by_key(|&index| dfa.distance(transitions[index].target))
                .map_or(NONE, |index| first + index as u32);
            let (count, accepting) = (transitions.len() as u32, dfa.is_accepting(state));
            walker.states.push(State { first, count, nearest, accepting });
        }
        walker
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
        self.walk(entropy, |symbol| out.push(symbol))
    }

    /// Appends a string, whatever the roles of its characters, and says whether there is one.
    ///
    /// What is no scalar value is left out: use [`Walker::symbols`] with an alphabet of bytes.
    pub fn string(&self, entropy: &mut impl Entropy, out: &mut String) -> bool {
        self.walk(entropy, |symbol| match symbol {
            0..0x80 => out.push(symbol as u8 as char),
            _ => out.extend(Alphabet::character(symbol)),
        })
    }

    #[inline]
    fn walk(&self, entropy: &mut impl Entropy, mut push: impl FnMut(u32)) -> bool {
        let start: StateId = self.dfa.start();
        if self.dfa.is_dead(start) {
            return false;
        }
        let mut left = entropy.below(self.longest + 1);
        let mut state = self.states[start.index()];
        let mut bits = Bits { word: 0, left: 0 };
        loop {
            if state.accepting && (left == 0 || state.count == 0) {
                return true;
            }
            let index = if left == 0 {
                state.nearest
            } else {
                left -= 1;
                state.first + bits.below(state.count, entropy)
            };
            let it = self.moves[index as usize];
            let is_wide = it.class != NONE && (it.count == 0 || bits.below(WIDE, entropy) == 0);
            if is_wide {
                push(self.any(it.class, entropy));
            } else {
                push(self.symbols[(it.first + bits.below(it.count, entropy)) as usize]);
            }
            state = self.states[it.to as usize];
        }
    }

    /// Any symbol of a class.
    #[cold]
    fn any(&self, class: u32, entropy: &mut impl Entropy) -> u32 {
        let symbol = self.dfa.classes().nth(class as usize).and_then(|class| {
            self.dfa.class_symbol(class, entropy.below(self.dfa.class_size(class)))
        });
        symbol.unwrap_or_default()
    }
}

/// Words cut into pieces of 16 bits.
struct Bits {
    word: u64,
    left: u32,
}

impl Bits {
    /// A number below one that is at most 2^16; nothing is drawn where there is one choice.
    #[inline]
    fn below(&mut self, bound: u32, entropy: &mut impl Entropy) -> u32 {
        if bound < 2 {
            return 0;
        }
        if self.left == 0 {
            self.word = entropy.next_u64();
            self.left = 4;
        }
        let piece = (self.word & 0xFFFF) as u32;
        self.word >>= 16;
        self.left -= 1;
        ((u64::from(piece) * u64::from(bound)) >> 16) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeded;
    use crate::regular::Limits;

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
            let dfa = Dfa::from_regex(pattern, Alphabet::Roles, &Limits::default()).expect(pattern);
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
        let limits = Limits::default();
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
