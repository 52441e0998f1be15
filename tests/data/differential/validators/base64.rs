//! Base64 with padding: groups of four characters, of which the last may end in one or two `=`.

fn is_base64_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '+' || c == '/'
}

/// Whether a text is in base64.
pub fn is_base64(text: &str) -> bool {
    let mut in_group = 0;
    let mut padding = 0;
    for c in text.chars() {
        if c == '=' {
            // A group has two characters before its padding.
            if in_group < 2 {
                return false;
            }
            padding += 1;
        } else if padding > 0 || !is_base64_char(c) {
            return false;
        }
        in_group += 1;
        if in_group == 4 {
            in_group = 0;
            if padding > 0 {
                // Nothing follows a group with padding.
                padding = 3;
            }
        }
    }
    in_group == 0
}
