//! Prints one table: how many edges of each parser the corpora of each way of production run.
//!
//! `cargo run --release -p pleach-experiment`; see `experiment/README.md`.

mod grammarinator;
mod instrumented;
mod method;
mod produce;
mod runs;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use experiment::wrapper;
use pleach::table::Table;

use method::Method;
use produce::Plan;

/// How many edges of parsers the corpora of each way of production run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The grammars; all by default
    grammars: Vec<String>,
    /// Few seeds and small corpora, without Grammarinator: to see that it all works
    #[arg(long)]
    quick: bool,
    /// How many seeds [default: 10]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,
    /// The bytes of a corpus [default: as many as the grammar's k = 3 corpus has when it is complete]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    bytes: Option<u32>,
    /// The milliseconds of production [default: 10]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    milliseconds: Option<u32>,
    /// Leave Grammarinator out
    #[arg(long)]
    no_grammarinator: bool,
    /// Also print the medians at all powers of two of bytes up to the corpus' size
    #[arg(long)]
    curves: bool,
    /// Instead, print in which functions the first method's corpora of equal bytes run edges that
    /// the second one's don't, as `"k = 3,uniform"`
    #[arg(long, value_name = "METHOD,METHOD", value_parser = pair)]
    beyond: Option<(Method, Method)>,
    /// The folder of grammars
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../grammars"))]
    folder: PathBuf,
}

fn pair(text: &str) -> Result<(Method, Method), String> {
    // A method's name may have a comma.
    let split =
        |(at, _)| Some((text[..at].trim().parse().ok()?, text[at + 1..].trim().parse().ok()?));
    let pair = text.match_indices(',').find_map(split);
    pair.ok_or_else(|| "two methods with a comma between, named as in the table".into())
}

impl Arguments {
    fn plan(&self, table: &Table) -> Plan {
        let bytes = match (self.bytes, self.quick) {
            (Some(bytes), _) => bytes as usize,
            (None, true) => 2048,
            (None, false) => method::complete(table),
        };
        let milliseconds = self.milliseconds.unwrap_or(if self.quick { 1 } else { 10 });
        let powers = (6..usize::BITS - 1).map(|power| 1 << power);
        let mut all: Vec<_> = powers.take_while(|&power| self.curves && power < bytes).collect();
        all.push(bytes);
        Plan { bytes: all, times: vec![Duration::from_millis(milliseconds.into())] }
    }

    fn seeds(&self) -> u64 {
        self.seeds.unwrap_or(if self.quick { 2 } else { 10 })
    }
}

fn main() -> ExitCode {
    if let Some(crates) = std::env::var_os(wrapper::CRATES) {
        return wrapper::run(&crates);
    }
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pleach-experiment: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> std::io::Result<()> {
    let experiment = runs::Experiment::prepare(arguments)?;
    if let Some((first, second)) = arguments.beyond {
        return experiment.beyond(first, second);
    }
    experiment.print()
}
