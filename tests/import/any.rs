//! What holds for every notation.

use pleach::grammar::{Encoding, NoIncludes};
use pleach::import::{Importer, Notation};

use super::expect::{self, Said};

/// A grammar in each notation, whose start is `a` or what the notation calls so, and of which a rule is defined
/// twice.
const GRAMMARS: &[(&str, &str, &str)] = &[
    ("abnf", "a = \"x\"\n", ""),
    ("antlr", "grammar t; a : 'x' ;", "grammar t;\na : 'x' ;\na : 'y' ;"),
    ("bnf", "<a> ::= x\n", "<a> ::= x\n<a> ::= y\n"),
    ("fuzzingbook", "{\"<start>\": [\"x\"]}", ""),
    ("fuzzingbook-bnf", "{\"<start>\": [\"x\"]}", ""),
    ("gbnf", "root ::= \"x\"\n", "root ::= \"x\"\nroot ::= \"y\"\n"),
    ("iso", "a = 'x';\n", "a = 'x';\na = 'y';\n"),
    ("native", "a = \"x\" ;\n", ""),
    ("nautilus", "[[\"START\", \"x\"]]", ""),
    ("pest", "a = { \"x\" }\n", "a = { \"x\" }\na = { \"y\" }\n"),
    (
        "tree-sitter",
        "{\"name\": \"a\", \"rules\": {\"a\": {\"type\": \"STRING\", \"value\": \"x\"}}}",
        "",
    ),
    ("tribble", "A = \"x\" ;\n", "A = \"x\" ;\nA = \"y\" ;\n"),
    ("w3c", "a ::= 'x'\n", "a ::= 'x'\na ::= 'y'\n"),
];

#[track_caller]
fn refused(importer: &Importer, text: &str) -> Vec<Said> {
    match importer.read("test", text, &NoIncludes) {
        Ok(imported) => panic!("{text} is {}", imported.grammar),
        Err(error) => expect::said(error.files(), error.diagnostics()),
    }
}

/// Once a start that no rule is was written into the grammar, which no command then accepted.
#[test]
fn a_start_that_is_no_rule_is_a_mistake() {
    let names: Vec<&str> = GRAMMARS.iter().map(|row| row.0).collect();
    assert_eq!(names.len(), Notation::names().count());
    for &(name, text, _) in GRAMMARS {
        let importer = Importer::new().notation(name.parse().unwrap());
        importer.read("test", text, &NoIncludes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = refused(&importer.start("Qq"), text);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert_eq!(found[0].message, "there is no rule `Qq` to begin with", "{name}");
        assert!(found[0].help.starts_with("its rules are `"), "{name}: {found:?}");
    }
}

/// Once such a start was taken without a word, too.
#[test]
fn a_start_that_was_taken_for_an_example_is_refused_for_what_is_wrong_with_it() {
    let text = "a = \"1\"\n\nAs in\n\n  scheme = $2\n";
    let found = refused(&Importer::new().notation(Notation::Abnf).start("scheme"), text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].line, found[0].column), (5, 12));
    assert_eq!(found[0].message, "`$` is not of this notation");
}

#[test]
fn a_rule_that_is_defined_twice_is_a_mistake() {
    for &(name, _, text) in GRAMMARS.iter().filter(|row| !row.2.is_empty()) {
        let found = refused(&Importer::new().notation(name.parse().unwrap()), text);
        assert!(found[0].message.contains("defined "), "{name}: {found:?}");
        assert!(found[0].line > 1, "{name}: {found:?}");
    }
}

/// Beyond a thousand messages one says how many more there are, and where they begin.
#[test]
fn a_thousand_messages_are_shown() {
    let rules: String = (0..1_500).map(|at| format!("b{at} ::= c\n")).collect();
    let losses = expect::losses(Notation::Gbnf, &format!("root ::= \"x\"\n{rules}"));
    assert_eq!(losses.len(), 1_001);
    assert_eq!(
        losses[1_000].to_string(),
        "1002:11: there are 500 more, of which this is the first; the first 1000 are shown"
    );
    let wrong = "a : '' ;\n".repeat(1_500);
    let mistakes = expect::mistakes(Notation::Antlr, &format!("grammar t;\n{wrong}"));
    assert_eq!(mistakes.len(), 1_001);
    assert!(mistakes[1_000].message.starts_with("there are "), "{}", mistakes[1_000]);
    assert!(mistakes[1_000].line > 500, "{}", mistakes[1_000]);
}

/// Once the message did not say how an encoding is chosen.
#[test]
fn encodings_that_differ_are_named() {
    let with = Importer::new().notation(Notation::Abnf).partial(true);
    let with = with.read("bytes.abnf", "b = %xFF\n", &NoIncludes).unwrap().grammar;
    assert_eq!(with.encoding, Encoding::Bytes);
    let importer = Importer::new().notation(Notation::Gbnf).with(with);
    let found = refused(&importer, "root ::= b\n");
    assert_eq!(
        found[0].to_string(),
        "1:1: symbols of bytes.abnf are bytes, and those of this grammar characters; choose one encoding for both: --encoding unicode or --encoding bytes"
    );
}

/// Once a text whose notation nothing tells was only measured by the native one.
#[test]
fn a_notation_that_is_not_told_can_be_named() {
    for (name, text, names) in [
        ("rfc.txt", "URI = scheme \":\" hier-part\n", "abnf, antlr, bnf, "),
        (
            "package.json",
            "{\"name\": \"x\"}",
            "fuzzingbook, fuzzingbook-bnf, nautilus, tree-sitter",
        ),
        ("<stdin>", "grammar t; a : 'x' ;", "abnf, antlr, bnf, "),
    ] {
        let read = |importer: Importer| importer.read(name, text, &NoIncludes);
        let error = read(Importer::new()).unwrap_err();
        let last = error.diagnostics().last().unwrap();
        assert_eq!(
            last.message,
            "this is read as the native notation, for neither its name nor its text tells another"
        );
        let help = last.help.as_deref().unwrap();
        assert!(help.starts_with(&format!("name the notation: --from {names}")), "{help}");
        // Whoever names it need not be told.
        let error = read(Importer::new().notation(Notation::Native)).unwrap_err().to_string();
        assert!(!error.contains("--from"), "{error}");
    }
    // An empty text was a native grammar without rules.
    for (name, is_native) in [("a.json", false), ("a.txt", false), ("a.pleach", true)] {
        let read = Importer::new().read(name, "\n", &NoIncludes);
        assert_eq!(read.is_ok(), is_native, "{name}");
        let said = read.err().map_or(String::new(), |error| error.to_string());
        assert_eq!(said.contains("--from fuzzingbook,"), name == "a.json", "{said}");
    }
    let error = Importer::new().read("a.pleach", "a = b, c", &NoIncludes).unwrap_err().to_string();
    assert!(!error.contains("--from"), "{error}");
}
