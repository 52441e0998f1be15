//! Goals under budgets of nodes and bytes: what some tree covers, and what covering gives up.

use std::collections::{HashMap, HashSet};

use pleach::grammar::Grammar;
use pleach::produce::{Budget, Cover, CoverOptions, TreeLimits};
use pleach::table::{RepetitionId, RuleId, Symbol, SymbolKind, Table};
use pleach::tree::Tree;
use pleach::{Entropy, Seeded};
use proptest::prelude::*;

use crate::{ENOUGH, both, bounds, config, naive};

/// What trees can cost, nodes first: only costs of which no other is as low in both.
type Costs = Vec<(u64, u64)>;

/// All costs of the trees that cover a goal, by brute force over the table's items.
struct Affordable<'t> {
    table: &'t Table,
    closed: HashMap<(RuleId, u32), Costs>,
    /// What rules cost that contain the goal.
    below: HashMap<(RuleId, u32), Costs>,
}

fn lowest(mut costs: Costs) -> Costs {
    costs.sort_unstable();
    let mut least = u64::MAX;
    costs.retain(|&(_, bytes)| {
        let kept = bytes < least;
        least = least.min(bytes);
        kept
    });
    costs
}

fn sums(left: &Costs, right: &Costs) -> Costs {
    let sums = left.iter().flat_map(|l| right.iter().map(move |r| (l.0 + r.0, l.1 + r.1)));
    lowest(sums.collect())
}

/// What must stand directly in the body of a rule.
#[derive(Clone, Copy)]
enum Wanted<'w> {
    Walk(&'w [u32]),
    Count(RepetitionId, u32),
    /// A walk or count anywhere in the tree.
    Below(&'w Wanted<'w>),
}

impl Affordable<'_> {
    fn closed(&mut self, rule: RuleId, height: u32) -> Costs {
        if let Some(known) = self.closed.get(&(rule, height)) {
            return known.clone();
        }
        let table = self.table;
        let mut all = Vec::new();
        for alternative in table.alternatives(rule) {
            let items = table.items(alternative);
            all.extend(
                items.iter().fold(vec![(0, 0)], |sum, &item| sums(&sum, &self.item(item, height))),
            );
        }
        let all = lowest(all);
        self.closed.insert((rule, height), all.clone());
        all
    }

    fn item(&mut self, item: Symbol, height: u32) -> Costs {
        let node = vec![(1, 0)];
        match item.kind() {
            SymbolKind::Terminal(_) if height == 0 => vec![],
            SymbolKind::Terminal(occurrence) => {
                let terminal = self.table.terminal_at(occurrence).unwrap();
                vec![(1, self.table.shortest(terminal).len() as u64)]
            }
            SymbolKind::Reference(_) if height == 0 => vec![],
            SymbolKind::Reference(occurrence) => {
                sums(&node, &self.closed(self.table.target(occurrence).unwrap(), height - 1))
            }
            SymbolKind::Group(rule) => sums(&node, &self.closed(rule, height)),
            SymbolKind::Repetition(id) => self.times(id, self.table.repetition(id).min, height),
            _ => unreachable!("no item of an alternative"),
        }
    }

    fn times(&mut self, id: RepetitionId, count: u32, height: u32) -> Costs {
        let element = self.table.repetition(id).element;
        (0..count).fold(vec![(1, 0)], |sum, _| sums(&sum, &self.item(element, height)))
    }

    /// What a rule or group costs that contains what is wanted.
    fn rule(&mut self, rule: RuleId, height: u32, wanted: Wanted<'_>) -> Costs {
        if let (Wanted::Below(_), Some(known)) = (wanted, self.below.get(&(rule, height))) {
            return known.clone();
        }
        let table = self.table;
        let mut all = Vec::new();
        for alternative in table.alternatives(rule) {
            let items = table.items(alternative);
            for (at, &item) in items.iter().enumerate() {
                let mut sum = self.with(item, height, wanted);
                for (_, &other) in items.iter().enumerate().filter(|&(index, _)| index != at) {
                    if sum.is_empty() {
                        break;
                    }
                    sum = sums(&sum, &self.item(other, height));
                }
                all.extend(sum);
            }
        }
        if let Wanted::Below(wanted) = wanted {
            all.extend(self.rule(rule, height, *wanted));
            self.below.insert((rule, height), lowest(all.clone()));
        }
        lowest(all)
    }

    /// What an item costs that contains what is wanted.
    fn with(&mut self, item: Symbol, height: u32, wanted: Wanted<'_>) -> Costs {
        let node = vec![(1, 0)];
        match (item.kind(), wanted) {
            (SymbolKind::Terminal(at), Wanted::Walk([only])) if at.get() == *only => {
                self.item(item, height)
            }
            (SymbolKind::Reference(_), _) if height == 0 => vec![],
            (SymbolKind::Reference(at), Wanted::Walk([first, rest @ ..])) if at.get() == *first => {
                if rest.is_empty() {
                    return self.item(item, height);
                }
                let rule = self.table.target(at).unwrap();
                sums(&node, &self.rule(rule, height - 1, Wanted::Walk(rest)))
            }
            (SymbolKind::Reference(at), Wanted::Below(_)) => {
                let rule = self.table.target(at).unwrap();
                sums(&node, &self.rule(rule, height - 1, wanted))
            }
            (SymbolKind::Group(rule), _) => sums(&node, &self.rule(rule, height, wanted)),
            (SymbolKind::Repetition(id), Wanted::Count(goal, count)) if id == goal => {
                self.times(id, count.max(self.table.repetition(id).min), height)
            }
            (SymbolKind::Repetition(id), _) => {
                let repetition = *self.table.repetition(id);
                let one = self.with(repetition.element, height, wanted);
                if one.is_empty() {
                    return one;
                }
                sums(&one, &self.times(id, repetition.min.saturating_sub(1), height))
            }
            _ => vec![],
        }
    }

    fn fits(&mut self, budget: Budget, wanted: Wanted<'_>) -> bool {
        // The way to a rule, a walk and what closes it need no more: none has a rule twice.
        let depth = budget.depth.min(2 * ENOUGH);
        self.below.clear();
        let all = self.rule(self.table.start(), depth, Wanted::Below(&wanted));
        all.iter().any(|&(nodes, bytes)| nodes < budget.nodes && bytes <= budget.bytes)
    }
}

