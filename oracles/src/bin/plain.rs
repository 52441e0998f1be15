//! Prints what parsers say of random documents as they come by default, with no clause to excuse anything.
//!
//! `cargo run --release -p pleach-oracles --bin plain [GRAMMAR...]`; with `--refused` also a refused document
//! of each. Two of the readers are of Python's standard library, 3.11 or newer.

use std::process::ExitCode;

use pleach_oracles::{Plain, SUBJECTS};

/// Documents of each grammar.
const DOCUMENTS: usize = 1000;

/// The least share that is to be accepted by each parser, and that is to differ.
const ACCEPTED: f64 = 0.98;
const DISTINCT: f64 = 0.99;

fn main() -> ExitCode {
    let (options, wanted): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word == "--refused");
    let mut enough = true;
    println!("| grammar | median bytes | different | draws | parser | accepted |");
    println!("| --- | ---: | ---: | ---: | --- | ---: |");
    for subject in SUBJECTS {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == subject.grammar) {
            continue;
        }
        let plain = match Plain::of(subject, DOCUMENTS) {
            Ok(plain) => plain,
            Err(error) => {
                eprintln!("error: {}: {error}", subject.grammar);
                return ExitCode::from(2);
            }
        };
        let distinct = plain.documents as f64 / DOCUMENTS as f64;
        enough &= distinct >= DISTINCT;
        for heard in &plain.verdicts {
            enough &= heard.share() >= ACCEPTED;
            println!(
                "| `{}` | {} | {:.1} % | {} | {} | {:.1} % of {} |",
                subject.grammar,
                plain.median,
                100.0 * distinct,
                plain.draws,
                heard.parser,
                100.0 * heard.share(),
                heard.asked
            );
            if let (false, Some((text, reason))) = (options.is_empty(), &heard.refused) {
                eprintln!("{}: {reason}: {:?}", heard.parser, String::from_utf8_lossy(text));
            }
        }
    }
    ExitCode::from(u8::from(!enough))
}
