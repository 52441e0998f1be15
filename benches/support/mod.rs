//! The grammars that benches measure on.

#![allow(dead_code, reason = "each bench that includes this folder uses a part of it")]

pub mod generated;
pub mod mutants;
pub mod reading;
pub mod texts;
pub mod turns;

use std::time::Duration;

use criterion::Criterion;
use pleach::grammar::{Files, Grammar};
use pleach::produce::{Mode, Options, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;
use pleach::{Entropy, Seeded};

/// A grammar's name and text.
pub type Source = (&'static str, &'static str);

/// 64 JSON values in brackets, uniform.
pub const JSON64: Source = ("json64", include_str!("../data/json64.pleach"));
/// A programming language with layout, sixteen layers and regular terminals.
pub const LAYERED: Source = ("layered", include_str!("../data/layered.pleach"));
/// 32 statements in eleven layers, weighted, without layout.
pub const LAYERED_PLAIN: Source = ("layered_plain", include_str!("../data/layered_plain.pleach"));
/// RFC 8259.
pub const JSON: Source = ("json", include_str!("../../grammars/json.pleach"));
/// RFC 3986.
pub const URI: Source = ("uri", include_str!("../../grammars/uri.pleach"));
/// Expressions, left recursive.
pub const EXPR: Source = ("expr", include_str!("../../grammars/expr.pleach"));
/// ECMAScript 5.1.
pub const JAVASCRIPT: Source = ("javascript", include_str!("../../grammars/javascript.pleach"));
/// SQLite's SQL.
pub const SQL: Source = ("sql", include_str!("../../grammars/sql.pleach"));

/// Budgets so large that no sentence meets them, since the baselines have none.
const UNBOUND: (u32, u64) = (1 << 20, 1 << 40);

/// Times that keep a run of all benches to some minutes; options of the command line override them.
pub fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

/// Reads a grammar that is known to be good.
pub fn read((name, text): (&str, &str)) -> Grammar {
    let files = Files::new([("ip.pleach", include_str!("../../grammars/ip.pleach"))]);
    Grammar::read(&format!("{name}.pleach"), text, &files).expect("the text is fixed and reads")
}

/// Lowers a grammar that is known to be good.
pub fn lower(grammar: &Grammar) -> Table {
    Lowering::new().lower(grammar).expect("the grammar is fixed and lowers").table
}

/// The table of a grammar that is known to be good.
pub fn table(source: (&str, &str)) -> Table {
    lower(&read(source))
}

/// Options with budgets that stop no sentence, and nothing that a generator written by hand does not draw.
pub fn unbound(mode: Mode) -> Options {
    let (depth, nodes) = UNBOUND;
    Options::new().mode(mode).exotic(0).max_depth(depth).max_nodes(nodes)
}

/// Random trees by default budgets.
pub fn trees(table: &Table, mode: Mode, count: usize) -> Vec<Tree> {
    let mut producer = Producer::new(table, Options::new().mode(mode))
        .expect("the default budget holds the smallest tree");
    let mut words = Seeded::new(1);
    (0..count)
        .map(|_| {
            let mut tree = Tree::new();
            producer.produce(&mut words, &mut tree);
            tree
        })
        .collect()
}

/// Text alone, in place of what the buffer holds.
pub fn text<'t>(
    table: &'t Table,
    options: Options,
    mut words: impl Entropy + 't,
) -> impl FnMut(&mut Vec<u8>) + 't {
    let mut producer = Producer::new(table, options).expect("the smallest tree fits the budget");
    move |out| {
        out.clear();
        producer.write(&mut words, out);
    }
}

/// A tree; its text is copied to the buffer, so that its length is counted as the others' is.
pub fn tree<'t>(
    table: &'t Table,
    options: Options,
    mut words: impl Entropy + 't,
) -> impl FnMut(&mut Vec<u8>) + 't {
    let mut producer = Producer::new(table, options).expect("the smallest tree fits the budget");
    let mut tree = Tree::new();
    move |out| {
        producer.produce(&mut words, &mut tree);
        out.clear();
        out.extend_from_slice(tree.text());
    }
}
