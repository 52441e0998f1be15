//! A version is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = version_compare::Version::from(text);
}
