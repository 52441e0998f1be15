//! Tables of texts, and of the grammars that come with the library.

#![allow(dead_code, reason = "each test crate uses another part of it")]

use std::path::Path;

use pleach::grammar::Grammar;
use pleach::table::{Lowering, Table};

/// The table of a grammar's text.
#[track_caller]
pub fn table(text: &str) -> Table {
    let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{error}"));
    Lowering::new().lower(&grammar).unwrap_or_else(|error| panic!("{error}")).table
}

/// The table of a file in `grammars/`.
#[track_caller]
pub fn grammar(name: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(name);
    table(&std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}")))
}
