//! Tables of texts, and of the grammars that come with the library.

#![allow(dead_code, reason = "each test crate uses another part of it")]

use std::path::Path;

use pleach::table::{Symbol, Table};
use pleach::tree::Tree;
pub use pleach_testing::table;

/// The table of a file in `grammars/`.
#[track_caller]
pub fn grammar(name: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(name);
    table(&std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// A tree in one line: what has several parts stands in parentheses, layout is left out.
pub fn nested(table: &Table, tree: &Tree) -> String {
    fn visit(table: &Table, tree: &Tree, next: &mut usize, at: &mut usize) -> String {
        let node = tree.nodes()[*next];
        *next += 1;
        if node.symbol.is_leaf() {
            let text = &tree.text()[*at..*at + node.choice as usize];
            *at += text.len();
            return String::from_utf8_lossy(text).into_owned();
        }
        let mut children = String::new();
        for _ in 0..node.arity(table) {
            while tree.nodes()[*next].symbol == Symbol::LAYOUT {
                visit(table, tree, next, at);
            }
            children.push_str(&visit(table, tree, next, at));
        }
        if node.arity(table) > 1 { format!("({children})") } else { children }
    }
    visit(table, tree, &mut 0, &mut 0)
}
