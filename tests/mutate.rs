//! Mutation over every grammar with its corpus, and each mutator for what it says.

use std::collections::BTreeMap;
use std::path::Path;

use pleach::grammar::{Files, Grammar};
use pleach::kpath::{Coverage, Scope};
use pleach::mutate::{MUTATORS, Mutation, Options, Sources};
use pleach::parse::{self, Parser, Scratch};
use pleach::produce::{self, Limits, Producer};
use pleach::table::{Lowering, SymbolKind, Table};
use pleach::tree::{Node, Outline, SizedTree, Tree};
use pleach::{Entropy, Seeded};

/// Mutants of each grammar by default; `PLEACH_MUTANTS=100000 cargo test --release --test mutate`
/// takes more.
const MUTANTS: usize = 400;

fn mutants() -> usize {
    std::env::var("PLEACH_MUTANTS").map_or(MUTANTS, |count| count.parse().expect("a number"))
}

fn lower(grammar: &Grammar) -> Table {
    Lowering::new().lower(grammar).unwrap_or_else(|error| panic!("{error}")).table
}

fn table(text: &str) -> Table {
    lower(&Grammar::parse(text).unwrap_or_else(|error| panic!("{error}")))
}

/// The names of all grammar files, and their tables.
fn grammars() -> Vec<(String, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let mut files: Vec<(String, String)> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pleach"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    let resolver = Files::new(files.clone());
    files
        .iter()
        .map(|(name, text)| {
            let grammar = Grammar::read(name, text, &resolver);
            let grammar = grammar.unwrap_or_else(|error| panic!("{name}: {error}"));
            (name.trim_end_matches(".pleach").to_owned(), lower(&grammar))
        })
        .collect()
}

/// Some of a grammar's committed corpus, and random sentences, which have layout of all kinds.
fn bases(name: &str, table: &Table, parser: &Parser<'_>) -> Vec<SizedTree> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    paths.sort();
    let step = (paths.len() / 16).max(1);
    let mut texts: Vec<Vec<u8>> =
        paths.iter().step_by(step).map(|path| std::fs::read(path).unwrap()).collect();
    texts.retain(|text| text.len() < 4096);
    let options = produce::Options::new().max_bytes(400).max_nodes(600);
    let mut producer = Producer::new(table, options).unwrap();
    let mut tree = Tree::new();
    for seed in 0..16 {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        texts.push(tree.text().to_vec());
    }
    let mut scratch = Scratch::new();
    let read = |text: &Vec<u8>| {
        let parsed = parser.parse(text, &mut scratch, &mut tree);
        parsed.unwrap_or_else(|error| panic!("{name}: {error}: {}", shown(text)));
        SizedTree::of(table, &tree)
    };
    texts.iter().map(read).collect()
}

fn shown(text: &[u8]) -> String {
    text.escape_ascii().to_string()
}

/// Whether a tree is one, and its sizes are those of its nodes.
fn check(table: &Table, tree: &SizedTree, what: &str) {
    if let Err(error) = tree.tree().check(table) {
        panic!("{what}: {error}: {}", shown(tree.text()));
    }
    let outline = Outline::new(table, tree.tree());
    for node in 0..tree.tree().nodes().len() {
        assert_eq!(tree.sizes()[node], outline.size(node), "{what}: node {node}");
    }
}

#[test]
fn mutants_are_sentences_in_every_grammar() {
    for (name, table) in grammars() {
        // White space in several places of a rule is read in very many ways.
        let parser = Parser::new(&table).limits(parse::Limits::new().items_per_byte(1 << 16));
        let bases = bases(&name, &table, &parser);
        let mut mutation = Mutation::new(&table, Options::new().breaking(0)).unwrap();
        let mut coverage = Coverage::new(&table, 2, Scope::UpTo, 1 << 20).unwrap();
        bases.iter().take(2).for_each(|base| drop(coverage.add(base.tree())));
        let (mut scratch, mut read) = (Scratch::new(), Tree::new());
        let (mut base, mut out) = (SizedTree::new(), SizedTree::new());
        let (mut calls, mut unchanged) = (0, 0);
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in 0..mutants() as u64 {
            let mut words = Seeded::new(seed);
            let pick = |words: &mut Seeded| words.below(bases.len() as u64) as usize;
            // Stacked, as an engine does it.
            if seed % 4 == 0 {
                base.copy_from(bases[pick(&mut words)].as_ref());
            }
            let donor = bases[pick(&mut words)].as_ref();
            let sources = Sources {
                donor: (seed % 2 == 0).then_some(donor),
                coverage: Some(&coverage),
                bytes: None,
            };
            calls += 1;
            let most = 2000.max(base.text().len() + 10);
            let Some(by) = mutation.mutate(base.as_ref(), sources, most, &mut words, &mut out)
            else {
                unchanged += 1;
                continue;
            };
            *by_name.entry(by).or_default() += 1;
            let what = format!("{name}, seed {seed}, {by}");
            assert_ne!(out.text(), base.text(), "{what}");
            assert!(out.text().len() <= most, "{what}");
            check(&table, &out, &what);
            if let Err(error) = parser.parse(out.text(), &mut scratch, &mut read) {
                panic!("{what}: {error}\n{}\n{}", shown(base.text()), shown(out.text()));
            }
            std::mem::swap(&mut base, &mut out);
        }
        assert!(unchanged * 100 < calls, "{name}: {unchanged} of {calls} change nothing");
        println!("{name}: {by_name:?}");
    }
}
