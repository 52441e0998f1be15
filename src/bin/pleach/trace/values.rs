//! What was compared, in words.

use pleach::inside::ir::{Compare, Intrinsic};
use pleach::inside::trace::{Comparison, ComparisonMode};
use pleach::report::{shortened, visible};

/// How many characters of compared texts are shown.
const TEXT: usize = 40;

/// A comparison as it came out: `98 'b' != 97 'a'`.
pub(super) fn comparison(comparison: &Comparison) -> String {
    let holds = comparison.holds;
    match &comparison.mode {
        ComparisonMode::Integers(compare, width, values) => {
            let signed = matches!(
                compare,
                Compare::SignedLess
                    | Compare::SignedLessEqual
                    | Compare::SignedGreater
                    | Compare::SignedGreaterEqual
            );
            let [left, right] = values.map(|value| integer(value, *width, signed));
            format!("{left} {} {right}", sign(*compare, holds))
        }
        ComparisonMode::Floats(_, width, values) => {
            let [left, right] = values.map(|bits| float(bits, *width));
            format!("{left} {} {right}", relation(left, right))
        }
        ComparisonMode::Overflow(intrinsic, width, values) => {
            let (sign, signed) = operation(*intrinsic);
            let [left, right] = values.map(|value| integer(value, *width, signed));
            let overflows = if holds { "overflows" } else { "does not overflow" };
            format!("{left} {sign} {right} {overflows}")
        }
        ComparisonMode::Bytes(texts) => {
            let [left, right] = texts.each_ref().map(|text| shortened(&visible(text), TEXT));
            format!("\"{left}\" {} \"{right}\"", if holds { "==" } else { "!=" })
        }
    }
}

/// The sign of what holds, where a comparison does or does not.
fn sign(compare: Compare, holds: bool) -> &'static str {
    let (so, otherwise) = match compare {
        Compare::Equal => ("==", "!="),
        Compare::NotEqual => ("!=", "=="),
        Compare::UnsignedLess | Compare::SignedLess => ("<", ">="),
        Compare::UnsignedLessEqual | Compare::SignedLessEqual => ("<=", ">"),
        Compare::UnsignedGreater | Compare::SignedGreater => (">", "<="),
        Compare::UnsignedGreaterEqual | Compare::SignedGreaterEqual => (">=", "<"),
    };
    if holds { so } else { otherwise }
}

/// The sign of an operation that may overflow, and whether its numbers have signs.
fn operation(intrinsic: Intrinsic) -> (&'static str, bool) {
    match intrinsic {
        Intrinsic::UnsignedAddOverflow => ("+", false),
        Intrinsic::SignedAddOverflow => ("+", true),
        Intrinsic::UnsignedSubOverflow => ("-", false),
        Intrinsic::SignedSubOverflow => ("-", true),
        Intrinsic::SignedMulOverflow => ("*", true),
        // No other has a second result.
        _ => ("*", false),
    }
}

fn float(bits: u128, width: u8) -> f64 {
    if width == 32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits as u64) }
}

fn relation(left: f64, right: f64) -> &'static str {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match left.partial_cmp(&right) {
        Some(Equal) => "==",
        Some(Less) => "<",
        Some(Greater) => ">",
        None => "and",
    }
}

/// A number, and the character or text that it may be.
pub(super) fn integer(value: u128, width: u8, signed: bool) -> String {
    let mut text = value.to_string();
    if signed && (1..128).contains(&width) && value >> (width - 1) & 1 == 1 {
        text = (value as i128 - (1_i128 << width)).to_string();
    } else if signed && width == 128 {
        text = (value as i128).to_string();
    }
    match meant(value, width) {
        Some(meant) => format!("{text} {meant}"),
        // An address mostly, or a hash.
        None if width == 64 && !signed && value >> 32 > 0 => format!("{value:#x}"),
        None => text,
    }
}

/// What a number may stand for: a character, or bytes that were read at once.
fn meant(value: u128, width: u8) -> Option<String> {
    let character = u32::try_from(value).ok().and_then(char::from_u32);
    match (width, character) {
        (8 | 32, Some(c)) if c.is_ascii_graphic() || c == ' ' => Some(format!("'{c}'")),
        (32, Some(c)) if !c.is_ascii() && c.is_alphanumeric() => Some(format!("'{c}'")),
        (16 | 32 | 64 | 128, _) => {
            let bytes = &value.to_le_bytes()[..usize::from(width / 8)];
            let is_text = bytes.iter().all(|it| it.is_ascii_graphic() || *it == b' ');
            is_text.then(|| format!("\"{}\"", visible(bytes)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach::inside::trace::ByteSet;

    fn shown(mode: ComparisonMode, holds: bool) -> String {
        comparison(&Comparison { mode, holds, bytes: [ByteSet::EMPTY; 2] })
    }

    #[test]
    fn what_is_said_holds() {
        let equal = |width, values| ComparisonMode::Integers(Compare::Equal, width, values);
        assert_eq!(shown(equal(8, [98, 97]), false), "98 'b' != 97 'a'");
        assert_eq!(shown(equal(64, [98, 98]), true), "98 == 98");
        let less = ComparisonMode::Integers(Compare::SignedLess, 16, [0xfffe, 7]);
        assert_eq!(shown(less, true), "-2 < 7");
        let less = ComparisonMode::Integers(Compare::UnsignedLess, 32, [228, 128]);
        assert_eq!(shown(less, false), "228 'ä' >= 128");
        let word = u128::from(u32::from_le_bytes(*b"GET "));
        assert_eq!(shown(equal(32, [word, 0]), false), "542393671 \"GET \" != 0");
        let less = ComparisonMode::Overflow(Intrinsic::UnsignedSubOverflow, 8, [3, 17]);
        assert_eq!(shown(less, true), "3 - 17 overflows");
        let texts = ComparisonMode::Bytes([Box::from(*b"a\xff"), Box::from(*b"b")]);
        assert_eq!(shown(texts, false), "\"a\\xFF\" != \"b\"");
        assert_eq!(integer(u128::MAX, 128, true), "-1");
        assert_eq!(integer(7 << 32, 64, false), "0x700000000");
    }
}
