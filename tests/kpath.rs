//! k-path counts, ranks and coverage against the definition, and against a second opinion.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use naive::{Naive, Walk};
use pleach::Seeded;
use pleach::grammar::{Grammar, Resolver, SourceFile};
use pleach::kpath::{Coverage, PathIndex, Scope, WalkCounts};
use pleach::produce::{Options, Producer};
use pleach::table::{Lowering, OccurrenceId, Table};
use pleach::tree::Tree;
use pleach_core::internal::join_parts;
use proptest::prelude::*;
use tables::table;

mod naive;
mod tables;

#[test]
fn the_design_s_vectors_hold() {
    for (text, counts) in [
        (r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ;"#, [7, 9, 14, 18, 28]),
        (r#"E = E "+" T | T ; T = "1" ;"#, [5, 6, 6, 6, 6]),
    ] {
        let grammar = Grammar::parse(text).unwrap();
        let walks = Naive::new(&grammar).unwrap().walks(5, 1000);
        let table = table(text);
        let counted = WalkCounts::new(&table, 5);
        for k in 1..=5 {
            assert_eq!(counted.exact(k).to_u64(), Some(counts[k - 1]));
            assert_eq!(walks[k - 1].len() as u64, counts[k - 1]);
        }
    }
}

/// How many walks of one length the second opinion is asked to write down.
const MOST: usize = 600;

/// Compares everything about k-paths for k = 1..4 (fewer where there are too many walks), with
/// the coverage of some random trees.
fn compare(grammar: &Grammar, most: usize, trees: u64) {
    let lowered = Lowering::new().lower(grammar);
    // Headers and ends of parts are nodes like others.
    let joined = join_parts(grammar).ok().flatten();
    let grammar = joined.as_ref().unwrap_or(grammar);
    let naive = Naive::new(grammar);
    let (Some(naive), Ok(lowered)) = (&naive, &lowered) else {
        assert!(naive.is_none(), "{}", lowered.unwrap_err());
        assert!(lowered.is_err(), "the start rule derives nothing");
        return;
    };
    let table = &lowered.table;
    assert_eq!(table.occurrence_count(), naive.occurrences.len());
    for (number, occurrence) in naive.occurrences.iter().enumerate() {
        let id = OccurrenceId::new(number as u32);
        let names = table.names();
        assert_eq!(names.occurrence_span(id), Some(grammar.span(occurrence.expr)));
        let target = occurrence.target.map(|rule| grammar.rules[rule].name.text.as_str());
        assert_eq!(table.target(id).map(|rule| names.rule(rule)), target);
    }
    let walks = naive.walks(4, most);
    let counts = WalkCounts::new(table, walks.len());
    for k in 1..=walks.len() {
        assert_eq!(counts.exact(k).to_u64(), Some(walks[k - 1].len() as u64));
        let index = PathIndex::new(table, k, Scope::UpTo, 1 << 20).unwrap();
        compare_ranks(&index, &walks[..k]);
    }
    compare_coverage(table, &walks, trees);
}

fn compare_ranks(index: &PathIndex, walks: &[Vec<Walk>]) {
    assert_eq!(index.len() as usize, walks.iter().map(Vec::len).sum::<usize>());
    let mut found = Vec::new();
    for (rank, expected) in walks.iter().flatten().enumerate() {
        index.walk(rank as u32, &mut found);
        let numbers: Walk = found.iter().map(|occurrence| occurrence.get()).collect();
        assert_eq!(&numbers, expected, "rank {rank}");
        assert_eq!(index.rank(&found), Some(rank as u32));
        // A step aside is another walk of the same length, or none.
        let last = found.len() - 1;
        found[last] = OccurrenceId::new(found[last].get() + 1);
        let numbers: Walk = found.iter().map(|occurrence| occurrence.get()).collect();
        let aside = walks[last].binary_search(&numbers).is_ok();
        assert_eq!(index.rank(&found).is_some(), aside, "{numbers:?}");
    }
}

fn compare_coverage(table: &Table, walks: &[Vec<Walk>], trees: u64) {
    let k = walks.len();
    // With a size, for then there are no prefixes to be made for each grammar.
    let options = Options::new().max_nodes(300).size(30);
    let Ok(mut producer) = Producer::new(table, options) else { return };
    let mut upto = Coverage::new(table, k, Scope::UpTo, 1 << 20).unwrap();
    let mut exact = Coverage::new(table, k, Scope::Exact, 1 << 20).unwrap();
    let mut seen: HashSet<Walk> = HashSet::new();
    let mut tree = Tree::new();
    for seed in 0..trees {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        let before = (seen.len(), seen.iter().filter(|walk| walk.len() == k).count());
        naive::covered(table, &tree, k, &mut seen);
        let after = (seen.len(), seen.iter().filter(|walk| walk.len() == k).count());
        assert_eq!(upto.add(&tree), (after.0 - before.0) as u64);
        assert_eq!(exact.add(&tree), (after.1 - before.1) as u64);
        assert_eq!(upto.covered(), after.0 as u64);
        assert_eq!(exact.covered(), after.1 as u64);
    }
    let mut walk = Vec::new();
    for rank in 0..upto.index().len() {
        upto.index().walk(rank, &mut walk);
        let walk: Walk = walk.iter().map(|occurrence| occurrence.get()).collect();
        assert_eq!(upto.contains(rank), seen.contains(&walk));
        assert_eq!(exact.contains(rank), walk.len() == k && seen.contains(&walk));
    }
    for length in 1..=k {
        let count = seen.iter().filter(|walk| walk.len() == length).count() as u64;
        assert_eq!(upto.covered_of_length(length), count);
    }
    let missing: Vec<&Walk> = walks.iter().flatten().filter(|walk| !seen.contains(*walk)).collect();
    assert_eq!(upto.uncovered().count(), missing.len());
    assert_eq!(upto.total(), (missing.len() + seen.len()) as u64);
}

/// Includes from the disk, beside the file that has them.
struct Disk;

impl Resolver for Disk {
    fn resolve(&self, from: &str, path: &str) -> Result<SourceFile, String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        Ok(SourceFile::new(path.display().to_string(), text))
    }
}

/// All grammars under a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pleach") {
            found.push(path);
        }
    }
}

#[test]
fn every_grammar_here_gets_the_same_opinion_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    files(&root.join("grammars"), &mut paths);
    files(&root.join("tests/data"), &mut paths);
    let mut compared = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // Some are there to be refused.
        let Ok(grammar) = Grammar::read(&path.display().to_string(), &text, &Disk) else {
            continue;
        };
        if Lowering::new().lower(&grammar).is_ok() {
            println!("{}", path.display());
            compare(&grammar, 100_000, 20);
            compared += 1;
        }
    }
    assert!(compared >= 3);
}

#[test]
fn random_grammars_are_not_all_alike() {
    let (mut refused, mut long, mut alternatives) = (0, 0, 0);
    for grammar in naive::random::grammars(1, 500) {
        match Lowering::new().lower(&grammar) {
            Ok(lowered) => {
                long += u32::from(WalkCounts::new(&lowered.table, 4).exact(4).to_u64() > Some(20));
                alternatives += lowered.table.alternative_count();
            }
            Err(_) => refused += 1,
        }
    }
    println!("{refused} {long} {alternatives}");
    assert!((10..400).contains(&refused) && long > 50 && alternatives > 1000);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_grammars_get_the_same_opinion_twice(grammar in naive::random::grammar()) {
        println!("{grammar}");
        compare(&grammar, MOST, 5);
    }
}
