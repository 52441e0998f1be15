//! Texts that were not produced: what others write, a grammar must read.

use std::path::PathBuf;

use pleach::parse::{Parser, Scratch};
use pleach::table::Table;
use pleach::tree::Tree;

use crate::grammars;
use crate::oracle::{Reader, Subject};

/// Reads the samples that a grammar's oracles accept and the texts in its folder of `texts/`.
pub fn check(subject: &Subject) {
    let name = subject.grammar;
    let table = grammars::table(name);
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let mut refused = Vec::new();
    let texts = texts(name);
    assert!(!texts.is_empty(), "{name}: no texts");
    let samples = subject.oracles.iter().flat_map(|oracle| oracle.accepted);
    let samples = samples.map(|text| (format!("{text:?}"), text.as_bytes().to_vec()));
    for (index, (place, text)) in texts.iter().cloned().chain(samples).enumerate() {
        if let Err(error) = parser.parse(&text, &mut scratch, &mut tree) {
            refused.push(format!("{place}: {error}"));
            continue;
        }
        assert_eq!(tree.text(), text);
        tree.check(&table).unwrap_or_else(|error| panic!("{place}: {error}"));
        if index < texts.len() {
            accepted(subject, &table, &tree, &place);
        }
    }
    assert!(refused.is_empty(), "{name} does not read\n{}", refused.join("\n"));
}

/// A text of the folder is one that every oracle accepts, or one at least where some are of a part.
fn accepted(subject: &Subject, table: &Table, tree: &Tree, place: &str) {
    let mut some = false;
    for oracle in subject.oracles {
        let verdict = match oracle.read {
            Reader::Text(read) | Reader::Part(read, _) => read(tree.text()),
            Reader::Rewritten(rewrite, read) => read(&rewrite(table, tree)),
            Reader::Tree(read) => read(table, tree),
        };
        some |= verdict.is_ok();
        let part = matches!(oracle.read, Reader::Part(..));
        assert!(part || verdict.is_ok(), "{}: {place}: {verdict:?}", oracle.name);
    }
    assert!(some, "{place} is accepted by no oracle");
}

/// The texts of a grammar, each with its place.
fn texts(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = grammars::folder().join("../oracles/texts").join(name);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    paths.sort();
    let text = |path: PathBuf| {
        let text = std::fs::read(&path).expect("a text is readable");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(text).collect()
}
