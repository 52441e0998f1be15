//! `pleach-bugs beside`: what `pleach explore` adds to a fuzzer with pleach, in the same CPU time.
//!
//! One arm is the fuzzer alone. In the other an explorer reads and writes the fuzzer's corpus, and what both use is counted
//! together. Edges are those of the corpus at the end, in the program without pleach.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use clap::Args;
use experiment::{Signal, cargo, circumstances, remove, tell, used};
use serde::{Deserialize, Serialize};

use crate::check::with_stack;
use crate::edges::spread;
use crate::kept::{Records, stamp};
use crate::plan::Method;
use crate::row::{Kind, Row, package, root, rows};
use crate::run::{Made, edges, make};

/// The rows, named before anything was measured: their faults are not looked for, and they are not for tuning. The crates of the first two
/// are in `fuzz/compare`, too.
const ROWS: [&str; 6] =
    ["url-segments", "regex-flags", "rulex-utf8", "yaml-safer", "pulldown-latex", "dtparse-colon"];

/// The arms: the fuzzer, and the same with an explorer.
const ARMS: [&str; 2] = ["alone", "explored"];
/// What decides what an explorer does: folders of the repository.
const SOURCES: [&str; 4] =
    ["crates/concolic/src", "crates/explore/src", "crates/solver/src", "src/bin/pleach/explore"];
/// How often the time is looked at.
pub const TICK: Duration = Duration::from_millis(10);
/// The most times that an engine is started in a run.
const STARTS: u32 = 1000;

#[derive(Args)]
pub struct Beside {
    /// Rows [default: the six that were named beforehand]
    rows: Vec<String>,
    /// The limit of a run, in seconds of CPU time of all its processes
    #[arg(long, default_value_t = 240)]
    seconds: u64,
    /// How many seeds of the engine: 1, 2 and so on
    #[arg(long, default_value_t = 5)]
    seeds: u32,
    /// The arms to run, those without a record; all others keep theirs
    #[arg(long, value_delimiter = ',', value_parser = ARMS, default_values = ARMS)]
    arms: Vec<String>,
    /// Writes the table to BESIDE.md, beside the README
    #[arg(long)]
    write: bool,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    edges: u64,
    /// Seconds of CPU time of the engine, and of the explorer.
    fuzzing: f64,
    exploring: f64,
    starts: u32,
}

