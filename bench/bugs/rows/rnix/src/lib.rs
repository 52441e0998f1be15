//! A program is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = rnix::parse(text);
}
