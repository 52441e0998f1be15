//! `pleach-bugs bridge`: how soon the bridge finds the rows' faults from their seeds.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use experiment::circumstances;
use pleach_bridge::campaign::{Campaign, Event, Options, Units};
use pleach_bridge::system::{Bytes, Changing};
use pleach_concolic::build::Built;
use pleach_concolic::vm::Options as Machine;
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use serde::{Deserialize, Serialize};

use crate::explore::{LENGTH, PATIENCE, STACK, STEPS, build, is_hit, limit_stack, now, own, stale};
use crate::kept::{Records, stamp};
use crate::lifting::{Lifting, share};
use crate::row::{Row, package, rows_of};

/// What tests units.
#[derive(Clone, Copy, ValueEnum)]
enum Tester {
    Concolic,
    Fuzz,
}

/// What decides what a campaign does.
const SOURCES: [&str; 4] =
    ["crates/concolic/src", "crates/explore/src", "crates/solver/src", "crates/bridge/src"];

#[derive(Args)]
pub struct Bridge {
    /// Rows [default: all]
    rows: Vec<String>,
    /// What tests the units
    #[arg(long, value_enum, default_value_t = Tester::Concolic)]
    units: Tester,
    /// Leaves out the rows that are not for tuning
    #[arg(long)]
    tuning: bool,
    /// Seconds of CPU time, those of the native runs included
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many seeds of the campaign
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Makes runs again that have a record
    #[arg(long)]
    again: bool,
    /// Writes the tables to BRIDGE.md beside the README, of all rows that have a record
    #[arg(long)]
    write: bool,
}

/// What one campaign came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    /// Seconds of CPU time until the row's fault was found.
    hit: Option<f64>,
    /// Whether a unit has found it.
    by_unit: bool,
    #[serde(flatten)]
    lifting: Lifting,
}

impl Tester {
    const ALL: [Self; 2] = [Self::Concolic, Self::Fuzz];

    fn name(self) -> &'static str {
        match self {
            Self::Concolic => "concolic",
            Self::Fuzz => "fuzz",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Concolic => "exploration",
            Self::Fuzz => "changing values at random",
        }
    }
}

