//! What is learnt agrees with a naive walk, what is drawn with what was learnt, and all stays possible.

use std::collections::BTreeMap;
use std::sync::Arc;

use pleach_core::Seeded;
use pleach_core::learn::{Counts, Model, Weights};
use pleach_core::parse::{Parser, Scratch};
use pleach_core::produce::{Mode, Options, Producer};
use pleach_core::table::{AlternativeId, Repetition, RuleId, Symbol, SymbolKind, Table, Terminal};
use pleach_core::tree::{Outline, Tree};
use pleach_testing::table;
use proptest::collection::vec;
use proptest::prelude::*;

/// Grammars whose rules have names as alternatives, repetitions, classes and regular terminals.
fn grammars() -> impl Strategy<Value = String> {
    let item = (0..6_u8, 0..3_u8).prop_map(|(kind, rule)| match kind {
        0 => "[ab\u{e9}]".to_owned(),
        1 => "/x[yz]?/".to_owned(),
        2 => format!("( r{rule} | \"!\" )"),
        3 => format!("( \",\" r{rule} )*"),
        4 => "\"-\"{1,3}".to_owned(),
        _ => format!("r{rule}"),
    });
    let rule = vec(vec(item, 1..4), 1..4);
    vec(rule, 3).prop_map(|rules| {
        let alternative =
            |(number, items): (usize, &Vec<String>)| format!("\"{number}\" {}", items.join(" "));
        let rule = |(rule, alternatives): (usize, Vec<Vec<String>>)| {
            let written: Vec<String> = alternatives.iter().enumerate().map(alternative).collect();
            format!("r{rule} = \"{rule}\" | {} ;\n", written.join(" | "))
        };
        rules.into_iter().enumerate().map(rule).collect()
    })
}

/// Trees of a table, small ones.
fn trees(table: &Table, mode: Mode, count: usize, seed: u64) -> Vec<Tree> {
    let options = Options::new().mode(mode).max_nodes(200);
    let mut producer = Producer::new(table, options).expect("there are small trees");
    let mut entropy = Seeded::new(seed);
    let mut all = vec![Tree::new(); count];
    for tree in &mut all {
        producer.produce(&mut entropy, tree);
    }
    all
}

fn counts<'t>(table: &'t Table, trees: &[Tree]) -> Counts<'t> {
    let mut counts = Counts::new(table);
    for tree in trees {
        counts.add(tree);
    }
    counts
}

/// How often what was done: in which rule, where in it, below which references, and what.
type Naive = BTreeMap<[String; 4], u64>;

/// An item as it is written, by recursion.
fn written(table: &Table, item: Symbol) -> String {
    match item.kind() {
        SymbolKind::Reference(occurrence) => {
            table.names().rule(table.target(occurrence).expect("it is a reference")).to_owned()
        }
        SymbolKind::Terminal(occurrence) => {
            let terminal = table.terminal_at(occurrence).expect("it is a terminal");
            table.names().terminal(terminal).to_owned()
        }
        SymbolKind::Group(rule) => {
            let alternatives = table.all_alternatives(rule).map(|one| alternative(table, one));
            format!("( {} )", alternatives.collect::<Vec<_>>().join(" | "))
        }
        SymbolKind::Repetition(id) => {
            let Repetition { element, min, max, .. } = *table.repetition(id);
            let times =
                if max == Repetition::UNBOUNDED { "*".into() } else { format!("{{{min},{max}}}") };
            written(table, element) + &times
        }
        SymbolKind::Root(_) | SymbolKind::Layout => unreachable!("no item is one"),
    }
}

fn alternative(table: &Table, one: AlternativeId) -> String {
    let items = table.items(one).iter().map(|&item| written(table, item));
    items.collect::<Vec<_>>().join(" ")
}

