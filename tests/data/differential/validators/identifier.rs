//! An identifier as in C.

fn is_start(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic()
}

fn is_continue(c: char) -> bool {
    is_start(c) || c.is_ascii_digit()
}

/// Whether a text is an identifier.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if is_start(first) => chars.all(is_continue),
        _ => false,
    }
}
