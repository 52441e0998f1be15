//! Grammars made to hurt: large, deep, doubling. Each gets a figure or a clear refusal: what is
//! proved is that all of this ends, in little memory. `cargo bench` says how soon.

use std::fmt::Write as _;

use pleach::Seeded;
use pleach::grammar::Grammar;
use pleach::kpath::{PathIndex, Scope, WalkCounts};
use pleach::parse::{Error, Limits, Parser, Scratch};
use pleach::produce::{Cover, CoverOptions, Mode, Options, Producer};
use pleach::table::{EXACT_POINTS, Lowering, Objective, Table};
use pleach::tree::{Outline, Tree};
use tables::table;

mod tables;

fn refused(text: &str) -> String {
    let grammar = Grammar::parse(text).unwrap();
    Lowering::new().lower(&grammar).unwrap_err().diagnostics()[0].message.clone()
}

const MANY: usize = 100_000;

/// What can be asked of any table: counts, a random tree, and covering to the end.
fn use_it(table: &Table, k: usize) -> usize {
    assert!(WalkCounts::new(table, 8).up_to(8).to_u64() > Some(0));
    let mut tree = Tree::new();
    let options = Options::new().mode(Mode::Uniform).max_nodes(1 << 20);
    let mut producer = Producer::new(table, options).unwrap();
    producer.produce(&mut Seeded::new(1), &mut tree);
    tree.check(table).unwrap();
    let height = Outline::new(table, &tree).height();
    assert!(height <= producer.budget().depth);
    let mut cover = Cover::new(table, CoverOptions::new(k).max_nodes(1 << 30)).unwrap();
    let mut trees = 0;
    while cover.next_tree(&mut Seeded::new(1), &mut tree) {
        trees += 1;
    }
    assert_eq!(cover.summary().covered, cover.summary().total);
    assert_eq!(cover.summary().infeasible, 0);
    trees
}

#[test]
fn a_chain_of_rules() {
    let mut text = String::new();
    for rule in 1..MANY {
        writeln!(text, "r{} = r{rule} ;", rule - 1).unwrap();
    }
    writeln!(text, "r{} = \"x\" ;", MANY - 1).unwrap();
    let table = table(&text);
    assert_eq!(table.minima().rule_height(table.start()), MANY as u32);
    assert_eq!(use_it(&table, 3), 1);
}

#[test]
fn a_chain_of_rules_that_may_end_anywhere() {
    let mut text = String::new();
    for rule in 1..MANY {
        writeln!(text, "r{} = \"a\" r{rule} | \"b\" ;", rule - 1).unwrap();
    }
    writeln!(text, "r{} = \"x\" ;", MANY - 1).unwrap();
    let table = table(&text);
    assert_eq!(table.minima().rule_height(table.start()), 1);
    let walks = 3 * (8 * MANY as u64 - 36) + 8;
    assert_eq!(WalkCounts::new(&table, 8).up_to(8).to_u64(), Some(walks));
    let mut tree = Tree::new();
    // To the end of the chain: one tree of depth 100,000 covers nearly all.
    let mut cover = Cover::new(&table, CoverOptions::new(1).size(1 << 30)).unwrap();
    assert_eq!(cover.budget().depth, MANY as u32);
    assert!(cover.next_tree(&mut Seeded::new(1), &mut tree));
    assert_eq!(cover.summary().covered, 2 * MANY as u64 - 1);
}

#[test]
fn a_star_of_rules() {
    let mut text = String::from("start = r0");
    for rule in 1..MANY {
        write!(text, " | r{rule}").unwrap();
    }
    text.push_str(" ;\n");
    for rule in 0..MANY {
        writeln!(text, "r{rule} = \"{rule}\" ;").unwrap();
    }
    let table = table(&text);
    assert_eq!(table.alternative_count(), 2 * MANY);
    assert_eq!(WalkCounts::new(&table, 8).up_to(8).to_u64(), Some(3 * MANY as u64));
}

#[test]
fn a_sequence_of_rules() {
    let mut text = String::from("start =");
    for rule in 0..MANY {
        write!(text, " r{rule}").unwrap();
    }
    text.push_str(" ;\n");
    for rule in 0..MANY {
        writeln!(text, "r{rule} = \"{rule}\" ;").unwrap();
    }
    let table = table(&text);
    assert_eq!(use_it(&table, 2), 1);
}

