//! What instructions compute, of scalars alone. Integers are kept without what is above their width.

use std::num::FpCategory;

use crate::ir::{Binary, Cast, Compare, FloatBinary, FloatUnary, Intrinsic, Rmw, mask, signed};

/// Division by zero, or of the least number by -1: the processor's trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DivisionTrap;

#[inline]
pub(super) fn binary(op: Binary, width: u8, a: u128, b: u128) -> Result<u128, DivisionTrap> {
    let value = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        // Shifts by more than the width are poison: any value will do.
        Binary::ShiftLeft => a.checked_shl(b as u32).unwrap_or(0),
        Binary::LogicalShiftRight => a.checked_shr(b as u32).unwrap_or(0),
        Binary::ArithmeticShiftRight => signed(a, width).checked_shr(b as u32).unwrap_or(0) as u128,
        Binary::UnsignedDiv | Binary::UnsignedRem if b & mask(width) == 0 => {
            return Err(DivisionTrap);
        }
        Binary::UnsignedDiv if width <= 64 => u128::from(a as u64 / b as u64),
        Binary::UnsignedRem if width <= 64 => u128::from(a as u64 % b as u64),
        Binary::UnsignedDiv => a / b,
        Binary::UnsignedRem => a % b,
        Binary::SignedDiv | Binary::SignedRem => {
            let (a, b) = (signed(a, width), signed(b, width));
            let least = signed(1 << (width - 1), width);
            if b == 0 || (a == least && b == -1) {
                return Err(DivisionTrap);
            }
            (if op == Binary::SignedDiv { a / b } else { a % b }) as u128
        }
    };
    Ok(value & mask(width))
}

/// The same for integers of more than 128 bits, low half first.
pub(super) fn wide(op: Binary, width: u16, a: [u128; 2], b: [u128; 2]) -> [u128; 2] {
    let [low, high] = match op {
        Binary::And => [a[0] & b[0], a[1] & b[1]],
        Binary::Or => [a[0] | b[0], a[1] | b[1]],
        Binary::Xor => [a[0] ^ b[0], a[1] ^ b[1]],
        Binary::Add => {
            let (low, carry) = a[0].overflowing_add(b[0]);
            [low, a[1].wrapping_add(b[1]).wrapping_add(u128::from(carry))]
        }
        Binary::Sub => {
            let (low, borrow) = a[0].overflowing_sub(b[0]);
            [low, a[1].wrapping_sub(b[1]).wrapping_sub(u128::from(borrow))]
        }
        Binary::Mul => {
            let [low, high] = full_product(a[0], b[0]);
            let cross = a[0].wrapping_mul(b[1]).wrapping_add(a[1].wrapping_mul(b[0]));
            [low, high.wrapping_add(cross)]
        }
        Binary::ShiftLeft => match b[0] {
            0 => a,
            by @ 1..128 => [a[0] << by, a[1] << by | a[0] >> (128 - by)],
            by @ 128..256 => [0, a[0] << (by - 128)],
            _ => [0, 0],
        },
        _ => match b[0] {
            0 => a,
            by @ 1..128 => [a[0] >> by | a[1] << (128 - by), a[1] >> by],
            by @ 128..256 => [a[1] >> (by - 128), 0],
            _ => [0, 0],
        },
    };
    [low, high & mask((width - 128) as u8)]
}

/// The product of two numbers, low half first.
fn full_product(a: u128, b: u128) -> [u128; 2] {
    const LOW: u128 = u64::MAX as u128;
    let (a0, a1, b0, b1) = (a & LOW, a >> 64, b & LOW, b >> 64);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let other = a0 * b1 + (middle & LOW);
    [other << 64 | low & LOW, a1 * b1 + (middle >> 64) + (other >> 64)]
}

#[inline]
pub(super) fn compare(op: Compare, width: u8, a: u128, b: u128) -> bool {
    let sign = || signed(a, width).cmp(&signed(b, width));
    match op {
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
        Compare::UnsignedLess => a < b,
        Compare::UnsignedLessEqual => a <= b,
        Compare::UnsignedGreater => a > b,
        Compare::UnsignedGreaterEqual => a >= b,
        Compare::SignedLess => sign().is_lt(),
        Compare::SignedLessEqual => sign().is_le(),
        Compare::SignedGreater => sign().is_gt(),
        Compare::SignedGreaterEqual => sign().is_ge(),
    }
}

pub(super) fn double(bits: u128, width: u8) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

macro_rules! in_width {
    ($width:expr, |$($name:ident = $bits:ident),*| $body:expr) => {
        if $width == 32 {
            $(let $name = f32::from_bits($bits as u32);)*
            u128::from(f32::to_bits($body))
        } else {
            $(let $name = f64::from_bits($bits as u64);)*
            u128::from(f64::to_bits($body))
        }
    };
}

