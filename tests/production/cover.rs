//! Covering k-paths: complete, valid, within budgets.

use std::collections::HashSet;

use pleach::Seeded;
use pleach::grammar::Grammar;
use pleach::kpath::{Coverage, Feasibility, Reason, Scope};
use pleach::produce::{Cover, CoverOptions, TreeLimits};
use pleach::table::OccurrenceId;
use pleach::tree::{Outline, Tree};
use proptest::prelude::*;

use crate::naive::{self, Walk};
use crate::tables::table;
use crate::{assert_valid, both, bounds, config};

/// The goals of a table by the second opinion.
fn goals(walks: &[Vec<Walk>], scope: Scope) -> Vec<Walk> {
    match scope {
        Scope::UpTo => walks.concat(),
        Scope::Exact => walks.last().cloned().unwrap_or_default(),
    }
}

fn compare_cover(grammar: &Grammar, k: usize, scope: Scope, depth: Option<u32>, seed: u64) {
    let Some((table, naive)) = both(grammar) else { return };
    let walks = naive.walks(k, 1000);
    let k = walks.len();
    let goals = goals(&walks, scope);
    let mut options = CoverOptions::new(k).scope(scope);
    if let Some(depth) = depth {
        options = options.max_depth(depth);
    }
    let made = Cover::new(&table, options);
    if depth.is_some_and(|depth| depth < naive.rule_height(naive.start)) {
        assert!(made.is_err());
        return;
    }
    let mut cover = made.unwrap();
    let budget = cover.budget();
    if depth.is_none() {
        assert_eq!(naive.feasible(budget.depth, &goals).len(), goals.len());
        if let Some(less) = budget.depth.checked_sub(1)
            && less >= naive.rule_height(naive.start)
        {
            assert!(naive.feasible(less, &goals).len() < goals.len(), "depth {}", budget.depth);
        }
    }
    let feasible = naive.feasible(budget.depth, &goals);
    let before = cover.summary();
    assert_eq!((before.covered, before.total), (0, feasible.len() as u64));
    assert_eq!(before.infeasible, (goals.len() - feasible.len()) as u64);
    for (walk, reason) in cover.infeasible() {
        let walk: Walk = walk.iter().map(|occurrence| occurrence.get()).collect();
        assert!(!feasible.contains(&walk));
        let Reason::Depth(least) = reason else { panic!("{reason}") };
        let walk = [walk];
        assert_eq!(naive.feasible(least, &walk).len(), 1);
        assert_eq!(naive.feasible(least - 1, &walk).len(), 0);
    }
    let (mut entropy, mut tree) = (Seeded::new(seed), Tree::new());
    let mut seen = HashSet::new();
    let mut trees = 0;
    while cover.next_tree(&mut entropy, &mut tree) {
        assert_valid(&naive, &table, &tree, budget);
        let before = seen.len();
        naive::covered(&table, &tree, k, &mut seen);
        assert!(seen.len() > before, "a tree that covers nothing new");
        trees += 1;
        assert!(trees <= goals.len());
    }
    assert!(tree.nodes().is_empty() && tree.text().is_empty());
    let covered: HashSet<&Walk> = goals.iter().filter(|walk| seen.contains(*walk)).collect();
    assert_eq!(covered, feasible);
    let after = cover.summary();
    assert_eq!((after.covered, after.infeasible), (before.total, before.infeasible));
}

fn compare_feasibility(grammar: &Grammar) {
    let Some((table, naive)) = both(grammar) else { return };
    let walks = naive.walks(3, 300).concat();
    for depth in 0..=6 {
        let feasibility = Feasibility::new(&table, depth);
        let feasible = naive.feasible(depth, &walks);
        for walk in &walks {
            let ids: Vec<OccurrenceId> = walk.iter().map(|&v| OccurrenceId::new(v)).collect();
            assert_eq!(feasibility.contains(&ids), feasible.contains(walk), "{walk:?} at {depth}");
        }
    }
}

/// All trees of all shards, and what each shard covers that is its own.
fn compare_shards(grammar: &Grammar, count: u32) {
    let Some((table, naive)) = both(grammar) else { return };
    let goals = naive.walks(2, 1000).concat();
    let mut seen = HashSet::new();
    let mut total = 0;
    for index in 0..count {
        let options = CoverOptions::new(2).shard(index, count).repetition_goals(true);
        let mut cover = Cover::new(&table, options).unwrap();
        total += cover.summary().total;
        let (mut entropy, mut tree) = (Seeded::new(3), Tree::new());
        while cover.next_tree(&mut entropy, &mut tree) {
            naive::covered(&table, &tree, 2, &mut seen);
        }
        assert_eq!(cover.summary().covered, cover.summary().total);
    }
    let whole = Cover::new(&table, CoverOptions::new(2).repetition_goals(true)).unwrap();
    assert_eq!(total, whole.summary().total);
    assert!(goals.iter().all(|walk| seen.contains(walk)));
    assert!(Cover::new(&table, CoverOptions::new(2).shard(count, count)).is_err());
    assert!(Cover::new(&table, CoverOptions::new(2).shard(0, 0)).is_err());
}

