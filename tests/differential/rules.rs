//! Languages of a grammar's rules.

use pleach::differential::{DifferentialError, Language};
use pleach::grammar::Grammar;
use pleach::regular::Limits;

fn rule(grammar: &str, rule: &str, depth: Option<usize>) -> Result<Language, DifferentialError> {
    let grammar = Grammar::parse(grammar).unwrap_or_else(|error| panic!("{grammar}: {error}"));
    Language::rule(&grammar, rule, depth, &Limits::default())
}

fn regex(pattern: &str) -> Language {
    Language::regex(pattern, &Limits::default()).unwrap()
}

#[test]
fn regular_rules_are_their_languages() {
    for (grammar, name, pattern) in [
        (r#"s = "a" b{2,3} "c"? ; b = [x-z] | "é" ;"#, "s", "a[x-zé]{2,3}c?"),
        (r#"s = b ; b = [x-z]+ ;"#, "b", "[x-z]+"),
        // Recursion at either end.
        (r#"s = "a" s | "b" ;"#, "s", "a*b"),
        (r#"s = s "a" | "b" ;"#, "s", "ba*"),
        (r#"s = "a" t | "" ; t = "b" s | "c" ;"#, "s", "(?:ab)*(?:ac)?"),
        (r#"s = "a" s | s "b" | "c" ;"#, "s", "a*cb*"),
        // A rule used twice is no recursion.
        (r#"s = t "," t ; t = "a" t | "b" ;"#, "s", "a*b,a*b"),
        // What is read only is read.
        (r#"s = @read "a" | "b" ;"#, "s", "[ab]"),
        // Layout stands before, between and after tokens, and not in them.
        (
            r#"%layout ws; %lexical word; s = word ("," word)* ; word = [a-z]+ ; ws = " "+ ;"#,
            "s",
            " *[a-z]+ *(?:, *[a-z]+ *)*",
        ),
        (
            r#"%layout ws; %lexical word; s = word; word = [a-z]+ ; ws = " "* ;"#,
            "word",
            " *[a-z]+ *",
        ),
    ] {
        let language =
            rule(grammar, name, None).unwrap_or_else(|error| panic!("{grammar}: {error}"));
        let expected = regex(pattern);
        assert!(
            language.dfa().equivalent(expected.dfa()),
            "{grammar}: {}",
            language.to_regex(1000).unwrap()
        );
    }
}

#[test]
fn a_rule_that_is_not_regular_names_its_cycle() {
    let grammar = r#"value = list | "a" ; list = "[" items "]" ; items = value ("," value)* ;"#;
    let error = rule(grammar, "list", None).unwrap_err();
    assert!(error.is_not_regular() && !error.is_size_limit_exceeded());
    let message = error.to_string();
    assert!(message.contains("list -> items -> value -> list"), "{message}");
    let error = rule(grammar, "nothing", None).unwrap_err();
    assert!(!error.is_not_regular() && error.to_string().contains("`nothing`"), "{error}");
}

#[test]
fn a_depth_cuts_and_says_so() {
    let grammar = r#"s = "(" s ")" | "x" ;"#;
    let language = rule(grammar, "s", Some(3)).unwrap();
    assert!(!language.is_exact() && language.imprecisions()[0].contains("`s`"));
    assert!(language.dfa().equivalent(regex(r"x|\(x\)|\(\(x\)\)").dfa()));
    let regular = rule(r#"s = "a" s | "b" ;"#, "s", Some(3)).unwrap();
    assert!(regular.is_exact());
}

#[test]
fn bounds_are_errors() {
    let grammar = Grammar::parse(r#"s = [ab]* "a" [ab]{16} ;"#).unwrap();
    let error = Language::rule(&grammar, "s", None, &Limits::default()).unwrap_err();
    assert!(error.is_size_limit_exceeded(), "{error}");
}
