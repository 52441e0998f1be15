//! Which trees operators have in grammars of other notations: those that their parsers take.

use pleach::import::{Imported, Importer, Notation};
use pleach::parse::{Parser, Scratch};
use pleach::table::Table;
use pleach::tree::Tree;

use crate::{expect, folder, import, lower, tables};

/// The tree of a text in one line.
fn nested(table: &Table, text: &str) -> String {
    let (mut tree, mut scratch) = (Tree::new(), Scratch::new());
    let result = Parser::new(table).parse(text.as_bytes(), &mut scratch, &mut tree);
    result.unwrap_or_else(|error| panic!("{text}: {error}"));
    tables::nested(table, &tree)
}

#[track_caller]
fn trees(imported: &Imported, trees: &[(&str, &str)]) {
    let table = lower(imported).table;
    for (text, expected) in trees {
        assert_eq!(nested(&table, text), *expected, "{text}");
    }
}

#[test]
fn precedence_of_tree_sitter_nests_operators() {
    let text = r#"{"name": "t", "extras": [], "rules": {"e": {"type": "CHOICE", "members": [
        {"type": "PREC_LEFT", "value": 2, "content": {"type": "SEQ", "members": [
            {"type": "SYMBOL", "name": "e"}, {"type": "STRING", "value": "*"}, {"type": "SYMBOL", "name": "e"}]}},
        {"type": "PREC_RIGHT", "value": 1, "content": {"type": "SEQ", "members": [
            {"type": "SYMBOL", "name": "e"}, {"type": "STRING", "value": "+"}, {"type": "SYMBOL", "name": "e"}]}},
        {"type": "STRING", "value": "1"}]}}}"#;
    let imported = expect::read(Notation::TreeSitter, text).unwrap();
    assert_eq!(imported.warnings, []);
    trees(
        &imported,
        &[
            ("1*1+1", "((1*1)+1)"),
            ("1+1*1", "(1+(1*1))"),
            ("1+1+1", "(1+(1+1))"),
            ("1*1*1", "((1*1)*1)"),
        ],
    );
}

#[test]
fn operators_in_rules_of_their_own_nest_as_well() {
    let file = folder("tree-sitter").join("lua.json");
    let imported = import(Importer::new().start("_expression"), &file);
    trees(
        &imported,
        &[
            ("a+b*c", "(a+(b*c))"),
            ("a*b+c", "((a*b)+c)"),
            ("a..b..c", "(a..(b..c))"),
            ("-a^b", "(-(a^b))"),
            ("not a==b", "((nota)==b)"),
            ("a or b and c==d", "(aor(band(c==d)))"),
            ("a-b-c", "((a-b)-c)"),
            ("2^-3^4", "(2^(-(3^4)))"),
        ],
    );
}

#[test]
fn alternatives_of_antlr_nest_operators() {
    let read =
        |rules: &str| expect::read(Notation::Antlr, &format!("grammar t;\n{rules}")).unwrap();
    trees(
        &read("e : e '*' e | <assoc=right> e '^' e | e '+' e | '1' ;"),
        &[
            ("1*1+1", "((1*1)+1)"),
            ("1+1*1", "(1+(1*1))"),
            ("1^1^1", "(1^(1^1))"),
            ("1+1+1", "((1+1)+1)"),
            ("1^1*1", "(1^(1*1))"),
        ],
    );
    trees(
        &read("e : e '!' | '-' e | e ('*' | '/') e | '~' e | e '+' e | e '?' e ':' e | '1' ;"),
        &[
            ("-1!", "(-(1!))"),
            ("-1*1", "((-1)*1)"),
            ("1*~1*1+1", "((1*(~(1*1)))+1)"),
            ("1?1:1?1:1", "((1?1:1)?1:1)"),
        ],
    );
    let imported = import(Importer::new().start("exp"), &folder("antlr").join("Lua.g4"));
    trees(
        &imported,
        &[
            ("1+2*3", "(1+(2*3))"),
            ("1*2+3", "((1*2)+3)"),
            ("1 ..2 ..3", "(1..(2..3))"),
            ("not 1==2", "((not1)==2)"),
            ("-1^2", "(-(1^2))"),
            ("1-2-3", "((1-2)-3)"),
            ("2^-3^4", "(2^(-(3^4)))"),
            ("1<2 and 3 or 4", "(((1<2)and3)or4)"),
        ],
    );
}
