//! Layout between tokens: what is produced reads back as the same tokens, by a tokenizer written
//! here that takes the longest match.

use pleach::produce::{Cover, CoverOptions, Options, Producer};
use pleach::table::{SymbolKind, Table};
use pleach::tree::{Outline, Tree};
use pleach::{Entropy as _, Seeded};
use regex::Regex;
use tables::table;

mod tables;

/// The tokens of a tree: terminals outside lexical rules, and lexical rules as a whole.
fn tokens<'t>(table: &Table, tree: &'t Tree) -> Vec<&'t str> {
    let layout = table.layout().unwrap();
    let outline = Outline::new(table, tree);
    let text = std::str::from_utf8(tree.text()).unwrap();
    let (mut tokens, mut index) = (Vec::new(), 0);
    while index < tree.nodes().len() {
        let symbol = tree.nodes()[index].symbol;
        let lexical = symbol.occurrence().and_then(|o| table.target(o));
        if lexical.is_some_and(|rule| layout.is_lexical(rule)) {
            tokens.push(&text[outline.span(index)]);
            index += outline.size(index) as usize;
            continue;
        }
        if let SymbolKind::Terminal(_) = symbol.kind() {
            tokens.push(&text[outline.span(index)]);
        }
        index += 1;
    }
    // An empty token cannot be read back.
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// Reads a text by the longest match of patterns, of which the first is a piece of layout.
fn read<'t>(patterns: &[Regex], text: &'t str) -> Vec<&'t str> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < text.len() {
        // The longest prefix that a pattern matches as a whole, by trying all.
        let matching = |length: &usize| {
            text.is_char_boundary(at + length)
                && patterns.iter().any(|pattern| pattern.is_match(&text[at..at + length]))
        };
        let length = (1..=text.len() - at).rev().find(matching);
        let length = length.unwrap_or_else(|| panic!("no token at {at} of {text:?}"));
        let token = &text[at..at + length];
        if !patterns[0].is_match(token) {
            tokens.push(token);
        }
        at += length;
    }
    tokens
}

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?s:{pattern})$")).unwrap()
}

/// Produces in several ways, and reads what is produced; gives how many pairs of tokens stood
/// together and apart.
fn round_trip(table: &Table, patterns: &[Regex], seeds: u64) -> (usize, usize) {
    let (mut together, mut apart) = (0, 0);
    let mut check = |tree: &Tree| {
        tree.check(table).unwrap();
        let text = std::str::from_utf8(tree.text()).unwrap();
        let tokens = tokens(table, tree);
        assert_eq!(read(patterns, text), tokens, "{text:?}");
        let layout = tree.nodes().iter().filter(|n| n.symbol.kind() == SymbolKind::Layout).count();
        apart += layout;
        together += tokens.len().saturating_sub(1 + layout);
    };
    let mut tree = Tree::new();
    let options = Options::new().max_nodes(200).max_bytes(100);
    let mut producer = Producer::new(table, options).unwrap();
    for seed in 0..seeds {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        check(&tree);
        assert!(tree.text().len() <= 100 && tree.nodes().len() <= 200);
        let mut text = Vec::new();
        producer.write(&mut Seeded::new(seed), &mut text);
        assert_eq!(text, tree.text());
    }
    let mut cover = Cover::new(table, CoverOptions::new(3)).unwrap();
    while cover.next_tree(&mut Seeded::new(1), &mut tree) {
        check(&tree);
    }
    (together, apart)
}

