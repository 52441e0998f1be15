//! What lowering says about grammars: `tests/data/lowering/` holds grammars beside the messages
//! they get. With `PLEACH_BLESS=1` in the environment the expected files are written anew.

use std::fs;
use std::path::{Path, PathBuf};

use pleach::grammar::{
    Alternative, Expr, ExprId, Grammar, Name, NoIncludes, Rule, SourceMap, Span,
};
use pleach::table::Lowering;

fn grammars() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lowering");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pleach"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

#[test]
fn findings_are_explained() {
    for path in grammars() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let grammar = Grammar::read(name, &text, &NoIncludes)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = match Lowering::new().lower(&grammar) {
            Ok(lowered) => {
                let sources = SourceMap::new(&grammar.files);
                assert!(lowered.warnings.iter().all(|warning| warning.help.is_some()));
                lowered.warnings.iter().map(|warning| sources.render(warning)).collect()
            }
            Err(error) => {
                assert!(error.diagnostics().iter().all(|found| found.help.is_some()), "{error}");
                format!("{error}\n")
            }
        };
        let expected = path.with_extension("stderr");
        if std::env::var_os("PLEACH_BLESS").is_some() {
            fs::write(&expected, found).unwrap();
            continue;
        }
        let text = fs::read_to_string(&expected)
            .unwrap_or_else(|error| panic!("{}: {error}", expected.display()));
        assert!(text == found, "{name}: expected\n{text}\nfound\n{found}");
    }
}

#[test]
fn a_start_rule_that_is_asked_for_is_looked_for() {
    let grammar = Grammar::parse("a = \"x\" ; b = \"y\" a ;").unwrap();
    let table = Lowering::new().start("b").lower(&grammar).unwrap().table;
    assert_eq!(table.names().rule(table.start()), "b");
    let error = Lowering::new().start("bb").lower(&grammar).unwrap_err();
    assert_eq!(error.diagnostics()[0].message, "rule `bb` is not defined");
    assert_eq!(error.diagnostics()[0].help.as_deref(), Some("did you mean `b`?"));
}

#[test]
fn a_table_over_its_limit_is_refused() {
    let grammar = Grammar::parse(&format!("a = {} ;", "\"x\" ".repeat(100))).unwrap();
    assert!(Lowering::new().max_parts(101).lower(&grammar).is_ok());
    let error = Lowering::new().max_parts(100).lower(&grammar).unwrap_err();
    assert_eq!(error.diagnostics()[0].message, "the grammar has more than 100 parts");
}

/// A rule of sequences that double at each level by sharing the one below.
fn doubling(inmost: Expr) -> Grammar {
    let mut grammar = Grammar::default();
    let mut body = grammar.push(inmost, Span::default());
    for _ in 0..100 {
        body = grammar.push(Expr::Sequence(vec![body, body]), Span::default());
    }
    let name = Name { text: "a".into(), span: Span::default() };
    grammar.rules.push(Rule { name, docs: String::new(), body });
    grammar
}

#[test]
fn shared_expressions_that_double_are_refused() {
    let literal = Expr::Literal { bytes: b"x".to_vec(), ignore_case: false };
    let empty = Expr::Literal { bytes: Vec::new(), ignore_case: false };
    for inmost in [literal, empty, Expr::Sequence(Vec::new())] {
        let grammar = doubling(inmost);
        let error = Lowering::new().max_parts(1000).lower(&grammar).unwrap_err();
        assert_eq!(error.diagnostics()[0].message, "the grammar has more than 1000 parts");
    }
    // So they are where one regular expression is made of them.
    for inmost in [b"x".to_vec(), Vec::new()] {
        let mut grammar = doubling(Expr::Literal { bytes: inmost, ignore_case: false });
        let (base, minus) = (grammar.rules[0].body, ExprId(0));
        grammar.rules[0].body = grammar.push(Expr::Except { base, minus }, Span::default());
        assert!(Lowering::new().lower(&grammar).is_err());
    }
    // What derives nothing is looked for in all of it.
    for inmost in [Expr::Class(Vec::new()), Expr::Reference("a".into())] {
        assert!(Lowering::new().lower(&doubling(inmost)).is_err());
    }
}

/// An expression may stand in several places of the arena. Choices of nothing made no automaton
/// larger, so writing all of them out was not bounded.
#[test]
fn shared_choices_of_nothing_are_refused_where_they_are_too_many() {
    let choice = |of: ExprId| {
        let alternative = || Alternative::plain(of);
        Expr::Choice(vec![alternative(), alternative()])
    };
    let refused = |levels: u32| {
        let mut grammar = Grammar::default();
        let mut base = grammar.push(Expr::Class(Vec::new()), Span::default());
        for _ in 0..levels {
            base = grammar.push(choice(base), Span::default());
        }
        let minus = grammar
            .push(Expr::Literal { bytes: b"y".to_vec(), ignore_case: false }, Span::default());
        let except = grammar.push(Expr::Except { base, minus }, Span::default());
        let other = grammar.push(Expr::Sequence(Vec::new()), Span::default());
        let alternative = Alternative::plain;
        let alternatives = vec![alternative(except), alternative(other)];
        let body = grammar.push(Expr::Choice(alternatives), Span::default());
        let name = Name { text: "a".into(), span: Span::default() };
        grammar.rules.push(Rule { name, docs: String::new(), body });
        Lowering::new().lower(&grammar).err().map(|error| error.to_string())
    };
    assert_eq!(refused(16), None);
    // Below the first of these levels, writing all out ends, in a second.
    for levels in [24, 200] {
        let error = refused(levels).expect("2^24 choices are too many");
        assert!(error.contains("this regular expression is too large"), "{error}");
    }
}

/// Many automata, each within bounds, are bounded together.
#[test]
fn automata_are_bounded_together() {
    let words = |count: usize| {
        let alternatives: Vec<String> = (0..count).map(|it| format!("/[a-c]{{40}}{it}/")).collect();
        format!("s = {} ;", alternatives.join(" | "))
    };
    let limits = pleach::regular::AutomatonLimits::new().cells(2000);
    let lower = |text: String| {
        let grammar = Grammar::parse(&text).unwrap();
        Lowering::new().automaton_limits(limits).lower(&grammar).map_err(|it| it.to_string())
    };
    assert!(lower(words(3)).is_ok());
    let error = lower(words(30)).unwrap_err();
    assert!(error.contains("over 2000 table entries"), "{error}");
    assert!(error.contains("help: use fewer or smaller ones"), "{error}");
}

/// Layout whose three levels make too large an automaton was refused, though two or one do not.
#[test]
fn layout_nests_as_deep_as_the_limits_allow() {
    let text = "%layout space; %lexical a; a = \"a\" | a b ; b = \"b\" ; \
                space = \"(\" (space | /[xy]*x[xy]{6}/ | \"z\")* \")\" | \" \" ;";
    let grammar = Grammar::parse(text).unwrap();
    let mut said: Vec<String> = Vec::new();
    let mut states = 8;
    while states < 65_536 {
        let limits = pleach::regular::AutomatonLimits::new().states(states);
        said.push(match Lowering::new().automaton_limits(limits).lower(&grammar) {
            Ok(lowered) => lowered.warnings[0].message.rsplit("followed ").next().unwrap().into(),
            Err(_) => "refused".into(),
        });
        states += states / 5;
    }
    said.dedup();
    assert_eq!(said, ["refused", "one level deep", "two levels deep", "three levels deep"]);
}
