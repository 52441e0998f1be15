//! Times of recorded questions: `questions FILE.smt2...` prints a line for each, with the answer and the
//! microseconds it took, and the sum. `bench/compare.py` puts other solvers beside it.

use pleach_solver::{Answer, Options, Solver, Terms};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut times = Vec::new();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file)?;
        let mut terms = Terms::new(1 << 22);
        // Other solvers are given their text too, but its reading is not what is compared.
        let question =
            terms.question_from_smtlib(&text).map_err(|error| format!("{file}: {error}"))?;
        let mut solver = Solver::new(Options::new());
        let start = Instant::now();
        let answer = solver.solve(&mut terms, &question.path, question.goal, &question.old);
        let time = start.elapsed().as_micros();
        let (word, by) = (word(&answer), solver.statistics());
        println!(
            "{file}\t{word}\t{time}\tbytes {}, intervals {}, sat {}, conflicts {}",
            by.by_bytes, by.by_intervals, by.by_sat, by.conflicts
        );
        times.push(time);
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or(0);
    let sum: u128 = times.iter().sum();
    println!("questions {}, median {median} us, sum {sum} us", times.len());
    Ok(())
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}
