//! The grammars of the repository, and tables of any.

use std::fs;
use std::path::{Path, PathBuf};

use pleach_core::table::Table;

/// The grammar files of a folder of the repository, as `grammars`, by name with the ending, in order.
///
/// # Panics
///
/// Where the folder or a file cannot be read.
pub fn grammar_files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("the folder is read").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "pleach"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        (path.file_name().expect("it ends in .pleach").to_string_lossy().into_owned(), text)
    };
    let mut files: Vec<(String, String)> = paths.map(read).collect();
    files.sort();
    files
}

/// The table of a grammar in the native notation.
///
/// # Panics
///
/// Where it is none, with its messages.
pub fn table(text: &str) -> Table {
    Table::parse(text).unwrap_or_else(|error| panic!("{error}"))
}
