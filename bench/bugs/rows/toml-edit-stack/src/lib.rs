//! A document is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = text.parse::<toml_edit::Document>();
}
