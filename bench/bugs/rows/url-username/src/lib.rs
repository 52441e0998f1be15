//! A URL is read, and the name of its user.

/// Reads one input.
pub fn run(text: &str) {
    if let Ok(url) = url::Url::parse(text) {
        url.username();
    }
}
