//! `pleach-bugs explore`: how soon concolic exploration finds the rows' faults from their seeds.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use experiment::circumstances;
use harness::{Fault, place};
use pleach_concolic::build::{Builder, Built, Target};
use pleach_concolic::ir::{FunctionId, Module};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::search::{Counts, Event, Explorer, Failure, Options};
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::kept::{Records, stamp};
use crate::row::{Row, package, rows_of};

/// What decides what a search does.
const SOURCES: [&str; 3] = ["crates/concolic/src", "crates/explore/src", "crates/solver/src"];
/// How many instructions a run may execute.
pub(crate) const STEPS: u64 = 5_000_000;
/// The stack that the harness gives natively.
pub(crate) const STACK: u64 = 1 << 20;
/// Seconds after which a native run hangs.
pub(crate) const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);
/// How long inputs may get, as for the fuzzers.
pub(crate) const LENGTH: usize = 4096;

#[derive(Args)]
pub struct Explore {
    /// Rows [default: all]
    rows: Vec<String>,
    /// Searches for what passes the gates instead: what released parsers check, from seeds that fail it
    #[arg(long)]
    gates: bool,
    /// Leaves out the rows that are not for tuning
    #[arg(long)]
    tuning: bool,
    /// Seconds of CPU time, those of the native runs included
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many seeds of the search
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Makes runs again that have a record
    #[arg(long)]
    again: bool,
    /// Prints what the search did
    #[arg(long)]
    show: bool,
    /// Writes the table to EXPLORE.md, or GATES.md, beside the README, of all rows that have a record
    #[arg(long)]
    write: bool,
}

/// What one search came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    /// Seconds of CPU time until the row's fault was found.
    hit: Option<f64>,
    /// The input that was found.
    input: Option<String>,
    seconds: f64,
    paths: u64,
    queries: u64,
    unknown: u64,
    diverged: u64,
    edges: u64,
    /// Faults that are not the row's.
    elsewhere: Vec<String>,
}