pub(super) fn float_binary(op: FloatBinary, width: u8, a: u128, b: u128) -> u128 {
    in_width!(width, |x = a, y = b| match op {
        FloatBinary::Add => x + y,
        FloatBinary::Sub => x - y,
        FloatBinary::Mul => x * y,
        FloatBinary::Div => x / y,
        FloatBinary::Rem => x % y,
        FloatBinary::CopySign => x.copysign(y),
        FloatBinary::MinNum => x.min(y),
        FloatBinary::MaxNum => x.max(y),
        FloatBinary::Power => x.powf(y),
        FloatBinary::Minimum | FloatBinary::Maximum if x.is_nan() || y.is_nan() => x + y,
        // Of two zeros the one with a sign is less.
        FloatBinary::Minimum if x < y || (x == y && x.is_sign_negative()) => x,
        FloatBinary::Maximum if x > y || (x == y && x.is_sign_positive()) => x,
        FloatBinary::Minimum | FloatBinary::Maximum => y,
    })
}

pub(super) fn float_unary(op: FloatUnary, width: u8, a: u128) -> u128 {
    in_width!(width, |x = a| match op {
        FloatUnary::Negate => -x,
        FloatUnary::Absolute => x.abs(),
        FloatUnary::SquareRoot => x.sqrt(),
        FloatUnary::Floor => x.floor(),
        FloatUnary::Ceiling => x.ceil(),
        FloatUnary::Truncate => x.trunc(),
        FloatUnary::RoundHalfAway => x.round(),
        FloatUnary::RoundHalfEven => x.round_ties_even(),
        FloatUnary::Sine => x.sin(),
        FloatUnary::Cosine => x.cos(),
        FloatUnary::Tangent => x.tan(),
        FloatUnary::Exponential => x.exp(),
        FloatUnary::Exponential2 => x.exp2(),
        FloatUnary::Logarithm => x.ln(),
        FloatUnary::Logarithm2 => x.log2(),
        FloatUnary::Logarithm10 => x.log10(),
        FloatUnary::Canonical => x,
    })
}

pub(super) fn cast(op: Cast, from: u8, to: u8, a: u128) -> u128 {
    let float = || double(a, from);
    let value = match op {
        Cast::Truncate | Cast::ZeroExtend => a,
        Cast::SignExtend => signed(a, from) as u128,
        Cast::FloatToUnsigned => float() as u128,
        Cast::FloatToSigned => float() as i128 as u128,
        Cast::FloatToUnsignedSaturating => (float() as u128).min(mask(to)),
        Cast::FloatToSignedSaturating => {
            let greatest = (mask(to) >> 1) as i128;
            (float() as i128).clamp(-greatest - 1, greatest) as u128
        }
        Cast::UnsignedToFloat if to == 32 => u128::from((a as f32).to_bits()),
        Cast::UnsignedToFloat => u128::from((a as f64).to_bits()),
        Cast::SignedToFloat if to == 32 => u128::from((signed(a, from) as f32).to_bits()),
        Cast::SignedToFloat => u128::from((signed(a, from) as f64).to_bits()),
        Cast::FloatToFloat if from == to => a,
        Cast::FloatToFloat if to == 32 => u128::from((f64::from_bits(a as u64) as f32).to_bits()),
        Cast::FloatToFloat => u128::from(f64::from(f32::from_bits(a as u32)).to_bits()),
    };
    value & mask(to)
}

pub(super) fn rmw(op: Rmw, width: u8, old: u128, new: u128) -> u128 {
    let signed_order = || signed(old, width).cmp(&signed(new, width));
    let value = match op {
        Rmw::Exchange => new,
        Rmw::Add => old.wrapping_add(new),
        Rmw::Sub => old.wrapping_sub(new),
        Rmw::And => old & new,
        Rmw::Nand => !(old & new),
        Rmw::Or => old | new,
        Rmw::Xor => old ^ new,
        Rmw::UnsignedMax => old.max(new),
        Rmw::UnsignedMin => old.min(new),
        Rmw::SignedMax if signed_order().is_gt() => old,
        Rmw::SignedMin if signed_order().is_lt() => old,
        Rmw::SignedMax | Rmw::SignedMin => new,
    };
    value & mask(width)
}

