//! A phone number as it is written in North America, `555-123-4567`.

/// Area, exchange and line.
pub fn phone_parts(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    if bytes.len() != 12 || bytes[3] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let digits = |range: std::ops::Range<usize>| {
        let part = text.get(range)?;
        part.bytes().all(|b| b.is_ascii_digit()).then_some(part)
    };
    Some((digits(0..3)?, digits(4..7)?, digits(8..12)?))
}
