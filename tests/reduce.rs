//! Reduction on random grammars with random predicates: what is kept, what is lost, and that the
//! order of answers does not matter.

use naive::random;
use pleach::parse::{Error, Parser, Scratch};
use pleach::produce::{self, Producer};
use pleach::reduce::{Candidate, Options, Reducer};
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
            pleach::table::Saving::Nodes,
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
