//! A whole number with an optional sign, of any length.

/// Whether a text is a number.
pub fn is_signed_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| (b'0'..=b'9').contains(&b))
}
