//! Existing inputs: files and folders that people name, read in sorted order.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;
use crate::unfinished::is_unfinished;

/// Which files are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// Skip inputs of more bytes than this
    #[arg(long, value_name = "B", default_value_t = 10 << 20)]
    pub(crate) max_input: u64,
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

    /// Reads the file into a buffer, unless it is larger than `most`.
    pub(crate) fn read(&self, most: u64, buffer: &mut Vec<u8>) -> Result<(), String> {
        buffer.clear();
        if let Some(reason) = &self.skipped {
            return Err(reason.clone());
        }
        let cannot = |error: io::Error| format!("it cannot be read: {error}");
        let over = |bytes: u64| format!("it has {bytes} bytes, over --max-input {most}");
        if self.path == Path::new("-") {
            let mut stdin = io::stdin().lock().take(most.saturating_add(1));
            stdin.read_to_end(buffer).map_err(cannot)?;
        } else {
            let file = File::open(&self.path).map_err(cannot)?;
            let bytes = file.metadata().map_err(cannot)?.len();
            if bytes > most {
                return Err(over(bytes));
            }
            // It may grow while it is read.
            file.take(most.saturating_add(1)).read_to_end(buffer).map_err(cannot)?;
        }
        if buffer.len() as u64 > most {
            return Err(over(buffer.len() as u64));
        }
        Ok(())
    }
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
