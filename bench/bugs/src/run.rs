//! `pleach-bugs run`: the runs, two at a time, each to a record.

use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use experiment::{attend, dictionary, remove};
use harness::{ELSEWHERE, HIT};

use crate::check::with_stack;
use crate::draw;
use crate::plan::{Corpus, Job, Method, QUICK};
use crate::programs;
use crate::record::{LIMITS, Record, committed, file_of, folder_of, records};
use crate::row::{Row, root, rows};

/// The most times that an engine is started in a run.
const STARTS: u32 = 1000;

#[derive(Args)]
pub struct Run {
    /// Rows [default: all]
    rows: Vec<String>,
    /// Methods
    #[arg(long, value_delimiter = ',', default_value = "libfuzzer,pleach,nautilus")]
    methods: Vec<Method>,
    /// The limit of a run, in seconds of CPU time
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// How many seeds: 1, 2 and so on
    #[arg(long, default_value_t = 3)]
    seeds: u32,
    /// How many runs at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only ten of the rows that are deep, as drawn
    #[arg(long)]
    deep: bool,
    /// Leaves out the rows that are not for tuning
    #[arg(long)]
    tuning: bool,
    /// The short form: three rows, ten seconds, one seed, libFuzzer and pleach
    #[arg(long, conflicts_with_all = ["rows", "methods", "seconds", "seeds", "deep", "tuning"])]
    quick: bool,
}

/// The programs, dictionaries and seeds of some runs.
pub struct Made {
    executable: PathBuf,
    dictionary: Option<PathBuf>,
    seeds: Vec<Vec<u8>>,
    stamp: String,
    /// What says how many edges a corpus runs, where that is asked.
    replays: Option<PathBuf>,
    /// Whether a run's corpus is left.
    keeps: bool,
}

impl Run {
    /// Makes all runs that have no record yet.
    pub fn run(mut self, folder: &Path) -> Result<ExitCode, String> {
        if self.quick {
            self.rows = QUICK.map(String::from).to_vec();
            self.methods = vec![Method::LibFuzzer, Method::Pleach];
            (self.seconds, self.seeds) = (10, 1);
        }
        let deep = draw::deep(&rows(&[])?);
        let rows = rows(&self.rows)?;
        let chosen = |row: &&Row| {
            (deep.contains(&row.name) || !self.deep) && (row.facts.tuning || !self.tuning)
        };
        let (mut jobs, mut failed) = (Vec::new(), 0);
        for row in rows.iter().filter(chosen) {
            for method in self.methods.iter().copied().filter(|method| method.runs(row)) {
                eprintln!("building {} for {method}", row.name);
                let seeds: io::Result<_> = row.seeds()?.iter().map(std::fs::read).collect();
                let made = match seeds.and_then(|seeds| make(row, method, folder, seeds)) {
                    Ok(made) => Arc::new(made),
                    // The runs of the others take hours, and need not wait for it.
                    Err(error) => {
                        failed += 1;
                        println!("{}, {method}: {error}", row.name);
                        continue;
                    }
                };
                jobs.extend((1..=self.seeds).map(|seed| {
                    let (corpus, seconds) = (Corpus::Row, self.seconds);
                    (Job { row, method, corpus, seed, seconds }, made.clone())
                }));
            }
        }
        failed += all(jobs, self.jobs, folder, &committed(self.seconds)?).1;
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }
}

/// Makes runs, some at once, and says what each came to: their records, and how many failed.
pub fn all<'r>(
    jobs: Vec<(Job<'r>, Arc<Made>)>,
    at_once: usize,
    folder: &Path,
    committed: &[Record],
) -> (Vec<(Job<'r>, Record)>, usize) {
    let queue = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new((Vec::new(), 0));
    std::thread::scope(|scope| {
        for _ in 0..at_once.max(1) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics with it").pop_front();
                    let Some((job, made)) = next else { break };
                    let record = outcome(&job, &made, folder, committed);
                    let mut done = done.lock().expect("no thread panics with it");
                    match record {
                        Ok(record) => {
                            println!("{job}: {}", said(&record));
                            done.0.push((job, record));
                        }
                        Err(error) => {
                            println!("{job}: {error}");
                            done.1 += 1;
                        }
                    }
                }
            });
        }
    });
    done.into_inner().expect("no thread panics with it")
}

/// A run's result in a line.
fn said(record: &Record) -> String {
    let what = match record.hit {
        Some(at) => format!("found after {at:.2} s"),
        None => format!("not found in {:.2} s", record.cpu),
    };
    match record.elsewhere.len() {
        0 => what,
        others => format!("{what}; {others} other places"),
    }
}

