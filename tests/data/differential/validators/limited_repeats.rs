//! Letters `a` and `b` with at most three `a` in a row.

const LIMIT: u32 = 3;

/// Whether a text is such letters.
pub fn is_limited(text: &str) -> bool {
    let mut in_a_row: u32 = 0;
    for byte in text.bytes() {
        match byte {
            b'a' if in_a_row < LIMIT => in_a_row += 1,
            b'b' => in_a_row = 0,
            _ => return false,
        }
    }
    true
}
