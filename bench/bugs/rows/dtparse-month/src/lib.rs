//! A date is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = dtparse::parse(text);
}
