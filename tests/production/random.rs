//! Trees at random: within every budget, and with and without the tree alike.

use pleach::grammar::Grammar;
use pleach::produce::{Mode, Options, Producer, TreeLimits};
use pleach::table::{Lowering, Objective, SymbolKind, Table};
use pleach::tree::{Outline, Tree};
use pleach::{Entropy, Seeded};
use proptest::prelude::*;

use crate::minima::Least;
use crate::tables::table;
use crate::{ENOUGH, Words, assert_valid, both, bounds, config, naive};

/// Whether a tree within single bounds exists; `None` where two of nodes and bytes are bounded,
/// which only a search of all trees could tell.
fn can_be_met(table: &Table, bounds: TreeLimits) -> Option<bool> {
    let depth = bounds.get_max_depth().unwrap_or(ENOUGH).min(ENOUGH);
    let least = |objective| {
        let mut least = Least::new(table, objective);
        least.rule(table.start(), depth).map(|(first, _)| first)
    };
    match (bounds.get_max_nodes(), bounds.get_max_bytes()) {
        (Some(_), Some(_)) => None,
        (Some(nodes), None) => Some(least(Objective::Nodes).is_some_and(|least| least < nodes)),
        (None, Some(bytes)) => Some(least(Objective::Bytes).is_some_and(|least| least <= bytes)),
        (None, None) => Some(least(Objective::Nodes).is_some()),
    }
}

fn options(bounds: TreeLimits, mode: Mode, size: Option<u64>, pool: Option<u64>) -> Options {
    let mut options = Options::new().mode(mode).limits(bounds);
    if let Some(seed) = pool {
        options = options.pool(seed);
    }
    match size {
        Some(size) => options.size(size),
        None => options,
    }
}

fn produce_within(grammar: &Grammar, bounds: TreeLimits, mode: Mode, size: Option<u64>, seed: u64) {
    let Some((table, naive)) = both(grammar) else { return };
    let pool = (seed % 2 == 1).then_some(seed);
    let made = Producer::new(&table, options(bounds, mode, size, pool));
    if let Some(expected) = can_be_met(&table, bounds) {
        assert_eq!(made.is_ok(), expected, "{:?}", made.err());
    }
    let Ok(mut producer) = made else { return };
    let budget = producer.budget();
    assert!(bounds.get_max_depth().is_none_or(|depth| depth == budget.depth));
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

proptest! {
    #![proptest_config(config())]

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
fn rules_of_many_points_keep_to_both_budgets() {
    // A level deeper is a byte less and a node more; beyond the points that are exact the
    // fronts of different rules end at different heights.
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
    let table = table(text);
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

/// Wide rules, long repetitions and very many rules have no prefixes of their own: they were left
/// out of sentences, or took the prefixes of other rules.
#[test]
fn what_prefixes_do_not_reach_is_expanded_all_the_same() {
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
        let table = table(&text);
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

/// A symbol that is pending twice stays below what its prefix leaves: with the stack just full,
/// the last of that was written past the end.
#[test]
fn a_stack_that_is_just_full_is_made_longer() {
    let text = "s = a a ; a = \"x\" | b{2} c ; b = \"y\" | a ; c = \"z\" | a ;";
    let table = table(text);
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
        let table = table(&text);
        let mut tree = Tree::new();
        for (depth, bytes) in (1..9).flat_map(|depth| [(depth, None), (depth, Some(1 << 20))]) {
            let limits = TreeLimits::new().max_depth(depth).max_nodes(1 << 14).max_bytes(bytes);
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
    let table = table(text);
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

/// To make prefixes of a rule took the square of its alternatives, again for each literal after it.
#[test]
fn a_rule_with_many_operators_is_produced_from() {
    for operand in ["e", "( e )"] {
        let ways: String = (0..2000).map(|at| format!("e \"o{at} \" {operand} | ")).collect();
        let grammar = Grammar::parse(&format!("e = {ways}\"x\" ;")).unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let mut producer = Producer::new(&table, Options::new().max_nodes(1000)).unwrap();
        let mut tree = Tree::new();
        for seed in 0..5 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            tree.check(&table).unwrap();
            assert!(tree.nodes().len() <= 1000);
        }
    }
}