impl Explore {
    /// Makes the runs that have no record yet.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        limit_stack()?;
        let place = folder.join("explore").join(self.folder()).join(self.seconds.to_string());
        let name = if self.gates { "gates" } else { "explore" };
        let mut records = Records::open(place, &format!("{name}-{}.jsonl", self.seconds))?;
        let mut missed = false;
        for row in rows_of(self.folder(), &self.rows)?
            .iter()
            .filter(|row| row.facts.tuning || !self.tuning)
        {
            let stamp = stamp(row, &SOURCES)?;
            let mut built = None;
            for seed in 0..self.seeds {
                let key = key(row, seed);
                if !self.again && records.get(&key, &stamp).is_some() {
                    continue;
                }
                if built.is_none() {
                    built = Some(build(row, folder)?);
                }
                let Some(built) = &built else { continue };
                records.put(key, &stamp, self.search(row, built, seed)?)?;
            }
            missed |= all(&records, row, self.seeds).iter().any(|run| run.hit.is_none());
            println!("{}", line(row, &records, self.seeds));
        }
        if self.write {
            let path = package().join(if self.gates { "GATES.md" } else { "EXPLORE.md" });
            records.commit()?;
            let table = self.table(&records)?;
            std::fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        // A row may be missed, which the table says; a gate may not.
        Ok(if self.gates && missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// The folder of the rows.
    fn folder(&self) -> &'static str {
        if self.gates { "gates" } else { "rows" }
    }

    fn search(&self, row: &Row, built: &Built, seed: u64) -> Result<Record, String> {
        let begin = now()?;
        let machine = Machine::new().steps(STEPS).stack(STACK);
        let subject = Subject::open(built, machine, SymbolicLimits::default())?;
        let options = Options::new().seed(seed).max_length(LENGTH);
        let mut explorer = Explorer::new(subject, options);
        let mut seeds = Vec::new();
        for path in row.seeds()? {
            let input =
                std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            explorer.add(&input);
            seeds.push(input);
        }
        let mut native = built.native.clone().patience(PATIENCE);
        let mut hit = None;
        let (mut running, mut solving) = (0.0, 0.0);
        let mut last = begin;
        while hit.is_none() && last - begin < self.seconds as f64 {
            let event = explorer.step(&mut native);
            let after = now()?;
            match event {
                Event::Finished => break,
                Event::Asked { .. } => solving += after - last,
                Event::Ran { failure, error, .. } => {
                    running += after - last;
                    if let Some(error) = error {
                        return Err(format!("{}: {error}", row.name));
                    }
                    let failure = failure.and_then(|at| explorer.failures().get(at));
                    hit = failure
                        .filter(|it| is_hit(row, it))
                        .map(|it| (after - begin, it.input.clone()));
                    if hit.as_ref().is_some_and(|(_, input)| seeds.contains(input)) {
                        return Err(format!("{}: one of its seeds fails", row.name));
                    }
                }
            }
            last = after;
        }
        if self.show {
            println!("{}: {running:.1} s running, {solving:.1} s solving", row.name);
            show(&explorer);
        }
        let Counts { paths, queries, unknown, diverged, edges, .. } = explorer.counts();
        let others = explorer.failures().iter().filter(|it| !is_hit(row, it));
        Ok(Record {
            input: hit.as_ref().map(|(_, input)| input.escape_ascii().to_string()),
            hit: hit.map(|(seconds, _)| seconds),
            seconds: last - begin,
            paths,
            queries,
            unknown,
            diverged,
            edges,
            elsewhere: others.map(|it| format!("{} at {}", it.kind, it.location)).collect(),
        })
    }

    /// All records as a table.
    fn table(&self, records: &Records<Record>) -> Result<String, String> {
        let mut table = format!(
            "# Exploration\n\nOn {}: `cargo run --release -p pleach-bugs -- explore{} --seeds {} --write`, {} s of CPU time for each \
             search, from the row's seeds, with no grammar. A row is found where at least two of three searches find its fault{}.\n\n\
             | row | kind | for tuning | found after seconds | paths | questions | given up | found |\n\
             | --- | --- | --- | --- | ---: | ---: | ---: | --- |\n",
            circumstances(),
            if self.gates { format!(" --gates --seconds {}", self.seconds) } else { String::new() },
            self.seeds,
            self.seconds,
            if self.seeds == 1 { ", or the one search that there is" } else { "" },
        );
        let reasons = reasons()?;
        let (mut tried, mut found, mut missed) = (0, 0, String::new());
        let all_rows = rows_of(self.folder(), &[])?;
        for row in &all_rows {
            let runs = all(records, row, self.seeds);
            let Some(middle) = runs.get(runs.len() / 2) else { continue };
            let hits: Vec<String> = runs.iter().map(seconds_of).collect();
            let is_found =
                runs.iter().filter(|run| run.hit.is_some()).count() * 3 >= runs.len() * 2;
            tried += 1;
            found += usize::from(is_found);
            if !is_found {
                let reason = reasons.get(&row.name).map_or("not looked into", String::as_str);
                missed += &format!("- `{}`: {reason}\n", row.name);
            }
            table += &format!(
                "| `{}` | {} | {} | {} | {} | {} | {} | {} |\n",
                row.name,
                row.facts.kind,
                if row.facts.tuning { "yes" } else { "no" },
                hits.join(", "),
                middle.paths,
                middle.queries,
                middle.unknown,
                if is_found { "yes" } else { "no" },
            );
        }
        table +=
            &format!("\n{found} of {tried} rows are found; there are {} rows.\n", all_rows.len());
        table += &stale(&all_rows, self.seeds, &SOURCES, key, records)?;
        if !missed.is_empty() {
            table += &format!("\nMissed, and why:\n\n{missed}");
        }
        if !self.gates {
            table += &self.beside_angr(records)?;
        }
        Ok(table)
    }

    /// What `angr/run.py` came to, beside what the searches did.
    fn beside_angr(&self, records: &Records<Record>) -> Result<String, String> {
        let runs = angr()?;
        if runs.is_empty() {
            return Ok(String::new());
        }
        let seconds = runs.iter().map(|run| run.seconds).fold(0.0, f64::max);
        let mut table = format!(
            "\n## Beside angr\n\n`angr/run.py`, with {seconds:.0} s of CPU time for each row, all of whose bytes are symbolic, as many as a seed has.\n\n\
             | row | found by angr after seconds | by exploration | steps of states | faults elsewhere |\n\
             | --- | --- | --- | ---: | ---: |\n"
        );
        for run in runs {
            let [row] = &rows_of(self.folder(), std::slice::from_ref(&run.row))?[..] else {
                continue;
            };
            let hits: Vec<String> = all(records, row, self.seeds).iter().map(seconds_of).collect();
            table += &format!(
                "| `{}` | {} | {} | {} | {} |\n",
                run.row,
                found_after(run.hit),
                hits.join(", "),
                run.states,
                run.elsewhere.len(),
            );
        }
        Ok(table)
    }
}

/// What angr came to on a row.
#[derive(Debug, Deserialize)]
struct ByAngr {
    row: String,
    hit: Option<f64>,
    /// Seconds of CPU time that it had.
    seconds: f64,
    states: u64,
    elsewhere: Vec<String>,
}

/// The lines of `angr/results.jsonl`.
fn angr() -> Result<Vec<ByAngr>, String> {
    let path = package().join("angr/results.jsonl");
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| wrong(&error))).collect()
}

