//! Reads one corpus with one parser and tells which of its edges were run.
//!
//! `measure GRAMMAR POINTS`, with the corpus on standard input; `POINTS` are the numbers of texts,
//! in rising order and with commas between, after which the edges are told, and the last one ends
//! the reading. `measure GRAMMAR` alone names the functions of the edges whose numbers are on
//! standard input, one a line.

use std::io::{self, BufWriter};
use std::panic::catch_unwind;
use std::process::ExitCode;

use experiment::{Flags, Functions, Reached, Reading, SUBJECTS, Subject, Texts};

/// The stack of the thread that parses: recursion of parsers is by their input's depth.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    let outcome = std::thread::Builder::new().stack_size(STACK).spawn(run).map(|run| run.join());
    match outcome {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("measure: {error}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("measure: {error}");
            ExitCode::FAILURE
        }
        // The message was printed by the thread.
        Ok(Err(_)) => ExitCode::FAILURE,
    }
}

fn run() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let grammar = arguments.next().unwrap_or_default();
    let subject = SUBJECTS
        .iter()
        .find(|subject| subject.grammar == grammar)
        .ok_or_else(|| io::Error::other(format!("there is no subject `{grammar}`")))?;
    let flags = Flags::new().ok_or_else(|| io::Error::other("built without coverage flags"))?;
    let functions = Functions::read()?;
    match arguments.next() {
        Some(points) => {
            let points: Result<Vec<usize>, _> = points.split(',').map(str::parse).collect();
            let points = points.map_err(io::Error::other)?;
            let edges = functions.edges_of(flags, subject.crates);
            let reading = reading(subject, flags, &edges, &points)?;
            reading.send(BufWriter::new(io::stdout().lock()))
        }
        None => functions.tell(flags, io::stdin().lock(), BufWriter::new(io::stdout().lock())),
    }
}

fn reading(
    subject: &Subject,
    flags: Flags,
    edges: &[u32],
    points: &[usize],
) -> io::Result<Reading> {
    let texts = Texts::receive(io::stdin().lock())?;
    let mut reading = Reading { total: edges.len(), points: Vec::new() };
    let mut accepted = 0;
    let mut read = 0;
    // A panic is an answer here, and its message would be repeated for each such text.
    std::panic::set_hook(Box::new(|_| {}));
    // Whatever ran before this is none of the corpus' doing.
    flags.clear();
    let mut texts = texts.iter();
    for &point in points {
        for text in texts.by_ref().take(point.saturating_sub(read)) {
            // A parser that panics does not accept; what it ran until then counts.
            accepted += usize::from(catch_unwind(|| (subject.read)(text)).unwrap_or(false));
            read += 1;
        }
        let edges = edges.iter().copied().filter(|&edge| flags.is_set(edge)).collect();
        reading.points.push(Reached { texts: read, accepted, edges });
    }
    Ok(reading)
}
