//! The transitions of an automaton with special characters split off.

use super::super::specials::Tier;
use pleach_core::Entropy;
use pleach_core::regular::{Alphabet, Dfa, StateId};

/// What makes a string readable, best first.
const READABLE: &[(u32, u32)] = &[
    (0x61, 0x7A),
    (0x41, 0x5A),
    (0x31, 0x39),
    (0x30, 0x30),
    (0x21, 0x7E),
    (0x20, 0x20),
    (0xA1, 0xD7FF),
    (0xE000, 0x10_FFFF),
];

/// Letters and digits of ASCII.
const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)];

/// A part of a class: one special symbol, or what is left of it, plain symbols and roles apart.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its symbols, as sorted, disjoint, inclusive ranges.
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) tier: Tier,
    /// The most readable of its symbols.
    pub(super) symbol: u32,
    /// How much it is avoided where another will do as well.
    pub(super) cost: (Tier, usize),
    words: Vec<(u32, u32)>,
}

impl Part {
    fn new(ranges: Vec<(u32, u32)>, tier: Tier) -> Self {
        let plain = |symbol: u32| Alphabet::character(symbol).map_or(symbol, u32::from);
        let shift = ranges.first().map_or(0, |&(low, _)| low - plain(low));
        let common = |&(low, high): &(u32, u32)| {
            let within =
                ranges.iter().map(|range| (range.0.max(low + shift), range.1.min(high + shift)));
            within.filter(|range| range.0 <= range.1).collect::<Vec<_>>()
        };
        let found = READABLE.iter().enumerate().find_map(|(rank, range)| {
            let &(symbol, _) = common(range).first()?;
            Some((rank, symbol))
        });
        let first = ranges.first().map_or(0, |range| range.0);
        let (rank, symbol) = found.unwrap_or((READABLE.len(), first));
        let words = WORD.iter().flat_map(common).collect();
        // A transition by which nothing special happens comes first.
        let avoided = if tier == Tier::Ordinary { Tier::Role } else { Tier::Ordinary };
        Self { ranges, tier, symbol, cost: (avoided, rank), words }
    }

    /// Whether it is special, or in its other role.
    pub(super) fn is_special(&self) -> bool {
        self.tier != Tier::Ordinary
    }

    /// Some symbol of it: mostly a letter or digit where there is one, else either end of a range or
    /// any symbol.
    pub(super) fn any(&self, entropy: &mut impl Entropy) -> u32 {
        if let [(low, high)] = *self.ranges
            && low == high
        {
            return low;
        }
        if !self.words.is_empty() && entropy.below(4) > 0 {
            return pick(&self.words, entropy);
        }
        if entropy.below(2) == 0 {
            let (low, high) = self.ranges[entropy.below(self.ranges.len() as u64) as usize];
            return if entropy.below(2) == 0 { low } else { high };
        }
        pick(&self.ranges, entropy)
    }

    /// Some symbol of it, of printable ASCII where there is one.
    pub(super) fn ascii(&self, entropy: &mut impl Entropy) -> u32 {
        let within = self.ranges.iter().map(|&(low, high)| (low.max(0x20), high.min(0x7E)));
        let ascii: Vec<_> = within.filter(|range| range.0 <= range.1).collect();
        pick(if ascii.is_empty() { &self.ranges } else { &ascii }, entropy)
    }
}

/// A symbol of some ranges, each as likely as any other; there is one.
fn pick(ranges: &[(u32, u32)], entropy: &mut impl Entropy) -> u32 {
    let size = |&(low, high): &(u32, u32)| u64::from(high - low) + 1;
    let mut index = entropy.below(ranges.iter().map(size).sum());
    for range in ranges {
        if index < size(range) {
            return range.0 + index as u32;
        }
        index -= size(range);
    }
    ranges[0].0
}

/// A transition by a part of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: StateId,
    pub(super) to: StateId,
    /// Its part, as an index.
    pub(super) part: usize,
}

/// An automaton's transitions between live states that the start reaches, by parts of classes.
pub(super) struct Split {
    pub(super) parts: Vec<Part>,
    /// The edges of each state one after the other, those that are avoided last.
    pub(super) edges: Vec<Edge>,
    /// Where in `edges` each state's begin; one more entry than states.
    offsets: Vec<usize>,
}

