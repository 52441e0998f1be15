//! Production on random grammars, against brute force: minima, budgets, feasibility, coverage.

use std::collections::{HashMap, HashSet};

use naive::{Naive, Walk};
use pleach::grammar::Grammar;
use pleach::kpath::{Coverage, Feasibility, Reason, Scope};
use pleach::produce::{
    Budget, Cover, CoverOptions, Limits, Mode, Options, Producer, Purdom, PurdomOptions,
};
use pleach::table::{
    AlternativeId, Lowering, OccurrenceId, RepetitionId, RuleId, Saving, Symbol, SymbolKind, Table,
};
use pleach::tree::{Outline, Tree};
use pleach::{Entropy, Seeded};
use proptest::prelude::*;

mod naive;

/// Heights by which every minimum of a random grammar, which has at most six rules, is reached.
const ENOUGH: u32 = 8;

/// The table and the second opinion; none where the grammar derives nothing.
fn both(grammar: &Grammar) -> Option<(Table, Naive<'_>)> {
    let naive = Naive::new(grammar)?;
    Some((Lowering::new().lower(grammar).unwrap().table, naive))
}

/// The least nodes and bytes of rules, by recursion over the table's items.
struct Least<'t> {
    table: &'t Table,
    saving: Saving,
    known: HashMap<(RuleId, u32), Option<(u64, u64)>>,
}

impl Least<'_> {
    /// What is saved, then the other.
    fn rule(&mut self, rule: RuleId, height: u32) -> Option<(u64, u64)> {
        if let Some(&known) = self.known.get(&(rule, height)) {
            return known;
        }
        let table = self.table;
        let least = table
            .alternatives(rule)
            .filter_map(|alternative| {
                table.items(alternative).iter().try_fold((0, 0), |sum, &item| {
                    let cost = self.item(item, height)?;
                    Some((sum.0 + cost.0, sum.1 + cost.1))
                })
            })
            .min();
        self.known.insert((rule, height), least);
        least
    }

    fn item(&mut self, item: Symbol, height: u32) -> Option<(u64, u64)> {
        let saving = self.saving;
        let node = |(first, second): (u64, u64)| match saving {
            Saving::Nodes => (first + 1, second),
            Saving::Bytes => (first, second + 1),
        };
        Some(match item.kind() {
            SymbolKind::Terminal(occurrence) => {
                let terminal = self.table.terminal_at(occurrence).unwrap();
                let bytes = self.table.shortest(terminal).len() as u64;
                let cost = if self.saving == Saving::Nodes { (0, bytes) } else { (bytes, 0) };
                (height > 0).then(|| node(cost))?
            }
            SymbolKind::Reference(occurrence) => {
                node(self.rule(self.table.target(occurrence).unwrap(), height.checked_sub(1)?)?)
            }
            SymbolKind::Group(rule) => node(self.rule(rule, height)?),
            SymbolKind::Repetition(id) => {
                let repetition = *self.table.repetition(id);
                if repetition.min == 0 {
                    return Some(node((0, 0)));
                }
                let (first, second) = self.item(repetition.element, height)?;
                let times = u64::from(repetition.min);
                node((first * times, second * times))
            }
            _ => unreachable!("no item of an alternative"),
        })
    }
}

fn compare_minima(grammar: &Grammar) {
    let Some((table, naive)) = both(grammar) else { return };
    let bytes = naive.least_bytes(12);
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        for saving in [Saving::Bytes, Saving::Nodes] {
            let mut least = Least { table: &table, saving, known: HashMap::new() };
            for height in 0..=12 {
                let found = table.minima().closing(saving, rule, height);
                let key = found.map(|step| match saving {
                    Saving::Bytes => (step.cost.bytes, step.cost.nodes),
                    Saving::Nodes => (step.cost.nodes, step.cost.bytes),
                });
                assert_eq!(key, least.rule(rule, height), "{rule:?} at {height}");
                if let Some(step) = found {
                    assert_eq!(table.rule_of(step.alternative), rule);
                    let again = table.minima().alternative_cost(
                        &table,
                        saving,
                        step.alternative,
                        step.height,
                    );
                    assert_eq!(again, Some(step.cost));
                }
                if saving == Saving::Bytes && rule.index() < table.named_rule_count() {
                    let source = naive.rule(table.names().rule(rule));
                    let bytes = bytes[height as usize].get(&source).copied();
                    assert_eq!(found.map(|step| step.cost.bytes), bytes);
                    assert_eq!(table.minima().rule_height(rule), naive.rule_height(source));
                }
            }
        }
    }
}

