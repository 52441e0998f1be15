//! Languages of a grammar's rules.

use pleach::Seeded;
use pleach::differential::{Difference, DifferentialError, Language, Side, Strategy};
use pleach::grammar::Grammar;
use pleach::regular::AutomatonLimits;

fn rule(grammar: &str, rule: &str, depth: Option<usize>) -> Result<Language, DifferentialError> {
    let grammar = Grammar::parse(grammar).unwrap_or_else(|error| panic!("{grammar}: {error}"));
    Language::rule(&grammar, rule, depth, &AutomatonLimits::default())
}

fn regex(pattern: &str) -> Language {
    Language::regex(pattern, &AutomatonLimits::default()).unwrap()
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
        // What is parse-only is read.
        (r#"s = "b" | @read "a" ;"#, "s", "[ab]"),
        // Bytes that are all ASCII are characters.
        (r#"%encoding bytes; s = [a-z]+ "\x7F"? ;"#, "s", r"[a-z]+\x7F?"),
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
fn bytes_beyond_ascii_stay_bytes() {
    let bytes = rule(r#"%encoding bytes; s = "\xE9"+ ;"#, "s", None).unwrap();
    let limits = AutomatonLimits::default();
    // No text of UTF-8 is made of this byte alone; beside characters, only texts count.
    let mixed = Difference::new(&bytes, &regex("é"), &limits).unwrap();
    let texts = mixed.strings(Strategy::EdgeCover, 9, &mut Seeded::new(1));
    assert_eq!(texts.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["é"]);
    let utf8 = rule(r#"%encoding bytes; s = "\xC3\xA9"+ ;"#, "s", None).unwrap();
    assert!(Difference::new(&utf8, &regex("é+"), &limits).unwrap().is_empty());
    let difference = Difference::new(&bytes, &Language::everything(), &limits).unwrap();
    assert_eq!(difference.side(&[0xE9]), None);
    assert_eq!(difference.side(&[0x61]), Some(Side::Implementation));
    let difference = Difference::new(&bytes, &Language::nothing(), &limits);
    let strings = difference.unwrap().strings(Strategy::EdgeCover, 1, &mut Seeded::new(1));
    assert_eq!((&*strings[0].bytes(), &*strings[0].text), (&b"\xE9"[..], "\u{FFFD}"));
}

#[test]
fn bounds_are_errors() {
    let grammar = Grammar::parse(r#"s = [ab]* "a" [ab]{16} ;"#).unwrap();
    let error = Language::rule(&grammar, "s", None, &AutomatonLimits::default()).unwrap_err();
    assert!(error.is_size_limit_exceeded(), "{error}");
}
