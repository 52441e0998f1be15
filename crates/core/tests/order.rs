//! A stage of the core uses only those before it, in the order in which the crate's docs list them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const LIB: &str = include_str!("../src/lib.rs");

/// What lies below all stages, and what stands beside them for other crates.
const NO_STAGES: [&str; 6] = ["displayed", "entropy", "id", "internal", "pack", "rows"];

/// The stages in the order of the table in the crate's docs.
fn stages() -> Vec<&'static str> {
    let rows = LIB.lines().filter_map(|line| line.strip_prefix("//! | [`"));
    rows.map(|row| row.split('`').next().unwrap_or_default()).collect()
}

/// The names that follow `crate::` or `super::` somewhere in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let rest = &text[at + start.len()..];
            let group = rest.strip_prefix('{').and_then(|group| group.split("};").next());
            let heads = match group {
                Some(group) => group.split(|c: char| c == ',' || c.is_whitespace()).collect(),
                None => vec![rest],
            };
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
            names.extend(heads.iter().filter_map(|head| head.split(is_end).next()));
        }
    }
    names
}

/// The stages from `stage` on that a text of it names, but for itself.
fn later<'s>(stages: &[&'s str], stage: &str, text: &str) -> Vec<&'s str> {
    let names = names(text);
    let after = stages.iter().skip_while(|&&it| it != stage).skip(1);
    after.copied().filter(|it| names.contains(it)).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it has an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn every_module_is_a_stage_of_the_list() {
    let modules =
        LIB.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    let modules = modules.filter_map(|line| line.strip_suffix(';'));
    let modules: BTreeSet<&str> = modules.filter(|module| !NO_STAGES.contains(module)).collect();
    assert_eq!(stages().into_iter().collect::<BTreeSet<_>>(), modules);
}

#[test]
fn no_stage_uses_a_later_one() {
    let stages = stages();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for &stage in &stages {
        for file in files(&source.join(stage)) {
            let text = fs::read_to_string(&file).expect("the file is there");
            seen += names(&text).iter().filter(|name| stages.contains(name)).count();
            let later = later(&stages, stage, &text);
            assert!(later.is_empty(), "{} uses {later:?}", file.display());
        }
    }
    assert!(seen > stages.len(), "only {seen} uses were found");
    let entropy = fs::read_to_string(source.join("entropy.rs")).expect("the file is there");
    let named = names(&entropy);
    assert!(!stages.iter().any(|stage| named.contains(stage)), "entropy uses {named:?}");
}

#[test]
fn uses_of_later_stages_are_found_however_they_are_written() {
    let stages = ["table", "tree", "produce"];
    assert_eq!(later(&stages, "table", "use crate::tree::Tree;"), ["tree"]);
    assert_eq!(
        later(&stages, "table", "use crate::{Seeded, produce::TreeLimits, tree};"),
        ["tree", "produce"]
    );
    assert_eq!(
        later(&stages, "tree", "fn of(it: super::super::produce::TreeLimits) {}"),
        ["produce"]
    );
    assert_eq!(later(&stages, "produce", "use crate::tree::Tree;"), [""; 0]);
}
