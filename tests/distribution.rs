//! Random production keeps the weights: prefixes change how choices are drawn, not how likely
//! they are.

use pleach::Seeded;
use pleach::produce::{Mode, Options, Producer};
use pleach::table::{AlternativeId, RepetitionId, SymbolKind, Table};
use pleach::tree::Tree;
use tables::table;

mod tables;

/// Trees of which frequencies are taken.
const TREES: usize = 4000;

/// How often each alternative and each count of each repetition stands in trees of so many pools,
/// or of none.
fn frequencies(table: &Table, mode: Mode, pools: usize) -> (Vec<u64>, Vec<[u64; 4]>) {
    let options = Options::new().mode(mode).exotic(0).max_nodes(1 << 20).max_depth(1 << 10);
    let mut producer = Producer::new(table, options.clone()).expect("the budget is ample");
    let (mut entropy, mut tree) = (Seeded::new(3), Tree::new());
    let mut alternatives = vec![0; table.alternative_count()];
    let mut counts = vec![[0; 4]; table.repetition_count()];
    for number in 0..TREES {
        if number * pools % TREES < pools {
            let options = options.clone().pool(number as u64);
            producer = Producer::new(table, options).expect("the budget is ample");
        }
        producer.produce(&mut entropy, &mut tree);
        tree.check(table).expect("producers write derivations");
        for node in tree.nodes() {
            match node.symbol.kind() {
                SymbolKind::Repetition(id) => counts[id.index()][node.choice.min(3) as usize] += 1,
                SymbolKind::Terminal(_) | SymbolKind::Layout => {}
                _ => alternatives[node.choice as usize] += 1,
            }
        }
    }
    (alternatives, counts)
}

/// Whether a share of a total is what a probability makes likely: within five deviations.
fn likely(share: u64, total: u64, chance: f64) -> bool {
    let (share, total) = (share as f64, total as f64);
    (share - total * chance).abs() <= 5.0 * (total * chance * (1.0 - chance)).sqrt() + 1.0
}

const GRAMMAR: &str = r#"
    start = "<" value ("," value){5} ">" ;
    value = @3 object | list | @2 text | "null" | @0 "never" ;
    object = "{}" | "{" pair ("," pair)* "}" ;
    pair = text ":" value ;
    list = "[" value?@1 "]" | "(" "x"{1,3} ")" ;
    text = '"' char+@3 '"' ;
    char = "a" | "b" | "c" | [0-9] ;
"#;

/// Each mode without a pool, and with so many that none shows a subtree often.
fn settings() -> impl Iterator<Item = (Mode, usize)> {
    let modes = [Mode::Uniform, Mode::Weighted, Mode::Inverted];
    modes.into_iter().flat_map(|mode| [(mode, 0), (mode, 40)])
}

/// Why a mode is not among the settings.
const OTHERWISE: &str =
    "its texts are held to sizes, so their counts are not of independent choices";

#[test]
fn alternatives_come_by_weight() {
    let table = table(GRAMMAR);
    for (mode, pools) in settings() {
        let (alternatives, _) = frequencies(&table, mode, pools);
        for rule in (0..table.rule_count() as u32).map(pleach::table::RuleId::new) {
            let weight = |alternative: AlternativeId| match (mode, table.weight(alternative)) {
                (Mode::Typical, _) => unreachable!("{OTHERWISE}"),
                // Exotic texts alone have it.
                (_, 0) => 0.0,
                (Mode::Uniform, _) => 1.0,
                (Mode::Weighted, weight) => f64::from(weight),
                (Mode::Inverted, weight) => 1.0 / f64::from(weight),
            };
            let all: f64 = table.alternatives(rule).map(weight).sum();
            let total: u64 = table.alternatives(rule).map(|a| alternatives[a.index()]).sum();
            assert!(total > 1000, "{mode:?} rule {rule:?} came {total} times");
            for alternative in table.alternatives(rule) {
                let share = alternatives[alternative.index()];
                let chance = weight(alternative) / all;
                assert!(
                    likely(share, total, chance),
                    "{mode:?} {alternative:?} came {share} of {total} times, at {chance}"
                );
            }
        }
    }
}

#[test]
fn repetitions_go_on_by_their_odds() {
    let table = table(GRAMMAR);
    for (mode, pools) in settings() {
        let (_, counts) = frequencies(&table, mode, pools);
        for (index, counts) in counts.iter().enumerate() {
            let repetition = *table.repetition(RepetitionId::new(index as u32));
            let weight = f64::from(repetition.weight);
            let on = match mode {
                Mode::Typical => unreachable!("{OTHERWISE}"),
                Mode::Uniform => 0.5,
                Mode::Weighted => weight / (weight + 1.0),
                Mode::Inverted => 1.0 / (weight + 1.0),
            };
            let total: u64 = counts.iter().sum();
            let mut left = 1.0;
            for count in 0..3_u32 {
                let chance = if count < repetition.min {
                    0.0
                } else if count == repetition.max {
                    left
                } else {
                    left * (1.0 - on)
                };
                left -= chance;
                let share = counts[count as usize];
                assert!(
                    likely(share, total, chance),
                    "{mode:?} repetition {index} came {share} of {total} times with {count}"
                );
            }
        }
    }
}

#[test]
fn a_pool_makes_other_sentences_by_its_seed_alone() {
    let table = table(GRAMMAR);
    let sentences = |options: Options| -> Vec<Vec<u8>> {
        let mut producer = Producer::new(&table, options).expect("the default budget is ample");
        let sentence = |seed| {
            let mut out = Vec::new();
            producer.write(&mut Seeded::new(seed), &mut out);
            out
        };
        (0..100).map(sentence).collect()
    };
    let none = sentences(Options::new());
    let one = sentences(Options::new().pool(1));
    assert_eq!(one, sentences(Options::new().pool(1)));
    assert_ne!(one, sentences(Options::new().pool(2)));
    assert_ne!(one, none);
    // What a seed means does not depend on what was produced before.
    assert!((0..100).any(|index| one[index] != one[0]));
}

/// A symbol expanded with care dropped the literals that its choice takes along.
#[test]
fn literals_after_a_rule_are_kept_near_the_budget() {
    let table = table(r#"a = /[ab]c*/ a "x" | "y" ;"#);
    for nodes in 4..40 {
        let options = Options::new().max_depth(nodes).max_nodes(nodes.into());
        let mut producer = Producer::new(&table, options).expect("a tree of four nodes fits");
        let mut tree = Tree::new();
        for seed in 0..200 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            tree.check(&table)
                .unwrap_or_else(|error| panic!("{nodes} nodes, seed {seed}: {error}"));
            assert!(tree.nodes().len() <= nodes as usize);
        }
    }
}
