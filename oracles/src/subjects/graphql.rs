//! GraphQL, judged by apollo-parser.

use apollo_parser::Parser;
use pleach::produce::Options;
use pleach::table::{SymbolKind, Table};
use pleach::tree::Tree;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "graphql",
    standard: "GraphQL, June 2018, appendix B",
    k: 3,
    // apollo-parser reads 500 levels of nesting; a level is at most six edges.
    options: || Options::new().max_depth(400).max_nodes(4000),
    oracles: &[Oracle {
        name: "apollo-parser 0.8",
        read: Reader::Rewritten(rewrite, read),
        clauses: &[],
        accepted: &[
            "{a}",
            "query q($a: [Int!]! = [1 2.5e3]) @d { a: b(c: {d: $a}) { ...e ... on F { g } } }",
            "fragment a on B { c }",
            r#"scalar A "\u00e9\n" scalar B """a "" \""" \ b""" scalar C"#,
            "extend type A implements & B & C",
            "union A = | B | C extend union D @e",
            "directive @a(b: C = ENUM) on | QUERY | ENUM_VALUE",
            "extend schema @a { query: B }",
        ],
        refused: &[
            "",
            "{}",
            "{a",
            "{a(b: 01)}",
            "{a(b: 1.)}",
            "{a()}",
            "query q($a: B = $c) {d}",
            "fragment on on A {b}",
            "extend scalar A",
            "type A {}",
            "union A = ",
            "directive @a on",
            r#"{a(b: "\x")}"#,
            "enum A { true }",
            "{a ?}",
        ],
    }],
};

/// The text with a space for the layout that apollo-parser does not see past: where it looks ahead
/// by two tokens, white space and comments count as such.
fn rewrite(_: &Table, tree: &Tree) -> Vec<u8> {
    let mut written = Vec::with_capacity(tree.text().len());
    let mut rest = tree.text();
    for node in tree.nodes() {
        let is_layout = match node.symbol.kind() {
            SymbolKind::Terminal(_) => false,
            SymbolKind::Layout => true,
            _ => continue,
        };
        let (leaf, after) = rest.split_at(node.choice as usize);
        let looks = ["...", "extend", "\""].iter().any(|it| written.ends_with(it.as_bytes()));
        let replaced = is_layout && (looks || after.starts_with(b":"));
        written.extend_from_slice(if replaced { b" " } else { leaf });
        rest = after;
    }
    written
}

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let tree = Parser::new(text).parse();
    let mut errors = tree.errors().map(|error| format!("{error:?}"));
    errors.next().map_or(Ok(()), Err)
}