#[test]
fn a_sequence_of_one_rule() {
    let text = format!("start = {} ; r = \"x\" | \"y\" r ;", "r ".repeat(MANY));
    let table = table(&text);
    use_it(&table, 1);
}

#[test]
fn a_sequence_of_rules_that_get_cheaper_one_after_the_other() {
    let count = MANY / 4;
    let mut text = String::from("start =");
    for rule in 0..count {
        write!(text, " r{rule}").unwrap();
    }
    text.push_str(" ;\n");
    for rule in 0..count {
        writeln!(text, "r{rule} = c{rule} | \"abcdefgh\" ;").unwrap();
        writeln!(text, "c{} = c{rule} ;", rule + 1).unwrap();
    }
    text.push_str("c0 = \"x\" ;\n");
    let table = table(&text);
    let front = table.minima().front(Objective::Bytes, table.start());
    assert!(front.len() >= EXACT_POINTS && front.len() < 100, "{}", front.len());
    assert!(front.iter().zip(0..).all(|(point, index)| index >= EXACT_POINTS as u64
        || point.cost.bytes == 8 * count as u64 - 7 * index));
}

#[test]
fn a_rule_of_many_alternatives() {
    let text = format!("start = \"x\"{} ;", " | \"x\" \"y\"".repeat(MANY));
    let table = table(&text);
    assert_eq!(table.alternative_count(), MANY + 1);
    let mut cover = Cover::new(&table, CoverOptions::new(1)).unwrap();
    let (mut tree, mut trees) = (Tree::new(), 0);
    while trees < 1000 && cover.next_tree(&mut Seeded::new(1), &mut tree) {
        trees += 1;
    }
    assert_eq!(trees, 1000);
}

#[test]
fn a_doubling_chain() {
    let mut text = String::new();
    for rule in 0..70 {
        writeln!(text, "a{rule} = a{0} a{0} ;", rule + 1).unwrap();
    }
    text.push_str("a70 = \"x\" ;");
    let table = table(&text);
    let closing = table.minima().closing(Objective::Bytes, table.start(), 100).unwrap();
    assert_eq!(closing.cost.bytes, u64::MAX);
    let refusal = "no tree of depth up to 71 has at most 1048576 nodes; the least is";
    let error = Cover::new(&table, CoverOptions::new(1)).err().unwrap();
    assert!(error.to_string().starts_with(refusal), "{error}");
    let error = Producer::new(&table, Options::new()).err().unwrap();
    assert!(error.to_string().contains("nodes; the least is"), "{error}");
    // What is said of bytes when nodes have no bound.
    let options = Options::new().max_nodes(u64::MAX).max_bytes(1000);
    let error = Producer::new(&table, options).err().unwrap();
    assert!(error.to_string().contains("at most 1000 bytes"), "{error}");
    // Of nothing as well.
    let empty = Grammar::parse(&text.replace("\"x\"", "")).unwrap();
    let empty = Lowering::new().lower(&empty).unwrap().table;
    let error = Producer::new(&empty, Options::new()).err().unwrap();
    assert!(error.to_string().contains("nodes; the least is"), "{error}");
}

#[test]
fn more_paths_than_can_be_indexed() {
    // 6 references to each other rule in each of 4000 bodies.
    let mut text = String::new();
    for rule in 0..4000 {
        let references = format!("r{} ", (rule + 1) % 4000).repeat(6);
        writeln!(text, "r{rule} = \"x\" | {references} ;").unwrap();
    }
    let table = table(&text);
    let counts = WalkCounts::new(&table, 64);
    // Each walk of n nodes from 6 references and the literal: 6^(n-1) * 7 for each rule.
    for k in 1..=20 {
        assert_eq!(counts.exact(k).exact(), Some(4000 * 7 * 6_u128.pow(k as u32 - 1)));
    }
    assert_eq!(counts.exact(25).to_string(), "132674677473005273088000");
    assert_eq!(counts.exact(25).to_u64(), None);
    assert_eq!(counts.exact(64).to_string(), "2^128 or more");
    assert_eq!(counts.up_to(64).to_string(), "2^128 or more");
    for (k, count) in [(25, "159209612967606327700000"), (64, "2^128 or more")] {
        for scope in [Scope::UpTo, Scope::Exact] {
            let error = PathIndex::new(&table, k, scope, u64::MAX).unwrap_err();
            assert!(error.is_size_limit_exceeded());
            assert!(error.to_string().contains(count), "{error}");
        }
        let error = Cover::new(&table, CoverOptions::new(k)).err().unwrap();
        assert!(error.is_size_limit_exceeded());
        assert!(error.to_string().starts_with(&format!("the grammar has {count} k-paths")));
    }
}

