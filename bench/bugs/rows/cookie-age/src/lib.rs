//! A cookie is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = cookie::Cookie::parse(text);
}
