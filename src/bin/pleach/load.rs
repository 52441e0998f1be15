//! The grammar that a command is about.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use pleach::build::FileSystem;
use pleach::grammar::{Grammar, SourceFile};
use pleach::table::{Lowered, Lowering};

use crate::failure::{Failure, talk};

/// Which grammar, and from which rule.
#[derive(Args)]
pub(crate) struct Load {
    /// The grammar, in the native notation; `-` reads standard input, and includes are then
    /// relative to the current folder
    grammar: PathBuf,
    /// Start from this rule instead of the grammar's start rule
    #[arg(long, value_name = "RULE")]
    start: Option<String>,
}

impl Load {
    /// Reads and lowers the grammar.
    pub(crate) fn load(&self) -> Result<(Grammar, Lowered), Failure> {
        let files = FileSystem::new();
        let main = if self.reads_stdin() {
            stdin()?
        } else {
            files.read(&self.grammar).map_err(|error| Failure::Input(format!("error: {error}")))?
        };
        let grammar = Grammar::read(&main.name, &main.text, &files).map_err(Failure::input)?;
        let mut lowering = Lowering::new();
        if let Some(start) = &self.start {
            lowering = lowering.start(start);
        }
        let lowered = lowering.lower(&grammar).map_err(Failure::input)?;
        Ok((grammar, lowered))
    }

    /// Whether standard input is the grammar.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.grammar == Path::new("-")
    }

    /// As [`Load::load`], for a command that is not about the grammar's own faults.
    pub(crate) fn load_quietly(&self) -> Result<Lowered, Failure> {
        let (_, lowered) = self.load()?;
        if !lowered.warnings.is_empty() {
            let count = lowered.warnings.len();
            let warnings = if count == 1 { "warning" } else { "warnings" };
            talk(format_args!("the grammar has {count} {warnings}, which `pleach check` shows"));
        }
        Ok(lowered)
    }
}

fn stdin() -> Result<SourceFile, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .read_to_string(&mut text)
        .map_err(|error| Failure::Input(format!("error: standard input: {error}")))?;
    Ok(SourceFile { name: "<stdin>".into(), text })
}