#[test]
fn a_six_path_count_above_u64() {
    // 8000 references in each of two bodies: 16000 * 8000^5.
    let references = |name: &str| format!("{name} ").repeat(8000);
    let text = format!("a = \"x\" | {} ; b = {} | \"y\" ;", references("b"), references("a"));
    let table = table(&text);
    let counts = WalkCounts::new(&table, 6);
    assert_eq!(counts.exact(6).exact(), Some(2 * 8001 * 8000_u128.pow(5)));
    assert_eq!(counts.exact(6).to_u64(), None);
    let error = Cover::new(&table, CoverOptions::new(6)).err().unwrap();
    assert!(error.is_size_limit_exceeded(), "{error}");
}

#[test]
fn exceptions_that_grow() {
    let mut text = String::from("a = x0 except \"y\" ;\n");
    for rule in 0..64 {
        writeln!(text, "x{rule} = x{0} x{0} ;", rule + 1).unwrap();
    }
    text.push_str("x64 = \"x\" ;");
    let message = refused(&text);
    assert!(message.starts_with("this regular expression is too large"), "{message}");
    // A chain is no longer than its text.
    let mut text = String::from("a = x0 except \"y\" ;\n");
    for rule in 0..MANY {
        writeln!(text, "x{rule} = x{} ;", rule + 1).unwrap();
    }
    writeln!(text, "x{MANY} = \"x\" ;").unwrap();
    assert_eq!(table(&text).terminal_count(), 1);
    let many: String = (0..5000).map(|rule| format!("r{rule} = \"a\" except \"b\" ;\n")).collect();
    let many = table(&many);
    assert_eq!((many.named_rule_count(), many.terminal_count()), (1, 1));
    let text = "a = ((\"a\" | \"b\")* \"a\" (\"a\" | \"b\"){60}) except \"b\" ;";
    let message = refused(text);
    assert!(message.starts_with("this regular expression is too large"), "{message}");
}

#[test]
fn lengths_at_the_ends() {
    let table = table("a = \"x\" b ; b = \"y\" | \"z\" ;");
    let counts = WalkCounts::new(&table, 64);
    assert_eq!((counts.exact(0).to_u64(), counts.exact(65).to_u64()), (Some(0), Some(0)));
    assert_eq!((counts.exact(1).to_u64(), counts.exact(2).to_u64()), (Some(4), Some(2)));
    assert_eq!(counts.exact(3).to_u64(), Some(0));
    for k in [0, 65, usize::MAX] {
        assert!(!Cover::new(&table, CoverOptions::new(k)).err().unwrap().is_size_limit_exceeded());
    }
    let mut tree = Tree::new();
    for (k, scope, total) in [
        (1, Scope::UpTo, 4),
        (1, Scope::Exact, 4),
        (2, Scope::Exact, 2),
        (3, Scope::Exact, 0),
        (64, Scope::Exact, 0),
        (64, Scope::UpTo, 6),
    ] {
        let mut cover = Cover::new(&table, CoverOptions::new(k).scope(scope)).unwrap();
        while cover.next_tree(&mut Seeded::new(1), &mut tree) {}
        assert_eq!((cover.summary().covered, cover.summary().total), (total, total));
    }
}

