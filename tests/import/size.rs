//! Grammars of thousands of lines.

use pleach::grammar::NoIncludes;
use pleach::import::{Imported, Importer};

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
