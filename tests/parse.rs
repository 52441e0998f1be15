//! Reading texts back: against a recogniser and an enumeration of derivations that are written out
//! slowly, and over every grammar file.

mod naive;
mod tables;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use naive::Naive;
use pleach::grammar::{Encoding, Expr, ExprId, Files, Grammar, Name, Rule, Span};
use pleach::parse::{Error, Limits, Parser, Scratch};
use pleach::produce::{Characters, Options, Producer};
use pleach::table::{
    Lowering, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table, Terminal, TerminalId,
};
use pleach::tree::{Node, Tree};
use pleach::{Entropy as _, Seeded};
use pleach_testing::{grammar_files, readers};
use tables::table;

/// How long long texts are, in bytes: those of debug builds are shorter, for these are slow.
const LONG: usize = if cfg!(debug_assertions) { 10_000 } else { 100_000 };

fn parse(table: &Table, text: &[u8]) -> Result<Tree, Error> {
    let mut tree = Tree::new();
    Parser::new(table).parse(text, &mut Scratch::new(), &mut tree)?;
    tree.check(table).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tree.text(), text);
    Ok(tree)
}

/// The preferred derivation by the order's definition, without layout: all ways are tried, best
/// first. None where the steps run out.
struct Slow<'t> {
    table: &'t Table,
    text: &'t [u8],
    known: HashMap<(Symbol, usize, usize), Option<Vec<Node>>>,
    steps: u32,
}

type Chain = Vec<RuleId>;
type Extent = (usize, usize);

impl Slow<'_> {
    fn leaf(&self, terminal: TerminalId, text: &[u8]) -> bool {
        match self.table.terminal(terminal) {
            Terminal::Literal { bytes, ignore_case: false } => bytes == text,
            Terminal::Literal { bytes, ignore_case: true } => bytes.eq_ignore_ascii_case(text),
            Terminal::Class { ranges } => {
                let characters = || std::str::from_utf8(text).ok().map(str::chars);
                let symbol = match (self.table.encoding(), text) {
                    (Encoding::Bytes, &[byte]) => Some(u32::from(byte)),
                    (Encoding::Bytes, _) => None,
                    (Encoding::Unicode, _) => characters().and_then(|mut all| {
                        let first = all.next()?;
                        all.next().is_none().then_some(u32::from(first))
                    }),
                };
                let inside =
                    |symbol| ranges.iter().any(|&(low, high)| (low..=high).contains(&symbol));
                symbol.is_some_and(inside)
            }
            Terminal::Regular { automaton } => automaton.contains_bytes(text),
        }
    }

    fn symbol(&mut self, symbol: Symbol, (from, to): Extent, chain: &Chain) -> Option<Vec<Node>> {
        self.steps = self.steps.checked_sub(1)?;
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                let terminal = self.table.terminal_at(occurrence).unwrap();
                let node = Node { symbol, choice: (to - from) as u32 };
                self.leaf(terminal, &self.text[from..to]).then(|| vec![node])
            }
            SymbolKind::Repetition(id) => {
                if chain.is_empty()
                    && let Some(known) = self.known.get(&(symbol, from, to))
                {
                    return known.clone();
                }
                let found = self.repetition(symbol, id, (from, to), chain);
                if chain.is_empty() && self.steps > 0 {
                    self.known.insert((symbol, from, to), found.clone());
                }
                found
            }
            _ => {
                let rule = self.table.rule_behind(symbol).unwrap();
                if chain.contains(&rule) {
                    return None;
                }
                if chain.is_empty()
                    && let Some(known) = self.known.get(&(symbol, from, to))
                {
                    return known.clone();
                }
                let below = [chain.as_slice(), &[rule]].concat();
                let found = self.table.all_alternatives(rule).find_map(|alternative| {
                    let items = self.table.items(alternative).to_vec();
                    let mut nodes = vec![Node { symbol, choice: alternative.get() }];
                    nodes.extend(self.sequence(&items, from, (from, to), &below)?);
                    Some(nodes)
                });
                if chain.is_empty() && self.steps > 0 {
                    self.known.insert((symbol, from, to), found.clone());
                }
                found
            }
        }
    }

    /// One item with a text: the chain goes on if that is the text of the node above.
    fn item(
        &mut self,
        item: Symbol,
        span: Extent,
        whole: Extent,
        chain: &Chain,
    ) -> Option<Vec<Node>> {
        if span == whole {
            self.symbol(item, span, chain)
        } else {
            self.symbol(item, span, &vec![])
        }
    }

    fn sequence(
        &mut self,
        items: &[Symbol],
        from: usize,
        whole: Extent,
        chain: &Chain,
    ) -> Option<Vec<Node>> {
        let Some((&first, rest)) = items.split_first() else {
            return (from == whole.1).then(Vec::new);
        };
        (from..=whole.1).rev().find_map(|end| {
            let mut nodes = self.item(first, (from, end), whole, chain)?;
            nodes.extend(self.sequence(rest, end, whole, chain)?);
            Some(nodes)
        })
    }

    /// So many elements, none of them empty if `filled`.
    fn elements(
        &mut self,
        element: Symbol,
        count: u32,
        from: usize,
        (whole, chain): (Extent, &Chain),
        filled: bool,
    ) -> Option<Vec<Node>> {
        if count == 0 {
            return (from == whole.1).then(Vec::new);
        }
        (from + usize::from(filled)..=whole.1).rev().find_map(|end| {
            let mut nodes = self.item(element, (from, end), whole, chain)?;
            nodes.extend(self.elements(element, count - 1, end, (whole, chain), filled)?);
            Some(nodes)
        })
    }

    fn repetition(
        &mut self,
        symbol: Symbol,
        id: RepetitionId,
        span: Extent,
        chain: &Chain,
    ) -> Option<Vec<Node>> {
        let Repetition { element, min, max, .. } = *self.table.repetition(id);
        let length = (span.1 - span.0) as u32;
        let filled = (min..=max.min(length).max(min)).rev().filter(|&count| count <= length);
        let ways = filled.map(|count| (count, true)).chain([(min, false)]);
        for (count, filled) in ways {
            if let Some(children) = self.elements(element, count, span.0, (span, chain), filled) {
                return Some([vec![Node { symbol, choice: count }], children].concat());
            }
        }
        None
    }
}

