//! Reads the files of a folder with one parser and tells which of its edges they run.
//!
//! `replay TARGET FOLDER` prints how many edges the parser's crates have, how many files there are and
//! how many bytes, and the numbers of the edges that were run, each a line. `replay TARGET` alone names
//! the functions of the edges whose numbers are on standard input, one a line.

use std::io::{self, BufWriter, Write};
use std::panic::catch_unwind;
use std::path::Path;
use std::process::ExitCode;

use experiment::{Flags, Functions};
use pleach_fuzz_compare::{TARGETS, Target};

/// The stack of the thread that parses: recursion of parsers is by their input's depth.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    match thread.map(|thread| thread.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) | Err(error) => {
            eprintln!("replay: {error}");
            ExitCode::FAILURE
        }
        // The message was printed by the thread.
        Ok(Err(_)) => ExitCode::FAILURE,
    }
}

fn run() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let target = TARGETS
        .iter()
        .find(|target| target.name == name)
        .ok_or_else(|| io::Error::other(format!("there is no target `{name}`")))?;
    let flags = Flags::new().ok_or_else(|| io::Error::other("built without coverage flags"))?;
    let functions = Functions::read()?;
    match arguments.next() {
        Some(folder) => replay(target, Path::new(&folder), flags, &functions),
        None => functions.tell(flags, io::stdin().lock(), BufWriter::new(io::stdout().lock())),
    }
}

fn replay(target: &Target, folder: &Path, flags: Flags, functions: &Functions) -> io::Result<()> {
    let edges = functions.edges_of(flags, target.crates);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort_unstable();
    // A panic is a finding of the fuzzer, and its message would be repeated for each such file.
    std::panic::set_hook(Box::new(|_| {}));
    // Whatever ran before this is none of the corpus' doing.
    flags.clear();
    let mut bytes = 0;
    for file in &files {
        let text = std::fs::read(file)?;
        bytes += text.len();
        if let Ok(text) = str::from_utf8(&text) {
            let _ = catch_unwind(|| (target.body)(text));
        }
    }
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{}\n{}\n{bytes}", edges.len(), files.len())?;
    for edge in edges.iter().filter(|&&edge| flags.is_set(edge)) {
        writeln!(out, "{edge}")?;
    }
    out.flush()
}
