//! `pleach-bugs inside`: what the rows say, tried in the machine that runs programs from their IR.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use experiment::circumstances;
use harness::place;
use pleach_concolic::build::{Builder, Built, Input, Target};
use pleach_concolic::program::Program;
use pleach_concolic::vm::{Machine, Options, Outcome, Plain};
use serde::{Deserialize, Serialize};

use crate::row::{Kind, Row, package, rows};

/// How many instructions a run may execute; one that takes more hangs.
const STEPS: u64 = 1_000_000_000;
/// The stack that the harness gives natively.
const STACK: u64 = 1 << 20;

#[derive(Args)]
pub struct Inside {
    /// Rows [default: all]
    rows: Vec<String>,
    /// Runs rows again that were as they say
    #[arg(long)]
    again: bool,
    /// Writes the table to INSIDE.md beside the README, of all rows that have a record
    #[arg(long)]
    write: bool,
}

/// What a row came to.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// What the row was when it was tried.
    stamp: u64,
    /// How the run on the witness ended, in short, and where.
    witness: String,
    /// Millions of instructions of that run.
    millions: f64,
    /// How many seeds were run.
    seeds: usize,
    /// Why the row is not as it says.
    wrong: Option<String>,
    /// Seconds of building and of running, by the clock.
    built: f64,
    ran: f64,
}

/// How a run ended, and where.
struct Ended {
    outcome: Outcome,
    place: Option<String>,
    steps: u64,
}