/// The preferred tree, or none where there is no derivation; nothing where it takes too long.
fn slowly(table: &Table, text: &[u8]) -> Option<Option<Vec<Node>>> {
    let mut slow = Slow { table, text, known: HashMap::new(), steps: 200_000 };
    let found = slow.symbol(Symbol::root(table.start()), (0, text.len()), &vec![]);
    (slow.steps > 0).then_some(found)
}

#[test]
fn random_grammars_agree_with_slow_definitions() {
    let (mut members, mut strangers, mut tired) = (0, 0, 0);
    let mut words = Seeded::new(20);
    for grammar in naive::random::grammars(7, 400) {
        let Some(naive) = Naive::new(&grammar) else { continue };
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let parser = Parser::new(&table);
        let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
        let mut texts: Vec<Vec<u8>> = vec![vec![]];
        let mut producer = Producer::new(&table, Options::new().max_bytes(6).max_nodes(60));
        for seed in 0..8 {
            let Ok(producer) = &mut producer else { break };
            producer.produce(&mut Seeded::new(seed), &mut tree);
            texts.push(tree.text().to_vec());
        }
        for _ in 0..12 {
            let length = words.below(6);
            texts.push((0..length).map(|_| b"xyzabcqZ"[words.below(8) as usize]).collect());
        }
        texts.retain(|text| text.len() <= 8);
        texts.sort();
        texts.dedup();
        for text in texts {
            let context = || format!("{grammar}\n{:?}", String::from_utf8_lossy(&text));
            let found = parser.parse(&text, &mut scratch, &mut tree);
            assert_eq!(found.is_ok(), naive.derives(&text), "{}", context());
            let again = parser.recognise(&text, &mut scratch);
            assert_eq!(again, found, "{}", context());
            match found {
                Ok(()) => {
                    members += 1;
                    tree.check(&table).unwrap_or_else(|e| panic!("{e}\n{}", context()));
                    assert_eq!(tree.text(), text);
                    match slowly(&table, &text) {
                        Some(slow) => {
                            assert_eq!(Some(tree.nodes()), slow.as_deref(), "{}", context());
                        }
                        None => tired += 1,
                    }
                }
                Err(Error::Syntax(error)) => {
                    strangers += 1;
                    assert!(error.at() <= text.len(), "{}", context());
                }
                Err(error) => panic!("{error}\n{}", context()),
            }
        }
    }
    println!("{members} {strangers} {tired}");
    assert!(members > 800 && strangers > 1300 && tired * 10 < members);
}

/// Whether a parser of a table reads a text, with its tree and without; the tree is the table's.
fn reads(table: &Table, text: &str) -> bool {
    let found = parse(table, text.as_bytes());
    let recognised = Parser::new(table).recognise(text.as_bytes(), &mut Scratch::new());
    assert_eq!(found.as_ref().err(), recognised.as_ref().err(), "{text:?}");
    match found {
        Ok(_) => true,
        Err(Error::Syntax(_)) => false,
        Err(error) => panic!("{text:?}: {error}"),
    }
}