/// The result of an operation whose operands are of one width, and whether it wraps around.
pub(super) fn overflowing(op: Intrinsic, width: u8, a: u128, b: u128) -> (u128, bool) {
    use Intrinsic::*;
    let (x, y) = (signed(a, width), signed(b, width));
    // Results are exact in 128 bits, or else what 128 bits say is right: it is their own width.
    let (value, wraps) = match op {
        UnsignedAddOverflow | UnsignedAddSaturating => a.overflowing_add(b),
        UnsignedSubOverflow | UnsignedSubSaturating => a.overflowing_sub(b),
        UnsignedMulOverflow => a.overflowing_mul(b),
        SignedAddOverflow | SignedAddSaturating => signed_result(x.overflowing_add(y)),
        SignedSubOverflow | SignedSubSaturating => signed_result(x.overflowing_sub(y)),
        _ => signed_result(x.overflowing_mul(y)),
    };
    let result = value & mask(width);
    let fits = match op {
        UnsignedAddOverflow
        | UnsignedAddSaturating
        | UnsignedSubOverflow
        | UnsignedSubSaturating
        | UnsignedMulOverflow => result == value,
        _ => signed(result, width) as u128 == value,
    };
    (result, wraps || !fits)
}

fn signed_result((value, wraps): (i128, bool)) -> (u128, bool) {
    (value as u128, wraps)
}

fn saturating(op: Intrinsic, width: u8, a: u128, b: u128) -> u128 {
    use Intrinsic::*;
    let (value, wraps) = overflowing(op, width, a, b);
    let negative = signed(a, width) < 0;
    let greatest = mask(width) >> 1;
    match op {
        _ if !wraps => value,
        UnsignedAddSaturating => mask(width),
        UnsignedSubSaturating => 0,
        _ if negative => greatest + 1,
        _ => greatest,
    }
}

fn shift_saturating(op: Intrinsic, width: u8, a: u128, b: u128) -> u128 {
    let shifted = if b < 128 { (a << b) & mask(width) } else { 0 };
    let greatest = mask(width) >> 1;
    if op == Intrinsic::UnsignedShiftLeftSaturating {
        return if b < 128 && shifted >> b == a { shifted } else { mask(width) };
    }
    let back = signed(shifted, width).checked_shr(b as u32);
    match back {
        Some(back) if back == signed(a, width) => shifted,
        _ if signed(a, width) < 0 => greatest + 1,
        _ => greatest,
    }
}

/// Functions of one lane with one result.
pub(super) fn intrinsic(op: Intrinsic, width: u8, a: u128, b: u128, c: u128) -> u128 {
    use Intrinsic::*;
    let order = || signed(a, width).cmp(&signed(b, width));
    let unused = 128 - u32::from(width);
    let value = match op {
        UnsignedAddSaturating
        | SignedAddSaturating
        | UnsignedSubSaturating
        | SignedSubSaturating => saturating(op, width, a, b),
        UnsignedShiftLeftSaturating | SignedShiftLeftSaturating => {
            shift_saturating(op, width, a, b)
        }
        UnsignedMin => a.min(b),
        UnsignedMax => a.max(b),
        SignedMin => {
            if order().is_lt() {
                a
            } else {
                b
            }
        }
        SignedMax => {
            if order().is_gt() {
                a
            } else {
                b
            }
        }
        Absolute => signed(a, width).wrapping_abs() as u128,
        PopulationCount => u128::from(a.count_ones()),
        LeadingZeros => u128::from(a.leading_zeros().saturating_sub(unused)),
        TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(width))),
        SwapBytes => a.swap_bytes() >> unused,
        ReverseBits => a.reverse_bits() >> unused,
        FunnelShiftLeft => funnel(width, a, b, c % u128::from(width)),
        // To the right by nothing is the lower half.
        FunnelShiftRight if c.is_multiple_of(u128::from(width)) => b,
        FunnelShiftRight => funnel(width, a, b, u128::from(width) - c % u128::from(width)),
        IntegerPower => return in_width!(width, |x = a| x.powi(b as u32 as i32)),
        FloatClass => u128::from(class(width, a) & b != 0),
        MultiplyAdd => return in_width!(width, |x = a, y = b, z = c| x.mul_add(y, z)),
        _ => a,
    };
    value & mask(width)
}

/// The class of a float, as a bit of LLVM's mask.
fn class(width: u8, bits: u128) -> u128 {
    let (category, quiet, negative) = if width == 32 {
        let x = f32::from_bits(bits as u32);
        (x.classify(), bits >> 22 & 1 == 1, x.is_sign_negative())
    } else {
        let x = f64::from_bits(bits as u64);
        (x.classify(), bits >> 51 & 1 == 1, x.is_sign_negative())
    };
    // From the least of the negative ones to the greatest of the positive ones.
    let place = match category {
        FpCategory::Nan => return if quiet { 2 } else { 1 },
        FpCategory::Infinite => 0,
        FpCategory::Normal => 1,
        FpCategory::Subnormal => 2,
        FpCategory::Zero => 3,
    };
    if negative { 4 << place } else { 0x200 >> place }
}

