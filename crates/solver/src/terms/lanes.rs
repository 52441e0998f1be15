//! Values of terms for all 256 values of one byte at once, the other variables as a model has them.
//!
//! What does not depend on the byte is computed once; what does, in a row of 256 values. So a table
//! of a constraint costs one walk over its terms instead of 256.

use super::evaluate::apply;
use super::{Binary, Compare, Evaluator, Node, TermId, Terms, mask};
use crate::Model;
use crate::bytes::ByteSet;
use std::borrow::Cow;

const LANES: usize = 256;

/// How many rows there are at most: 16 MB of them, if all are wide.
const ROWS: usize = 4096;

/// How many bits a value of a narrow row has at most.
const NARROW: u8 = 64;

/// An expression once for each of an enumeration's values, which is a constant in it, so that a loop in it has no choice to make.
macro_rules! for_each {
    ($value:ident: $of:ident [$($name:ident)*], $then:expr) => {
        match $value {
            $($of::$name => {
                let $value = $of::$name;
                $then
            })*
        }
    };
}

/// A term's values, one for each of the variable's.
type Row<N> = [N; LANES];

/// Rows that were computed, and room for others.
#[derive(Clone, Debug, Default)]
struct Rows<N> {
    rows: Vec<Row<N>>,
    used: usize,
}

impl<N: Copy + Default> Rows<N> {
    /// Those that were computed, and room for the next one.
    fn next(&mut self) -> (&[Row<N>], &mut Row<N>) {
        if self.rows.len() == self.used {
            self.rows.push([N::default(); LANES]);
        }
        let (done, rest) = self.rows.split_at_mut(self.used);
        (done, &mut rest[0])
    }
}

/// One variable's 256 values through terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    narrow: Rows<u64>,
    wide: Rows<u128>,
    /// The row of each term that depends on the variable, among the narrow or the wide ones as it is itself, where the stamp is the present one.
    places: Vec<(u32, u32)>,
    stamp: u32,
    stack: Vec<(TermId, bool)>,
}

impl Lanes {
    /// Forgets all rows, for another variable or another model.
    pub(crate) fn forget(&mut self) {
        (self.narrow.used, self.wide.used) = (0, 0);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.places.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// How many rows were computed since [`Lanes::forget`].
    pub(crate) fn rows(&self) -> usize {
        self.narrow.used + self.wide.used
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
            if self.rows() == ROWS {
                return None;
            }
            let mut parts = terms.node(term).operands().chain([term]);
            if parts.all(|part| terms.width(part) <= NARROW) {
                self.compute(terms, term, others, model);
            } else {
                self.compute_wide(terms, term, others, model);
            }
            let rows = match terms.width(term) {
                ..=NARROW => &mut self.narrow.used,
                _ => &mut self.wide.used,
            };
            self.places[term.index()] = (*rows as u32, self.stamp);
            *rows += 1;
        }
        let row = &self.narrow.rows[self.places[term.index()].0 as usize];
        Some(ByteSet::of_bits(row))
    }

    /// The next row, of a term whose operands have theirs and which is as narrow as they are: its operation is chosen once for all values.
    fn compute(&mut self, terms: &Terms, term: TermId, others: &mut Evaluator, model: &Model) {
        let Lanes { narrow, places, stamp, .. } = self;
        let (done, row) = narrow.next();
        let mut operand = |operand: TermId| match places[operand.index()] {
            (place, of) if of == *stamp => Cow::Borrowed(&done[place as usize]),
            _ => Cow::Owned([others.value(terms, operand, model) as u64; LANES]),
        };
        let width = terms.width(term);
        let all = mask(width) as u64;
        match terms.node(term) {
            Node::Constant(_) => unreachable!("a constant depends on nothing"),
            Node::Variable(_) => fill(row, |lane| lane as u64 & all),
            Node::Binary(op, a, b) => {
                let (a, b) = (operand(a), operand(b));
                for_each!(op: Binary [Add Sub Mul UDiv URem SDiv SRem And Or Xor Shl LShr AShr],
                    zip(row, &a, &b, |a, b| op.apply(width, a.into(), b.into()) as u64));
            }
            Node::Compare(op, a, b) => {
                let width = terms.width(a);
                let (a, b) = (operand(a), operand(b));
                for_each!(op: Compare [Eq Ult Ule Slt Sle],
                    zip(row, &a, &b, |a, b| op.apply(width, a.into(), b.into()).into()));
            }
            Node::Not(a) => {
                let a = operand(a);
                fill(row, |lane| !a[lane] & all);
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (operand(c), operand(a), operand(b));
                fill(row, |lane| if c[lane] == 1 { a[lane] } else { b[lane] });
            }
            Node::Extract(a, low) => {
                let a = operand(a);
                fill(row, |lane| a[lane] >> low & all);
            }
            Node::Concat(high, low) => {
                let cut = terms.width(low);
                zip(row, &operand(high), &operand(low), |high, low| high << cut | low);
            }
            Node::ZeroExtend(a) => *row = *operand(a),
            Node::SignExtend(a) => {
                let sign = 1 << (terms.width(a) - 1);
                let a = operand(a);
                fill(row, |lane| (a[lane] ^ sign).wrapping_sub(sign) & all);
            }
        }
    }

