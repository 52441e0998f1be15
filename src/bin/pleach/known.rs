//! The specifications that commands know.

use std::path::PathBuf;

use clap::Args;
use pleach::differential::known::{Known, KnownError};

use crate::failure::Failure;
use crate::inputs::shown;

/// Files of specifications beside the one that ships.
#[derive(Args)]
pub(crate) struct KnownFiles {
    /// Read this file of specifications as well, for names and suggestions; may be repeated
    #[arg(long = "known", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl KnownFiles {
    /// What ships, and then the files in their order.
    pub(crate) fn read(&self) -> Result<Known, Failure> {
        let mut known = Known::shipped();
        for path in &self.files {
            let name = shown(path);
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::Input(format!("error: cannot read {name}: {error}")))?;
            known.read(&name, &text).map_err(failure)?;
        }
        Ok(known)
    }
}

/// How a command ends that a specification fails.
pub(crate) fn failure(error: KnownError) -> Failure {
    let message = format!("error: {error}");
    if error.is_size_limit_exceeded() { Failure::Budget(message) } else { Failure::Input(message) }
}