/// A tree of the table, within the budget, whose text the grammar derives.
fn assert_valid(naive: &Naive<'_>, table: &Table, tree: &Tree, budget: Budget) {
    tree.check(table).unwrap();
    let height = Outline::new(table, tree).height();
    assert!(height <= budget.depth, "depth {height} of {}", budget.depth);
    assert!(tree.nodes().len() as u64 <= budget.nodes);
    assert!(tree.text().len() as u64 <= budget.bytes);
    if tree.text().len() <= 12 {
        assert!(naive.derives(tree.text()), "{:?}", String::from_utf8_lossy(tree.text()));
    }
}

/// A source that ends.
struct Words {
    words: Vec<u64>,
    next: usize,
}

impl Entropy for Words {
    fn next_u64(&mut self) -> u64 {
        self.next += 1;
        self.words.get(self.next - 1).copied().unwrap_or(0)
    }

    fn is_exhausted(&self) -> bool {
        self.next >= self.words.len()
    }
}

fn bounds() -> impl Strategy<Value = Limits> {
    (prop::option::of(0..9_u32), prop::option::of(0..14_u64), prop::option::of(0..9_u64))
        .prop_map(|(depth, nodes, bytes)| Limits { depth, nodes, bytes })
}

/// Whether a tree within single bounds exists; `None` where two of nodes and bytes are bounded,
/// which only a search of all trees could tell.
fn can_be_met(table: &Table, bounds: Limits) -> Option<bool> {
    let depth = bounds.depth.unwrap_or(ENOUGH).min(ENOUGH);
    let least = |saving| {
        let mut least = Least { table, saving, known: HashMap::new() };
        least.rule(table.start(), depth).map(|(first, _)| first)
    };
    match (bounds.nodes, bounds.bytes) {
        (Some(_), Some(_)) => None,
        (Some(nodes), None) => Some(least(Saving::Nodes).is_some_and(|least| least < nodes)),
        (None, Some(bytes)) => Some(least(Saving::Bytes).is_some_and(|least| least <= bytes)),
        (None, None) => Some(least(Saving::Nodes).is_some()),
    }
}

fn options(bounds: Limits, mode: Mode, size: Option<u64>, pool: Option<u64>) -> Options {
    let mut options = Options::new().mode(mode).limits(bounds);
    if let Some(seed) = pool {
        options = options.pool(seed);
    }
    match size {
        Some(size) => options.size(size),
        None => options,
    }
}

