//! What was made of what: a run makes most of the terms of the runs before it again.
//!
//! Caches with two places for each key, small enough for the processor's: a look takes the place of the constants, the rules and
//! the looks into the table of terms that an operation takes.

use super::Shadow;
use fxhash::FxHasher;
use pleach_concolic::vm::{Operation, Value};
use pleach_solver::TermId;
use std::hash::{Hash, Hasher};

/// How many answers are kept.
const ROWS: usize = 1 << 13;
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
        let first = row(key);
        [first, first ^ 1].into_iter().find_map(|row| match self.rows.get(row)? {
            Some((known, value)) if known == key => Some(*value),
            _ => None,
        })
    }

    pub(super) fn note(&mut self, key: K, value: V) {
        if self.rows.is_empty() {
            self.rows.resize(ROWS, None);
        }
        let first = row(&key);
        self.rows[first ^ 1] = self.rows[first];
        self.rows[first] = Some((key, value));
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

#[cfg(test)]
mod tests {
    use super::super::{Symbolic, SymbolicLimits};
    use super::*;
    use pleach_concolic::ir::{Binary, Module};
    use pleach_concolic::vm::Domain;
    use std::sync::Arc;

    const ADD: Operation = Operation::Binary(Binary::Add);

    fn value(bits: u128, shadow: Shadow) -> Value<Shadow> {
        Value { bits, shadow }
    }

    #[test]
    fn what_a_result_depends_on_tells_keys_apart_and_nothing_else_does() {
        let mut terms = pleach_solver::Terms::new(1000);
        let [a, b, lost] = [0, 1, 2].map(|it| terms.variable(it, 8));
        let key = |operation, width, operands: &[_]| Key::new(operation, width, operands, lost);
        let plain = key(ADD, 8, &[value(1, Some(a)), value(2, None)]);
        assert!(plain.is_some());
        assert_eq!(plain, key(ADD, 8, &[value(7, Some(a)), value(2, None)]));
        for other in [
            key(Operation::Binary(Binary::Sub), 8, &[value(1, Some(a)), value(2, None)]),
            key(ADD, 16, &[value(1, Some(a)), value(2, None)]),
            key(ADD, 8, &[value(1, Some(b)), value(2, None)]),
            key(ADD, 8, &[value(1, Some(a)), value(3, None)]),
            key(ADD, 8, &[value(1, Some(a)), value(2, Some(lost))]),
            key(ADD, 8, &[value(1, Some(a)), value(2, None), value(0, None)]),
        ] {
            assert_ne!(plain, other);
        }
        // What is not followed counts as the number that it is.
        let of_lost = |bits| key(ADD, 8, &[value(1, Some(a)), value(bits, Some(lost))]);
        assert_ne!(of_lost(2), of_lost(3));
        assert_eq!(key(ADD, 8, &[value(1, None); OPERANDS + 1]), None);
        assert_eq!(key(ADD, 128, &[value(1 << 64, None), value(1, Some(a))]), None);
    }

    #[test]
    fn an_answer_is_that_to_its_own_key() {
        let mut memo = Memo::default();
        let keys = 0..10 * ROWS as u64;
        for key in keys.clone() {
            assert_eq!(memo.find(&key), None);
            memo.note(key, !key);
            assert_eq!(memo.find(&key), Some(!key));
        }
        let found: Vec<u64> = keys.filter(|key| memo.find(key).is_some()).collect();
        assert!((1..=ROWS).contains(&found.len()));
        assert!(found.iter().all(|key| memo.find(key) == Some(!key)));
    }

    #[test]
    fn an_offset_from_an_address_that_became_one_of_a_table_later_is_noted() {
        let text = "define void @f() {\nstart:\n  ret void\n}\n";
        let module = Arc::new(Module::read(text).expect("it is IR"));
        let at = module.find_function("f").and_then(|f| module.pcs(f).next());
        let at = at.expect("there is an instruction");
        let mut symbolic = Symbolic::new(module, SymbolicLimits::default());
        symbolic.begin(None);
        let index = symbolic.terms.variable(9, 64);
        let base = [value(4096, None), value(1, Some(index))];
        let mut compute =
            |operation, operands: &[_]| symbolic.compute(at, operation, 64, operands, 0);
        let address = compute(ADD, &base);
        let moved = compute(ADD, &[value(0, address), value(8, None)]);
        assert_eq!(compute(Operation::Index(1), &base), address);
        assert_eq!(compute(ADD, &[value(0, address), value(8, None)]), moved);
        let moved = moved.expect("it depends on the index");
        assert!(symbolic.indexed.contains_key(&moved));
    }
}
