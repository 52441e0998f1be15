//! Circuits on rows of literals, lowest first.

use super::Circuit;
use batsat::Lit;

impl Circuit {
    pub(super) fn number(&self, value: u128, width: u8) -> Vec<Lit> {
        (0..width).map(|bit| self.constant(value >> bit & 1 == 1)).collect()
    }

    /// The sum and the carry out of it.
    pub(super) fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let none = self.constant(false);
        self.sum(a, b, none).0
    }

    pub(super) fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let one = self.constant(true);
        self.sum(a, &inverted(b), one).0
    }

    pub(super) fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = self.number(0, a.len() as u8);
        self.subtract(&zero, a)
    }

    pub(super) fn choose_row(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| self.choose(c, x, y)).collect()
    }

    /// Whether the first is less, without sign.
    pub(super) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&x, &y) in a.iter().zip(b) {
            less = self.majority(!x, y, less);
        }
        less
    }

    pub(super) fn same(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut same = self.constant(true);
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.xor(x, y);
            same = self.and(same, !differ);
        }
        same
    }

    pub(super) fn any(&mut self, row: &[Lit]) -> Lit {
        row.iter().fold(self.constant(false), |any, &lit| self.or(any, lit))
    }

    /// Shifted by as much as the second row says; what comes in is `fill`.
    pub(super) fn shifted(&mut self, a: &[Lit], by: &[Lit], left: bool, fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut row = a.to_vec();
        let mut beyond = self.constant(false);
        for (stage, &bit) in by.iter().enumerate() {
            let distance = if stage < 8 { 1usize << stage } else { width };
            if distance >= width {
                beyond = self.or(beyond, bit);
                continue;
            }
            let moved: Vec<Lit> = (0..width)
                .map(|at| {
                    let from = if left { at.checked_sub(distance) } else { Some(at + distance) };
                    from.and_then(|from| row.get(from)).copied().unwrap_or(fill)
                })
                .collect();
            row = self.choose_row(bit, &moved, &row);
        }
        let fills = vec![fill; width];
        self.choose_row(beyond, &fills, &row)
    }

    /// The product modulo two to the width.
    pub(super) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let constants = |circuit: &Circuit, row: &[Lit]| {
            row.iter().filter(|&&lit| circuit.known(lit).is_some()).count()
        };
        // Each unknown bit of the second is a row to add.
        let (a, b) = if constants(self, a) > constants(self, b) { (b, a) } else { (a, b) };
        if let Some(value) = self.value_of(b) {
            return self.multiply_constant(a, value);
        }
        let width = a.len();
        let none = self.constant(false);
        let mut product = vec![none; width];
        for (place, &bit) in b.iter().enumerate() {
            if self.known(bit) == Some(false) {
                continue;
            }
            let row: Vec<Lit> = a[..width - place].iter().map(|&lit| self.and(lit, bit)).collect();
            let upper = self.add(&product[place..], &row);
            product.truncate(place);
            product.extend(upper);
        }
        product
    }

    pub(super) fn value_of(&self, row: &[Lit]) -> Option<u128> {
        row.iter().rev().try_fold(0, |value, &bit| Some(value << 1 | u128::from(self.known(bit)?)))
    }

    /// The product with a constant: rows for its digits one and minus one, no two of which are side
    /// by side (the non-adjacent form, Reitwieser 1960), so a third of the places at most on average.
    fn multiply_constant(&mut self, a: &[Lit], constant: u128) -> Vec<Lit> {
        let width = a.len();
        let mut product = self.number(0, width as u8);
        let (mut rest, mut place) = (constant, 0);
        while place < width && rest != 0 {
            if rest & 1 == 1 {
                let row = &a[..width - place];
                let minus = rest & 3 == 3;
                let upper = if minus {
                    self.subtract(&product[place..], row)
                } else {
                    self.add(&product[place..], row)
                };
                product.truncate(place);
                product.extend(upper);
                // What is carried out of 128 bits is above every width.
                rest = if minus { rest.wrapping_add(1) } else { rest - 1 };
            }
            rest >>= 1;
            place += 1;
        }
        product
    }

    /// The quotient and the remainder without sign, those by zero too.
    ///
    /// They are fresh bits with `a = q * b + r` without overflow, and `r < b` unless b is zero: that
    /// is a multiplication, of which a search knows more from fewer bits than of a long division.
    pub(super) fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let none = self.constant(false);
        // No quotient or remainder is longer than the dividend, but for the quotient by zero.
        let length = |circuit: &Circuit, row: &[Lit]| {
            row.iter().rposition(|&lit| circuit.known(lit) != Some(false)).map_or(0, |at| at + 1)
        };
        let by_zero = !self.any(b);
        let (long, divisor) = (length(self, a), length(self, b));
        let least = b.iter().rposition(|&lit| self.known(lit) == Some(true)).unwrap_or(0);
        let quotient_bits =
            if self.known(by_zero) == Some(false) { long.saturating_sub(least) } else { width };
        let fresh = |circuit: &mut Circuit, bits: usize| -> Vec<Lit> {
            (0..width).map(|at| if at < bits { circuit.fresh() } else { none }).collect()
        };
        let quotient = fresh(self, quotient_bits);
        let remainder_bits =
            if self.known(by_zero) == Some(false) { long.min(divisor) } else { long };
        let remainder = fresh(self, remainder_bits);
        let mut total = remainder.clone();
        for place in 0..width {
            if self.known(b[place]) == Some(false) {
                continue;
            }
            // What would stand above the width must not be there.
            for &bit in &quotient[width - place..] {
                self.clause(&[!bit, !b[place]]);
            }
            let row: Vec<Lit> =
                quotient[..width - place].iter().map(|&bit| self.and(bit, b[place])).collect();
            let (upper, carry) = self.sum(&total[place..], &row, none);
            self.clause(&[!carry]);
            total.truncate(place);
            total.extend(upper);
        }
        for (&x, &y) in total.iter().zip(a) {
            self.clause(&[!x, y]);
            self.clause(&[x, !y]);
        }
        let fits = self.less(&remainder, b);
        self.clause(&[fits, by_zero]);
        for &bit in &quotient {
            self.clause(&[bit, !by_zero]);
        }
        (quotient, remainder)
    }

    /// The quotient and the remainder with sign: those of the magnitudes, and then the signs.
    pub(super) fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (minus_a, minus_b) = (self.negate(a), self.negate(b));
        let size_a = self.choose_row(sign_a, &minus_a, a);
        let size_b = self.choose_row(sign_b, &minus_b, b);
        let (quotient, remainder) = self.divide(&size_a, &size_b);
        let differ = self.xor(sign_a, sign_b);
        let (minus_q, minus_r) = (self.negate(&quotient), self.negate(&remainder));
        let quotient = self.choose_row(differ, &minus_q, &quotient);
        (quotient, self.choose_row(sign_a, &minus_r, &remainder))
    }
}

pub(super) fn inverted(row: &[Lit]) -> Vec<Lit> {
    row.iter().map(|&lit| !lit).collect()
}
