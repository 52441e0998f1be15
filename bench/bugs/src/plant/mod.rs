//! `pleach-bugs plant`: faults that are planted in functions of released programs, and who finds them.
//!
//! A fault is that a function fails when an argument has one value. Function, argument and value are drawn by seed, of those that an input
//! with other words than the seeds' has brought there: so there is an input that fails, and nobody is given it. Faults are drawn until there are
//! ten that neither pleach's fuzzer nor exploration finds in as long as the bridge then has.

mod arms;
mod host;
mod site;
mod told;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use experiment::circumstances;
use pleach_explore::random::Random;
use serde::{Deserialize, Serialize};

use crate::kept::{Records, stamp_of};
use crate::row::package;
use arms::{Alarms, Run, Search};
use host::Host;
use told::Met;

/// What decides what is drawn, and who finds it.
const SOURCES: [&str; 9] = [
    "crates/bridge/src",
    "crates/concolic/src",
    "crates/explore/src",
    "crates/solver/src",
    "crates/unit/src",
    "src/bin/pleach/bridge/native",
    "bench/bridge/subjects/src",
    "bench/bridge/subjects/seeds",
    "bench/bugs/src/plant",
];
/// How many faults are wanted, and how many of these behind base64.
const WANTED: usize = 10;
const WRAPPED: usize = 2;
/// How many of one host.
const EACH: usize = 2;
/// How many of them the bridge is to find.
const ASKED: usize = 8;
/// The host of the short form.
const QUICK: &str = "semver";

#[derive(Args)]
pub struct Plant {
    /// Seconds of CPU time that each has for a fault
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// What faults are drawn by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many faults are drawn at most
    #[arg(long, default_value_t = 200)]
    draws: u64,
    /// Makes no runs: prints what the records come to
    #[arg(long)]
    table: bool,
    /// Writes the table to PLANTED.md beside the README, and the records, from which it goes on anywhere
    #[arg(long)]
    write: bool,
    /// The short form: one fault of one program, five seconds
    #[arg(long, conflicts_with_all = ["seconds", "draws", "table", "write"])]
    quick: bool,
}

/// What became of a fault that was drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    host: String,
    function: String,
    place: String,
    argument: String,
    value: String,
    depth: u32,
    witness: String,
    /// Whether the program fails at the fault by itself, on the witness alone.
    shows: bool,
    explore: Option<Run>,
    fuzz: Option<Run>,
    bridge: Option<Run>,
    native: Option<Run>,
    alone: Option<Alarms>,
}

impl Record {
    /// Whether neither of the two found it.
    fn is_hard(&self) -> bool {
        [self.explore, self.fuzz].iter().all(|run| run.is_some_and(|it| it.hit.is_none()))
    }

    /// Whether the bridge has found it natively.
    fn is_native(&self) -> bool {
        self.native.is_some_and(|it| it.hit.is_some())
    }

    fn is_wrapped(&self) -> bool {
        self.host.ends_with("-base64")
    }
}

