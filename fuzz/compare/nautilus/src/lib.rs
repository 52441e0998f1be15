//! LibAFL with its Nautilus stages over pleach's grammars: the comparison's third fuzzer.
//!
//! It is put together as LibAFL's own example of Nautilus is: eight sentences to begin with, a queue,
//! mutations stacked up to four times of which six in ten grow a subtree anew, one repeats a recursion
//! and three splice, and whatever sets a counter higher than before is kept. The targets are built with
//! LLVM's 8-bit counters in the crates that count and the bodies, not in LibAFL.

mod fuzz;
pub mod rules;

use std::path::PathBuf;
use std::process::ExitCode;

use pleach::grammar::Grammar;
use pleach::table::Lowering;

/// The stack of the thread that fuzzes: Nautilus grows trees by recursion, and parsers recurse.
const STACK: usize = 1 << 30;

/// The program of a target: `PROGRAM GRAMMAR SEED RUNS` fuzzes until it has run the body so often, or
/// SIGUSR1 comes.
///
/// Texts that bring something new are in `corpus`, and splinters of trees, which LibAFL writes, in
/// `outputs`, both in the working directory.
pub fn main(body: fn(&str)) -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run(body));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("nautilus: {error}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("nautilus: {error}");
            ExitCode::FAILURE
        }
        // The message was printed by the thread.
        Ok(Err(_)) => ExitCode::FAILURE,
    }
}

fn run(body: fn(&str)) -> Result<(), String> {
    let mut arguments = std::env::args_os().skip(1);
    let mut next = |what| arguments.next().ok_or(format!("{what} is missing"));
    let grammar = PathBuf::from(next("the grammar's file")?);
    let mut number = |what| {
        let text = next(what)?;
        text.to_str().and_then(|text| text.parse().ok()).ok_or(format!("{what} is no number"))
    };
    let (seed, runs) = (number("the seed")?, number("the number of runs")?);
    let text = std::fs::read_to_string(&grammar).map_err(|error| error.to_string())?;
    let grammar = Grammar::parse(&text).map_err(|error| error.to_string())?;
    let lowered = Lowering::new().lower(&grammar).map_err(|error| error.to_string())?;
    fuzz::fuzz(&lowered.table, body, seed, runs).map_err(|error| error.to_string())
}