    /// The next row where it is wide, or that of an operand.
    fn compute_wide(&mut self, terms: &Terms, term: TermId, others: &mut Evaluator, model: &Model) {
        let Lanes { narrow, wide, places, stamp, .. } = self;
        let (narrow, narrow_row) = narrow.next();
        let (wide, wide_row) = wide.next();
        let mut value = |lane: usize| {
            apply(terms, term, model, |operand| match places[operand.index()] {
                (place, of) if of == *stamp => match terms.width(operand) {
                    ..=NARROW => narrow[place as usize][lane].into(),
                    _ => wide[place as usize][lane],
                },
                _ => others.value(terms, operand, model),
            })
        };
        match terms.width(term) {
            ..=NARROW => fill(narrow_row, |lane| value(lane) as u64),
            _ => fill(wide_row, value),
        }
    }
}

fn fill<N>(row: &mut Row<N>, mut value: impl FnMut(usize) -> N) {
    for (lane, place) in row.iter_mut().enumerate() {
        *place = value(lane);
    }
}

fn zip(row: &mut Row<u64>, a: &Row<u64>, b: &Row<u64>, value: impl Fn(u64, u64) -> u64) {
    fill(row, |lane| value(a[lane], b[lane]));
}

fn depends(terms: &Terms, term: TermId, variable: u32) -> bool {
    terms.variables(term).binary_search(&variable).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a comparison of a number with another, that of the byte or not, comes to for each value of the byte.
    fn check(terms: &mut Terms, lanes: &mut Lanes, others: &mut Evaluator, terms_of: [TermId; 2]) {
        let mut model = Model::new();
        model.set(1, 0xa7);
        for op in [Compare::Eq, Compare::Ult, Compare::Ule, Compare::Slt, Compare::Sle] {
            for [a, b] in [terms_of, [terms_of[1], terms_of[0]]] {
                let is = terms.compare(op, a, b);
                lanes.forget();
                others.forget();
                let truth = lanes.truth(terms, is, 0, others, &model).expect("few rows");
                for byte in 0..=255 {
                    model.set(0, u128::from(byte));
                    let wanted = terms.evaluate(is, &model) == 1;
                    assert_eq!(truth.contains(byte), wanted, "{op:?} of {a:?} and {b:?} at {byte}");
                }
            }
        }
    }

    #[test]
    fn all_values_at_once_are_those_of_one_after_the_other() {
        use Binary::*;
        let mut terms = Terms::new(100_000);
        let (mut lanes, mut others) = (Lanes::default(), Evaluator::new());
        let [byte, other] = [0, 1].map(|number| terms.variable(number, 8));
        for width in [8, 9, 63, 64, 65, 128] {
            let wide = |terms: &mut Terms, it| match width {
                8 => it,
                _ => {
                    let high = terms.sext(it, width - 1);
                    let low = terms.extract(other, 0, 1);
                    terms.concat(high, low)
                }
            };
            let (a, b) = (wide(&mut terms, byte), wide(&mut terms, other));
            let turned = terms.not(a);
            check(&mut terms, &mut lanes, &mut others, [a, b]);
            for op in [Add, Sub, Mul, UDiv, URem, SDiv, SRem, And, Or, Xor, Shl, LShr, AShr] {
                for [x, y] in [[a, b], [b, a], [a, turned]] {
                    let term = terms.binary(op, x, y);
                    check(&mut terms, &mut lanes, &mut others, [term, b]);
                    let condition = terms.compare(Compare::Slt, x, y);
                    let either = terms.ite(condition, term, turned);
                    let part = terms.extract(either, width / 2, width - width / 2);
                    let part = terms.zext(part, width);
                    check(&mut terms, &mut lanes, &mut others, [part, b]);
                }
            }
        }
    }
}