/// The goals that some tree within a budget covers and that covering gave up; fails where it
/// covers what no tree can.
fn given_up(grammar: &Grammar, bounds: TreeLimits, k: usize) -> (usize, usize) {
    let Some((table, naive)) = both(grammar) else { return (0, 0) };
    let options = CoverOptions::new(k).repetition_goals(true).limits(bounds);
    let Ok(mut cover) = Cover::new(&table, options) else {
        return (0, 0);
    };
    let budget = cover.budget();
    let (mut tree, mut seen) = (Tree::new(), HashSet::new());
    let mut counts = HashSet::new();
    while cover.next_tree(&mut Seeded::new(9), &mut tree) {
        naive::covered(&table, &tree, k, &mut seen);
        counts.extend(tree.nodes().iter().filter_map(|node| match node.symbol.kind() {
            SymbolKind::Repetition(id) => Some((id, node.arity(&table).min(2))),
            _ => None,
        }));
    }
    let mut affordable =
        Affordable { table: &table, closed: HashMap::new(), below: HashMap::new() };
    let (mut feasible, mut missed) = (0, 0);
    let mut compare = |wanted: Wanted<'_>, covered: bool| {
        let fits = affordable.fits(budget, wanted);
        assert!(fits || !covered);
        feasible += usize::from(fits);
        missed += usize::from(fits && !covered);
    };
    for walk in naive.walks(k, 200).concat() {
        compare(Wanted::Walk(&walk), seen.contains(&walk));
    }
    for id in (0..table.repetition_count() as u32).map(RepetitionId::new) {
        let repetition = table.repetition(id);
        for count in 0..=2 {
            let least = if count == 2 { repetition.min.max(2) } else { count };
            if (repetition.min..=repetition.max).contains(&least) {
                compare(Wanted::Count(id, count), counts.contains(&(id, count)));
            }
        }
    }
    (feasible, missed)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn covering_gives_up_nothing_that_one_budget_allows(
        grammar in naive::random::grammar(),
        bounds in bounds(),
        k in 1..4_usize,
        by_bytes in any::<bool>(),
    ) {
        println!("{grammar}");
        let bounds = match by_bytes {
            true => bounds.max_nodes(None),
            false => bounds.max_bytes(None),
        };
        prop_assert_eq!(given_up(&grammar, bounds, k).1, 0);
    }
}

#[test]
fn two_budgets_together_seldom_hide_a_goal() {
    // Where bytes and nodes are both scarce, a tree between the one of fewest bytes and the one
    // of fewest nodes may be missed.
    let (mut feasible, mut missed) = (0, 0);
    let mut words = Seeded::new(4);
    for grammar in naive::random::grammars(4, 300) {
        let bounds = TreeLimits::new().max_nodes(1 + words.below(13)).max_bytes(words.below(9));
        let (all, lost) = given_up(&grammar, bounds, 2);
        feasible += all;
        missed += lost;
    }
    println!("{missed} of {feasible} goals missed");
    assert!(feasible > 1000 && missed * 100 < feasible, "{missed} of {feasible}");
}
