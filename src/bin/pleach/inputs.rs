//! Existing inputs: files and folders that people name, read in sorted order.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use pleach::parse::Limits;

use crate::failure::Failure;
use crate::unfinished::is_unfinished;

/// What reading one input may take.
#[derive(Args, Clone, Debug)]
pub(crate) struct Bounds {
    /// Read no input of more bytes than this
    #[arg(long, value_name = "B", default_value_t = 10 << 20)]
    pub(crate) max_input: u64,
    /// The bytes of memory to read one input with, its tree included
    #[arg(long, value_name = "BYTES", default_value_t = 2 << 30)]
    pub(crate) memory: u64,
}

impl Bounds {
    /// The bounds on a parse.
    pub(crate) fn limits(&self) -> Limits {
        Limits::new().memory(self.memory)
    }
}

/// Which files are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    /// How many threads read; by default one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) jobs: Option<u16>,
}

/// A file to be read, or why not.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) skipped: Option<String>,
}

impl Input {
    /// The name that people see.
    pub(crate) fn name(&self) -> String {
        shown(&self.path)
    }

    /// Reads the file into a buffer, unless it is larger than the bounds.
    pub(crate) fn read(&self, bounds: &Bounds, buffer: &mut Vec<u8>) -> Result<(), Unread> {
        buffer.clear();
        if let Some(reason) = &self.skipped {
            return Err(Unread::Not(reason.clone()));
        }
        let most = bounds.max_input;
        let over = |bytes: String| {
            Unread::TooLarge(format!("it has {bytes} bytes, over --max-input {most}"))
        };
        if self.path == Path::new("-") {
            fill(io::stdin().lock(), bounds, 0, buffer)?;
        } else {
            let file = File::open(&self.path).map_err(cannot)?;
            let bytes = file.metadata().map_err(cannot)?.len();
            if bytes > most {
                return Err(over(bytes.to_string()));
            }
            fill(file, bounds, bytes, buffer)?;
        }
        // It may grow while it is read, and a device has no length.
        if buffer.len() as u64 > most {
            return Err(over(format!("more than {most}")));
        }
        Ok(())
    }
}

/// Why there is no input.
pub(crate) enum Unread {
    /// It is larger than the bounds.
    TooLarge(String),
    /// It cannot be read at all.
    Not(String),
}

impl Unread {
    pub(crate) fn reason(self) -> String {
        match self {
            Self::TooLarge(reason) | Self::Not(reason) => reason,
        }
    }
}

fn cannot(error: io::Error) -> Unread {
    Unread::Not(format!("it cannot be read: {error}"))
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// Reads one byte more than the bounds allow, at most, of what should have so many bytes. The buffer
/// doubles no further than the memory goes.
fn fill(
    mut from: impl Read,
    bounds: &Bounds,
    expected: u64,
    buffer: &mut Vec<u8>,
) -> Result<(), Unread> {
    let full = || {
        let memory = bounds.memory;
        Unread::TooLarge(format!("reading it takes more than --memory {memory} bytes"))
    };
    // What is expected and a last look for more.
    let mut expected = usize::try_from(expected).map_err(|_| full())?.saturating_add(PIECE);
    while buffer.len() as u64 <= bounds.max_input {
        let left = bounds.max_input.saturating_add(1) - buffer.len() as u64;
        let before = buffer.len();
        let piece = (PIECE as u64).min(left) as usize;
        if buffer.capacity() - before < piece {
            let more = before.max(expected).max(piece);
            let is_within = before.saturating_add(more) as u64 <= bounds.memory;
            if !is_within || buffer.try_reserve_exact(more).is_err() {
                return Err(full());
            }
            expected = 0;
        }
        buffer.resize(before + piece, 0);
        let read = from.read(&mut buffer[before..]);
        buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => break,
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(cannot(error)),
            _ => {}
        }
    }
    Ok(())
}

/// A path on one line, with what does not print escaped.
pub(crate) fn shown(path: &Path) -> String {
    pleach::report::on_one_line(&path.to_string_lossy())
}

/// The files that some paths name: a folder names all below it, sorted by the bytes of their names.
///
/// Links to files are read. Links to folders are followed where they are named themselves, and not
/// below a folder, so that none leads round in a circle. What is neither a file nor a folder is
/// skipped without being opened. Files below a folder that some run of pleach is writing, or did not
/// finish, are passed over.
///
/// # Errors
///
/// Where a path that was named is not there.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            found.push(Input { path: path.clone(), skipped: None });
            continue;
        }
        let kind = fs::metadata(path).map_err(|error| {
            Failure::Input(format!("error: cannot read {}: {error}", shown(path)))
        })?;
        if kind.is_dir() {
            walk(path, &mut found);
        } else {
            let skipped = (!kind.is_file()).then(|| NO_FILE.to_owned());
            found.push(Input { path: path.clone(), skipped });
        }
    }
    Ok(found)
}

const NO_FILE: &str = "it is no file";

/// Adds what is below a folder, without recursion.
fn walk(folder: &Path, found: &mut Vec<Input>) {
    /// What is still to be looked at: a path, and whether it is a folder.
    struct Pending(PathBuf, bool);
    let mut pending = vec![Pending(folder.into(), true)];
    while let Some(Pending(path, is_folder)) = pending.pop() {
        if !is_folder {
            let skipped = why_not(&path);
            found.push(Input { path, skipped });
            continue;
        }
        let listed = fs::read_dir(&path).and_then(|entries| {
            entries
                .map(|entry| {
                    let entry = entry?;
                    // The kind of a link is a link.
                    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                    Ok(Pending(entry.path(), is_folder))
                })
                .collect::<io::Result<Vec<_>>>()
        });
        match listed {
            Ok(mut entries) => {
                entries.retain(|entry| entry.1 || !is_unfinished(&entry.0));
                entries.sort_by(|a, b| b.0.file_name().cmp(&a.0.file_name()));
                pending.append(&mut entries);
            }
            Err(error) => {
                let skipped = Some(format!("the folder cannot be read: {error}"));
                found.push(Input { path, skipped });
            }
        }
    }
}

/// Why something below a folder is not read, if it is not.
fn why_not(path: &Path) -> Option<String> {
    match fs::metadata(path) {
        Ok(kind) if kind.is_file() => None,
        Ok(kind) if kind.is_dir() => {
            Some("it is a link to a folder; name it yourself to have it read".into())
        }
        Ok(_) => Some(NO_FILE.into()),
        Err(error) => Some(format!("it cannot be read: {error}")),
    }
}
