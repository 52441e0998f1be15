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
pub(super) fn normalize(ranges: &mut Vec<(u32, u32)>) {
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
    fn lowest_common_respects_the_order_of_preference() {
        assert_eq!(lowest_common(&[(0, 9), (40, 90)], &[(50, 60), (1, 2)]), Some(50));
        assert_eq!(lowest_common(&[(0, 9), (40, 90)], &[(10, 39), (1, 2)]), Some(1));
        assert_eq!(lowest_common(&[(0, 9)], &[(10, 39)]), None);
    }
}
