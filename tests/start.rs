//! A fuzzer's start and its first ten thousand mutants, over grammars that are read when the test runs:
//! as in a target, arithmetic that overflows panics here.
//!
//! `PLEACH_GRAMMARS="a.pleach b.g4" cargo test --test start` takes others.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pleach::fuzz::{Fuzzer, TargetOptions};
use pleach::produce::{Cover, CoverOptions};
use pleach::table::Table;
use pleach::tree::Tree;
use pleach::{Entropy, Seeded};

/// Of each notation one that has much to it.
const IMPORTED: [&str; 12] = [
    "abnf/rfc5322.abnf",
    "abnf/rfc9110.abnf",
    "antlr/SqlParser.g4",
    "antlr/XmlParser.g4",
    "bnf/algol60.bnf",
    "fuzzingbook/url.json",
    "gbnf/chess.gbnf",
    "iso/oberon.ebnf",
    "nautilus/script.json",
    "pest/template.pest",
    "tree-sitter/lua.json",
    "w3c/sparql.ebnf",
];

const MUTANTS: usize = 10_000;
const SEEDS: usize = 32;
/// The most bytes of a mutant, as libFuzzer has it by default.
const MOST: usize = 4096;

/// Files of a folder by name and text, one of them first: a grammar, and what it may include.
fn files(path: &Path) -> Vec<(String, String)> {
    let read = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        (path.file_name().unwrap().to_str().unwrap().to_owned(), text)
    };
    let mut files = vec![read(path)];
    for beside in fs::read_dir(path.parent().unwrap()).unwrap() {
        let beside = beside.unwrap().path();
        if beside != path && beside.extension() == path.extension() {
            files.push(read(&beside));
        }
    }
    files
}

fn seeds(table: &Table) -> Vec<Vec<u8>> {
    let options = CoverOptions::new(2).max_bytes(MOST as u64);
    let Ok(mut cover) = Cover::new(table, options) else { return Vec::new() };
    let (mut entropy, mut tree, mut seeds) = (Seeded::new(0), Tree::new(), Vec::new());
    while seeds.len() < SEEDS && cover.next_tree(&mut entropy, &mut tree) {
        seeds.push(tree.text().to_vec());
    }
    seeds
}

/// Calls a fuzzer as an engine does: on what it keeps, and then some times on the last result.
fn mutants(name: &str, files: &[(&str, &str)], options: TargetOptions) {
    let table = options.table(files).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut fuzzer: Fuzzer<'_> = options.fuzzer(&table).unwrap();
    let mut kept = seeds(&table);
    kept.extend([Vec::new(), b"\n".to_vec()]);
    let (mut choice, mut data) = (Seeded::new(1), vec![0; MOST]);
    let (mut size, mut changed) = (0, 0);
    for call in 0..MUTANTS {
        let of = choice.below(kept.len() as u64) as usize;
        if call % 5 == 0 {
            size = kept[of].len();
            data[..size].copy_from_slice(&kept[of]);
        }
        let (before, seed) = (data[..size].to_vec(), choice.next_u64());
        size = match call % 16 {
            0 => fuzzer.crossover(&before, &kept[of], &mut data, seed),
            _ => fuzzer.mutate(&mut data, size, MOST, seed, None),
        };
        assert!((1..=MOST).contains(&size), "{name}: call {call} writes {size} bytes");
        changed += usize::from(data[..size] != before);
        if call % 64 == 0 {
            kept.push(data[..size].to_vec());
        }
    }
    assert!(changed > MUTANTS / 2, "{name}: {changed} mutants differ from their bases");
}

/// The greedy choice among so many alternatives adds up what each of them unlocks.
fn keywords() -> String {
    let words: Vec<String> = (0..300).map(|number| format!("\"k{number}\"")).collect();
    format!("list = item ( \",\" item )* ; item = \"(\" ( {} ) \")\" | \"-\" ;", words.join(" | "))
}

#[test]
fn no_fuzzer_dies_at_start_whatever_its_grammar() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut grammars = Vec::new();
    if let Ok(given) = std::env::var("PLEACH_GRAMMARS") {
        grammars.extend(given.split_whitespace().map(|path| root.join(path)));
    } else {
        let bundled =
            fs::read_dir(root.join("grammars")).unwrap().map(|entry| entry.unwrap().path());
        grammars.extend(bundled.filter(|path| path.extension().is_some_and(|it| it == "pleach")));
        assert!(grammars.len() >= 22);
        grammars.extend(IMPORTED.map(|path| root.join("tests/data/import").join(path)));
    }
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = grammars.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let files = files(path);
                    let files: Vec<_> =
                        files.iter().map(|(name, text)| (&**name, &**text)).collect();
                    mutants(&path.display().to_string(), &files, TargetOptions::new());
                }
            });
        }
    });
}

#[test]
fn three_hundred_inline_keywords_overflow_nothing() {
    mutants("keywords", &[("keywords.pleach", &keywords())], TargetOptions::new());
}

#[test]
fn bounds_that_bound_nothing_overflow_nothing() {
    let json = include_str!("../grammars/json.pleach");
    let options = || {
        let options = TargetOptions::new().max_depth(u32::MAX).max_bytes(usize::MAX);
        options.free_size(usize::MAX).cache(usize::MAX).k(usize::MAX).bytes(255).words(255)
    };
    for (name, text) in [("json", json), ("keywords", &keywords())] {
        let files = [(name, text)];
        mutants(name, &files, options().breaking(255));
        mutants(name, &files, options().bytes(0).words(0));
        let table = TargetOptions::new().table(&files).unwrap();
        let cover = CoverOptions::new(2).max_depth(u32::MAX).max_nodes(u64::MAX).size(u64::MAX);
        let mut cover = Cover::new(&table, cover.max_bytes(u64::MAX)).unwrap();
        let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
        while cover.next_tree(&mut entropy, &mut tree) {}
        assert_eq!(cover.summary().covered, cover.summary().total);
    }
}
