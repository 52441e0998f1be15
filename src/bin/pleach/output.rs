//! Where inputs go: a stream, or a folder of files named by their content.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::Failure;
use crate::inputs::shown;
use crate::unfinished::{Unfinished, is_unfinished};

/// Takes inputs one by one.
pub(crate) enum Sink {
    Stream(Stream),
    Folder(Folder),
}

impl Sink {
    /// Writes to standard output with `separator` between inputs.
    pub(crate) fn stream(separator: Vec<u8>) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let out = BufWriter::with_capacity(1 << 16, stdout.lock());
        Self::Stream(Stream { out, separator, terminal, files: 0, bytes: 0 })
    }

    /// Writes into a folder, which is made where it is missing.
    pub(crate) fn folder(path: &Path, suffix: String) -> Result<Self, Failure> {
        Folder::new(path, suffix).map(Self::Folder)
    }

    /// Takes an input.
    pub(crate) fn put(&mut self, input: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Stream(stream) => stream.put(input).map_err(Failure::stdout),
            Self::Folder(folder) => folder.put(input).map(drop),
        }
    }

    /// Writes what is held back.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        match self {
            Self::Stream(stream) => stream.finish().map_err(Failure::stdout),
            Self::Folder(_) => Ok(()),
        }
    }

    /// How many inputs were written, and the sum of their bytes.
    pub(crate) fn written(&self) -> (u64, u64) {
        match self {
            Self::Stream(stream) => (stream.files, stream.bytes),
            Self::Folder(folder) => (folder.names.len() as u64, folder.bytes),
        }
    }
}

/// Standard output.
pub(crate) struct Stream {
    out: BufWriter<StdoutLock<'static>>,
    separator: Vec<u8>,
    terminal: bool,
    files: u64,
    bytes: u64,
}

impl Stream {
    fn put(&mut self, input: &[u8]) -> io::Result<()> {
        if self.files > 0 {
            self.out.write_all(&self.separator)?;
        }
        self.files += 1;
        self.bytes += input.len() as u64;
        self.out.write_all(input)
    }

    fn finish(&mut self) -> io::Result<()> {
        // A prompt should not stand behind the last input.
        if self.terminal && self.files > 0 {
            self.out.write_all(b"\n")?;
        }
        self.out.flush()
    }
}

/// A folder in which each input is a file.
pub(crate) struct Folder {
    path: PathBuf,
    suffix: String,
    is_made: bool,
    /// What this run wrote.
    names: HashSet<u64>,
    bytes: u64,
}

impl Folder {
    /// A folder, which is made where it is missing, and the end of the names of files.
    pub(crate) fn new(path: &Path, suffix: String) -> Result<Self, Failure> {
        let mut folder = Self { suffix, ..Self::later(path) };
        folder.make()?;
        Ok(folder)
    }

    /// A folder that is made when there is something for it.
    pub(crate) fn later(path: &Path) -> Self {
        let (suffix, names) = (String::new(), HashSet::new());
        Self { path: path.into(), suffix, is_made: false, names, bytes: 0 }
    }

    fn make(&mut self) -> Result<(), Failure> {
        let path = &self.path;
        fs::create_dir_all(path).map_err(|error| cannot("make the folder", path, &error))?;
        sweep(path);
        self.is_made = true;
        Ok(())
    }

    /// Writes an input if it is not there, and says where it is.
    pub(crate) fn put(&mut self, input: &[u8]) -> Result<PathBuf, Failure> {
        if !self.is_made {
            self.make()?;
        }
        let name = content_name(input);
        let path = self.path.join(format!("{name:016x}{}", self.suffix));
        if self.names.insert(name) {
            self.bytes += input.len() as u64;
            // The name says what is in it, so what is there is left alone.
            if path.symlink_metadata().is_err() {
                write_whole(&path, input)?;
            }
        }
        Ok(path)
    }
}

/// Writes a file whole or not at all: under another name first, which is then its own.
///
/// Nothing is forced to the disk: after a crash of the machine, not of the process, a file may be
/// short.
pub(crate) fn write_whole(path: &Path, data: &[u8]) -> Result<(), Failure> {
    // What a link names is written, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let written = Unfinished::beside(&target).and_then(|(unfinished, mut file)| {
        file.write_all(data)?;
        fs::rename(unfinished.path(), &target)
    });
    written.map_err(|error| cannot("write", path, &error))
}

/// How old a file that is being written is when it is taken for one that a killed run left: writing
/// one takes far less.
const STALE: Duration = Duration::from_secs(3600);

/// Removes the files that runs were writing into a folder when they were killed. Others' files are
/// left alone, and so is whatever cannot be removed: nothing depends on it.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let stale = || {
            let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some(found.modified().ok()?.elapsed().ok()? > STALE)
        };
        if is_unfinished(&entry.path()) && stale() == Some(true) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// What a person asked to be written there: whole where the place is a file or to become one,
/// straight where it is a device or a pipe.
pub(crate) fn write_named(path: &Path, data: &[u8]) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            fs::write(path, data).map_err(|error| cannot("write", path, &error))
        }
        _ => write_whole(path, data),
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("error: cannot {what} {}: {error}", shown(path)))
}

/// The 64 bits that name a content: FNV-1a of 128 bits, its halves mixed into one.
///
/// The same on every platform and for good, for committed corpora are named by it.
pub(crate) fn content_name(content: &[u8]) -> u64 {
    const BASIS: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;
    const PRIME: u128 = (1 << 88) + 0x13B;
    let hash =
        content.iter().fold(BASIS, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    mix((hash >> 64) as u64 ^ mix(hash as u64))
}

/// Spreads each bit over all (the finaliser of MurmurHash3).
pub(crate) fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    word = (word ^ word >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    word ^ word >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_for_ever_and_differ() {
        assert_eq!(format!("{:016x}", content_name(b"")), GOLDEN);
        let mut names = HashSet::new();
        for first in 0..=255_u8 {
            assert!(names.insert(content_name(&[first])));
            for second in 0..=255_u8 {
                assert!(names.insert(content_name(&[first, second])));
            }
        }
    }

    #[test]
    fn only_old_unfinished_files_are_swept() {
        let folder = std::env::temp_dir().join(format!("pleach-sweep-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let old = std::time::SystemTime::now() - 2 * STALE;
        let names = [
            (".pleach-77-0.tmp", true, false),
            (".pleach-78-1234.tmp", true, false),
            (".pleach-77-1.tmp", false, true),
            (".pleach-77.tmp", true, true),
            (".report.json.77.tmp", true, true),
            ("00112233445566aa.json", true, true),
            (".tmp", true, true),
        ];
        for (name, is_old, _) in names {
            let file = fs::File::create(folder.join(name)).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
        }
        sweep(&folder);
        for (name, _, kept) in names {
            assert_eq!(folder.join(name).exists(), kept, "{name}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    /// The name of the empty input; a change here renames every committed corpus.
    const GOLDEN: &str = "aeca53592cda87ce";
}
