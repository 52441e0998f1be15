//! A regex is compiled.

/// Reads one input.
pub fn run(text: &str) {
    let _ = regex::Regex::new(text);
}
