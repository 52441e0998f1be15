//! Prints the table of grammars/README.md: what each grammar holds, and what judged it.
//!
//! `cargo run --release -p pleach-oracles [GRAMMAR...]`

use pleach_oracles::{Acceptance, HEAD, SUBJECTS, row};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("{HEAD}");
    for subject in SUBJECTS {
        if wanted.is_empty() || wanted.iter().any(|name| name == subject.grammar) {
            println!("{}", row(subject, &Acceptance::of(subject)));
        }
    }
}
