//! What a run came to, and the file it is kept in.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::plan::{Job, Method};

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
}

/// The folder of a run: the engine's working directory, and the record beside it.
pub fn folder_of(folder: &Path, job: &Job<'_>) -> PathBuf {
    let Job { row, method, seed, seconds } = job;
    runs(folder).join(seconds.to_string()).join(&row.name).join(format!("{method}-{seed}"))
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

/// All records of a limit, by row, method and seed.
///
/// # Errors
///
/// Where one cannot be read.
pub fn records(folder: &Path, seconds: u64) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let of_limit = runs(folder).join(seconds.to_string());
    let list = |folder: &Path| -> io::Result<Vec<PathBuf>> {
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let rows = list(&of_limit).map_err(|error| format!("{}: {error}", of_limit.display()))?;
    for row in rows {
        let files = list(&row).map_err(|error| format!("{}: {error}", row.display()))?;
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
            let text =
                std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let record: Record = serde_json::from_slice(&text)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            records.push(record);
        }
    }
    records.sort_by(|a, b| (&a.row, a.method, a.seed).cmp(&(&b.row, b.method, b.seed)));
    Ok(records)
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
        };
        let path = std::env::temp_dir().join(format!("pleach-bugs-{}.json", std::process::id()));
        record.write(&path).unwrap();
        let (same, other) = (Record::read(&path, "x"), Record::read(&path, "y"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(same, Some(record));
        assert_eq!(other, None);
    }
}
