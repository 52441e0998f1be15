//! A comment as in C, from `/*` to the first `*/`.

/// What stands in the comment.
pub fn comment_text(source: &str) -> Option<&str> {
    let text = source.strip_prefix("/*")?.strip_suffix("*/")?;
    if text.contains("*/") { None } else { Some(text) }
}
