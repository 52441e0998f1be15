//! What a text becomes and what is said of it; and texts that are no grammars.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pleach::grammar::{Diagnostic, NoIncludes, SourceFile, Sources};
use pleach::import::{Importer, Notation};
use pleach::table::Table;
use pleach::{Entropy, Seeded};

use crate::{import, lower};

/// The table of one of the grammars that come with the library.
#[track_caller]
pub fn ours(name: &str) -> Table {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    lower(&import(Importer::new(), &folder.join(name).with_extension("pleach"))).table
}

/// Asserts that two lists are equal item by item, and shows all that are not.
#[track_caller]
pub fn equal<T: PartialEq + Debug>(items: impl IntoIterator<Item = (String, T, T)>) {
    let wrong: Vec<_> = items.into_iter().filter(|(_, is, should)| is != should).collect();
    assert!(wrong.is_empty(), "what is, and what should be: {wrong:#?}");
}

/// A text in the native notation.
#[track_caller]
pub fn native(notation: Notation, text: &str) -> String {
    let importer = Importer::new().notation(notation);
    let imported = importer.read("test", text, &NoIncludes);
    imported.unwrap_or_else(|error| panic!("{text}: {error}")).grammar.to_string()
}

/// What of a text is lost: `line:column: what`, and that each is an error where the caller is strict.
#[track_caller]
pub fn losses(notation: Notation, text: &str) -> Vec<String> {
    let importer = Importer::new().notation(notation);
    let imported = importer.read("test", text, &NoIncludes);
    let imported = imported.unwrap_or_else(|error| panic!("{text}: {error}"));
    let strict = importer.strict(true).read("test", text, &NoIncludes);
    let errors = strict.err().map_or(0, |error| error.diagnostics().len());
    assert_eq!(errors, imported.warnings.len(), "{text}");
    said(&imported.grammar.files, &imported.warnings)
}

/// The mistakes of a text: `line:column: what`.
#[track_caller]
pub fn mistakes(notation: Notation, text: &str) -> Vec<String> {
    match Importer::new().notation(notation).read("test", text, &NoIncludes) {
        Ok(imported) => panic!("{text} is {}", imported.grammar),
        Err(error) => said(error.files(), error.diagnostics()),
    }
}

fn said(files: &[SourceFile], diagnostics: &[Diagnostic]) -> Vec<String> {
    let sources = Sources::new(files);
    let said = diagnostics.iter().map(|diagnostic| {
        let place = sources.locate(diagnostic.span).expect("it is of the text");
        assert!(diagnostic.help.is_some(), "nothing helps with: {}", diagnostic.message);
        format!("{}:{}: {}", place.line, place.column, diagnostic.message)
    });
    said.collect()
}

/// How long reading a damaged text may take: far more than it does, far less than what is quadratic.
const SOON: Duration = Duration::from_secs(20);

/// Asserts that texts are read to an end, whatever becomes of them: these, and those of some files with
/// a byte lost, doubled or replaced, or the rest lost, at many places.
#[track_caller]
pub fn endures(notation: Notation, texts: &[String], files: &[PathBuf]) {
    let read = |text: &str| {
        let begun = Instant::now();
        let _ = Importer::new().notation(notation).read("test", text, &NoIncludes);
        let head: String = text.chars().take(60).collect();
        assert!(begun.elapsed() < SOON, "{head}...: {:?}", begun.elapsed());
    };
    texts.iter().for_each(|text| read(text));
    let mut seed = Seeded::new(1);
    for path in files {
        let text = std::fs::read_to_string(path).unwrap();
        for round in 0..200 {
            let mut bytes = text.clone().into_bytes();
            let mut draw = |bound: usize| seed.below(bound as u64) as usize;
            let (at, from) = (draw(bytes.len()), draw(bytes.len()));
            match round % 4 {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, bytes[from]),
                2 => bytes[at] = bytes[from],
                _ => bytes.truncate(at),
            }
            read(&String::from_utf8_lossy(&bytes));
        }
    }
}
