//! What the operations mean, on numbers: the theory of fixed-size bit vectors of SMT-LIB 2.6.
//!
//! A value has zeros above its width. Simplification, evaluation and the tests of the circuits all
//! ask here, so there is one meaning.

/// How two bit vectors of one width make a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// The sum, modulo two to the width.
    Add,
    /// The difference, modulo two to the width.
    Sub,
    /// The product, modulo two to the width.
    Mul,
    /// The unsigned quotient; all ones when the divisor is zero.
    UDiv,
    /// The unsigned remainder; the dividend when the divisor is zero.
    URem,
    /// The signed quotient, rounded to zero; by zero it is minus one, or one of a negative dividend.
    SDiv,
    /// The signed remainder, with the dividend's sign; the dividend when the divisor is zero.
    SRem,
    /// Both, bit by bit.
    And,
    /// One or both, bit by bit.
    Or,
    /// Exactly one, bit by bit.
    Xor,
    /// Shifted to the left; zero from the width on.
    Shl,
    /// Shifted to the right, filled with zeros; zero from the width on.
    LShr,
    /// Shifted to the right, filled with the sign.
    AShr,
}

/// How two bit vectors of one width make a boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// The same.
    Eq,
    /// Less, without sign.
    Ult,
    /// Less or the same, without sign.
    Ule,
    /// Less, with sign.
    Slt,
    /// Less or the same, with sign.
    Sle,
}

impl Binary {
    /// Whether the operands may be exchanged.
    pub(crate) fn commutes(self) -> bool {
        matches!(self, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor)
    }

    /// The result on numbers without bits above the width.
    #[inline(always)]
    pub(crate) fn apply(self, width: u8, a: u128, b: u128) -> u128 {
        let all = mask(width);
        let result = match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::UDiv => a.checked_div(b).unwrap_or(all),
            Binary::URem => a.checked_rem(b).unwrap_or(a),
            Binary::SDiv => match (signed(a, width), signed(b, width)) {
                (x, 0) => {
                    if x < 0 {
                        1
                    } else {
                        all
                    }
                }
                (x, y) => x.wrapping_div(y) as u128,
            },
            Binary::SRem => match (signed(a, width), signed(b, width)) {
                (_, 0) => a,
                (x, y) => x.wrapping_rem(y) as u128,
            },
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Shl => {
                if b < u128::from(width) {
                    a << b
                } else {
                    0
                }
            }
            Binary::LShr => {
                if b < u128::from(width) {
                    a >> b
                } else {
                    0
                }
            }
            Binary::AShr => (signed(a, width) >> b.min(127)) as u128,
        };
        result & all
    }
}

impl Compare {
    /// The answer on numbers without bits above the width.
    #[inline(always)]
    pub(crate) fn apply(self, width: u8, a: u128, b: u128) -> bool {
        match self {
            Compare::Eq => a == b,
            Compare::Ult => a < b,
            Compare::Ule => a <= b,
            Compare::Slt => signed(a, width) < signed(b, width),
            Compare::Sle => signed(a, width) <= signed(b, width),
        }
    }
}

/// The greatest number of a width, which is from 1 to 128.
pub(crate) fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// A number read with its sign.
pub(crate) fn signed(value: u128, width: u8) -> i128 {
    let above = 128 - u32::from(width);
    ((value << above) as i128) >> above
}
