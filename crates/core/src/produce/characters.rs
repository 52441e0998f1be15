//! Which symbol of a class a leaf shows.
//!
//! What people write is in few of the characters that a standard allows, and what is beyond them is
//! where readers differ. So a text is plain or exotic as a whole: plain ones show letters and digits for
//! the most part, exotic ones ends of ranges and symbols from anywhere.

use crate::entropy::Entropy;
use crate::table::plain_symbol;

/// Which symbol of a class a leaf shows, and what else is plain or exotic about leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Characters {
    /// What people write: letters and digits mostly, printable ASCII where the class has it, else letters
    /// of common scripts. Literals in either case are as the grammar writes them, and alternatives of
    /// weight 0 are left to the sole way to close.
    Plain,
    /// As [`Characters::Mixed`]; besides, numbers are often ends of the ranges of integer types, some
    /// repetitions are long, and alternatives of weight 0 count as of weight 1.
    Exotic,
    /// Half printable ASCII where the class has it; the rest half first and last symbols of the
    /// class's ranges, half any.
    #[default]
    Mixed,
    /// Printable ASCII where the class has it, else any.
    Ascii,
    /// Every symbol of the class alike.
    Uniform,
}

type Range = (u32, u32);

const PRINTABLE: &[Range] = &[(0x20, 0x7E)];

/// What plain text is mostly of; what else of ASCII it has; what it has where a class allows neither.
const LETTERS: &[Range] = &[(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)];
const TYPED: &[Range] = &[(0x09, 0x0A), (0x20, 0x7E)];
/// Letters of Latin-1 and Latin Extended-A, Greek, Cyrillic and Chinese: old enough for any reader.
const SCRIPTS: &[Range] =
    &[(0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x130), (0x3B1, 0x3C9), (0x410, 0x44F), (0x4E00, 0x9FA5)];
const ALL: &[Range] = &[(0, u32::MAX)];

/// Two coins, and one of up to 0x110000 symbols.
const SYMBOL_BITS: u32 = 24;

/// A symbol of a class: sorted, disjoint ranges.
#[cfg_attr(not(fuzzing), inline)]
#[cfg_attr(fuzzing, inline(always))]
pub(super) fn choose_symbol(
    characters: Characters,
    ranges: &[Range],
    entropy: &mut impl Entropy,
) -> u32 {
    if let [(low, high)] = *ranges
        && low == high
    {
        return low;
    }
    let word = entropy.bits(SYMBOL_BITS);
    let (coins, word) = (word & 3, word >> 2);
    match characters {
        Characters::Plain => {
            let windows: &[_] = if coins > 0 { &[LETTERS, TYPED] } else { &[TYPED] };
            let plain = windows.iter().find_map(|window| pick(word, ranges, window));
            if let Some(symbol) = plain.or_else(|| pick(word, ranges, SCRIPTS)) {
                return symbol;
            }
        }
        Characters::Mixed | Characters::Exotic | Characters::Ascii => {
            if (coins & 1 == 0 || characters == Characters::Ascii)
                && let Some(symbol) = pick(word, ranges, PRINTABLE)
            {
                return symbol;
            }
            if coins & 2 == 0 && characters != Characters::Ascii {
                let ends = scale(word, 2 * ranges.len() as u64);
                let (low, high) = ranges[(ends / 2) as usize];
                return if ends.is_multiple_of(2) { low } else { high };
            }
        }
        Characters::Uniform => {}
    }
    pick(word, ranges, ALL).unwrap_or_else(|| plain_symbol(ranges))
}

/// The symbols of a class and how likely [`choose_symbol`] chooses each.
pub(super) fn chances(characters: Characters, ranges: &[Range]) -> Vec<(f64, u32)> {
    let symbols: Vec<u32> = ranges.iter().flat_map(|&(low, high)| low..=high).collect();
    let mut found: Vec<(f64, u32)> = if characters == Characters::Plain {
        plain_chances(ranges, &symbols)
    } else {
        mixed_chances(characters, ranges, &symbols)
    };
    found.retain(|&(chance, _)| chance > 0.0);
    found
}

fn plain_chances(ranges: &[Range], symbols: &[u32]) -> Vec<(f64, u32)> {
    let shares = |first: &[Range], rest: &[Range], of_first: f64| {
        let (firsts, rests) = (count(ranges, first) as f64, count(ranges, rest) as f64);
        let chance = |&symbol: &u32| {
            let mut chance = 0.0;
            if is_in(first, symbol) {
                chance += of_first / firsts;
            }
            if is_in(rest, symbol) {
                chance += (1.0 - of_first) / rests;
            }
            (chance, symbol)
        };
        symbols.iter().map(chance).collect()
    };
    let has = |windows| count(ranges, windows) > 0;
    match () {
        () if has(LETTERS) => shares(LETTERS, TYPED, 0.75),
        () if has(TYPED) => shares(TYPED, TYPED, 1.0),
        () if has(SCRIPTS) => shares(SCRIPTS, SCRIPTS, 1.0),
        () => shares(ALL, ALL, 1.0),
    }
}

