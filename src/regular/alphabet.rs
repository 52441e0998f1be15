//! The symbols that there are, and sets of them as lists of ranges.

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// A byte, 0 to 255.
    Bytes,
    /// A Unicode scalar value, surrogates excluded.
    Unicode,
}

impl Alphabet {
    /// All symbols, as sorted, disjoint, inclusive ranges.
    pub fn universe(self) -> &'static [(u32, u32)] {
        match self {
            Self::Bytes => &[(0, 0xFF)],
            Self::Unicode => &[(0, 0xD7FF), (0xE000, 0x10_FFFF)],
        }
    }
}

/// Sorts ranges and joins those that touch or overlap; a range whose ends are swapped is empty.
pub(crate) fn normalize(ranges: &mut Vec<(u32, u32)>) {
    ranges.retain(|&(low, high)| low <= high);
    ranges.sort_unstable();
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
pub(crate) fn difference(base: &[(u32, u32)], minus: &[(u32, u32)]) -> Vec<(u32, u32)> {
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
pub(super) fn lowest_common(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Option<u32> {
    let lowest = |&(low, high): &(u32, u32)| {
        let first = ranges.partition_point(|range| range.1 < low);
        let symbol = ranges.get(first)?.0.max(low);
        (symbol <= high).then_some(symbol)
    };
    others.iter().find_map(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

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
