//! Grammars of other notations: read, produced from, parsed back, and compared with native ones.

mod abnf;
mod agree;
mod antlr;
mod any;
mod bnf;
mod brics;
mod expect;
mod export;
mod fuzzingbook;
mod gbnf;
mod iso;
#[path = "../large/mod.rs"]
mod large;
#[path = "../naive/mod.rs"]
mod naive;
mod nautilus;
mod operators;
mod pest;
mod size;
#[path = "../tables/mod.rs"]
mod tables;
mod tree_sitter;
mod tribble;
mod w3c;

use std::path::{Path, PathBuf};

use pleach::build::FileSystem;
use pleach::import::{Imported, Importer};
use pleach::table::{Lowered, Lowering};

/// The folder of a notation's grammars.
fn folder(notation: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import").join(notation)
}

/// Imports a file, which must be possible.
#[track_caller]
fn import(importer: Importer, path: &Path) -> Imported {
    let files = FileSystem::new();
    let main = files.read(path).unwrap_or_else(|error| panic!("{error}"));
    importer.read(&main.name, &main.text, &files).unwrap_or_else(|error| panic!("{error}"))
}

/// The table of an imported grammar.
#[track_caller]
fn lower(imported: &Imported) -> Lowered {
    let lowering = Lowering::new().lower(&imported.grammar);
    lowering.unwrap_or_else(|error| panic!("{error}"))
}

/// The files of a notation's folder that have its extension: five at least.
#[track_caller]
fn grammars(notation: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(notation)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    assert!(files.len() >= 5, "{} grammars", files.len());
    files
}

/// Asserts that what an imported grammar produces is read back, and gives how many rules it has.
#[track_caller]
fn proves(path: &Path) -> usize {
    let imported = import(Importer::new(), path);
    let lowered = lower(&imported);
    agree::reads_back(&lowered.table, &path.display().to_string());
    lowered.table.produced_rules().count()
}

/// Asserts that what the grammars of a folder produce is read back, and that the largest has more than 150
/// rules.
#[track_caller]
fn prove_all(notation: &str, extension: &str) {
    let rules: Vec<usize> = grammars(notation, extension).iter().map(|path| proves(path)).collect();
    assert!(rules.iter().any(|&rules| rules > 150), "{rules:?}");
}

/// Asserts that the grammars of a folder accept the same texts as those of the same names that come with the
/// library; but for some that are of another language, each with the reason, and these must be.
#[track_caller]
fn same_as_ours(importer: &Importer, notation: &str, extension: &str, others: &[(&str, &str)]) {
    let mut left: Vec<&str> = others.iter().map(|&(name, _)| name).collect();
    let mut same = 0;
    for path in grammars(notation, extension) {
        let name = path.file_stem().unwrap().to_string_lossy().to_lowercase();
        if !Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("grammars/{name}.pleach")).exists() {
            continue;
        }
        let (theirs, ours) = (import(importer.clone(), &path), expect::our_table(&name));
        let theirs = lower(&theirs).table;
        match left.iter().position(|&other| other == name) {
            Some(at) => {
                left.remove(at);
                assert!(agree::compare(&theirs, &ours).is_err(), "{name} is the same by now");
            }
            None => {
                same += 1;
                agree::accept_the_same(&theirs, &ours, &name);
            }
        }
    }
    assert!(left.is_empty(), "no grammar has the name of {left:?}");
    assert!(same > 0, "{notation}: none is the same");
}
