//! Symbols by number: `%x41`, `%d13.10`, `%b0-1`.

use pest::Parser as _;

use super::{Reader, Rule, Tokens};
use crate::import::ranges::LAST;
use pleach_core::grammar::{Encoding, ExprId, Span};

/// The surrogates.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// Whether a rule's right side has a value that no byte is.
pub(super) fn is_wide(text: &str) -> bool {
    // Most have no values at all.
    if !text.contains('%') {
        return false;
    }
    let Ok(mut tokens) = Tokens::parse(Rule::tokens, text) else { return false };
    tokens.any(|token| {
        token.as_rule() == Rule::number
            && split(token.as_str()).is_some_and(|(radix, digits)| {
                digits
                    .split(['.', '-'])
                    .any(|digits| value(digits, radix).is_some_and(|code| code > 0xFF))
            })
    })
}

/// The base of a value's digits, and they.
fn split(text: &str) -> Option<(u32, &str)> {
    let radix = match text.as_bytes().get(1)?.to_ascii_lowercase() {
        b'b' => 2,
        b'd' => 10,
        b'x' => 16,
        _ => return None,
    };
    Some((radix, text.get(2..)?))
}

fn value(digits: &str, radix: u32) -> Option<u32> {
    u32::from_str_radix(digits, radix).ok()
}

impl Reader<'_> {
    /// A value, a range of them, or several one after the other; none, and an error, where there is no
    /// such symbol.
    pub(super) fn number(&mut self, text: &str, span: Span) -> Option<ExprId> {
        let Some((radix, digits)) = split(text) else {
            self.error(span, "this is no value", "values are written: %x41, %d65, %b1000001");
            return None;
        };
        let is_unicode = self.builder.grammar.encoding == Encoding::Unicode;
        let mut codes = Vec::new();
        for digits in digits.split(['.', '-']) {
            let is_digit = |digit: char| digit.is_digit(radix);
            if !digits.chars().all(is_digit) {
                let help = format!("values with `{}` have digits of base {radix}", &text[..2]);
                self.error(span, format!("`{digits}` is no number here"), help);
                return None;
            }
            match value(digits, radix) {
                Some(code) if code <= if is_unicode { LAST } else { 0xFF } => codes.push(code),
                Some(code) if code <= LAST => {
                    let help = "read the grammar in Unicode (--encoding unicode)";
                    self.error(span, format!("{code:#X} is no byte"), help);
                    return None;
                }
                _ => {
                    self.error(span, "there is no such symbol", "the last one is %x10FFFF");
                    return None;
                }
            }
        }
        let is_surrogate = |code: u32| (SURROGATES.0..=SURROGATES.1).contains(&code);
        if digits.contains('-') {
            let (low, high) = (codes[0], codes[1]);
            if high < low {
                self.error(span, "this range ends before it begins", "turn it round");
                return None;
            }
            if is_unicode && low <= SURROGATES.1 && high >= SURROGATES.0 {
                let effect = if is_surrogate(low) && is_surrogate(high) {
                    "the range is empty, and nothing that needs it can be produced"
                } else {
                    "they are left out of the range"
                };
                self.builder.lose(span, "surrogates (%xD800-DFFF) are no characters", effect);
            }
            return Some(self.builder.class([(low, high)], span));
        }
        if is_unicode && codes.iter().any(|&code| is_surrogate(code)) {
            let effect = "nothing that needs this can be produced";
            self.builder.lose(span, "surrogates (%xD800-DFFF) are no characters", effect);
            return Some(self.builder.class([], span));
        }
        let mut bytes = Vec::new();
        for code in codes {
            match char::from_u32(code) {
                Some(symbol) if is_unicode => {
                    bytes.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => bytes.push(code as u8),
            }
        }
        Some(self.builder.literal(&bytes, false, span))
    }
}
