//! Sets of symbols as inclusive ranges, as classes of most notations give them: in any order, overlapping or not.

use pleach_core::internal::{difference, normalize};

/// Inclusive ranges of symbols.
pub(super) type Ranges = Vec<(u32, u32)>;

/// The last character.
pub(super) const LAST: u32 = 0x10_FFFF;

/// The same symbols in ranges that are sorted and do not touch.
pub(super) fn union(mut ranges: Ranges) -> Ranges {
    normalize(&mut ranges);
    ranges
}

/// All symbols up to the last that some ranges do not have.
pub(super) fn complement(ranges: impl Into<Ranges>, last: u32) -> Ranges {
    difference(&[(0, last)], &union(ranges.into()))
}

/// What some ranges have and others have not.
pub(super) fn without(ranges: impl Into<Ranges>, minus: impl Into<Ranges>) -> Ranges {
    difference(&union(ranges.into()), &union(minus.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_in_any_order() {
        assert_eq!(union(vec![(5, 9), (1, 2), (3, 3), (7, 20)]), [(1, 3), (5, 20)]);
        assert_eq!(complement([(5, 9), (0, 2), (7, 12)], 20), [(3, 4), (13, 20)]);
        assert_eq!(complement([(3, 30)], 20), [(0, 2)]);
        assert_eq!(complement([], LAST), [(0, LAST)]);
        assert_eq!(without([(5, 9), (0, 3)], [(9, 12), (2, 6)]), [(0, 1), (7, 8)]);
    }
}
