//! A requirement is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = semver::VersionReq::parse(text);
}