/// Counts what stands at a node and below it, by recursion from the root.
fn naive(
    (table, tree, outline): (&Table, &Tree, &Outline),
    node: usize,
    above: &[String],
    found: &mut Naive,
) {
    let mut above = above.to_vec();
    let symbol = tree.nodes()[node].symbol;
    let name = |rule: RuleId| table.names().rule(rule).to_owned();
    if let SymbolKind::Reference(occurrence) = symbol.kind() {
        let owner = name(table.owner(table.occurrence_site(occurrence).alternative));
        above.push(format!("{owner}.{}", written(table, symbol)));
    }
    let context = above[above.len().saturating_sub(Counts::ORDER)..].join(" ");
    let mut done = |rule: RuleId, point: String, what: String| {
        *found.entry([name(rule), point, context.clone(), what]).or_default() += 1;
    };
    match symbol.kind() {
        SymbolKind::Reference(_) | SymbolKind::Root(_) | SymbolKind::Group(_) => {
            let taken = tree.nodes()[node].alternative();
            let rule = table.rule_of(taken);
            if table.all_alternatives(rule).len() > 1 {
                let point = match symbol.kind() {
                    SymbolKind::Group(_) => written(table, symbol),
                    _ => name(rule),
                };
                done(table.owner(taken), point, alternative(table, taken));
            }
        }
        SymbolKind::Repetition(id) => {
            let rule = table.owner(table.repetition(id).alternative);
            let times = outline.children(node).count();
            done(rule, written(table, symbol), times.to_string());
        }
        SymbolKind::Terminal(occurrence) => {
            let rule = table.owner(table.occurrence_site(occurrence).alternative);
            let terminal = table.terminal_at(occurrence).expect("it is a terminal");
            if !matches!(table.terminal(terminal), Terminal::Literal { .. }) {
                let text = String::from_utf8_lossy(&tree.text()[outline.span(node)]).into_owned();
                done(rule, written(table, symbol), text);
            }
        }
        SymbolKind::Layout => unreachable!("the grammars have none"),
    }
    for child in outline.children(node) {
        naive((table, tree, outline), child, &above, found);
    }
}

/// A name without the numbers that tell several of one text apart.
fn unnumbered(name: &str) -> String {
    let parts = name.split(' ').map(|part| match part.rsplit_once('#') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => part,
    });
    parts.collect::<Vec<_>>().join(" ")
}

proptest! {
    #[test]
    fn counts_are_those_of_a_naive_walk(text in grammars(), seed: u64) {
        let table = table(&text);
        let trees = trees(&table, Mode::Uniform, 8, seed);
        let (mut expected, mut found) = (Naive::new(), Naive::new());
        for tree in &trees {
            naive((&table, tree, &Outline::new(&table, tree)), 0, &[], &mut expected);
        }
        for (rule, of) in counts(&table, &trees).weights().rules {
            for (point, contexts) in of.choices.iter().chain(&of.counts).chain(&of.texts) {
                for (context, choices) in contexts {
                    for (choice, count) in choices {
                        let key = [rule.clone(), unnumbered(point), unnumbered(context), unnumbered(choice)];
                        *found.entry(key).or_default() += count;
                    }
                }
            }
        }
        prop_assert_eq!(found, expected, "{}", text);
    }

    #[test]
    fn merging_adds_and_names_are_read_back(text in grammars(), seed: u64) {
        let table = table(&text);
        let trees = trees(&table, Mode::Uniform, 8, seed);
        let whole = counts(&table, &trees).weights();
        let mut merged = counts(&table, &trees[..3]);
        merged.merge(&counts(&table, &trees[3..]));
        prop_assert_eq!(merged.weights(), whole.clone(), "{}", text);
        let mut read = counts(&table, &trees[..3]);
        prop_assert_eq!(read.add_weights(&counts(&table, &trees[3..]).weights()), [""; 0]);
        prop_assert_eq!(read.weights(), whole, "{}", text);
    }
}

