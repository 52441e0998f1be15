//! A duration is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = parse_duration::parse(text);
}
