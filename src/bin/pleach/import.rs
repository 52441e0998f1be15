//! `pleach import`: another notation into the native one.

use std::path::PathBuf;

use clap::Args;

use crate::failure::{Failure, print};
use crate::load::{Load, warn};
use crate::place::Overwriting;

/// Writes a grammar of another notation in the native one
///
/// What cannot be carried over is a warning that says where and what follows from it; with --strict it
/// is an error. Every other command takes such a grammar as it is.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach import grammar.ebnf -o grammar.pleach
  pleach import rfc3986.txt --from abnf --start URI")]
pub(crate) struct Import {
    #[command(flatten)]
    load: Load,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwriting: Overwriting,
}

impl Import {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let imported = self.load.import()?;
        warn(&imported);
        let text = imported.grammar.to_string();
        match &self.out {
            Some(path) => {
                let read = self.load.paths(&imported.grammar);
                self.overwriting.write(path, text.as_bytes(), &read)
            }
            None => print(text.as_bytes()),
        }
    }
}
