//! `pleach mutate`: inputs like existing ones.

use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use pleach::mutate::{Mutation, Options, Sources};
use pleach::parse::{Error, Parser, Scratch};
use pleach::produce::TreeLimits;
use pleach::table::Table;
use pleach::tree::{Node, SizedTree, Tree};
use pleach::{Entropy, Seeded};

use crate::failure::{Failure, many, to_stderr};
use crate::generate::{Separator, suffix};
use crate::inputs::{self, Bounds, Unread};
use crate::load::Load;
use crate::output::Sink;
use crate::progress::Progress;
use crate::source::Symbols;

/// Mutates existing inputs by their derivation trees
///
/// Each mutant is made of one FILE, drawn at random, and differs from it in one place or a few:
/// subtrees are grown anew, taken from another FILE, moved, repeated or left out, literals and tokens
/// become others. One in eight leaves the grammar; with --breaking 0 all are of it.
///
/// Without -o the mutants go to standard output with --separator between them. With -o each is a file
/// named by a hash of its content; what is there already is left alone, and mutants that are alike
/// are one file.
///
/// FILEs that are not of the grammar are named and left out.
#[derive(Args)]
#[command(after_long_help = "\
Mutators: regrow, splice, replicate, populate, delete, exchange, shuffle, recursion, deepen, nest, hoist, \
swap, echo, keyword, token, dictionary and havoc stay in the grammar; omit, stammer, displace, truncate, \
plunge, widen and garble leave it.

Examples:
  pleach mutate grammars/json.pleach document.json -n 3 --seed 7
  pleach mutate grammars/json.pleach seeds/ -n 1000 -o mutants --suffix .json
  pleach mutate grammars/sql.pleach query.sql -n 100 --only splice --only swap --breaking 0")]
pub(crate) struct Mutate {
    #[command(flatten)]
    load: Load,
    /// Inputs, and folders of inputs; `-` reads standard input
    #[arg(required = true)]
    file: Vec<PathBuf>,
    /// How many mutants
    #[arg(short, value_name = "N", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    n: u64,
    /// The seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many mutants of 256 leave the grammar
    #[arg(long, value_name = "SHARE", default_value_t = Options::DEFAULT_BREAKING)]
    breaking: u8,
    /// Only this mutator; more than once for several
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Not this mutator; more than once for several
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// The greatest depth of a mutant's derivation tree, unless its FILE's is deeper
    #[arg(long, value_name = "D")]
    max_depth: Option<u32>,
    /// The most nodes of a mutant's derivation tree, unless its FILE's has more
    #[arg(long, value_name = "M")]
    max_nodes: Option<u64>,
    /// The most bytes of a mutant; by default twice those of its FILE, and 1000 more
    #[arg(long, value_name = "B")]
    max_bytes: Option<usize>,
    /// Write each mutant to a file in this folder
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// What the files' names end in
    #[arg(long, value_name = ".EXT", default_value = "", hide_default_value = true)]
    #[arg(requires = "output", value_parser = suffix, allow_hyphen_values = true)]
    suffix: String,
    /// What stands between mutants on standard output; \n, \r, \t, \0, \\ and \xHH are escapes
    #[arg(long, value_name = "STR", default_value = "\\n", conflicts_with = "output")]
    #[arg(allow_hyphen_values = true)]
    separator: Separator,
    /// Which character of a class is shown
    #[arg(long, value_enum, default_value_t = Symbols::Mixed)]
    characters: Symbols,
    #[command(flatten)]
    bounds: Bounds,
}

/// About the bytes that a tree takes with its sizes, while these are found.
fn size(tree: &Tree) -> u64 {
    let node = size_of::<Node>() + 2 * size_of::<u32>();
    (tree.nodes().len() * node + tree.text().len()) as u64
}

