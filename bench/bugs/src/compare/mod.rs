//! `pleach-bugs compare`: how many edges of released programs the bridge takes, and testers of whole programs by themselves.
//!
//! The arms have the same CPU time on each subject, and run it as one process for each input: Radamsa, which knows nothing of what an
//! input did; pleach's random changes of inputs that did something new; and the bridge beside these changes, with each of its testers of
//! units. See `bench/bridge`.

pub mod arms;
pub mod counted;
mod native;
mod ranges;
pub mod speed;
mod table;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::rc::Rc;

use clap::{Args, ValueEnum};
use experiment::circumstances;
use pleach_bridge::campaign::{Campaign, Event, Options, Units};
use pleach_bridge::system::Bytes;
use serde::{Deserialize, Serialize};

use crate::kept::{INSIDE, NATIVE};
use crate::lifting::Lifting;
use crate::row::root;
use arms::{Natively, Radamsa};
use counted::Counted;

/// The subjects of the short form.
const QUICK: [&str; 2] = ["dc", "semver"];

/// A program, and the packages whose edges count: its own, and those of the same project that it consists of.
pub struct Subject {
    pub name: &'static str,
    pub crates: &'static [&'static str],
}

pub static SUBJECTS: [Subject; 8] = [
    Subject { name: "b2sum", crates: &["uu_b2sum", "uu_checksum_common", "uucore"] },
    Subject { name: "cut", crates: &["uu_cut", "uucore"] },
    Subject { name: "dc", crates: &["dc-ock"] },
    Subject { name: "paste", crates: &["uu_paste", "uucore"] },
    Subject { name: "sed", crates: &["sed"] },
    Subject { name: "semver", crates: &["semver"] },
    Subject { name: "tac", crates: &["uu_tac", "uucore"] },
    Subject { name: "toml", crates: &["toml_edit", "toml_parser", "toml_datetime"] },
];

impl Subject {
    /// Whether a source is of its own crates: Cargo keeps those in folders named by package and version.
    fn owns(&self, path: &str) -> bool {
        path.split('/').any(|part| {
            self.crates.iter().any(|name| {
                let version = part.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
                version.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_digit()))
            })
        })
    }

    /// The inputs to begin with, in order.
    pub fn seeds(&self) -> io::Result<Vec<Vec<u8>>> {
        files(&subjects().join("seeds").join(self.name))?.iter().map(fs::read).collect()
    }
}

/// What makes inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Arm {
    /// Radamsa alone, from the seeds.
    Radamsa,
    /// Pleach's changes of bytes alone.
    Pleach,
    /// The bridge with the concolic engine.
    Concolic,
    /// The bridge with the fuzzer of values.
    Fuzz,
    /// The same natively.
    Native,
}

impl Arm {
    const ALL: [Self; 5] = [Self::Radamsa, Self::Pleach, Self::Concolic, Self::Fuzz, Self::Native];
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Radamsa => "Radamsa",
            Self::Pleach => "pleach",
            Self::Concolic => "bridge, concolic",
            Self::Fuzz => "bridge, fuzzer",
            Self::Native => "bridge, native",
        })
    }
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    subject: String,
    arm: Arm,
    seed: u64,
    /// Seconds of CPU time.
    seconds: u64,
    /// When and where it was made.
    made: String,
    /// What tells records of other programs apart.
    stamp: String,
    /// Processes of the subject.
    processes: u64,
    /// How many of them were ended by a signal, by its number.
    killed: BTreeMap<i32, u64>,
    /// How many edges there are: a program with another number is another one, and so are its edges.
    counters: usize,
    /// The edges that were taken.
    #[serde(with = "ranges")]
    edges: Vec<u32>,
    /// After how many seconds how many edges had been taken.
    curve: Vec<(f64, u64)>,
    /// What the bridge has lifted.
    lifting: Option<Lifting>,
}

