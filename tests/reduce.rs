//! Reduction on random grammars with random predicates: what is kept, what is lost, and that the
//! order of answers does not matter.

use naive::random;
use pleach::parse::{Error, Parser, Scratch};
use pleach::produce::{self, Producer};
use pleach::reduce::{Candidate, Options, Reducer, TextReducer};
use pleach::table::{Layout, Lowering, SymbolKind, Table, Token};
use pleach::tree::{Outline, Tree};
use pleach::{Entropy, Seeded};
use proptest::prelude::*;
use tables::table;

mod naive;
mod tables;

/// A property of texts.
#[derive(Clone, Debug)]
enum Predicate {
    Contains(Vec<u8>),
    AtLeast(usize, u8),
    /// Of this text, and of others without rhyme or reason.
    Odd(Vec<u8>, u64),
}

impl Predicate {
    /// One that a text has.
    fn of(text: &[u8], seed: &mut Seeded) -> Self {
        if text.is_empty() {
            return Self::Contains(Vec::new());
        }
        let at = seed.below(text.len() as u64) as usize;
        match seed.below(3) {
            0 => Self::Contains(text[at..text.len().min(at + 1 + seed.below(3) as usize)].into()),
            1 => {
                let count = text.iter().filter(|&&byte| byte == text[at]).count();
                Self::AtLeast(1 + seed.below(count as u64) as usize, text[at])
            }
            _ => Self::Odd(text.into(), seed.next_u64()),
        }
    }

    fn holds(&self, text: &[u8]) -> bool {
        match self {
            Self::Contains(part) => {
                part.is_empty() || text.windows(part.len()).any(|window| window == part)
            }
            Self::AtLeast(count, wanted) => {
                text.iter().filter(|&byte| byte == wanted).count() >= *count
            }
            Self::Odd(whole, salt) => {
                let hash = text.iter().fold(*salt, |hash, &byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3).rotate_left(23)
                });
                text == whole || hash.is_multiple_of(3)
            }
        }
    }
}

/// A table with a layout, where layout matters: names and numbers fuse, operators do not.
const STATEMENTS: &str = r#"
%start program; %layout space; %lexical name number;
program = statement* ;
statement = name "=" sum ";" | "{" statement* "}" | "if" sum statement ( "else" statement )? ;
sum = sum "+" product | product ;
product = name | number | "(" sum ")" | name "(" ( sum ( "," sum )* )? ")" ;
name = /[a-z]+/ except ( "if" | "else" ) ;
number = [0-9]+ ;
space = ( " " | "\n" | "/*" /[a-z ]*/ "*/" )* ;
"#;

const LIST: &str = r#"list = "[" ( item ( "," item )* )? "]" ; item = /[a-z]+/ | list ;"#;

/// A random tree of about as many nodes at most.
fn tree(table: &Table, seed: &mut Seeded, nodes: u64) -> Tree {
    let least = table
        .minima()
        .symbol_cost(
            table,
            pleach::table::Objective::Nodes,
            pleach::table::Symbol::root(table.start()),
            u32::MAX,
        )
        .unwrap();
    let options = produce::Options::new().max_nodes(nodes.max(least.nodes));
    let mut tree = Tree::new();
    Producer::new(table, options).unwrap().produce(seed, &mut tree);
    tree
}

/// Reduces one by one; each candidate is of the language, says the parser.
fn reduce(table: &Table, tree: &Tree, options: Options, predicate: &Predicate) -> (Tree, u64) {
    let mut reducer = Reducer::new(table, tree.clone(), options).unwrap();
    let (parser, mut scratch) = (Parser::new(table), Scratch::new());
    while let Some(Candidate { ticket, text, gain }) = reducer.propose() {
        let read = parser.recognise(&text, &mut scratch);
        assert!(
            !matches!(read, Err(Error::Syntax(_))),
            "{read:?}: {:?}",
            String::from_utf8_lossy(&text)
        );
        assert_eq!(text.len() + gain, reducer.text().len());
        let interesting = predicate.holds(&text);
        assert_eq!(reducer.answer(ticket, interesting), interesting);
        if interesting {
            assert_eq!(reducer.text(), text);
            reducer.tree().check(table).unwrap();
        }
    }
    assert!(reducer.is_done());
    let tried = reducer.tried();
    (reducer.into_tree(), tried)
}

