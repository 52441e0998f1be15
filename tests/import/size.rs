//! Grammars of thousands of lines.

use pleach::grammar::{Grammar, NoIncludes};
use pleach::import::{Imported, Importer};
use pleach::parse::{Parser, Scratch};

use super::{large, lower};

#[track_caller]
fn import(notation: &str, text: &str) -> Imported {
    let importer = Importer::new().notation(notation.parse().unwrap());
    importer.read("large", text, &NoIncludes).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn all_rules_are_read() {
    for (notation, text) in large::grammars() {
        let imported = import(notation, &text);
        assert!(imported.grammar.rules.len() >= large::LINES, "{notation}");
        assert!(text.lines().count() >= large::LINES, "{notation}");
        lower(&imported);
    }
}

/// Once the tokens of such a lexer were not all compared, and words of the last one were produced that are
/// others' texts.
#[test]
fn all_tokens_are_compared() {
    let imported = import("antlr", &large::lexer());
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
    let text = imported.grammar.to_string();
    let rule = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} = ")));
        line.unwrap_or_else(|| panic!("no rule {name}"))
    };
    let last = large::LINES / 2 - 1;
    assert_eq!(rule("ID").matches("KW").count(), last + 1);
    assert!(
        rule(&format!("KW{last}")).ends_with("except (KW2 | KW24 | KW249) ;"),
        "{}",
        rule("KW2499")
    );
    assert!(!rule("KW3").contains("except"));
}

/// Each was a group in the last one, and parsing took the square of them.
#[test]
fn quantifiers_of_quantifiers_are_one() {
    let many = 200_000;
    let marks = |head: &str, mark: &str, end: &str| format!("{head}{}{end}", mark.repeat(many));
    let nested = |head: &str, open: &str, inner: &str, close: &str, end: &str| {
        format!("{head}{}{inner}{}{end}", open.repeat(many), close.repeat(many))
    };
    for (notation, text, sign) in [
        ("w3c", marks("a ::= 'x'", "?", ""), "?"),
        ("w3c", marks("a ::= 'x'+", "?", ""), "*"),
        ("w3c", marks("a ::= 'x'", "+", ""), "+"),
        ("w3c", nested("a ::= ", "(", "'x'", ")*", ""), "*"),
        ("gbnf", marks("root ::= \"x\"", "?", ""), "?"),
        ("gbnf", nested("root ::= ", "(", "\"x\"", "+)?", ""), "*"),
        ("antlr", marks("grammar t; a : 'x'", "* ", ";"), "*"),
        ("antlr", nested("grammar t; a : X ; X : ", "(", "'x'", ")+", ";"), "+"),
        ("abnf", nested("a = ", "[", "%x78", "]", "\n"), "?"),
        ("iso", nested("a = ", "{", "'x'", "}", ";"), "*"),
        ("iso", nested("a = ", "[{", "'x'", "}]", ";"), "*"),
        ("bnf", nested("<a> ::= ", "[", "\"x\"", "]", ""), "?"),
    ] {
        let imported = import(notation, &text);
        let rule = imported.grammar.to_string();
        assert!(rule.contains(&format!(" = \"x\"{sign} ;\n")), "{notation}: {rule}");
        let table = lower(&imported).table;
        let parser = Parser::new(&table);
        let mut scratch = Scratch::new();
        let mut reads = |text: &[u8]| parser.recognise(text, &mut scratch).is_ok();
        let found = (reads(b""), reads(b"x"), reads(b"xx"));
        assert_eq!(found, (sign != "+", true, sign != "?"), "{notation}");
    }
}

/// What was imported could not be read back, and parsing by it took the square of its depth.
#[test]
fn groups_nest_as_deep_as_in_the_native_notation() {
    for (notation, head, open, close, end) in [
        ("abnf", "a = ", "[ \"y\" ", "]", "\n"),
        ("antlr", "grammar t; a : ", "('y' ", ")*", " ;"),
        ("antlr", "grammar t; a : ", "('y' | 'z' ", ")+", " ;"),
        ("bnf", "<a> ::= ", "[ \"y\" ", "]", ""),
        ("gbnf", "root ::= ", "(\"y\" ", "){2}", ""),
        ("gbnf", "root ::= ", "(", "){2}", ""),
        ("iso", "a = ", "{ 'y', ", "}", ";"),
        ("tribble", "A = ", "(\"y\" ", "){,3}", ";"),
        ("tribble", "A = ", "(", ")?", ";"),
        ("w3c", "a ::= ", "('y' ", ")?", ""),
    ] {
        let text =
            |depth| format!("{head}{}\"x\" {}{end}", open.repeat(depth), close.repeat(depth));
        let text = |depth| match notation {
            "antlr" => text(depth).replace('"', "'"),
            _ => text(depth),
        };
        let imported = import(notation, &text(199));
        let native = imported.grammar.to_string();
        let again = Grammar::parse(&native).unwrap_or_else(|error| panic!("{notation}\n{error}"));
        assert_eq!(again.to_string(), native);
        for depth in [300, 100_000] {
            let importer = Importer::new().notation(notation.parse().unwrap());
            let error = importer.read("deep", &text(depth), &NoIncludes).unwrap_err().to_string();
            assert!(
                error.starts_with("error: groups nest deeper than 200\n"),
                "{notation}: {error}"
            );
        }
    }
}
