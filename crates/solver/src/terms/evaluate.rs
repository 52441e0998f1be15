//! Values of terms under a model, without recursion.

use super::{Node, TermId, Terms, mask, signed};
use crate::Model;
use fxhash::FxHashMap;

/// The value of a term from those of its operands.
pub(super) fn apply(
    terms: &Terms,
    term: TermId,
    model: &Model,
    mut value: impl FnMut(TermId) -> u128,
) -> u128 {
    let width = terms.width(term);
    match terms.node(term) {
        Node::Constant(at) => terms.constants[at as usize],
        Node::Variable(number) => model.get(number) & mask(width),
        Node::Binary(op, a, b) => op.apply(width, value(a), value(b)),
        Node::Compare(op, a, b) => u128::from(op.apply(terms.width(a), value(a), value(b))),
        Node::Not(a) => !value(a) & mask(width),
        Node::Ite(c, a, b) => {
            if value(c) == 1 {
                value(a)
            } else {
                value(b)
            }
        }
        Node::Extract(a, low) => value(a) >> low & mask(width),
        Node::Concat(high, low) => value(high) << terms.width(low) | value(low),
        Node::ZeroExtend(a) => value(a),
        Node::SignExtend(a) => signed(value(a), terms.width(a)) as u128 & mask(width),
    }
}

/// The value of one term, once.
pub(super) fn once(terms: &Terms, term: TermId, model: &Model) -> u128 {
    let mut known: FxHashMap<TermId, u128> = FxHashMap::default();
    let mut stack = vec![(term, false)];
    while let Some((term, ready)) = stack.pop() {
        if known.contains_key(&term) {
            continue;
        }
        if !ready {
            stack.push((term, true));
            stack.extend(terms.node(term).operands().map(|operand| (operand, false)));
            continue;
        }
        let value = apply(terms, term, model, |operand| known[&operand]);
        known.insert(term, value);
    }
    known[&term]
}

/// Values of many terms under one model at a time.
///
/// It keeps what it has computed until [`Evaluator::forget`], in memory of 20 bytes a term that is
/// used again for the next model.
#[derive(Clone, Debug)]
pub struct Evaluator {
    values: Vec<u128>,
    /// A value is of the present model if its stamp is the present one.
    stamps: Vec<u32>,
    stamp: u32,
    stack: Vec<(TermId, bool)>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator::new()
    }
}

impl Evaluator {
    /// Without values.
    pub fn new() -> Evaluator {
        Evaluator { values: Vec::new(), stamps: Vec::new(), stamp: 1, stack: Vec::new() }
    }

    /// Forgets all values, for another model or other terms.
    pub fn forget(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// A term's value under the model, which is the same one since [`Evaluator::forget`].
    pub fn value(&mut self, terms: &Terms, term: TermId, model: &Model) -> u128 {
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), 0);
            self.stamps.resize(terms.len(), 0);
        }
        self.stack.push((term, false));
        while let Some((term, ready)) = self.stack.pop() {
            if self.stamps[term.index()] == self.stamp {
                continue;
            }
            if !ready {
                self.stack.push((term, true));
                self.stack.extend(terms.node(term).operands().map(|operand| (operand, false)));
                continue;
            }
            let values = &self.values;
            let value = apply(terms, term, model, |operand| values[operand.index()]);
            self.values[term.index()] = value;
            self.stamps[term.index()] = self.stamp;
        }
        self.values[term.index()]
    }
}