/// Reduces with several candidates open, answered in a random order.
fn reduce_ahead(
    table: &Table,
    tree: &Tree,
    options: Options,
    predicate: &Predicate,
    seed: &mut Seeded,
) -> (Tree, u64) {
    let mut reducer = Reducer::new(table, tree.clone(), options).unwrap();
    let mut open: Vec<Candidate> = Vec::new();
    loop {
        open.retain(|candidate| reducer.is_open(candidate.ticket));
        while open.len() < 7
            && let Some(candidate) = reducer.propose()
        {
            open.push(candidate);
        }
        if open.is_empty() {
            assert!(reducer.is_done());
            break;
        }
        let one = open.swap_remove(seed.below(open.len() as u64) as usize);
        reducer.answer(one.ticket, predicate.holds(&one.text));
        // A second answer is none.
        assert!(!reducer.answer(one.ticket, true));
    }
    let tried = reducer.tried();
    (reducer.into_tree(), tried)
}

fn check(table: &Table, tree: &Tree, seed: &mut Seeded) {
    let predicate = Predicate::of(tree.text(), seed);
    let options = Options::new().tokens(seed.below(2) == 0);
    let (small, tried) = reduce(table, tree, options, &predicate);
    small.check(table).unwrap();
    assert!(predicate.holds(small.text()), "{predicate:?}: {:?}", small.text());
    assert!(small.text().len() <= tree.text().len());
    let ahead = reduce_ahead(table, tree, options, &predicate, seed);
    assert_eq!(ahead, (small.clone(), tried), "{predicate:?}");
    // What is forgotten is refused again.
    let forgetful = reduce(table, tree, options.memory(2), &predicate);
    assert_eq!(forgetful.0, small, "{predicate:?}");
    // Nothing more can be done.
    let mut again = Reducer::new(table, small, options).unwrap();
    while let Some(candidate) = again.propose() {
        assert!(!predicate.holds(&candidate.text), "{predicate:?}: {:?}", candidate.text);
        again.answer(candidate.ticket, false);
    }
}

proptest! {
    #[test]
    fn on_random_grammars_the_property_is_kept_and_the_result_minimal(
        grammar in random::grammar(),
        seed in any::<u64>(),
    ) {
        let lowered = Lowering::new().lower(&grammar);
        if let Ok(lowered) = lowered {
            let mut seed = Seeded::new(seed);
            let tree = tree(&lowered.table, &mut seed, 60);
            check(&lowered.table, &tree, &mut seed);
        }
    }

    #[test]
    fn with_layout_too(seed in any::<u64>()) {
        let (table, mut seed) = (table(STATEMENTS), Seeded::new(seed));
        let tree = tree(&table, &mut seed, 150);
        check(&table, &tree, &mut seed);
    }
}

/// The token that begins at each node outside tokens, and whether layout stands before it.
fn tokens(table: &Table, layout: &Layout, tree: &Tree) -> Vec<(Token, bool)> {
    let outline = Outline::new(table, tree);
    let (mut tokens, mut index, mut separated) = (Vec::new(), 0, false);
    while index < tree.nodes().len() {
        let symbol = tree.nodes()[index].symbol;
        let token = match symbol.kind() {
            SymbolKind::Layout => {
                separated = true;
                None
            }
            SymbolKind::Terminal(occurrence) => {
                table.terminal_at(occurrence).map(|id| layout.terminal_token(id))
            }
            SymbolKind::Reference(occurrence) => table
                .target(occurrence)
                .filter(|&rule| layout.is_lexical(rule))
                .map(|rule| layout.rule_token(rule)),
            _ => None,
        };
        if let Some(token) = token {
            tokens.push((token, std::mem::take(&mut separated)));
            index += outline.size(index) as usize;
        } else {
            index += 1;
        }
    }
    tokens
}

#[test]
fn tokens_that_would_fuse_keep_layout_between_them() {
    let table = table(STATEMENTS);
    let layout = table.layout().unwrap();
    let (mut seed, mut apart, mut taken) = (Seeded::new(5), 0, 0);
    for _ in 0..120 {
        let tree = tree(&table, &mut seed, 300);
        let predicate = Predicate::of(tree.text(), &mut seed);
        let mut reducer = Reducer::new(&table, tree, Options::new()).unwrap();
        while let Some(candidate) = reducer.propose() {
            if !reducer.answer(candidate.ticket, predicate.holds(&candidate.text)) {
                continue;
            }
            taken += 1;
            let tokens = tokens(&table, layout, reducer.tree());
            for pair in tokens.windows(2) {
                let ((left, _), (right, separated)) = (pair[0], pair[1]);
                assert!(separated || !layout.fuses(left, right), "{:?}", reducer.text());
                apart += usize::from(separated);
            }
        }
    }
    assert!(taken > 100 && apart > 100, "{taken} candidates taken, {apart} tokens apart");
}