#[derive(Args)]
pub struct Compare {
    /// Subjects [default: all]
    subjects: Vec<String>,
    /// What makes inputs
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Arm::ALL)]
    arms: Vec<Arm>,
    /// Seconds of CPU time for each run, those of all its processes included
    #[arg(long, default_value_t = 180)]
    seconds: u64,
    /// How many seeds: 1, 2 and so on
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// A Python that has Radamsa's library, the package `pyradamsa`
    #[arg(long, default_value = "python3")]
    python: String,
    /// The short form: two subjects, five seconds, one seed
    #[arg(long, conflicts_with_all = ["subjects", "arms", "seconds", "seeds"])]
    quick: bool,
    /// Makes no runs: prints what the records come to
    #[arg(long)]
    table: bool,
    /// Writes the tables to RESULTS-<SECONDS>.md, the page to results-<SECONDS>.html and the records to records-<SECONDS>.jsonl,
    /// from which it goes on anywhere, in `bench/bridge`
    #[arg(long)]
    write: bool,
}

impl Compare {
    /// Makes the runs that have no record yet, and prints what all come to.
    pub fn run(mut self, folder: &Path) -> Result<ExitCode, String> {
        if self.quick {
            self.subjects = QUICK.map(String::from).to_vec();
            (self.seconds, self.seeds) = (5, 1);
            // That one takes the command in a release build.
            self.arms.retain(|&arm| arm != Arm::Native);
        }
        let chosen = chosen(&self.subjects)?;
        let folder = folder.join("compare");
        let mut records = committed(self.seconds)?;
        let mut all_made = self.table || self.make(&chosen, &folder, &records);
        for path in files(&records_folder(&folder, self.seconds)).unwrap_or_default() {
            if let Some(record) = read(&path) {
                records.retain(|it| it.key() != record.key());
                records.push(record);
            }
        }
        records.sort_by(|a, b| a.key().cmp(&b.key()));
        for other in discard_other_builds(&mut records) {
            let path = path_of(&folder, &other.subject, other.arm, other.seed, other.seconds);
            let said = |error: io::Error| format!("{}: {error}", path.display());
            // It is made again next time.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(said(error)),
                _ => all_made = false,
            }
        }
        let tables = table::markdown(&records, self.seconds);
        print!("{tables}");
        if self.write {
            let lines = records.iter().map(|it| Ok(serde_json::to_string(it)? + "\n"));
            let lines: Result<String, serde_json::Error> = lines.collect();
            let lines = lines.map_err(|error| error.to_string())?;
            let page = table::page(&records, self.seconds);
            for (name, end, text) in [
                ("RESULTS", "md", &tables),
                ("results", "html", &page),
                ("records", "jsonl", &lines),
            ] {
                let path = subjects().join(format!("../{name}-{}.{end}", self.seconds));
                fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(if all_made { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }

    /// Makes the runs that have no record yet, and tells whether all could be made.
    fn make(&mut self, subjects: &[&'static Subject], folder: &Path, committed: &[Record]) -> bool {
        if self.arms.contains(&Arm::Radamsa)
            && let Some(why) = Radamsa(self.python.clone()).missing()
        {
            eprintln!("without Radamsa: {why}");
            self.arms.retain(|&arm| arm != Arm::Radamsa);
        }
        let mut all_made = true;
        for seed in 1..=self.seeds {
            for &of in subjects {
                for &arm in &self.arms {
                    let job = Job { of, arm, seed, seconds: self.seconds };
                    print!("{}, {arm}, seed {seed}: ", of.name);
                    match self.record(&job, folder, committed) {
                        Ok(Record { edges, processes, .. }) => {
                            println!("{} edges, {processes} processes", edges.len());
                        }
                        // The others take hours, and need not wait for it.
                        Err(error) => {
                            all_made = false;
                            println!("{error}");
                        }
                    }
                }
            }
        }
        all_made
    }

    /// Makes a run, or finds its record.
    fn record(&self, job: &Job<'_>, folder: &Path, committed: &[Record]) -> Result<Record, String> {
        let stamp = job.stamp().map_err(|error| error.to_string())?;
        let path = path_of(folder, job.of.name, job.arm, job.seed, job.seconds);
        let is_same = |record: &&Record| record.key() == job.key() && record.stamp == stamp;
        let known = read(&path).filter(|record| is_same(&record));
        if let Some(record) = known.or_else(|| committed.iter().find(is_same).cloned()) {
            return Ok(record);
        }
        let seeds = job.of.seeds().map_err(|error| format!("the seeds: {error}"))?;
        let built = match job.arm {
            Arm::Concolic | Arm::Fuzz => Some(arms::build(job.of, folder)?),
            Arm::Radamsa | Arm::Pleach | Arm::Native => None,
        };
        let program =
            counted::build(job.of.name, &subjects(), folder).map_err(|error| error.to_string())?;
        if job.arm == Arm::Native {
            let (counted, lifting) = native::run(job, program, &seeds, folder)?;
            return keep(job, &counted, Some(lifting), stamp, &path);
        }
        // Building is nobody's time.
        let counted = Counted::new(program, job.seconds as f64, &folder.join("place"))?;
        let counted = Rc::new(RefCell::new(counted));
        let lifting = match &built {
            None if job.arm == Arm::Radamsa => {
                let radamsa = Radamsa(self.python.clone());
                let tester = Natively::new(radamsa, job.seed, &counted).blind();
                tester.given(&seeds)?.alone()?;
                None
            }
            None => {
                let tester = Natively::new(Bytes, job.seed, &counted);
                tester.given(&seeds)?.alone()?;
                None
            }
            Some(built) => {
                let units = if job.arm == Arm::Fuzz { Units::Fuzzer } else { Units::Concolic };
                let options = Options::new().seed(job.seed).units(units);
                let go_on = &mut |_: &Campaign, _: &Event| true;
                let campaign = arms::bridge(job.of, built, options, &seeds, &counted, go_on)?;
                Some(Lifting::of(&campaign))
            }
        };
        keep(job, &counted.borrow(), lifting, stamp, &path)
    }
}

/// Writes what a run came to as a record.
fn keep(
    job: &Job<'_>,
    counted: &Counted,
    lifting: Option<Lifting>,
    stamp: String,
    path: &Path,
) -> Result<Record, String> {
    let record = Record {
        subject: job.of.name.into(),
        arm: job.arm,
        seed: job.seed,
        seconds: job.seconds,
        made: circumstances(),
        stamp,
        processes: counted.runs,
        killed: counted.killed.clone(),
        counters: counted.counters(),
        edges: counted.taken().collect(),
        curve: counted.curve.clone(),
        lifting,
    };
    write(path, &record)?;
    Ok(record)
}

/// A run.
struct Job<'s> {
    of: &'s Subject,
    arm: Arm,
    seed: u64,
    seconds: u64,
}

impl Job<'_> {
    fn key(&self) -> (&str, Arm, u64) {
        (self.of.name, self.arm, self.seed)
    }

    /// A hash of what the run is made of: the subjects, and but for Radamsa what makes inputs.
    fn stamp(&self) -> io::Result<String> {
        let mut hasher = DefaultHasher::new();
        Command::new("rustc").arg("-vV").output()?.stdout.hash(&mut hasher);
        let sources: &[&str] = match self.arm {
            Arm::Radamsa => &[],
            Arm::Pleach => &["crates/bridge/src/system.rs"],
            Arm::Concolic | Arm::Fuzz => &INSIDE,
            Arm::Native => &NATIVE,
        };
        let mut paths = vec![subjects()];
        paths.extend(sources.iter().map(|source| root().join(source)));
        while let Some(path) = paths.pop() {
            match path.is_dir() {
                true => paths.extend(files(&path)?),
                false => (path.file_name(), fs::read(&path)?).hash(&mut hasher),
            }
        }
        Ok(format!("{:016x}", hasher.finish()))
    }
}

impl Record {
    fn key(&self) -> (&str, Arm, u64) {
        (&self.subject, self.arm, self.seed)
    }
}

/// The subjects of these names, or all of them.
fn chosen(names: &[String]) -> Result<Vec<&'static Subject>, String> {
    if let Some(name) = names.iter().find(|name| SUBJECTS.iter().all(|it| it.name != **name)) {
        let all = SUBJECTS.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
        return Err(format!("there is no subject {name}: name one of {all}"));
    }
    let is_chosen = |of: &&Subject| names.is_empty() || names.iter().any(|it| it == of.name);
    Ok(SUBJECTS.iter().filter(is_chosen).collect())
}

/// The package of the subjects.
pub fn subjects() -> PathBuf {
    root().join("bench/bridge/subjects")
}

/// What is in a folder, in order.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.file_name().is_some_and(|name| name != "target"));
    paths.sort_unstable();
    Ok(paths)
}