impl Inside {
    /// Tries the rows that have no record of being as they say; the answer is "no" where one is not.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let records = folder.join("inside");
        std::fs::create_dir_all(&records)
            .map_err(|error| format!("{}: {error}", records.display()))?;
        let mut wrong = 0;
        for row in rows(&self.rows)? {
            let path = records.join(format!("{}.json", row.name));
            let stamp = stamp(&row)?;
            let known =
                read(&path).filter(|it| it.stamp == stamp && it.wrong.is_none() && !self.again);
            let record = match known {
                Some(record) => record,
                None => {
                    let record = try_row(&row, stamp, &records);
                    write(&path, &record)?;
                    record
                }
            };
            wrong += usize::from(record.wrong.is_some());
            println!("{}", line(&row, &record));
        }
        println!("{wrong} rows are wrong");
        if self.write {
            let path = package().join("INSIDE.md");
            let table = table(&records)?;
            std::fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// What tells a row from an earlier one of its name.
fn stamp(row: &Row) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    let own = ["Cargo.lock", "src/lib.rs", "row.toml"].map(|name| row.folder().join(name));
    for path in own.into_iter().chain([row.witness()]).chain(row.seeds()?) {
        std::fs::read(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?
            .hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn read(path: &Path) -> Option<Record> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn write(path: &Path, record: &Record) -> Result<(), String> {
    let fresh = path.with_extension("new");
    let text = serde_json::to_vec_pretty(record).map_err(|error| error.to_string())?;
    std::fs::write(&fresh, text)
        .and_then(|()| std::fs::rename(&fresh, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn try_row(row: &Row, stamp: u64, folder: &Path) -> Record {
    let mut record = Record {
        stamp,
        witness: String::new(),
        millions: 0.0,
        seeds: 0,
        wrong: None,
        built: 0.0,
        ran: 0.0,
    };
    let began = Instant::now();
    let built = build(row, folder);
    record.built = began.elapsed().as_secs_f64();
    let began = Instant::now();
    record.wrong = built.and_then(|program| run(row, &program, &mut record)).err();
    record.ran = began.elapsed().as_secs_f64();
    record
}

/// Builds a row's driver. Its IR is removed once it is read: all of them would be gigabytes.
fn build(row: &Row, folder: &Path) -> Result<Program, String> {
    let target = Target::Function { file: row.folder().join("src/lib.rs"), function: "run".into() };
    let built: Built =
        Builder::new(folder.join("kept")).build(&target).map_err(|error| error.to_string())?;
    let program = Program::read(&built).map_err(|error| error.to_string())?;
    std::fs::remove_file(&built.ir).map_err(|error| format!("{}: {error}", built.ir.display()))?;
    Ok(program)
}

/// Runs the witness and the seeds.
fn run(row: &Row, program: &Program, record: &mut Record) -> Result<(), String> {
    let witness = enter(program, &row.witness())?;
    record.millions = witness.steps as f64 / 1e6;
    record.witness = in_short(&witness);
    let fails = match (row.facts.kind, &witness.outcome) {
        (Kind::Stack, outcome) => *outcome == Outcome::StackOverflow,
        (Kind::Hang, outcome) => *outcome == Outcome::Budget,
        (_, Outcome::Panic(_)) => witness.place.as_ref() == Some(&row.facts.place),
        _ => false,
    };
    if !fails {
        return Err("the witness does not fail there".into());
    }
    for seed in row.seeds()? {
        let ended = enter(program, &seed)?;
        record.seeds += 1;
        if !matches!(ended.outcome, Outcome::Returned(_)) {
            return Err(format!("{} fails: {}", seed.display(), in_short(&ended)));
        }
    }
    Ok(())
}

fn enter(program: &Program, path: &Path) -> Result<Ended, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let options = Options::new().steps(STEPS).stack(STACK);
    let mut machine = program
        .enter(Plain, &Input::bytes(bytes), options)
        .map_err(|outcome| outcome.to_string())?;
    let outcome = machine.run();
    let place = fault_place(&machine, &outcome);
    Ok(Ended { outcome, place, steps: machine.steps() })
}

/// Where a run failed, as the harness has it natively: the panic's place, or, where that is in the standard library, the
/// innermost one of a crate.
fn fault_place(machine: &Machine<Plain>, outcome: &Outcome) -> Option<String> {
    if let Outcome::Panic(panic) = outcome
        && let Some(at) = &panic.location
    {
        let found = place(&at.file, at.line);
        if !found.starts_with("library/") {
            return Some(found);
        }
    }
    let at = machine.subject_place()?;
    Some(place(&at.path().to_string_lossy(), at.line))
}

fn in_short(ended: &Ended) -> String {
    match (&ended.outcome, &ended.place) {
        (Outcome::Unsupported { .. } | Outcome::Returned(_) | Outcome::Exit(_), _) => {
            ended.outcome.to_string()
        }
        (outcome, Some(place)) => format!("{} at {place}", outcome.kind()),
        (outcome, None) => outcome.kind().into(),
    }
}

fn line(row: &Row, record: &Record) -> String {
    let end = match &record.wrong {
        Some(wrong) => format!("wrong: {}", first_line(wrong)),
        None => format!("and {} seeds do not", record.seeds),
    };
    format!("{}: {}, {end}", row.name, record.witness)
}

/// The first line of what may be all that a compiler said.
fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// All records as a table.
fn table(records: &Path) -> Result<String, String> {
    let mut table = format!(
        "# The rows in the machine\n\nOn {}: `cargo run --release -p pleach-bugs -- inside --write`. Each row's driver is \
         built as one text of LLVM IR and run in pleach's virtual machine, on its witness and on its seeds, with a stack of \
         1 MiB and {} million instructions.\n\n\
         | row | kind | the witness in the machine | million instructions | seeds that do not fail | as the row says |\n\
         | --- | --- | --- | ---: | ---: | --- |\n",
        circumstances(),
        STEPS / 1_000_000,
    );
    let (mut tried, mut right) = (0, 0);
    let all = rows(&[])?;
    for row in &all {
        let Some(record) = read(&path_of(records, row)) else { continue };
        tried += 1;
        right += usize::from(record.wrong.is_none());
        let says = match &record.wrong {
            None => "yes".to_owned(),
            Some(wrong) => format!("no: {}", first_line(wrong).replace('|', "\\|")),
        };
        table += &format!(
            "| `{}` | {} | {} | {:.1} | {} | {says} |\n",
            row.name,
            row.facts.kind,
            record.witness.replace('|', "\\|"),
            record.millions,
            record.seeds
        );
    }
    table += &format!("\n{right} of {tried} are as they say; there are {} rows.\n", all.len());
    Ok(table)
}

fn path_of(records: &Path, row: &Row) -> PathBuf {
    records.join(format!("{}.json", row.name))
}
