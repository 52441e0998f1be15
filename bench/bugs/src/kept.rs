//! What runs came to: a file of JSON each in a folder, and the lines of a file that is committed, so that they go on on another
//! machine.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::row::{Row, package, root};

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept<T> {
    /// What tells the run from the others.
    pub key: String,
    /// What tells the programs from others of the same name.
    pub stamp: String,
    /// What it came to.
    #[serde(flatten)]
    pub record: T,
}

/// The records of one kind of runs.
pub struct Records<T> {
    folder: PathBuf,
    committed: PathBuf,
    known: BTreeMap<String, Kept<T>>,
}

impl<T: Clone + Serialize + DeserializeOwned> Records<T> {
    /// Those of a folder, and for runs of which it has none those of a file beside the README.
    pub fn open(folder: PathBuf, committed: &str) -> Result<Self, String> {
        let committed = package().join(committed);
        let mut known = BTreeMap::new();
        let lines = match fs::read_to_string(&committed) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| format!("{}: {error}", committed.display()))?,
        };
        for line in lines.lines() {
            let kept: Kept<T> = serde_json::from_str(line)
                .map_err(|error| format!("{}: {error}", committed.display()))?;
            known.insert(kept.key.clone(), kept);
        }
        let said = |error: io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(said)?;
        for entry in fs::read_dir(&folder).map_err(said)? {
            let path = entry.map_err(said)?.path();
            if path.extension().is_some_and(|end| end == "json")
                && let Some(kept) = read::<Kept<T>>(&path)
            {
                known.insert(kept.key.clone(), kept);
            }
        }
        Ok(Self { folder, committed, known })
    }

    /// That of a run of the same programs.
    pub fn get(&self, key: &str, stamp: &str) -> Option<&T> {
        self.known.get(key).filter(|kept| kept.stamp == stamp).map(|kept| &kept.record)
    }

    /// That of a run, of whichever programs.
    pub fn any(&self, key: &str) -> Option<&T> {
        self.known.get(key).map(|kept| &kept.record)
    }

    /// Those of runs of whichever programs, as far as there are some, the soonest hit first.
    pub fn soonest(
        &self,
        keys: impl Iterator<Item = String>,
        hit: impl Fn(&T) -> Option<f64>,
    ) -> Vec<T> {
        let mut all: Vec<T> = keys.filter_map(|key| self.any(&key)).cloned().collect();
        let seconds = |record: &T| hit(record).unwrap_or(f64::INFINITY);
        all.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        all
    }

    /// Whether there is one of a run of other programs.
    pub fn is_stale(&self, key: &str, stamp: &str) -> bool {
        self.known.get(key).is_some_and(|kept| kept.stamp != stamp)
    }

    /// Keeps what a run came to.
    pub fn put(&mut self, key: String, stamp: &str, record: T) -> Result<(), String> {
        let path = self.folder.join(format!("{}.json", key.replace('/', "-")));
        let kept = Kept { key, stamp: stamp.to_owned(), record };
        let text = serde_json::to_vec_pretty(&kept).map_err(|error| error.to_string())?;
        let fresh = path.with_extension("new");
        fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        self.known.insert(kept.key.clone(), kept);
        Ok(())
    }

    /// Writes all to the file beside the README.
    pub fn commit(&self) -> Result<(), String> {
        let lines: Result<String, serde_json::Error> =
            self.known.values().map(|it| Ok(serde_json::to_string(it)? + "\n")).collect();
        let lines = lines.map_err(|error| error.to_string())?;
        fs::write(&self.committed, lines)
            .map_err(|error| format!("{}: {error}", self.committed.display()))
    }
}

/// What is in a file, if it is there and of this kind.
fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// The sources of what runs programs in the machine: of the bridge, and of what it is on.
pub const INSIDE: [&str; 4] =
    ["crates/bridge/src", "crates/concolic/src", "crates/explore/src", "crates/solver/src"];

/// The sources of what runs units natively, but for the arguments and the report of the command.
pub const NATIVE: [&str; 11] = [
    "crates/bridge/src/system.rs",
    "crates/concolic/src/build",
    "crates/explore/src/native.rs",
    "crates/native/src",
    "crates/unit/src",
    "src/bin/pleach/bridge/native/campaign.rs",
    "src/bin/pleach/bridge/native/ear.rs",
    "src/bin/pleach/bridge/native/marked.rs",
    "src/bin/pleach/bridge/native/outcome.rs",
    "src/bin/pleach/bridge/native/suspicion.rs",
    "src/bin/pleach/bridge/native/system.rs",
];

/// What tells runs of a row from those of other sources: of crates of this repository, by their folders, and of the row.
pub fn stamp(row: &Row, crates: &[&str]) -> Result<String, String> {
    stamp_of(crates, &[row.folder()])
}

/// The same of folders that are no row's.
pub fn stamp_of(crates: &[&str], folders: &[&Path]) -> Result<String, String> {
    let mut hasher = DefaultHasher::new();
    for path in crates {
        hash(&root().join(path), &mut hasher)?;
    }
    folders.iter().try_for_each(|folder| hash(folder, &mut hasher))?;
    Ok(format!("{:016x}", hasher.finish()))
}

/// Hashes a file, or those of a folder.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> Result<(), String> {
    let said = |error: io::Error| format!("{}: {error}", path.display());
    if !path.is_dir() {
        fs::read(path).map_err(said)?.hash(hasher);
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(said)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>().map_err(said)?;
    paths.sort_unstable();
    paths.iter().try_for_each(|path| hash(path, hasher))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Run {
        hit: Option<f64>,
    }

    #[test]
    fn a_record_is_of_its_programs_and_outlives_the_process() {
        let folder = std::env::temp_dir().join(format!("pleach-bugs-kept-{}", std::process::id()));
        let open = || Records::<Run>::open(folder.clone(), "no-such-file.jsonl").unwrap();
        let run = Run { hit: Some(0.5) };
        open().put("a/1".into(), "x", run.clone()).unwrap();
        let again = open();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(again.get("a/1", "x"), Some(&run));
        assert_eq!(again.get("a/1", "y"), None);
        assert!(again.is_stale("a/1", "y") && !again.is_stale("a/1", "x"));
        assert_eq!(again.any("a/1"), Some(&run));
        assert_eq!(again.any("a/2"), None);
    }

    #[test]
    fn a_stamp_is_of_what_is_named() {
        let rows = crate::row::rows(&["cron".into(), "ron".into()]).unwrap();
        let (one, other) = (["crates/solver/src"], ["crates/explore/src"]);
        let stamps = [
            stamp(&rows[0], &one).unwrap(),
            stamp(&rows[0], &other).unwrap(),
            stamp(&rows[1], &one).unwrap(),
        ];
        assert_eq!(stamp(&rows[0], &one).unwrap(), stamps[0]);
        assert!(stamps[1] != stamps[0] && stamps[2] != stamps[0]);
    }
}