#[test]
fn counts_that_are_merged_stay_at_the_greatest_number() {
    let table = table(r#"s = "a" | [xy]{0,2} ;"#);
    let mut most = weights(&table, &[("a", 1), ("xy", 1)]);
    most.trees = u64::MAX;
    let rule = most.rules.get_mut("s").expect("it was learnt");
    for points in [&mut rule.choices, &mut rule.counts, &mut rule.texts] {
        let counts = points.values_mut().flat_map(|contexts| contexts.values_mut());
        counts.flat_map(|choices| choices.values_mut()).for_each(|count| *count = u64::MAX);
    }
    let mut counts = Counts::new(&table);
    assert_eq!(counts.add_weights(&most), [""; 0]);
    let twice = counts.clone();
    counts.merge(&twice);
    assert_eq!(counts.weights(), most);
    assert_eq!(counts.gaps(0)[0].of, u64::MAX);
}

#[test]
fn what_a_grammar_does_not_have_is_named_and_the_rest_is_kept() {
    let old = table(r#"s = "a" t | "b" | [xy] ; t = "c"* | "d" ;"#);
    let mut tree = Tree::new();
    let mut counts = Counts::new(&old);
    for text in ["acc", "b", "x", "ad"] {
        Parser::new(&old)
            .parse(text.as_bytes(), &mut Scratch::new(), &mut tree)
            .expect("it is of s");
        counts.add(&tree);
    }
    let new = table(r#"s = "new" | "a" t | [xy] ; t = "c"* | "e" ;"#);
    let mut kept = Counts::new(&new);
    let unknown = kept.add_weights(&counts.weights());
    assert_eq!(unknown, ["\"b\" in rule s", "\"d\" in rule t"]);
    let kept = kept.weights();
    assert_eq!(kept.rules["s"].choices["s"][""].get("\"a\" t"), Some(&2));
    assert_eq!(kept.rules["t"].counts["\"c\"*"]["s.t"].get("2"), Some(&1));
}

/// The shares of the alternatives that `s` takes in what is produced by weights.
fn shares(
    table: &Table,
    weights: &Weights,
    mode: Mode,
    share: Option<u8>,
) -> BTreeMap<String, u64> {
    let mut learnt = Counts::new(table);
    assert_eq!(learnt.add_weights(weights), [""; 0]);
    let model = Arc::new(Model::new(&learnt));
    let mut options = Options::new().mode(mode).exotic(0).learnt(model);
    if let Some(share) = share {
        options = options.learnt_share(share);
    }
    let mut producer = Producer::new(table, options).expect("the budget is ample");
    let (mut entropy, mut tree, mut counts) = (Seeded::new(5), Tree::new(), BTreeMap::new());
    for _ in 0..DRAWS {
        producer.produce(&mut entropy, &mut tree);
        tree.check(table).expect("producers write derivations");
        *counts.entry(String::from_utf8_lossy(tree.text()).into_owned()).or_default() += 1;
    }
    counts
}

const DRAWS: u64 = 40_000;

fn weights(table: &Table, corpus: &[(&str, usize)]) -> Weights {
    let (parser, mut tree, mut counts) = (Parser::new(table), Tree::new(), Counts::new(table));
    for (text, times) in corpus {
        parser
            .parse(text.as_bytes(), &mut Scratch::new(), &mut tree)
            .expect("it is of the grammar");
        for _ in 0..*times {
            counts.add(&tree);
        }
    }
    counts.weights()
}

/// Asserts that frequencies are those expected: chi-square of less than 30 with at most 8 degrees of
/// freedom, which chance exceeds in two of ten thousand.
fn assert_fit(found: &BTreeMap<String, u64>, expected: &[(&str, f64)]) {
    let sum: f64 = expected.iter().map(|it| it.1).sum();
    let mut square = 0.0;
    for (text, weight) in expected {
        let expected = weight / sum * DRAWS as f64;
        let found = found.get(*text).copied().unwrap_or(0) as f64;
        square += (found - expected).powi(2) / expected;
    }
    assert!(square < 30.0, "chi-square {square}: {found:?}");
}

#[test]
fn drawn_frequencies_are_those_learnt() {
    let table = table(r#"s = "a" | "b" | [xyz] | "-"{0,3} "." ;"#);
    let corpus = [("a", 4000), ("b", 1000), ("x", 2500), ("y", 500), ("--.", 1500), (".", 500)];
    let weights = weights(&table, &corpus);
    let found = shares(&table, &weights, Mode::Weighted, None);
    let expected: Vec<(&str, f64)> =
        corpus.iter().map(|&(text, times)| (text, times as f64)).collect();
    assert_fit(&found, &expected);
    // Half of the choices by the grammar, all alike: alternatives in equal shares there.
    let half = shares(&table, &weights, Mode::Weighted, Some(128));
    let share = |text: &str| half[text] as f64 / DRAWS as f64;
    assert!((share("a") - (0.4 + 0.25) / 2.0).abs() < 0.02, "{half:?}");
    assert!((share("b") - (0.1 + 0.25) / 2.0).abs() < 0.02, "{half:?}");
}

#[test]
fn the_context_decides() {
    let table = table(r#"s = "1" t | "2" u ; t = v ; u = v ; v = "a" | "b" ;"#);
    let weights = weights(&table, &[("1a", 5000), ("2b", 5000)]);
    let found = shares(&table, &weights, Mode::Weighted, None);
    assert!(found["1a"] > 100 * found.get("1b").unwrap_or(&1), "{found:?}");
    assert!(found["2b"] > 100 * found.get("2a").unwrap_or(&1), "{found:?}");
}

#[test]
fn what_is_rare_is_likely_in_inverted_mode_and_alternatives_are_alike_in_uniform_mode() {
    let table = table(r#"s = "a" | "b" | "c" | [xy] ;"#);
    let weights = weights(&table, &[("a", 900), ("b", 90), ("x", 1000)]);
    let found = shares(&table, &weights, Mode::Inverted, None);
    assert!(found["c"] > 50 * found["b"] && found["b"] > 5 * found["a"], "{found:?}");
    let found = shares(&table, &weights, Mode::Uniform, None);
    assert!(found["c"].abs_diff(DRAWS / 4) < 400 && found["x"] > 50 * found["y"], "{found:?}");
}

#[test]
fn nothing_becomes_impossible() {
    let table = table(r#"s = "a" | @0 "b" | [xyz] | "-"{0,2} "." ;"#);
    let found =
        shares(&table, &weights(&table, &[("a", 5), ("x", 5), ("-.", 5)]), Mode::Typical, None);
    let texts = ["--.", "-.", ".", "a", "b", "x", "y", "z"];
    assert_eq!(found.keys().collect::<Vec<_>>(), texts, "{found:?}");
}

#[test]
fn sums_beyond_the_integers_are_drawn_from() {
    let table = table(r#"s = "a" | "b" ;"#);
    let mut weights = weights(&table, &[("a", 1), ("b", 1)]);
    let choices = weights.rules.get_mut("s").and_then(|rule| rule.choices.get_mut("s"));
    *choices
        .expect("it was learnt")
        .get_mut("")
        .expect("s is the root")
        .get_mut("\"a\"")
        .expect("taken") = u64::MAX;
    let found = shares(&table, &weights, Mode::Weighted, None);
    assert!(found["a"] > DRAWS - 10, "{found:?}");
}

#[test]
fn what_is_never_done_is_told() {
    let table = table(r#"s = "a" t | "b" t* | "c" u ; t = "x" | "y" | "z" ; u = "1" | "2" ;"#);
    let mut learnt = Counts::new(&table);
    learnt.add_weights(&weights(&table, &[("ax", 20), ("by", 20)]));
    let gaps: Vec<_> =
        learnt.gaps(10).into_iter().map(|it| (it.rule, it.choice, it.context, it.of)).collect();
    let row = |rule: &str, choice: &str, context: Option<&str>, of| {
        (rule.to_owned(), choice.to_owned(), context.map(str::to_owned), of)
    };
    for gap in [
        row("s", "\"c\" u", None, 40),
        row("t", "\"z\"", None, 40),
        row("s", "0", None, 20),
        row("s", "2 or more", None, 20),
        row("u", "", None, 0),
        row("t", "\"y\"", Some("s.t"), 20),
        row("t", "\"x\"", Some("s.t#2"), 20),
    ] {
        assert!(gaps.contains(&gap), "{gap:?} is not in {gaps:#?}");
    }
    assert_eq!(gaps.len(), 7, "{gaps:#?}");
}
