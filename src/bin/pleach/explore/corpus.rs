//! Folders that a fuzzer reads and writes beside the search.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::failure::{Failure, to_stderr};
use crate::inputs::{self, Bounds, Input, shown};
use crate::output::{Folder, content_name, write_whole};

/// How often folders are looked at again, at most.
const POLL: Duration = Duration::from_secs(1);

/// Folders of inputs that others add to. A file is read again where its length has changed: it may have been half written.
pub(super) struct Corpora {
    folders: Vec<PathBuf>,
    /// The files that were read, and how long they were.
    read: HashMap<PathBuf, u64>,
    next: Instant,
}

impl Corpora {
    /// Folders, which need not be there yet.
    pub(super) fn new(folders: &[PathBuf]) -> Result<Self, Failure> {
        for folder in folders {
            if !folder.exists() {
                to_stderr(format_args!("--corpus {}: it is not there yet", shown(folder)));
            } else if !folder.is_dir() {
                let name = shown(folder);
                return Err(Failure::input(format!(
                    "error: --corpus {name}: it is no folder: name inputs to begin with as SEED"
                )));
            }
        }
        Ok(Self { folders: folders.to_vec(), read: HashMap::new(), next: Instant::now() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// What is new since the last time, the shortest first, as far as it is within the bounds. Folders that are not there yet, and what
    /// can't be read now, may come later.
    pub(super) fn poll(&mut self, bounds: &Bounds) -> Vec<Vec<u8>> {
        if self.is_empty() || Instant::now() < self.next {
            return Vec::new();
        }
        let began = Instant::now();
        let mut inputs = Vec::new();
        for folder in self.folders.iter().filter(|it| it.is_dir()) {
            for file in inputs::find(std::slice::from_ref(folder)).unwrap_or_default() {
                if is_hidden(&file, folder) {
                    continue;
                }
                let known = self.read.get(&file.path).copied();
                let is_as_it_was =
                    |known| fs::metadata(&file.path).is_ok_and(|it| it.len() == known);
                let mut bytes = Vec::new();
                if known.is_some_and(is_as_it_was) || file.read(bounds, &mut bytes).is_err() {
                    continue;
                }
                bytes.shrink_to_fit();
                self.read.insert(file.path, bytes.len() as u64);
                inputs.push(bytes);
            }
        }
        inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        // Of a folder of very many files most of the time is left for the search.
        self.next = Instant::now() + POLL.max(10 * began.elapsed());
        inputs
    }
}

/// AFL++ keeps notes in folders below its own whose names begin with a dot.
fn is_hidden(file: &Input, folder: &Path) -> bool {
    let below = file.path.strip_prefix(folder).unwrap_or(&file.path);
    { below.components() }.any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// Where new inputs go.
pub(super) enum Found {
    /// Under names made of their content, which libFuzzer takes as any others.
    Named(Folder),
    /// Under numbers, by which AFL++ knows what it has not seen yet.
    Numbered { folder: PathBuf, next: u64, known: HashSet<u64> },
}

impl Found {
    /// A folder for new inputs beside these corpora: numbered if it is a queue beside one of these, or one of these is AFL++'s, which
    /// may have nothing in its own yet.
    pub(super) fn new(folder: &Path, corpora: &[PathBuf]) -> Result<Self, Failure> {
        let is_named_queue = folder.file_name().is_some_and(|name| name == "queue");
        let same = corpora.iter().find(|corpus| is_same(corpus, folder));
        let beside_afl = corpora.iter().any(|corpus| is_queue(corpus))
            || (is_named_queue && same.is_none() && !corpora.is_empty());
        if !beside_afl {
            return Ok(Self::Named(Folder::new(folder, String::new())?));
        }
        let not_its_own = || {
            Failure::input(format!(
                "error: -o {}: afl-fuzz does not read its own queue again: name a queue that no fuzzer writes, such as SYNC/pleach/queue",
                shown(folder)
            ))
        };
        if same.is_some_and(|corpus| is_queue(corpus)) {
            return Err(not_its_own());
        }
        if !is_named_queue {
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
            known.insert(hash.ok_or_else(not_its_own)?);
        }
        Ok(Self::Numbered { folder: folder.into(), next, known })
    }

    /// Writes an input, if it is not there already.
    pub(super) fn put(&mut self, input: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Named(folder) => folder.put(input).map(drop),
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
    let is_number = !digits.is_empty();
    // AFL++ reads 32 bits.
    is_number.then(|| (digits.parse::<u32>().unwrap_or(u32::MAX).into(), hash))
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
/// with all its folders, or lies in one, a folder beside that.
pub(super) fn crashes(output: &Path, found: &Found, corpora: &[PathBuf]) -> PathBuf {
    if matches!(found, Found::Numbered { .. }) {
        return output.with_file_name("crashes");
    }
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let output_whole = whole(output);
    let around = corpora.iter().map(|corpus| (whole(corpus), corpus));
    let around = around.filter(|(corpus, _)| output_whole.starts_with(corpus));
    // Of several the outermost one, as beside another one would be within it.
    let Some((corpus, named)) = around.min_by_key(|(corpus, _)| corpus.components().count()) else {
        return output.join("crashes");
    };
    // `.` has no name.
    let corpus = if named.file_name().is_some() { named } else { &corpus };
    let mut name = corpus.file_name().unwrap_or_default().to_owned();
    name.push("-crashes");
    corpus.with_file_name(name)
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
        assert_eq!(parts("id:18446744073709551615"), Some((u32::MAX.into(), None)));
    }

    /// A folder of a test's own, empty.
    fn folder(name: &str) -> PathBuf {
        let name = format!("pleach-corpora-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_corpus_is_read_wherever_it_lies_and_what_has_grown_is_read_again() {
        let outer = folder("read");
        let corpus = outer.join(".cache/corpus");
        fs::create_dir_all(corpus.join(".state")).unwrap();
        fs::write(corpus.join(".state/note"), "note").unwrap();
        fs::write(corpus.join("a"), "half").unwrap();
        fs::write(corpus.join("long"), "more than that").unwrap();
        let bounds = Bounds { max_input: 10, memory: 1 << 20 };
        let mut corpora = Corpora::new(std::slice::from_ref(&corpus)).unwrap();
        let mut poll = || {
            corpora.next = Instant::now();
            corpora.poll(&bounds)
        };
        assert_eq!(poll(), [b"half"]);
        assert!(poll().is_empty());
        fs::write(corpus.join("a"), "half more").unwrap();
        assert_eq!(poll(), [b"half more"]);
        assert!(Corpora::new(&[corpus.join("a")]).is_err());
        assert!(Corpora::new(&[corpus.join("later")]).is_ok());
        fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn a_queue_is_numbered_before_afl_has_begun_and_no_fuzzers_queue_is_written() {
        let sync = folder("sync");
        let corpora = [sync.join("main/queue")];
        let found = Found::new(&sync.join("pleach/queue"), &corpora);
        assert!(matches!(found, Ok(Found::Numbered { next: 0, .. })));
        fs::create_dir_all(sync.join("s1/queue")).unwrap();
        fs::write(sync.join("s1/queue/id:000000,orig:seed"), "seed").unwrap();
        assert!(Found::new(&sync.join("s1/queue"), &corpora).is_err());
        assert!(Found::new(&sync.join("s1/queue"), &[sync.join("s1/queue")]).is_err());
        fs::remove_dir_all(sync).unwrap();
    }

    #[test]
    fn failing_inputs_lie_in_no_corpus() {
        let outer = folder("crashes");
        let corpus = outer.join("corpus");
        fs::create_dir_all(corpus.join("new")).unwrap();
        let named = Found::Named(Folder::new(&corpus, String::new()).unwrap());
        let beside = outer.join("corpus-crashes");
        let crashes =
            |output: &Path, corpus: &Path| super::crashes(output, &named, &[corpus.into()]);
        assert_eq!(crashes(&corpus, &corpus), beside);
        assert_eq!(crashes(&corpus.join("new"), &corpus), beside);
        assert_eq!(
            crashes(&corpus, &corpus.join("new/..")),
            beside.canonicalize().unwrap_or(beside)
        );
        assert_eq!(crashes(&outer, &corpus), outer.join("crashes"));
        fs::remove_dir_all(outer).unwrap();
    }
}
