//! A colour as in CSS: `#` and three or six hexadecimal digits.

/// Whether a text is a colour.
pub fn is_hex_colour(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('#') else { return false };
    matches!(digits.len(), 3 | 6) && digits.chars().all(|c| c.is_ascii_hexdigit())
}
