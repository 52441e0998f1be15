//! Apache Commons IO, `FilenameUtils.getExtension`: the extension of a file, given its path.
//!
//! Faulty: it knows nothing of NTFS streams, whose name follows the file's after a colon, and takes the
//! extension of a stream for the file's. [MS-FSCC], section 2.1.5: `filename:streamname`.

const EXTENSION_SEPARATOR: char = '.';

fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

fn index_of_extension(path: &str) -> Option<usize> {
    let dot = path.rfind(EXTENSION_SEPARATOR)?;
    match path.rfind(is_separator) {
        Some(separator) if separator > dot => None,
        _ => Some(dot),
    }
}

/// What stands after the last dot of the file's name, or nothing.
pub fn extension(path: &str) -> &str {
    index_of_extension(path).map_or("", |dot| &path[dot + 1..])
}
