//! What imported grammars derive, judged by the parsers that run the same files.
//!
//! A grammar is read by the importer and by a judge; what is produced from the first the second must
//! accept, and of what is changed it must accept what the first one's parser accepts.

mod pest;
mod tree_sitter;

use std::path::{Path, PathBuf};

use pleach::Entropy as _;
use pleach::Seeded;
use pleach::grammar::NoIncludes;
use pleach::import::Importer;
use pleach::kpath::Scope;
use pleach::parse::{Parser, Scratch};
use pleach::produce::{Characters, Cover, CoverOptions, Options, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

/// Sentences that are produced at random, besides those that cover the 2-paths.
const RANDOM: u64 = 2_000;

/// Changed sentences.
const MUTATED: usize = 1_000;

/// The folder of a notation's grammars.
fn folder(notation: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/import").join(notation)
}

/// A grammar file as a table.
fn import(path: &Path) -> Table {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let imported = Importer::new().read(&name, &text, &NoIncludes);
    let imported = imported.unwrap_or_else(|error| panic!("{error}"));
    let lowered = Lowering::new().lower(&imported.grammar);
    lowered.unwrap_or_else(|error| panic!("{error}")).table
}

/// What a comparison has found.
#[derive(Debug, Default)]
struct Findings {
    /// Produced sentences, and those of them that the judge refuses.
    produced: usize,
    refused: Vec<String>,
    /// Changed sentences that the grammar accepts, and those on which the judge differs.
    accepted: usize,
    differing: Vec<String>,
    /// How many of these are of the kind on which it may.
    excused: usize,
}

/// Compares a grammar with a judge, which may differ on changed sentences of a kind.
fn compare(table: &Table, accepts: impl Fn(&str) -> bool, excused: fn(&str) -> bool) -> Findings {
    let parser = Parser::new(table);
    let mut scratch = Scratch::new();
    let mut findings = Findings::default();
    let (mut seed, mut tree) = (Seeded::new(1), Tree::new());
    let mut texts = Vec::new();
    let mut cover = Cover::new(table, CoverOptions::new(2).scope(Scope::UpTo)).unwrap();
    while cover.next_tree(&mut seed, &mut tree) {
        texts.push(String::from_utf8(tree.text().to_vec()).expect("Unicode grammars derive UTF-8"));
    }
    // Every sentence counts, not only plain ones.
    let options = Options::new().size(60).characters(Characters::Mixed);
    let mut producer = Producer::new(table, options).unwrap();
    for index in 0..RANDOM {
        producer.produce(&mut Seeded::new(index), &mut tree);
        texts.push(String::from_utf8(tree.text().to_vec()).expect("Unicode grammars derive UTF-8"));
    }
    findings.produced = texts.len();
    for text in &texts {
        if !accepts(text) {
            findings.refused.push(text.clone());
        }
    }
    let mut mutated = 0;
    while mutated < MUTATED {
        let mut draw = |bound: usize| seed.below(bound.max(1) as u64) as usize;
        let mut symbols: Vec<char> = texts[draw(texts.len())].chars().collect();
        for _ in 0..1 + draw(2) {
            let (at, from) = (draw(symbols.len()), draw(symbols.len()));
            match (draw(3), symbols.get(from).copied()) {
                (0, Some(_)) => drop(symbols.remove(at)),
                (1, Some(symbol)) => symbols.insert(at, symbol),
                (_, Some(symbol)) => symbols[at] = symbol,
                (_, None) => symbols.push(char::from(b' ' + draw(95) as u8)),
            }
        }
        let text: String = symbols.into_iter().collect();
        mutated += 1;
        let found = parser.recognise(text.as_bytes(), &mut scratch).is_ok();
        findings.accepted += usize::from(found);
        if found != accepts(&text) && excused(&text) {
            findings.excused += 1;
        } else if found != accepts(&text) {
            let verdict = if found { "accepted" } else { "refused" };
            findings.differing.push(format!("{verdict} here alone: {text:?}"));
        }
    }
    findings
}

/// That of what is produced at least 99 of 100 are accepted, and that what is changed is judged alike; an
/// error says what else there is.
fn check(name: &str, findings: &Findings) -> Result<(), String> {
    let Findings { produced, refused, accepted, differing, excused } = findings;
    println!(
        "{name}: {produced} produced, {} refused; {accepted} of {MUTATED} changed ones accepted, {} differ, \
         {excused} more may",
        refused.len(),
        differing.len()
    );
    refused.iter().take(5).for_each(|text| println!("refused: {text:?}"));
    let shown = |texts: &[String]| texts[..texts.len().min(10)].join("\n");
    if refused.len() * 100 > *produced {
        return Err(format!("{name}: refused:\n{}", shown(refused)));
    }
    if !differing.is_empty() || *excused > MUTATED / 100 {
        return Err(format!("{name}: {excused} excused, and {}", shown(differing)));
    }
    // Some are accepted and some are not, or the judge has not judged.
    if *accepted < MUTATED / 50 || *accepted > MUTATED * 49 / 50 {
        return Err(format!("{name}: {accepted} accepted"));
    }
    Ok(())
}
