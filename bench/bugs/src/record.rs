//! What a run came to, and the file it is kept in.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::plan::{Corpus, Job, Method};
use crate::row::package;

/// The limits, in seconds of CPU time, whose records are committed: those of all rows, and of ten at length.
pub const LIMITS: [u64; 2] = [120, 600];

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The row's name.
    pub row: String,
    /// The method.
    pub method: Method,
    /// The engine's seed.
    pub seed: u32,
    /// The limit, in seconds of CPU time.
    pub seconds: u64,
    /// What tells programs of one name apart.
    pub stamp: String,
    /// After how many seconds of CPU time the fault was found.
    pub hit: Option<f64>,
    /// How many seconds were spent.
    pub cpu: f64,
    /// How often the engine was started: once, and again after each end that is no hit.
    pub starts: u32,
    /// How often each other fault was come upon: once a start where it is passed over.
    pub elsewhere: BTreeMap<String, u32>,
    /// How many edges the corpus runs in the program without pleach, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<u64>,
}

/// The folder of a run: the engine's working directory, and the record beside it.
pub fn folder_of(folder: &Path, job: &Job<'_>) -> PathBuf {
    let Job { row, method, corpus, seed, seconds } = job;
    let runs = match corpus {
        Corpus::Row => runs(folder),
        other => folder.join("corpora").join(other.to_string()),
    };
    runs.join(seconds.to_string()).join(&row.name).join(format!("{method}-{seed}"))
}

/// The file of a run's record.
pub fn file_of(folder: &Path, job: &Job<'_>) -> PathBuf {
    folder_of(folder, job).with_extension("json")
}

/// Where all records are.
pub fn runs(folder: &Path) -> PathBuf {
    folder.join("runs")
}

impl Record {
    /// Reads a record, where there is one of the same programs.
    pub fn read(path: &Path, stamp: &str) -> Option<Self> {
        let record: Self = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        (record.stamp == stamp).then_some(record)
    }

    /// Writes the record: what is there is whole.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let fresh = path.with_extension("new");
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        std::fs::write(&fresh, text)?;
        std::fs::rename(fresh, path)
    }
}

/// The file beside the README that has the records of a limit, one a line, from whichever machine.
pub fn committed_file(seconds: u64) -> PathBuf {
    package().join(format!("records-{seconds}.jsonl"))
}

/// The records of a limit that are committed.
///
/// # Errors
///
/// Where the file cannot be read, or has a line that is none.
pub fn committed(seconds: u64) -> Result<Vec<Record>, String> {
    let path = committed_file(seconds);
    let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| said(&error))?,
    };
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| said(&error))).collect()
}

/// Records as [`committed`] reads them.
///
/// # Errors
///
/// Where one cannot be written as JSON.
pub fn lines(records: &[Record]) -> Result<String, serde_json::Error> {
    let lines = records.iter().map(|record| Ok(serde_json::to_string(record)? + "\n"));
    lines.collect()
}

/// All records of a limit, by row, method and seed: those that are committed, and instead of these what the folder has.
///
/// # Errors
///
/// Where one cannot be read.
pub fn records(folder: &Path, seconds: u64) -> Result<Vec<Record>, String> {
    let mut records = BTreeMap::new();
    let mut add = |record: Record| {
        records.insert((record.row.clone(), record.method, record.seed), record);
    };
    committed(seconds)?.into_iter().for_each(&mut add);
    let of_limit = runs(folder).join(seconds.to_string());
    let list = |folder: &Path| -> io::Result<Vec<PathBuf>> {
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let rows = match list(&of_limit) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        rows => rows.map_err(|error| format!("{}: {error}", of_limit.display()))?,
    };
    for row in rows {
        let files = list(&row).map_err(|error| format!("{}: {error}", row.display()))?;
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
            let text =
                std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let record: Record = serde_json::from_slice(&text)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            add(record);
        }
    }
    Ok(records.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_for_the_same_programs_alone() {
        let record = Record {
            row: "a".into(),
            method: Method::Pleach,
            seed: 2,
            seconds: 10,
            stamp: "x".into(),
            hit: Some(1.25),
            cpu: 1.25,
            starts: 3,
            elsewhere: BTreeMap::from([("b-1/src/lib.rs:2".into(), 2)]),
            edges: Some(3),
        };
        let path = std::env::temp_dir().join(format!("pleach-bugs-{}.json", std::process::id()));
        record.write(&path).unwrap();
        let (same, other) = (Record::read(&path, "x"), Record::read(&path, "y"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(same.as_ref(), Some(&record));
        assert_eq!(other, None);
        let line = lines(std::slice::from_ref(&record)).unwrap();
        assert_eq!(serde_json::from_str::<Record>(line.trim_end()).unwrap(), record);
    }

    #[test]
    fn what_is_committed_can_be_read_and_each_run_has_one_record() {
        for seconds in LIMITS {
            let all = committed(seconds).unwrap();
            assert!(all.iter().all(|record| record.seconds == seconds));
            assert!(
                all.is_sorted_by(|a, b| {
                    (&a.row, a.method, a.seed) < (&b.row, b.method, b.seed)
                })
            );
        }
    }
}