/// Builds what a method runs a row with, from some seeds on.
pub fn make(row: &Row, method: Method, folder: &Path, seeds: Vec<Vec<u8>>) -> io::Result<Made> {
    let executable = programs::build(row, method.program(), folder)?;
    let mut hasher = DefaultHasher::new();
    programs::hash(row, method.program(), folder, &mut hasher)?;
    let mut dictionary_path = None;
    if let Some(grammar) = row.grammar() {
        std::fs::read(&grammar)?.hash(&mut hasher);
        let words = dictionary(&root(), &grammar)?;
        words.hash(&mut hasher);
        dictionary_path = keep_words(&folder.join("dictionaries"), &row.name, &words)?;
    }
    for seed in &seeds {
        seed.hash(&mut hasher);
    }
    let stamp = format!("{:016x}", hasher.finish());
    Ok(Made { executable, dictionary: dictionary_path, seeds, stamp, replays: None, keeps: false })
}

impl Made {
    /// The same from other seeds on, where a program tells how many edges a corpus runs.
    pub fn from(&self, seeds: Vec<Vec<u8>>, replays: PathBuf) -> Self {
        let mut hasher = DefaultHasher::new();
        (&self.stamp, &seeds).hash(&mut hasher);
        Self {
            executable: self.executable.clone(),
            dictionary: self.dictionary.clone(),
            seeds,
            stamp: format!("{:016x}", hasher.finish()),
            replays: Some(replays),
            keeps: false,
        }
    }

    /// The same, whose runs leave their corpora.
    pub fn keeping(self) -> Self {
        Self { keeps: true, ..self }
    }

    /// The program.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// What its runs begin with.
    pub fn seeds(&self) -> &[Vec<u8>] {
        &self.seeds
    }

    /// What tells it apart from others of its name.
    pub fn stamp(&self) -> &str {
        &self.stamp
    }

    /// libFuzzer's command, but for when to look for new files of others.
    pub fn command(&self, seed: u32) -> Command {
        let mut command = with_stack(&self.executable);
        command
            .args(["corpus", &format!("-seed={seed}"), "-max_len=4096"])
            .args(self.dictionary.as_ref().map(|path| format!("-dict={}", path.display())))
            // Hangs are the harness' to see.
            .args(["-timeout=300", "-rss_limit_mb=4096"])
            .args(["-print_final_stats=1", "-artifact_prefix=artifacts/"]);
        command
    }
}

/// Writes a dictionary, if it has a word: the engine refuses a file without.
fn keep_words(folder: &Path, name: &str, words: &[u8]) -> io::Result<Option<PathBuf>> {
    if words.is_empty() {
        return Ok(None);
    }
    let path = folder.join(format!("{name}.dict"));
    std::fs::create_dir_all(folder)?;
    std::fs::write(&path, words)?;
    Ok(Some(path))
}

/// Makes a run, or tells what it came to before, here or where what is committed was run.
fn outcome(job: &Job<'_>, made: &Made, folder: &Path, committed: &[Record]) -> io::Result<Record> {
    let file = file_of(folder, job);
    if let Some(record) = Record::read(&file, &made.stamp) {
        return Ok(record);
    }
    let is_same = |record: &&Record| {
        let run = (&record.row, record.method, record.seed);
        run == (&job.row.name, job.method, job.seed) && record.stamp == made.stamp
    };
    if let Some(record) = committed.iter().find(is_same) {
        return Ok(record.clone());
    }
    if job.corpus == Corpus::Row
        && let Some(record) = hit_sooner(job, made, folder)?
    {
        std::fs::create_dir_all(folder_of(folder, job))?;
        record.write(&file)?;
        return Ok(record);
    }
    let place = folder_of(folder, job);
    let mut record = fuzz(job, made, &place)?;
    if let Some(program) = &made.replays {
        record.edges = Some(edges(program, &place)?);
    }
    // What is kept is the log and the input of a hit.
    if !made.keeps {
        remove(&place.join("corpus"))?;
    }
    remove(&place.join("outputs"))?;
    record.write(&file)?;
    Ok(record)
}

/// The record of a run of the same with less time that found the fault: with more it would have ended there too.
fn hit_sooner(job: &Job<'_>, made: &Made, folder: &Path) -> io::Result<Option<Record>> {
    for seconds in LIMITS.into_iter().filter(|&seconds| seconds < job.seconds) {
        let records = records(folder, seconds).map_err(io::Error::other)?;
        let hit = records.into_iter().find(|record| {
            let run = (&record.row, record.method, record.seed);
            run == (&job.row.name, job.method, job.seed)
                && record.stamp == made.stamp
                && record.hit.is_some()
        });
        if let Some(record) = hit {
            return Ok(Some(Record { seconds: job.seconds, ..record }));
        }
    }
    Ok(None)
}

