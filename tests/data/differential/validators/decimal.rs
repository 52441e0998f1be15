//! A number of JSON without an exponent.

/// Whether a text is such a number.
pub fn is_decimal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    match bytes.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => {
            while matches!(bytes.get(at), Some(b'0'..=b'9')) {
                at += 1;
            }
        }
        _ => return false,
    }
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let fraction = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        if at == fraction {
            return false;
        }
    }
    at == bytes.len()
}
