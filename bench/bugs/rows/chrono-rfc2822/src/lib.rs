//! A date of RFC 2822 is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = chrono::DateTime::parse_from_rfc2822(text);
}
