//! The name of an image file, by its extension.

/// Whether a text is one.
pub fn is_image_name(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    if stem.is_empty() || stem.contains('/') {
        return false;
    }
    matches!(extension, "png" | "jpg" | "jpeg" | "gif")
}