impl Plant {
    /// Draws faults and has them looked for, as far as there is no record yet.
    pub fn run(mut self, folder: &Path) -> Result<ExitCode, String> {
        if self.quick {
            (self.seconds, self.draws) = (5, 1);
        }
        let folder = folder.join("plant");
        let mut records: Records<Record> =
            Records::open(folder.join("records").join(self.seconds.to_string()), &self.file())?;
        let stamp = stamp_of(&SOURCES, &[])?;
        let mut hosts = Host::all(&folder)?;
        if self.quick {
            hosts.retain(|host| host.name == QUICK);
        }
        let mut met = BTreeMap::new();
        let mut all: Vec<Record> = Vec::new();
        for draw in 0..self.draws {
            let key = format!("{}/{draw}", self.seed);
            if let Some(known) = records.get(&key, &stamp) {
                all.push(known.clone());
                continue;
            }
            let open: Vec<&Host> = hosts.iter().filter(|host| is_open(host, &all)).collect();
            if self.table || open.is_empty() {
                break;
            }
            let mut random = Random(self.seed << 32 | draw);
            let host = open[random.below(open.len())];
            let record = self.draw(host, &mut met, &mut random)?;
            println!("{key}: {}", self.line(&record));
            records.put(key, &stamp, record.clone())?;
            all.push(record);
        }
        let table = self.table(&all);
        println!("{table}");
        if self.write {
            records.commit()?;
            let path = package().join("PLANTED.md");
            fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn file(&self) -> String {
        format!("planted-{}.jsonl", self.seconds)
    }

    /// Draws a fault, and has it looked for.
    fn draw(
        &self,
        host: &Host,
        known: &mut BTreeMap<String, Vec<Met>>,
        random: &mut Random,
    ) -> Result<Record, String> {
        if !known.contains_key(&host.name) {
            host.make()?;
            // What is met is the same whichever draw is the first.
            known.insert(host.name.clone(), host.met(&mut Random(self.seed))?);
        }
        let all = known.get(&host.name).map_or(&[][..], Vec::as_slice);
        // A function first, and then one of its values: some have many.
        let mut functions: Vec<_> = all.iter().map(|it| (&it.site.file, it.site.line)).collect();
        functions.dedup();
        if functions.is_empty() {
            return Err(format!("{}: no function is called with a value of its own", host.name));
        }
        let function = functions[random.below(functions.len())];
        let own: Vec<&Met> =
            all.iter().filter(|it| (&it.site.file, it.site.line) == function).collect();
        let met = own[random.below(own.len())];
        let planted = host.plant(met);
        let record = planted.and_then(|(built, fault)| {
            let mut record = Record {
                host: host.name.clone(),
                function: met.site.function.clone(),
                place: format!("{}:{}", met.site.file.display(), met.site.line),
                argument: met.site.argument.clone(),
                value: shown(met),
                depth: met.depth,
                witness: met.witness.escape_ascii().to_string(),
                shows: fault.is_some(),
                explore: None,
                fuzz: None,
                bridge: None,
                native: None,
                alone: None,
            };
            let Some(fault) = &fault else { return Ok(record) };
            let (seconds, seed) = (self.seconds, self.seed);
            let search = Search { host, met, built: &built, fault, seconds, seed };
            record.explore = Some(search.explore()?);
            if self.quick || record.explore.is_some_and(|it| it.hit.is_none()) {
                record.fuzz = Some(search.fuzz()?);
            }
            if self.quick || record.is_hard() {
                record.native = Some(search.native()?);
                if self.quick || !record.is_native() {
                    record.bridge = Some(search.bridge()?);
                }
                record.alone = Some(search.alone()?);
            }
            Ok(record)
        });
        host.mend(met)?;
        record
    }

    /// A fault's line: what the bridge came to, or who has found it before.
    fn line(&self, record: &Record) -> String {
        let time = |run| time(run, self.seconds);
        let head = head(record);
        if !record.is_hard() {
            return format!("{head} {} | {} |", time(record.explore), time(record.fuzz));
        }
        let alone = record.alone.map_or_else(
            || "–".into(),
            |Alarms { all, shown }| format!("{all}, {}", all.saturating_sub(shown)),
        );
        format!("{head} {} | {} | {alone} |", time(record.native), time(record.bridge))
    }

    /// The table of all that was drawn.
    fn table(&self, all: &[Record]) -> String {
        let hard: Vec<&Record> = all.iter().filter(|it| it.is_hard()).collect();
        let tried: Vec<&Record> = all.iter().filter(|it| it.shows).collect();
        let by = |of: fn(&Record) -> Option<Run>| {
            tried.iter().filter(|it| of(it).is_some_and(|run| run.hit.is_some())).count()
        };
        let natively = by(|it| it.native.filter(|_| it.is_hard()));
        let concolic = by(|it| it.bridge.filter(|_| it.is_hard() && !it.is_native()));
        let mut table = format!(
            "# Planted faults\n\nOn {}: `cargo run --release -p pleach-bugs -- plant --seconds {} --seed {} --write`, that many seconds of CPU time \
             for each search. A function, at least three calls deep, fails when an argument has one value, which an input with other words than the \
             seeds' has brought there. Drawn were {} faults, of which {} fail by themselves on that input and on no seed. Exploration of the whole program \
             finds {} of these, and pleach's fuzzer {} of the others. What is left are **{} of {WANTED} wanted, {} of them behind base64 and a length; of these the \
             bridge finds {}**, {natively} natively, and {concolic} with the concolic engine, which is asked where natively nothing was found; at least {ASKED} of {WANTED} \
             are asked for. Where * stands a unit has found it. The function alone is tested with random values for a fifth of the time: the failures \
             that the program does not show are false alarms.\n\n\
             | program | function, calls deep | argument, value | natively, seconds | concolic, seconds | alone: failures, false ones |\n\
             | --- | --- | --- | ---: | ---: | --- |\n",
            circumstances(),
            self.seconds,
            self.seed,
            all.len(),
            tried.len(),
            by(|it| it.explore),
            by(|it| it.fuzz),
            hard.len(),
            hard.iter().filter(|it| it.is_wrapped()).count(),
            natively + concolic,
        );
        for record in &hard {
            table += &self.line(record);
            table.push('\n');
        }
        table += "\nFound by exploration or by the fuzzer, and so not among them:\n\n\
                  | program | function, calls deep | argument, value | exploration, seconds | fuzzer, seconds |\n| --- | --- | --- | ---: | ---: |\n";
        for record in tried.iter().filter(|it| !it.is_hard()) {
            table += &self.line(record);
            table.push('\n');
        }
        table
    }
}

/// Whether a fault of a host is still wanted.
fn is_open(host: &Host, all: &[Record]) -> bool {
    let hard = all.iter().filter(|it| it.is_hard());
    let alike = hard.clone().filter(|it| it.is_wrapped() == host.is_wrapped()).count();
    let wanted = if host.is_wrapped() { WRAPPED } else { WANTED - WRAPPED };
    alike < wanted && hard.filter(|it| it.host == host.name).count() < EACH
}

/// The value of an argument, in words.
fn shown(met: &Met) -> String {
    match (met.site.kind, <[u8; 8]>::try_from(&met.value[..])) {
        (site::Kind::Number, Ok(bytes)) => u64::from_le_bytes(bytes).to_string(),
        _ => met.value.escape_ascii().to_string(),
    }
}

fn time(run: Option<Run>, seconds: u64) -> String {
    match run {
        None => "–".into(),
        Some(Run { hit: None, .. }) => format!("> {seconds}"),
        Some(Run { hit: Some(hit), by_unit }) => {
            format!("{hit:.1}{}", if by_unit { "*" } else { "" })
        }
    }
}

/// The first cells of a fault's line.
fn head(record: &Record) -> String {
    format!(
        "| {} | `{}` at {}, {} | `{}`, `{}` |",
        record.host,
        record.function,
        record.place,
        record.depth,
        record.argument,
        record.value.replace('|', "\\|")
    )
}
