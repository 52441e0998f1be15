//! A multiple of three in binary digits.

/// Whether a text is such a number.
pub fn is_multiple_of_three(text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let mut remainder: u8 = 0;
    for c in text.chars() {
        let bit = match c {
            '0' => 0,
            '1' => 1,
            _ => return false,
        };
        remainder = (remainder * 2 + bit) % 3;
    }
    remainder == 0
}
