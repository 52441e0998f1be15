//! A URL is read, and its last segment removed.

/// Reads one input.
pub fn run(text: &str) {
    if let Ok(mut url) = url::Url::parse(text) {
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop();
        }
    }
}