/// Covers with a budget on bytes or nodes: whatever happens, trees stay within it and the
/// figures add up.
fn cover_within(
    grammar: &Grammar,
    bounds: TreeLimits,
    (k, scope): (usize, Scope),
    recurrent: bool,
) {
    let Some((table, naive)) = both(grammar) else { return };
    let options = CoverOptions::new(k)
        .scope(scope)
        .recurrent(recurrent)
        .repetition_goals(true)
        .limits(bounds);
    let Ok(mut cover) = Cover::new(&table, options) else { return };
    let budget = cover.budget();
    let all = cover.summary().total + cover.summary().infeasible;
    let (mut entropy, mut tree) = (Seeded::new(5), Tree::new());
    let mut coverage = Coverage::new(&table, k, scope, 1 << 20).unwrap().with_repetitions(&table);
    let mut trees = 0;
    while trees < 3 * all && cover.next_tree(&mut entropy, &mut tree) {
        assert_valid(&naive, &table, &tree, budget);
        coverage.add(&tree);
        let summary = cover.summary();
        assert_eq!(summary.total + summary.infeasible, all);
        assert!(summary.covered <= summary.total);
        trees += 1;
    }
    let summary = cover.summary();
    assert_eq!(coverage.total(), all);
    if recurrent {
        assert_eq!(trees, if summary.total == 0 { 0 } else { 3 * all });
    } else {
        assert_eq!(summary.covered, summary.total);
        assert_eq!(coverage.covered(), summary.covered);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn covering_is_complete_at_the_least_depth(
        grammar in naive::random::grammar(),
        k in 1..=4_usize,
        exact in any::<bool>(),
        seed in any::<u64>(),
    ) {
        println!("{grammar}");
        let scope = if exact { Scope::Exact } else { Scope::UpTo };
        compare_cover(&grammar, k, scope, None, seed);
    }

    #[test]
    fn covering_knows_what_a_depth_forbids(
        grammar in naive::random::grammar(),
        k in 1..=3_usize,
        exact in any::<bool>(),
        depth in 0..8_u32,
    ) {
        println!("{grammar}");
        let scope = if exact { Scope::Exact } else { Scope::UpTo };
        compare_cover(&grammar, k, scope, Some(depth), 0);
    }

    #[test]
    fn feasibility_is_what_it_says(grammar in naive::random::grammar()) {
        println!("{grammar}");
        compare_feasibility(&grammar);
    }

    #[test]
    fn shards_add_up(grammar in naive::random::grammar(), count in 1..5_u32) {
        println!("{grammar}");
        compare_shards(&grammar, count);
    }

    #[test]
    fn covering_keeps_to_any_budget(
        grammar in naive::random::grammar(),
        bounds in bounds(),
        k in 1..4_usize,
        exact in any::<bool>(),
        recurrent in any::<bool>(),
    ) {
        println!("{grammar}");
        let scope = if exact { Scope::Exact } else { Scope::UpTo };
        cover_within(&grammar, bounds, (k, scope), recurrent);
    }
}

#[test]
fn digits_in_a_chain_are_ten_in_ten() {
    let table = table(
        r#"D = "0" | D1; D1 = "1" | D2; D2 = "2" | D3; D3 = "3" | D4; D4 = "4" | D5;
           D5 = "5" | D6; D6 = "6" | D7; D7 = "7" | D8; D8 = "8" | "9";"#,
    );
    for k in 1..=4 {
        let mut cover = Cover::new(&table, CoverOptions::new(k)).unwrap();
        let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
        let mut seen = Vec::new();
        let mut coverage = Coverage::new(&table, k, Scope::UpTo, 1000).unwrap();
        while cover.next_tree(&mut entropy, &mut tree) {
            tree.check(&table).unwrap();
            coverage.add(&tree);
            seen.push(String::from_utf8(tree.text().to_vec()).unwrap());
        }
        println!("{k} {seen:?}");
        assert_eq!(coverage.covered(), coverage.total());
        assert_eq!(coverage.summary(), cover.summary());
        let mut first: Vec<_> = seen.iter().take(10).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 10);
    }
}

