//! Alternatives that are read and never produced.

mod naive;

use std::collections::HashSet;

use naive::Naive;
use pleach::Seeded;
use pleach::grammar::{Expr, Grammar, Mark};
use pleach::kpath::{Coverage, CoverageSummary, Scope, WalkCounts};
use pleach::mutate::{self, Mutation, Sources};
use pleach::parse::{self, Parser, Scratch};
use pleach::produce::{Cover, CoverOptions, Mode, Options, Producer, Purdom, PurdomOptions};
use pleach::report::PathNames;
use pleach::table::{AlternativeId, Lowering, OccurrenceId, Table};
use pleach::tree::{SizedTree, Tree};

fn table(grammar: &Grammar) -> Option<Table> {
    Some(Lowering::new().lower(grammar).ok()?.table)
}

/// The grammar without what is parse-only.
fn stripped(grammar: &Grammar) -> Grammar {
    changed(grammar, |alternatives| {
        alternatives.retain(|alternative| alternative.mark != Some(Mark::ParseOnly));
    })
}

/// The grammar with all marks rubbed out.
fn unmarked(grammar: &Grammar) -> Grammar {
    changed(grammar, |alternatives| {
        alternatives.iter_mut().for_each(|alternative| alternative.mark = None);
    })
}

fn changed(
    grammar: &Grammar,
    mut change: impl FnMut(&mut Vec<pleach::grammar::Alternative>),
) -> Grammar {
    let mut changed = grammar.clone();
    for expr in &mut changed.exprs {
        if let Expr::Choice(alternatives) = expr {
            change(alternatives);
        }
    }
    changed
}

fn is_marked(grammar: &Grammar) -> bool {
    stripped(grammar) != *grammar
}

fn assert_produced(table: &Table, tree: &Tree) {
    for node in tree.nodes() {
        if let Some(occurrence) = node.symbol.occurrence() {
            assert!(occurrence.index() < table.occurrence_count());
        }
        if table.rule_behind(node.symbol).is_some() {
            assert!(!table.is_parse_only(node.alternative()));
        }
    }
}

/// All paths of up to two nodes, as they are written.
fn paths(table: &Table) -> Vec<String> {
    let coverage = Coverage::new(table, 2, Scope::UpTo, 1 << 20).unwrap();
    let names = PathNames::new(table);
    let mut walk = Vec::new();
    let ranks = 0..coverage.index().len();
    let show = |rank| {
        coverage.index().walk(rank, &mut walk);
        names.show(&walk)
    };
    ranks.map(show).collect()
}

#[test]
fn what_is_produced_is_as_if_it_were_not_there() {
    let mut met = 0;
    for grammar in naive::random::grammars(11, 1500) {
        let (Some(marked), Some(plain)) = (table(&grammar), table(&stripped(&grammar))) else {
            assert!(table(&grammar).is_none() || !is_marked(&grammar));
            continue;
        };
        met += usize::from(is_marked(&grammar));
        assert_eq!(marked.occurrence_count(), plain.occurrence_count());
        assert_eq!(marked.written_alternative_count(), plain.written_alternative_count());
        assert_eq!(marked.produced_rules().count(), plain.named_rule_count());
        let counts = |table: &Table| {
            let counts = WalkCounts::new(table, 5);
            (1..=5).map(|k| counts.exact(k)).collect::<Vec<_>>()
        };
        assert_eq!(counts(&marked), counts(&plain));
        assert_eq!(paths(&marked), paths(&plain));
        assert_eq!(cover(&marked), cover(&plain));
        for mode in [Mode::Uniform, Mode::Weighted, Mode::Inverted] {
            let options = || Options::new().mode(mode).max_nodes(200);
            if let Ok(mut producer) = Producer::new(&marked, options()) {
                let mut tree = Tree::new();
                for seed in 0..5 {
                    producer.produce(&mut Seeded::new(seed), &mut tree);
                    assert_produced(&marked, &tree);
                }
            }
        }
        let mut purdom = Purdom::new(&marked, PurdomOptions::new()).unwrap();
        let (mut entropy, mut tree) = (Seeded::new(1), Tree::new());
        while purdom.next_tree(&mut entropy, &mut tree) {
            assert_produced(&marked, &tree);
        }
    }
    assert!(met > 100, "{met} grammars have marks");
}

fn cover(table: &Table) -> CoverageSummary {
    let mut cover = Cover::new(table, CoverOptions::new(2)).unwrap();
    let (mut entropy, mut tree) = (Seeded::new(3), Tree::new());
    while cover.next_tree(&mut entropy, &mut tree) {
        assert_produced(table, &tree);
    }
    cover.summary()
}

