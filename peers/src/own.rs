//! pleach's own producer, as a contender.

use pleach::Entropy;
use pleach::grammar::{Grammar, NoIncludes};
use pleach::produce::{Mode, Options, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

/// Budgets so large that no sentence meets them, since the baselines have none.
const UNBOUND: (u32, u64) = (1 << 20, 1 << 40);

/// The table of json64.
pub fn json64() -> Table {
    table("json64.pleach", include_str!("../../benches/data/json64.pleach"))
}

/// The table of the layered language.
pub fn layered() -> Table {
    table("layered_plain.pleach", include_str!("../../benches/data/layered_plain.pleach"))
}

fn table(name: &str, text: &str) -> Table {
    let grammar = Grammar::read(name, text, &NoIncludes).expect("the text is fixed and reads");
    Lowering::new().lower(&grammar).expect("the grammar is fixed and lowers").table
}

fn producer(table: &Table, mode: Mode) -> Producer<'_> {
    let (depth, nodes) = UNBOUND;
    Producer::new(table, Options::new().mode(mode).exotic(0).max_depth(depth).max_nodes(nodes))
        .expect("both grammars meet so large a budget")
}

/// Text alone.
pub fn text(
    table: &Table,
    mode: Mode,
    mut words: impl Entropy,
) -> impl FnMut(&mut Vec<u8>) -> usize {
    let mut producer = producer(table, mode);
    move |out| {
        out.clear();
        producer.write(&mut words, out);
        0
    }
}

/// A tree, and its text in the tree; the buffer gets a copy of the text, so that its length
/// is counted as the others' is.
pub fn tree(
    table: &Table,
    mode: Mode,
    mut words: impl Entropy,
) -> impl FnMut(&mut Vec<u8>) -> usize {
    let mut producer = producer(table, mode);
    let mut tree = Tree::new();
    move |out| {
        producer.produce(&mut words, &mut tree);
        out.clear();
        out.extend_from_slice(tree.text());
        tree.nodes().len()
    }
}