#[test]
fn empty_groups_have_no_depth() {
    let table = table("a = b ; b = \"x\"* ;");
    let mut cover = Cover::new(&table, CoverOptions::new(1).max_depth(1)).unwrap();
    let mut tree = Tree::new();
    assert!(cover.next_tree(&mut Seeded::new(1), &mut tree));
    assert_eq!(Outline::new(&table, &tree).height(), 1);
}

#[test]
fn a_longer_way_is_taken_where_it_is_cheaper() {
    // The first `c` stands beside ten bytes, the second one a level deeper beside none; so do
    // the counts of the repetition.
    let table = table("a = \"0123456789\" c | b ; b = c ; c = \"x\" | \"y\"* ;");
    for by_bytes in [true, false] {
        let options = CoverOptions::new(2).repetition_goals(true);
        let options = if by_bytes { options.max_bytes(2) } else { options.max_nodes(6) };
        let mut cover = Cover::new(&table, options).unwrap();
        let (mut tree, mut seen) = (Tree::new(), HashSet::new());
        while cover.next_tree(&mut Seeded::new(1), &mut tree) {
            naive::covered(&table, &tree, 2, &mut seen);
        }
        let summary = cover.summary();
        // What contains the literal of ten bytes is too large, or nothing is.
        let infeasible = if by_bytes { 4 } else { 0 };
        assert_eq!(summary.infeasible, infeasible);
        assert_eq!(summary.covered, seen.len() as u64 + 3);
    }
}

#[test]
fn infeasible_goals_are_counted_once_when_covering_begins_anew() {
    let table = table("a = \"x\" | \"yyyy\" ;");
    let options = CoverOptions::new(1).max_bytes(2).recurrent(true);
    let mut cover = Cover::new(&table, options).unwrap();
    let mut tree = Tree::new();
    for _ in 0..5 {
        assert!(cover.next_tree(&mut Seeded::new(1), &mut tree));
        assert_eq!(tree.text(), b"x");
    }
    assert_eq!((cover.summary().total, cover.summary().infeasible), (1, 1));
}

#[test]
fn what_a_tree_that_misses_its_goal_covers_is_given() {
    // The goal b-y needs more bytes than there are, and its tree covers b-x.
    let table = table("a = b ; b = \"x\" | \"yyyy\" ;");
    let mut cover = Cover::new(&table, CoverOptions::new(2).max_bytes(2)).unwrap();
    let (mut tree, mut seen) = (Tree::new(), HashSet::new());
    while cover.next_tree(&mut Seeded::new(1), &mut tree) {
        naive::covered(&table, &tree, 2, &mut seen);
    }
    assert_eq!(cover.summary().covered, seen.len() as u64);
    assert_eq!(seen.len(), 3);
}

#[test]
fn counts_of_repetitions_are_feasible_where_no_walk_is_long_enough() {
    let table = table("a = b | \"\" ; b = c ; c = \"x\"* ;");
    let options = CoverOptions::new(9).scope(Scope::Exact).repetition_goals(true);
    let mut cover = Cover::new(&table, options).unwrap();
    let mut tree = Tree::new();
    while cover.next_tree(&mut Seeded::new(1), &mut tree) {}
    let summary = cover.summary();
    assert_eq!((summary.covered, summary.total, summary.infeasible), (3, 3, 0));
}

/// The first round takes what is cheapest where no goal decides; later ones vary it, and cover all
/// goals again.
#[test]
fn later_rounds_cover_again_with_other_choices() {
    let text = r#"number = digit+ ("." digit+)? ; digit = @0 "0" | "1" | @3 "2" ;"#;
    let table = table(text);
    let mut cover = Cover::new(&table, CoverOptions::new(2).recurrent(true)).unwrap();
    let (mut entropy, mut tree) = (Seeded::new(1), Tree::new());
    let mut texts = HashSet::new();
    let mut longest = 0;
    for round in 0..200 {
        let mut coverage = Coverage::new(&table, 2, Scope::UpTo, 100).unwrap();
        while coverage.covered() < coverage.total() {
            assert!(cover.next_tree(&mut entropy, &mut tree));
            tree.check(&table).unwrap();
            coverage.add(&tree);
            texts.insert(tree.text().to_vec());
            longest = longest.max(tree.text().len());
        }
        assert_eq!(cover.summary().covered, cover.summary().total, "round {round}");
    }
    assert!(texts.len() > 100, "{} texts", texts.len());
    assert!(longest > 12, "{longest} bytes");
}
