//! Production on random grammars, against brute force: minima, budgets, feasibility, coverage.

use naive::Naive;
use pleach::Entropy;
use pleach::grammar::Grammar;
use pleach::produce::{Budget, TreeLimits};
use pleach::table::{Lowering, Table};
use pleach::tree::{Outline, Tree};
use proptest::prelude::*;

mod affordable;
mod cover;
mod minima;
#[path = "../naive/mod.rs"]
mod naive;
mod purdom;
mod random;
#[path = "../tables/mod.rs"]
mod tables;

/// Heights by which every minimum of a random grammar, which has at most six rules, is reached.
const ENOUGH: u32 = 8;

/// The table and the second opinion; none where the grammar derives nothing.
fn both(grammar: &Grammar) -> Option<(Table, Naive<'_>)> {
    let naive = Naive::new(grammar)?;
    Some((Lowering::new().lower(grammar).unwrap().table, naive))
}

/// A tree of the table, within the budget, whose text the grammar derives.
fn assert_valid(naive: &Naive<'_>, table: &Table, tree: &Tree, budget: Budget) {
    tree.check(table).unwrap();
    let height = Outline::new(table, tree).height();
    assert!(height <= budget.depth, "depth {height} of {}", budget.depth);
    assert!(tree.nodes().len() as u64 <= budget.nodes);
    assert!(tree.text().len() as u64 <= budget.bytes);
    if tree.text().len() <= 12 {
        assert!(naive.derives(tree.text()), "{:?}", String::from_utf8_lossy(tree.text()));
    }
}

/// A source that ends.
struct Words {
    words: Vec<u64>,
    next: usize,
}

impl Entropy for Words {
    fn next_u64(&mut self) -> u64 {
        self.next += 1;
        self.words.get(self.next - 1).copied().unwrap_or(0)
    }

    fn is_exhausted(&self) -> bool {
        self.next >= self.words.len()
    }
}

fn bounds() -> impl Strategy<Value = TreeLimits> {
    (prop::option::of(0..9_u32), prop::option::of(0..14_u64), prop::option::of(0..9_u64)).prop_map(
        |(depth, nodes, bytes)| {
            TreeLimits::new().max_depth(depth).max_nodes(nodes).max_bytes(bytes)
        },
    )
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 250,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..ProptestConfig::default()
    }
}
