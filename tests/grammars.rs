//! The grammar files: they lower without a warning, print back, and have the paths counted here.
//!
//! What they derive is judged by other parsers in the workspace member `oracles`.

use pleach::grammar::{Files, Grammar};
use pleach::kpath::WalkCounts;
use pleach::table::{Lowering, Table};
use pleach_testing::grammar_files;

fn grammar(folder: &str, name: &str) -> Grammar {
    let files = grammar_files(folder);
    let (_, text) = files.iter().find(|(file, _)| file == name).expect("the grammar is there");
    Grammar::read(name, text, &Files::new(files.clone())).unwrap_or_else(|error| panic!("{error}"))
}

fn table(folder: &str, name: &str) -> Table {
    let lowered = Lowering::new().lower(&grammar(folder, name));
    let lowered = lowered.unwrap_or_else(|error| panic!("{error}"));
    assert!(lowered.warnings.is_empty(), "{name}: {:?}", lowered.warnings);
    lowered.table
}

#[test]
fn every_grammar_lowers_without_warnings_and_prints_to_the_same_table() {
    let counts = |table: &Table| {
        let walks = WalkCounts::new(table, 5);
        (
            table.named_rule_count(),
            table.alternative_count(),
            table.occurrence_count(),
            table.repetition_count(),
            table.terminal_count(),
            (1..=5).map(|k| walks.exact(k)).collect::<Vec<_>>(),
        )
    };
    for folder in ["grammars", "benches/data"] {
        for (name, _) in grammar_files(folder) {
            let printed = grammar(folder, &name).to_string();
            let again = Grammar::parse(&printed).unwrap_or_else(|error| panic!("{error}"));
            let again = Lowering::new().lower(&again).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(counts(&table(folder, &name)), counts(&again.table), "{name}:\n{printed}");
        }
    }
}

/// Counted by hand for k = 1; a change to a grammar or to what an occurrence is shows here.
#[test]
fn the_grammars_have_these_many_paths() {
    for (name, exact) in [
        ("expr.pleach", [43, 80, 139, 271, 549]),
        ("ip.pleach", [74, 158, 252, 465, 454]),
        ("json.pleach", [91, 175, 255, 469, 866]),
        ("uri.pleach", [181, 389, 653, 1128, 1413]),
    ] {
        let counts = WalkCounts::new(&table("grammars", name), 5);
        let counts: Vec<_> = (1..=5).map(|k| counts.exact(k).to_u64()).collect();
        assert_eq!(counts, exact.map(Some), "{name}");
    }
}

/// The layered language stands for a programming language: about 100,000 4-paths.
#[test]
fn the_layered_language_is_large() {
    let count = WalkCounts::new(&table("benches/data", "layered.pleach"), 4).exact(4).to_u64();
    assert!(count.is_some_and(|count| (90_000..=130_000).contains(&count)), "{count:?}");
}
