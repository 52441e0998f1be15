//! The symbols that there are, and sets of them as lists of ranges.

use crate::pack::packed;

/// The set of symbols of an automaton: bytes, Unicode scalar values, or these in two roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// A byte, 0 to 255.
    Bytes,
    /// A Unicode scalar value, surrogates excluded.
    Unicode,
    /// A Unicode scalar value, or one in its other role.
    ///
    /// A character that separates parts may also stand inside a part as data, and the two are
    /// different symbols that look the same. The character `c` as data is [`Alphabet::role`] of
    /// it; any other symbol is the character itself. An automaton over [`Alphabet::Unicode`] is
    /// one over this alphabet that has no such symbols, and the two can be combined.
    Roles,
}

/// How far above a character the symbol for it in its other role is.
const ROLE: u32 = 0x11_0000;

impl Alphabet {
    /// The symbol of [`Alphabet::Roles`] for a character in its other role: as data where it could
    /// separate.
    pub fn role(character: char) -> u32 {
        ROLE + u32::from(character)
    }

    /// Whether a symbol of [`Alphabet::Roles`] is a character in its other role.
    pub fn is_role(symbol: u32) -> bool {
        symbol >= ROLE
    }

    /// The character that a symbol of [`Alphabet::Unicode`] or [`Alphabet::Roles`] is printed as,
    /// and none where there is no such symbol.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::regular::Alphabet;
    ///
    /// assert_eq!(Alphabet::character(0x3A), Some(':'));
    /// assert_eq!(Alphabet::character(Alphabet::role(':')), Some(':'));
    /// assert_eq!(Alphabet::character(0xD800), None);
    /// ```
    pub fn character(symbol: u32) -> Option<char> {
        char::from_u32(symbol.checked_sub(ROLE).unwrap_or(symbol))
    }

    /// The alphabet in which automata over two can be combined.
    #[cfg(feature = "front")]
    pub(super) fn common(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Unicode, Self::Roles) | (Self::Roles, Self::Unicode) => Some(Self::Roles),
            _ => (self == other).then_some(self),
        }
    }

    /// All symbols, as sorted, disjoint, inclusive ranges.
    pub fn universe(self) -> &'static [(u32, u32)] {
        match self {
            Self::Bytes => &[(0, 0xFF)],
            Self::Unicode => &[(0, 0xD7FF), (0xE000, 0x10_FFFF)],
            Self::Roles => &[(0, 0xD7FF), (0xE000, ROLE + 0xD7FF), (ROLE + 0xE000, 0x21_FFFF)],
        }
    }
}

/// The ranges of the same characters in their other role.
#[cfg(feature = "front")]
pub(super) fn shifted(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    ranges.iter().map(|&(low, high)| (ROLE + low, ROLE + high)).collect()
}

/// Sorts ranges and joins those that touch or overlap; a range whose ends are swapped is empty.
#[cfg(feature = "front")]
pub fn normalize(ranges: &mut Vec<(u32, u32)>) {
    ranges.retain(|&(low, high)| low <= high);
    if !ranges.is_sorted() {
        // As numbers, which are sorted elsewhere as well: each type that is sorted has its own copy of a long routine.
        let packed = ranges.iter().map(|&(low, high)| u64::from(low) << 32 | u64::from(high));
        let mut packed: Vec<u64> = packed.collect();
        packed.sort_unstable();
        ranges.clear();
        ranges.extend(packed.into_iter().map(|both| ((both >> 32) as u32, both as u32)));
    }
    let mut kept = 0;
    for i in 0..ranges.len() {
        let (low, high) = ranges[i];
        if kept > 0 && low <= ranges[kept - 1].1.saturating_add(1) {
            ranges[kept - 1].1 = ranges[kept - 1].1.max(high);
        } else {
            ranges[kept] = (low, high);
            kept += 1;
        }
    }
    ranges.truncate(kept);
}

/// What the first of two normalised lists has and the second has not.
#[cfg(feature = "front")]
pub fn difference(base: &[(u32, u32)], minus: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    let mut from = 0;
    for &(mut low, high) in base {
        while from < minus.len() && minus[from].1 < low {
            from += 1;
        }
        for &(begin, end) in &minus[from..] {
            if begin > high || low > high {
                break;
            }
            if begin > low {
                out.push((low, begin - 1));
            }
            low = low.max(end.saturating_add(1));
        }
        if low <= high {
            out.push((low, high));
        }
    }
    out
}

/// The lowest symbol that two normalised lists have in common.
#[cfg(feature = "front")]
pub(super) fn lowest_common(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Option<u32> {
    let lowest = |&(low, high): &(u32, u32)| {
        let first = ranges.partition_point(|range| range.1 < low);
        let symbol = ranges.get(first)?.0.max(low);
        (symbol <= high).then_some(symbol)
    };
    others.iter().find_map(lowest)
}

packed!(enum Alphabet { 0 => Bytes, 1 => Unicode, 2 => Roles });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_the_scalars_twice() {
        let symbols: u64 =
            Alphabet::Roles.universe().iter().map(|&(low, high)| u64::from(high - low) + 1).sum();
        assert_eq!(symbols, 2 * (0x11_0000 - 0x800));
        for character in ['\0', '\u{D7FF}', '\u{E000}', char::MAX] {
            let symbol = Alphabet::role(character);
            assert_eq!(Alphabet::character(symbol), Some(character));
            assert!(Alphabet::is_role(symbol) && !Alphabet::is_role(character.into()));
            let within = |&(low, high): &(u32, u32)| low <= symbol && symbol <= high;
            assert!(Alphabet::Roles.universe().iter().any(within));
        }
    }

    #[test]
    fn normalising_joins_what_touches() {
        let mut ranges = vec![(5, 9), (0, 2), (3, 3), (9, 12), (20, 19), (u32::MAX, u32::MAX)];
        normalize(&mut ranges);
        assert_eq!(ranges, [(0, 3), (5, 12), (u32::MAX, u32::MAX)]);
    }

    #[test]
    fn ranges_are_taken_away() {
        let base = [(1, 3), (5, 20), (30, 40)];
        let minus = [(2, 6), (8, 8), (19, 35)];
        assert_eq!(difference(&base, &minus), [(1, 1), (7, 7), (9, 18), (36, 40)]);
        assert_eq!(difference(&base, &[]), base);
        assert_eq!(difference(&base, &[(0, 50)]), []);
        let scalars = Alphabet::Unicode.universe();
        assert_eq!(difference(scalars, &[(0, 0xFFFF)]), [(0x1_0000, 0x10_FFFF)]);
    }

    #[test]
    fn lowest_common_respects_the_order_of_preference() {
        assert_eq!(lowest_common(&[(0, 9), (40, 90)], &[(50, 60), (1, 2)]), Some(50));
        assert_eq!(lowest_common(&[(0, 9), (40, 90)], &[(10, 39), (1, 2)]), Some(1));
        assert_eq!(lowest_common(&[(0, 9)], &[(10, 39)]), None);
    }
}
