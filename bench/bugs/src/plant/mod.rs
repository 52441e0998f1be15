//! `pleach-bugs plant`: faults that are planted in functions of released programs, and who finds them.
//!
//! A fault is that a function fails when an argument has one value. Function, argument and value are drawn by seed, of those that an input
//! with other words than the seeds' has brought there: so there is an input that fails, and nobody is given it. Faults are drawn, up to a limit, until there are
//! ten that neither pleach's fuzzer nor exploration finds in as long as a campaign of the bridge then has.

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
use arms::{Arm, Run, Search};
use host::Host;
use told::{Met, choose};

/// What decides what is drawn.
const SOURCES: [&str; 10] = [
    "bench/bridge/subjects/Cargo.lock",
    "bench/bridge/subjects/seeds",
    "bench/bridge/subjects/src",
    "bench/bugs/rows/chrono-rfc2822",
    "bench/bugs/rows/dtparse-month",
    "bench/bugs/src/plant/depth.rs",
    "bench/bugs/src/plant/host.rs",
    "bench/bugs/src/plant/site.rs",
    "bench/bugs/src/plant/told.rs",
    "bench/bugs/src/plant/words.rs",
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
    /// What runs came to, and what tells them from those of other sources.
    runs: BTreeMap<Arm, (String, Run)>,
}

impl Record {
    fn run(&self, arm: Arm) -> Option<Run> {
        self.runs.get(&arm).map(|it| it.1)
    }

    /// Whether one has looked for it and not found it.
    fn is_missed(&self, arm: Arm) -> bool {
        self.run(arm).is_some_and(|it| it.hit.is_none())
    }

    fn is_found(&self, arm: Arm) -> bool {
        self.run(arm).is_some_and(|it| it.hit.is_some())
    }

    /// Whether neither of the two found it that have no units.
    fn is_hard(&self) -> bool {
        self.is_missed(Arm::Explore) && self.is_missed(Arm::Fuzz)
    }

    /// Who is to look for it next.
    fn next(&self, is_quick: bool) -> Option<Arm> {
        let mut arms = vec![Arm::Explore];
        if is_quick || self.is_missed(Arm::Explore) {
            arms.push(Arm::Fuzz);
        }
        if self.is_hard() {
            // That one takes the command in a release build.
            arms.extend((!is_quick).then_some(Arm::Native));
            arms.extend((is_quick || self.is_missed(Arm::Native)).then_some(Arm::Concolic));
            arms.push(Arm::Alone);
        }
        arms.retain(|_| self.shows);
        arms.into_iter().find(|arm| !self.runs.contains_key(arm))
    }

    fn is_wrapped(&self) -> bool {
        self.host.ends_with("-base64")
    }
}

/// A draw: of which host, what is known of it, functions that were drawn before, and what keeps it.
struct Draw<'a> {
    host: &'a Host,
    known: Option<Record>,
    taken: Vec<String>,
    stamps: &'a BTreeMap<Arm, String>,
    keep: &'a mut dyn FnMut(&Record) -> Result<(), String>,
}

