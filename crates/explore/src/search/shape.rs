//! What a grammar says of an input's bytes.

use pleach_solver::{Binary, Compare, TermId, Terms};

/// A subset of the 256 values of a byte, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The set without a byte.
    pub const EMPTY: ByteSet = ByteSet([0; 4]);
    /// The set of all 256 bytes.
    pub const FULL: ByteSet = ByteSet([u64::MAX; 4]);

    /// One byte.
    pub fn single(byte: u8) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        set.insert(byte);
        set
    }

    /// Adds a byte.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte) / 64] |= 1 << (byte % 64);
    }

    /// Whether a byte is in it.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
    }

    /// How many bytes are in it.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether no byte is in it.
    pub fn is_empty(&self) -> bool {
        *self == ByteSet::EMPTY
    }

    /// Another byte in place of one that is not in it: the same without its highest bit if that is, or else the first one.
    pub fn nearest(&self, byte: u8) -> u8 {
        let all = [byte, byte & 0x7f].into_iter().chain(0..=255);
        all.into_iter().find(|&byte| self.contains(byte)).unwrap_or(byte)
    }

    pub(super) fn is_single(&self) -> bool {
        self.len() <= 1
    }

    pub(super) fn is_full(&self) -> bool {
        *self == ByteSet::FULL
    }

    /// Whether the input's byte at an offset is in it, as a term: one of its ranges.
    pub fn contains_term(&self, terms: &mut Terms, offset: u32) -> TermId {
        let byte = terms.variable(offset, 8);
        let mut any = terms.constant(1, 0);
        let mut from = 0u16;
        while from < 256 {
            if !self.contains(from as u8) {
                from += 1;
                continue;
            }
            let end = (from..256).find(|&at| !self.contains(at as u8)).unwrap_or(256);
            let first = terms.constant(8, u128::from(from));
            let distance = terms.binary(Binary::Sub, byte, first);
            let most = terms.constant(8, u128::from(end - 1 - from));
            let within = terms.compare(Compare::Ule, distance, most);
            any = terms.binary(Binary::Or, any, within);
            from = end;
        }
        any
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<T: IntoIterator<Item = u8>>(bytes: T) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        bytes.into_iter().for_each(|byte| set.insert(byte));
        set
    }
}

/// What keeps inputs within a language.
pub trait Shape {
    /// For each byte of an input what it may become while all others stay as they are or become what they may;
    /// nothing if the input is none of the language. Of an input that was made of another one, within what its bytes might become, `of`
    /// is that: it is the answer, too, for an input that is outside of the language only where it was allowed to be.
    fn allowed(&mut self, input: &[u8], of: Option<&[ByteSet]>) -> Option<Vec<ByteSet>>;

    /// Inputs of the language like this one, of other shapes and at most so many bytes; the same ones for the same number. Default: none.
    fn reshaped(&mut self, _input: &[u8], _number: u64, _most: usize) -> Vec<Vec<u8>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_solver::Model;

    #[test]
    fn the_term_of_a_set_holds_for_its_bytes() {
        let mut set = ByteSet::EMPTY;
        for byte in (b'a'..=b'z').chain([0, 255, b'_']) {
            set.insert(byte);
        }
        let mut terms = Terms::new(10_000);
        let term = set.contains_term(&mut terms, 3);
        for byte in 0..=255 {
            let mut model = Model::new();
            model.set(3, u128::from(byte));
            assert_eq!(terms.evaluate(term, &model) == 1, set.contains(byte), "{byte}");
        }
    }
}
