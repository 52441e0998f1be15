//! The text of leaves: literals, symbols of classes, strings of regular terminals.

use crate::entropy::Entropy;
use crate::regular::{Dfa, StateId, Transition};
use crate::table::{Table, Terminal, TerminalId, encode, plain_symbol};

/// Which symbol of a class a leaf shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Characters {
    /// Half printable ASCII where the class has it; the rest half first and last symbols of the
    /// class's ranges, half any.
    #[default]
    Mixed,
    /// Printable ASCII where the class has it, else any.
    Ascii,
    /// Every symbol of the class alike.
    Uniform,
}

const PRINTABLE: (u32, u32) = (0x20, 0x7E);

/// One of how many strings of a regular terminal ends where it may.
const STOP: u64 = 4;

/// After so many symbols a string of a regular terminal takes the nearest way to its end: where
/// few moves lead there, as in `/.*end/`, a random walk would hardly ever arrive.
const PATIENCE: u32 = 64;

/// Two coins, and one of up to 0x110000 symbols.
const SYMBOL_BITS: u32 = 24;

/// A symbol of a class: sorted, disjoint ranges.
#[inline]
pub(super) fn choose_symbol(
    characters: Characters,
    ranges: &[(u32, u32)],
    entropy: &mut impl Entropy,
) -> u32 {
    if let [(low, high)] = *ranges
        && low == high
    {
        return low;
    }
    let word = entropy.bits(SYMBOL_BITS);
    let (coins, word) = (word & 3, word >> 2);
    let printable =
        characters != Characters::Uniform && (coins & 1 == 0 || characters == Characters::Ascii);
    if printable && let Some(symbol) = pick(word, ranges, PRINTABLE) {
        return symbol;
    }
    if characters == Characters::Mixed && coins & 2 == 0 {
        let ends = scale(word, 2 * ranges.len() as u64);
        let (low, high) = ranges[(ends / 2) as usize];
        return if ends.is_multiple_of(2) { low } else { high };
    }
    pick(word, ranges, (0, u32::MAX)).unwrap_or_else(|| plain_symbol(ranges))
}

/// The symbols of a class and how likely [`choose_symbol`] chooses each.
pub(super) fn chances(characters: Characters, ranges: &[(u32, u32)]) -> Vec<(f64, u32)> {
    let is_printable = |symbol: u32| (PRINTABLE.0..=PRINTABLE.1).contains(&symbol);
    let symbols: Vec<u32> = ranges.iter().flat_map(|&(low, high)| low..=high).collect();
    let printable = symbols.iter().filter(|&&symbol| is_printable(symbol)).count() as f64;
    let by_printable = match characters {
        _ if printable == 0.0 => 0.0,
        Characters::Mixed => 0.5,
        Characters::Ascii => 1.0,
        Characters::Uniform => 0.0,
    };
    let by_end = if characters == Characters::Mixed { (1.0 - by_printable) / 2.0 } else { 0.0 };
    let alike = (1.0 - by_printable - by_end) / symbols.len() as f64;
    symbols
        .into_iter()
        .map(|symbol| {
            let ends: usize = ranges
                .iter()
                .map(|&(low, high)| usize::from(low == symbol) + usize::from(high == symbol))
                .sum();
            let mut chance = alike + by_end * ends as f64 / (2 * ranges.len()) as f64;
            if is_printable(symbol) {
                chance += by_printable / printable.max(1.0);
            }
            (chance, symbol)
        })
        .filter(|&(chance, _)| chance > 0.0)
        .collect()
}

/// An integer below `bound` from a word of 62 bits.
#[inline]
fn scale(word: u64, bound: u64) -> u64 {
    ((u128::from(word) * u128::from(bound)) >> 62) as u64
}

/// The symbols of some ranges that lie within a window, each alike.
#[inline]
fn pick(word: u64, ranges: &[(u32, u32)], window: (u32, u32)) -> Option<u32> {
    let clip = |&(low, high): &(u32, u32)| (low.max(window.0), high.min(window.1));
    let count = |(low, high): (u32, u32)| (u64::from(high) + 1).saturating_sub(low.into());
    let total: u64 = ranges.iter().map(|range| count(clip(range))).sum();
    if total == 0 {
        return None;
    }
    let mut index = scale(word, total);
    for range in ranges.iter().map(clip) {
        let count = count(range);
        if index < count {
            return Some(range.0 + index as u32);
        }
        index -= count;
    }
    None
}

/// Writes the text of a terminal, at most `bytes` long where its shortest string is.
pub(super) fn write(
    table: &Table,
    terminal: TerminalId,
    characters: Characters,
    bytes: u64,
    entropy: &mut impl Entropy,
    out: &mut Vec<u8>,
) {
    match table.terminal(terminal) {
        Terminal::Literal { bytes, ignore_case: false } => out.extend_from_slice(bytes),
        Terminal::Literal { bytes, ignore_case: true } => {
            let mut coins = 0;
            for (index, &byte) in bytes.iter().enumerate() {
                if index % 64 == 0 {
                    coins = entropy.next_u64();
                }
                let flip = byte.is_ascii_alphabetic() && coins & 1 == 1;
                out.push(if flip { byte ^ 0x20 } else { byte });
                coins >>= 1;
            }
        }
        Terminal::Class { ranges } => {
            let start = out.len();
            encode(table.encoding(), choose_symbol(characters, ranges, entropy), out);
            if (out.len() - start) as u64 > bytes {
                out.truncate(start);
                out.extend_from_slice(table.shortest(terminal));
            }
        }
        Terminal::Regular { automaton } => {
            let start = out.len();
            if !walk(table, automaton, characters, bytes, entropy, out) {
                out.truncate(start);
                out.extend_from_slice(table.shortest(terminal));
            }
        }
    }
}