#[test]
fn a_language_with_close_operators_reads_back() {
    let table = table(
        r#"%layout space; %lexical name number;
           start = statement* ;
           statement = "if" name statement | "iffy" number | sum ";" | "(" sum ")" | "{" start "}" ;
           sum = operand ( operator operand )* ;
           operator = "+" | "++" | "+=" | "-" | "--" | "/" | "*" | "<" | "<<" | "=" | "==" ;
           operand = name | number | "-" operand | "." name | "*" operand | "/" number ;
           name = letter ( letter | digit )* ;
           letter = [a-f] ; digit = [0-9] ;
           number = /[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/ ;
           space = ( " " | "\n" | /\/\/[a-f ]*\n/ | "/*" /[a-f]*/ "*/" )* ;"#,
    );
    let mut patterns = vec![whole(r"( |\n|//[a-f ]*\n|/\*[a-f]*\*/)")];
    let literals =
        ["if", "iffy", ";", "(", ")", "{", "}", ".", "+", "++", "+=", "-", "--", "/", "*"];
    let literals = literals.iter().chain(&["<", "<<", "=", "=="]);
    patterns.extend(literals.map(|literal| whole(&regex::escape(literal))));
    patterns.push(whole("[a-f][a-f0-9]*"));
    patterns.push(whole(r"[0-9]+(\.[0-9]+)?(e-?[0-9]+)?"));
    let (together, apart) = round_trip(&table, &patterns, 300);
    assert!(together > 500 && apart > 100, "{together} {apart}");
}

#[test]
fn random_tokens_read_back() {
    let mut words = Seeded::new(11);
    let (mut together, mut apart) = (0, 0);
    for case in 0..150 {
        let mut literals: Vec<String> = Vec::new();
        for _ in 0..2 + words.below(5) {
            let length = 1 + words.below(3);
            let symbol = |_| ['a', '/', '+'][words.below(3) as usize];
            literals.push((0..length).map(symbol).collect());
        }
        literals.sort();
        literals.dedup();
        let pattern = ["a+b", "[ab]/?", "(\\+a)+", "/[^a ]a"][words.below(4) as usize];
        let comment = ["#", "//+", "/a*/"][words.below(3) as usize];
        // What is a comment is no token.
        let space = whole(&format!("( |{comment})"));
        literals.retain(|literal| !space.is_match(literal));
        let alternatives: Vec<String> = literals.iter().map(|l| format!("\"{l}\"")).collect();
        let escaped = |pattern: &str| pattern.replace('/', "\\/");
        let text = format!(
            "%layout space; s = ( {} | /{}/ )* ; space = ( \" \" | /{}/ )* ;",
            [alternatives, vec!["\"b\"".into()]].concat().join(" | "),
            escaped(pattern),
            escaped(comment),
        );
        println!("{case} {text}");
        let mut patterns = vec![space];
        patterns.extend(literals.iter().map(|literal| whole(&regex::escape(literal))));
        patterns.extend([whole("b"), whole(pattern)]);
        let table = table(&text);
        let (more, less) = round_trip(&table, &patterns, 10);
        together += more;
        apart += less;
    }
    println!("{together} {apart}");
    assert!(together > 500 && apart > 100, "{together} {apart}");
}

/// Beyond what the longest match asks for: many languages refuse a word right after a number or
/// another word, whatever the tokens are.
#[test]
fn numbers_and_words_stand_apart() {
    for (left, right, apart) in [
        // The token before begins with a digit, or ends in a letter, a digit or `_`.
        (r#""1""#, r#""AND""#, true),
        (r#""1.""#, r#""e""#, true),
        (r"/[0-9]+\./", r#""e""#, true),
        (r#"".5""#, r#""x""#, true),
        (r#""a""#, r#""b""#, true),
        (r#""a""#, r#""1""#, true),
        (r#""_""#, r#""_""#, true),
        (r#""'a""#, r#""b'""#, true),
        (r#"i"Q""#, r#"i"W""#, true),
        ("word", "word", true),
        // Some string of the token does.
        (r"/[+a]/", r"/[-b]/", true),
        // One of the two is no word or number.
        (r#""1""#, r#""+""#, false),
        (r#""+""#, r#""1""#, false),
        (r#""a""#, r#""(""#, false),
        (r#"")""#, r#""a""#, false),
        (r#""'a'""#, r#""b""#, false),
        (r#""-1.""#, r#""e""#, false),
        (r#""é""#, r#""a""#, false),
    ] {
        let text = format!(
            "%layout space; %lexical word; s = {left} {right} | word ; word = \"n\" \"m\" ;
             space = \" \"* ;"
        );
        let table = table(&text);
        let mut cover = Cover::new(&table, CoverOptions::new(1)).unwrap();
        let (mut tree, mut pairs) = (Tree::new(), 0);
        while cover.next_tree(&mut Seeded::new(1), &mut tree) {
            let found = tokens(&table, &tree);
            if let [left, right] = found[..] {
                let separator = if apart { " " } else { "" };
                let expected = format!("{left}{separator}{right}");
                assert_eq!(std::str::from_utf8(tree.text()), Ok(expected.as_str()));
                pairs += 1;
            }
        }
        assert!(pairs > 0, "{text}");
    }
}
