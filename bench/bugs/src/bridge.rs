//! `pleach-bugs bridge`: how soon the bridge finds the rows' faults from their seeds.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use pleach_bridge::campaign::{Campaign, Event, Options, Units};
use pleach_bridge::system::{Bytes, Changing};
use pleach_concolic::build::Built;
use pleach_concolic::vm::Options as Machine;
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use serde::{Deserialize, Serialize};

use crate::explore::{LENGTH, PATIENCE, STACK, STEPS, build, is_hit, limit_stack, now, own};
use crate::kept::{Records, stamp};
use crate::lifting::{Lifting, share};
use crate::row::{Row, rows_of};

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

impl Bridge {
    /// Makes the runs that have no record yet, and prints all.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        limit_stack()?;
        let units = match self.units {
            Tester::Concolic => "concolic",
            Tester::Fuzz => "fuzz",
        };
        let place = folder.join("bridge").join(self.seconds.to_string());
        let mut records: Records<Record> =
            Records::open(place, &format!("bridge-{}.jsonl", self.seconds))?;
        println!(
            "| row | found after seconds, * by a unit | edges, by lifting | unit runs | runs | lifted with the prefix, effective | \
             alone, effective | not called, new, old, others |"
        );
        println!("| --- | --- | --- | ---: | ---: | --- | --- | --- |");
        let mut sum = Lifting::default();
        let all = rows_of("rows", &self.rows)?;
        for row in all.iter().filter(|row| row.facts.tuning || !self.tuning) {
            let stamp = stamp(row, &SOURCES)?;
            let mut built = None;
            let mut runs = Vec::new();
            for seed in 0..self.seeds {
                let key = format!("{}/{units}/{seed}", row.name);
                let known = records.get(&key, &stamp).filter(|_| !self.again);
                let record: Record = match known {
                    Some(record) => record.clone(),
                    None => {
                        if built.is_none() {
                            built = Some(build(row, folder)?);
                        }
                        let Some(built) = &built else { continue };
                        let record = self.campaign(row, built, seed)?;
                        records.put(key, &stamp, record.clone())?;
                        record
                    }
                };
                sum.add(&record.lifting);
                runs.push(record);
            }
            println!("{}", line(row, &runs));
        }
        println!(
            "\nlifted with the prefix {}, alone {}; not called, new, old, others {:?}",
            share(sum.prefix),
            share(sum.alone),
            sum.outcomes
        );
        Ok(ExitCode::SUCCESS)
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

/// A row of the table: times of all seeds, and sums.
fn line(row: &Row, runs: &[Record]) -> String {
    let seconds = |run: &Record| match run.hit {
        Some(hit) => format!("{hit:.1}{}", if run.by_unit { "*" } else { "" }),
        None => "-".to_owned(),
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
