//! Files that people name to be written: a page, a report, a grammar, an input.
//!
//! What is read is never written over. What is there already is replaced where pleach wrote it, as
//! far as that can be told, or where nothing would be lost, and else only if asked.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::failure::Failure;
use crate::inputs::shown;
use crate::output::write_named;

/// Whether to write over what is there.
#[derive(Args, Clone, Copy)]
pub(crate) struct Overwriting {
    /// Write over a file that is there already and that pleach did not write, but for those that are read
    #[arg(long)]
    force: bool,
}

/// How it is told that pleach wrote what is there.
#[derive(Clone, Copy)]
pub(crate) enum Own<'a> {
    /// It is a page.
    Page,
    /// It is a report of `generate`.
    Report,
    /// It is what would be written.
    Same(&'a [u8]),
    /// Nothing tells.
    Never,
}

/// The most that is looked at of a file that is there.
const LOOKED_AT: u64 = 1 << 20;

impl Own<'_> {
    /// Whether a file may go: it is empty, or pleach's own.
    fn is(self, path: &Path) -> bool {
        let most = match self {
            Self::Same(data) => data.len() as u64 + 1,
            _ => LOOKED_AT,
        };
        let mut found = Vec::new();
        let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut found));
        if read.is_err() {
            return false;
        }
        found.is_empty()
            || match self {
                Self::Page => {
                    let mark = b"<meta name=\"generator\" content=\"pleach\">";
                    found.windows(mark.len()).any(|window| window == mark)
                }
                Self::Report => serde_json::from_slice(&found).is_ok_and(|found: Value| {
                    ["seed", "files", "bytes", "seconds"].iter().all(|name| !found[name].is_null())
                }),
                Self::Same(data) => found == data,
                Self::Never => false,
            }
    }
}

impl Overwriting {
    /// Refuses to write to a file that is an input or that pleach did not write, and where there is no folder
    /// for it. Devices and pipes are always written to.
    pub(crate) fn check<'p>(
        self,
        path: &Path,
        own: Own<'_>,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), Failure> {
        // What is not there is no input.
        let Ok(place) = fs::canonicalize(path) else {
            // Better now than after hours.
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return match folder.filter(|folder| !folder.is_dir()) {
                Some(folder) => Err(Failure::Input(format!(
                    "error: {}: there is no folder {}: make it first",
                    shown(path),
                    shown(folder)
                ))),
                None => Ok(()),
            };
        };
        if !place.is_file() {
            return Ok(());
        }
        let is_place = |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|it| it == place);
        if inputs.into_iter().any(|input| is_place(&input)) {
            return Err(Failure::Input(format!(
                "error: {} is read, and is not written over: name another file to write",
                shown(path)
            )));
        }
        if self.force || own.is(&place) {
            return Ok(());
        }
        Err(Failure::Input(format!(
            "error: {} is there already, and is not known to be pleach's: name another file to write, or \
             say --force",
            shown(path)
        )))
    }

    /// Writes a file whose content is known as soon as its inputs are.
    pub(crate) fn write<'p>(
        self,
        path: &Path,
        data: &[u8],
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), Failure> {
        self.check(path, Own::Same(data), inputs)?;
        write_named(path, data)
    }
}
