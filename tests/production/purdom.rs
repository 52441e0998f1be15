//! Covering alternatives alone.

use std::collections::HashSet;

use pleach::Seeded;
use pleach::grammar::Grammar;
use pleach::produce::{Purdom, PurdomOptions};
use pleach::table::{AlternativeId, RuleId, SymbolKind, Table};
use pleach::tree::Tree;
use proptest::prelude::*;

use crate::{assert_valid, both, config, naive};

/// Which alternatives trees up to a depth can have: the least height that the whole tree needs
/// for each, by a fixpoint over the places where a rule stands.
fn alternatives_within(table: &Table, depth: u32) -> HashSet<u32> {
    // All heights that can be left for each rule and group.
    let mut left: HashSet<(RuleId, u32)> = HashSet::new();
    let mut found = HashSet::new();
    let mut queue = vec![(table.start(), depth)];
    while let Some((rule, height)) = queue.pop() {
        if !left.insert((rule, height)) {
            continue;
        }
        for alternative in table.alternatives(rule) {
            if table.minima().alternative_height(alternative) > height {
                continue;
            }
            found.insert(alternative.get());
            for &item in table.items(alternative) {
                let element = match item.kind() {
                    SymbolKind::Repetition(id) => table.repetition(id).element,
                    _ => item,
                };
                let Some(inner) = table.rule_behind(element) else { continue };
                let below = height - u32::from(element.occurrence().is_some() && height > 0);
                let fits = element.occurrence().is_none() || height > 0;
                if fits && table.minima().rule_height(inner) <= below {
                    queue.push((inner, below));
                }
            }
        }
    }
    found
}

/// Covers alternatives; `None` for the default depth.
fn compare_purdom(grammar: &Grammar, depth: Option<u32>) {
    let Some((table, naive)) = both(grammar) else { return };
    let mut options = PurdomOptions::new();
    if let Some(depth) = depth {
        options = options.max_depth(depth);
    }
    let made = Purdom::new(&table, options);
    if depth.is_some_and(|depth| depth < naive.rule_height(naive.start)) {
        assert!(made.is_err());
        return;
    }
    let mut purdom = made.unwrap();
    let budget = purdom.budget();
    let expected = alternatives_within(&table, budget.depth);
    if depth.is_none() {
        let all = (0..table.alternative_count() as u32).map(AlternativeId::new);
        assert_eq!(expected.len(), all.filter(|&it| !table.is_parse_only(it)).count());
        if budget.depth > naive.rule_height(naive.start) {
            let less = alternatives_within(&table, budget.depth - 1);
            assert!(less.len() < expected.len(), "depth {}", budget.depth);
        }
    }
    assert_eq!(purdom.total(), expected.len() as u64);
    let (mut entropy, mut tree) = (Seeded::new(1), Tree::new());
    let mut used = HashSet::new();
    while purdom.next_tree(&mut entropy, &mut tree) {
        assert_valid(&naive, &table, &tree, budget);
        let before = used.len();
        used.extend(
            tree.nodes().iter().filter_map(|node| {
                table.rule_behind(node.symbol).map(|_| node.alternative().get())
            }),
        );
        assert!(used.len() > before);
        assert_eq!(purdom.covered(), used.len() as u64);
    }
    assert_eq!(used, expected);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_alternative_is_used(
        grammar in naive::random::grammar(),
        depth in prop::option::of(0..8_u32),
    ) {
        println!("{grammar}");
        compare_purdom(&grammar, depth);
    }
}