fn funnel(width: u8, high: u128, low: u128, by: u128) -> u128 {
    if by == 0 { high } else { high << by | low >> (u128::from(width) - by) }
}

/// Whether a is less, equal or greater: -1, 0 or 1 in a width of its own.
pub(super) fn three_way(op: Intrinsic, width: u8, a: u128, b: u128, result: u8) -> u128 {
    let order = match op {
        Intrinsic::SignedCompare => signed(a, width).cmp(&signed(b, width)),
        _ => a.cmp(&b),
    };
    (order as i8 as i128 as u128) & mask(result)
}

/// Two lanes to one.
pub(super) fn reduce(op: Intrinsic, width: u8, a: u128, b: u128) -> u128 {
    use Intrinsic::*;
    let order = || signed(a, width).cmp(&signed(b, width));
    let value = match op {
        ReduceAdd => a.wrapping_add(b),
        ReduceMul => a.wrapping_mul(b),
        ReduceAnd => a & b,
        ReduceOr => a | b,
        ReduceXor => a ^ b,
        ReduceUnsignedMax => a.max(b),
        ReduceUnsignedMin => a.min(b),
        ReduceSignedMax if order().is_gt() => a,
        ReduceSignedMin if order().is_lt() => a,
        _ => b,
    };
    value & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_of_bytes_is_that_of_rust() {
        use Intrinsic::*;
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (u128::from(a), u128::from(b));
                let (i, j) = (a as i8, b as i8);
                let two = |(value, wraps): (u8, bool)| (u128::from(value), wraps);
                let signs = |(value, wraps): (i8, bool)| (u128::from(value as u8), wraps);
                assert_eq!(overflowing(UnsignedAddOverflow, 8, x, y), two(a.overflowing_add(b)));
                assert_eq!(overflowing(UnsignedSubOverflow, 8, x, y), two(a.overflowing_sub(b)));
                assert_eq!(overflowing(UnsignedMulOverflow, 8, x, y), two(a.overflowing_mul(b)));
                assert_eq!(overflowing(SignedAddOverflow, 8, x, y), signs(i.overflowing_add(j)));
                assert_eq!(overflowing(SignedSubOverflow, 8, x, y), signs(i.overflowing_sub(j)));
                assert_eq!(overflowing(SignedMulOverflow, 8, x, y), signs(i.overflowing_mul(j)));
                let byte = |op, c| intrinsic(op, 8, x, y, c) as u8;
                assert_eq!(byte(SignedAddSaturating, 0) as i8, i.saturating_add(j));
                assert_eq!(byte(SignedSubSaturating, 0) as i8, i.saturating_sub(j));
                assert_eq!(byte(UnsignedSubSaturating, 0), a.saturating_sub(b));
                assert_eq!(intrinsic(FunnelShiftLeft, 8, x, x, y) as u8, a.rotate_left(b.into()));
                assert_eq!(intrinsic(FunnelShiftRight, 8, x, x, y) as u8, a.rotate_right(b.into()));
                let divided = binary(Binary::SignedDiv, 8, x, y).ok();
                assert_eq!(divided, i.checked_div(j).map(|value| u128::from(value as u8)));
            }
            let x = u128::from(a);
            assert_eq!(intrinsic(LeadingZeros, 8, x, 0, 0), u128::from(a.leading_zeros()));
            assert_eq!(intrinsic(TrailingZeros, 8, x, 0, 0), u128::from(a.trailing_zeros()));
            assert_eq!(intrinsic(ReverseBits, 8, x, 0, 0) as u8, a.reverse_bits());
        }
    }

    #[test]
    fn products_of_wide_integers_keep_their_upper_half() {
        let (a, b) = (u128::MAX - 3, 76_624_777_043_294_442_917_917_351_357_515_459_181u128);
        let product = wide(Binary::Mul, 256, [a, 0], [b, 0]);
        // (2^128 - 4) * b = b * 2^128 - 4b
        let expected = wide(Binary::Sub, 256, [0, b], wide(Binary::ShiftLeft, 256, [b, 0], [2, 0]));
        assert_eq!(product, expected);
        assert_eq!(wide(Binary::LogicalShiftRight, 256, product, [128, 0])[0], product[1]);
    }

    #[test]
    fn comparisons_in_three_steps_have_a_sign() {
        assert_eq!(three_way(Intrinsic::SignedCompare, 128, u128::MAX, 0, 8), 255);
        assert_eq!(three_way(Intrinsic::UnsignedCompare, 1, 1, 0, 8), 1);
    }
}
