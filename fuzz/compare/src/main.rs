//! Prints tables: how many edges of each parser's crate a fuzzer's corpus runs, by pleach's mutators,
//! by the engine's own and by Nautilus, from the same beginning, within equal CPU time and equal
//! executions.
//!
//! `cargo run --release --manifest-path fuzz/compare/Cargo.toml`; see `fuzz/compare/README.md`.

mod builds;
mod engine;
mod plan;
mod results;
mod table;

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use experiment::wrapper;

use builds::Builds;
use plan::{Budget, Fuzzer, Job, Start};
use results::{Outcome, Results};

/// How many edges of parsers the corpora of fuzzers run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The CPU time of a run; 0 for none of equal time
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The executions of a run; 0 for none of equal executions
    #[arg(long, default_value_t = 200_000)]
    executions: u64,
    /// How many runs of each kind, with the seeds 1, 2, and so on
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only these targets
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = plan::target)]
    only: Vec<&'static pleach_fuzz_compare::Target>,
    /// Only these beginnings; `paths-K` is what covers all k-paths up to K, and `sentences-K` as many bytes of random sentences
    #[arg(long, value_parser = plan::start, value_delimiter = ',', default_values = ["empty", "texts"])]
    start: Vec<Start>,
    /// Only these fuzzers; Nautilus is for two of the targets
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["plain", "pleach"])]
    fuzzers: Vec<Fuzzer>,
    /// Two seconds, 20,000 executions, one run: to see that it all works
    #[arg(long)]
    quick: bool,
    /// How many run at once [default: as many as there are processors]
    #[arg(long)]
    jobs: Option<usize>,
    /// Keep the results of runs that were made with the same executables
    #[arg(long)]
    resume: bool,
    /// Where executables, corpora and results are kept [default: `compare` in Cargo's target folder]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Write the tables into README.md, too
    #[arg(long)]
    write: bool,
    /// Instead of tables, print in which functions the first fuzzer's corpora run edges that the
    /// second one's don't
    #[arg(long, value_enum, num_args = 2, value_names = ["FUZZER", "FUZZER"])]
    beyond: Vec<Fuzzer>,
    /// Instead of tables, print how many mutants a second pleach makes in a build for libFuzzer, and
    /// what part of a run over serde_json that takes
    #[arg(long)]
    speed: bool,
}

fn main() -> ExitCode {
    if let Some(crates) = std::env::var_os(wrapper::CRATES) {
        return wrapper::run(&crates);
    }
    let mut arguments = Arguments::parse();
    if arguments.quick {
        (arguments.seconds, arguments.executions, arguments.runs) = (2, 20_000, 1);
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Arguments {
    fn budgets(&self) -> Vec<Budget> {
        let time = (self.seconds > 0).then_some(Budget::Seconds(self.seconds));
        let executions = (self.executions > 0).then_some(Budget::Executions(self.executions));
        time.into_iter().chain(executions).collect()
    }

    /// All runs: the first of each kind before the second of any, so that what is there after an
    /// interruption is comparable.
    fn jobs(&self) -> Vec<Job> {
        let all: Vec<_> = pleach_fuzz_compare::TARGETS.iter().collect();
        let targets = if self.only.is_empty() { &all } else { &self.only };
        let mut jobs = Vec::new();
        for seed in 1..=self.runs {
            for &target in targets {
                for &budget in &self.budgets() {
                    for &start in &self.start {
                        let fuzzers = self.fuzzers.iter().copied();
                        for fuzzer in fuzzers.filter(|one| one.runs(target, start)) {
                            jobs.push(Job { target, budget, start, fuzzer, seed });
                        }
                    }
                }
            }
        }
        jobs
    }
}

fn run(arguments: &Arguments) -> io::Result<()> {
    if arguments.speed {
        return speed(arguments.folder.clone());
    }
    let jobs = arguments.jobs();
    let builds = Builds::make(arguments.folder.clone(), &jobs)?;
    let results = made(arguments, &builds, &jobs)?;
    if let [first, second] = arguments.beyond[..] {
        return results.beyond(&builds, first, second);
    }
    let text = table::markdown(&results, &arguments.fuzzers);
    print!("{text}");
    if arguments.write {
        table::write(&table::title(&results), &text)?;
    }
    Ok(())
}

/// Runs the program that measures itself, and passes on what it says of that.
fn speed(folder: Option<PathBuf>) -> io::Result<()> {
    let (program, here) = Builds::speed(folder)?;
    let output = Command::new(program)
        .args(["-runs=1000000", "-seed=1", "-max_len=4096"])
        .current_dir(here)
        .output()?;
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        if line.starts_with("mutants a second") || line.starts_with("the mutators' share") {
            println!("{line}");
        }
    }
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("the fuzzer ended with {}", output.status)))
}

/// Makes all runs, some at a time.
fn made(arguments: &Arguments, builds: &Builds, jobs: &[Job]) -> io::Result<Results> {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<io::Result<Vec<(Job, Outcome)>>> = Mutex::new(Ok(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.jobs.unwrap_or(workers).max(1);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = engine::outcome(builds, job, arguments.resume);
                    let mut all = outcomes.lock().expect("no run panics with the lock");
                    match (outcome, &mut *all) {
                        (Ok(outcome), Ok(all)) => {
                            eprintln!("{}/{} {job}: {outcome}", all.len() + 1, jobs.len());
                            all.push((job, outcome));
                        }
                        (Err(error), Ok(_)) => {
                            *all = Err(io::Error::other(format!("{job}: {error}")));
                        }
                        (_, Err(_)) => return,
                    }
                }
            });
        }
    });
    Ok(Results::new(outcomes.into_inner().expect("no run panics with the lock")?))
}
