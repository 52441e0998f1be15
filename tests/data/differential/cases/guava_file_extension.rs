//! Google Guava, `Files.getFileExtension`: the extension of a file, given its path.
//!
//! Faulty: the last dot is looked for in the whole path, so a dot in a folder's name counts where the
//! file's name has none. Its documentation: the extension of the file name, or nothing if the file has none.

/// What stands after the last dot, or nothing.
pub fn file_extension(path: &str) -> &str {
    match path.rfind('.') {
        Some(dot) => &path[dot + 1..],
        None => "",
    }
}