#[test]
fn grammars_of_nothing() {
    for text in ["a = ;", "a = \"\" ;", "a = b ; b = ;", "a = (b{0})* | b ; b = \"\"* ;"] {
        let table = table(text);
        for k in [1, 2, 64] {
            let mut cover = Cover::new(&table, CoverOptions::new(k)).unwrap();
            let mut tree = Tree::new();
            let total = cover.summary().total;
            assert_eq!(total, WalkCounts::new(&table, k).up_to(k).to_u64().unwrap());
            let mut trees = 0;
            while cover.next_tree(&mut Seeded::new(1), &mut tree) {
                tree.check(&table).unwrap();
                assert!(tree.text().is_empty());
                trees += 1;
            }
            assert_eq!(trees, total.min(1), "{text}");
        }
        let mut producer = Producer::new(&table, Options::new()).unwrap();
        let mut tree = Tree::new();
        producer.produce(&mut Seeded::new(1), &mut tree);
        assert!(tree.text().is_empty());
    }
}

#[test]
fn repetitions_of_repetitions() {
    for text in
        ["a = ((\"x\"*)*)* ;", "a = (\"x\"?){3} ;", "a = ((\"x\"+)+)+ ;", "a = (((a))) | \"x\" ;"]
    {
        let table = table(text);
        let options = CoverOptions::new(3).repetition_goals(true);
        let mut cover = Cover::new(&table, options).unwrap();
        let mut tree = Tree::new();
        while cover.next_tree(&mut Seeded::new(1), &mut tree) {
            tree.check(&table).unwrap();
        }
        let summary = cover.summary();
        assert_eq!((summary.covered, summary.infeasible), (summary.total, 0), "{text}");
    }
}

#[test]
fn the_start_rule_anywhere() {
    let text = "%start s ; x = \"x\" s ; s = \"(\" s \")\" | x | \"\" ;";
    let table = table(text);
    assert_eq!(table.names().rule(table.start()), "s");
    assert_ne!(table.body(table.start()).next().unwrap().get(), 0);
    for k in 1..6 {
        let mut cover = Cover::new(&table, CoverOptions::new(k)).unwrap();
        let mut tree = Tree::new();
        while cover.next_tree(&mut Seeded::new(1), &mut tree) {
            tree.check(&table).unwrap();
        }
        assert_eq!(cover.summary().covered, cover.summary().total);
    }
}

#[test]
fn budgets_at_the_ends() {
    let table = table("a = \"x\" a | \"y\" ;");
    let mut tree = Tree::new();
    for depth in [1, 2, u32::MAX - 1, u32::MAX] {
        let options = Options::new().max_depth(depth).max_bytes(u64::MAX).size(100);
        let mut producer = Producer::new(&table, options).unwrap();
        producer.produce(&mut Seeded::new(1), &mut tree);
        tree.check(&table).unwrap();
        let options = CoverOptions::new(2).max_depth(depth).max_nodes(u64::MAX);
        let mut cover = Cover::new(&table, options).unwrap();
        while cover.next_tree(&mut Seeded::new(1), &mut tree) {
            tree.check(&table).unwrap();
        }
    }
}

/// Reads a text, with so many items a byte if the default is not meant.
fn read(table: &Table, text: &[u8], items: Option<u32>) -> Result<Tree, Error> {
    let limits = items.map_or_else(Limits::new, |items| Limits::new().items_per_byte(items));
    let mut tree = Tree::new();
    Parser::new(table).limits(limits).parse(text, &mut Scratch::new(), &mut tree)?;
    tree.check(table).unwrap();
    Ok(tree)
}

#[test]
fn a_least_count_beyond_those_that_are_told_apart_is_read() {
    for count in [1_048_580, 1_200_000] {
        let table = table(&format!("a = b{{{count}}} ; b = \"x\" | ;"));
        let error = read(&table, b"x", None).unwrap_err();
        assert!(matches!(error, Error::Budget { .. }), "{error}");
        let tree = read(&table, b"x", Some(20_000)).unwrap();
        assert_eq!(tree.nodes()[1].choice, count);
        assert_eq!(tree.nodes()[3].choice, 1, "the first element is not empty");
        assert_eq!(tree.nodes().len(), count as usize + 3);
    }
    // How many elements there are could not be told of a longer text.
    let table = table("a = b{1200000} ; b = \"x\" | ;");
    let error = read(&table, &vec![b'x'; 1_200_000], None).unwrap_err();
    assert!(matches!(error, Error::TooLong { most } if most < 1_200_000), "{error}");
    assert!(error.to_string().contains("counted no further"), "{error}");
}

