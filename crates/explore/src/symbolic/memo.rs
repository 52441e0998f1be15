//! What was made of what: a run makes most of the terms of the runs before it again.
//!
//! Direct-mapped caches, small enough for the processor's: one look takes the place of the constants, the rules and the looks into
//! the table of terms that an operation takes.

use super::Shadow;
use fxhash::FxHasher;
use pleach_concolic::vm::{Operation, Value};
use pleach_solver::TermId;
use std::hash::{Hash, Hasher};

/// How many answers are kept.
const ROWS: usize = 1 << 12;
/// Of how many operands, at most.
const OPERANDS: usize = 3;

/// An operation on what it works on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    operation: Operation,
    width: u8,
    count: u8,
    shadows: [Shadow; OPERANDS],
    /// The numbers of operands without terms: of others they say nothing about the result's term.
    bits: [u64; OPERANDS],
}

impl Key {
    /// The key of an operation; none if it has too many operands, or one that is too long.
    #[inline]
    pub(super) fn new(
        operation: Operation,
        width: u8,
        operands: &[Value<Shadow>],
        lost: TermId,
    ) -> Option<Key> {
        if operands.len() > OPERANDS {
            return None;
        }
        let (mut shadows, mut bits) = ([None; OPERANDS], [0; OPERANDS]);
        for (i, operand) in operands.iter().enumerate() {
            shadows[i] = operand.shadow;
            if operand.shadow.is_none_or(|term| term == lost) {
                bits[i] = u64::try_from(operand.bits).ok()?;
            }
        }
        Some(Key { operation, width, count: operands.len() as u8, shadows, bits })
    }
}

impl Hash for Key {
    /// The operation hardly matters: the same operands seldom go into two.
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        std::mem::discriminant(&self.operation).hash(hasher);
        self.width.hash(hasher);
        for (shadow, bits) in self.shadows.iter().zip(self.bits) {
            let term = shadow.map_or(0, |term| term.index() as u64 + 1);
            (term << 32 ^ bits).hash(hasher);
        }
    }
}

/// Answers to what was asked last.
#[derive(Clone, Debug)]
pub(super) struct Memo<K, V> {
    /// Empty until something is noted.
    rows: Vec<Option<(K, V)>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<K: Copy + Hash + PartialEq, V: Copy> Memo<K, V> {
    #[inline]
    pub(super) fn find(&self, key: &K) -> Option<V> {
        match self.rows.get(row(key))? {
            Some((known, value)) if known == key => Some(*value),
            _ => None,
        }
    }

    pub(super) fn note(&mut self, key: K, value: V) {
        if self.rows.is_empty() {
            self.rows.resize(ROWS, None);
        }
        self.rows[row(&key)] = Some((key, value));
    }
}

/// The row that an answer is kept in.
#[inline]
fn row<K: Hash>(key: &K) -> usize {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    // The upper bits of a product depend on all of what was multiplied.
    (hasher.finish() >> (u64::BITS - ROWS.ilog2())) as usize
}
