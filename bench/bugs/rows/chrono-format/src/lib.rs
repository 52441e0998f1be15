//! The text is a date, and its format too.

/// Reads one input.
pub fn run(text: &str) {
    let _ = chrono::DateTime::parse_from_str(text, text);
}
