//! The native notation: texts that read, texts that do not and what is said about them, and the
//! way there and back.
//!
//! `tests/data/notation/ok/` holds grammars beside what they print as, `bad/` grammars beside
//! the message they get. With `PLEACH_BLESS=1` in the environment the expected files are written anew.

use std::fs;
use std::path::{Path, PathBuf};

use pleach::Seeded;
use pleach::grammar::{
    Alternative, Associativity, Binding, Encoding, Expr, ExprId, Files, Grammar, GrammarError,
    Mark, Name, NoIncludes, PartRule, Rule, Span,
};
use pleach::parse::{Parser, Scratch};
use pleach::parts::PartKind;
use pleach::produce::{Options, Producer};
use pleach::table::Lowering;
use pleach::tree::Tree;
use proptest::prelude::*;

/// The grammars of a folder, by name.
fn grammars(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/notation").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pleach"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn read(path: &Path) -> Result<Grammar, GrammarError> {
    let name = path.file_name().unwrap().to_str().unwrap();
    Grammar::read(name, &fs::read_to_string(path).unwrap(), &NoIncludes)
}

/// Compares with the file beside a grammar, or writes it.
fn expect(path: &Path, extension: &str, found: &str) {
    let expected = path.with_extension(extension);
    if std::env::var_os("PLEACH_BLESS").is_some() {
        fs::write(&expected, found).unwrap();
        return;
    }
    let text = fs::read_to_string(&expected)
        .unwrap_or_else(|error| panic!("{}: {error}", expected.display()));
    assert!(text == found, "{}: expected\n{text}\nfound\n{found}", expected.display());
}

#[test]
fn good_grammars_print_and_read_back() {
    for path in grammars("ok") {
        let grammar = read(&path).unwrap();
        let printed = grammar.to_string();
        expect(&path, "printed", &printed);
        let again = Grammar::parse(&printed).unwrap();
        assert!(grammar.same_rules(&again), "{}", path.display());
        assert_eq!(again.to_string(), printed);
    }
}

#[test]
fn bad_grammars_are_explained() {
    for path in grammars("bad") {
        match read(&path) {
            Ok(_) => panic!("{} reads", path.display()),
            Err(error) => {
                assert!(error.diagnostics().iter().all(|found| found.help.is_some()), "{error}");
                expect(&path, "stderr", &format!("{error}\n"));
            }
        }
    }
}

/// The notation in itself, which pleach is fuzzed by.
#[test]
fn the_notation_derives_grammars() {
    let notation = Grammar::parse(include_str!("../fuzz/grammars/notation.pleach")).unwrap();
    let table = Lowering::new().lower(&notation).unwrap().table;
    let mut producer = Producer::new(&table, Options::new().max_bytes(300)).unwrap();
    let (mut tree, mut bound, mut refused) = (Tree::new(), 0, Vec::new());
    for seed in 0..300 {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        let text = std::str::from_utf8(tree.text()).unwrap();
        bound += u32::from(["@left", "@right", "@prec"].iter().any(|word| text.contains(word)));
        // What else may be wrong is no matter of syntax.
        if let Err(error) = Grammar::read("it", text, &NoIncludes)
            && error.diagnostics().iter().any(|found| found.message.starts_with("expected"))
        {
            refused.push(format!("{text}\n{error}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused[0]);
    assert!(bound > 30, "{bound}");
    let parser = Parser::new(&table);
    let text = include_str!("data/notation/ok/bindings.pleach");
    parser.recognise(text.as_bytes(), &mut Scratch::new()).unwrap();
}

/// The message of a grammar that does not read.
fn refused(text: &str) -> String {
    Grammar::parse(text).unwrap_err().diagnostics()[0].message.clone()
}

#[test]
fn depth_and_length_are_no_danger() {
    assert_eq!(
        refused(&"(".repeat(1_000_000)),
        "expected a rule, a directive or the end of the file, found `(`"
    );
    let nested = |open: &str, close: &str, depth| {
        format!("a = {}\"x\"{} ;", open.repeat(depth), close.repeat(depth))
    };
    assert_eq!(refused(&nested("(", ")", 1_000_000)), "groups nest deeper than 200");
    assert_eq!(refused(&nested("\"\" | (", ")", 201)), "groups nest deeper than 200");
    assert_eq!(refused(&nested("((", ")", 100)), "unclosed group");
    // The deepest that is allowed fits into the stack that a thread has by default.
    let deepest = nested("(\"a\" | \"b\" (", ")+)+", 100);
    let small = std::thread::Builder::new().stack_size(2 << 20);
    let printed =
        small.spawn(move || Grammar::parse(&deepest).unwrap().to_string()).unwrap().join().unwrap();
    assert!(Grammar::parse(&printed).is_ok());
    let sets = format!("a = {}x{} ;", "[".repeat(200), "]".repeat(200));
    assert!(Grammar::parse(&sets).is_ok());
    // These are long, not deep.
    for unit in ["\"x\" ", "\"x\" except ", "\"x\" | ", "| ", "@1 | ", "( ) ", "[a] "] {
        let text = format!("a = {}\"x\" ;", unit.repeat(20_000));
        let grammar = Grammar::parse(&text).unwrap();
        let again = Grammar::parse(&grammar.to_string()).unwrap();
        assert!(grammar.same_rules(&again));
    }
}

#[test]
fn megabytes_of_garbage_are_refused() {
    let units = [
        "x",
        "\"",
        "/",
        "[",
        "]",
        "(",
        ")",
        "\\",
        "%",
        "{",
        "\u{1F600}",
        " \n",
        "/*",
        "//",
        "a=",
        "i'",
    ];
    for unit in units {
        let text = unit.repeat((1 << 20) / unit.len());
        match Grammar::parse(&text) {
            Err(error) => assert!(error.to_string().len() < 2000, "{unit}"),
            Ok(_) => assert!([" \n", "/", "//"].contains(&unit), "{unit}"),
        }
    }
    let line = format!("a = \"x\" | [a-z] ; /* \u{E9} */ // {}\n", "( \" [ ".repeat(20));
    let text = line.repeat(70_000) + "( ( a = ]]] \u{0}";
    assert!(text.len() > 10 << 20);
    let error = Grammar::parse(&text).unwrap_err().to_string();
    assert!(error.contains("--> grammar:70001:1\n"), "{error}");
    let errors = format!("a = {} ;", "\"\\q\" ".repeat(1 << 17));
    assert_eq!(Grammar::parse(&errors).unwrap_err().diagnostics().len(), 100);
}

#[test]
fn places_of_names_and_terms() {
    let text = "list = \"[\" ( item | ) \"]\" ;\nitem = ( 'a' ) 'b' | 'c'+ ;";
    let grammar = Grammar::parse(text).unwrap();
    let of = |span: Span| &text[span.start as usize..span.end as usize];
    let shown: Vec<&str> = grammar.spans.iter().map(|&span| of(span)).collect();
    for part in ["item", "item | ", "\"[\" ( item | ) \"]\"", "( 'a' ) 'b'", "'c'", "'c'+"] {
        assert!(shown.contains(&part) || shown.contains(&part.trim_end()), "{part}: {shown:?}");
    }
    assert_eq!(of(grammar.rules[1].name.span), "item");
    assert_eq!(of(grammar.span(grammar.rules[1].body)), "( 'a' ) 'b' | 'c'+");
}

mod includes {
    use super::*;

    fn read(main: &str, others: &[(&str, &str)]) -> Result<Grammar, GrammarError> {
        Grammar::read("main", main, &Files::new(others.iter().copied()))
    }

    fn message(main: &str, others: &[(&str, &str)]) -> String {
        read(main, others).unwrap_err().diagnostics()[0].message.clone()
    }

    #[track_caller]
    fn same(main: &str, others: &[(&str, &str)], flat: &str) {
        let grammar = read(main, others).unwrap();
        let flat = Grammar::parse(flat).unwrap();
        assert!(grammar.same_rules(&flat), "{grammar}");
        let printed = Grammar::parse(&grammar.to_string()).unwrap();
        assert!(grammar.same_rules(&printed), "{grammar}");
        for span in grammar.spans.iter().chain(grammar.rules.iter().map(|rule| &rule.name.span)) {
            let text = &grammar.files[span.file as usize].text;
            assert!(text.get(span.start as usize..span.end as usize).is_some());
        }
    }

    #[test]
    fn prefixes_compose() {
        same(
            "%include \"uri\" as u; %include \"ip\"; r = u.uri u.ip.ip ip ;",
            &[
                (
                    "uri",
                    "%include \"ip\" as ip; %start x; /// A URI.\nuri = ip.ip+ | (\"x\" except x)? ; x = uri ;",
                ),
                ("ip", "ip = [0-9] ;"),
            ],
            "r = u.uri u.ip.ip ip ; /// A URI.\nu.uri = u.ip.ip+ | (\"x\" except u.x)? ; u.x = u.uri ; ip = [0-9] ; u.ip.ip = [0-9] ;",
        );
    }

    #[test]
    fn diamonds_are_read_once() {
        same(
            "%include \"b\"; %include \"./x/../c\"; %include \"b\"; a = d ;",
            &[
                ("b", "%include \"d\"; b = d ;"),
                ("c", "%include \"d\"; c = d ;"),
                ("d", "d = \"\" ;"),
            ],
            "a = d ; b = d ; c = d ; d = \"\" ;",
        );
    }

    #[test]
    fn layouts() {
        let plain = [("b", "b = c ; c = \"\" ;")];
        same(
            "%layout ws; %lexical ws; %include \"b\" as p; a = p.b ; ws = \" \" ;",
            &plain,
            "%layout ws; %lexical ws p.b p.c; a = p.b ; ws = \" \" ; p.b = p.c ; p.c = \"\" ;",
        );
        let own = [("b", "%layout ws; %lexical b; b = ws ; ws = \" \" ;")];
        same(
            "%layout p.ws; %include \"b\" as p; a = p.b ;",
            &own,
            "%layout p.ws; %lexical p.b; a = p.b ; p.b = p.ws ; p.ws = \" \" ;",
        );
        assert_eq!(
            message("%include \"b\" as p; a = p.b ;", &own),
            "the included grammar has the layout `p.ws`, and this one names none"
        );
        let error = read("%layout ws; %include \"b\" as p; ws = \" \" ;", &own).unwrap_err();
        assert!(error.to_string().contains("help: write `%layout p.ws;` in this grammar"));
    }

    #[test]
    fn cycles_are_named() {
        assert_eq!(
            message("%include \"main\";", &[("main", "")]),
            "files include each other: main -> main"
        );
        assert_eq!(
            message(
                "%include \"b\" as x;",
                &[("b", "%include \"c\" as y;"), ("c", "%include \"b\" as z;")]
            ),
            "files include each other: b -> c -> b"
        );
        // A cycle of which no file is first included by way of another of its files.
        assert_eq!(
            message(
                "%include \"b\"; %include \"c\";",
                &[("b", "%include \"c\";"), ("c", "%include \"b\";")]
            ),
            "files include each other: b -> c -> b"
        );
    }

    #[test]
    fn refusals() {
        assert_eq!(
            message("\n%include \"dir/no\";", &[]),
            "cannot include `dir/no`: there is no file `dir/no`"
        );
        assert_eq!(
            message("%include \"b\";", &[("b", "%encoding bytes;")]),
            "`b` is in bytes, and this grammar in unicode"
        );
        let error = read(
            "%include \"d/b\"; %include \"c\"; a = ;",
            &[("d/b", "b = "), ("c", "\n c = '\\q' ;")],
        );
        let error = error.unwrap_err().to_string();
        assert!(error.contains("--> d/b:1:4\n") && error.contains("--> c:2:7\n"), "{error}");
        let chain: Vec<(String, String)> =
            (0..70).map(|i| (i.to_string(), format!("%include \"{}\";", i + 1))).collect();
        let error = Grammar::read("main", "%include \"0\";", &Files::new(chain)).unwrap_err();
        assert_eq!(error.diagnostics()[0].message, "includes nest deeper than 64");
        let many: String = (0..1100).map(|i| format!("%include \"b\" as p{i};\n")).collect();
        assert_eq!(message(&many, &[("b", "b = ;")]), "more than 1000 includes");
        // Two to the power of the number of files, were it not for the limit.
        let doubling: Vec<(String, String)> = (0..40)
            .map(|i| {
                (i.to_string(), format!("%include \"{0}\" as l; %include \"{0}\" as r;", i + 1))
            })
            .collect();
        let error = Grammar::read("main", "%include \"0\";", &Files::new(doubling)).unwrap_err();
        assert_eq!(error.diagnostics()[0].message, "more than 1000 includes");
    }
}

/// Grammars as an importer could build them.
mod trees {
    use super::*;

    /// Builds an expression from a list of choices, which repeats.
    struct Builder {
        grammar: Grammar,
        choices: Vec<u32>,
        next: usize,
    }

    const NAMES: [&str; 10] =
        ["a", "b-c", "_", "i", "except", "", "1.2", "gr\u{F6}\u{DF}e", "<x y>", "except2"];
    const TEXTS: [&str; 8] =
        ["", "x", "\"'", "\\\u{0}\n\r\t\u{7F}", "a..b", "\u{E9}\u{301}", "\u{202E}", "//"];
    const REGEXES: [&str; 9] =
        ["", "x", "/", "\\\\/", "\\/", "[/]*", "a\nb", "//", "(?x) a # b\n c"];

    impl Builder {
        fn choose(&mut self, below: u32) -> u32 {
            let choice = self.choices[self.next % self.choices.len()];
            self.next += 1;
            choice.wrapping_add((self.next / self.choices.len()) as u32) % below
        }

        fn weight(&mut self) -> Option<u32> {
            [None, None, Some(0), Some(3), Some(u32::MAX)][self.choose(5) as usize]
        }

        fn binding(&mut self) -> Option<Binding> {
            let associativity =
                [Associativity::Left, Associativity::Right, Associativity::Unspecified]
                    [self.choose(3) as usize];
            let level = self.choose(3);
            (self.choose(3) == 0).then_some(Binding { level, associativity })
        }

        fn symbol(&mut self) -> u32 {
            let special = [0, 0x5B, 0x5C, 0x5D, 0x5E, 0x2D, 0x26, 0x7E, 0x7F, 0x80, 0xFF];
            let wide = self.choose(2) == 0;
            match self.grammar.encoding {
                Encoding::Unicode if wide => {
                    [0xD7FE, 0xD7FF, 0xE000, 0x10FFFF, 0x301][self.choose(5) as usize]
                }
                _ => special[self.choose(special.len() as u32) as usize],
            }
        }

        fn leaf(&mut self) -> Expr {
            match self.choose(4) {
                0 => {
                    let text = TEXTS[self.choose(TEXTS.len() as u32) as usize];
                    let mut bytes = text.as_bytes().to_vec();
                    if self.grammar.encoding == Encoding::Bytes {
                        bytes.push(0xFE);
                    }
                    Expr::Literal { bytes, ignore_case: self.choose(2) == 0 }
                }
                1 => {
                    let count = self.choose(4);
                    let mut ends: Vec<u32> = (0..2 * count).map(|_| self.symbol()).collect();
                    ends.sort_unstable();
                    ends.dedup();
                    Expr::Class(ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
                }
                2 => Expr::Regex(REGEXES[self.choose(REGEXES.len() as u32) as usize].into()),
                _ => Expr::Reference(NAMES[self.choose(NAMES.len() as u32) as usize].into()),
            }
        }

        fn expr(&mut self, depth: u32) -> ExprId {
            let expr = match self.choose(if depth == 0 { 1 } else { 5 }) {
                0 => self.leaf(),
                1 => Expr::Sequence((0..self.choose(4)).map(|_| self.expr(depth - 1)).collect()),
                2 => {
                    let count = self.choose(4);
                    let alternative = |builder: &mut Self| Alternative {
                        mark: match builder.weight() {
                            Some(weight) => Some(Mark::Weight(weight)),
                            None => (builder.choose(4) == 0).then_some(Mark::ParseOnly),
                        },
                        binding: builder.binding(),
                        expr: builder.expr(depth - 1),
                    };
                    Expr::Choice((0..count).map(|_| alternative(self)).collect())
                }
                3 => {
                    let min = self.choose(3);
                    let max = [None, Some(min), Some(min + 1)][self.choose(3) as usize];
                    Expr::Repeat { expr: self.expr(depth - 1), min, max, weight: self.weight() }
                }
                _ => Expr::Except { base: self.expr(depth - 1), minus: self.expr(depth - 1) },
            };
            self.grammar.push(expr, Span::default())
        }

        fn build(mut self) -> Grammar {
            let name = |text: &str| Name { text: text.into(), span: Span::default() };
            if self.choose(2) == 0 {
                self.grammar.encoding = Encoding::Bytes;
            }
            self.grammar.start = (self.choose(2) == 0).then(|| name("b-c"));
            self.grammar.layout = (self.choose(2) == 0).then(|| name("except"));
            self.grammar.lexical =
                NAMES[..self.choose(4) as usize].iter().map(|n| name(n)).collect();
            for index in 0..self.choose(3) {
                let kinds = [
                    PartKind::Arguments,
                    PartKind::Argument,
                    PartKind::Stdin,
                    PartKind::File("a \"b\"/'é'".into()),
                    PartKind::Variable("HOME".into()),
                ];
                let kind = kinds[self.choose(5) as usize].clone();
                self.grammar.parts.push(PartRule { kind, rule: name(NAMES[index as usize]) });
            }
            for index in 0..1 + self.choose(NAMES.len() as u32) {
                let body = self.expr(5);
                let docs =
                    ["", "one", " two\n\nlines", "\n", "/ slash\r\n*/"][self.choose(5) as usize];
                let rule = Rule { name: name(NAMES[index as usize]), docs: docs.into(), body };
                self.grammar.rules.push(rule);
            }
            self.grammar
        }
    }

    /// Gives names that are no names in the notation the ones they print as.
    fn with_names(mut grammar: Grammar, printed: &Grammar) -> Grammar {
        let mut names: Vec<(String, String)> = Vec::new();
        let pairs = grammar.rules.iter().zip(&printed.rules);
        names
            .extend(pairs.map(|(ours, theirs)| (ours.name.text.clone(), theirs.name.text.clone())));
        let rename = |text: &mut String| {
            if let Some((_, new)) = names.iter().find(|(old, _)| old == text) {
                text.clone_from(new);
            }
        };
        grammar.start.iter_mut().for_each(|name| rename(&mut name.text));
        grammar.layout.iter_mut().for_each(|name| rename(&mut name.text));
        grammar.lexical.iter_mut().for_each(|name| rename(&mut name.text));
        grammar.parts.iter_mut().for_each(|part| rename(&mut part.rule.text));
        grammar.rules.iter_mut().for_each(|rule| rename(&mut rule.name.text));
        for expr in &mut grammar.exprs {
            if let Expr::Reference(name) = expr {
                rename(name);
            }
        }
        grammar
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn any_grammar_prints_and_reads_back(choices in prop::collection::vec(any::<u32>(), 1..80)) {
            let grammar = Builder { grammar: Grammar::default(), choices, next: 0 };
            let mut grammar = grammar.build();
            // A rule for each name, so that the new names can be told from what is printed.
            let body = grammar.push(Expr::Sequence(Vec::new()), Span::default());
            for name in &NAMES[grammar.rules.len()..] {
                let name = Name { text: (*name).into(), span: Span::default() };
                grammar.rules.push(Rule { name, docs: String::new(), body });
            }
            let printed = grammar.to_string();
            let again = Grammar::parse(&printed).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(with_names(grammar, &again).same_rules(&again), "{printed}");
            prop_assert_eq!(again.to_string(), printed);
            let mut names: Vec<&str> = again.rules.iter().map(|rule| rule.name.text.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(names.len(), NAMES.len());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
            let _ = Grammar::parse(&text).map_err(|error| error.to_string());
        }

        #[test]
        fn tokens_in_any_order_are_read_or_refused(
            tokens in prop::collection::vec(0..TOKENS.len(), 0..30),
        ) {
            let text: String = tokens.into_iter().map(|token| TOKENS[token]).collect();
            let _ = Grammar::parse(&text).map_err(|error| error.to_string());
            let _ = Grammar::parse(&format!("a = {text} ;")).map_err(|error| error.to_string());
        }

        #[test]
        fn a_mutated_grammar_is_read_or_refused(
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..TOKENS.len(), 0..9usize), 1..4),
        ) {
            let mut text: Vec<char> = include_str!("data/notation/ok/terms.pleach").chars().collect();
            for (place, token, removed) in edits {
                let at = place.index(text.len());
                let end = (at + removed).min(text.len());
                text.splice(at..end, TOKENS[token].chars());
            }
            let text: String = text.into_iter().collect();
            if let Ok(grammar) = Grammar::parse(&text) {
                let again = Grammar::parse(&grammar.to_string());
                prop_assert!(again.is_ok_and(|again| again.same_rules(&grammar)));
            }
        }
    }

    const TOKENS: &[&str] = &[
        "a",
        "b ",
        "except ",
        "i",
        "=",
        ";",
        "|",
        "(",
        ")",
        "[",
        "]",
        "[a",
        "\"",
        "'x'",
        "/",
        "/x/",
        "..",
        "?",
        "*",
        "+",
        "{",
        "}",
        "{2,",
        "3",
        "@",
        "@7",
        ",",
        "%start ",
        "%lexical ",
        "%include ",
        "as ",
        "%encoding bytes;",
        "//",
        "///",
        "/*",
        "*/",
        "\n",
        " ",
        "\\",
        "\\u{",
        "\u{E9}",
        "\u{0}",
    ];
}
