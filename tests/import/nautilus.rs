//! JSON grammars of Nautilus.

use pleach::import::{Importer, Notation};

use crate::expect::{lose, losses, mistakes, native, refuse, survive};
use crate::{grammars, prove_all, same_as_ours};

const NAUTILUS: Notation = Notation::Nautilus;

#[test]
fn what_each_construct_becomes() {
    for (text, rules) in [
        (r#"[["A", "x"]]"#, "A = \"x\" ;\n"),
        // Rules of one nonterminal are its alternatives, equal ones each for itself.
        (
            r#"[["A", "x{B}"], ["B", "1"], ["A", ""], ["B", "1"]]"#,
            "A = \"x\" B | ;\nB = \"1\" | \"1\" ;\n",
        ),
        // A label changes nothing.
        (r#"[["A", "{B:left}-{B:1_a-}"], ["B", "b"]]"#, "A = B \"-\" B ;\nB = \"b\" ;\n"),
        // Braces are escaped, and no other character is; the reverse solidus is JSON's `\\`.
        (
            r#"[["A", "\\{{B}\\}\\n\\\\{B}}"], ["B", ""]]"#,
            "A = \"{\" B \"}\\\\n\\\\{B}}\" ;\nB = \"\" ;\n",
        ),
        (
            r#"[["A", "\u0041\n\ud83d\ude00\u00e9{A-b_9}"], ["A-b_9", "\\"]]"#,
            "A = \"A\\n😀é\" A-b_9 ;\nA-b_9 = \"\\\\\" ;\n",
        ),
        ("\u{FEFF} [ [ \"A\" , \"x\" ] ] \n", "A = \"x\" ;\n"),
        // The start is START, or the first rule's nonterminal.
        (r#"[["START", "{A}"], ["A", "a"]]"#, "START = A ;\nA = \"a\" ;\n"),
        (r#"[["A", "a"], ["START", "{A}"]]"#, "%start START;\n\nA = \"a\" ;\nSTART = A ;\n"),
    ] {
        assert_eq!(native(NAUTILUS, text), rules.replace("= \"\" ;", "= ;"), "{text}");
    }
}

#[test]
fn what_is_lost() {
    lose(
        NAUTILUS,
        &[
            ("[[\"A\", \"a\", 1]]", &["1:13: a rule has two elements"]),
            (
                "[[\"A\", \"a\"],\n [\"START\", \"{A}\"]]",
                &["1:3: Nautilus begins with `A` as well as with `START`"],
            ),
        ],
    );
    assert!(losses(NAUTILUS, r#"[["A", "{B:label}"], ["B", ""]]"#).is_empty());
}

#[test]
fn mistakes_are_told() {
    refuse(
        NAUTILUS,
        &[
            ("", &["1:1: no JSON: there is no value"]),
            ("[[\"A\", \"x\"],\n  ]", &["2:3: no JSON: a value is expected here, not `]`"]),
            ("[[\"A\", \"x\"]\n, \"é\" }", &["2:7: no JSON: `,` or `]` is expected here, not `}`"]),
            ("{}", &["1:1: no array"]),
            ("[]", &["1:1: no rules"]),
            ("[1]", &["1:2: no rule"]),
            ("[[\"A\"]]", &["1:2: no rule"]),
            ("[[\"A\", [65]]]", &["1:8: no string"]),
            ("[[1, \"a\"]]", &["1:3: no string"]),
            ("[[\"a\", \"x\"]]", &["1:3: `a` is no nonterminal"]),
            ("[[\"A\", \"éé{b}\"]]", &["1:11: `{b}` is no nonterminal"]),
            ("[[\"A\", \"\\u00e9\\\"{}\"]]", &["1:17: `{}` is no nonterminal"]),
            ("[[\"A\", \"x\\\\}{A\"]]", &["1:13: this brace is not closed"]),
            ("[[\"A\", \"\\ud800\"]]", &["1:8: no JSON: a surrogate comes in a pair"]),
            ("[[\"A\", \"{B}\"],\n[\"B\", \"-{C:x}\"]]", &["2:9: rule `C` is not defined"]),
        ],
    );
    // Several at once.
    let text = "[[\"a\", \"x\"], [\"B\"], [\"C\", \"{\"]]";
    assert_eq!(mistakes(NAUTILUS, text).len(), 3);
}

#[test]
fn the_text_tells_the_notation() {
    for (text, notation) in [
        ("[[\"A\", \"\"]]", NAUTILUS),
        (" [\n\t[\"A\", \"\"]]", NAUTILUS),
        ("{\"<start>\": []}", Notation::Fuzzingbook),
        ("\u{FEFF}{ \"<a>\": []}", Notation::Fuzzingbook),
        ("{\"name\": \"json\"}", Notation::Native),
        ("[1]", Notation::Native),
    ] {
        assert_eq!(Notation::of("some.json", text), notation, "{text}");
    }
}

#[test]
fn grammars_are_produced_from_and_read_back() {
    prove_all("nautilus", "json");
}

#[test]
fn grammars_here_accept_the_same() {
    let others = [
        ("json", "there are no classes of characters: strings are in ASCII"),
        (
            "toml",
            "it has what ours produces, of which no two keys are the same, not all that it reads",
        ),
    ];
    same_as_ours(&Importer::new().strict(true), "nautilus", "json", &others);
}

#[test]
fn no_text_is_too_much() {
    let deep = 100_000;
    survive(
        NAUTILUS,
        &[
            "[".repeat(deep),
            format!("[[\"A\",{}", "[".repeat(deep)),
            format!("[[\"A\",{}1{}]]", "[".repeat(deep), "]".repeat(deep)),
            format!("[[\"A\",\"{}\"]]", "{".repeat(deep)),
            format!("[[\"A\",\"{}\"]]", "{A}".repeat(deep)),
            format!("[[\"A\",\"{}\"]]", "\\\\{\\u0041}".repeat(deep)),
            format!("[{}[\"A\",\"\"]]", "[\"A\",\"{\"],".repeat(deep)),
        ],
        &grammars("nautilus", "json"),
    );
}
