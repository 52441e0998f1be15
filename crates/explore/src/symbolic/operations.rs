//! Operations of the machine as terms.
//!
//! A shadow may be narrower than the value it belongs to, whose upper bits are then zeros: each use
//! brings it to the width it asks for. Where C and LLVM leave a result open (shifts by more than the
//! width) the term has what SMT-LIB says.

use super::Shadow;
use pleach_concolic::ir::{Binary, Cast, Compare, Intrinsic, Rmw};
use pleach_concolic::vm::{Operation, Value};
use pleach_solver::{self as bv, TermId, Terms};

/// Of how many bytes a comparison or a search is followed.
const BYTES: usize = 1024;

fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

fn signed(bits: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    ((bits << unused) as i128) >> unused
}

/// A term brought to a width: cut, or with zeros above.
pub(super) fn fit(terms: &mut Terms, term: TermId, width: u8) -> TermId {
    let own = terms.width(term);
    match own.cmp(&width) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Greater => terms.extract(term, 0, width),
        std::cmp::Ordering::Less => terms.zext(term, width),
    }
}

/// One operation, and what it works on.
pub(super) struct Computing<'t> {
    pub(super) terms: &'t mut Terms,
    pub(super) operands: &'t [Value<Shadow>],
    /// The shadow of what is not followed, which is taken as it is.
    pub(super) lost: TermId,
}