impl Mutate {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let is_stdin = |file: &&PathBuf| file.as_path() == Path::new("-");
        if self.load.is_stdin() && self.file.iter().any(|file| is_stdin(&file)) {
            let message = "error: only one of grammar and input can be standard input";
            return Err(Failure::input(message));
        }
        let table = self.load.load_quietly()?.table;
        let mut mutation = Mutation::new(&table, self.options())
            .map_err(|error| Failure::input(format_args!("error: {error}")))?;
        let bases = self.bases(&table)?;
        to_stderr(format_args!("seed {}", self.seed));
        let mut sink = match &self.output {
            Some(folder) => Sink::folder(folder, self.suffix.clone())?,
            None => Sink::stream(self.separator.bytes().to_vec()),
        };
        self.mutate(&mut mutation, &bases, &mut sink)?;
        sink.finish()?;
        let (mutants, bytes) = sink.written();
        let mutants = many(mutants, if self.output.is_some() { "file" } else { "mutant" });
        let (bytes, of) = (many(bytes, "byte"), many(bases.len() as u64, "input"));
        to_stderr(format_args!("{mutants}, {bytes}, of {of}"));
        Ok(())
    }

    fn options(&self) -> Options {
        let options = Options::new()
            .breaking(self.breaking)
            .without(self.without.iter().cloned())
            .characters(self.characters.into())
            .limits(TreeLimits::new().max_depth(self.max_depth).max_nodes(self.max_nodes));
        if self.only.is_empty() { options } else { options.only(self.only.iter().cloned()) }
    }

    /// The trees of the inputs.
    fn bases(&self, table: &Table) -> Result<Vec<SizedTree>, Failure> {
        let parser = Parser::new(table).limits(self.bounds.limits());
        let mut kept = 0_u64;
        let (mut scratch, mut tree, mut text) = (Scratch::new(), Tree::new(), Vec::new());
        let (mut bases, mut unread, mut unknown) = (Vec::new(), 0, 0);
        for input in inputs::find(&self.file)? {
            let read = match input.read(&self.bounds, &mut text) {
                Ok(()) => parser.parse(&text, &mut scratch, &mut tree).map_err(|error| {
                    unknown += usize::from(!matches!(error, Error::Syntax(_)));
                    error.to_string()
                }),
                Err(reason) => {
                    match &reason {
                        Unread::TooLarge(_) => unknown += 1,
                        Unread::Not(_) => unread += 1,
                    }
                    Err(reason.reason())
                }
            };
            // All are kept until the end.
            let read = read.and_then(|()| {
                kept = kept.saturating_add(size(&tree));
                let most = self.bounds.memory;
                if kept <= most {
                    return Ok(());
                }
                unknown += 1;
                Err(format!("its tree and those before take more than --memory {most} bytes"))
            });
            match read {
                Ok(()) => bases.push(SizedTree::of(table, &tree)),
                Err(reason) => to_stderr(format_args!("left out: {}: {reason}", input.name())),
            }
        }
        match bases.is_empty() {
            false => Ok(bases),
            true => Err(Failure::no_sentence(unknown, unread)),
        }
    }

    fn mutate(
        &self,
        mutation: &mut Mutation<'_>,
        bases: &[SizedTree],
        sink: &mut Sink,
    ) -> Result<(), Failure> {
        let (mut words, mut mutant) = (Seeded::new(self.seed), SizedTree::new());
        let mut progress = Progress::new("mutants");
        let mut unchanged = 0_u64;
        for made in 0..self.n {
            let [base, donor] = [0; 2].map(|_| &bases[words.below(bases.len() as u64) as usize]);
            let most = self.max_bytes.unwrap_or(2 * base.text().len() + 1000);
            let sources = Sources { donor: Some(donor.as_ref()), ..Sources::default() };
            match mutation.mutate(base.as_ref(), sources, most, &mut words, &mut mutant) {
                Some(_) => sink.put(mutant.text())?,
                None => unchanged += 1,
            }
            progress.tick(|| (made, self.n));
        }
        if unchanged > 0 {
            to_stderr(format_args!("{unchanged} times nothing could be changed within the bounds"));
        }
        Ok(())
    }
}
