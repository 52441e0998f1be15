//! `pleach learn`: weights from a corpus, and what the corpus never does.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use pleach::learn::{Counts, Gap, GapKind, Model, RuleWeights, Weights};
use pleach::parse::{Parser, Scratch};
use pleach::report::{on_one_line, shortened};
use pleach::table::Table;
use pleach::tree::Tree;
use serde::{Deserialize, Serialize};

use crate::check::Format;
use crate::cover::name_rejected;
use crate::failure::{Failure, print, to_stderr};
use crate::inputs::{self, Bounds, Input, shown};
use crate::load::Load;
use crate::measure::Rejected;
use crate::output::write_named;
use crate::place::{Overwriting, Own};
use crate::progress::Progress;
use crate::report::json;

/// The version of files of weights.
const VERSION: u32 = 1;
/// The most bytes of a file of weights: what it holds takes some times as many.
const MOST: u64 = 256 << 20;
/// Names in a file that the grammar does not have, of which so many are named.
const NAMED: usize = 20;
/// Columns of an alternative.
const WIDTH: usize = 60;

/// Learns from a corpus how often each choice of a grammar is taken, for `generate --weights`
///
/// How often each alternative, each count of a repetition, each character of a class and each text of a regular
/// terminal is taken, in the context of up to three references above it. Files are read in the order of
/// their names; what cannot be read or does not parse is left out, and named with the reason.
///
/// The file is {"weights":1,"trees","rules":{RULE:{"choices","counts","texts"}}}; each of the three is {POINT:{CONTEXT:
/// {CHOICE:COUNT}}} in the grammar's own words, so it survives edits of the grammar: what the grammar does not have
/// any more is a warning. With --add, the counts of other such files are added.
///
/// What the corpus never does is printed: parts of rules that it never comes to, alternatives it never takes, counts 0, 1
/// and "2 or more" that no repetition has, and then what it does elsewhere but not below one reference to the
/// rule. With --format json it is one object: {"files","learnt","rejected":[{"file","reason","line",
/// "column","offset"}],"trees","never":[{"kind","rule","point","context","choice","of"}]}; "of" is how often the choice
/// could have been made.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach learn grammars/json.pleach corpus/ -o json.weights
  pleach learn grammars/json.pleach more/ --add json.weights -o json.weights --force
  pleach generate grammars/json.pleach --mode random --weights json.weights -n 100 -o out")]
pub(crate) struct Learn {
    #[command(flatten)]
    load: Load,
    /// Files and folders; `-` reads one input from standard input
    #[arg(required_unless_present = "add", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Add the counts of this file of weights; may be given again
    #[arg(long, value_name = "FILE")]
    add: Vec<PathBuf>,
    /// Write the weights to this file
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
    /// How many things that the corpus never does are printed
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// What is missing below one reference is named where that was come to so many times
    #[arg(long, value_name = "N", default_value_t = 10)]
    least: u64,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

/// A file of weights. That its fields are written out keeps the places of mistakes.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The version, by which the file is known.
    weights: u32,
    trees: u64,
    rules: BTreeMap<String, RuleWeights>,
}

/// What `pleach learn` found. Field names are part of the interface.
#[derive(Serialize)]
struct LearnReport<'a> {
    files: usize,
    learnt: usize,
    rejected: &'a [Rejected],
    trees: u64,
    never: &'a [Gap],
}

