//! A whole number with an optional sign, of any length.

/// Whether a text is a number.
pub fn is_signed_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut any = false;
    for b in digits.bytes() {
        match b {
            b'0'..=b'9' => any = true,
            _ => return false,
        }
    }
    any
}
