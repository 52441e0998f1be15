//! Files that tests build programs of.

use std::fs;
use std::path::{Path, PathBuf};

/// A copy of a file in a folder, where it belongs to no package. It is written only where it differs, so that what is
/// built of it stays.
///
/// # Panics
///
/// Where the file cannot be read, or the file system refuses the copy.
pub fn copied(file: &Path, folder: &Path) -> PathBuf {
    let text = fs::read(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let copy = folder.join(file.file_name().expect("it is a file"));
    fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    if fs::read(&copy).ok().as_ref() != Some(&text) {
        fs::write(&copy, text).unwrap_or_else(|error| panic!("{copy:?}: {error}"));
    }
    copy
}
