//! A subject with counters, run as one process for each input.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{cargo, discard_other, host, libfuzzer, wrapper};
use pleach_explore::parts;

use super::SUBJECTS;
use crate::explore::now;

/// The variable that names the file to which a subject writes its counters.
const FILE: &str = "PLEACH_SUBJECT_COUNTERS";

/// Builds a subject of a package with counters in its own crates, and gives the program.
pub fn build(name: &str, package: &Path, folder: &Path) -> io::Result<PathBuf> {
    let crates: Vec<String> = SUBJECTS
        .iter()
        .flat_map(|subject| subject.crates)
        .map(|name| name.replace('-', "_"))
        .collect();
    let (crates, host) = (crates.join(","), host()?);
    let target = folder.join("counted");
    discard_other(&target, &format!("{}\n{crates}\n", libfuzzer::COUNTERS))?;
    let manifest = package.join("Cargo.toml");
    // What `uucore` has in it depends on the packages that Cargo has beside it: all have to be there before the first one is built.
    let fetched = Command::new(cargo())
        .args(["fetch", "--quiet", "--locked", "--manifest-path"])
        .arg(&manifest)
        .status()?;
    if !fetched.success() {
        return Err(io::Error::other("the subjects' packages are not to be had"));
    }
    let status = Command::new(cargo())
        .args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--bin",
            name,
            "--features",
            name,
            "--target",
            &host,
            "--target-dir",
        ])
        .arg(&target)
        .arg("--manifest-path")
        .arg(&manifest)
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")
        .env("RUSTC_WRAPPER", std::env::current_exe()?)
        .env(wrapper::CRATES, crates)
        .env(wrapper::ADDED, libfuzzer::COUNTERS)
        .status()?;
    match status.success() {
        true => Ok(target.join(host).join("release").join(name)),
        false => Err(io::Error::other(format!("{name} was not built"))),
    }
}

/// A subject with counters, and what its runs have come to so far.
pub struct Counted {
    program: PathBuf,
    /// The folder that it runs in, and the file of its counters.
    place: PathBuf,
    counters: PathBuf,
    begin: f64,
    /// Seconds after which it does not run any more.
    limit: f64,
    seen: Vec<bool>,
    /// How many processes there were.
    pub runs: u64,
    /// After how many seconds of CPU time how many edges had been taken.
    pub curve: Vec<(f64, u64)>,
    /// Signals that have ended a process, and how often.
    pub killed: std::collections::BTreeMap<i32, u64>,
}

impl Counted {
    /// One without runs, whose time of so many seconds begins now.
    pub fn new(program: PathBuf, limit: f64, folder: &Path) -> Result<Self, String> {
        let place = folder.join("place");
        let made = fs::create_dir_all(&place);
        made.map_err(|error| format!("{}: {error}", place.display()))?;
        Ok(Self {
            program,
            place,
            counters: folder.join("counters"),
            begin: now()?,
            limit,
            seen: Vec::new(),
            runs: 0,
            curve: Vec::new(),
            killed: Default::default(),
        })
    }

    /// Seconds of CPU time since it was made.
    fn spent(&self) -> Result<f64, String> {
        Ok(now()? - self.begin)
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> Result<bool, String> {
        Ok(self.spent()? >= self.limit)
    }

    /// How many edges have been taken.
    pub fn edges(&self) -> u64 {
        self.curve.last().map_or(0, |&(_, edges)| edges)
    }

    /// How many edges there are, taken or not.
    pub fn counters(&self) -> usize {
        self.seen.len()
    }

    /// The edges that have been taken, by their numbers.
    pub fn taken(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.seen).filter(|(_, is_seen)| **is_seen).map(|(edge, _)| edge)
    }

    /// Runs it on an input, unless the time is over, and tells whether it took an edge that no input before had.
    pub fn run(&mut self, text: &[u8]) -> Result<bool, String> {
        if self.is_over()? {
            return Ok(false);
        }
        let counters = self.process(text);
        let counters = counters.map_err(|error| format!("{}: {error}", self.program.display()))?;
        self.seen.resize(self.seen.len().max(counters.len()), false);
        let mut new = 0;
        for (is_seen, counter) in self.seen.iter_mut().zip(counters) {
            new += u64::from(counter != 0 && !*is_seen);
            *is_seen |= counter != 0;
        }
        if new > 0 {
            // To a hundredth: the files are not to be large.
            let spent = (100.0 * self.spent()?).round() / 100.0;
            self.curve.push((spent, self.edges() + new));
        }
        Ok(new > 0)
    }

    /// The counters of a process; none where it was ended by a signal, or there can be none with such arguments.
    fn process(&mut self, text: &[u8]) -> io::Result<Vec<u8>> {
        let input = parts::input(text);
        let mut command = Command::new(&self.program);
        command.args(input.arguments.iter().map(|it| std::ffi::OsStr::from_bytes(it)));
        for (name, value) in &input.environment {
            command.env(name, std::ffi::OsStr::from_bytes(value));
        }
        for (path, text) in &input.files {
            fs::write(self.place.join(path.file_name().unwrap_or_default()), text)?;
        }
        command.env(FILE, &self.counters).current_dir(&self.place);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = match command.spawn() {
            // A zero in an argument.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(Vec::new()),
            child => child?,
        };
        self.runs += 1;
        // A program need not read it all.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(&input.bytes));
        let status = child.wait()?;
        for entry in fs::read_dir(&self.place)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
        if let Some(signal) = status.signal() {
            *self.killed.entry(signal).or_default() += 1;
            return Ok(Vec::new());
        }
        let mut counters = Vec::new();
        io::Read::read_to_end(&mut File::open(&self.counters)?, &mut counters)?;
        fs::remove_file(&self.counters)?;
        Ok(counters)
    }
}
