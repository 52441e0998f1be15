//! The strings of a language one after the other, shortest first.
//!
//! Of each length the number of strings is known, and which one has which number. So the strings
//! of one length come in the order of a permutation of their numbers that the seed decides: a
//! Feistel network of four rounds over the least even number of bits that the numbers fit in,
//! applied again where it leaves their range. No string comes twice, and none is remembered.

use std::collections::HashSet;

use pleach_core::Entropy;
use pleach_core::Seeded;
use pleach_core::regular::{AutomatonLimits, Dfa, StateId};

/// Numbers of strings from this on are drawn at random instead, and those drawn are remembered.
const MANY: u128 = 1 << 126;

/// An iterator over all strings of a language, shortest first, those of one length in a seed's
/// order.
///
/// Each is its symbols. Where more than 2^126 strings have one length, they are drawn at random,
/// none twice. It ends with the language, or where the counts would pass [`AutomatonLimits::cells`].
#[derive(Debug)]
pub struct Strings<'a> {
    dfa: &'a Dfa,
    cells: usize,
    seed: u64,
    /// For each length so far and each state, how many strings of that length are accepted from it;
    /// no more than [`MANY`].
    counts: Vec<Vec<u128>>,
    /// The number of the next string of the length at hand.
    index: u128,
    longest: Option<usize>,
    drawn: HashSet<Vec<u32>>,
    words: Seeded,
}

impl<'a> Strings<'a> {
    pub(super) fn new(dfa: &'a Dfa, seed: u64, limits: &AutomatonLimits) -> Self {
        let one = dfa.states().map(|state| u128::from(dfa.is_accepting(state))).collect();
        // None where there is no string, too; then a longest string of no symbols is right.
        let longest = if dfa.is_infinite() { None } else { Some(dfa.max_len().unwrap_or(0)) };
        Self {
            dfa,
            cells: limits.get_cells(),
            seed,
            counts: vec![one],
            index: 0,
            longest,
            drawn: HashSet::new(),
            words: Seeded::new(seed),
        }
    }

    /// The length at hand.
    fn length(&self) -> usize {
        self.counts.len() - 1
    }

    fn total(&self) -> u128 {
        self.counts[self.length()][self.dfa.start().index()]
    }

    /// Counts the strings of the next length, and says whether there may be any.
    fn lengthen(&mut self) -> bool {
        let next = self.counts.len();
        let cells = (next + 1).saturating_mul(self.dfa.state_count());
        if self.longest.is_some_and(|longest| next > longest) || cells > self.cells {
            return false;
        }
        let shorter = &self.counts[next - 1];
        let count = |state| {
            let behind = |transition: &pleach_core::regular::Transition| {
                let size = u128::from(self.dfa.class_size(transition.class));
                shorter[transition.target.index()].saturating_mul(size)
            };
            let all = self.dfa.transitions(state).iter().map(behind);
            all.fold(0, u128::saturating_add).min(MANY)
        };
        let counts = self.dfa.states().map(count).collect();
        self.counts.push(counts);
        self.index = 0;
        self.drawn.clear();
        true
    }

    /// The string of a number.
    fn unrank(&self, mut index: u128) -> Vec<u32> {
        let mut symbols = Vec::with_capacity(self.length());
        let mut state = self.dfa.start();
        for left in (0..self.length()).rev() {
            for transition in self.dfa.transitions(state) {
                let behind = self.counts[left][transition.target.index()];
                let size = u128::from(self.dfa.class_size(transition.class));
                let share = behind.saturating_mul(size);
                if index < share {
                    // The share of each symbol is `behind`, which is not 0.
                    let symbol = (index / behind) as u64;
                    symbols.extend(self.dfa.class_symbol(transition.class, symbol));
                    index %= behind;
                    state = transition.target;
                    break;
                }
                index -= share;
            }
        }
        symbols
    }