fn produce_within(grammar: &Grammar, bounds: Limits, mode: Mode, size: Option<u64>, seed: u64) {
    let Some((table, naive)) = both(grammar) else { return };
    let pool = (seed % 2 == 1).then_some(seed);
    let made = Producer::new(&table, options(bounds, mode, size, pool));
    if let Some(expected) = can_be_met(&table, bounds) {
        assert_eq!(made.is_ok(), expected, "{:?}", made.err());
    }
    let Ok(mut producer) = made else { return };
    let budget = producer.budget();
    assert!(bounds.depth.is_none_or(|depth| depth == budget.depth));
    let mut other = Producer::new(&table, options(bounds, mode, size, pool)).unwrap();
    let (mut tree, mut again) = (Tree::new(), Tree::new());
    for seed in seed..seed + 5 {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        assert_valid(&naive, &table, &tree, budget);
        let mut text = vec![7];
        producer.write(&mut Seeded::new(seed), &mut text);
        assert_eq!(&text[1..], tree.text());
        other.produce(&mut Seeded::new(seed), &mut again);
        assert_eq!(again, tree);
        // A source that ends early closes the tree.
        let mut words = Seeded::new(seed);
        let words: Vec<u64> = (0..seed % 7).map(|_| words.next_u64()).collect();
        producer.produce(&mut Words { words: words.clone(), next: 0 }, &mut tree);
        assert_valid(&naive, &table, &tree, budget);
        text.clear();
        producer.write(&mut Words { words, next: 0 }, &mut text);
        assert_eq!(text, tree.text());
    }
}

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
fn cover_within(grammar: &Grammar, bounds: Limits, (k, scope): (usize, Scope), recurrent: bool) {
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
fn given_up(grammar: &Grammar, bounds: Limits, k: usize) -> (usize, usize) {
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
        assert_eq!(expected.len(), all.filter(|&it| !table.is_read_only(it)).count());
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
    #![proptest_config(ProptestConfig {
        cases: 250,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..ProptestConfig::default()
    })]

    #[test]
    fn closing_is_as_cheap_as_can_be(grammar in naive::random::grammar()) {
        println!("{grammar}");
        compare_minima(&grammar);
    }

    #[test]
    fn random_trees_keep_to_any_budget(
        grammar in naive::random::grammar(),
        bounds in bounds(),
        mode in prop::sample::select(vec![Mode::Uniform, Mode::Weighted, Mode::Inverted]),
        size in prop::option::of(0..60_u64),
        seed in any::<u32>(),
    ) {
        println!("{grammar}");
        produce_within(&grammar, bounds, mode, size, seed.into());
    }

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
    fn every_alternative_is_used(
        grammar in naive::random::grammar(),
        depth in prop::option::of(0..8_u32),
    ) {
        println!("{grammar}");
        compare_purdom(&grammar, depth);
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

    #[test]
    fn covering_gives_up_nothing_that_one_budget_allows(
        grammar in naive::random::grammar(),
        bounds in bounds(),
        k in 1..4_usize,
        by_bytes in any::<bool>(),
    ) {
        println!("{grammar}");
        let bounds = match by_bytes {
            true => Limits { nodes: None, ..bounds },
            false => Limits { bytes: None, ..bounds },
        };
        prop_assert_eq!(given_up(&grammar, bounds, k).1, 0);
    }
}

/// What went wrong once.
mod regressions {
    use super::*;

