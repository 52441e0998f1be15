//! A token is decoded.

/// Reads one input.
pub fn run(text: &str) {
    let _ = branca::decode(text, b"supersecretkeyyoushouldnotcommit", 0);
}