impl Learn {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let stdin = self.paths.iter().filter(|path| *path == Path::new("-")).count();
        if stdin + usize::from(self.load.is_stdin()) > 1 {
            return Err(Failure::input("error: standard input can be read only once"));
        }
        let (grammar, lowered) = self.load.load_both_quietly()?;
        let table = lowered.table;
        let inputs = inputs::find(&self.paths)?;
        let read = self.load.paths(&grammar);
        let read = read.iter().chain(inputs.iter().map(|input| &input.path));
        self.overwriting.check(&self.output, Own::Never, read)?;
        let mut counts = Counts::new(&table);
        for path in &self.add {
            add(&mut counts, path)?;
        }
        let rejected = self.count(&table, &inputs, &mut counts);
        name_rejected(&rejected);
        let learnt = inputs.len() - rejected.len();
        if learnt == 0 && self.add.is_empty() {
            let unknown = rejected.iter().filter(|one| one.unknown).count();
            let unread = rejected.iter().filter(|one| !one.unknown && one.offset.is_none()).count();
            return Err(Failure::no_sentence(unknown, unread));
        }
        if counts.is_full() {
            to_stderr("not all was learnt: there are too many counters, or texts are too long");
        }
        let Weights { trees, rules } = counts.weights();
        let kept = json(&Kept { weights: VERSION, trees, rules })?;
        if kept.len() as u64 > MOST {
            return Err(Failure::input(format!(
                "error: the weights have {} bytes, and no more than {MOST} are read again: learn from fewer files",
                kept.len()
            )));
        }
        write_named(&self.output, kept.as_bytes())?;
        let never = counts.gaps(self.least);
        let (files, trees) = (inputs.len(), counts.trees());
        to_stderr(format_args!("{learnt} of {files} files learnt, {trees} trees in all"));
        match self.format {
            Format::Text => print(told(&never, self.top).as_bytes()),
            Format::Json => {
                let (rejected, never) = (&*rejected, &*never);
                print(json(&LearnReport { files, learnt, rejected, trees, never })?.as_bytes())
            }
        }
    }

    /// Counts what is of the grammar, and gives what is not.
    fn count(&self, table: &Table, inputs: &[Input], counts: &mut Counts<'_>) -> Vec<Rejected> {
        let parser = Parser::new(table).limits(self.bounds.limits());
        let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
        let (mut buffer, mut rejected) = (Vec::new(), Vec::new());
        let mut progress = Progress::new("files");
        for (index, input) in inputs.iter().enumerate() {
            match input.read(&self.bounds, &mut buffer) {
                Err(unread) => rejected.push(Rejected::unread(input, unread)),
                Ok(()) => match parser.parse(&buffer, &mut scratch, &mut tree) {
                    Err(error) => rejected.push(Rejected::unparsed(input, &error)),
                    Ok(_) => counts.add(&tree),
                },
            }
            progress.tick(|| (index as u64 + 1, inputs.len() as u64));
        }
        rejected
    }
}

/// The model of a file of weights.
pub(crate) fn model(table: &Table, path: &Path) -> Result<Model, Failure> {
    let mut counts = Counts::new(table);
    add(&mut counts, path)?;
    Ok(Model::new(&counts))
}

/// Adds the counts of a file of weights, and names what the grammar does not have of them.
fn add(counts: &mut Counts<'_>, path: &Path) -> Result<(), Failure> {
    let name = shown(path);
    let cannot = |error| Failure::Input(format!("error: cannot read {name}: {error}"));
    let file = File::open(path).map_err(cannot)?;
    let mut text = Vec::new();
    file.take(MOST + 1).read_to_end(&mut text).map_err(cannot)?;
    if text.len() as u64 > MOST {
        return Err(Failure::Input(format!(
            "error: {name} is longer than {MOST} bytes: name a file that `pleach learn` wrote"
        )));
    }
    let kept: Kept = serde_json::from_slice(&text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let why = error.to_string();
        let why = why.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&why);
        Failure::Input(format!(
            "error: {name}:{line}:{column}: {why}: it is no file of weights, which `pleach learn` writes"
        ))
    })?;
    if kept.weights != VERSION {
        let version = kept.weights;
        return Err(Failure::Input(format!(
            "error: {name}: its weights are of version {version}, and this pleach reads {VERSION}: learn them again"
        )));
    }
    let unknown = counts.add_weights(&Weights { trees: kept.trees, rules: kept.rules });
    for name in unknown.iter().take(NAMED) {
        let name = shortened(&on_one_line(name), 200);
        to_stderr(format_args!("warning: {}: the grammar has no {name}", shown(path)));
    }
    if unknown.len() > NAMED {
        let more = unknown.len() - NAMED;
        to_stderr(format_args!(
            "warning: {}: {more} more that the grammar does not have",
            shown(path)
        ));
    }
    Ok(())
}

/// What a corpus never does, in words.
fn told(never: &[Gap], top: usize) -> String {
    let mut out = format!("{} of {} things it never does:\n", top.min(never.len()), never.len());
    out.push_str("     of  rule, and what\n");
    for Gap { kind, rule, point, context, choice, of } in never.iter().take(top) {
        let short = |text: &str| shortened(&on_one_line(text), WIDTH);
        let _ = write!(out, "{of:>7}  {rule}: ");
        let _ = match kind {
            GapKind::Point => write!(out, "it is never come to"),
            GapKind::Alternative => write!(out, "{}", short(choice)),
            GapKind::Count => write!(out, "{} {choice} times", short(point)),
        };
        match context {
            Some(context) => {
                let _ = writeln!(out, ", below {context}");
            }
            None => out.push('\n'),
        }
    }
    out
}