#[test]
fn counts_of_many_repetitions_take_no_more_room_than_those_of_a_few() {
    // Written out, 300 million elements.
    let mut text = String::new();
    for rule in 0..300 {
        writeln!(text, "r{rule} = ( \"{rule}\" r{}? ){{0,1000000}} \".\" ;", (rule + 1) % 300)
            .unwrap();
    }
    let table = table(&text);
    read(&table, b"01.0.", None).unwrap();
    let error = read(&table, b"01.0", None).unwrap_err();
    assert!(matches!(error, Error::Syntax(_)), "{error}");
    let error = read(&table, &b"0.".repeat(4000), None).unwrap_err();
    assert!(matches!(error, Error::TooLong { .. }), "{error}");
}

#[test]
fn a_budget_holds_where_prediction_reads_and_inside_tokens() {
    let doubling: String = (1..31).map(|i| format!("r{i} = r{0} r{0} ;\n", i - 1)).collect();
    for text in [
        format!("%start r30 ; r0 = ; {doubling}"),
        format!("%start r30 ; r0 = \"x\"? ; {doubling}"),
        format!("%start s ; s = \"(\" s \")\" | r12 s? \".\" ; r0 = \"x\"? ; {doubling}"),
        "a = b{200000000} ; b = ;".to_owned(),
        "a = b{200000000} ; b = \"x\"? ;".to_owned(),
        "a = b{1000} ; b = c{1000} ; c = d{1000} ; d = ;".to_owned(),
        "%layout l ; a = b{200000000} ; b = \"x\"? ; l = \" \"* ;".to_owned(),
    ] {
        let table = table(&text);
        let source = if text.contains("s?") { ".".repeat(300) } else { String::new() };
        let error = read(&table, source.as_bytes(), None).unwrap_err();
        assert!(matches!(error, Error::Budget { .. }), "{error} {text}");
    }
}

#[test]
fn a_budget_holds_where_places_of_a_grammar_are_looked_at() {
    let mut optional = String::new();
    for rule in 0..400 {
        let others: String = (1..=20).map(|by| format!("r{}? ", (rule + by * 7) % 400)).collect();
        writeln!(optional, "r{rule} = {others} \"{rule}\"? ;").unwrap();
    }
    for (grammar, text) in
        [("s = x{0,40000} ; x = \"a\"{0,20} \"b\"? ;", &b"a".repeat(5000)[..]), (&optional, b"1")]
    {
        let error = read(&table(grammar), text, None).unwrap_err();
        assert!(matches!(error, Error::Budget { .. }), "{error}");
    }
}

#[test]
fn a_chain_of_rules_is_read_in_the_time_of_its_length() {
    const LENGTH: usize = 20_000;
    let forward = |rule: usize| format!("r{} = r{rule} ;\n", rule - 1);
    let backward = |rule: usize| format!("r{rule} = r{} ;\n", rule - 1);
    let last = LENGTH - 1;
    for text in [
        (1..LENGTH).map(forward).collect::<String>() + &format!("r{last} = \"x\" ;"),
        format!("%start r{last} ; r0 = \"x\" ;") + &(1..LENGTH).map(backward).collect::<String>(),
        // Which is no token, and has to be predicted or charted.
        (1..LENGTH).map(forward).collect::<String>()
            + &format!("r{last} = \"x\" | \"(\" r0 \")\" ;"),
        (1..LENGTH).map(forward).collect::<String>() + &format!("r{last} = r0 \"x\" | \"x\" ;"),
        // Nor is this, for its automaton is too large.
        (1..LENGTH).map(forward).collect::<String>()
            + &format!("r{last} = ( \"x\" | \"y\" )* \"x\" ( \"x\" | \"y\" ){{0,20}} ;"),
    ] {
        let tree = read(&table(&text), b"x", None).unwrap();
        assert!(tree.nodes().len() > LENGTH);
    }
}

#[test]
fn many_copies_of_one_rule_are_refused_without_looking_each_up() {
    let text = "x = \"x\" ;\n".repeat(200_000);
    let error = Lowering::new().lower(&Grammar::parse(&text).unwrap()).unwrap_err();
    let found = error.diagnostics();
    assert!(found.len() <= 100, "{}", found.len());
    assert!(found.iter().all(|one| one.message == "rule `x` is defined twice"));
    assert!(error.to_string().contains("the first is at grammar:1:1"), "{error}");
}
