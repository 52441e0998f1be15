//! Sets of byte values.

/// A set of byte values, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const EMPTY: ByteSet = ByteSet([0; 4]);
    pub(crate) const FULL: ByteSet = ByteSet([u64::MAX; 4]);

    /// The values from the first to the last, both included.
    pub(crate) fn range(low: u8, high: u8) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        for word in 0..4u32 {
            let (first, last) = (word * 64, word * 64 + 63);
            let (low, high) = (u32::from(low).max(first), u32::from(high).min(last));
            if low <= high {
                set.0[word as usize] = (u64::MAX >> (63 - (high - low))) << (low - first);
            }
        }
        set
    }

    /// The values of so many bits, 1 to 8.
    pub(crate) fn of_width(width: u8) -> ByteSet {
        ByteSet::range(0, u8::MAX >> (8 - width))
    }

    /// The values at whose places there is a one and no zero.
    pub(crate) fn of_bits(bits: &[u64; 256]) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        for (word, bits) in set.0.iter_mut().zip(bits.chunks_exact(64)) {
            *word = bits.iter().rev().fold(0, |word, bit| word << 1 | bit);
        }
        set
    }

    pub(crate) fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
    }

    pub(crate) fn and(self, other: ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub(crate) fn without(self, byte: u8) -> ByteSet {
        let mut set = self;
        set.0[usize::from(byte) / 64] &= !(1 << (byte % 64));
        set
    }

    pub(crate) fn is_empty(self) -> bool {
        self == ByteSet::EMPTY
    }

    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn min(self) -> Option<u8> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some((at as u32 * 64 + self.0[at].trailing_zeros()) as u8)
    }

    pub(crate) fn max(self) -> Option<u8> {
        let at = self.0.iter().rposition(|&word| word != 0)?;
        Some((at as u32 * 64 + 63 - self.0[at].leading_zeros()) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_what_is_between_their_ends() {
        for (low, high) in [(0, 255), (0, 0), (255, 255), (63, 64), (48, 57), (10, 200), (64, 127)]
        {
            let set = ByteSet::range(low, high);
            let bits = std::array::from_fn(|at| u64::from((low..=high).contains(&(at as u8))));
            assert_eq!(set, ByteSet::of_bits(&bits), "{low} to {high}");
            assert_eq!((set.min(), set.max()), (Some(low), Some(high)));
            assert_eq!(set.len(), u32::from(high - low) + 1);
        }
        assert!(ByteSet::range(5, 4).is_empty());
        assert_eq!(ByteSet::FULL.without(0).min(), Some(1));
    }
}
