//! The grammar files, read and lowered.

use std::path::{Path, PathBuf};

use pleach::grammar::{Files, Grammar};
use pleach::table::{Lowering, Table};

/// The folder of grammars.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../grammars")
}

/// The grammar `name.pleach`.
///
/// # Panics
///
/// Where the file is missing or wrong, with the message.
pub fn grammar(name: &str) -> Grammar {
    let files = std::fs::read_dir(folder()).expect("the folder of grammars is readable");
    let files = files
        .map(|entry| entry.expect("the folder of grammars is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pleach"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a grammar is UTF-8");
            (path.file_name().expect("a file").to_string_lossy().into_owned(), text)
        });
    let files: Vec<(String, String)> = files.collect();
    let name = format!("{name}.pleach");
    let (_, text) = files
        .iter()
        .find(|(file, _)| *file == name)
        .unwrap_or_else(|| panic!("{name} is not among the grammars"));
    Grammar::read(&name, text, &Files::new(files.clone())).unwrap_or_else(|error| panic!("{error}"))
}

/// The table of the grammar `name.pleach`.
///
/// # Panics
///
/// As [`grammar`], and where lowering fails or warns.
pub fn table(name: &str) -> Table {
    let lowered = Lowering::new().lower(&grammar(name)).unwrap_or_else(|error| panic!("{error}"));
    assert!(lowered.warnings.is_empty(), "{name}: {:?}", lowered.warnings);
    lowered.table
}