fn mixed_chances(characters: Characters, ranges: &[Range], symbols: &[u32]) -> Vec<(f64, u32)> {
    let printable = count(ranges, PRINTABLE) as f64;
    let has_ends = matches!(characters, Characters::Mixed | Characters::Exotic);
    let by_printable = match characters {
        _ if printable == 0.0 => 0.0,
        Characters::Ascii => 1.0,
        Characters::Uniform => 0.0,
        _ => 0.5,
    };
    let by_end = if has_ends { (1.0 - by_printable) / 2.0 } else { 0.0 };
    let alike = (1.0 - by_printable - by_end) / symbols.len() as f64;
    let chance = |&symbol: &u32| {
        let ends: usize = ranges
            .iter()
            .map(|&(low, high)| usize::from(low == symbol) + usize::from(high == symbol))
            .sum();
        let mut chance = alike + by_end * ends as f64 / (2 * ranges.len()) as f64;
        if is_in(PRINTABLE, symbol) {
            chance += by_printable / printable.max(1.0);
        }
        (chance, symbol)
    };
    symbols.iter().map(chance).collect()
}

fn is_in(windows: &[Range], symbol: u32) -> bool {
    windows.iter().any(|&(low, high)| (low..=high).contains(&symbol))
}

/// How many symbols of printable ASCII a class has.
pub(super) fn printable_count(ranges: &[Range]) -> u64 {
    count(ranges, PRINTABLE)
}

/// An integer below `bound` from a word of 62 bits.
#[inline]
fn scale(word: u64, bound: u64) -> u64 {
    ((u128::from(word) * u128::from(bound)) >> 62) as u64
}

/// What a range has in common with a window.
#[inline]
fn clip(&(low, high): &Range, window: Range) -> Range {
    (low.max(window.0), high.min(window.1))
}

#[inline]
fn size((low, high): Range) -> u64 {
    (u64::from(high) + 1).saturating_sub(low.into())
}

/// The ranges that may have something in common with a window: they are sorted.
#[inline]
fn within(ranges: &[Range], window: Range) -> impl Iterator<Item = Range> {
    ranges.iter().take_while(move |range| range.0 <= window.1).map(move |range| clip(range, window))
}

/// How many symbols of some ranges lie within some windows.
#[inline]
fn count(ranges: &[Range], windows: &[Range]) -> u64 {
    windows.iter().flat_map(|&window| within(ranges, window)).map(size).sum()
}

/// The symbols of some ranges that lie within some windows, each alike.
#[inline]
fn pick(word: u64, ranges: &[Range], windows: &[Range]) -> Option<u32> {
    let total = count(ranges, windows);
    if total == 0 {
        return None;
    }
    let mut index = scale(word, total);
    for range in windows.iter().flat_map(|&window| within(ranges, window)) {
        let size = size(range);
        if index < size {
            return Some(range.0 + index as u32);
        }
        index -= size;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Seeded;

    const CLASSES: [&[Range]; 6] = [
        &[(0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x20)],
        &[(0x21, 0x2F), (0x3A, 0x40)],
        &[(0x00, 0x1F), (0x61, 0x63), (0x7F, 0x7F)],
        &[(0xE0, 0xE3), (0xFFFE, 0xFFFF)],
        &[(0x1F600, 0x1F604)],
        &[(0x2E, 0x39), (0xD7, 0xDA)],
    ];
    const ALL_OF_THEM: [Characters; 5] = [
        Characters::Plain,
        Characters::Exotic,
        Characters::Mixed,
        Characters::Ascii,
        Characters::Uniform,
    ];

    #[test]
    fn symbols_are_as_likely_as_is_said() {
        const DRAWS: usize = 20_000;
        for (characters, ranges) in
            ALL_OF_THEM.into_iter().flat_map(|of| CLASSES.map(|ranges| (of, ranges)))
        {
            let chances = chances(characters, ranges);
            let sum: f64 = chances.iter().map(|&(chance, _)| chance).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{characters:?} {ranges:?}: {sum}");
            let mut entropy = Seeded::new(5);
            let mut drawn = std::collections::BTreeMap::new();
            for _ in 0..DRAWS {
                *drawn.entry(choose_symbol(characters, ranges, &mut entropy)).or_insert(0) += 1;
            }
            for (chance, symbol) in chances {
                let (mean, times) = (chance * DRAWS as f64, drawn.remove(&symbol).unwrap_or(0));
                let apart = (f64::from(times) - mean).abs();
                assert!(
                    apart < 5.0 * mean.sqrt() + 1.0,
                    "{characters:?} {symbol:#x}: {times}, {mean}"
                );
            }
            assert!(drawn.is_empty(), "{characters:?} {ranges:?}: {drawn:?}");
        }
    }

    #[test]
    fn plain_symbols_are_those_that_people_write() {
        let mut entropy = Seeded::new(1);
        let mut plain = |ranges: &[Range]| choose_symbol(Characters::Plain, ranges, &mut entropy);
        for _ in 0..1000 {
            assert!(matches!(plain(&[(0, 0x10FFFF)]), 0x09 | 0x0A | 0x20..=0x7E));
            assert!(matches!(plain(&[(0x80, 0x10FFFF)]), 0xC0..=0x9FA5));
            assert_eq!(plain(&[(0x0A, 0x0A), (0x0D, 0x0D)]), 0x0A);
            assert!(plain(&[(0x01, 0x03)]) <= 0x03);
        }
    }
}
