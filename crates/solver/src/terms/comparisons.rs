//! Comparisons, and what is rewritten of them.
//!
//! A constant stands on the right, and beside one there is but equality and less, or the negation of
//! that. Comparisons lose common zeros and signs, and equalities are taken apart into their bytes.
//! As in `simplify`, what recurses gets narrower.

use super::{Binary, Compare, Node, TermId, Terms, mask, signed};

/// How many operands of a disjunction that is compared with zero are compared each for itself.
const DISJUNCTS: usize = 64;

impl Terms {
    /// Two bit vectors of one width make a boolean.
    ///
    /// # Panics
    ///
    /// Where the operands have different widths.
    pub fn compare(&mut self, op: Compare, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of different widths");
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(1, u128::from(op.apply(width, x, y)));
        }
        if a == b {
            let same = matches!(op, Compare::Eq | Compare::Ule | Compare::Sle);
            return self.constant(1, u128::from(same));
        }
        match op {
            Compare::Eq => self.equal(a, b),
            Compare::Ult | Compare::Ule => self.below(op, width, a, b),
            Compare::Slt | Compare::Sle => self.signed_below(op, width, a, b),
        }
    }

    fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        let swap = self.as_constant(a).is_some() || (self.as_constant(b).is_none() && b < a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        if let Some(constant) = self.as_constant(b) {
            return self.equal_constant(a, constant);
        }
        match (self.node(a), self.node(b)) {
            (Node::ZeroExtend(x), Node::ZeroExtend(y)) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, width), self.zext(y, width));
                return self.compare(Compare::Eq, x, y);
            }
            (Node::SignExtend(x), Node::SignExtend(y)) if self.width(x) == self.width(y) => {
                return self.compare(Compare::Eq, x, y);
            }
            (Node::Concat(p, q), Node::Concat(r, s)) if self.width(q) == self.width(s) => {
                let high = self.compare(Compare::Eq, p, r);
                let low = self.compare(Compare::Eq, q, s);
                return self.binary(Binary::And, high, low);
            }
            _ => {}
        }
        let ((x, more), (y, less)) = (self.offset(a), self.offset(b));
        if x == y {
            return self.constant(1, u128::from(more == less));
        }
        self.make(Node::Compare(Compare::Eq, a, b), 1)
    }

    fn equal_constant(&mut self, mut a: TermId, mut value: u128) -> TermId {
        let width = self.width(a);
        // What can be undone is, in a loop, as it may be a long chain of one width.
        loop {
            let (inner, undone) = match self.node(a) {
                Node::Not(inner) => (inner, !value),
                Node::Binary(op, x, y) => match (op, self.as_constant(y)) {
                    (Binary::Add, Some(c)) => (x, value.wrapping_sub(c)),
                    (Binary::Xor, Some(c)) => (x, value ^ c),
                    (Binary::Mul, Some(c)) if c & 1 == 1 => (x, value.wrapping_mul(inverse(c))),
                    (Binary::Sub, None) => match self.as_constant(x) {
                        Some(c) => (y, c.wrapping_sub(value)),
                        None => break,
                    },
                    _ => break,
                },
                _ => break,
            };
            (a, value) = (inner, undone & mask(width));
        }
        if width == 1 {
            return if value == 1 { a } else { self.not(a) };
        }
        match self.node(a) {
            Node::Constant(at) => {
                let same = self.constants[at as usize] == value;
                self.constant(1, u128::from(same))
            }
            Node::ZeroExtend(inner) | Node::SignExtend(inner) => {
                let narrow = self.width(inner);
                let low = value & mask(narrow);
                let extended = match self.node(a) {
                    Node::ZeroExtend(_) => low,
                    _ => signed(low, narrow) as u128 & mask(width),
                };
                if extended == value { self.equal_constant(inner, low) } else { self.zero(1) }
            }
            Node::Concat(high, low) => {
                let cut = self.width(low);
                let high = self.equal_constant(high, value >> cut);
                let low = self.equal_constant(low, value & mask(cut));
                self.binary(Binary::And, high, low)
            }
            Node::Ite(c, x, y) => match (self.as_constant(x), self.as_constant(y)) {
                (Some(x), Some(y)) => match (x == value, y == value) {
                    (true, _) => c,
                    (false, true) => self.not(c),
                    (false, false) => self.zero(1),
                },
                _ => self.equal_as_it_stands(a, value),
            },
            Node::Binary(Binary::Sub | Binary::Xor, x, y) if value == 0 => {
                self.compare(Compare::Eq, x, y)
            }
            Node::Binary(Binary::Or, ..) if value == 0 => self.all_zero(a),
            _ => self.equal_as_it_stands(a, value),
        }
    }

    fn equal_as_it_stands(&mut self, a: TermId, value: u128) -> TermId {
        let constant = self.constant(self.width(a), value);
        self.make(Node::Compare(Compare::Eq, a, constant), 1)
    }

    /// That a disjunction is zero: each operand is, if they are not too many.
    fn all_zero(&mut self, or: TermId) -> TermId {
        let (mut operands, mut stack) = (Vec::new(), vec![or]);
        while let Some(term) = stack.pop() {
            match self.node(term) {
                Node::Binary(Binary::Or, x, y) => stack.extend([y, x]),
                _ => operands.push(term),
            }
            if operands.len() + stack.len() > DISJUNCTS {
                return self.equal_as_it_stands(or, 0);
            }
        }
        let mut all = self.constant(1, 1);
        for operand in operands {
            let zero = match self.node(operand) {
                // A difference of differences: not undone, so that nothing recurses at this width.
                Node::Binary(Binary::Sub | Binary::Xor, x, y) if self.as_constant(y).is_none() => {
                    self.make_equal(x, y)
                }
                Node::Concat(..)
                | Node::ZeroExtend(_)
                | Node::SignExtend(_)
                | Node::Constant(_) => self.equal_constant(operand, 0),
                _ => self.equal_as_it_stands(operand, 0),
            };
            all = self.binary(Binary::And, all, zero);
        }
        all
    }

    fn make_equal(&mut self, x: TermId, y: TermId) -> TermId {
        let (x, y) = (x.min(y), x.max(y));
        let (x, y) = if self.as_constant(x).is_some() { (y, x) } else { (x, y) };
        self.make(Node::Compare(Compare::Eq, x, y), 1)
    }

    /// Less, or less or the same, without sign. With a constant it becomes less than a constant, or
    /// the negation of that.
    fn below(&mut self, op: Compare, width: u8, a: TermId, b: TermId) -> TermId {
        let or_same = op == Compare::Ule;
        if let Some(bound) = self.as_constant(b) {
            if or_same && bound == mask(width) {
                return self.constant(1, 1);
            }
            return self.below_constant(a, bound + u128::from(or_same));
        }
        if let Some(bound) = self.as_constant(a) {
            // c <= x is not x < c, and c < x is not x < c + 1.
            if !or_same && bound == mask(width) {
                return self.zero(1);
            }
            let other = self.below_constant(b, bound + u128::from(!or_same));
            return self.not(other);
        }
        if let (Node::ZeroExtend(x), Node::ZeroExtend(y)) = (self.node(a), self.node(b)) {
            let narrow = self.width(x).max(self.width(y));
            let (x, y) = (self.zext(x, narrow), self.zext(y, narrow));
            return self.compare(op, x, y);
        }
        self.make(Node::Compare(op, a, b), 1)
    }

    fn below_constant(&mut self, a: TermId, bound: u128) -> TermId {
        let width = self.width(a);
        if bound == 0 {
            return self.zero(1);
        }
        if bound == 1 {
            return self.equal_constant(a, 0);
        }
        if bound == mask(width) {
            let greatest = self.equal_constant(a, bound);
            return self.not(greatest);
        }
        match self.node(a) {
            Node::Constant(at) => {
                let below = self.constants[at as usize] < bound;
                return self.constant(1, u128::from(below));
            }
            Node::ZeroExtend(inner) => {
                let narrow = self.width(inner);
                if bound > mask(narrow) {
                    return self.constant(1, 1);
                }
                return self.below_constant(inner, bound);
            }
            Node::Concat(high, low) => {
                let cut = self.width(low);
                if bound & mask(cut) == 0 {
                    return self.below_constant(high, bound >> cut);
                }
            }
            Node::Ite(c, x, y) => {
                if let (Some(x), Some(y)) = (self.as_constant(x), self.as_constant(y)) {
                    let x = self.constant(1, u128::from(x < bound));
                    let y = self.constant(1, u128::from(y < bound));
                    return self.ite(c, x, y);
                }
            }
            _ => {}
        }
        let bound = self.constant(width, bound);
        self.make(Node::Compare(Compare::Ult, a, bound), 1)
    }

    fn signed_below(&mut self, op: Compare, width: u8, a: TermId, b: TermId) -> TermId {
        let without_sign = if op == Compare::Slt { Compare::Ult } else { Compare::Ule };
        let (negative_a, negative_b) = (self.sign(a), self.sign(b));
        match (negative_a, negative_b) {
            (Some(x), Some(y)) if x == y => return self.compare(without_sign, a, b),
            (Some(x), Some(_)) => return self.constant(1, u128::from(x)),
            _ => {}
        }
        if let (Node::SignExtend(x), Node::SignExtend(y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return self.compare(op, x, y);
        }
        // With a constant it becomes less than a constant, or the negation of that.
        let greatest = mask(width) >> 1;
        let or_same = op == Compare::Sle;
        if let Some(bound) = self.as_constant(b) {
            if or_same && bound == greatest {
                return self.constant(1, 1);
            }
            let bound = bound.wrapping_add(u128::from(or_same)) & mask(width);
            return self.signed_below_constant(a, bound);
        }
        if let Some(bound) = self.as_constant(a) {
            if !or_same && bound == greatest {
                return self.zero(1);
            }
            let bound = bound.wrapping_add(u128::from(!or_same)) & mask(width);
            let other = self.signed_below_constant(b, bound);
            return self.not(other);
        }
        self.make(Node::Compare(op, a, b), 1)
    }

    fn signed_below_constant(&mut self, a: TermId, bound: u128) -> TermId {
        let width = self.width(a);
        if bound == 0 {
            return self.extract(a, width - 1, 1);
        }
        if bound == mask(width) ^ (mask(width) >> 1) {
            return self.zero(1);
        }
        if let Some(false) = self.sign(a) {
            if signed(bound, width) < 0 {
                return self.zero(1);
            }
            return self.below_constant(a, bound);
        }
        if let Node::SignExtend(inner) = self.node(a) {
            let narrow = self.width(inner);
            let (least, most) = (-1i128 << (narrow - 1), (mask(narrow) >> 1) as i128);
            let bound = signed(bound, width);
            if bound <= least || bound > most {
                return self.constant(1, u128::from(bound > most));
            }
            let bound = self.constant(narrow, bound as u128);
            return self.compare(Compare::Slt, inner, bound);
        }
        let bound = self.constant(width, bound);
        self.make(Node::Compare(Compare::Slt, a, bound), 1)
    }

    /// Whether it is negative, if that is seen at once.
    fn sign(&self, term: TermId) -> Option<bool> {
        match self.node(term) {
            Node::ZeroExtend(_) => Some(false),
            Node::Constant(at) => {
                let value = self.constants[at as usize];
                Some(signed(value, self.width(term)) < 0)
            }
            Node::Concat(first, _) => {
                let value = self.as_constant(first)?;
                Some(signed(value, self.width(first)) < 0)
            }
            _ => None,
        }
    }
}

/// The number with which an odd one makes 1, modulo any power of two up to 128 bits.
///
/// Newton's iteration: each step doubles the bits that are right, from 3 on.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
