//! A document is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = toml::from_str::<toml::Value>(text);
}
