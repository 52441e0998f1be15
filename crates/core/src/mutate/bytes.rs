//! Bytes changed without regard to any grammar.

use super::splitmix::SplitMix64;
use crate::entropy::Entropy;

/// A mutator of bytes, as fuzzing engines have one: the seam to `LLVMFuzzerMutate` and its like.
///
/// Every `FnMut(&mut [u8], usize, usize) -> usize` is one: it gets a buffer, how many of its bytes
/// are data, and how many it may make of them, at most the buffer's length; it changes the data and
/// says how many bytes there are then. That is how libFuzzer's `fuzzer_mutate` is called.
pub trait Bytes {
    /// Changes the first `size` bytes of `buffer`, and gives how many there are then.
    fn mutate(&mut self, buffer: &mut [u8], size: usize, max_size: usize) -> usize;
}

impl<F: FnMut(&mut [u8], usize, usize) -> usize> Bytes for F {
    fn mutate(&mut self, buffer: &mut [u8], size: usize, max_size: usize) -> usize {
        self(buffer, size, max_size)
    }
}

/// The byte mutator that stands in where the caller has none: one random change.
pub(crate) struct ByteMutator<'w> {
    random: &'w mut SplitMix64,
}

/// Bytes that parsers care about.
const LIKELY: &[u8] = b"\0\t\n\r \"'()*+,-./0123456789:;<=>?AZ[\\]_az{|}~\x7F\x80\xC3\xFF";

impl<'w> ByteMutator<'w> {
    pub(crate) fn new(random: &'w mut SplitMix64) -> Self {
        Self { random }
    }

    fn byte(&mut self) -> u8 {
        if self.random.once_in(2) {
            LIKELY[self.random.index(LIKELY.len())]
        } else {
            self.random.next_u64() as u8
        }
    }
}

impl Bytes for ByteMutator<'_> {
    fn mutate(&mut self, buffer: &mut [u8], size: usize, max_size: usize) -> usize {
        let most = max_size.min(buffer.len());
        let size = size.min(most);
        let room = most - size;
        let at = self.random.index(size.max(1));
        match self.random.below(5) {
            // A byte goes, or a few.
            0 if size > 1 => {
                let length = 1 + self.random.index((size - at).min(8));
                buffer.copy_within(at + length..size, at);
                size - length
            }
            // A byte comes, or a few that stand elsewhere.
            1 if room > 0 => {
                let at = self.random.index(size + 1);
                buffer.copy_within(at..size, at + 1);
                buffer[at] = self.byte();
                size + 1
            }
            2 if room > 0 && size > 0 => {
                let length = 1 + self.random.index((size - at).min(room).min(16));
                buffer.copy_within(at..size, at + length);
                size + length
            }
            // A bit or a byte is another.
            3 if size > 0 => {
                buffer[at] ^= 1 << self.random.index(8);
                size
            }
            _ if size > 0 => {
                let other = self.byte();
                buffer[at] = if other == buffer[at] { !other } else { other };
                size
            }
            _ if room > 0 => {
                buffer[0] = self.byte();
                1
            }
            _ => size,
        }
    }
}
