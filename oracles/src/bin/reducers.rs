//! Prints the table of docs/reduction.md: the tree-aware reducer beside one that knows bytes only.
//!
//! `cargo run --release -p pleach-oracles --bin reducers`

use pleach_oracles::reduction::{Comparison, HEAD, PLANTED};

fn main() {
    println!("{HEAD}");
    let found: Vec<Comparison> = PLANTED
        .iter()
        .map(|planted| {
            let found = Comparison::of(planted);
            println!("{found}");
            found
        })
        .collect();
    println!();
    for (planted, found) in PLANTED.iter().zip(found) {
        println!("- {}: `{}`", planted.failure, found.left);
    }
}
