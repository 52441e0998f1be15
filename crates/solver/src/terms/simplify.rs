//! The constructors, and what they rewrite.
//!
//! Normal forms: a constant stands on the right; other operands of what commutes stand in the order
//! of their ids. What only moves bits is a concatenation of parts, first parts first, so bytes that
//! are stored and loaded again meet: shifts and masks by constants become such, and bitwise
//! operations go into the parts. What is compared is in `comparisons`.
//!
//! No rewriting recurses along terms of one width, but for a step or two: what recurses gets
//! narrower, so the depth is bounded by the widths.

use super::{Binary, Compare, Node, TermId, Terms, mask, signed};

/// How many parts a mask may have to be taken for a concatenation.
const MASK_PARTS: u32 = 3;

/// Among how many terms of a sum those that cancel each other are looked for.
const ADDENDS: usize = 8;

impl Terms {
    /// Two bit vectors of one width make a third.
    ///
    /// # Panics
    /// The widths differ; so say [`Terms::compare`] and [`Terms::ite`].
    pub fn binary(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of different widths");
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(width, op.apply(width, x, y));
        }
        let swap = op.commutes()
            && (self.as_constant(a).is_some() || (self.as_constant(b).is_none() && b < a));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        match op {
            Binary::Add => self.add(width, a, b),
            Binary::Sub => self.sub(width, a, b),
            Binary::Mul => self.mul(width, a, b),
            Binary::And | Binary::Or | Binary::Xor => self.bitwise(op, width, a, b),
            Binary::Shl | Binary::LShr | Binary::AShr => self.shift(op, width, a, b),
            Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem => {
                self.divide(op, width, a, b)
            }
        }
    }

    /// A term plus a constant, if it is one.
    pub(super) fn offset(&self, term: TermId) -> (TermId, u128) {
        if let Node::Binary(Binary::Add, a, b) = self.node(term)
            && let Some(constant) = self.as_constant(b)
        {
            return (a, constant);
        }
        (term, 0)
    }

    fn add_constant(&mut self, a: TermId, by: u128) -> TermId {
        let width = self.width(a);
        let (a, more) = self.offset(a);
        let sum = by.wrapping_add(more) & mask(width);
        if sum == 0 {
            return a;
        }
        let sum = self.constant(width, sum);
        self.make(Node::Binary(Binary::Add, a, sum), width)
    }

    fn add(&mut self, width: u8, a: TermId, b: TermId) -> TermId {
        if let Some(constant) = self.as_constant(b) {
            return self.add_constant(a, constant);
        }
        if let Some(sum) = self.cancelled(width, Binary::Add, a, b) {
            return sum;
        }
        self.make(Node::Binary(Binary::Add, a, b), width)
    }

    fn sub(&mut self, width: u8, a: TermId, b: TermId) -> TermId {
        if let Some(constant) = self.as_constant(b) {
            return self.add_constant(a, constant.wrapping_neg());
        }
        if let Some(difference) = self.cancelled(width, Binary::Sub, a, b) {
            return difference;
        }
        let (y, less) = self.offset(b);
        if let Some(constant) = self.as_constant(a)
            && less != 0
        {
            let constant = self.constant(width, constant.wrapping_sub(less));
            return self.sub(width, constant, y);
        }
        // Zero minus a difference is the difference the other way round.
        if self.as_constant(a) == Some(0)
            && let Node::Binary(Binary::Sub, p, q) = self.node(b)
        {
            return self.sub(width, q, p);
        }
        self.make(Node::Binary(Binary::Sub, a, b), width)
    }

    /// What a sum or a difference is where what one side adds the other takes away, as a base has no part in the
    /// distance of two pointers; none where nothing meets, or among too many terms.
    fn cancelled(&mut self, width: u8, op: Binary, a: TermId, b: TermId) -> Option<TermId> {
        let mut open = [(a, false); ADDENDS];
        open[1] = (b, op == Binary::Sub);
        let mut open_count = 2;
        let mut addends = [(a, false); ADDENDS];
        let (mut count, mut constant, mut meets) = (0, 0_u128, false);
        while open_count > 0 {
            open_count -= 1;
            let (term, is_less) = open[open_count];
            match self.node(term) {
                Node::Binary(op @ (Binary::Add | Binary::Sub), p, q) => {
                    if open_count + count + 2 > ADDENDS {
                        return None;
                    }
                    open[open_count] = (q, is_less != (op == Binary::Sub));
                    open[open_count + 1] = (p, is_less);
                    open_count += 2;
                }
                _ => {
                    if let Some(number) = self.as_constant(term) {
                        let number = if is_less { number.wrapping_neg() } else { number };
                        constant = constant.wrapping_add(number);
                    } else if let Some(at) =
                        addends[..count].iter().position(|&it| it == (term, !is_less))
                    {
                        meets = true;
                        addends.copy_within(at + 1..count, at);
                        count -= 1;
                    } else if count < ADDENDS {
                        addends[count] = (term, is_less);
                        count += 1;
                    } else {
                        return None;
                    }
                }
            }
        }
        meets.then(|| self.sum(width, &mut addends[..count], constant))
    }

    /// The sum of some terms and a constant, less those that say so, of which none meet.
    fn sum(&mut self, width: u8, addends: &mut [(TermId, bool)], constant: u128) -> TermId {
        addends.sort_unstable_by_key(|&(term, is_less)| (is_less, term));
        let mut addends = addends.iter().copied().peekable();
        let begins = addends.next_if(|&(_, is_less)| !is_less);
        let (mut sum, rest) = match begins {
            Some((first, _)) => (first, constant),
            None => (self.constant(width, constant & mask(width)), 0),
        };
        for (term, is_less) in addends {
            let op = if is_less { Binary::Sub } else { Binary::Add };
            sum = self.make(Node::Binary(op, sum, term), width);
        }
        self.add_constant(sum, rest)
    }

    fn mul(&mut self, width: u8, a: TermId, b: TermId) -> TermId {
        let Some(constant) = self.as_constant(b) else {
            return self.make(Node::Binary(Binary::Mul, a, b), width);
        };
        if constant == 0 {
            return b;
        }
        if constant.is_power_of_two() {
            return self.shift_by(Binary::Shl, width, a, constant.trailing_zeros() as u8);
        }
        if let Node::Binary(Binary::Mul, x, c) = self.node(a)
            && let Some(more) = self.as_constant(c)
        {
            let product = self.constant(width, constant.wrapping_mul(more));
            return self.mul(width, x, product);
        }
        self.make(Node::Binary(Binary::Mul, a, b), width)
    }

    fn divide(&mut self, op: Binary, width: u8, a: TermId, b: TermId) -> TermId {
        let Some(by) = self.as_constant(b).filter(|&by| by != 0) else {
            return self.make(Node::Binary(op, a, b), width);
        };
        let unsigned = match op {
            Binary::SDiv => Binary::UDiv,
            Binary::SRem => Binary::URem,
            _ => op,
        };
        if unsigned != op {
            if by == 1 {
                return if op == Binary::SDiv { a } else { self.zero(width) };
            }
            let non_negative = matches!(self.node(a), Node::ZeroExtend(_));
            if non_negative && signed(by, width) > 0 {
                return self.divide(unsigned, width, a, b);
            }
            return self.make(Node::Binary(op, a, b), width);
        }
        if by.is_power_of_two() {
            let bits = by.trailing_zeros() as u8;
            return match op {
                Binary::UDiv => self.shift_by(Binary::LShr, width, a, bits),
                _ => self.low_bits(a, bits),
            };
        }
        if let Node::ZeroExtend(inner) = self.node(a) {
            let narrow = self.width(inner);
            if by > mask(narrow) {
                return if op == Binary::UDiv { self.zero(width) } else { a };
            }
            let by = self.constant(narrow, by);
            let result = self.divide(op, narrow, inner, by);
            return self.zext(result, width);
        }
        self.make(Node::Binary(op, a, b), width)
    }

    /// The lowest bits, zeros above them.
    fn low_bits(&mut self, a: TermId, bits: u8) -> TermId {
        let width = self.width(a);
        if bits == 0 {
            return self.zero(width);
        }
        let low = self.extract(a, 0, bits);
        self.zext(low, width)
    }

    fn shift(&mut self, op: Binary, width: u8, a: TermId, b: TermId) -> TermId {
        if let Some(by) = self.as_constant(b) {
            return self.shift_by(op, width, a, by.min(u128::from(width)) as u8);
        }
        if self.as_constant(a) == Some(0) {
            return a;
        }
        self.make(Node::Binary(op, a, b), width)
    }

    /// Shifts by a constant that is at most the width.
    fn shift_by(&mut self, op: Binary, width: u8, a: TermId, by: u8) -> TermId {
        if by == 0 {
            return a;
        }
        if by == width {
            return match op {
                Binary::AShr => self.fill_with_sign(a, width),
                _ => self.zero(width),
            };
        }
        if op == Binary::Shl {
            let kept = self.extract(a, 0, width - by);
            let zeros = self.zero(by);
            return self.concat(kept, zeros);
        }
        let kept = self.extract(a, by, width - by);
        if op == Binary::LShr { self.zext(kept, width) } else { self.sext(kept, width) }
    }

    fn fill_with_sign(&mut self, a: TermId, width: u8) -> TermId {
        let sign = self.extract(a, self.width(a) - 1, 1);
        self.sext(sign, width)
    }

    fn bitwise(&mut self, op: Binary, width: u8, a: TermId, b: TermId) -> TermId {
        if a == b {
            return if op == Binary::Xor { self.zero(width) } else { a };
        }
        if let Some(constant) = self.as_constant(b) {
            if let Some(term) = self.bitwise_constant(op, width, a, constant) {
                return term;
            }
        } else if self.are_opposites(a, b) {
            let ones = if op == Binary::And { 0 } else { mask(width) };
            return self.constant(width, ones);
        }
        if let Some(low) = self.common_cut(a, b) {
            let high = width - low;
            let (high_a, high_b) = (self.extract(a, low, high), self.extract(b, low, high));
            let (low_a, low_b) = (self.extract(a, 0, low), self.extract(b, 0, low));
            let high = self.binary(op, high_a, high_b);
            let low = self.binary(op, low_a, low_b);
            return self.concat(high, low);
        }
        self.make(Node::Binary(op, a, b), width)
    }

    fn are_opposites(&self, a: TermId, b: TermId) -> bool {
        let not = |x, y| matches!(self.node(x), Node::Not(inner) if inner == y);
        not(a, b) || not(b, a)
    }

    fn bitwise_constant(
        &mut self,
        op: Binary,
        width: u8,
        a: TermId,
        constant: u128,
    ) -> Option<TermId> {
        if let Some(term) = self.bitwise_extreme(op, width, a, constant) {
            return Some(term);
        }
        if let Node::Binary(same, x, c) = self.node(a)
            && same == op
            && let Some(more) = self.as_constant(c)
        {
            let both = self.constant(width, op.apply(width, constant, more));
            // The inner term was no case of those above with its own constant; now it may be.
            let again = self.as_constant(both).unwrap_or(0);
            return match self.bitwise_extreme(op, width, x, again) {
                Some(term) => Some(term),
                None => Some(self.make(Node::Binary(op, x, both), width)),
            };
        }
        let edges = (constant ^ (constant << 1)) & mask(width) & !1;
        if op == Binary::And && edges.count_ones() < MASK_PARTS {
            return Some(self.masked(a, constant));
        }
        None
    }

    /// What a bitwise operation with a constant of all zeros or all ones is.
    fn bitwise_extreme(
        &mut self,
        op: Binary,
        width: u8,
        a: TermId,
        constant: u128,
    ) -> Option<TermId> {
        let all = mask(width);
        match (op, constant) {
            (Binary::And, 0) => Some(self.zero(width)),
            (Binary::Or, c) if c == all => Some(self.constant(width, all)),
            (Binary::Or | Binary::Xor, 0) => Some(a),
            (Binary::And, c) if c == all => Some(a),
            (Binary::Xor, c) if c == all => Some(self.not(a)),
            _ => None,
        }
    }

    /// The bits of a term where the mask has ones, as a concatenation of parts.
    fn masked(&mut self, a: TermId, mask: u128) -> TermId {
        let width = self.width(a);
        let mut result: Option<TermId> = None;
        let mut low = 0;
        while low < width {
            let rest = mask >> low;
            let run = if rest & 1 == 1 { rest.trailing_ones() } else { rest.trailing_zeros() };
            let run = (run as u8).min(width - low);
            let part = if rest & 1 == 1 { self.extract(a, low, run) } else { self.zero(run) };
            result = Some(match result {
                Some(below) => self.concat(part, below),
                None => part,
            });
            low += run;
        }
        result.expect("a width is at least 1")
    }

    /// A place at which both terms are made of parts: neither is cut inside a part.
    fn common_cut(&self, a: TermId, b: TermId) -> Option<u8> {
        let (cuts_a, cuts_b) = (self.cuts(a), self.cuts(b));
        let common = cuts_a & cuts_b;
        // A constant has cuts everywhere, and alone is no reason.
        let parts = [a, b]
            .into_iter()
            .any(|t| matches!(self.node(t), Node::Concat(..) | Node::ZeroExtend(_)));
        (parts && common != 0).then(|| common.trailing_zeros() as u8)
    }

    /// One bit for each place, 1 to the width less 1, at which a term is made of parts.
    fn cuts(&self, mut term: TermId) -> u128 {
        let width = self.width(term);
        let mut cuts = 0;
        let mut above = width;
        loop {
            match self.node(term) {
                // First parts first: the low part is what goes on.
                Node::Concat(_, low) => {
                    above = self.width(low);
                    cuts |= 1 << above;
                    term = low;
                }
                Node::ZeroExtend(inner) => {
                    // Zeros can be cut anywhere.
                    let inner_width = self.width(inner);
                    cuts |= (mask(above) >> inner_width) << inner_width;
                    above = inner_width;
                    term = inner;
                }
                Node::Constant(_) => return (cuts | mask(above)) & mask(width) & !1,
                _ => return cuts & mask(width) & !1,
            }
        }
    }

    /// All bits turned over; of a boolean, its negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        match self.node(a) {
            Node::Constant(at) => self.constant(width, !self.constants[at as usize]),
            Node::Not(inner) => inner,
            // A constant stays on the right.
            Node::Compare(Compare::Ult, x, y) if self.as_constant(y).is_none() => {
                self.make(Node::Compare(Compare::Ule, y, x), 1)
            }
            Node::Compare(Compare::Slt, x, y) if self.as_constant(y).is_none() => {
                self.make(Node::Compare(Compare::Sle, y, x), 1)
            }
            Node::Compare(Compare::Ule, x, y) => self.make(Node::Compare(Compare::Ult, y, x), 1),
            Node::Compare(Compare::Sle, x, y) => self.make(Node::Compare(Compare::Slt, y, x), 1),
            _ => self.make(Node::Not(a), width),
        }
    }

    /// Zero minus a term.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.zero(self.width(a));
        self.binary(Binary::Sub, zero, a)
    }

    /// The second term where the first, of width 1, is true, the third elsewhere.
    ///
    /// # Panics
    /// The first is no boolean.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of different widths");
        assert_eq!(self.width(c), 1, "a condition that is no boolean");
        let (c, mut a, mut b) = match self.node(c) {
            Node::Constant(_) => return if self.as_constant(c) == Some(1) { a } else { b },
            Node::Not(inner) => (inner, b, a),
            _ => (c, a, b),
        };
        if let Node::Ite(same, first, _) = self.node(a)
            && same == c
        {
            a = first;
        }
        if let Node::Ite(same, _, second) = self.node(b)
            && same == c
        {
            b = second;
        }
        if a == b {
            return a;
        }
        if width > 1 {
            return self.make(Node::Ite(c, a, b), width);
        }
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(1), Some(_)) => c,
            (Some(_), Some(_)) => self.not(c),
            (Some(1), None) => self.binary(Binary::Or, c, b),
            (Some(_), None) => {
                let not = self.not(c);
                self.binary(Binary::And, not, b)
            }
            (None, Some(0)) => self.binary(Binary::And, c, a),
            (None, Some(_)) => {
                let not = self.not(c);
                self.binary(Binary::Or, not, a)
            }
            (None, None) => self.make(Node::Ite(c, a, b), 1),
        }
    }

    /// As many bits as the width says, from `low` on.
    ///
    /// # Panics
    /// The term has not so many.
    pub fn extract(&mut self, a: TermId, low: u8, width: u8) -> TermId {
        let whole = self.width(a);
        assert!(
            width > 0 && u32::from(low) + u32::from(width) <= u32::from(whole),
            "{width} bits from {low} on of {whole}"
        );
        if width == whole {
            return a;
        }
        match self.node(a) {
            Node::Constant(at) => self.constant(width, self.constants[at as usize] >> low),
            Node::Extract(inner, from) => self.extract(inner, from + low, width),
            Node::Concat(high, below) => self.extract_parts(high, below, low, width),
            Node::ZeroExtend(inner) | Node::SignExtend(inner) => {
                self.extract_extended(a, inner, low, width)
            }
            Node::Not(inner) if self.is_layout(inner) => {
                let part = self.extract(inner, low, width);
                self.not(part)
            }
            Node::Binary(op @ (Binary::Add | Binary::Sub), x, y)
                if low == 0 && self.is_layout(x) && self.is_layout(y) =>
            {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.binary(op, x, y)
            }
            Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), x, y)
                if self.is_layout(x) || self.is_layout(y) =>
            {
                if !(self.is_layout(x) && self.is_layout(y)) && self.as_constant(y).is_none() {
                    return self.make(Node::Extract(a, low), width);
                }
                // A plain operand beside a constant: its part is no rewriting of it.
                let x = self.extract_plain(x, low, width);
                let y = self.extract_plain(y, low, width);
                self.binary(op, x, y)
            }
            Node::Ite(c, x, y)
                if self.as_constant(x).is_some() && self.as_constant(y).is_some() =>
            {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                self.ite(c, x, y)
            }
            _ => self.make(Node::Extract(a, low), width),
        }
    }

    /// Whether parts of it are found without going deeper at the same width.
    fn is_layout(&self, term: TermId) -> bool {
        matches!(
            self.node(term),
            Node::Constant(_)
                | Node::Extract(..)
                | Node::Concat(..)
                | Node::ZeroExtend(_)
                | Node::SignExtend(_)
        )
    }

    fn extract_plain(&mut self, a: TermId, low: u8, width: u8) -> TermId {
        if self.is_layout(a) {
            self.extract(a, low, width)
        } else {
            self.make(Node::Extract(a, low), width)
        }
    }

    fn extract_parts(&mut self, high: TermId, below: TermId, low: u8, width: u8) -> TermId {
        let cut = self.width(below);
        if low >= cut {
            return self.extract(high, low - cut, width);
        }
        if low + width <= cut {
            return self.extract(below, low, width);
        }
        let upper = self.extract(high, 0, low + width - cut);
        let lower = self.extract(below, low, cut - low);
        self.concat(upper, lower)
    }

    fn extract_extended(&mut self, a: TermId, inner: TermId, low: u8, width: u8) -> TermId {
        let cut = self.width(inner);
        let zeros = matches!(self.node(a), Node::ZeroExtend(_));
        if low + width <= cut {
            return self.extract(inner, low, width);
        }
        if low >= cut {
            return if zeros { self.zero(width) } else { self.fill_with_sign(inner, width) };
        }
        let kept = self.extract(inner, low, cut - low);
        if zeros { self.zext(kept, width) } else { self.sext(kept, width) }
    }

    /// Parts side by side, the lowest one first; nothing if there is none. Bytes of one term that were taken apart are that term again,
    /// without all that lies between.
    ///
    /// # Panics
    /// They have more than 128 bits together.
    pub fn join(&mut self, parts: &[TermId]) -> Option<TermId> {
        let mut joined = None;
        let mut rest = parts;
        while let Some((&part, after)) = rest.split_first() {
            rest = after;
            let mut part = part;
            if let Node::Extract(whole, from) = self.node(part) {
                let mut end = from + self.width(part);
                while let Some((&next, after)) = rest.split_first()
                    && self.node(next) == Node::Extract(whole, end)
                {
                    end += self.width(next);
                    rest = after;
                }
                part = self.extract(whole, from, end - from);
            }
            joined = Some(match joined {
                None => part,
                Some(lower) => self.concat(part, lower),
            });
        }
        joined
    }

    /// The bits of the first term above those of the second.
    ///
    /// # Panics
    /// Together they are wider than 128.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = u32::from(self.width(high)) + u32::from(self.width(low));
        assert!(width <= 128, "a width of {width} bits");
        let width = width as u8;
        let below = self.width(low);
        if let Some(value) = self.as_constant(high) {
            if value == 0 {
                return self.zext(low, width);
            }
            match self.node(low) {
                Node::Constant(at) => {
                    let whole = value << below | self.constants[at as usize];
                    return self.constant(width, whole);
                }
                Node::Concat(first, rest) if self.as_constant(first).is_some() => {
                    let first = self.concat(high, first);
                    return self.make(Node::Concat(first, rest), width);
                }
                _ => {}
            }
        }
        match self.node(high) {
            // First parts first.
            Node::Concat(first, second) => {
                let rest = self.concat(second, low);
                return self.concat(first, rest);
            }
            Node::ZeroExtend(inner) => {
                let kept = self.concat(inner, low);
                return self.zext(kept, width);
            }
            Node::Extract(whole, from) => {
                let (next, rest) = match self.node(low) {
                    Node::Concat(next, rest) => (next, Some(rest)),
                    _ => (low, None),
                };
                if let Some(joined) = self.adjacent(whole, from, self.width(high), next) {
                    return match rest {
                        Some(rest) => self.concat(joined, rest),
                        None => joined,
                    };
                }
            }
            _ => {}
        }
        self.make(Node::Concat(high, low), width)
    }

    /// Both parts as one, if the second is what stands below the first in the same term.
    fn adjacent(&mut self, whole: TermId, from: u8, above: u8, next: TermId) -> Option<TermId> {
        let below = self.width(next);
        let low = from.checked_sub(below)?;
        let is_next = match self.node(next) {
            Node::Extract(same, at) => same == whole && at == low,
            _ => false,
        };
        is_next.then(|| self.extract(whole, low, above + below))
    }

    /// The same number in more bits.
    ///
    /// # Panics
    ///
    /// Where the width is less than the term's, or greater than 128.
    pub fn zext(&mut self, a: TermId, width: u8) -> TermId {
        assert!(width >= self.width(a) && width <= 128, "extended to a width of {width} bits");
        if width == self.width(a) {
            return a;
        }
        match self.node(a) {
            Node::Constant(at) => self.constant(width, self.constants[at as usize]),
            Node::ZeroExtend(inner) => self.zext(inner, width),
            _ => self.make(Node::ZeroExtend(a), width),
        }
    }

    /// The same number with its sign in more bits.
    ///
    /// # Panics
    ///
    /// Where the width is less than the term's, or greater than 128.
    pub fn sext(&mut self, a: TermId, width: u8) -> TermId {
        let narrow = self.width(a);
        assert!(width >= narrow && width <= 128, "extended to a width of {width} bits");
        if width == narrow {
            return a;
        }
        match self.node(a) {
            Node::Constant(at) => {
                let value = signed(self.constants[at as usize], narrow) as u128;
                self.constant(width, value)
            }
            Node::ZeroExtend(inner) => self.zext(inner, width),
            Node::SignExtend(inner) => self.sext(inner, width),
            _ => self.make(Node::SignExtend(a), width),
        }
    }
}