/// Writes a string of an automaton by walking it at random; tells whether it stayed within the
/// bytes.
pub(super) fn walk(
    table: &Table,
    automaton: &Dfa,
    characters: Characters,
    bytes: u64,
    entropy: &mut impl Entropy,
    out: &mut Vec<u8>,
) -> bool {
    let start = out.len();
    let mut state = automaton.start();
    let mut symbols = 0;
    loop {
        let spent = (out.len() - start) as u64;
        if spent > bytes {
            return false;
        }
        if automaton.is_accepting(state)
            && (entropy.is_exhausted()
                || entropy.below(STOP) == 0
                || automaton.transitions(state).is_empty())
        {
            return true;
        }
        // Four bytes are the most that a symbol takes.
        let short = symbols >= PATIENCE
            || entropy.is_exhausted()
            || (bytes - spent) / 4 <= least(automaton, state);
        symbols += 1;
        let Some(Transition { class, target: next }) = step(automaton, state, short, entropy)
        else {
            return automaton.is_accepting(state);
        };
        let symbol = choose_symbol(characters, automaton.class_ranges(class), entropy);
        encode(table.encoding(), symbol, out);
        state = next;
    }
}

/// No text that [`write`] gives a terminal has more bytes than this.
pub(super) fn longest(table: &Table, terminal: TerminalId) -> u64 {
    match table.terminal(terminal) {
        Terminal::Literal { bytes, .. } => bytes.len() as u64,
        Terminal::Class { .. } => 4,
        Terminal::Regular { automaton } => {
            let nearest = automaton.states().map(|state| least(automaton, state)).max();
            4 * (u64::from(PATIENCE) + nearest.unwrap_or(0))
        }
    }
}

fn least(automaton: &Dfa, state: StateId) -> u64 {
    automaton.distance(state).map_or(0, u64::from)
}

/// A transition out of a state, weighted by the bits of its class's size, so that large classes
/// come often and small ones are not lost; the nearest way to acceptance where it must be short.
fn step(
    automaton: &Dfa,
    state: StateId,
    short: bool,
    entropy: &mut impl Entropy,
) -> Option<Transition> {
    let distance = least(automaton, state);
    let allowed = |next: StateId| !short || least(automaton, next) < distance;
    let weight = |transition: &Transition| {
        u64::from(u64::BITS - automaton.class_size(transition.class).leading_zeros())
    };
    let allowed = || automaton.transitions(state).iter().filter(|next| allowed(next.target));
    let total: u64 = allowed().map(weight).sum();
    let mut index = entropy.below(total);
    for transition in allowed() {
        let weight = weight(transition);
        if index < weight {
            return Some(*transition);
        }
        index -= weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Seeded;
    use crate::grammar::Grammar;
    use crate::table::Lowering;

    fn table(text: &str) -> Table {
        Lowering::new().lower(&Grammar::parse(text).unwrap()).unwrap().table
    }

    #[test]
    fn strings_whose_end_is_unlikely_end() {
        let table = table("a = /(?s).*abcdefghij/ ;");
        let mut out = Vec::new();
        for seed in 0..100 {
            out.clear();
            let mut entropy = Seeded::new(seed);
            let terminal = TerminalId::new(0);
            write(&table, terminal, Characters::Mixed, u64::MAX, &mut entropy, &mut out);
            assert!(out.ends_with(b"abcdefghij") && out.len() < 4 * 80);
        }
    }

    #[test]
    fn strings_keep_to_their_bytes() {
        for (text, shortest) in [
            (r"a = /\u{1F600}|ab|[\u{E9}a]{3,}/ ;", 2),
            (r"a = [\u{E9}\u{1F600}a] ;", 1),
            (r"a = /\u{1F600}{2}|abcde/ ;", 5),
            (r"a = /\u{1F600}|[\u{E9}\u{E8}]b?/ ;", 2),
            (r"a = /[\u{1F600}\x01]/ ;", 1),
        ] {
            let table = table(text);
            let terminal = TerminalId::new(0);
            let least = table.shortest(terminal).len() as u64;
            assert_eq!(least, shortest, "{text}");
            for seed in 0..100 {
                let (bytes, mut out) = (least + seed % 5, Vec::new());
                let mut entropy = Seeded::new(seed);
                write(&table, terminal, Characters::Uniform, bytes, &mut entropy, &mut out);
                assert!(out.len() as u64 <= bytes, "{text}");
                assert!(out.len() as u64 <= longest(&table, terminal), "{text}");
            }
        }
    }
}