#[test]
fn what_is_read_has_all_alternatives_and_covers_the_others() {
    let (mut read, mut holding) = (0, 0);
    for grammar in naive::random::grammars(12, 1500) {
        let Some(naive) = Naive::new(&grammar) else { continue };
        let (Some(marked), Some(whole)) = (table(&grammar), table(&unmarked(&grammar))) else {
            continue;
        };
        if !is_marked(&grammar) {
            continue;
        }
        let options = Options::new().max_nodes(40).max_bytes(12).size(8);
        let Ok(mut producer) = Producer::new(&whole, options) else { continue };
        let parser = Parser::new(&marked);
        let mut coverage = Coverage::new(&marked, 3, Scope::UpTo, 1 << 20).unwrap();
        let mut seen = HashSet::new();
        let (mut scratch, mut sentence, mut tree) = (Scratch::new(), Tree::new(), Tree::new());
        for seed in 0..20 {
            producer.produce(&mut Seeded::new(seed), &mut sentence);
            let found = parser.parse(sentence.text(), &mut scratch, &mut tree);
            assert_eq!(found.is_ok(), naive.derives(sentence.text()), "{grammar}");
            if found.is_err() {
                continue;
            }
            tree.check(&marked).unwrap();
            read += 1;
            let before = seen.len();
            naive::covered(&marked, &tree, 3, &mut seen);
            assert_eq!(coverage.add(&tree), (seen.len() - before) as u64);
            let occurrences = tree.nodes().iter().filter_map(|node| node.symbol.occurrence());
            let first = marked.occurrence_count();
            holding += usize::from(occurrences.into_iter().any(|it| it.index() >= first));
        }
    }
    assert!(read > 1000 && holding > 300, "{holding} of {read} texts hold what is read only");
}

/// Trees with parts that are never produced are bases like others.
#[test]
fn what_is_parse_only_can_be_mutated() {
    let mut mutants = 0;
    for grammar in naive::random::grammars(13, 1500) {
        let (Some(marked), Some(whole)) = (table(&grammar), table(&unmarked(&grammar))) else {
            continue;
        };
        let options = Options::new().max_nodes(40).max_bytes(12).size(8);
        if !is_marked(&grammar) {
            continue;
        }
        let Ok(mut producer) = Producer::new(&whole, options) else { continue };
        let parser = Parser::new(&marked);
        let coverage = Coverage::new(&marked, 3, Scope::UpTo, 1 << 20).unwrap();
        let mut mutation = Mutation::new(&marked, mutate::Options::new().breaking(0)).unwrap();
        let (mut scratch, mut sentence, mut tree) = (Scratch::new(), Tree::new(), Tree::new());
        let mut mutant = SizedTree::new();
        for seed in 0..10 {
            producer.produce(&mut Seeded::new(seed), &mut sentence);
            if parser.parse(sentence.text(), &mut scratch, &mut tree).is_err() {
                continue;
            }
            let base = SizedTree::of(&marked, &tree);
            for seed in 0..20 {
                let sources = Sources { coverage: Some(&coverage), ..Sources::default() };
                let mut seed = Seeded::new(seed);
                let name = mutation.mutate(base.as_ref(), sources, 200, &mut seed, &mut mutant);
                if name.is_some() {
                    mutants += 1;
                    let context = || format!("{name:?} of {base:?}: {mutant:?} in\n{grammar}");
                    mutant
                        .tree()
                        .check(&marked)
                        .unwrap_or_else(|error| panic!("{error} by {}", context()));
                    let read = parser.parse(mutant.text(), &mut scratch, &mut tree);
                    // Some of these grammars derive a text in very many ways.
                    let refused = matches!(read, Err(parse::Error::Syntax(_)));
                    assert!(!refused, "{read:?} by {}", context());
                }
            }
        }
    }
    assert!(mutants > 10_000, "{mutants}");
}

#[test]
fn what_is_parse_only_is_named_so() {
    let text = r#"a = b "," b | @read b ";" c b ; b = "x" | @read c ; c = "y" ;"#;
    let table = table(&Grammar::parse(text).unwrap()).unwrap();
    let names = PathNames::new(&table);
    let all = (0..table.all_occurrence_count() as u32).map(OccurrenceId::new);
    let all: Vec<String> = all.map(|occurrence| names.show(&[occurrence])).collect();
    assert_eq!(
        all,
        [
            "a: b#1",
            "a: \",\"",
            "a: b#2",
            "b: \"x\"",
            "a: @read b#1",
            "a: @read \";\"#1",
            "a: @read c#1",
            "a: @read b#2",
            "b: @read c#1",
            "c: @read \"y\"#1",
        ]
    );
    assert_eq!(table.marked_alternative_count(), 2);
    let parse_only = |index| table.is_parse_only(AlternativeId::new(index));
    assert_eq!([0, 1, 2, 3, 4].map(parse_only), [false, true, false, true, true]);
}

#[test]
fn walks_begin_anew_below_what_is_parse_only() {
    let text = r#"a = "<" b ">" | @read "[" b "]" ; b = "x" | "(" a ")" ;"#;
    let table = table(&Grammar::parse(text).unwrap()).unwrap();
    let parser = Parser::new(&table);
    let mut tree = Tree::new();
    let mut covered = |text: &str| {
        let mut coverage = Coverage::new(&table, 2, Scope::UpTo, 1000).unwrap();
        parser.parse(text.as_bytes(), &mut Scratch::new(), &mut tree).unwrap();
        coverage.add(&tree);
        let names = PathNames::new(&table);
        let mut walk = Vec::new();
        let ranks = (0..coverage.index().len()).filter(|&rank| coverage.contains(rank));
        let show = |rank| {
            coverage.index().walk(rank, &mut walk);
            names.show(&walk)
        };
        ranks.map(show).collect::<Vec<_>>()
    };
    assert_eq!(covered("[x]"), ["b: \"x\""]);
    let paths = ["a: \"<\"", "a: b", "a: \">\"", "b: \"x\"", "b: \"(\"", "b: a", "b: \")\""];
    let longer = ["a: b > \"x\"", "b: a > \"<\"", "b: a > b", "b: a > \">\""];
    assert_eq!(covered("[(<x>)]"), [paths.as_slice(), &longer].concat());
}
