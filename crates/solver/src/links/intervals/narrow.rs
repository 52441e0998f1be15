//! Intervals of terms, narrowed by how the terms are made.

use super::super::Slice;
use crate::terms::{Binary, Compare, Node, Terms, mask, signed};
use fxhash::FxHashMap;

/// Numbers without sign from the low one to the high one, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: u128,
    pub(super) high: u128,
}

impl Interval {
    pub(super) fn full(width: u8) -> Interval {
        Interval { low: 0, high: mask(width) }
    }

    fn single(value: u128) -> Interval {
        Interval { low: value, high: value }
    }

    pub(super) fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn value(self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many numbers it has besides the first.
    fn length(self) -> u128 {
        self.high - self.low
    }

    /// What it has of the numbers from `low` on upwards to `high`, over the end where `high` is less:
    /// as an interval, so what is between may be too many.
    fn meet_cyclic(self, low: u128, high: u128, width: u8) -> Option<Interval> {
        if low <= high {
            return self.meet(Interval { low, high });
        }
        let upper = self.meet(Interval { low, high: mask(width) });
        let lower = self.meet(Interval { low: 0, high });
        match (lower, upper) {
            (Some(lower), Some(upper)) => Some(lower.join(upper)),
            (lower, upper) => lower.or(upper),
        }
    }

    /// The interval of sums modulo two to the width, as the ends of a cyclic one.
    fn plus(self, other: Interval, width: u8) -> Option<(u128, u128)> {
        let length = self.length().checked_add(other.length())?;
        let all = mask(width);
        (length < all).then(|| {
            (self.low.wrapping_add(other.low) & all, self.high.wrapping_add(other.high) & all)
        })
    }

    /// The interval of the numbers with which `other` makes what is in this one.
    fn minus(self, other: Interval, width: u8) -> Option<(u128, u128)> {
        let length = self.length().checked_add(other.length())?;
        let all = mask(width);
        (length < all).then(|| {
            (self.low.wrapping_sub(other.high) & all, self.high.wrapping_sub(other.low) & all)
        })
    }

    /// The numbers with their highest bit turned over, if that leaves an interval.
    fn flipped(self, width: u8) -> Option<Interval> {
        if self == Interval::full(width) {
            return Some(self);
        }
        let top = 1u128 << (width - 1);
        let same = self.low & top == self.high & top;
        same.then_some(Interval { low: self.low ^ top, high: self.high ^ top })
    }
}

/// The terms of a slice, operands first, each with its interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// How each term is made of earlier ones.
    nodes: Vec<(Node, [u32; 3])>,
    widths: Vec<u8>,
    first: Vec<Interval>,
    intervals: Vec<Interval>,
    roots: Vec<u32>,
    variables: Vec<u32>,
    places: FxHashMap<crate::TermId, u32>,
}

