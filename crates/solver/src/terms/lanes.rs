//! Values of terms for all 256 values of one byte at once, the other variables as a model has them.
//!
//! What does not depend on the byte is computed once; what does, in a row of 256 values. So a table
//! of a constraint costs one walk over its terms instead of 256.

use super::{Evaluator, Node, TermId, Terms, mask, signed};
use crate::Model;
use crate::bytes::ByteSet;

const LANES: usize = 256;

/// How many rows there are at most: 16 MB of them.
const ROWS: usize = 4096;

/// One variable's 256 values through terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    rows: Vec<[u128; LANES]>,
    used: usize,
    /// The row of each term that depends on the variable, where the stamp is the present one.
    places: Vec<(u32, u32)>,
    stamp: u32,
    stack: Vec<(TermId, bool)>,
}

impl Lanes {
    /// Forgets all rows, for another variable or another model.
    pub(crate) fn forget(&mut self) {
        self.used = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.places.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// How many rows were computed since [`Lanes::forget`].
    pub(crate) fn rows(&self) -> usize {
        self.used
    }

    /// The values of the variable, of at most 8 bits, for which a boolean is true.
    ///
    /// `others` holds values under the model and is used for what does not depend on the variable.
    /// Nothing if that takes more rows than there may be.
    pub(crate) fn truth(
        &mut self,
        terms: &Terms,
        term: TermId,
        variable: u32,
        others: &mut Evaluator,
        model: &Model,
    ) -> Option<ByteSet> {
        if !depends(terms, term, variable) {
            let holds = others.value(terms, term, model) == 1;
            return Some(if holds { ByteSet::FULL } else { ByteSet::EMPTY });
        }
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), (0, 0));
        }
        self.stack.clear();
        self.stack.push((term, false));
        while let Some((term, ready)) = self.stack.pop() {
            if self.places[term.index()].1 == self.stamp {
                continue;
            }
            if !ready {
                self.stack.push((term, true));
                for operand in terms.node(term).operands() {
                    if depends(terms, operand, variable) {
                        self.stack.push((operand, false));
                    }
                }
                continue;
            }
            if self.used == ROWS {
                return None;
            }
            self.compute(terms, term, others, model);
            self.places[term.index()] = (self.used as u32, self.stamp);
            self.used += 1;
        }
        let row = &self.rows[self.places[term.index()].0 as usize];
        Some((0..=255).filter(|&byte| row[usize::from(byte)] == 1).collect())
    }

    /// The next row: that of a term whose operands have theirs.
    fn compute(&mut self, terms: &Terms, term: TermId, others: &mut Evaluator, model: &Model) {
        if self.rows.len() == self.used {
            self.rows.push([0; LANES]);
        }
        let (done, rest) = self.rows.split_at_mut(self.used);
        let row = &mut rest[0];
        let stamp = self.stamp;
        let places = &self.places;
        let mut operand = |operand: TermId| {
            let (place, of) = places[operand.index()];
            if of == stamp {
                Operand::Row(&done[place as usize])
            } else {
                Operand::Same(others.value(terms, operand, model))
            }
        };
        let width = terms.width(term);
        let all = mask(width);
        match terms.node(term) {
            Node::Constant(_) => unreachable!("a constant depends on nothing"),
            Node::Variable(_) => fill(row, |lane| lane as u128 & all),
            Node::Binary(op, a, b) => {
                let (a, b) = (operand(a), operand(b));
                fill(row, |lane| op.apply(width, a.get(lane), b.get(lane)));
            }
            Node::Compare(op, a, b) => {
                let width = terms.width(a);
                let (a, b) = (operand(a), operand(b));
                fill(row, |lane| u128::from(op.apply(width, a.get(lane), b.get(lane))));
            }
            Node::Not(a) => {
                let a = operand(a);
                fill(row, |lane| !a.get(lane) & all);
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (operand(c), operand(a), operand(b));
                fill(row, |lane| if c.get(lane) == 1 { a.get(lane) } else { b.get(lane) });
            }
            Node::Extract(a, low) => {
                let a = operand(a);
                fill(row, |lane| a.get(lane) >> low & all);
            }
            Node::Concat(high, low) => {
                let cut = terms.width(low);
                let (high, low) = (operand(high), operand(low));
                fill(row, |lane| high.get(lane) << cut | low.get(lane));
            }
            Node::ZeroExtend(a) => {
                let a = operand(a);
                fill(row, |lane| a.get(lane));
            }
            Node::SignExtend(a) => {
                let narrow = terms.width(a);
                let a = operand(a);
                fill(row, |lane| signed(a.get(lane), narrow) as u128 & all);
            }
        }
    }
}

fn fill(row: &mut [u128; LANES], value: impl Fn(usize) -> u128) {
    for (lane, place) in row.iter_mut().enumerate() {
        *place = value(lane);
    }
}

fn depends(terms: &Terms, term: TermId, variable: u32) -> bool {
    terms.variables(term).binary_search(&variable).is_ok()
}

/// What is computed with: a value for each lane, or one for all.
#[derive(Clone, Copy)]
enum Operand<'a> {
    Row(&'a [u128; LANES]),
    Same(u128),
}

impl Operand<'_> {
    fn get(self, lane: usize) -> u128 {
        match self {
            Operand::Row(row) => row[lane],
            Operand::Same(value) => value,
        }
    }
}
