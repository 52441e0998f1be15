//! Signs such as `(((!xq`: how deep they are nested, by a function that calls itself.

/// How deep it is.
pub fn nest(text: &[u8]) -> u32 {
    level(text, 0)
}

fn level(text: &[u8], depth: u32) -> u32 {
    match text.split_first() {
        Some((b'(', rest)) => level(rest, depth + 1),
        Some((b'!', rest)) if depth == 3 => end(rest),
        _ => depth,
    }
}

fn end(text: &[u8]) -> u32 {
    match *text {
        [b'x', last] => 10 / u32::from(last ^ b'q'),
        _ => 1,
    }
}
