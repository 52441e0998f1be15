//! JSON grammars of "The Fuzzing Book".

use pleach::grammar::NoIncludes;
use pleach::import::{Importer, Notation};

use crate::expect::{lose, losses, native, refuse, survive};
use crate::{grammars, prove_all, same_as_ours};

const EBNF: Notation = Notation::Fuzzingbook;
const BNF: Notation = Notation::FuzzingbookBnf;

/// A grammar of one rule with one expansion.
fn one(expansion: &str) -> String {
    format!("{{\"<start>\": [\"{expansion}\"]}}")
}

#[test]
fn what_each_construct_becomes() {
    for (text, rules) in [
        (
            r#"{"<start>": ["<a>"], "<a>": ["x", "", "<a>y"]}"#,
            "start = a ;\na = \"x\" | | a \"y\" ;\n",
        ),
        // Spaces and angle brackets are in no nonterminal.
        (
            r#"{"<start>": ["<<a-1>> < b> <"], "<a-1>": ["<"]}"#,
            "start = \"<\" a-1 \"> < b> <\" ;\na-1 = \"<\" ;\n",
        ),
        (r#"{"<start>": ["<>"], "<>": ["\u00e9\n"]}"#, "start = __ ;\n__ = \"é\\n\" ;\n"),
        // Tokens, as the book's parsers take them.
        (
            r#"{"<start>": [["<a>", "<a> ", ""], []], "<a>": [["b"]]}"#,
            "start = a \"<a> \" | ;\na = \"b\" ;\n",
        ),
        // Probabilities, and what is left over for the others.
        (
            r#"{"<start>": [["a", {"prob": 0.5}], "b", ["c", {"prob": null}], "c"]}"#,
            "start = @3 \"a\" | \"b\" | \"c\" | \"c\" ;\n",
        ),
        (
            r#"{"<start>": [["a", {"prob": 0.25}], ["b", {"prob": 7.5e-1}]]}"#,
            "start = \"a\" | @3 \"b\" ;\n",
        ),
        (r#"{"<start>": [["a", {"prob": 1}], "b"]}"#, "start = \"a\" | @0 \"b\" ;\n"),
        (r#"{"<start>": [["a", {}], "b"]}"#, "start = \"a\" | \"b\" ;\n"),
        // The start is where it is called so.
        (r#"{"<a>": ["x"], "<start>": ["<a>"]}"#, "a = \"x\" ;\nstart = a ;\n"),
    ] {
        for notation in [EBNF, BNF] {
            assert_eq!(native(notation, text), format!("%start start;\n\n{rules}"), "{text}");
        }
    }
}

#[test]
fn the_extensions_for_ebnf() {
    for (expansion, body) in [
        ("<start>?<start>*<start>+", "start? start* start+"),
        ("a(b<start>)*", "\"a\" (\"b\" start)*"),
        ("(.<start>+)?", "(\".\" start+)?"),
        ("(a(b)+c)?-", "(\"a\" \"b\"+ \"c\")? \"-\""),
        ("()*<start>?", "()* start?"),
        // One operator counts, the others are text.
        ("<start>?*+(a)+?", "start? \"*+\" \"a\"+ \"?\""),
        // What no operator follows is text, and so is what has that inside.
        ("(<start>)", "\"(\" start \")\""),
        ("((a)b)*", "\"((a)b)*\""),
        ("((a)?b)*", "(\"a\"? \"b\")*"),
        ("(()*", "\"(\" ()*"),
        ("())*a* ?+", "\"())*a* ?+\""),
        ("<a b>*<>", "\"<a b>*\" __"),
    ] {
        let text = format!("{{\"<start>\": [\"{expansion}\"], \"<>\": [\"\"]}}");
        let empty = "__ = ;\n";
        let expected = format!("%start start;\n\nstart = {body} ;\n{empty}");
        assert_eq!(native(EBNF, &text), expected, "{expansion}");
    }
    let text = one("<start>?(<start>)*");
    assert_eq!(native(BNF, &text), "%start start;\n\nstart = start \"?(\" start \")*\" ;\n");
}

#[test]
fn what_is_lost() {
    lose(
        EBNF,
        &[
            (
                "{\"<start>\": [\n [\"a\", {\"order\": [1], \"prob\": 0.5}], \"b\"]}",
                &["2:9: no grammar here has the option `order`"],
            ),
            (
                "{\"<start>\": [[\"a\", {\"prob\": 0}], [\"b\", {\"prob\": 0}]]}",
                &["1:49: all these alternatives have the probability 0"],
            ),
            (
                "{\"<start>\": [[\"a\", {\"prob\": 0.123456}], [\"b\", {\"prob\": 0.7654321}]]}",
                &["1:13: no small whole numbers are in the ratio of these probabilities"],
            ),
            (
                "{\"<start>\": [\"1\", \"<start>*<start>\"]}",
                &["1:20: `<start>*` may be a rule and an operator"],
            ),
        ],
    );
    // In BNF it is one without doubt.
    assert!(losses(BNF, "{\"<start>\": [\"1\", \"<start>*<start>\"]}").is_empty());
}

#[test]
fn mistakes_are_told() {
    refuse(
        EBNF,
        &[
            ("{\"<start>\" [\"a\"]}", &["1:12: no JSON: `:` is expected here, not `[`"]),
            ("[]", &["1:1: no object"]),
            ("{}", &["1:1: no rules"]),
            ("{\"<start>\": [\"a\"], \"a\": [\"a\"]}", &["1:20: `a` is no nonterminal"]),
            ("{\"<start>\": [\"a\"], \"<a>b\": [\"a\"]}", &["1:20: `<a>b` is no nonterminal"]),
            (
                "{\"<start>\": [\"a\"],\n\"<start>\": [\"b\"]}",
                &["2:1: `<start>` is defined before"],
            ),
            ("{\"<start>\": []}", &["1:13: no expansions"]),
            ("{\"<start>\": \"a\"}", &["1:13: no expansions"]),
            ("{\"<start>\": [1]}", &["1:14: no expansion"]),
            ("{\"<start>\": [[1, {}]]}", &["1:15: no expansion"]),
            ("{\"<start>\": [[\"a\", 1]]}", &["1:20: no string"]),
            ("{\"<start>\": [[\"a\", {\"prob\": \"x\"}]]}", &["1:29: no number"]),
            ("{\"<start>\": [[\"a\", {\"prob\": 1.5}], \"b\"]}", &["1:29: 1.5 is no probability"]),
            (
                "{\"<start>\": [[\"a\", {\"prob\": 0.7}], [\"b\", {\"prob\": 0.5}]]}",
                &["1:51: the probabilities of these alternatives add up to 1.200000"],
            ),
            ("{\"<start>\": [\"\\u00e9\\n<b>\"]}", &["1:23: rule `b` is not defined"]),
            ("{\"<a>\": [\"x\"]}", &["1:1: there is no `<start>`"]),
        ],
    );
    let importer = Importer::new().notation(EBNF).start("a");
    let imported = importer.read("test", "{\"<a>\": [\"x\"]}", &NoIncludes).unwrap();
    assert_eq!(imported.grammar.to_string(), "%start a;\n\na = \"x\" ;\n");
}

#[test]
fn grammars_are_produced_from_and_read_back() {
    prove_all("fuzzingbook", "json");
}

#[test]
fn grammars_here_accept_the_same() {
    same_as_ours(
        &Importer::new().strict(true),
        "fuzzingbook",
        "json",
        &[("http-request", "ours reads fields of any name, which this has not")],
    );
}

#[test]
fn no_text_is_too_much() {
    let deep = 100_000;
    survive(
        EBNF,
        &[
            "{\"<start>\":".repeat(deep),
            format!("{{\"<start>\":{}", "[".repeat(deep)),
            format!("{{\"<start>\":[{}1{}]}}", "[".repeat(deep), "]".repeat(deep)),
            one(&"(".repeat(deep)),
            one(&")*".repeat(deep)),
            one(&"<".repeat(deep)),
            one(&format!("{}a{}", "(".repeat(deep), ")*".repeat(deep))),
            one(&format!("{}a{}", "(".repeat(deep), ")".repeat(deep))),
            one(&"<start>*".repeat(deep)),
            one(&"\\u00e9<start>".repeat(deep)),
        ],
        &grammars("fuzzingbook", "json"),
    );
}
