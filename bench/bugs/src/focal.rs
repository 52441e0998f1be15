//! `pleach-bugs focal`: how soon failures of functions are composed to the rows' faults from their seeds, beside variants of that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use experiment::circumstances;
use pleach_concolic::build::Built;
use pleach_concolic::vm::Options as Machine;
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use pleach_focal::campaign::{Campaign, Event, Options, Phase, Variant};
use serde::{Deserialize, Serialize};

use crate::draw::deep;
use crate::explore::{
    LENGTH, PATIENCE, STACK, STEPS, build, found_after, is_hit, limit_stack, now, own, stale,
};
use crate::kept::{Records, stamp};
use crate::row::{Row, package, rows_of};

/// What the runs from a quarter of the seeds are called.
const QUARTER: &str = "quarter";
/// What decides what a campaign does.
const SOURCES: [&str; 5] = [
    "crates/concolic/src",
    "crates/explore/src",
    "crates/solver/src",
    "crates/bridge/src",
    "crates/focal/src",
];

/// How many seconds a campaign has, where nothing else is said, and the other arms had at least.
const SECONDS: u64 = 60;
/// Their records.
const OTHERS: [&str; 3] = ["explore-60.jsonl", "bridge-60.jsonl", "records-120.jsonl"];

/// What there is in a record of another arm's run, by its key or by the row and the method.
#[derive(Deserialize)]
struct Otherwise {
    key: Option<String>,
    row: Option<String>,
    method: Option<String>,
    hit: Option<f64>,
}

#[derive(Args)]
pub struct Focal {
    /// Rows [default: all]
    rows: Vec<String>,
    /// Leaves out the rows that are not for tuning
    #[arg(long)]
    tuning: bool,
    /// Only ten of the rows that are deep, as drawn
    #[arg(long, conflicts_with = "rows")]
    deep: bool,
    /// Which to run, of focal and its variants I, E, R, W and M [default: all]
    #[arg(long, value_delimiter = ',', value_parser = variant)]
    variants: Vec<Variant>,
    /// Runs focal, and not its variants, from a quarter of each row's seeds, or one
    #[arg(long, conflicts_with = "variants")]
    quarter: bool,
    /// Seconds of CPU time, those of the native runs included; what was found in the default need not run again for more
    #[arg(long, default_value_t = SECONDS)]
    seconds: u64,
    /// How many seeds of the campaign
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Makes runs again that have a record
    #[arg(long)]
    again: bool,
    /// Writes the table to FOCAL.md, or of other seconds than the default to FOCAL-<SECONDS>.md, beside the README, of all rows that have a record
    #[arg(long)]
    write: bool,
}

/// What one campaign came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Record {
    /// Seconds of CPU time until the row's fault was found.
    hit: Option<f64>,
    /// Whether it was composed; else a run of the program met it.
    is_composed: bool,
    seconds: f64,
    /// Of profiles, targets, composition, interpolants, refinement and reduction.
    phases: [f64; 6],
    targets: u64,
    validated: u64,
    formulas: u64,
    validating: u64,
    conflicts: u64,
    /// Callers that were refined, conflicts that were solved so, interpolants and edges gained.
    refined: [u64; 4],
    runs: u64,
    unit_runs: u64,
}