/// A list takes as few runs as a repetition when a rule makes it by recursion, left or right.
#[test]
fn lists_by_recursion_are_halved() {
    for rule in [r#"item+"#, r#"item list | item"#, r#"list item | item"#] {
        let table = table(&format!(r#"list = {rule} ; item = /[a-z]+/ ";" ;"#));
        let mut tree = Tree::new();
        let text = format!("{}needle;{}", "some;".repeat(400), "other;".repeat(600));
        Parser::new(&table).parse(text.as_bytes(), &mut Scratch::new(), &mut tree).unwrap();
        let needle = Predicate::Contains(b"needle".into());
        let (left, tried) = reduce(&table, &tree, Options::new(), &needle);
        assert_eq!(left.text(), b"needle;");
        assert!(tried < 80, "{rule}: {tried}");
        // Where all of it matters, not every pair of links is tried.
        let text = "some;".repeat(120);
        Parser::new(&table).parse(text.as_bytes(), &mut Scratch::new(), &mut tree).unwrap();
        let all = Predicate::AtLeast(120, b';');
        let (left, tried) = reduce(&table, &tree, Options::new(), &all);
        assert_eq!(left.text(), "a;".repeat(120).as_bytes());
        assert!(tried < 4_000, "{rule}: {tried}");
    }
}

/// Lists inside lists become one, wherever they stand.
#[test]
fn lists_are_flattened() {
    let table = table(LIST);
    for text in ["[[a,a],a]", "[a,[a,a]]", "[[[a],[a]],a]", "[[a],[[a,a]]]", "[[a,[a]],[],[a]]"] {
        let mut tree = Tree::new();
        Parser::new(&table).parse(text.as_bytes(), &mut Scratch::new(), &mut tree).unwrap();
        let (left, _) = reduce(&table, &tree, Options::new(), &Predicate::AtLeast(3, b'a'));
        assert_eq!(String::from_utf8_lossy(left.text()), "[a,a,a]", "{text}");
    }
}

/// Random trees until one has a property.
fn tree_with(table: &Table, seed: u64, holds: impl Fn(&str) -> bool) -> Tree {
    let (mut seed, mut tree) = (Seeded::new(seed), Tree::new());
    let options = produce::Options::new().max_nodes(400);
    let mut producer = Producer::new(table, options).unwrap();
    for _ in 0..100_000 {
        producer.produce(&mut seed, &mut tree);
        if tree.text().len() > 60 && holds(std::str::from_utf8(tree.text()).unwrap()) {
            return tree;
        }
    }
    panic!("no tree has it");
}

fn smallest(table: &Table, seed: u64, tokens: bool, holds: fn(&str) -> bool) -> String {
    let tree = tree_with(table, seed, holds);
    let mut reducer = Reducer::new(table, tree, Options::new().tokens(tokens)).unwrap();
    while let Some(candidate) = reducer.propose() {
        let text = std::str::from_utf8(&candidate.text).unwrap();
        reducer.answer(candidate.ticket, holds(text));
    }
    String::from_utf8(reducer.into_tree().into_text()).unwrap()
}

/// What each property comes down to, by whatever operators it takes, from several trees.
#[test]
fn properties_come_down_to_their_core() {
    type Case = (&'static str, bool, fn(&str) -> bool, &'static [&'static str]);
    let cases: &[Case] = &[
        (LIST, false, |text| text.contains("[[["), &["[[[]]]"]),
        (LIST, true, |text| text.matches(',').count() >= 2, &["[a,a,a]", "[a,[a,a]]"]),
        (LIST, true, |text| text.contains('q'), &["[q]"]),
        (STATEMENTS, true, |text| text.contains("else"), &["if a{}else{}"]),
        (STATEMENTS, true, |text| text.contains('+'), &["if a+a{}", "a=a+a;"]),
        (STATEMENTS, true, |text| text.contains("(("), &["if((a)){}", "a=((a));"]),
    ];
    for (grammar, tokens, holds, expected) in cases {
        let table = table(grammar);
        for seed in 0..5 {
            // A number is as small as a name.
            let found = smallest(&table, seed, *tokens, *holds).replace('0', "a");
            assert!(expected.contains(&found.as_str()), "{found}");
        }
    }
}

/// Reduces with so many candidates open, answered in a random order.
fn reduce_text(
    parser: &Parser<'_>,
    text: &[u8],
    (options, most, mut seed): (Options, usize, Seeded),
    holds: impl Fn(&[u8]) -> bool,
) -> (Vec<u8>, u64, u64, bool) {
    let mut reducer = TextReducer::new(parser, text, options);
    let mut open: Vec<Candidate> = Vec::new();
    loop {
        open.retain(|candidate| reducer.is_open(candidate.ticket));
        while open.len() < most
            && let Some(candidate) = reducer.propose()
        {
            assert_eq!(candidate.text.len() + candidate.gain, reducer.text().len());
            open.push(candidate);
        }
        if open.is_empty() {
            break;
        }
        let one = open.swap_remove(seed.below(open.len() as u64) as usize);
        if reducer.answer(one.ticket, holds(&one.text)) {
            assert!(holds(reducer.text()));
        }
        assert!(!reducer.answer(one.ticket, true), "a second answer is none");
    }
    assert_eq!(reducer.open(), 0);
    (reducer.text().to_vec(), reducer.tried(), reducer.taken(), reducer.is_done())
}

/// A sentence with some of its bytes left out or doubled.
fn broken(text: &[u8], seed: &mut Seeded) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=seed.below(3) {
        let (from, length) = (seed.below(text.len() as u64 + 1) as usize, seed.below(4) as usize);
        let to = text.len().min(from + length);
        match seed.below(2) {
            0 => drop(text.drain(from..to)),
            _ => text.extend_from_within(from..to),
        }
    }
    text
}

proptest! {
    #[test]
    fn of_any_text_no_character_can_go_whatever_the_order_of_answers(
        grammar in random::grammar(),
        is_plain in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let table = match is_plain {
            true => table(STATEMENTS),
            false => match Lowering::new().lower(&grammar) {
                Ok(lowered) => lowered.table,
                Err(_) => return Ok(()),
            },
        };
        let mut seed = Seeded::new(seed);
        let text = broken(tree(&table, &mut seed, 80).text(), &mut seed);
        let predicate = Predicate::of(&text, &mut seed);
        let holds = |text: &[u8]| predicate.holds(text);
        let parser = Parser::new(&table);
        let options = Options::new().tokens(seed.below(2) == 0);
        let one = reduce_text(&parser, &text, (options, 1, Seeded::new(0)), holds);
        let ahead = (options, 7, Seeded::new(seed.next_u64()));
        prop_assert_eq!(&one, &reduce_text(&parser, &text, ahead, holds));
        let (small, tried, _, is_done) = one;
        prop_assert!(is_done && holds(&small));
        if TextReducer::new(&parser, &text, options).refusal().is_some() {
            let mut ends: Vec<usize> = (0..=small.len()).collect();
            if let Ok(small) = std::str::from_utf8(&small) {
                ends.retain(|&end| small.is_char_boundary(end));
            }
            for pair in ends.windows(2) {
                let without = [&small[..pair[0]], &small[pair[1]..]].concat();
                prop_assert!(!holds(&without), "{:?} of {:?}", pair, small);
            }
        }
        // A bound ends the work at the same place for any number of candidates ahead.
        let bounded = options.runs(tried / 2);
        let half = reduce_text(&parser, &text, (bounded, 1, Seeded::new(0)), holds);
        prop_assert_eq!(half.1, tried / 2);
        prop_assert_eq!(&half, &reduce_text(&parser, &text, (bounded, 5, Seeded::new(1)), holds));
    }
}

#[test]
fn a_sentence_is_reduced_by_its_tree_alone() {
    let (table, mut seed) = (table(STATEMENTS), Seeded::new(3));
    let parser = Parser::new(&table);
    for _ in 0..50 {
        let tree = tree(&table, &mut seed, 150);
        let predicate = Predicate::of(tree.text(), &mut seed);
        // The tree of a text is the one that the parser takes.
        let mut parsed = Tree::new();
        parser.parse(tree.text(), &mut Scratch::new(), &mut parsed).unwrap();
        let (small, tried) = reduce(&table, &parsed, Options::new(), &predicate);
        let how = (Options::new(), 1, Seeded::new(0));
        let found = reduce_text(&parser, tree.text(), how, |text| predicate.holds(text));
        assert_eq!((&*found.0, found.1), (small.text(), tried));
    }
}

/// By lines, tokens and characters alone the brackets around the call would stay: they have to go in pairs.
#[test]
fn parts_of_a_broken_text_are_reduced_by_their_trees() {
    let table = table(STATEMENTS);
    let text = "a = 1 + ; { if x { b = f(1, g((2 + h(3)))); } else { c = 4; } } }\n".repeat(20);
    let holds = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let mut depth = 0_i32;
        let matched = text.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        });
        matched && depth == 0 && text.contains("+ ;") && text.contains("h(")
    };
    let how = (Options::new(), 1, Seeded::new(0));
    let (small, tried, ..) = reduce_text(&Parser::new(&table), text.as_bytes(), how, holds);
    assert_eq!(String::from_utf8_lossy(&small), "+ ;h()");
    assert!(tried < 300, "{tried}");
}
