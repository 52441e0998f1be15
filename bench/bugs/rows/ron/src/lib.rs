//! A document is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = ron::from_str::<ron::Value>(text);
}
