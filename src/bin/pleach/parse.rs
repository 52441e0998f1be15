//! `pleach parse`: the derivation tree of an input.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pleach::report::{Derivation, PathNames};

use crate::document::{check_stdin, name, read_tree};
use crate::failure::Failure;
use crate::inputs::Bounds;
use crate::load::Load;

/// Reads an input and prints its derivation tree
///
/// Ends with exit code 1 where the input is not of the grammar, naming file, line, column and what
/// was expected there, and with 3 where a bound was reached before the answer was known.
/// Where the grammar has several trees for the input, the same one is taken each time.
///
/// With --format json a tree is one object, {"rule","occurrence","start","end","children":[...]} for
/// a rule and {"terminal","occurrence","start","end","text","children":[]} for a terminal: occurrence
/// is the place in the grammar as `pleach paths -k 1 --list` names it, start and end are offsets in
/// bytes. Groups, repetitions and layout are left out.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach parse grammars/json.pleach document.json
  echo '[1,2]' | pleach parse grammars/json.pleach - --format json
  pleach parse grammars/json.pleach document.json --format svg > tree.svg
  pleach parse grammars/json.pleach document.json --format dot | dot -Tpdf > tree.pdf")]
pub(crate) struct Parse {
    #[command(flatten)]
    load: Load,
    /// The input; `-` reads standard input
    file: PathBuf,
    /// How the tree is printed
    #[arg(long, value_enum, default_value_t = TreeFormat::Text)]
    format: TreeFormat,
    /// The items of work to spend on each byte, at most
    #[arg(long, value_name = "ITEMS", default_value_t = 256)]
    budget: u32,
    #[command(flatten)]
    bounds: Bounds,
}

/// How a tree is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// A line a node, indented
    Text,
    /// One JSON object
    Json,
    /// For Graphviz
    Dot,
    /// A drawing
    Svg,
}

impl Parse {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        check_stdin(&self.load, &self.file)?;
        let table = self.load.load_quietly()?.table;
        let limits = self.bounds.limits().items_per_byte(self.budget);
        let tree = read_tree(&table, &self.file, &self.bounds, limits)?;
        let memory = self.bounds.memory;
        let needed = Derivation::memory(&tree);
        if needed > memory {
            return Err(Failure::Budget(format!(
                "error: {}: to show its tree takes {needed} bytes, over --memory {memory}",
                name(&self.file)
            )));
        }
        let names = PathNames::new(&table);
        let derivation = Derivation::new(&table, &names, &tree);
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let written = match self.format {
            TreeFormat::Text => derivation.write_text(&mut out),
            TreeFormat::Json => derivation.write_json(&mut out),
            TreeFormat::Dot => derivation.write_dot(&mut out),
            TreeFormat::Svg => derivation.write_svg(&mut out),
        };
        written.and_then(|()| out.flush()).map_err(Failure::stdout)
    }
}
