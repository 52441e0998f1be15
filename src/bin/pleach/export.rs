//! `pleach export`: a grammar in another notation.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use pleach::export::{Exporter, Target};
use pleach::grammar::SourceMap;

use crate::failure::{Failure, print, to_stderr};
use crate::load::Load;
use crate::place::Overwriting;

/// Writes a grammar in another notation
///
/// What the notation cannot say (weights, that words need space between them, what is read only) is a
/// warning that says where and what follows from it; with --strict it is an error.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach export grammars/json.pleach --to abnf
  pleach export grammars/sql.pleach --to gbnf -o sql.gbnf
  pleach export grammar.ebnf --to native")]
pub(crate) struct Export {
    #[command(flatten)]
    load: Load,
    /// The notation to write
    #[arg(long, value_name = "NOTATION", value_parser = targets())]
    to: Target,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwriting: Overwriting,
}

fn targets() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::names()).try_map(|name| name.parse::<Target>())
}

impl Export {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let imported = self.load.import()?;
        let exporter = Exporter::new(self.to).strict(self.load.is_strict());
        let exported = exporter.write(&imported.grammar).map_err(Failure::grammar)?;
        let sources = SourceMap::new(&imported.grammar.files);
        for warning in imported.warnings.iter().chain(&exported.warnings) {
            to_stderr(sources.render(warning));
        }
        match &self.out {
            Some(path) => {
                let read = self.load.paths(&imported.grammar);
                self.overwriting.write(path, exported.text.as_bytes(), &read)
            }
            None => print(exported.text.as_bytes()),
        }
    }
}