impl Plant {
    /// Draws faults and has them looked for, as far as there is no record yet.
    pub fn run(mut self, folder: &Path) -> Result<ExitCode, String> {
        if self.quick {
            (self.seconds, self.draws) = (5, 1);
        }
        let folder = folder.join("plant");
        let place = if self.quick { "quick".to_owned() } else { self.seconds.to_string() };
        let mut records: Records<Record> =
            Records::open(folder.join("records").join(place), &self.file())?;
        let stamp = stamp_of(&SOURCES, &[])?;
        let stamps: BTreeMap<Arm, String> = Arm::ALL
            .into_iter()
            .map(|arm| Ok((arm, stamp_of(&arm.sources(), &[])?)))
            .collect::<Result<_, String>>()?;
        let mut hosts = Host::all(&folder)?;
        if self.quick {
            hosts.retain(|host| host.name == QUICK);
        }
        let mut met = BTreeMap::new();
        let mut all: Vec<Record> = Vec::new();
        for draw in 0..self.draws {
            let open: Vec<&Host> = hosts.iter().filter(|host| is_open(host, &all)).collect();
            if open.is_empty() {
                break;
            }
            let mut random = Random(self.seed << 32 | draw);
            let host = open[random.below(open.len())];
            let key = format!("{}/{draw}", self.seed);
            let known = records.get(&key, &stamp).filter(|known| known.host == host.name);
            let known = known.cloned().map(|mut known| {
                known.runs.retain(|arm, run| stamps.get(arm) == Some(&run.0));
                known
            });
            let record = match known {
                Some(known) if self.table || known.next(self.quick).is_none() => known,
                None if self.table => continue,
                known => {
                    let mut keep =
                        |record: &Record| records.put(key.clone(), &stamp, record.clone());
                    let taken = all.iter().filter(|it| it.host == host.name);
                    let taken = taken.map(|it| it.place.clone()).collect();
                    let mut draw = Draw { host, known, taken, stamps: &stamps, keep: &mut keep };
                    let Some(record) = self.draw(&mut draw, &mut met, &mut random)? else {
                        continue;
                    };
                    println!("{key}: {}", self.line(&record));
                    record
                }
            };
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

    /// Draws a fault of a host, and has it looked for; none if all its functions were drawn.
    fn draw(
        &self,
        draw: &mut Draw<'_>,
        known: &mut BTreeMap<String, Vec<Met>>,
        random: &mut Random,
    ) -> Result<Option<Record>, String> {
        let host = draw.host;
        if !known.contains_key(&host.name) {
            host.make()?;
            // What is met is the same whichever draw is the first.
            known.insert(host.name.clone(), host.met(&mut Random(self.seed))?);
        }
        let all = known.get(&host.name).map_or(&[][..], Vec::as_slice);
        let Some(met) = choose(all, &draw.taken, random) else { return Ok(None) };
        let planted = host.plant(met);
        let record = planted.and_then(|(built, fault)| {
            let mut record = Record {
                host: host.name.clone(),
                function: met.site.function.clone(),
                place: met.place(),
                argument: met.site.argument.clone(),
                value: shown(met),
                depth: met.depth,
                witness: met.witness.escape_ascii().to_string(),
                shows: fault.is_some(),
                runs: BTreeMap::new(),
            };
            if let Some(known) = draw.known.take() {
                let runs = known.runs.clone();
                if (Record { runs: BTreeMap::new(), ..known }) == record {
                    record.runs = runs;
                }
            }
            (draw.keep)(&record)?;
            let Some(fault) = &fault else { return Ok(Some(record)) };
            let (seconds, seed) = (self.seconds, self.seed);
            let search = Search { host, met, built: &built, fault, seconds, seed };
            while let Some(arm) = record.next(self.quick) {
                let stamp = draw.stamps.get(&arm).cloned().unwrap_or_default();
                record.runs.insert(arm, (stamp, search.run(arm)?));
                (draw.keep)(&record)?;
            }
            Ok(Some(record))
        });
        host.mend(met)?;
        record
    }

    /// A fault's line: what the bridge came to, or who has found it before.
    fn line(&self, record: &Record) -> String {
        let time = |run| time(run, self.seconds);
        let head = head(record);
        if !record.is_hard() {
            return format!(
                "{head} {} | {} |",
                time(record.run(Arm::Explore)),
                time(record.run(Arm::Fuzz))
            );
        }
        let alone = record.run(Arm::Alone).and_then(|run| run.failures);
        let alone =
            alone.map_or_else(|| "–".into(), |(all, shown)| format!("{all}, {}", all - shown));
        let [native, concolic] = [Arm::Native, Arm::Concolic].map(|arm| time(record.run(arm)));
        format!("{head} {native} | {concolic} | {alone} |")
    }

    /// The table of all that was drawn.
    fn table(&self, all: &[Record]) -> String {
        let hard: Vec<&Record> = all.iter().filter(|it| it.is_hard()).collect();
        let tried: Vec<&Record> = all.iter().filter(|it| it.shows).collect();
        let by = |arm| tried.iter().filter(|it| it.is_found(arm)).count();
        let of_hard = |arm| hard.iter().filter(|it| it.is_found(arm)).count();
        let natively = of_hard(Arm::Native);
        let concolic =
            hard.iter().filter(|it| it.is_missed(Arm::Native) && it.is_found(Arm::Concolic));
        let concolic = concolic.count();
        let mut table = format!(
            "# Planted faults\n\nOn {}: `cargo run --release -p pleach-bugs -- plant --seconds {} --seed {} --write`, that many seconds of CPU time \
             for each search. A function, at least three calls deep, fails when an argument has one value, which an input with other words than the \
             seeds' has brought there. Drawn were {} faults, of which {} fail by themselves on that input and on no seed. Exploration of the whole program \
             finds {} of these, and pleach's fuzzer {} of the others. What is left are **{} of {WANTED} wanted, {} of them behind base64 and a length; of these the \
             bridge finds {}**: {natively} natively, in as long, and {concolic} with the concolic engine, which then has as long again; at least {ASKED} of {WANTED} \
             are asked for. Where * stands a unit has found it. The function alone is tested with random values for a fifth of the time: the failures \
             that the program does not show are false alarms, – where it is inlined everywhere.\n\n\
             | program | function, calls deep | argument, value | natively, seconds | concolic, seconds | alone: failures, false ones |\n\
             | --- | --- | --- | ---: | ---: | --- |\n",
            circumstances(),
            self.seconds,
            self.seed,
            all.len(),
            tried.len(),
            by(Arm::Explore),
            by(Arm::Fuzz),
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
        let is_found = |it: &&&Record| it.is_found(Arm::Explore) || it.is_found(Arm::Fuzz);
        for record in tried.iter().filter(is_found) {
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
        Some(Run { hit: Some(hit), by_unit, .. }) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(host: &str, runs: &[(Arm, Option<f64>)]) -> Record {
        let run = |&(arm, hit): &(Arm, Option<f64>)| {
            (arm, (String::new(), Run { hit, by_unit: arm == Arm::Native, failures: Some((3, 1)) }))
        };
        Record {
            host: host.into(),
            function: "parse".into(),
            place: "a-1.0.0/src/lib.rs:7".into(),
            argument: "text".into(),
            value: "a|b".into(),
            depth: 4,
            witness: "a|b;".into(),
            shows: true,
            runs: runs.iter().map(run).collect(),
        }
    }

    #[test]
    fn what_one_finds_without_units_nobody_else_looks_for() {
        let (hit, miss) = (Some(1.5), None);
        let next = |runs: &[(Arm, Option<f64>)]| record("cut", runs).next(false);
        assert_eq!(next(&[]), Some(Arm::Explore));
        assert_eq!(next(&[(Arm::Explore, hit)]), None);
        assert_eq!(next(&[(Arm::Explore, miss)]), Some(Arm::Fuzz));
        assert_eq!(next(&[(Arm::Explore, miss), (Arm::Fuzz, hit)]), None);
        let mut hard = vec![(Arm::Explore, miss), (Arm::Fuzz, miss)];
        assert_eq!(next(&hard), Some(Arm::Native));
        hard.push((Arm::Native, hit));
        assert_eq!(next(&hard), Some(Arm::Alone));
        hard[2].1 = miss;
        assert_eq!(next(&hard), Some(Arm::Concolic));
        hard.extend([(Arm::Concolic, miss), (Arm::Alone, miss)]);
        assert_eq!(next(&hard), None);
        let no_fault = Record { shows: false, ..record("cut", &[]) };
        assert_eq!(no_fault.next(false), None);
    }

    #[test]
    fn faults_stand_in_the_table_of_those_that_are_hard_or_of_the_others() {
        let plant =
            Plant { seconds: 300, seed: 1, draws: 9, table: true, write: false, quick: false };
        let hard = [(Arm::Explore, None), (Arm::Fuzz, None), (Arm::Alone, None)];
        let all = [
            record("cut", &[&hard[..], &[(Arm::Native, Some(2.0))]].concat()),
            record(
                "dtparse-month-base64",
                &[&hard[..], &[(Arm::Native, None), (Arm::Concolic, None)]].concat(),
            ),
            record("dc", &[(Arm::Explore, Some(9.0))]),
            Record { shows: false, ..record("sed", &[]) },
        ];
        let table = plant.table(&all);
        let head = "`parse` at a-1.0.0/src/lib.rs:7, 4 | `text`, `a\\|b` |";
        assert!(table.contains(&format!("| cut | {head} 2.0* | – | 3, 2 |\n")), "{table}");
        assert!(
            table.contains(&format!("| dtparse-month-base64 | {head} > 300 | > 300 | 3, 2 |\n")),
            "{table}"
        );
        assert!(table.contains(&format!("| dc | {head} 9.0 | – |\n")), "{table}");
        assert!(
            table.contains("Drawn were 4 faults, of which 3 fail")
                && table.contains("**2 of 10 wanted, 1 of them"),
            "{table}"
        );
        assert!(table.contains("bridge finds 1**: 1 natively, in as long, and 0 with"), "{table}");
        assert!(!table.contains("| sed |"), "{table}");
    }
}