    /// A string where there are too many to number.
    fn draw(&mut self) -> Vec<u32> {
        let mut symbols = Vec::with_capacity(self.length());
        let mut state: StateId = self.dfa.start();
        for left in (0..self.length()).rev() {
            let counts = &self.counts[left];
            let possible = |transition: &&pleach_core::regular::Transition| {
                counts[transition.target.index()] > 0
            };
            let transitions = self.dfa.transitions(state).iter();
            let count = transitions.clone().filter(possible).count() as u64;
            let chosen = self.words.below(count) as usize;
            let Some(transition) = transitions.filter(possible).nth(chosen) else { break };
            let symbol = self.words.below(self.dfa.class_size(transition.class));
            symbols.extend(self.dfa.class_symbol(transition.class, symbol));
            state = transition.target;
        }
        symbols
    }
}

impl Iterator for Strings<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        loop {
            let total = self.total();
            if total >= MANY {
                // So many that two draws are hardly ever the same.
                let string = self.draw();
                if self.drawn.insert(string.clone()) {
                    return Some(string);
                }
            } else if self.index < total {
                let key = mix(self.seed ^ mix(self.length() as u64));
                let string = self.unrank(permuted(self.index, total, key));
                self.index += 1;
                return Some(string);
            } else if !self.lengthen() {
                return None;
            }
        }
    }
}

/// Where a permutation of `0..total` takes a number.
fn permuted(index: u128, total: u128, key: u64) -> u128 {
    let bits = u128::BITS - (total - 1).leading_zeros();
    let half = bits.div_ceil(2).max(1);
    let mask = (1_u128 << half) - 1;
    let mut number = index;
    // The numbers that it goes through are a cycle, so it comes back into the range.
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..4 {
            let word = mix(key ^ mix(right as u64 ^ (right >> 64) as u64) ^ round);
            (left, right) = (right, left ^ (u128::from(word) & mask));
        }
        number = left << half | right;
        if number < total {
            return number;
        }
    }
}

/// Spreads each bit over all (the finaliser of SplitMix64).
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::regular::Alphabet;

    #[test]
    fn permutations_are_permutations() {
        for total in [1, 2, 3, 4, 5, 17, 256, 1000] {
            let all: HashSet<u128> = (0..total).map(|i| permuted(i, total, 99)).collect();
            assert!(all.len() as u128 == total && all.iter().all(|&number| number < total));
        }
    }

    #[test]
    fn all_strings_come_once_and_in_order() {
        let limits = AutomatonLimits::default();
        let dfa = Dfa::from_regex("[ab]{0,3}|c(?:dd)*", Alphabet::Unicode, &limits).expect("small");
        let strings: Vec<_> = Strings::new(&dfa, 3, &limits).take(15 + 40).collect();
        assert!(strings.is_sorted_by_key(Vec::len));
        assert!(strings.iter().all(|string| dfa.contains(string.iter().copied())));
        let distinct: HashSet<_> = strings.iter().collect();
        assert_eq!(distinct.len(), 55);
        let of_length = |length| strings.iter().filter(|string| string.len() == length).count();
        assert_eq!([0, 1, 2, 3, 4, 5].map(of_length), [1, 3, 4, 9, 0, 1]);
        let other: Vec<_> = Strings::new(&dfa, 4, &limits).take(55).collect();
        assert_ne!(strings, other);
        let finite = Dfa::from_regex("a|bc", Alphabet::Unicode, &limits).expect("small");
        assert_eq!(Strings::new(&finite, 0, &limits).count(), 2);
        let none = Dfa::empty(Alphabet::Unicode);
        assert_eq!(Strings::new(&none, 0, &limits).count(), 0);
    }

    #[test]
    fn lengths_with_more_strings_than_can_be_numbered_are_drawn_from() {
        let limits = AutomatonLimits::default();
        let dfa = Dfa::from_regex("(?s).{9}", Alphabet::Unicode, &limits).expect("small");
        let strings: HashSet<_> = Strings::new(&dfa, 3, &limits).take(100).collect();
        assert!(strings.len() == 100 && strings.iter().all(|string| string.len() == 9));
    }
}
