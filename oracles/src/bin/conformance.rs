//! Prints the table of docs/conformance.md: released parsers, tested from their specifications alone.
//!
//! `cargo run --release -p pleach-oracles --bin conformance [SPECIFICATION...]`

use pleach_oracles::conformance::{CONFORMANCE_HEAD, Conformance, PARSERS, conformance_rows};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("{CONFORMANCE_HEAD}");
    for parser in PARSERS {
        if wanted.is_empty() || wanted.iter().any(|name| name == parser.specification) {
            let found = Conformance::of(parser);
            println!("{}", conformance_rows(parser, &found));
            let mut shortest: Vec<_> = found.unexplained.iter().collect();
            shortest.sort_by_key(|(text, _)| text.chars().count());
            for (text, valid) in shortest.into_iter().take(12) {
                eprintln!("    {} {text:?}", if *valid { "rejected" } else { "accepted" });
            }
        }
    }
}