/// Why rows are missed, as far as that was looked into: lines of a name, a tab and the reason.
fn reasons() -> Result<BTreeMap<String, String>, String> {
    let path = package().join("missed.tsv");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let pairs = text.lines().filter_map(|line| line.split_once('\t'));
    Ok(pairs.map(|(row, reason)| (row.to_owned(), reason.to_owned())).collect())
}

/// The rows that have a record of other sources than those that are here, as a sentence.
pub(crate) fn stale<T: Clone + Serialize + DeserializeOwned>(
    rows: &[Row],
    seeds: u64,
    sources: &[&str],
    key: impl Fn(&Row, u64) -> String,
    records: &Records<T>,
) -> Result<String, String> {
    let mut names = Vec::new();
    for row in rows {
        let stamp = stamp(row, sources)?;
        if (0..seeds).any(|seed| records.is_stale(&key(row, seed), &stamp)) {
            names.push(format!("`{}`", row.name));
        }
    }
    Ok(match names.len() {
        0 => String::new(),
        _ => format!("\nOf an earlier build are runs of {}.\n", names.join(", ")),
    })
}

/// What a search did, for who looks for what it misses.
fn show(explorer: &Explorer) {
    println!("{:?}, {} candidates", explorer.counts(), explorer.candidates());
    for failure in explorer.failures() {
        println!("{failure:?}");
    }
    let report = explorer.report();
    for lost in report.lost.iter().take(10) {
        println!("lost: {} {} times at {}", lost.why, lost.count, lost.site);
    }
    for branch in &report.branches {
        println!(
            "{:?} {} times at {} to edge {}",
            branch.why, branch.tries, branch.site, branch.edge
        );
    }
}

/// Seconds that this process has computed, and its children.
pub(crate) fn now() -> Result<f64, String> {
    let read =
        |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let own = read("/proc/self/schedstat")?;
    let own: f64 = own.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or_default();
    // The fields behind the name, which may contain anything: the 14th and 15th are ticks of children that have ended.
    let stat = read("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(13).take(2).filter_map(|it| it.parse::<f64>().ok()).sum();
    Ok(own / 1e9 + ticks / 100.0)
}

pub(crate) fn is_hit(row: &Row, failure: &Failure) -> bool {
    match row.fault() {
        Fault::Stack => failure.kind == "stack overflow",
        Fault::Hang => failure.kind == "timeout",
        Fault::Panic(wanted) => {
            let mut parts = failure.location.rsplitn(3, ':');
            let line = parts.nth(1).and_then(|line| line.parse().ok());
            line.zip(parts.next()).is_some_and(|(line, file)| place(file, line) == wanted)
        }
    }
}

/// Gives what this process runs from now on the harness's stack: rows of spent stacks are not found on a longer one.
pub(crate) fn limit_stack() -> Result<(), String> {
    let limit = Rlimit { current: Some(STACK), ..getrlimit(Resource::Stack) };
    setrlimit(Resource::Stack, limit).map_err(|error| format!("a stack of {STACK} bytes: {error}"))
}

/// Builds a row's driver, or finds it built.
pub(crate) fn build(row: &Row, folder: &Path) -> Result<Built, String> {
    let target = Target::Function { file: row.folder().join("src/lib.rs"), function: "run".into() };
    let folder = folder.join("explore").join("kept").join(&row.name);
    Builder::new(folder).build(&target).map_err(|error| format!("{}: {error}", row.name))
}

fn key(row: &Row, seed: u64) -> String {
    format!("{}/{seed}", row.name)
}

/// The functions of the released crates in which the faults are, and of what else a row depends on.
pub(crate) fn own(module: &Module, built: &Built) -> Vec<FunctionId> {
    let is_own = |id: &FunctionId| {
        module.definition(*id).is_some_and(|place| {
            let of_caller = built.caller.as_ref();
            !place.in_std() && !of_caller.is_some_and(|it| place.path().starts_with(it))
        })
    };
    module.functions().filter(is_own).collect()
}

/// The records of a row, the soonest hit first.
fn all(records: &Records<Record>, row: &Row, seeds: u64) -> Vec<Record> {
    records.soonest((0..seeds).map(|seed| key(row, seed)), |it| it.hit)
}

fn seconds_of(record: &Record) -> String {
    found_after(record.hit)
}

pub(crate) fn found_after(hit: Option<f64>) -> String {
    hit.map_or_else(|| "–".into(), |seconds| format!("{seconds:.1}"))
}

fn line(row: &Row, records: &Records<Record>, seeds: u64) -> String {
    let runs = all(records, row, seeds);
    let hits: Vec<String> = runs.iter().map(seconds_of).collect();
    let elsewhere: usize = runs.iter().map(|run| run.elsewhere.len()).max().unwrap_or(0);
    format!("{}: {}; {elsewhere} faults elsewhere", row.name, hits.join(" "))
}