/// Prediction, the chart and the slow definitions say the same of the data set that they share. The chart has to read what
/// prediction could, in a grammar of the same texts and of those with a mark at their end.
#[test]
fn all_readers_agree_on_the_data_set() {
    let mut wrong = Vec::new();
    for case in readers() {
        let name = &case.name;
        let grammar = Grammar::parse(&case.grammar).unwrap_or_else(|e| panic!("{name}: {e}"));
        let naive = Naive::new(&grammar).unwrap_or_else(|| panic!("{name} derives nothing"));
        let own = table(&case.grammar);
        if Parser::new(&own).is_predictive() != case.predicted {
            wrong.push(format!("{name} is predicted or not, other than it says"));
        }
        let first = "%start twice; twice = s | s \"\\u{1}\" | \"\\u{1}\" twice;\n";
        let marked = table(&format!("{first}{}", case.grammar));
        if Parser::new(&marked).is_predictive() {
            wrong.push(format!("{name} is read by prediction all the same"));
        }
        let texts = case.accepted.iter().map(|text| (text, true));
        for (text, accepted) in texts.chain(case.refused.iter().map(|text| (text, false))) {
            let context = format!("{name}: {text:?}");
            let said = [naive.derives(text.as_bytes()), reads(&own, text), reads(&marked, text)];
            if said != [accepted; 3] {
                wrong.push(format!("{context}: {said:?} by definition, the parser and the chart"));
            }
            let slow = slowly(&own, text.as_bytes()).expect("texts are short");
            let tree = parse(&own, text.as_bytes()).ok();
            assert_eq!(tree.as_ref().map(Tree::nodes), slow.as_deref(), "{context}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_grammar_reads_what_it_produces() {
    let files = grammar_files("grammars");
    for (name, text) in &files {
        let grammar = Grammar::read(name, text, &Files::new(files.clone())).unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let parser = Parser::new(&table);
        let (mut scratch, mut read, mut tree) = (Scratch::new(), Tree::new(), Tree::new());
        let mut check = |text: &[u8], label: &str| {
            if let Err(error) = parser.parse(text, &mut scratch, &mut read) {
                panic!("{name}, {label}: {error}\n{}", String::from_utf8_lossy(text));
            }
            read.check(&table).unwrap_or_else(|error| panic!("{name}, {label}: {error}"));
            assert_eq!(read.text(), text, "{name}, {label}");
            parser.recognise(text, &mut scratch).unwrap();
        };
        let folder =
            format!("{}/corpus/{}", env!("CARGO_MANIFEST_DIR"), name.replace(".pleach", ""));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            check(&std::fs::read(&path).unwrap(), &path.display().to_string());
        }
        let mut producer = Producer::new(&table, Options::new().max_bytes(400)).unwrap();
        for seed in 0..20 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            check(tree.text(), &format!("seed {seed}"));
        }
    }
}

/// A tree in one line: alternatives and counts, with leaves in quotes.
fn draw(table: &Table, tree: &Tree) -> String {
    fn visit(table: &Table, tree: &Tree, next: &mut usize, at: &mut usize) -> String {
        let node = tree.nodes()[*next];
        *next += 1;
        if node.symbol.is_leaf() {
            let text = &tree.text()[*at..*at + node.choice as usize];
            *at += text.len();
            return String::from_utf8_lossy(text).into_owned();
        }
        let mut children = Vec::new();
        for _ in 0..node.arity(table) {
            while tree.nodes()[*next].symbol == Symbol::LAYOUT {
                children.push(format!("_{}", visit(table, tree, next, at)));
            }
            children.push(visit(table, tree, next, at));
        }
        let children = children.join(" ");
        match node.symbol.kind() {
            SymbolKind::Repetition(_) => format!("[{children}]"),
            _ => format!("({children})"),
        }
    }
    visit(table, tree, &mut 0, &mut 0)
}

#[test]
fn the_order_of_derivations_decides() {
    for (grammar, text, expected) in [
        // The lower alternative, then what follows from it.
        (r#"s = s s | "a" ;"#, "aaa", "(((a) (a)) (a))"),
        (r#"s = "a" | s s ;"#, "aaa", "(((a) (a)) (a))"),
        (r#"e = e "+" e | "1" ;"#, "1+1+1", "(((1) + (1)) + (1))"),
        (r#"s = b | a ; a = "x" ; b = "x" ;"#, "x", "((x))"),
        // More repetitions.
        (r#"s = ( "aa" | "a" )* ;"#, "aaaa", "([(a) (a) (a) (a)])"),
        (r#"s = ( "aa" | "a" ){1,2} ;"#, "aaa", "([(aa) (a)])"),
        (r#"s = ( "a"? )* ;"#, "aa", "([([a]) ([a])])"),
        (r#"s = ( "a"? ){3} ;"#, "a", "([([a]) ([]) ([])])"),
        (r#"s = ( "a"* ){2} ;"#, "aaa", "([([a a]) ([a])])"),
        // The longer left child.
        (r#"s = a a ; a = "x"* ;"#, "xx", "(([x x]) ([]))"),
        (r#"s = /a*/ /a*/ ;"#, "aaa", "(aaa )"),
        (r#"s = /a+/ /a+/ ;"#, "aaa", "(aa a)"),
        (r#"s = "a"? "a" "a"? ;"#, "aa", "([a] a [])"),
        // No rule derives itself over its own text.
        (r#"s = s | "a" ;"#, "a", "(a)"),
        (r#"s = t | "a" ; t = s | "a" ;"#, "a", "((a))"),
        (r#"s = s s | ( s )* | "a" ;"#, "", "([])"),
        (r#"s = s* | "a" ;"#, "a", "(a)"),
        (r#"s = s? "a" s? | "a" ;"#, "aa", "([([] a [])] a [])"),
        // Hidden left recursion, and a rule that is empty in two ways.
        (r#"s = o s "a" | "b" ; o = | "o" ;"#, "baa", "(() (() (b) a) a)"),
        (r#"s = o o ; o = p | ; p = ;"#, "", "((()) (()))"),
        // Layout.
        (r#"%layout l; s = "a" "b"? "+" ; l = " "* ;"#, " a  + ", "(_  a [] _   +)"),
        (r#"%layout l; s = /a */ "+" ; l = " "* ;"#, "a  +", "(a   +)"),
    ] {
        let table = table(grammar);
        let tree = parse(&table, text.as_bytes()).unwrap_or_else(|e| panic!("{grammar}: {e}"));
        assert_eq!(draw(&table, &tree), expected, "{grammar} {text:?}");
    }
}

#[test]
fn layout_is_needed_inside_words_only() {
    let table = table(
        r#"%layout space; %lexical name; s = ( "if" name | name "=" name )* ;
           name = [a-z]+ ; space = ( " " | "\n" | /#[^\n]*\n/ )* ;"#,
    );
    for (text, fits) in [
        ("if x", true),
        ("ifx", false),
        ("ifx=y", true),
        ("a=b c=d", true),
        ("a=bc=d", false),
        ("# first\na =b # then\n if x\n", true),
        ("", true),
        (" ", true),
        ("a= # no end", false),
    ] {
        assert_eq!(parse(&table, text.as_bytes()).is_ok(), fits, "{text:?}");
    }
}

#[test]
fn errors_name_the_furthest_place_and_what_was_expected() {
    for (grammar, text, expected) in [
        (
            r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ;"#,
            "[a,[a,b]]",
            "line 1, column 7: \"b\" where item is expected",
        ),
        (
            r#"s = ( "a" | "\n" )* ;"#,
            "a\naab",
            "line 2, column 3: \"b\" where one of these is expected: \"a\", \"\\n\", the end of the text",
        ),
        (
            r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ;"#,
            "[a",
            "line 1, column 3: the end of the text where one of these is expected: \",\", \"]\"",
        ),
        (
            r#"s = "true" | "false" ;"#,
            "falsy",
            "line 1, column 5: \"y\" where \"false\" is expected",
        ),
        (r#"s = "a" ;"#, "aa", "line 1, column 2: \"a\" where the end of the text is expected"),
        (r#"s = "é" "a" ;"#, "éé", "line 1, column 2: \"é\" where \"a\" is expected"),
        (r#"s = "a" ;"#, "", "line 1, column 1: the end of the text where s is expected"),
    ] {
        let error = parse(&table(grammar), text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{grammar} {text:?}");
    }
}

#[test]
fn errors_are_behind_layout_and_name_what_is_expected_there_alone() {
    let table = table(
        r#"%layout ws ; s = stmt* ; stmt = "let" name "=" number ";" ; name = /[a-z]+/ ; number = /[0-9]+/ ( "." /[0-9]+/ )? ;
           ws = ( " " | "\n" | "//" /[^\n]*/ "\n" )* ;"#,
    );
    for (text, expected) in [
        ("let a  x", "line 1, column 8: \"x\" where \"=\" is expected"),
        (
            "let a = 12x;",
            "line 1, column 11: \"x\" where one of these is expected: /[0-9]+/, \".\", \";\"",
        ),
        ("let a = 1.x;", "line 1, column 11: \"x\" where /[0-9]+/ is expected"),
        ("let a = 1. ;", "line 1, column 12: \";\" where /[0-9]+/ is expected"),
        (
            "let a = 1\n  // foo\n  y;",
            "line 3, column 3: \"y\" where one of these is expected: \".\", \";\"",
        ),
        (
            "let a = 1   ",
            "line 1, column 13: the end of the text where one of these is expected: \".\", \";\"",
        ),
        ("let", "line 1, column 4: the end of the text where name is expected"),
        (
            "let a = 1; // foo",
            "line 1, column 12: \"/\" where one of these is expected: stmt, the end of the text",
        ),
    ] {
        let error = parse(&table, text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
}

#[test]
fn work_and_memory_are_bounded() {
    let mut tree = Tree::new();
    for grammar in [r#"s = s s | "a" ;"#, r#"s = s s s | s s | "a" | ;"#, r#"s = "a" s s | "a" ;"#]
    {
        let table = table(grammar);
        let parser = Parser::new(&table);
        let mut scratch = Scratch::new();
        let text = vec![b'a'; 10_000];
        let error = parser.parse(&text, &mut scratch, &mut tree).unwrap_err();
        assert!(matches!(error, Error::Budget { at } if at > 0), "{grammar}: {error}");
        assert!(tree.nodes().is_empty());
    }
    let ambiguous = table(r#"s = s s | "a" ;"#);
    let parser = Parser::new(&ambiguous).limits(Limits::new().memory(1_000_000));
    let error = parser.recognise(&vec![b'a'; 10_000], &mut Scratch::new()).unwrap_err();
    assert_eq!(error, Error::Memory { most: 1_000_000 });
    // The one derivation has 2^40 nodes.
    let doubling: String = (0..40).map(|i| format!("r{i} = r{} r{} ;", i + 1, i + 1)).collect();
    let table = table(&format!("{doubling} r40 = \"a\"? ;"));
    let error = parse(&table, b"").unwrap_err();
    assert!(matches!(error, Error::Budget { .. }), "{error}");
}

#[test]
fn a_flag_cancels() {
    let table = table(r#"s = "a"* ;"#);
    let flag = Arc::new(AtomicBool::new(true));
    let parser = Parser::new(&table).limits(Limits::new().cancel(Arc::clone(&flag)));
    let mut scratch = Scratch::new();
    assert_eq!(parser.recognise(b"aa", &mut scratch), Err(Error::Cancelled));
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(parser.recognise(b"aa", &mut scratch), Ok(()));
}

#[test]
fn one_scratch_serves_several_parsers() {
    let tables = [table(r#"s = "a" s | ;"#), table(r#"s = s "b" | "c" ;"#)];
    let parsers = tables.each_ref().map(Parser::new);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    for _ in 0..3 {
        parsers[0].parse(b"aaa", &mut scratch, &mut tree).unwrap();
        tree.check(&tables[0]).unwrap();
        parsers[1].parse(b"cbb", &mut scratch, &mut tree).unwrap();
        tree.check(&tables[1]).unwrap();
        assert!(parsers[1].recognise(b"aaa", &mut scratch).is_err());
    }
}

#[test]
fn deep_nesting_overflows_nothing() {
    let depth = 200_000;
    for (grammar, text) in [
        (r#"s = "(" s ")" | ;"#, format!("{}{}", "(".repeat(depth), ")".repeat(depth))),
        (r#"s = s "a" | "a" ;"#, "a".repeat(depth)),
        (r#"s = "a" s | "a" ;"#, "a".repeat(depth)),
    ] {
        let table = table(grammar);
        let tree = parse(&table, text.as_bytes()).unwrap();
        assert!(tree.nodes().len() >= depth, "{grammar}");
    }
}

#[test]
fn large_counts_are_exact() {
    let table = table(r#"s = "a"{2,1000} "b"{3000000,} | "a"* ;"#);
    assert!(parse(&table, b"aaa").is_ok());
    let error = parse(&table, &vec![b'a'; 2_000_000]).unwrap_err();
    assert!(matches!(error, Error::TooLong { most } if most > 1_000_000), "{error}");
}

/// Grammars in which texts that are produced have several derivations.
const AMBIGUOUS: [&str; 15] = [
    "css",
    "csv",
    "expr",
    "graphql",
    "http-request",
    "javascript",
    "json",
    "lua",
    "markdown",
    "protobuf",
    "regex",
    "smtp-session",
    "sql",
    "toml",
    "xml",
];

/// The others: here what is read is what was produced.
const CLEAR: [&str; 7] =
    ["addr-spec", "cli-options", "ip", "rfc3339", "semver", "ui-events", "uri"];

#[test]
fn what_is_produced_is_read_as_it_was_produced_unless_the_grammar_is_ambiguous() {
    let files = grammar_files("grammars");
    let mut known = [&AMBIGUOUS[..], &CLEAR[..]].concat();
    known.sort_unstable();
    let names: Vec<String> = files.iter().map(|(name, _)| name.replace(".pleach", "")).collect();
    assert_eq!(names, known);
    for (name, text) in &files {
        let name = name.replace(".pleach", "");
        let grammar =
            Grammar::read(&format!("{name}.pleach"), text, &Files::new(files.clone())).unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let parser = Parser::new(&table);
        let (mut scratch, mut read, mut tree) = (Scratch::new(), Tree::new(), Tree::new());
        let options = Options::new().max_bytes(300).characters(Characters::Mixed);
        let mut producer = Producer::new(&table, options).unwrap();
        let example = (0..400).find_map(|seed| {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            parser.parse(tree.text(), &mut scratch, &mut read).unwrap();
            // Both are derivations of one text.
            tree.check(&table).unwrap();
            read.check(&table).unwrap();
            assert_eq!(read.text(), tree.text());
            (read.nodes() != tree.nodes())
                .then(|| String::from_utf8_lossy(tree.text()).into_owned())
        });
        println!("{name}: {example:?}");
        assert_eq!(example.is_some(), AMBIGUOUS.contains(&name.as_str()), "{name}: {example:?}");
    }
}

/// A random grammar in symbols that are no words, and the same with layout written out.
fn with_layout(mut grammar: Grammar) -> (Grammar, Grammar) {
    let span = |id: usize| Span { file: 0, start: 1000 + id as u32, end: 1001 + id as u32 };
    let name = |text: &str| Name { text: text.into(), span: Span::default() };
    for expr in &mut grammar.exprs {
        match expr {
            Expr::Literal { bytes, .. } => {
                for byte in bytes {
                    *byte = b"+-*/!"[usize::from(*byte) % 5];
                }
            }
            Expr::Class(ranges) => {
                ranges.iter_mut().for_each(|range| *range = (0x3C, 0x3E));
            }
            Expr::Regex(pattern) => *pattern = "<?=*".into(),
            _ => {}
        }
    }
    let space = grammar.push(Expr::Class(vec![(0x20, 0x20)]), span(0));
    let repeat = Expr::Repeat { expr: space, min: 0, max: None, weight: None };
    let body = grammar.push(repeat, span(1));
    grammar.rules.push(Rule { name: name("space"), docs: String::new(), body });
    let mut written = grammar.clone();
    grammar.layout = Some(name("space"));
    // The operands of a difference are no tokens.
    let mut inside: Vec<ExprId> = vec![space];
    for expr in &written.exprs {
        if let Expr::Except { base, minus } = expr {
            inside.extend([*base, *minus]);
        }
    }
    let mut queue: Vec<ExprId> = written.rules.iter().map(|rule| rule.body).collect();
    queue.pop();
    while let Some(id) = queue.pop() {
        let expr = written.expr(id).clone();
        match &expr {
            Expr::Sequence(items) => queue.extend(items),
            Expr::Choice(alternatives) => queue.extend(alternatives.iter().map(|a| a.expr)),
            Expr::Repeat { expr, .. } => queue.push(*expr),
            Expr::Reference(_) => {}
            Expr::Literal { bytes, .. } if bytes.is_empty() => {}
            _ => {
                let count = written.exprs.len();
                let token = written.push(expr, span(count));
                let space = written.push(Expr::Reference("space".into()), span(count + 1));
                written.exprs[id.0 as usize] = Expr::Sequence(vec![space, token]);
            }
        }
    }
    let start = written.start.as_ref().map_or(&written.rules[0].name.text, |start| &start.text);
    let start = Expr::Reference(start.clone());
    let count = written.exprs.len();
    let start = written.push(start, span(count));
    let space = written.push(Expr::Reference("space".into()), span(count + 1));
    let body = written.push(Expr::Sequence(vec![start, space]), span(count + 2));
    written.rules.push(Rule { name: name("whole"), docs: String::new(), body });
    written.start = Some(name("whole"));
    (grammar, written)
}

#[test]
fn layout_is_as_if_it_were_written_before_each_token() {
    let (mut members, mut strangers, mut tired) = (0, 0, 0);
    let mut words = Seeded::new(21);
    for grammar in naive::random::grammars(8, 400) {
        let (grammar, written) = with_layout(grammar);
        let (Ok(lowered), Ok(expected)) =
            (Lowering::new().lower(&grammar), Lowering::new().lower(&written))
        else {
            continue;
        };
        let (table, expected) = (lowered.table, expected.table);
        // Some have very many derivations.
        let limits = Limits::new().items_per_byte(1 << 14);
        let parser = Parser::new(&table).limits(limits.clone());
        let expected = Parser::new(&expected).limits(limits);
        let (mut scratch, mut other, mut tree) = (Scratch::new(), Scratch::new(), Tree::new());
        let mut texts = vec![b" ".to_vec()];
        if let Ok(mut producer) = Producer::new(&table, Options::new().max_bytes(12).max_nodes(60))
        {
            for seed in 0..8 {
                producer.produce(&mut Seeded::new(seed), &mut tree);
                let mut text = tree.text().to_vec();
                texts.push(text.clone());
                let at = words.below(text.len() as u64 + 1) as usize;
                text.splice(at..at, *b"  ");
                texts.push(text);
            }
        }
        for _ in 0..12 {
            let length = words.below(7);
            texts.push((0..length).map(|_| b"+-*/<=> !"[words.below(9) as usize]).collect());
        }
        for text in texts {
            let found = parser.parse(&text, &mut scratch, &mut tree);
            let judged = expected.recognise(&text, &mut other);
            let context = || format!("{grammar}\n{:?} {found:?}", String::from_utf8_lossy(&text));
            if matches!(found, Err(Error::Budget { .. })) {
                tired += 1;
                continue;
            }
            assert_eq!(found.is_ok(), judged.is_ok(), "{}", context());
            if found.is_ok() {
                members += 1;
                tree.check(&table).unwrap_or_else(|error| panic!("{error}\n{}", context()));
                assert_eq!(tree.text(), text, "{}", context());
            } else {
                strangers += 1;
            }
        }
    }
    println!("{members} {strangers} {tired}");
    assert!(members > 1000 && strangers > 1000 && tired * 100 < members);
}

#[test]
fn a_refusal_is_no_matter_of_the_budget_where_prediction_reads() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/grammars/json.pleach"));
    let table = table(&text.unwrap());
    let text = [vec![b' '; 20_000], b"x".to_vec()].concat();
    let error = parse(&table, &text).unwrap_err();
    assert!(matches!(&error, Error::Syntax(error) if error.at() == 20_000), "{error}");
}

/// Right recursion that may end at every byte, as far as the next byte tells: the grammar, what a
/// text repeats, and how it ends.
const RIGHT: [(&str, &str, &str); 9] = [
    (r#"t = s "ab" ; s = "a" s | "a" ;"#, "a", "aab"),
    (r#"t = s "ab" ; s = "a" s | ;"#, "a", "ab"),
    (r#"t = s "aaab" ; s = "a" s | "a" ;"#, "a", "aaab"),
    // Through two rules, and through productions of one symbol.
    (r#"t = x "ab" ; x = "a" y | "a" ; y = "a" x | "a" ;"#, "a", "aab"),
    (r#"t = s "ab" ; s = u ; u = v | w ; v = "a" s | "a" ; w = "c" s ;"#, "ca", "aab"),
    // Before what is always empty.
    (r#"t = s "ab" ; s = "a" s n n | "a" ; n = m ; m = ;"#, "a", "aab"),
    // With repetitions, and below options.
    (r#"t = s "ab" ; s = "a"{2} s | ( "a" "c" )+ "d" s | "a" ;"#, "aaacacd", "aab"),
    (r#"t = e "==" ; e = v ( "=" e )? ; v = "x" | "(" e ")" ;"#, "x=(x=x)=", "x=="),
    // Layout.
    (r#"%layout l; t = s "+" "-" ; s = "+" s | "+" ; l = " "* ;"#, "+ +  ", "+ + -"),
];

#[test]
fn right_recursion_takes_the_same_work_for_each_byte() {
    for (grammar, unit, end) in RIGHT {
        let table = table(grammar);
        let parser = Parser::new(&table);
        let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
        let mut each = |bytes: usize| {
            let text = unit.repeat(bytes / unit.len()) + end;
            parser.recognise(text.as_bytes(), &mut scratch).unwrap();
            let recognised = scratch.items() as f64 / text.len() as f64;
            parser.parse(text.as_bytes(), &mut scratch, &mut tree).unwrap();
            tree.check(&table).unwrap();
            let length = text.len() as f64;
            [recognised, scratch.items() as f64 / length, scratch.memory() as f64 / length]
        };
        let (short, middle, long) = (each(LONG / 10), each(LONG), each(10 * LONG));
        println!("{grammar}: {short:.1?} {middle:.1?} {long:.1?}");
        for (short, others) in short.into_iter().zip(middle.into_iter().zip(long)) {
            let [least, most] = [others.0.min(others.1), others.0.max(others.1)];
            assert!(least > 0.9 * short && most < 1.1 * short, "{grammar}");
        }
        assert!(long[0] < 100.0 && long[1] < 120.0 && long[2] < 500.0, "{grammar}");
    }
}

#[test]
fn right_recursion_is_read_as_slow_definitions_have_it() {
    // Ambiguous ones: some ways lead over what others lead through step by step.
    let ambiguous = [
        (r#"t = s "ab" ; s = "a" s | "a" | "aa" ;"#, "a", "aab"),
        (r#"t = s s "ab" ; s = "a" s | u s | "a" ; u = "aaa" | "a" "a" ;"#, "a", "aab"),
        (r#"t = p s "ab" ; p = "a"? "a"* ; s = "aa" s | q ; q = "a" s | "a" ;"#, "a", "aab"),
        (r#"t = s "b" | s "c" ; s = "a" s | "a" s "c" | "d" ;"#, "a", "dcccc"),
    ];
    let mut read = 0;
    for (grammar, unit, end) in RIGHT.into_iter().chain(ambiguous) {
        let table = table(grammar);
        if table.layout().is_some() {
            continue;
        }
        for count in 0..=28 / unit.len() {
            let text = unit.repeat(count) + end;
            let Ok(tree) = parse(&table, text.as_bytes()) else { continue };
            if let Some(slow) = slowly(&table, text.as_bytes()) {
                assert_eq!(Some(tree.nodes()), slow.as_deref(), "{grammar} {text:?}");
                read += 1;
            }
        }
    }
    println!("{read}");
    assert!(read > 200);
}

#[test]
fn what_shares_symbols_takes_no_more_work_for_longer_texts() {
    let long = |unit: &str, bytes: usize| unit.repeat(bytes / unit.len());
    for (grammar, unit) in [
        // White space that two rules, or a rule and layout, may take.
        (r#"s = space v* space "." | "(" s ")" ; space = ( " " | "\t" )* ; v = "v" ;"#, " "),
        (r#"%layout l; s = /=[ ]*/ "." | "(" s ")" ; l = " "* ;"#, " "),
        // Elements that may be cut anywhere.
        (r#"s = ( "a" ( ( "a" | " " )+ "a" )? )* "." | "(" s ")" ;"#, "a"),
        (r#"s = ( "a"+ )+ "." | "(" s ")" ;"#, "a"),
        (r#"s = ( "a"* )* "." | "(" s ")" ;"#, "a"),
        // A literal that is looked for at each byte.
        (r#"s = ( "LONG" | "b" )+ "." | "(" s ")" ;"#, "b"),
    ] {
        let table = table(&grammar.replace("LONG", &(long("b", 4000) + "c")));
        let parser = Parser::new(&table);
        let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
        for bytes in [LONG / 100, LONG / 10, LONG] {
            let begin = if table.layout().is_some() { "=" } else { "" };
            let text = format!("({begin}{}.)", long(unit, bytes));
            parser
                .parse(text.as_bytes(), &mut scratch, &mut tree)
                .unwrap_or_else(|error| panic!("{grammar} {bytes}: {error}"));
            tree.check(&table).unwrap();
            assert_eq!(tree.text(), text.as_bytes());
            let each = scratch.items() as f64 / text.len() as f64;
            assert!(each < 30.0, "{grammar} {bytes}: {each}");
        }
    }
}

#[test]
fn what_shares_symbols_is_read_as_slow_definitions_have_it() {
    let mut read = 0;
    for grammar in [
        r#"s = space v* space "." | "(" s ")" ; space = ( "a" | "b" )* ; v = "v" ;"#,
        r#"s = ( "a" ( ( "a" | "b" )+ "a" )? )* "." | "(" s ")" ;"#,
        r#"s = ( "a"+ "b"? )+ ( "a" | "b" )* "." | "(" s ")" ;"#,
        r#"s = ( "a"* )* "b"* "." | "(" s ")" ;"#,
        r#"s = ( "a"* ){3,} "." | "(" s ")" ;"#,
        r#"s = ( "a"* ){2,} t "." | "(" s ")" ; t = "a"* "b"* ;"#,
        r#"s = ( t "b"? )* t "." | "(" s ")" ; t = "a"* ;"#,
        r#"s = ( t "v" t )* t "." | "(" s ")" ; t = "a"* ;"#,
        r#"s = t u "." | "(" s ")" ; t = "a"* ; u = t u | "b" | ;"#,
        r#"s = ( t u? )* "." | "(" s ")" ; t = ( "a" | "b" )* ; u = "a"* "v" ;"#,
    ] {
        let table = table(grammar);
        let mut words = Seeded::new(22);
        for length in 0..=9 {
            for _ in 0..12 {
                let letters = (0..length).map(|_| b"aaabbv"[words.below(6) as usize]);
                let text = [b"(".to_vec(), letters.collect(), b".)".to_vec()].concat();
                let found = parse(&table, &text);
                if matches!(found, Err(Error::Budget { .. })) {
                    panic!("{grammar}");
                }
                let Some(slow) = slowly(&table, &text) else { continue };
                let context = String::from_utf8_lossy(&text);
                let found = found.ok();
                assert_eq!(found.as_ref().map(Tree::nodes), slow.as_deref(), "{grammar} {context}");
                read += 1;
            }
        }
    }
    println!("{read}");
    assert!(read > 500);
}

#[test]
fn a_long_field_of_a_request_is_read() {
    let files = grammar_files("grammars");
    let name = "http-request.pleach";
    let text = &files.iter().find(|(file, _)| file == name).unwrap().1;
    let grammar = Grammar::read(name, text, &Files::new(files.clone())).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
    for value in [" ".repeat(LONG), "a".repeat(LONG), "ab c ".repeat(LONG / 5)] {
        let text = format!("GET / HTTP/1.1\r\nHost: x\r\nX-Foo:{value}\r\n\r\n");
        parse(&table, text.as_bytes()).unwrap();
    }
}
