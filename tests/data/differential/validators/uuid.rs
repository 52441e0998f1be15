//! A UUID in its hyphenated form.

/// Whether a text is a UUID.
pub fn is_uuid(text: &str) -> bool {
    if text.len() != 36 {
        return false;
    }
    for (i, c) in text.chars().enumerate() {
        let expected = match i {
            8 | 13 | 18 | 23 => c == '-',
            _ => c.is_ascii_hexdigit(),
        };
        if !expected {
            return false;
        }
    }
    true
}
