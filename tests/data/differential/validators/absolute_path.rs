//! An absolute path of names in small letters and dots, none of which is `.` or `..`.

fn is_name(name: &str) -> bool {
    match name {
        "" | "." | ".." => false,
        _ => name.chars().all(|c| c == '.' || c.is_ascii_lowercase()),
    }
}

/// Whether a text is such a path.
pub fn is_absolute_path(text: &str) -> bool {
    if !text.starts_with('/') {
        return false;
    }
    text.split('/').skip(1).all(is_name)
}
