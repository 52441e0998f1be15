//! A document is read as a value.

/// Reads one input.
pub fn run(text: &str) {
    let _ = serde_hjson::from_str::<serde_hjson::Value>(text);
}