/// Where the record of a run is.
fn path_of(folder: &Path, subject: &str, arm: Arm, seed: u64, seconds: u64) -> PathBuf {
    records_folder(folder, seconds).join(format!("{subject}-{arm:?}-{seed}.json").to_lowercase())
}

fn records_folder(folder: &Path, seconds: u64) -> PathBuf {
    folder.join("runs").join(seconds.to_string())
}

/// Takes out what was run of another build of a subject than most of its runs, and says so: what `uucore` has in it depends on the
/// packages that Cargo has beside it.
fn discard_other_builds(records: &mut Vec<Record>) -> Vec<Record> {
    let mut others = Vec::new();
    for of in &SUBJECTS {
        let mut builds = BTreeMap::<usize, usize>::new();
        for record in records.iter().filter(|it| it.subject == of.name) {
            *builds.entry(record.counters).or_default() += 1;
        }
        let Some((&most, _)) = builds.iter().max_by_key(|it| it.1) else { continue };
        others.extend(records.extract_if(.., |it| it.subject == of.name && it.counters != most));
    }
    for it in &others {
        eprintln!("{}, {}, seed {}: of another build, left out", it.subject, it.arm, it.seed);
    }
    others
}

/// The records that are committed, from whichever machine.
fn committed(seconds: u64) -> Result<Vec<Record>, String> {
    let path = subjects().join(format!("../records-{seconds}.jsonl"));
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| format!("{}: {error}", path.display()))?,
    };
    let records = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    records.map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Option<Record> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Writes a record: what is there is whole.
fn write(path: &Path, record: &Record) -> Result<(), String> {
    let said = |error: io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(said)?;
    let fresh = path.with_extension("new");
    let text = serde_json::to_vec(record).map_err(|error| error.to_string())?;
    fs::write(&fresh, text).and_then(|()| fs::rename(fresh, path)).map_err(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_run_of_another_build_is_taken_out() {
        let record = |arm, seed, counters| Record {
            subject: "dc".into(),
            arm,
            seed,
            seconds: 10,
            made: "there".into(),
            stamp: String::new(),
            processes: 1,
            killed: BTreeMap::new(),
            counters,
            edges: Vec::new(),
            curve: Vec::new(),
            lifting: None,
        };
        let all = [(Arm::Pleach, 1, 9), (Arm::Radamsa, 1, 8), (Arm::Pleach, 2, 9)];
        let mut records = all.map(|(arm, seed, counters)| record(arm, seed, counters)).to_vec();
        let others = discard_other_builds(&mut records);
        assert_eq!((others.len(), others[0].arm, records.len()), (1, Arm::Radamsa, 2));
        assert!(discard_other_builds(&mut records).is_empty() && records.len() == 2);
    }
}
