//! Numbers at which arithmetic goes wrong.

use std::io::Write;

use crate::mutate::SplitMix64;

/// Powers of two at which a type ends: integers, and the integers of a 64-bit float.
const BITS: [u32; 10] = [7, 8, 15, 16, 31, 32, 53, 63, 64, 127];

/// Exponents at which floats of 32 and 64 bits overflow and underflow, and numbers that are special.
const OTHERS: [u32; 8] = [0, 1, 38, 45, 308, 309, 324, 1024];

/// Appends the digits of a number at a bound, or as many nines or zeros as there is room for at most; nines
/// alone where there is no room for the number.
pub(super) fn write(most: usize, random: &mut SplitMix64, text: &mut Vec<u8>) {
    match random.index(4) {
        0 => {
            let other = OTHERS[random.index(OTHERS.len())];
            tell(other.into(), most, text);
        }
        1 => {
            let digits = 1 + random.index(most.max(1));
            let [first, rest] = if random.once_in(2) { [b'9'; 2] } else { [b'1', b'0'] };
            text.push(first);
            text.resize(text.len() + digits - 1, rest);
        }
        _ => {
            let power = 1_u128 << BITS[random.index(BITS.len())];
            tell(power - 1 + random.index(3) as u128, most, text);
        }
    }
}

fn tell(number: u128, most: usize, text: &mut Vec<u8>) {
    let start = text.len();
    // Writing to a vector does not fail.
    let _ = write!(text, "{number}");
    if text.len() - start > most {
        text.truncate(start);
        text.resize(start + most, b'9');
    }
}
