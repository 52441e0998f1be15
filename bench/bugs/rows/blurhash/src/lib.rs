//! A small picture is decoded.

/// Reads one input.
pub fn run(text: &str) {
    let _ = blurhash::decode(text, 8, 8, 1.0);
}