impl Bridge {
    /// Makes the runs that have no record yet.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        limit_stack()?;
        let place = folder.join("bridge").join(self.seconds.to_string());
        let mut records = Records::open(place, &format!("bridge-{}.jsonl", self.seconds))?;
        let rows = rows_of("rows", &self.rows)?;
        for row in rows.iter().filter(|row| row.facts.tuning || !self.tuning) {
            let stamp = stamp(row, &SOURCES)?;
            let mut built = None;
            for seed in 0..self.seeds {
                let key = key(row, self.units, seed);
                if !self.again && records.get(&key, &stamp).is_some() {
                    continue;
                }
                if built.is_none() {
                    built = Some(build(row, folder)?);
                }
                let Some(built) = &built else { continue };
                records.put(key, &stamp, self.campaign(row, built, seed)?)?;
            }
            println!("{}", line(row, &self.all(&records, row, self.units)));
        }
        if self.write {
            let path = package().join("BRIDGE.md");
            records.commit()?;
            let table = self.table(&records)?;
            std::fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The records of a row, the soonest hit first.
    fn all(&self, records: &Records<Record>, row: &Row, units: Tester) -> Vec<Record> {
        records.soonest((0..self.seeds).map(|seed| key(row, units, seed)), |it| it.hit)
    }

    /// All records as tables, one for each tester of units that has some.
    fn table(&self, records: &Records<Record>) -> Result<String, String> {
        let mut table = format!(
            "# The bridge\n\nOn {}: `cargo run --release -p pleach-bugs -- bridge --seeds {} --write`, and with `--units fuzz`, {} s of CPU time for \
             each campaign, from the row's seeds, with no grammar. A row is found where at least two of three campaigns find its fault, or the only one. \
             `docs/bridge.md` says what is lifted and how; effective is what did what the unit had done, or something else that is new.\n",
            circumstances(),
            self.seeds,
            self.seconds,
        );
        let rows = rows_of("rows", &[])?;
        for units in Tester::ALL {
            let (mut sum, mut lines) = (Lifting::default(), String::new());
            let (mut tried, mut found, mut by_unit) = (0, 0, 0);
            for row in &rows {
                let runs = self.all(records, row, units);
                if runs.is_empty() {
                    continue;
                }
                let hits = runs.iter().filter(|run| run.hit.is_some()).count();
                tried += 1;
                found += usize::from(hits * 3 >= runs.len() * 2);
                by_unit += usize::from(runs.iter().any(|run| run.by_unit));
                runs.iter().for_each(|run| sum.add(&run.lifting));
                lines += &format!("{}\n", line(row, &runs));
            }
            if tried == 0 {
                continue;
            }
            let [never, new, old, another] = sum.outcomes;
            let [unliftable, mapping, context, machine] = sum.causes;
            table += &format!(
                "\n## Units tested by {}\n\n{found} of {tried} rows are found, {by_unit} of them by a unit in some campaign; there are {} rows.\n\n\
                 | of all campaigns together | |\n| --- | ---: |\n\
                 | lifted with the caller's path, effective | {} |\n| lifted from the unit alone, effective | {} |\n\
                 | edges, those that were lifted | {}, {} |\n\
                 | lifted calls: not made, with the new values, with the old ones, with others | {never}, {new}, {old}, {another} |\n\
                 | nothing came of: values that no input has | {unliftable} |\n| calls with other values | {mapping} |\n\
                 | other contexts | {context} |\n| what the machine alone shows | {machine} |\n\n{HEAD}\n{lines}",
                units.words(),
                rows.len(),
                share(sum.prefix),
                share(sum.alone),
                sum.edges,
                sum.edges_lifted,
            );
            table +=
                &stale(&rows, self.seeds, &SOURCES, |row, seed| key(row, units, seed), records)?;
        }
        Ok(table)
    }

    fn campaign(&self, row: &Row, built: &Built, seed: u64) -> Result<Record, String> {
        let begin = now()?;
        let machine = Machine::new().steps(STEPS).stack(STACK);
        let subject = Subject::open(built, machine, SymbolicLimits::default())?;
        let module = std::sync::Arc::clone(subject.module());
        let units = match self.units {
            Tester::Concolic => Units::Concolic,
            Tester::Fuzz => Units::Fuzzer,
        };
        let options = Options::new().seed(seed).units(units);
        let admitted = own(&module, built);
        let mut campaign = Campaign::new(subject, admitted, options)
            .with_system_tester(Box::new(Changing::new(Bytes, seed, LENGTH)));
        for path in row.seeds()? {
            let input =
                std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            campaign.add(&input);
        }
        let mut native = built.native.clone().patience(PATIENCE);
        let mut hit = None;
        while hit.is_none() && now()? - begin < self.seconds as f64 {
            match campaign.step(&mut native) {
                Event::Finished => break,
                Event::Ran { error: Some(error), .. } => {
                    return Err(format!("{}: {error}", row.name));
                }
                Event::Ran { failure: Some(at), .. } if is_hit(row, &campaign.failures()[at]) => {
                    hit = Some((now()? - begin, at));
                }
                _ => {}
            }
        }
        let by_unit =
            hit.is_some_and(|(_, at)| campaign.alarms().iter().any(|it| it.failure == at));
        Ok(Record {
            hit: hit.map(|(seconds, _)| seconds),
            by_unit,
            lifting: Lifting::of(&campaign),
        })
    }
}

/// What tells a campaign from the others.
fn key(row: &Row, units: Tester, seed: u64) -> String {
    format!("{}/{}/{seed}", row.name, units.name())
}

/// The head of the table that [`line`] gives the lines of.
const HEAD: &str = "| row | found after seconds, * by a unit | edges, by lifting | unit runs | runs | lifted with the path, effective | \
                    alone, effective | not made, new, old, others |\n| --- | --- | --- | ---: | ---: | --- | --- | --- |";

/// A row of the table: times of all seeds, and sums.
fn line(row: &Row, runs: &[Record]) -> String {
    let seconds = |run: &Record| match run.hit {
        Some(hit) => format!("{hit:.1}{}", if run.by_unit { "*" } else { "" }),
        None => "–".to_owned(),
    };
    let hits: Vec<String> = runs.iter().map(seconds).collect();
    let mut sum = Lifting::default();
    runs.iter().for_each(|run| sum.add(&run.lifting));
    format!(
        "| `{}` | {} | {}, {} | {} | {} | {} | {} | {} |",
        row.name,
        hits.join(", "),
        sum.edges,
        sum.edges_lifted,
        sum.unit_runs,
        sum.runs,
        share(sum.prefix),
        share(sum.alone),
        sum.outcomes.map(|count| count.to_string()).join(", ")
    )
}
