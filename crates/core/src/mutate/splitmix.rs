//! The generator of one mutation's choices: SplitMix64, begun with one word of the caller's.

use crate::entropy::Entropy;

/// The generator SplitMix64: as many words as are wanted follow from one (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
///
/// A mutation takes some tens of words. A ChaCha8 stream would need longer to begin than to give
/// them, and a caller's source, whatever it is, is asked once.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub(crate) fn new(word: u64) -> Self {
        Self { state: word }
    }

    /// An integer in `0..bound`, as an index; 0 where `bound` is 0.
    #[inline]
    pub(crate) fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u64) as usize
    }

    /// True once in `of` times.
    #[inline]
    pub(crate) fn once_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }
}

impl Entropy for SplitMix64 {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }
}

/// Mixes the bits of a word: what two words that differ in one bit become looks unrelated.
#[inline]
pub(crate) fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