impl Split {
    /// Splits off what `tier` says is not ordinary; it is asked about each of `specials`, once as
    /// it is and once in its other role.
    pub(super) fn new(
        dfa: &Dfa,
        specials: impl Iterator<Item = char>,
        tier: impl Fn(u32) -> Tier,
    ) -> Self {
        let mut by_class: Vec<Vec<u32>> = vec![Vec::new(); dfa.class_count()];
        for character in specials {
            for symbol in [character.into(), Alphabet::role(character)] {
                if let Some(class) = dfa.class(symbol) {
                    by_class[class.index()].push(symbol);
                }
            }
        }
        let mut parts = Vec::new();
        let mut of_class = Vec::with_capacity(by_class.len());
        for (class, mut symbols) in dfa.classes().zip(by_class) {
            symbols.sort_unstable();
            symbols.dedup();
            let first = parts.len();
            parts.extend(
                symbols.iter().map(|&symbol| Part::new(vec![(symbol, symbol)], tier(symbol))),
            );
            let [plain, roles] = without(dfa.class_ranges(class), &symbols);
            for ranges in [plain, roles] {
                if let Some(&(symbol, _)) = ranges.first() {
                    parts.push(Part::new(ranges, tier(symbol)));
                }
            }
            of_class.push(first..parts.len());
        }
        let mut split = Self { parts, edges: Vec::new(), offsets: vec![0] };
        let reached = reached(dfa);
        for state in dfa.states() {
            if reached[state.index()] {
                let first = split.edges.len();
                for transition in dfa.transitions(state) {
                    let parts = of_class[transition.class.index()].clone();
                    split.edges.extend(parts.map(|part| Edge {
                        from: state,
                        to: transition.target,
                        part,
                    }));
                }
                split.edges[first..].sort_by_key(|edge| split.parts[edge.part].cost);
            }
            split.offsets.push(split.edges.len());
        }
        split
    }

    /// The edges that leave a state, as indices.
    pub(super) fn leaving(&self, state: StateId) -> std::ops::Range<usize> {
        self.offsets[state.index()]..self.offsets[state.index() + 1]
    }
}

fn reached(dfa: &Dfa) -> Vec<bool> {
    let mut reached = vec![false; dfa.state_count()];
    let mut stack = vec![dfa.start()];
    reached[dfa.start().index()] = true;
    while let Some(state) = stack.pop() {
        for transition in dfa.transitions(state) {
            if !std::mem::replace(&mut reached[transition.target.index()], true) {
                stack.push(transition.target);
            }
        }
    }
    reached
}

/// Ranges without some symbols, ascending, plain symbols and roles apart.
fn without(ranges: &[(u32, u32)], symbols: &[u32]) -> [Vec<(u32, u32)>; 2] {
    let (mut plain, mut roles) = (Vec::new(), Vec::new());
    let mut add = |low: u32, high: u32| {
        let boundary = Alphabet::role('\0');
        if low <= high.min(boundary - 1) {
            plain.push((low, high.min(boundary - 1)));
        }
        if low.max(boundary) <= high {
            roles.push((low.max(boundary), high));
        }
    };
    let mut symbols = symbols.iter().copied().peekable();
    for &(low, high) in ranges {
        let mut from = low;
        while let Some(symbol) = symbols.next_if(|&symbol| symbol <= high) {
            if symbol > from {
                add(from, symbol - 1);
            }
            from = symbol + 1;
        }
        if from <= high {
            add(from, high);
        }
    }
    [plain, roles]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lose_symbols_and_part_by_role() {
        let role = Alphabet::role;
        let [plain, roles] = without(&[(5, 9), (20, role('c'))], &[5, 7, 20, 30, role('b')]);
        assert_eq!(plain, [(6, 6), (8, 9), (21, 29), (31, 0x10_FFFF)]);
        assert_eq!(roles, [(role('\0'), role('a')), (role('c'), role('c'))]);
        assert_eq!(without(&[(5, 5)], &[5]), [vec![], vec![]]);
    }
}