impl Computing<'_> {
    /// The term of the result; nothing where there is none.
    pub(super) fn term(&mut self, operation: Operation, width: u8) -> Option<TermId> {
        Some(match operation {
            Operation::Binary(op) => {
                let [a, b] = self.pair(width)?;
                self.arithmetic(op, a, b)
            }
            Operation::Wide { op, width, high } => self.wide(op, width, high)?,
            Operation::Compare(op) => {
                let [a, b] = self.pair(width)?;
                self.comparison(op, a, b)
            }
            Operation::Cast(op, from) => {
                let a = self.operand(0, from)?;
                match op {
                    Cast::Truncate | Cast::ZeroExtend => fit(self.terms, a, width),
                    Cast::SignExtend => self.terms.sext(a, width),
                    _ => return None,
                }
            }
            Operation::Bits { from, each } => self.bits(from, each, width)?,
            Operation::Index(scale) => {
                let base = self.operand(0, 64)?;
                let offset = index(self.terms, self.operands.get(1)?, self.lost, width);
                let offset = self.times(offset, u64::from(scale));
                self.two(bv::Binary::Add, base, offset)
            }
            Operation::Select => self.select()?,
            Operation::Intrinsic(op, which) => return self.intrinsic(op, which, width),
            Operation::Rmw(op) => {
                let [old, new] = self.pair(width)?;
                self.rmw(op, old, new)
            }
            Operation::CompareBytes => self.compare_bytes(width)?,
            Operation::EqualBytes => self.equal_bytes(width)?,
            Operation::FindByte { last } => self.find_byte(last)?,
            Operation::CountBytes => self.count_bytes()?,
            Operation::FloatBinary(_)
            | Operation::FloatUnary(_)
            | Operation::FloatCompare(_)
            | Operation::System => return None,
        })
    }

    fn operand(&mut self, index: usize, width: u8) -> Option<TermId> {
        let value = self.operands.get(index)?;
        Some(match value.shadow {
            Some(term) if term != self.lost => fit(self.terms, term, width),
            _ => self.terms.constant(width, value.bits & mask(width)),
        })
    }

    fn pair(&mut self, width: u8) -> Option<[TermId; 2]> {
        Some([self.operand(0, width)?, self.operand(1, width)?])
    }

    fn two(&mut self, op: bv::Binary, a: TermId, b: TermId) -> TermId {
        self.terms.binary(op, a, b)
    }

    fn is(&mut self, op: bv::Compare, a: TermId, b: TermId) -> TermId {
        self.terms.compare(op, a, b)
    }

    fn differ(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.is(bv::Compare::Eq, a, b);
        self.terms.not(same)
    }

    /// A constant of a term's width.
    fn like(&mut self, of: TermId, value: u128) -> TermId {
        let width = self.terms.width(of);
        self.terms.constant(width, value & mask(width))
    }

    fn is_zero(&mut self, a: TermId) -> TermId {
        let zero = self.like(a, 0);
        self.is(bv::Compare::Eq, a, zero)
    }

    /// The sign, one bit.
    fn sign(&mut self, a: TermId) -> TermId {
        let width = self.terms.width(a);
        self.terms.extract(a, width - 1, 1)
    }

    fn times(&mut self, a: TermId, by: u64) -> TermId {
        match by {
            1 => a,
            by if by.is_power_of_two() => {
                let by = self.like(a, u128::from(by.trailing_zeros()));
                self.two(bv::Binary::Shl, a, by)
            }
            by => {
                let by = self.like(a, u128::from(by));
                self.two(bv::Binary::Mul, a, by)
            }
        }
    }

    fn arithmetic(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let op = match op {
            Binary::Add => bv::Binary::Add,
            Binary::Sub => bv::Binary::Sub,
            Binary::Mul => bv::Binary::Mul,
            Binary::UnsignedDiv => bv::Binary::UDiv,
            Binary::SignedDiv => bv::Binary::SDiv,
            Binary::UnsignedRem => bv::Binary::URem,
            Binary::SignedRem => bv::Binary::SRem,
            Binary::ShiftLeft => bv::Binary::Shl,
            Binary::LogicalShiftRight => bv::Binary::LShr,
            Binary::ArithmeticShiftRight => bv::Binary::AShr,
            Binary::And => bv::Binary::And,
            Binary::Or => bv::Binary::Or,
            Binary::Xor => bv::Binary::Xor,
        };
        self.two(op, a, b)
    }

    fn comparison(&mut self, op: Compare, a: TermId, b: TermId) -> TermId {
        use bv::Compare::{Eq, Sle, Slt, Ule, Ult};
        match op {
            Compare::Equal => self.is(Eq, a, b),
            Compare::NotEqual => self.differ(a, b),
            Compare::UnsignedLess => self.is(Ult, a, b),
            Compare::UnsignedLessEqual => self.is(Ule, a, b),
            Compare::UnsignedGreater => self.is(Ult, b, a),
            Compare::UnsignedGreaterEqual => self.is(Ule, b, a),
            Compare::SignedLess => self.is(Slt, a, b),
            Compare::SignedLessEqual => self.is(Sle, a, b),
            Compare::SignedGreater => self.is(Slt, b, a),
            Compare::SignedGreaterEqual => self.is(Sle, b, a),
        }
    }

    /// One slot of an operation on two slots. A shift by `by` has for each slot what comes out of it, what comes
    /// in from the other where `by` is less than 128, and what comes in where it is more: shifts by too much
    /// give 0, so these are added up without asking which case it is.
    fn wide(&mut self, op: Binary, width: u16, high: bool) -> Option<TermId> {
        use bv::Binary::{Add, And, LShr, Or, Shl, Sub};
        let [a0, a1, b0, b1] = [0, 1, 2, 3].map(|i| self.operand(i, 128));
        let (a0, a1, b0, b1) = (a0?, a1?, b0?, b1?);
        let bits = self.terms.constant(128, 128);
        let term = match op {
            Binary::And | Binary::Or | Binary::Xor => {
                let (a, b) = if high { (a1, b1) } else { (a0, b0) };
                self.arithmetic(op, a, b)
            }
            Binary::Add | Binary::Sub => {
                let low = self.arithmetic(op, a0, b0);
                if !high {
                    return Some(low);
                }
                let carry = match op {
                    Binary::Add => self.is(bv::Compare::Ult, low, a0),
                    _ => self.is(bv::Compare::Ult, a0, b0),
                };
                let carry = self.terms.zext(carry, 128);
                let sum = self.arithmetic(op, a1, b1);
                self.two(if op == Binary::Add { Add } else { Sub }, sum, carry)
            }
            Binary::Mul => {
                let [low, top] = self.full_product(a0, b0);
                if !high {
                    return Some(low);
                }
                let (x, y) = (self.two(bv::Binary::Mul, a0, b1), self.two(bv::Binary::Mul, a1, b0));
                let cross = self.two(Add, x, y);
                self.two(Add, top, cross)
            }
            _ => {
                let left = op == Binary::ShiftLeft;
                let (out, back) = if left { (Shl, LShr) } else { (LShr, Shl) };
                let (own, other) = if high { (a1, a0) } else { (a0, a1) };
                // The slot at the open end takes nothing in.
                if left != high {
                    self.two(out, own, b0)
                } else {
                    let rest = self.two(Sub, bits, b0);
                    let more = self.two(Sub, b0, bits);
                    let kept = self.two(out, own, b0);
                    let near = self.two(back, other, rest);
                    let far = self.two(out, other, more);
                    let moved = self.two(Or, near, far);
                    self.two(Or, kept, moved)
                }
            }
        };
        let unused = self.terms.constant(128, mask(width.saturating_sub(128).min(128) as u8));
        Some(if high { self.two(And, term, unused) } else { term })
    }

    /// The product of two numbers of 128 bits, low half first.
    fn full_product(&mut self, a: TermId, b: TermId) -> [TermId; 2] {
        use bv::Binary::{Add, And, LShr, Mul, Or, Shl};
        let low = self.terms.constant(128, u128::from(u64::MAX));
        let half = self.terms.constant(128, 64);
        let parts = |this: &mut Self, x| (this.two(And, x, low), this.two(LShr, x, half));
        let ((a0, a1), (b0, b1)) = (parts(self, a), parts(self, b));
        let lowest = self.two(Mul, a0, b0);
        let (lowest, carry) = parts(self, lowest);
        let middle = self.two(Mul, a1, b0);
        let middle = self.two(Add, middle, carry);
        let (middle, upper) = parts(self, middle);
        let other = self.two(Mul, a0, b1);
        let other = self.two(Add, other, middle);
        let (other, carry) = parts(self, other);
        let other = self.two(Shl, other, half);
        let top = self.two(Mul, a1, b1);
        let top = self.two(Add, top, upper);
        [self.two(Or, other, lowest), self.two(Add, top, carry)]
    }

    /// Some bits of operands that lie side by side, the first one lowest.
    fn bits(&mut self, from: u32, each: u8, width: u8) -> Option<TermId> {
        let mut all: Option<TermId> = None;
        let end = from + u32::from(width);
        for i in 0..self.operands.len() {
            let begin = i as u32 * u32::from(each);
            let (first, last) = (from.max(begin), end.min(begin + u32::from(each)));
            if first >= last {
                continue;
            }
            let operand = self.operand(i, each)?;
            let part = self.terms.extract(operand, (first - begin) as u8, (last - first) as u8);
            all = Some(match all {
                None => part,
                Some(lower) => self.terms.concat(part, lower),
            });
        }
        all.map(|all| fit(self.terms, all, width))
    }

    /// The machine does not say the width of what is chosen: that of the terms, or one in which both fit.
    fn select(&mut self) -> Option<TermId> {
        let &[condition, a, b] = self.operands else {
            return None;
        };
        if condition.shadow == Some(self.lost) {
            return if condition.bits & 1 == 1 { a.shadow } else { b.shadow };
        }
        let width = |value: Value<Shadow>| match value.shadow {
            Some(term) if term != self.lost => self.terms.width(term),
            _ => match 128 - value.bits.leading_zeros() as u8 {
                0 | 1 => 1,
                bits => bits.next_power_of_two().max(8),
            },
        };
        let width = width(a).max(width(b));
        let condition = self.operand(0, 1)?;
        let (a, b) = (self.operand(1, width)?, self.operand(2, width)?);
        Some(self.terms.ite(condition, a, b))
    }

    fn choose(&mut self, op: bv::Compare, a: TermId, b: TermId) -> TermId {
        let is = self.is(op, a, b);
        self.terms.ite(is, a, b)
    }

    fn rmw(&mut self, op: Rmw, old: TermId, new: TermId) -> TermId {
        use bv::Compare::{Slt, Ult};
        match op {
            Rmw::Exchange => new,
            Rmw::Add => self.two(bv::Binary::Add, old, new),
            Rmw::Sub => self.two(bv::Binary::Sub, old, new),
            Rmw::And => self.two(bv::Binary::And, old, new),
            Rmw::Or => self.two(bv::Binary::Or, old, new),
            Rmw::Xor => self.two(bv::Binary::Xor, old, new),
            Rmw::Nand => {
                let both = self.two(bv::Binary::And, old, new);
                self.terms.not(both)
            }
            Rmw::SignedMin => self.choose(Slt, old, new),
            Rmw::UnsignedMin => self.choose(Ult, old, new),
            Rmw::SignedMax => self.greater(Slt, old, new),
            Rmw::UnsignedMax => self.greater(Ult, old, new),
        }
    }

    fn greater(&mut self, less: bv::Compare, a: TermId, b: TermId) -> TermId {
        let is = self.is(less, b, a);
        self.terms.ite(is, a, b)
    }

    fn intrinsic(&mut self, op: Intrinsic, which: u8, width: u8) -> Option<TermId> {
        use Intrinsic::*;
        use bv::Compare::{Slt, Ult};
        let a = self.operand(0, width)?;
        match op {
            Absolute => {
                let (sign, negated) = (self.sign(a), self.terms.neg(a));
                return Some(self.terms.ite(sign, negated, a));
            }
            PopulationCount => return Some(self.ones(a, width)),
            LeadingZeros => return Some(self.zeros(a, width, true)),
            TrailingZeros => return Some(self.zeros(a, width, false)),
            SwapBytes => return Some(self.reversed(a, width, 8)),
            ReverseBits => return Some(self.reversed(a, width, 1)),
            IntegerPower | FloatClass | MultiplyAdd | CopyMemory | FillMemory | Trap => {
                return None;
            }
            _ => {}
        }
        let b = self.operand(1, width)?;
        Some(match op {
            UnsignedAddOverflow | SignedAddOverflow | UnsignedSubOverflow | SignedSubOverflow
            | UnsignedMulOverflow | SignedMulOverflow => match which {
                0 => self.wrapped(op, a, b),
                _ => self.wraps(op, a, b),
            },
            UnsignedAddSaturating
            | SignedAddSaturating
            | UnsignedSubSaturating
            | SignedSubSaturating => {
                let (value, wraps) = (self.wrapped(op, a, b), self.wraps(op, a, b));
                let end = self.end(op, a);
                self.terms.ite(wraps, end, value)
            }
            UnsignedShiftLeftSaturating | SignedShiftLeftSaturating => {
                let shifted = self.two(bv::Binary::Shl, a, b);
                let back = match op {
                    UnsignedShiftLeftSaturating => bv::Binary::LShr,
                    _ => bv::Binary::AShr,
                };
                let back = self.two(back, shifted, b);
                let same = self.is(bv::Compare::Eq, back, a);
                let end = self.end(op, a);
                self.terms.ite(same, shifted, end)
            }
            UnsignedMin | ReduceUnsignedMin => self.choose(Ult, a, b),
            SignedMin | ReduceSignedMin => self.choose(Slt, a, b),
            UnsignedMax | ReduceUnsignedMax => self.greater(Ult, a, b),
            SignedMax | ReduceSignedMax => self.greater(Slt, a, b),
            UnsignedCompare | SignedCompare => {
                let less = if op == SignedCompare { Slt } else { Ult };
                let (is_less, is_greater) = (self.is(less, a, b), self.is(less, b, a));
                let minus = self.terms.constant(which, mask(which));
                let greater = fit(self.terms, is_greater, which);
                self.terms.ite(is_less, minus, greater)
            }
            FunnelShiftLeft | FunnelShiftRight => self.funnel(op == FunnelShiftLeft, width)?,
            ReduceAdd => self.two(bv::Binary::Add, a, b),
            ReduceMul => self.two(bv::Binary::Mul, a, b),
            ReduceAnd => self.two(bv::Binary::And, a, b),
            ReduceOr => self.two(bv::Binary::Or, a, b),
            ReduceXor => self.two(bv::Binary::Xor, a, b),
            _ => return None,
        })
    }

    fn wrapped(&mut self, op: Intrinsic, a: TermId, b: TermId) -> TermId {
        use Intrinsic::*;
        let op = match op {
            UnsignedAddOverflow
            | SignedAddOverflow
            | UnsignedAddSaturating
            | SignedAddSaturating => bv::Binary::Add,
            UnsignedMulOverflow | SignedMulOverflow => bv::Binary::Mul,
            _ => bv::Binary::Sub,
        };
        self.two(op, a, b)
    }

    /// Whether the result is not exact, one bit.
    fn wraps(&mut self, op: Intrinsic, a: TermId, b: TermId) -> TermId {
        use Intrinsic::*;
        let value = self.wrapped(op, a, b);
        match op {
            UnsignedAddOverflow | UnsignedAddSaturating => self.is(bv::Compare::Ult, value, a),
            UnsignedSubOverflow | UnsignedSubSaturating => self.is(bv::Compare::Ult, a, b),
            // Signs that are the same, and another one of the sum; or those that differ, and the difference
            // has not that of `a`.
            SignedAddOverflow | SignedAddSaturating => {
                let (x, y) =
                    (self.two(bv::Binary::Xor, a, value), self.two(bv::Binary::Xor, b, value));
                let both = self.two(bv::Binary::And, x, y);
                self.sign(both)
            }
            SignedSubOverflow | SignedSubSaturating => {
                let (x, y) = (self.two(bv::Binary::Xor, a, b), self.two(bv::Binary::Xor, a, value));
                let both = self.two(bv::Binary::And, x, y);
                self.sign(both)
            }
            UnsignedMulOverflow => self.unsigned_product_wraps(a, b),
            _ => self.signed_product_wraps(a, b),
        }
    }

    fn with_constant(&self, a: TermId, b: TermId) -> Option<(TermId, u128)> {
        let of = |x, y| self.terms.as_constant(y).map(|value| (x, value));
        of(a, b).or_else(|| of(b, a))
    }

    fn unsigned_product_wraps(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.terms.width(a);
        if let Some((x, by)) = self.with_constant(a, b) {
            let Some(most) = mask(width).checked_div(by) else {
                return self.terms.constant(1, 0);
            };
            let most = self.like(x, most);
            return self.is(bv::Compare::Ult, most, x);
        }
        let above = if width <= 64 {
            let (a, b) = (self.terms.zext(a, 2 * width), self.terms.zext(b, 2 * width));
            let product = self.two(bv::Binary::Mul, a, b);
            self.terms.extract(product, width, width)
        } else {
            let (a, b) = (fit(self.terms, a, 128), fit(self.terms, b, 128));
            let [low, high] = self.full_product(a, b);
            let by = self.like(low, u128::from(width));
            let rest = self.two(bv::Binary::LShr, low, by);
            self.two(bv::Binary::Or, high, rest)
        };
        let none = self.is_zero(above);
        self.terms.not(none)
    }

    fn signed_product_wraps(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.terms.width(a);
        let greatest = (mask(width) >> 1) as i128;
        let least = -greatest - 1;
        if let Some((x, by)) = self.with_constant(a, b) {
            let (low, high) = match signed(by, width) {
                0 | 1 => return self.terms.constant(1, 0),
                -1 => (-greatest, greatest),
                by if by > 0 => (least / by, greatest / by),
                by => (greatest / by, least / by),
            };
            let (low, high) = (self.like(x, low as u128), self.like(x, high as u128));
            let below = self.is(bv::Compare::Slt, x, low);
            let above = self.is(bv::Compare::Slt, high, x);
            return self.two(bv::Binary::Or, below, above);
        }
        if width <= 64 {
            let (a, b) = (self.terms.sext(a, 2 * width), self.terms.sext(b, 2 * width));
            let product = self.two(bv::Binary::Mul, a, b);
            let low = self.terms.extract(product, 0, width);
            let back = self.terms.sext(low, 2 * width);
            return self.differ(product, back);
        }
        // The product of what is left without the signs, and how much fits under its sign.
        let (s, t) = (self.sign(a), self.sign(b));
        let negative = self.two(bv::Binary::Xor, s, t);
        let [a, b] = [a, b].map(|x| {
            let x = self.terms.sext(x, 128);
            let (sign, negated) = (self.sign(x), self.terms.neg(x));
            self.terms.ite(sign, negated, x)
        });
        let [low, high] = self.full_product(a, b);
        let fits = self.is_zero(high);
        let more = self.terms.not(fits);
        let least = self.like(low, least.unsigned_abs());
        let greatest = self.like(low, greatest as u128);
        let most = self.terms.ite(negative, least, greatest);
        let above = self.is(bv::Compare::Ult, most, low);
        self.two(bv::Binary::Or, more, above)
    }

    /// Where what saturates stays.
    fn end(&mut self, op: Intrinsic, a: TermId) -> TermId {
        use Intrinsic::*;
        let all = mask(self.terms.width(a));
        match op {
            UnsignedAddSaturating | UnsignedShiftLeftSaturating => self.like(a, all),
            UnsignedSubSaturating => self.like(a, 0),
            _ => {
                let (least, greatest) = (self.like(a, (all >> 1) + 1), self.like(a, all >> 1));
                let sign = self.sign(a);
                self.terms.ite(sign, least, greatest)
            }
        }
    }

    fn funnel(&mut self, left: bool, width: u8) -> Option<TermId> {
        use bv::Binary::{LShr, Or, Shl, Sub, URem};
        let [high, low, by] = [0, 1, 2].map(|i| self.operand(i, width));
        let (high, low, by) = (high?, low?, by?);
        // In a width that holds the number of bits.
        let room = width.max(8);
        let [high, low, by] = [high, low, by].map(|x| fit(self.terms, x, room));
        let bits = self.like(by, u128::from(width));
        let by = self.two(URem, by, bits);
        let rest = self.two(Sub, bits, by);
        let (up, down) = if left { (by, rest) } else { (rest, by) };
        let (high, low) = (self.two(Shl, high, up), self.two(LShr, low, down));
        let both = self.two(Or, high, low);
        Some(fit(self.terms, both, width))
    }

    /// How many bits are set: pairs are added, then pairs of these.
    fn ones(&mut self, a: TermId, width: u8) -> TermId {
        let all = width.next_power_of_two();
        let mut sum = fit(self.terms, a, all);
        let mut step = 1;
        while step < all {
            // Groups of `step` bits, every second one.
            let groups = self.like(sum, mask(all) / ((1 << step) + 1));
            let by = self.like(sum, u128::from(step));
            let upper = self.two(bv::Binary::LShr, sum, by);
            let (x, y) =
                (self.two(bv::Binary::And, sum, groups), self.two(bv::Binary::And, upper, groups));
            sum = self.two(bv::Binary::Add, x, y);
            step *= 2;
        }
        fit(self.terms, sum, width)
    }

    /// How many zeros there are before the first bit that is set: half by half.
    fn zeros(&mut self, a: TermId, width: u8, leading: bool) -> TermId {
        let all = width.next_power_of_two();
        let room = width.max(8);
        let mut rest = fit(self.terms, a, all);
        let mut count = self.terms.constant(room, 0);
        let mut half = all / 2;
        while half > 0 {
            let low = self.terms.extract(rest, 0, half);
            let high = self.terms.extract(rest, half, half);
            let (near, far) = if leading { (high, low) } else { (low, high) };
            let none = self.is_zero(near);
            rest = self.terms.ite(none, far, near);
            let (some, zero) = (self.like(count, u128::from(half)), self.like(count, 0));
            let more = self.terms.ite(none, some, zero);
            count = self.two(bv::Binary::Add, count, more);
            half /= 2;
        }
        let none = self.terms.not(rest);
        let none = fit(self.terms, none, room);
        count = self.two(bv::Binary::Add, count, none);
        let count = if leading {
            let above = self.like(count, u128::from(all - width));
            self.two(bv::Binary::Sub, count, above)
        } else {
            let (none, every) = (self.is_zero(a), self.like(count, u128::from(width)));
            self.terms.ite(none, every, count)
        };
        fit(self.terms, count, width)
    }

    /// Parts of so many bits in the other order.
    fn reversed(&mut self, a: TermId, width: u8, part: u8) -> TermId {
        let mut all = self.terms.extract(a, 0, part);
        for i in 1..width / part {
            let next = self.terms.extract(a, i * part, part);
            all = self.terms.concat(all, next);
        }
        all
    }

    fn halves(&self) -> Option<usize> {
        let half = self.operands.len() / 2;
        (half <= BYTES).then_some(half)
    }

    fn compare_bytes(&mut self, width: u8) -> Option<TermId> {
        let half = self.halves()?;
        let mut result = self.terms.constant(width, 0);
        for i in (0..half).rev() {
            let (a, b) = (self.operand(i, 8)?, self.operand(half + i, 8)?);
            let same = self.is(bv::Compare::Eq, a, b);
            let (a, b) = (self.terms.zext(a, width), self.terms.zext(b, width));
            let difference = self.two(bv::Binary::Sub, a, b);
            result = self.terms.ite(same, result, difference);
        }
        Some(result)
    }

    fn equal_bytes(&mut self, width: u8) -> Option<TermId> {
        let half = self.halves()?;
        let mut same = self.terms.constant(1, 1);
        for i in (0..half).rev() {
            let (a, b) = (self.operand(i, 8)?, self.operand(half + i, 8)?);
            let equal = self.is(bv::Compare::Eq, a, b);
            same = self.two(bv::Binary::And, equal, same);
        }
        let differ = self.terms.not(same);
        Some(self.terms.zext(differ, width))
    }

    fn find_byte(&mut self, last: bool) -> Option<TermId> {
        let count = self.operands.len().checked_sub(2).filter(|&count| count <= BYTES)?;
        let base = self.operands[0].bits;
        let sought = self.operand(1, 8)?;
        let mut result = self.terms.constant(64, 0);
        for i in 0..count {
            // What is decided last counts.
            let i = if last { i } else { count - 1 - i };
            let byte = self.operand(i + 2, 8)?;
            let found = self.is(bv::Compare::Eq, byte, sought);
            let place = self.terms.constant(64, base.wrapping_add(i as u128) & mask(64));
            result = self.terms.ite(found, place, result);
        }
        Some(result)
    }

    fn count_bytes(&mut self) -> Option<TermId> {
        let count = self.operands.len().checked_sub(1).filter(|&count| count <= BYTES)?;
        let mut result = self.terms.constant(64, count as u128);
        for i in (0..count).rev() {
            let byte = self.operand(i, 8)?;
            let end = self.is_zero(byte);
            let place = self.terms.constant(64, i as u128);
            result = self.terms.ite(end, place, result);
        }
        Some(result)
    }
}

/// An index with its sign, in 64 bits.
pub(super) fn index(terms: &mut Terms, value: &Value<Shadow>, lost: TermId, width: u8) -> TermId {
    let own = width.min(64);
    match value.shadow {
        Some(term) if term != lost => {
            let term = fit(terms, term, own);
            if own < 64 { terms.sext(term, 64) } else { term }
        }
        _ => terms.constant(64, signed(value.bits, width) as u128 & mask(64)),
    }
}