impl Focal {
    /// Makes the runs that have no record yet.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        limit_stack()?;
        let open = |seconds: u64| {
            let place = folder.join("focal").join(seconds.to_string());
            Records::<Record>::open(place, &format!("focal-{seconds}.jsonl"))
        };
        let mut records = open(self.seconds)?;
        let shorter = if self.seconds > SECONDS { Some(open(SECONDS)?) } else { None };
        let variants = match (self.quarter, &self.variants[..]) {
            (true, _) => &Variant::ALL[..1],
            (false, []) => &Variant::ALL,
            (false, some) => some,
        };
        let rows = rows_of("rows", &self.rows)?;
        let deep = if self.deep { Some(deep(&rows)) } else { None };
        let is_wanted = |row: &&Row| {
            (row.facts.tuning || !self.tuning)
                && deep.as_ref().is_none_or(|deep| deep.contains(&row.name))
        };
        for row in rows.iter().filter(is_wanted) {
            let stamp = stamp(row, &SOURCES)?;
            let mut built = None;
            for (seed, &variant) in
                (0..self.seeds).flat_map(|seed| variants.iter().map(move |it| (seed, it)))
            {
                let key = key(row, letter(variant, self.quarter), seed);
                if !self.again && records.get(&key, &stamp).is_some() {
                    continue;
                }
                let found = shorter.as_ref().and_then(|records| records.get(&key, &stamp));
                if let Some(found) = found.filter(|record| record.hit.is_some() && !self.again) {
                    records.put(key, &stamp, found.clone())?;
                    continue;
                }
                if built.is_none() {
                    built = Some(build(row, folder)?);
                }
                let Some(built) = &built else { continue };
                records.put(key, &stamp, self.campaign(row, built, variant, seed)?)?;
            }
            let hits =
                variants.iter().map(|&it| hits(&self.all(&records, row, letter(it, self.quarter))));
            println!("{}: {}", row.name, hits.collect::<Vec<_>>().join("; "));
        }
        if self.write {
            let path = package().join(match self.seconds {
                SECONDS => "FOCAL.md".to_owned(),
                seconds => format!("FOCAL-{seconds}.md"),
            });
            records.commit()?;
            let table = self.table(&records)?;
            std::fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn campaign(
        &self,
        row: &Row,
        built: &Built,
        variant: Variant,
        seed: u64,
    ) -> Result<Record, String> {
        let begin = now()?;
        let machine = Machine::new().steps(STEPS).stack(STACK);
        let subject = Subject::open(built, machine, SymbolicLimits::default())?;
        let module = Arc::clone(subject.module());
        let options = Options::new().variant(variant).seed(seed).max_length(LENGTH);
        let mut campaign = Campaign::new(subject, own(&module, built), options);
        let mut seeds = row.seeds()?;
        if self.quarter {
            seeds.truncate(seeds.len().div_ceil(4));
        }
        for path in seeds {
            let input =
                std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            campaign.add(&input);
        }
        let mut native = built.native.clone().patience(PATIENCE);
        let mut record = Record::default();
        let mut last = begin;
        while record.hit.is_none() && last - begin < self.seconds as f64 {
            let phase = campaign.phase();
            let event = campaign.step(&mut native);
            let after = now()?;
            record.phases[phase_of(phase)] += after - last;
            last = after;
            match event {
                Event::Finished => break,
                Event::Ran { error: Some(error), .. } => {
                    return Err(format!("{}: {error}", row.name));
                }
                Event::Ran { failure: Some(at), .. } if is_hit(row, &campaign.failures()[at]) => {
                    record.hit = Some(last - begin);
                    let mut found = campaign.targets().iter().filter_map(|it| it.found.as_ref());
                    record.is_composed =
                        found.any(|it| it.failure == Some(at) && !it.chain.is_empty());
                }
                _ => {}
            }
        }
        let (counts, refined) = (campaign.counts(), campaign.refined());
        Ok(Record {
            seconds: last - begin,
            targets: counts.targets,
            validated: counts.validated,
            formulas: counts.formulas,
            validating: counts.validating,
            conflicts: counts.combined.conflicts,
            refined: [refined.begun, refined.solved, refined.interpolants, refined.edges],
            runs: counts.runs,
            unit_runs: counts.unit_runs,
            ..record
        })
    }

    /// The records of a row by what its runs are called, the soonest hit first.
    fn all(&self, records: &Records<Record>, row: &Row, letter: &str) -> Vec<Record> {
        records.soonest((0..self.seeds).map(|seed| key(row, letter, seed)), |it| it.hit)
    }

    /// The rows that the other arms find in so many seconds, by the records of each that are committed.
    fn found_otherwise(seconds: u64) -> Result<BTreeSet<String>, String> {
        let mut hits: BTreeMap<(String, String), Vec<bool>> = BTreeMap::new();
        for name in OTHERS {
            let path = package().join(name);
            let said = |error: &dyn Display| format!("{}: {error}", path.display());
            let text = std::fs::read_to_string(&path).map_err(|error| said(&error))?;
            for line in text.lines() {
                let run: Otherwise = serde_json::from_str(line).map_err(|error| said(&error))?;
                let in_time = run.hit.is_some_and(|hit| hit <= seconds as f64);
                // A key is the row, the arm if there are several, and the seed.
                let key = run.key.as_deref().and_then(|key| key.rsplit_once('/'));
                let (row, arm) = match (&run.row, key) {
                    (Some(row), _) => (&**row, run.method.as_deref().unwrap_or_default()),
                    (None, Some((key, _))) => key.split_once('/').unwrap_or((key, "")),
                    (None, None) => continue,
                };
                hits.entry((row.to_owned(), format!("{name} {arm}"))).or_default().push(in_time);
            }
        }
        let found = hits
            .into_iter()
            .filter(|(_, hits)| is_mostly(hits.iter().filter(|&&hit| hit).count(), hits.len()));
        Ok(found.map(|((row, _), _)| row).collect())
    }

    /// All records as tables.
    fn table(&self, records: &Records<Record>) -> Result<String, String> {
        let is_long = self.seconds > SECONDS;
        let mut table = format!(
            "# Composition\n\nWritten on {}: `cargo run --release -p pleach-bugs -- focal{} --seeds {} --write`, {} s of CPU time for each campaign, from the \
             row's seeds, with no grammar{}. What stands in a column are the seconds after which each campaign has found the row's fault, * where \
             it was composed. `docs/focal.md` says what the variants do without.\n\n\
             | row | kind | deep | focal | I | E | R | W | M |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            circumstances(),
            if is_long { format!(" --deep --seconds {}", self.seconds) } else { String::new() },
            self.seeds,
            self.seconds,
            if is_long {
                format!("; what is found in {SECONDS} s is not run again")
            } else {
                String::new()
            },
        );
        let rows = rows_of("rows", &[])?;
        let mut sums: Vec<(usize, usize, Vec<Record>)> = Vec::new();
        sums.resize_with(Variant::ALL.len(), Default::default);
        for row in &rows {
            let runs = Variant::ALL.map(|it| self.all(records, row, letter(it, false)));
            if runs.iter().all(Vec::is_empty) {
                continue;
            }
            let cells = runs.iter().map(|runs| hits(runs)).collect::<Vec<_>>().join(" | ");
            let deep = if row.facts.deep { "yes" } else { "no" };
            table += &format!("| `{}` | {} | {deep} | {cells} |\n", row.name, row.facts.kind);
            for (sum, runs) in sums.iter_mut().zip(runs) {
                sum.0 += usize::from(!runs.is_empty());
                sum.1 += usize::from(is_found(&runs));
                sum.2.extend(runs);
            }
        }
        table += &format!(
            "\nThere are {} rows; where nothing stands in a column a row was not tried. A row is found where at least two of three campaigns find it, or the only one. Numbers are sums \
             of all campaigns, and seconds are of profiles, targets, composition, interpolants, refinement and reduction.\n\n\
             | | rows found, of those tried | targets | validated | formulas at the entry | validating | in conflict | callers refined, solved | interpolants | \
             edges gained | seconds |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- |\n",
            rows.len()
        );
        for (variant, (tried, found, runs)) in Variant::ALL.iter().zip(&sums) {
            if *tried == 0 {
                continue;
            }
            let sum = |of: fn(&Record) -> u64| runs.iter().map(of).sum::<u64>();
            let phases: Vec<String> = (0..6)
                .map(|at| format!("{:.0}", runs.iter().map(|run| run.phases[at]).sum::<f64>()))
                .collect();
            table += &format!(
                "| {} | {found} of {tried} | {} | {} | {} | {} | {} | {}, {} | {} | {} | {} |\n",
                letter(*variant, false),
                sum(|run| run.targets),
                sum(|run| run.validated),
                sum(|run| run.formulas),
                sum(|run| run.validating),
                sum(|run| run.conflicts),
                sum(|run| run.refined[0]),
                sum(|run| run.refined[1]),
                sum(|run| run.refined[2]),
                sum(|run| run.refined[3]),
                phases.join(", "),
            );
        }
        let runs = |row, letter| self.all(records, row, letter);
        let both =
            rows.iter().map(|row| (runs(row, letter(Variant::Whole, false)), runs(row, QUARTER)));
        let both: Vec<_> = both.filter(|(all, few)| !all.is_empty() && !few.is_empty()).collect();
        if !both.is_empty() {
            let all = both.iter().filter(|(all, _)| is_found(all));
            table += &format!(
                "\nOf {} rows that were tried so, too, focal finds {} from all seeds, and of these {} from a quarter of them.\n",
                both.len(),
                all.clone().count(),
                all.filter(|(_, few)| is_found(few)).count(),
            );
        }
        if is_long {
            return Ok(table);
        }
        let seconds = self.seconds;
        let mut together = Self::found_otherwise(seconds)?;
        let all = |row: &Row| self.all(records, row, letter(Variant::Whole, false));
        together.extend(rows.iter().filter(|row| is_found(&all(row))).map(|row| row.name.clone()));
        let missed = rows.iter().filter(|row| !together.contains(&row.name));
        let missed: Vec<String> = missed.map(|row| format!("`{}`", row.name)).collect();
        table += &format!(
            "\nTogether with exploration, the bridge and the fuzzers of RESULTS-120.md in {seconds} s, as their records say, {} of {} rows are found; missed \
             by all: {}.\n",
            rows.len() - missed.len(),
            rows.len(),
            if missed.is_empty() { "none".to_owned() } else { missed.join(", ") },
        );
        for letter in Variant::ALL.map(|it| letter(it, false)).into_iter().chain([QUARTER]) {
            let key = |row: &Row, seed| key(row, letter, seed);
            let stale = stale(&rows, self.seeds, &SOURCES, key, records)?;
            if !stale.is_empty() {
                table += &format!("\n{letter}:{stale}");
            }
        }
        Ok(table)
    }
}

/// A variant as it is called in the tables.
fn variant(name: &str) -> Result<Variant, String> {
    let mut all = Variant::ALL.into_iter();
    all.find(|&it| letter(it, false) == name)
        .ok_or_else(|| "it is one of focal, I, E, R, W and M".into())
}

/// The place of a phase in a record.
fn phase_of(phase: Phase) -> usize {
    match phase {
        Phase::Profiles => 0,
        Phase::Targets => 1,
        Phase::Composition => 2,
        Phase::Interpolants => 3,
        Phase::Refinement => 4,
        Phase::Reduction => 5,
    }
}

fn key(row: &Row, letter: &str, seed: u64) -> String {
    format!("{}/{letter}/{seed}", row.name)
}

/// What a variant's runs are called, or those from a quarter of the seeds.
fn letter(variant: Variant, quarter: bool) -> &'static str {
    if quarter { QUARTER } else { variant.letter().unwrap_or("focal") }
}

/// Whether at least two of three campaigns have found a row's fault, or the only one.
fn is_found(runs: &[Record]) -> bool {
    is_mostly(runs.iter().filter(|run| run.hit.is_some()).count(), runs.len())
}

/// Whether so many of all are at least two of three, or the only one.
fn is_mostly(found: usize, all: usize) -> bool {
    found > 0 && found * 3 >= all * 2
}

/// The seconds of each run, with a star where the fault was composed.
fn hits(runs: &[Record]) -> String {
    let cell = |run: &Record| found_after(run.hit) + if run.is_composed { "*" } else { "" };
    runs.iter().map(cell).collect::<Vec<_>>().join(", ")
}