    fn table(text: &str) -> Table {
        Lowering::new().lower(&Grammar::parse(text).unwrap()).unwrap().table
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
    fn two_budgets_together_seldom_hide_a_goal() {
        // Where bytes and nodes are both scarce, a tree between the one of fewest bytes and the one
        // of fewest nodes may be missed.
        let (mut feasible, mut missed) = (0, 0);
        let mut words = Seeded::new(4);
        for grammar in naive::random::grammars(4, 300) {
            let bounds = Limits {
                depth: None,
                nodes: Some(1 + words.below(13)),
                bytes: Some(words.below(9)),
            };
            let (all, lost) = given_up(&grammar, bounds, 2);
            feasible += all;
            missed += lost;
        }
        println!("{missed} of {feasible} goals missed");
        assert!(feasible > 1000 && missed * 100 < feasible, "{missed} of {feasible}");
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
    fn room_for_all_alternatives_is_reckoned_at_every_height() {
        // By bytes, the deep way is the cheapest: it takes more nodes than the flat one.
        let text = "a = (\"x\" | b b b b) a? ; b = \"xx\" | c ; c = d ; d = e ; e = \"\" ;";
        let table = table(text);
        for nodes in 4..60 {
            let options = Options::new().max_nodes(nodes).max_bytes(30);
            let Ok(mut producer) = Producer::new(&table, options) else { continue };
            let mut tree = Tree::new();
            for seed in 0..50 {
                producer.produce(&mut Seeded::new(seed), &mut tree);
                assert!(tree.nodes().len() as u64 <= nodes);
                let options = Options::new().max_nodes(nodes).max_bytes(30).size(20);
                let mut producer = Producer::new(&table, options).unwrap();
                producer.produce(&mut Seeded::new(seed), &mut tree);
                assert!(tree.nodes().len() as u64 <= nodes);
            }
        }
    }

    #[test]
    fn rules_of_many_steps_keep_to_both_budgets() {
        // A level deeper is a byte less and a node more; beyond the steps that are exact the
        // staircases of different rules end at different heights.
        let mut text = String::new();
        for level in 0..150 {
            let literal = "x".repeat(400 - level);
            text += &format!("c{level} = \"{literal}\" | c{} ;\n", level + 1);
        }
        text += "c150 = \"x\" | \"yy\" ;";
        let table = table(&text);
        let mut tree = Tree::new();
        let mut made = 0;
        for (nodes, bytes) in [(33, 369), (34, 369), (40, 369), (33, 400), (2, 400), (200, 370)] {
            let options = Options::new().max_depth(100).max_nodes(nodes).max_bytes(bytes);
            let Ok(mut producer) = Producer::new(&table, options) else { continue };
            made += 1;
            for length in 0..20 {
                // Closed at once, or after some choices.
                let words = vec![u64::MAX / 2 + 1; length];
                producer.produce(&mut Words { words, next: 0 }, &mut tree);
                tree.check(&table).unwrap();
                assert!(tree.nodes().len() as u64 <= nodes, "{}", tree.nodes().len());
                assert!(tree.text().len() as u64 <= bytes, "{}", tree.text().len());
            }
        }
        assert!(made >= 4, "{made}");
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
}

/// The first round takes what is cheapest where no goal decides; later ones vary it, and cover all
/// goals again.
#[test]
fn later_rounds_cover_again_with_other_choices() {
    let text = r#"number = digit+ ("." digit+)? ; digit = @0 "0" | "1" | @3 "2" ;"#;
    let grammar = Grammar::parse(text).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
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

/// Random sentences hold layout of every kind, comments that are closed among it: without them the
/// tokens are the same.
#[test]
fn layout_of_any_kind_hides_no_token() {
    let text = r#"
        %layout layout ;
        %lexical word ;
        s = ( word | "-" | "/" | [0-9]+ )+@9 ;
        word = [a-z]+ ;
        layout = ( " " | "\n" | /--[^\n]*\n/ | /\/\*([^*]|\*+[^*\/])*\*+\// )* ;
    "#;
    let grammar = Grammar::parse(text).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
    let (mut comments, mut tree) = (0, Tree::new());
    for seed in 0..400 {
        let bytes = if seed % 2 == 0 { 40 + seed } else { 4096 };
        let options = Options::new().mode(Mode::Weighted).max_bytes(bytes);
        let mut producer = Producer::new(&table, options).unwrap();
        producer.produce(&mut Seeded::new(seed), &mut tree);
        tree.check(&table).unwrap();
        assert!(tree.text().len() as u64 <= bytes);
        let (mut rest, mut tokens, mut bare) = (tree.text(), Vec::new(), Vec::new());
        for node in tree.nodes() {
            if let SymbolKind::Terminal(_) | SymbolKind::Layout = node.symbol.kind() {
                let (leaf, after) = rest.split_at(node.choice as usize);
                if node.symbol.kind() != SymbolKind::Layout {
                    tokens.extend_from_slice(leaf);
                }
                rest = after;
            }
        }
        // Another reader of layout.
        let mut rest = tree.text();
        while let [first, after @ ..] = rest {
            rest = match rest {
                [b'-', b'-', ..] => &rest[rest.iter().position(|&it| it == b'\n').unwrap()..],
                [b'/', b'*', body @ ..] => {
                    comments += 1;
                    &body[body.windows(2).position(|it| it == b"*/").unwrap() + 2..]
                }
                [b' ' | b'\n', ..] => after,
                _ => {
                    bare.push(*first);
                    after
                }
            }
        }
        assert_eq!(bare, tokens, "{:?}", String::from_utf8_lossy(tree.text()));
    }
    assert!(comments > 20, "{comments} comments");
}

/// Wide rules, long repetitions and very many rules have no fragments of their own: they were left
/// out of sentences, or took the fragments of other rules.
#[test]
fn what_fragments_do_not_reach_is_expanded_all_the_same() {
    use std::fmt::Write;

    let wide: String = (0..5000).map(|index| format!("| \"{index:04}\" ")).collect();
    let mut many = String::from("s =");
    for rule in 0..20_000 {
        write!(many, " r{rule}").unwrap();
    }
    many.push_str(" ;\n");
    for rule in 0..20_000 {
        writeln!(many, "r{rule} = \"{rule:05}\" | \"-----\" ;").unwrap();
    }
    for (text, length) in [
        (format!("s = a ; a = {} ;", &wide[1..]), 4),
        (format!("s = {} ;", &wide[1..]), 4),
        (format!("s = \"x\" a \"y\" b ; a = {} ; b = \"c\" | \"d\" ;", &wide[1..]), 7),
        ("s = \"x\"{5000} y ; y = \"a\" | \"b\" ;".into(), 5001),
        ("s = \"x\" ( y \"b\" ){5000} ; y = \"a\" | \"b\" ;".into(), 10_001),
        (many, 100_000),
    ] {
        let grammar = Grammar::parse(&text).unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let (mut tree, mut out) = (Tree::new(), Vec::new());
        let options = Options::new().mode(Mode::Uniform).max_nodes(1 << 20);
        let mut producer = Producer::new(&table, options).unwrap();
        for seed in 0..3 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            tree.check(&table).unwrap();
            assert_eq!(tree.text().len(), length, "{}", &text[..40]);
            out.clear();
            producer.write(&mut Seeded::new(seed), &mut out);
            assert_eq!(out, tree.text());
        }
    }
}

/// A symbol that is pending twice stays below what its fragment leaves: with the stack just full,
/// the last of that was written past the end.
#[test]
fn a_stack_that_is_just_full_is_made_longer() {
    let text = "s = a a ; a = \"x\" | b{2} c ; b = \"y\" | a ; c = \"z\" | a ;";
    let grammar = Grammar::parse(text).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
    let mut tree = Tree::new();
    for seed in 0..64 {
        let mut producer = Producer::new(&table, Options::new()).unwrap();
        producer.produce(&mut Seeded::new(seed), &mut tree);
        tree.check(&table).unwrap();
    }
}

/// A literal that is drawn with what stands before it was not counted in the height that a draw
/// needs, so trees grew too deep; where what stands before it has no height left, as an empty
/// repetition at the end of the rule before, production panicked.
#[test]
fn literals_after_what_may_be_empty_keep_to_the_depth() {
    for text in [
        "s = a a ; a = | b* \"x\" ; b = \"y\" | \"z\" ;",
        "s = a \"x\" | \"w\" s a ; a = b* ; b = \"y\" | \"z\" s ;",
        "s = a \"x\" s | a \"x\" \"y\" ; a = ( b \"v\" )* | b? ; b = \"y\"{3} a \"z\" | s | ;",
        "s = | a \"x\" a \"x\" ; a = b c? \"y\" | c? ; b = c* ; c = s \"u\" | | b b ;",
    ] {
        // Beside a rule that is met often, the others are not expanded ahead.
        let text = format!("t = n{{4000}} s ; n = \"p\" | \"q\" | \"r\" n ; {text}");
        let table = Lowering::new().lower(&Grammar::parse(&text).unwrap()).unwrap().table;
        let mut tree = Tree::new();
        for (depth, bytes) in (1..9).flat_map(|depth| [(depth, None), (depth, Some(1 << 20))]) {
            let limits = Limits { depth: Some(depth), nodes: Some(1 << 14), bytes };
            let made = Producer::new(&table, options(limits, Mode::Uniform, None, None));
            assert_eq!(made.is_ok(), depth >= table.minima().rule_height(table.start()));
            let Ok(mut producer) = made else { continue };
            for seed in 0..40 {
                producer.produce(&mut Seeded::new(seed), &mut tree);
                tree.check(&table).unwrap();
                let height = Outline::new(&table, &tree).height();
                assert!(height <= depth, "{height} of {depth}: {text}");
            }
        }
    }
}

/// Where so many nodes are left that a draw reckons with fewer, the bytes depended on when buffers
/// grew, and so on whether the tree was kept.
#[test]
fn a_budget_beyond_32_bits_yields_the_same_with_and_without_the_tree() {
    // A draw may add 2^28 nodes, and one of four billion does.
    let text = "s = a{200} ; a = @4294967295 [ab] [ab] [ab] | b ; b = c{4096} ; c = d{4096} ;
                d = \"y\"{16} ;";
    let table = Lowering::new().lower(&Grammar::parse(text).unwrap()).unwrap().table;
    let options = Options::new().mode(Mode::Weighted).max_nodes(1 << 40);
    let (mut tree, mut text) = (Tree::new(), Vec::new());
    for seed in 0..20 {
        // New ones, for the buffers of used ones need not grow.
        let producer = || Producer::new(&table, options.clone()).unwrap();
        producer().produce(&mut Seeded::new(seed), &mut tree);
        text.clear();
        producer().write(&mut Seeded::new(seed), &mut text);
        assert_eq!(text, tree.text());
    }
}