impl Beside {
    /// Makes the runs that have no record yet, one at a time: one with an explorer takes two cores.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let names = match &self.rows[..] {
            [] => ROWS.map(String::from).to_vec(),
            names => names.to_vec(),
        };
        // Programs that pass over the rows' own faults are others than those of the benchmark.
        let folder = folder.join("beside");
        let place = folder.join(self.seconds.to_string());
        let mut records = Records::open(place, &format!("beside-{}.jsonl", self.seconds))?;
        let explorer = pleach().map_err(|error| error.to_string())?;
        let mut rows = rows(&names)?;
        for row in &mut rows {
            row.facts.kind = Kind::Panic;
            row.facts.place.clear();
        }
        for row in &rows {
            let said = |error: io::Error| format!("{}: {error}", row.name);
            let subject = Subject::make(row, &folder, &explorer).map_err(said)?;
            let runs = (1..=self.seeds).flat_map(|seed| ARMS.map(|arm| (seed, arm)));
            for (seed, arm) in runs.filter(|(_, arm)| self.arms.iter().any(|it| it == arm)) {
                let (key, stamp) = (key(&row.name, arm, seed), subject.stamp(arm)?);
                if records.get(&key, &stamp).is_none() {
                    let record = subject.outcome(arm, seed, self.seconds).map_err(said)?;
                    println!("{key}: {record:?}");
                    records.put(key, &stamp, record)?;
                }
            }
        }
        let table = self.table(&records, &rows);
        print!("{table}");
        if self.write {
            records.commit()?;
            let path = package().join("BESIDE.md");
            std::fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Beside {
    /// The runs as a table.
    fn table(&self, records: &Records<Record>, rows: &[Row]) -> String {
        let mut table = format!(
            "# A fuzzer with exploration beside it\n\nOn {}: `cargo run --release -p pleach-bugs -- beside --seconds {} --seeds {} --write`, that many \
             seconds of CPU time a run. libFuzzer with pleach at its defaults from the row's seeds, alone and with `pleach explore --rest` on the same corpus, \
             whose time counts too. The row's fault is passed over. Edges are those of the corpus in the program without pleach: the \
             median, with the least and the most.\n\n\
             | row | runs | alone | with an explorer | ratio | share of the explorer |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
            circumstances(),
            self.seconds,
            self.seeds
        );
        for Row { name, .. } in rows {
            let of = |arm| -> Vec<Record> {
                (1..=self.seeds)
                    .filter_map(|seed| records.any(&key(name, arm, seed)))
                    .cloned()
                    .collect()
            };
            if let Some(cells) = cells(&of(ARMS[0]), &of(ARMS[1])) {
                table += &format!("| {name} | {cells} |\n");
            }
        }
        table
    }
}

/// The command `pleach`, built as this one is.
pub fn pleach() -> io::Result<PathBuf> {
    let status = Command::new(cargo())
        .args(["build", "--quiet", "--release", "--bin", "pleach", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .status()?;
    let path = std::env::current_exe()?.with_file_name("pleach");
    match status.success() && path.exists() {
        true => Ok(path),
        false => Err(io::Error::other(
            "`pleach` was not built beside this program: run it with --release",
        )),
    }
}

/// The programs of a row, and where its runs are.
struct Subject<'r> {
    row: &'r Row,
    folder: &'r Path,
    explorer: &'r Path,
    fuzzer: Made,
    replays: PathBuf,
}

impl<'r> Subject<'r> {
    fn make(row: &'r Row, folder: &'r Path, explorer: &'r Path) -> io::Result<Self> {
        eprintln!("building {}", row.name);
        let seeds: Vec<Vec<u8>> = row
            .seeds()
            .map_err(io::Error::other)?
            .iter()
            .map(std::fs::read)
            .collect::<io::Result<_>>()?;
        let fuzzer = make(row, Method::Pleach, folder, seeds)?;
        let replays = make(row, Method::LibFuzzer, folder, Vec::new())?.executable().to_owned();
        let subject = Self { row, folder, explorer, fuzzer, replays };
        // What compiles is not charged.
        let empty = folder.join("empty");
        remove(&empty)?;
        std::fs::create_dir_all(&empty)?;
        let mut command = subject.explore(&empty, 0);
        command.args(["--time", "1s"]).stdout(Stdio::null()).stderr(Stdio::null());
        match command.status()?.code() {
            Some(0 | 1) => Ok(subject),
            code => Err(io::Error::other(format!("`pleach explore` ended with {code:?}"))),
        }
    }

    /// An explorer that reads and writes a corpus.
    fn explore(&self, corpus: &Path, seed: u32) -> Command {
        let mut command = with_stack(self.explorer);
        command
            .arg("explore")
            .arg(format!("{}#run", self.row.folder().join("src/lib.rs").display()))
            .args(["--seed", &seed.to_string()])
            .arg("--keep")
            .arg(self.folder.join("kept").join(&self.row.name))
            .args(["--corpus".as_ref(), corpus, "-o".as_ref(), corpus]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// What tells an arm's runs from those of other programs.
    fn stamp(&self, arm: &str) -> Result<String, String> {
        Ok(match arm == ARMS[1] {
            true => format!("{}-{}", self.fuzzer.stamp(), stamp(self.row, &SOURCES)?),
            false => self.fuzzer.stamp().to_owned(),
        })
    }

    fn outcome(&self, arm: &str, seed: u32, seconds: u64) -> io::Result<Record> {
        let place = self.folder.join("runs").join(&self.row.name).join(format!("{arm}-{seed}"));
        remove(&place)?;
        let corpus = place.join("corpus");
        std::fs::create_dir_all(&corpus)?;
        std::fs::create_dir_all(place.join("artifacts"))?;
        for (number, seed) in self.fuzzer.seeds().iter().enumerate() {
            std::fs::write(corpus.join(format!("{number:05}")), seed)?;
        }
        let mut explorer = match arm == ARMS[1] {
            false => None,
            true => Some(
                self.explore(&corpus, seed)
                    .args(["--rest", "--time", "24h"])
                    .stderr(File::create(place.join("explorer"))?)
                    .spawn()?,
            ),
        };
        let fuzzed = self.fuzz(&place, seed, Duration::from_secs(seconds), explorer.as_mut());
        let exploring = explorer.as_mut().map_or(Ok(Duration::ZERO), stop);
        let (fuzzing, starts) = fuzzed?;
        let edges = edges(&self.replays, &place)?;
        remove(&corpus)?;
        let (fuzzing, exploring) = (fuzzing.as_secs_f64(), exploring?.as_secs_f64());
        Ok(Record { edges, fuzzing, exploring, starts })
    }

    /// Fuzzes until engine and explorer have used the time together: what the engine used, and how often it was started.
    fn fuzz(
        &self,
        place: &Path,
        seed: u32,
        limit: Duration,
        mut explorer: Option<&mut Child>,
    ) -> io::Result<(Duration, u32)> {
        let (mut spent, mut starts, mut is_over) = (Duration::ZERO, 0, false);
        while !is_over && starts < STARTS {
            let mut command = self.fuzzer.command(seed + starts * 1000);
            command.arg("-reload=1").current_dir(place).stdin(Stdio::null()).stdout(Stdio::null());
            let mut engine =
                command.stderr(File::create(place.join(format!("log-{starts}")))?).spawn()?;
            let last = loop {
                let (has_ended, engines) = used(&engine)?;
                if has_ended {
                    break engines;
                }
                let explorers = match &mut explorer {
                    Some(explorer) => used(explorer)?.1,
                    None => Duration::ZERO,
                };
                if !is_over && spent + engines + explorers >= limit {
                    is_over = true;
                    tell(&engine, Signal::USR1)?;
                }
                std::thread::sleep(TICK);
            };
            engine.wait()?;
            spent += last;
            starts += 1;
        }
        Ok((spent, starts))
    }
}

/// Ends an explorer, or another command of pleach's, and tells the time that it has used.
pub fn stop(explorer: &mut Child) -> io::Result<Duration> {
    let (has_ended, mut last) = used(explorer)?;
    if !has_ended {
        tell(explorer, Signal::TERM)?;
        loop {
            let (has_ended, now) = used(explorer)?;
            last = now;
            if has_ended {
                break;
            }
            std::thread::sleep(TICK);
        }
    }
    explorer.wait()?;
    Ok(last)
}

fn key(row: &str, arm: &str, seed: u32) -> String {
    format!("{row}/{arm}/{seed}")
}

/// The cells of a row that both arms have run: how often, what the corpora have, their ratio, and the explorer's share of the time.
fn cells(alone: &[Record], beside: &[Record]) -> Option<String> {
    let edges = |runs: &[Record]| spread(&runs.iter().map(|it| it.edges).collect::<Vec<_>>());
    let (without, with) = (edges(alone)?, edges(beside)?);
    let shown = |(middle, least, most): (u64, u64, u64)| format!("{middle} ({least}–{most})");
    let exploring: f64 = beside.iter().map(|it| it.exploring).sum();
    let all: f64 = beside.iter().map(|it| it.exploring + it.fuzzing).sum();
    Some(format!(
        "{} | {} | {} | {:.2} | {:.0} %",
        beside.len(),
        shown(without),
        shown(with),
        with.0 as f64 / without.0 as f64,
        100.0 * exploring / all
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_compared() {
        let record = |edges, exploring| Record { edges, fuzzing: 6.0, exploring, starts: 1 };
        let alone = [100, 90, 120].map(|edges| record(edges, 0.0));
        let beside = [130, 110, 125].map(|edges| record(edges, 2.0));
        let cells = cells(&alone, &beside).unwrap();
        assert_eq!(cells, "3 | 100 (90–120) | 125 (110–130) | 1.25 | 25 %");
        assert_eq!(super::cells(&alone, &[]), None);
    }

    #[test]
    fn rows_are_not_for_tuning() {
        let rows = rows(&ROWS.map(String::from)).unwrap();
        assert!(rows.iter().all(|row| !row.facts.tuning && row.grammar().is_some()));
    }
}