impl Graph {
    pub(super) fn build(&mut self, terms: &Terms, slice: &Slice) {
        self.nodes.clear();
        self.widths.clear();
        self.first.clear();
        self.places.clear();
        self.variables.clear();
        self.variables.resize(slice.variables.len(), 0);
        let mut stack: Vec<_> = slice.constraints.iter().map(|&term| (term, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if self.places.contains_key(&term) {
                continue;
            }
            let node = terms.node(term);
            if !ready {
                stack.push((term, true));
                stack.extend(node.operands().map(|operand| (operand, false)));
                continue;
            }
            let place = self.nodes.len() as u32;
            self.places.insert(term, place);
            let mut operands = [0; 3];
            for (at, operand) in operands.iter_mut().zip(node.operands()) {
                *at = self.places[&operand];
            }
            self.nodes.push((node, operands));
            let width = terms.width(term);
            self.widths.push(width);
            let constant = terms.as_constant(term).map(Interval::single);
            self.first.push(constant.unwrap_or(Interval::full(width)));
            if let Node::Variable(number) = node
                && let Ok(at) = slice.variables.binary_search(&number)
            {
                self.variables[at] = place;
            }
        }
        self.roots.clear();
        self.roots.extend(slice.constraints.iter().map(|term| self.places[term]));
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all intervals, and lets the constraints that are active be true.
    pub(super) fn reset(&mut self, active: &[bool]) {
        self.intervals.clone_from(&self.first);
        for (&root, _) in self.roots.iter().zip(active).filter(|&(_, &active)| active) {
            self.intervals[root as usize] = Interval::single(1);
        }
    }

    pub(super) fn variable(&self, at: usize) -> Interval {
        self.intervals[self.variables[at] as usize]
    }

    /// Whether something is left; so say the others.
    pub(super) fn meet_variable(&mut self, at: usize, interval: Interval) -> bool {
        self.meet(self.variables[at], interval)
    }

    fn meet(&mut self, at: u32, interval: Interval) -> bool {
        match self.intervals[at as usize].meet(interval) {
            Some(met) => {
                self.intervals[at as usize] = met;
                true
            }
            None => false,
        }
    }

    fn meet_cyclic(&mut self, at: u32, ends: Option<(u128, u128)>) -> bool {
        let Some((low, high)) = ends else { return true };
        let width = self.widths[at as usize];
        match self.intervals[at as usize].meet_cyclic(low, high, width) {
            Some(met) => {
                self.intervals[at as usize] = met;
                true
            }
            None => false,
        }
    }

    /// From operands to what is made of them.
    pub(super) fn forward(&mut self) -> bool {
        (0..self.nodes.len()).all(|at| self.compute(at as u32))
    }

    /// From what is made to its operands.
    pub(super) fn backward(&mut self) -> bool {
        (0..self.nodes.len()).rev().all(|at| self.invert(at as u32))
    }

    fn compute(&mut self, at: u32) -> bool {
        let (node, [a, b, c]) = self.nodes[at as usize];
        let width = self.widths[at as usize];
        let of = |place: u32| self.intervals[place as usize];
        let (x, y) = (of(a), of(b));
        let interval = match node {
            Node::Constant(_) | Node::Variable(_) => return true,
            Node::Binary(Binary::Add, ..) => return self.meet_cyclic(at, x.plus(y, width)),
            Node::Binary(Binary::Sub, ..) => return self.meet_cyclic(at, x.minus(y, width)),
            Node::Binary(op, ..) => binary(op, x, y, width),
            Node::Compare(op, ..) => match compare(op, x, y, self.widths[a as usize]) {
                Some(answer) => Interval::single(u128::from(answer)),
                None => return true,
            },
            Node::Not(_) => Interval { low: mask(width) - x.high, high: mask(width) - x.low },
            Node::Ite(..) => match x.value() {
                Some(1) => y,
                Some(_) => of(c),
                None => y.join(of(c)),
            },
            Node::Extract(_, low) => {
                let (first, last) = (x.low >> low, x.high >> low);
                if first & !mask(width) != last & !mask(width) {
                    return true;
                }
                Interval { low: first & mask(width), high: last & mask(width) }
            }
            Node::Concat(..) => {
                let cut = self.widths[b as usize];
                Interval { low: x.low << cut | y.low, high: x.high << cut | y.high }
            }
            Node::ZeroExtend(_) => x,
            Node::SignExtend(_) => {
                let narrow = self.widths[a as usize];
                let half = mask(narrow) >> 1;
                if x.low <= half && x.high > half {
                    return true;
                }
                let extend = |value| signed(value, narrow) as u128 & mask(width);
                Interval { low: extend(x.low), high: extend(x.high) }
            }
        };
        self.meet(at, interval)
    }

    fn invert(&mut self, at: u32) -> bool {
        let (node, [a, b, c]) = self.nodes[at as usize];
        let width = self.widths[at as usize];
        let of = |place: u32| self.intervals[place as usize];
        let (result, x, y) = (of(at), of(a), of(b));
        match node {
            Node::Constant(_) | Node::Variable(_) => true,
            Node::Binary(op, ..) => self.invert_binary(op, at, a, b),
            Node::Compare(op, ..) => match result.value() {
                Some(answer) => self.invert_compare(op, answer == 1, a, b),
                None => true,
            },
            Node::Not(_) => {
                let all = mask(width);
                self.meet(a, Interval { low: all - result.high, high: all - result.low })
            }
            Node::Ite(..) => {
                let (then, other) = (y.meet(result), of(c).meet(result));
                match (x.value(), then, other) {
                    (Some(1), ..) | (None, _, None) => {
                        self.meet(a, Interval::single(1)) && self.meet(b, result)
                    }
                    (Some(_), ..) | (None, None, _) => {
                        self.meet(a, Interval::single(0)) && self.meet(c, result)
                    }
                    (None, Some(_), Some(_)) => true,
                }
            }
            Node::Extract(_, low) => {
                let above = |value: u128| value >> low & !mask(width);
                if above(x.low) != above(x.high) {
                    return true;
                }
                let put = |value: u128| (above(x.low) | value) << low;
                let below = if low == 0 { 0 } else { mask(low) };
                self.meet(a, Interval { low: put(result.low), high: put(result.high) | below })
            }
            Node::Concat(..) => {
                let cut = self.widths[b as usize];
                let high = Interval { low: result.low >> cut, high: result.high >> cut };
                if !self.meet(a, high) {
                    return false;
                }
                let Some(top) = self.intervals[a as usize].value() else { return true };
                let first = if top == high.low { result.low & mask(cut) } else { 0 };
                let last = if top == high.high { result.high & mask(cut) } else { mask(cut) };
                self.meet(b, Interval { low: first, high: last })
            }
            Node::ZeroExtend(_) => self.meet(a, result),
            Node::SignExtend(_) => {
                let narrow = self.widths[a as usize];
                let half = mask(narrow) >> 1;
                // What is made is at most the half, or at least this.
                let upper = mask(width) - half;
                if result.high < upper {
                    result.low <= half
                        && self.meet(a, Interval { low: result.low, high: result.high.min(half) })
                } else if result.low > half {
                    let low = result.low.max(upper) & mask(narrow);
                    self.meet(a, Interval { low, high: result.high & mask(narrow) })
                } else {
                    true
                }
            }
        }
    }

    fn invert_compare(&mut self, op: Compare, answer: bool, a: u32, b: u32) -> bool {
        let width = self.widths[a as usize];
        let (x, y) = (self.intervals[a as usize], self.intervals[b as usize]);
        match (op, answer) {
            (Compare::Eq, true) => self.meet(a, y) && self.meet(b, x),
            (Compare::Eq, false) => self.differ(a, y) && self.differ(b, x),
            (Compare::Ult, true) | (Compare::Ule, false) => {
                let (low, high) = if answer { (a, b) } else { (b, a) };
                self.ordered(low, high, true)
            }
            (Compare::Ule, true) | (Compare::Ult, false) => {
                let (low, high) = if answer { (a, b) } else { (b, a) };
                self.ordered(low, high, false)
            }
            (Compare::Slt | Compare::Sle, _) => {
                let strict = (op == Compare::Slt) == answer;
                let (low, high) = if answer { (a, b) } else { (b, a) };
                self.ordered_signed(low, high, strict, width)
            }
        }
    }

    /// That one term is not what another is known to be.
    fn differ(&mut self, at: u32, other: Interval) -> bool {
        let Some(value) = other.value() else { return true };
        let Interval { low, high } = self.intervals[at as usize];
        if low == high {
            return low != value;
        }
        let low = low + u128::from(low == value);
        let high = high - u128::from(high == value);
        self.meet(at, Interval { low, high })
    }

    /// That one term is below another, or the same where that is not strict.
    fn ordered(&mut self, low: u32, high: u32, strict: bool) -> bool {
        let (x, y) = (self.intervals[low as usize], self.intervals[high as usize]);
        let strict = u128::from(strict);
        let (Some(most), Some(least)) = (y.high.checked_sub(strict), x.low.checked_add(strict))
        else {
            return false;
        };
        self.meet(low, Interval { low: 0, high: most })
            && self.meet(high, Interval { low: least, high: u128::MAX })
    }

    fn ordered_signed(&mut self, low: u32, high: u32, strict: bool, width: u8) -> bool {
        let (x, y) = (self.intervals[low as usize], self.intervals[high as usize]);
        let full = Interval::full(width);
        // With the sign's bit turned over the order is that without sign.
        let (x, y) = (x.flipped(width).unwrap_or(full), y.flipped(width).unwrap_or(full));
        let strict = u128::from(strict);
        let (Some(most), Some(least)) = (y.high.checked_sub(strict), x.low.checked_add(strict))
        else {
            return false;
        };
        let (Some(x), Some(y)) = (
            x.meet(Interval { low: 0, high: most }),
            y.meet(Interval { low: least, high: mask(width) }),
        ) else {
            return false;
        };
        [(low, x), (high, y)].into_iter().all(|(at, interval)| match interval.flipped(width) {
            Some(flipped) => self.meet(at, flipped),
            None => true,
        })
    }

    fn invert_binary(&mut self, op: Binary, at: u32, a: u32, b: u32) -> bool {
        let width = self.widths[at as usize];
        let of = |place: u32| self.intervals[place as usize];
        let (result, x, y) = (of(at), of(a), of(b));
        match op {
            Binary::Add => {
                self.meet_cyclic(a, result.minus(y, width))
                    && self.meet_cyclic(b, result.minus(self.intervals[a as usize], width))
            }
            Binary::Sub => {
                self.meet_cyclic(a, result.plus(y, width))
                    && self.meet_cyclic(b, self.intervals[a as usize].minus(result, width))
            }
            Binary::Mul => {
                if x.high.checked_mul(y.high).is_none_or(|most| most > mask(width)) {
                    return true;
                }
                self.divide_into(a, result, y) && self.divide_into(b, result, x)
            }
            Binary::UDiv if y.low > 0 => {
                let least = result.low.saturating_mul(y.low);
                let most = result.high.checked_add(1).and_then(|high| high.checked_mul(y.high));
                let most = most.map_or(u128::MAX, |most| most - 1);
                self.meet(a, Interval { low: least, high: most })
            }
            Binary::URem if y.low > 0 => {
                let Some(by) = y.value() else { return true };
                let quotient = x.low / by;
                if quotient != x.high / by {
                    return true;
                }
                let base = quotient * by;
                let put = |value: u128| base.saturating_add(value);
                self.meet(a, Interval { low: put(result.low), high: put(result.high) })
            }
            Binary::And => {
                let least = Interval { low: result.low, high: mask(width) };
                let needed = width == 1 && result.value() == Some(0);
                self.meet(a, least)
                    && self.meet(b, least)
                    && (!needed || (self.other(a, b, 1, 0) && self.other(b, a, 1, 0)))
            }
            Binary::Or => {
                let most = Interval { low: 0, high: result.high };
                let needed = width == 1 && result.value() == Some(1);
                self.meet(a, most)
                    && self.meet(b, most)
                    && (!needed || (self.other(a, b, 0, 1) && self.other(b, a, 0, 1)))
            }
            Binary::Xor => match (result.value(), x.value(), y.value()) {
                (Some(result), Some(x), _) => self.meet(b, Interval::single(result ^ x)),
                (Some(result), _, Some(y)) => self.meet(a, Interval::single(result ^ y)),
                _ => true,
            },
            _ => true,
        }
    }

    /// That the second has a value where the first has one.
    fn other(&mut self, a: u32, b: u32, if_first: u128, then_second: u128) -> bool {
        self.intervals[a as usize].value() != Some(if_first)
            || self.meet(b, Interval::single(then_second))
    }

    /// That a term times what is in the second interval, without overflow, is in the first one.
    fn divide_into(&mut self, at: u32, product: Interval, by: Interval) -> bool {
        let most = if by.low > 0 { product.high / by.low } else { u128::MAX };
        let least = if by.high > 0 { product.low.div_ceil(by.high) } else { 0 };
        if by.high == 0 && product.low > 0 {
            return false;
        }
        least <= most && self.meet(at, Interval { low: least, high: most })
    }
}

/// The interval of what an operation but a sum or a difference makes.
fn binary(op: Binary, x: Interval, y: Interval, width: u8) -> Interval {
    let full = Interval::full(width);
    let all = mask(width);
    let positive = |interval: Interval| interval.high <= all >> 1;
    if let (Some(x), Some(y)) = (x.value(), y.value()) {
        return Interval::single(op.apply(width, x, y));
    }
    match op {
        Binary::Mul => match x.high.checked_mul(y.high) {
            Some(high) if high <= all => Interval { low: x.low * y.low, high },
            _ => full,
        },
        Binary::UDiv if y.low > 0 => Interval { low: x.low / y.high, high: x.high / y.low },
        Binary::URem if y.low > 0 => match y.value() {
            _ if x.high < y.low => x,
            Some(by) if x.low / by == x.high / by => {
                Interval { low: x.low % by, high: x.high % by }
            }
            _ => Interval { low: 0, high: x.high.min(y.high - 1) },
        },
        Binary::SDiv if positive(x) && positive(y) => binary(Binary::UDiv, x, y, width),
        Binary::SRem if positive(x) && positive(y) => binary(Binary::URem, x, y, width),
        Binary::And => Interval { low: 0, high: x.high.min(y.high) },
        Binary::Or => Interval { low: x.low.max(y.low), high: below_power(x.high | y.high) },
        Binary::Xor => Interval { low: 0, high: below_power(x.high | y.high) },
        Binary::LShr => {
            let shift =
                |value: u128, by: u128| if by < u128::from(width) { value >> by } else { 0 };
            Interval { low: shift(x.low, y.high), high: shift(x.high, y.low) }
        }
        Binary::Shl if y.high < u128::from(width) && x.high <= all >> y.high => {
            Interval { low: x.low << y.low, high: x.high << y.high }
        }
        _ => full,
    }
}

/// All ones up to the highest one of a number.
fn below_power(value: u128) -> u128 {
    if value == 0 { 0 } else { u128::MAX >> value.leading_zeros() }
}

/// What a comparison says where the intervals decide it.
fn compare(op: Compare, x: Interval, y: Interval, width: u8) -> Option<bool> {
    let decide = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match op {
        Compare::Eq => decide(x.value().is_some() && x.value() == y.value(), x.meet(y).is_none()),
        Compare::Ult => decide(x.high < y.low, x.low >= y.high),
        Compare::Ule => decide(x.high <= y.low, x.low > y.high),
        Compare::Slt => compare(Compare::Ult, x.flipped(width)?, y.flipped(width)?, width),
        Compare::Sle => compare(Compare::Ule, x.flipped(width)?, y.flipped(width)?, width),
    }
}
