//! Sets of symbols, as coarse as looking ahead needs them.

/// Which ASCII characters are in a set, and whether any other is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    ascii: u128,
    beyond: bool,
}

impl Set {
    /// The symbols of some ranges.
    pub(super) fn of(ranges: &[(u32, u32)]) -> Self {
        let mut set = Self::default();
        for &(low, high) in ranges {
            for code in low..=high.min(127) {
                set.ascii |= 1 << code;
            }
            set.beyond |= high > 127 && low <= high;
        }
        set
    }

    /// What a text begins with.
    pub(super) fn first_of(text: &str, ignore_case: bool) -> Self {
        let Some(first) = text.chars().next() else { return Self::default() };
        let one = |symbol: char| Self::of(&[(symbol.into(), symbol.into())]);
        match ignore_case {
            true => one(first.to_ascii_lowercase()).or(one(first.to_ascii_uppercase())),
            false => one(first),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { ascii: self.ascii | other.ascii, beyond: self.beyond || other.beyond }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { ascii: self.ascii & other.ascii, beyond: self.beyond && other.beyond }
    }

    /// Whether no symbol is in both; in doubt there is one.
    pub(super) fn is_apart(self, other: Self) -> bool {
        self.ascii & other.ascii == 0 && !(self.beyond && other.beyond)
    }

    /// Whether all symbols are in another as well; in doubt they are not.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.ascii & !other.ascii == 0 && !self.beyond
    }

    /// Whether all its ASCII characters are letters, digits or `_`.
    pub(super) fn is_word(self) -> bool {
        let word = Self::of(&[(48, 57), (65, 90), (95, 95), (97, 122)]);
        self.ascii & !word.ascii == 0
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_compared() {
        let (letters, a) = (Set::of(&[(97, 122)]), Set::first_of("A", true));
        assert!(!letters.is_apart(a) && !a.is_within(letters));
        assert!(Set::first_of("A", false).is_apart(letters) && letters.is_word());
        let all = Set::of(&[(0, 0x10_FFFF)]);
        assert!(!all.is_apart(Set::of(&[(200, 300)])) && !Set::of(&[(200, 300)]).is_within(all));
    }
}
