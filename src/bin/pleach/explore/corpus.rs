//! Folders that a fuzzer reads and writes beside the search.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::inputs::{self, Bounds, Input, shown};
use crate::output::{Sink, content_name, write_whole};

/// How often folders are looked at again, at most.
const POLL: Duration = Duration::from_secs(1);

/// Folders of inputs that others add to. A file is read once: fuzzers write theirs whole and leave them as they are.
pub(super) struct Corpora {
    folders: Vec<PathBuf>,
    read: HashSet<PathBuf>,
    next: Instant,
}

impl Corpora {
    pub(super) fn new(folders: &[PathBuf]) -> Self {
        Self { folders: folders.to_vec(), read: HashSet::new(), next: Instant::now() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// What is new since the last time, the shortest first. Folders that are not there yet, and what can't be read now, may come later.
    pub(super) fn poll(&mut self, bounds: &Bounds) -> Vec<Vec<u8>> {
        if self.is_empty() || Instant::now() < self.next {
            return Vec::new();
        }
        let began = Instant::now();
        let mut inputs = Vec::new();
        let there: Vec<PathBuf> = self.folders.iter().filter(|it| it.is_dir()).cloned().collect();
        for file in inputs::find(&there).unwrap_or_default() {
            if is_hidden(&file) || self.read.contains(&file.path) {
                continue;
            }
            let mut bytes = Vec::new();
            if file.read(bounds, &mut bytes).is_ok() {
                inputs.push(bytes);
            }
            self.read.insert(file.path);
        }
        inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        // Of a folder of very many files most of the time is left for the search.
        self.next = Instant::now() + POLL.max(10 * began.elapsed());
        inputs
    }
}

/// AFL++ keeps notes in folders whose names begin with a dot, and a README among crashes.
fn is_hidden(file: &Input) -> bool {
    let dotted = |part: std::path::Component<'_>| {
        part.as_os_str().to_str().is_some_and(|name| name.starts_with('.') && name.len() > 2)
    };
    file.path.components().any(dotted)
}

/// Where new inputs go.
pub(super) enum Found {
    /// Under names made of their content, which libFuzzer takes as any others.
    Named(Sink),
    /// Under numbers, by which AFL++ knows what it has not seen yet.
    Numbered { folder: PathBuf, next: u64, known: HashSet<u64> },
}

impl Found {
    /// A folder for new inputs beside these corpora: numbered if it is a queue and one of these is AFL++'s.
    pub(super) fn new(folder: &Path, corpora: &[PathBuf]) -> Result<Self, Failure> {
        let beside_afl = corpora.iter().any(|corpus| is_queue(corpus));
        if !beside_afl {
            return Ok(Self::Named(Sink::folder(folder, String::new())?));
        }
        if corpora.iter().any(|corpus| is_queue(corpus) && is_same(corpus, folder)) {
            return Err(Failure::input(format!(
                "error: -o {}: afl-fuzz does not read its own queue again: name the queue of another instance, such as SYNC/pleach/queue",
                shown(folder)
            )));
        }
        if folder.file_name().is_none_or(|name| name != "queue") {
            return Err(Failure::input(format!(
                "error: -o {}: beside AFL++ it is SYNC/NAME/queue, where SYNC is the folder that afl-fuzz was given with -o and NAME is new: it takes inputs over from there",
                shown(folder)
            )));
        }
        fs::create_dir_all(folder).map_err(|error| {
            Failure::input(format!("error: cannot make the folder {}: {error}", shown(folder)))
        })?;
        let (mut next, mut known) = (0, HashSet::new());
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some((number, hash)) = name.to_str().and_then(parts) else { continue };
            next = next.max(number + 1);
            known.extend(hash);
        }
        Ok(Self::Numbered { folder: folder.into(), next, known })
    }

    /// Writes an input, if it is not there already.
    pub(super) fn put(&mut self, input: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Named(sink) => sink.put(input),
            Self::Numbered { folder, next, known } => {
                let name = content_name(input);
                if !known.insert(name) {
                    return Ok(());
                }
                // What somebody else has put there meanwhile keeps its name.
                let path = loop {
                    let path = folder.join(format!("id:{next:06},pleach:{name:016x}"));
                    *next += 1;
                    if path.symlink_metadata().is_err() {
                        break path;
                    }
                };
                write_whole(&path, input)
            }
        }
    }
}

/// The number of a file of a queue, and the hash of its content if pleach wrote it.
fn parts(name: &str) -> Option<(u64, Option<u64>)> {
    let rest = name.strip_prefix("id:")?;
    let digits = rest.split(|it: char| !it.is_ascii_digit()).next()?;
    let hash = rest.split_once(",pleach:").and_then(|(_, it)| u64::from_str_radix(it, 16).ok());
    Some((digits.parse().ok()?, hash))
}

/// Whether a folder is a queue of AFL++.
fn is_queue(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    { entries }.any(|entry| entry.file_name().to_str().is_some_and(|it| it.starts_with("id:")))
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Where failing inputs go: a folder of the output; beside a queue, as AFL++ has it; or, where the output is a corpus that a fuzzer reads
/// with all its folders, one beside that.
pub(super) fn crashes(output: &Path, found: &Found, corpora: &[PathBuf]) -> PathBuf {
    if matches!(found, Found::Numbered { .. }) {
        return output.with_file_name("crashes");
    }
    if !corpora.iter().any(|corpus| is_same(corpus, output)) {
        return output.join("crashes");
    }
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push("-crashes");
    output.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_queue_are_read() {
        assert_eq!(parts("id:000012,src:000001,time:3,+cov"), Some((12, None)));
        assert_eq!(parts("id:000003,pleach:00000000000000ff"), Some((3, Some(255))));
        assert_eq!(parts("README.txt"), None);
        assert_eq!(parts("id:x"), None);
    }
}
