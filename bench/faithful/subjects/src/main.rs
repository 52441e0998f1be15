//! Runs one released crate on standard input and prints what it made of it.
//!
//! `subjects NAME < INPUT`; without a name, the names, one a line.

mod subjects;

use std::io::{Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        for (name, _) in subjects::SUBJECTS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, run)) = subjects::SUBJECTS.iter().find(|(known, _)| *known == name) else {
        eprintln!("there is no subject {name}");
        return ExitCode::from(2);
    };
    let mut input = Vec::new();
    if std::io::stdin().read_to_end(&mut input).is_err() {
        return ExitCode::from(2);
    }
    let (accepted, text) = match run(&input) {
        Ok(text) => (true, text),
        Err(text) => (false, text),
    };
    if std::io::stdout().write_all(text.as_bytes()).is_err() {
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(!accepted))
}