/// How many edges a corpus runs, as the engine says of the program without pleach. An input that ends this program, as one of the seeds may
/// that is the fault, is taken out of the corpus.
pub fn edges(program: &Path, place: &Path) -> io::Result<u64> {
    loop {
        let output = with_stack(program)
            .args(["corpus", "-runs=0", "-max_len=4096", "-timeout=300", "-rss_limit_mb=4096"])
            .current_dir(place)
            .output()?;
        let kept = match output.status.code() {
            Some(HIT) => Some("hit"),
            Some(ELSEWHERE) => Some("passed-over"),
            _ => None,
        };
        if let Some(kept) = kept
            && take_out(place, kept)?
        {
            continue;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let found = said.lines().rev().find_map(|line| {
            let (_, rest) = line.split_once(" cov: ")?;
            rest.split(' ').next()?.parse().ok()
        });
        return found.ok_or_else(|| {
            io::Error::other(format!("the corpus was not read: {}", output.status))
        });
    }
}

/// Removes the input that ended a program, which the harness kept, from its corpus, and tells whether it was there.
fn take_out(place: &Path, kept: &str) -> io::Result<bool> {
    let input = std::fs::read(place.join(kept))?;
    let mut found = false;
    for entry in std::fs::read_dir(place.join("corpus"))? {
        let path = entry?.path();
        if std::fs::read(&path)? == input {
            std::fs::remove_file(&path)?;
            found = true;
        }
    }
    Ok(found)
}

/// Fuzzes until the fault is found or the time is spent, in a folder that is made anew.
pub fn fuzz(job: &Job<'_>, made: &Made, place: &Path) -> io::Result<Record> {
    remove(place)?;
    let corpus = place.join("corpus");
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(place.join("artifacts"))?;
    for (number, seed) in made.seeds.iter().enumerate() {
        std::fs::write(corpus.join(format!("{number:05}")), seed)?;
    }
    let limit = Duration::from_secs(job.seconds);
    let mut spent = Duration::ZERO;
    let mut record = Record {
        row: job.row.name.clone(),
        method: job.method,
        seed: job.seed,
        seconds: job.seconds,
        stamp: made.stamp.clone(),
        hit: None,
        cpu: 0.0,
        starts: 0,
        elsewhere: Default::default(),
        edges: None,
    };
    while spent < limit && record.starts < STARTS {
        let log = place.join(format!("log-{}", record.starts));
        let mut command = command(job, made, record.starts);
        command
            .current_dir(place)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?);
        let mut child = command.spawn()?;
        let used = attend(&mut child, Some(limit - spent));
        if used.is_err() {
            let _ = child.kill();
        }
        let status = child.wait()?;
        spent += used?;
        record.starts += 1;
        let said = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
        for other in said.lines().filter_map(|line| line.strip_prefix("bugs: elsewhere ")) {
            *record.elsewhere.entry(other.to_owned()).or_default() += 1;
        }
        match status.code() {
            Some(HIT) => {
                record.hit = Some(spent.as_secs_f64());
                break;
            }
            Some(ELSEWHERE) => {}
            Some(0) if spent >= limit => {}
            _ => *record.elsewhere.entry(unforeseen(status, &said)?).or_default() += 1,
        }
    }
    record.cpu = spent.as_secs_f64();
    Ok(record)
}

/// What to call an end that the harness did not see, such as that of a process that has no memory left.
fn unforeseen(status: ExitStatus, said: &str) -> io::Result<String> {
    let begun = said.lines().any(|line| line.starts_with('#'));
    let tail = || said.lines().rev().take(5).collect::<Vec<_>>().join("; ");
    if !begun || status.success() {
        return Err(io::Error::other(format!("the engine failed: {status}: {}", tail())));
    }
    let summary = said.lines().find_map(|line| line.strip_prefix("SUMMARY: libFuzzer: "));
    Ok(summary.map_or_else(|| status.to_string(), str::to_owned))
}

/// The engine's command. A start after the first has another seed: with the same it would find the same.
fn command(job: &Job<'_>, made: &Made, starts: u32) -> Command {
    let seed = job.seed + starts * 1000;
    if job.method == Method::Nautilus {
        let mut command = with_stack(&made.executable);
        command.args(job.row.grammar()).arg(seed.to_string()).arg(u64::MAX.to_string());
        return command;
    }
    let mut command = made.command(seed);
    // That goes by the clock.
    command.arg("-reload=0");
    command
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn a_grammar_without_words_has_no_dictionary() {
        let folder = std::env::temp_dir().join(format!("pleach-bugs-words-{}", std::process::id()));
        assert_eq!(keep_words(&folder, "a", b"").unwrap(), None);
        let path = keep_words(&folder, "a", b"\"word\"\n").unwrap().unwrap();
        let kept = std::fs::read(path);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(kept.unwrap(), b"\"word\"\n");
    }

    #[test]
    fn an_engine_that_did_not_begin_is_an_error_and_a_death_in_between_is_not() {
        let killed = ExitStatus::from_raw(9);
        assert!(unforeseen(killed, "no such file").is_err());
        let oom = "#2 INITED\nSUMMARY: libFuzzer: out-of-memory\n";
        assert_eq!(unforeseen(ExitStatus::from_raw(71 << 8), oom).unwrap(), "out-of-memory");
        assert_eq!(unforeseen(killed, "#2 INITED\n").unwrap(), "signal: 9 (SIGKILL)");
        assert!(unforeseen(ExitStatus::from_raw(0), oom).is_err());
    }
}
