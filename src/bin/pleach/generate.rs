//! `pleach generate`: inputs from a grammar.

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, value_parser};
use pleach::Seeded;
use pleach::kpath::{CoverageSummary, PathIndex, Scope};
use pleach::learn::Model;
use pleach::parse::Parser;
use pleach::produce::{Options, TreeLimits};
use pleach::table::Table;
use pleach::tree::Tree;

use crate::check::Format;
use crate::cover::{begin, name_rejected};
use crate::failure::{Failure, many, print, to_stderr};
use crate::inputs::{self, Input, Reading};
use crate::learn;
use crate::load::Load;
use crate::measure::measure;
use crate::output::{Sink, content_name, mix, write_named};
use crate::place::{Overwriting, Own};
use crate::progress::Progress;
use crate::report::{GenerateReport, GivenReport, json};
use crate::source::{Mode, Source, Symbols};
use pleach::report::PathNames;

/// Inputs of a random mode where -n does not say how many.
const COUNT: u64 = 10;
/// Infeasible goals that are named.
const NAMED: usize = 5;

/// Generates inputs: a corpus that covers all k-paths, or random ones
///
/// Without -o the inputs go to standard output with --separator between them. With -o each is a file
/// named by a hash of its content, written whole or not at all; what is there already is left alone.
///
/// The inputs of a run differ. In the modes that end with -n alone, choices that lead to an input that
/// was made before are passed over; where the language seems to have no more, the run ends with a note.
///
/// The same grammar, options and seed give the same bytes on every platform.
///
/// The report is {"seed","files","bytes","seconds","kpath":{"k","mode","covered","total",
/// "infeasible"}}: files and bytes are of the inputs written, with -o of the different ones; total
/// counts the goals that some tree within the budgets covers, and infeasible the others. With --given
/// there is "given":{"files","parsed","covered"} as well, and covered counts what the existing inputs
/// cover, too.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach generate grammars/json.pleach -k 3 -o out --suffix .json --report report.json
  pleach generate grammars/json.pleach --mode random -n 5 --max-bytes 40 --seed 7
  pleach generate grammars/json.pleach --mode random --weights json.weights
  pleach generate grammars/json.pleach -k 4 --given corpus/ -o corpus/
  pleach generate grammars/uri.pleach -k 4 --shard 1/2 -o out &
  pleach generate grammars/uri.pleach -k 4 --shard 2/2 -o out")]
pub(crate) struct Generate {
    #[command(flatten)]
    load: Load,
    /// The greatest length of a k-path, 1 to 64
    #[arg(short, default_value_t = 3)]
    #[arg(value_parser = value_parser!(u8).range(1..=PathIndex::LONGEST as i64))]
    pub(crate) k: u8,
    /// Only the paths of exactly K places, instead of 1 to K
    #[arg(long)]
    exact: bool,
    /// How many inputs. In kpath and purdom mode at most so many, by default as many as full
    /// coverage takes; in random modes 10 by default
    #[arg(short, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    #[arg(required_if_eq("mode", "recurrent"))]
    n: Option<u64>,
    /// How inputs are produced
    #[arg(long, value_enum, default_value_t = Mode::Kpath)]
    pub(crate) mode: Mode,
    /// The greatest depth of a derivation tree. By default the least at which every k-path can be
    /// covered in kpath mode, and every alternative used in purdom mode
    #[arg(long, value_name = "D")]
    pub(crate) max_depth: Option<u32>,
    /// The most nodes of a derivation tree
    #[arg(long, value_name = "M")]
    pub(crate) max_nodes: Option<u64>,
    /// The most bytes of an input
    #[arg(long, value_name = "B")]
    pub(crate) max_bytes: Option<u64>,
    /// The bytes of an input to aim at. In kpath mode an input takes up no further goals beyond
    /// them; not in purdom mode
    #[arg(long, value_name = "S")]
    pub(crate) size: Option<u64>,
    /// Inputs whose trees have A to B nodes, each such tree as likely, in random or uniform mode; a class is one
    /// choice, and layout is not counted
    #[arg(long, value_name = "A..B", conflicts_with_all = ["size", "max_depth", "max_nodes", "max_bytes"])]
    pub(crate) nodes: Option<Range>,
    /// Inputs of A to B bytes, each derivation as likely, in random or uniform mode; a class is one choice for
    /// each length of its characters
    #[arg(long, value_name = "A..B", conflicts_with_all = ["nodes", "size", "max_depth", "max_nodes", "max_bytes"])]
    pub(crate) bytes: Option<Range>,
    /// Go by what `pleach learn` wrote to this file, in random, weighted, uniform and inverted mode: in uniform mode
    /// alternatives are alike all the same, and inverted likes what the corpus seldom or never does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "nodes", "bytes"])]
    weights: Option<PathBuf>,
    /// How many of 256 choices go by --weights; the others are made as without
    #[arg(long, value_name = "SHARE", default_value_t = 256, requires = "weights")]
    #[arg(value_parser = value_parser!(u16).range(0..=256))]
    pub(crate) weights_share: u16,
    /// Cover the counts 0, 1 and "2 or more" of each repetition as well
    #[arg(long)]
    pub(crate) repetition_goals: bool,
    /// The seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Part I, from 1 to N, of the work: the k-paths are split into N disjoint parts, and so is -n;
    /// not in purdom mode
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    pub(crate) shard: Shard,
    /// Only what these existing files, and those in these folders, do not cover; in kpath mode
    #[arg(long, value_name = "PATH", num_args = 1..)]
    given: Vec<PathBuf>,
    /// Write each input to a file in this folder
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// What the files' names end in
    #[arg(long, value_name = ".EXT", default_value = "", hide_default_value = true)]
    #[arg(requires = "output", value_parser = suffix, allow_hyphen_values = true)]
    suffix: String,
    /// What stands between inputs on standard output; \n, \r, \t, \0, \\ and \xHH are escapes
    #[arg(long, value_name = "STR", default_value = "\\n", conflicts_with = "output")]
    #[arg(allow_hyphen_values = true)]
    separator: Separator,
    /// Write a report to this file, as one JSON object
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    overwriting: Overwriting,
    /// With json, print the report on standard output; needs -o
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(requires_if("json", "output"))]
    format: Format,
    /// How many of 256 inputs of a random mode are exotic, each with several of what people seldom write:
    /// characters from all over a class, numbers at the ends of integer types, long repetitions, keywords
    /// in mixed case, alternatives of weight 0. The others have none
    #[arg(long, value_name = "SHARE", default_value_t = Options::DEFAULT_EXOTIC)]
    pub(crate) exotic: u8,
    /// Which character of a class is shown, in all inputs; by default plain ones in random modes, but for
    /// --exotic, and mixed ones in others
    #[arg(long, value_enum)]
    pub(crate) characters: Option<Symbols>,
    #[command(flatten)]
    reading: Reading,
    /// The most k-paths to take on; more are an error with exit code 3
    #[arg(long, default_value_t = PathIndex::DEFAULT_LIMIT)]
    pub(crate) limit: u64,
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 0, as the library counts; people write it from 1.
    pub(crate) index: u32,
    pub(crate) count: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(part, count)| {
            Some((part.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
        });
        match parts {
            Some((part, count)) if 1 <= part && part <= count => {
                Ok(Self { index: part - 1, count })
            }
            _ => Err("a shard is I/N, with I from 1 to N, as in 1/4".into()),
        }
    }
}

/// Sizes from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range(pub(crate) u32, pub(crate) u32);

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sizes = text
            .split_once("..")
            .and_then(|(low, high)| Some((low.parse::<u32>().ok()?, high.parse::<u32>().ok()?)));
        match sizes {
            Some((low, high)) if low <= high => Ok(Self(low, high)),
            _ => Err("sizes are A..B, both included, with A at most B, as in 100..200".into()),
        }
    }
}

/// What stands between inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Separator(Vec<u8>);

impl Separator {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for Separator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            bytes.extend_from_slice(&rest.as_bytes()[..at]);
            rest = &rest[at + 1..];
            let mut used = 1;
            bytes.push(match rest.as_bytes().first() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'0') => 0,
                Some(b'\\') => b'\\',
                Some(b'x') => {
                    used = 3;
                    let digits = rest.get(1..3).filter(|two| !two.starts_with('+'));
                    digits
                        .and_then(|two| u8::from_str_radix(two, 16).ok())
                        .ok_or("\\x needs two hexadecimal digits")?
                }
                _ => return Err("the escapes are \\n, \\r, \\t, \\0, \\\\ and \\xHH".into()),
            });
            rest = &rest[used..];
        }
        bytes.extend_from_slice(rest.as_bytes());
        Ok(Self(bytes))
    }
}

/// The end of file names.
pub(crate) fn suffix(text: &str) -> Result<String, String> {
    if text.contains(['/', '\\', '\0']) {
        return Err("a suffix is the end of a file name, as in .json".into());
    }
    Ok(text.into())
}

impl Generate {
    pub(crate) fn limits(&self) -> TreeLimits {
        TreeLimits::new()
            .max_depth(self.max_depth)
            .max_nodes(self.max_nodes)
            .max_bytes(self.max_bytes)
    }

    pub(crate) fn scope(&self) -> Scope {
        if self.exact { Scope::Exact } else { Scope::UpTo }
    }

    /// How many inputs this shard may make; none where coverage decides.
    fn count(&self) -> Option<u64> {
        let all = match self.mode {
            Mode::Kpath | Mode::Recurrent | Mode::Purdom => self.n?,
            Mode::Random | Mode::Uniform | Mode::Weighted | Mode::Inverted => {
                self.n.unwrap_or(COUNT)
            }
        };
        let before = |shard: u32| {
            (u128::from(all) * u128::from(shard) / u128::from(self.shard.count)) as u64
        };
        Some(before(self.shard.index + 1) - before(self.shard.index))
    }

    /// The source of choices: the seed's own for the first shard, others for the others.
    fn entropy(&self) -> Seeded {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        Seeded::new(match u64::from(self.shard.index) {
            0 => self.seed,
            shard => mix(self.seed.wrapping_add(shard.wrapping_mul(STEP))),
        })
    }

    pub(crate) fn run(&self) -> Result<(), Failure> {
        let started = Instant::now();
        let (grammar, lowered) = self.load.load_both_quietly()?;
        let table = lowered.table;
        let inputs = inputs::find(&self.given)?;
        if let Some(path) = &self.report {
            let read = self.load.paths(&grammar);
            let read =
                read.iter().chain(inputs.iter().map(|input| &input.path)).chain(&self.weights);
            self.overwriting.check(path, Own::Report, read)?;
        }
        to_stderr(format_args!("seed {}", self.seed));
        let json_wanted = self.format == Format::Json;
        let measured = self.report.is_some() || json_wanted;
        let mut source = Source::new(&table, self, self.model(&table)?, measured)?;
        let given = self.settle_given(&table, &inputs, &mut source)?;
        let mut sink = match &self.output {
            Some(folder) => Sink::folder(folder, self.suffix.clone())?,
            None => Sink::stream(self.separator.0.clone()),
        };
        self.produce(&mut source, &mut sink)?;
        sink.finish()?;
        name_infeasible(&table, &source);
        let (files, bytes) = sink.written();
        let seconds = started.elapsed().as_secs_f64();
        let report = GenerateReport {
            seed: self.seed,
            files,
            bytes,
            seconds,
            kpath: source.summary(),
            given,
        };
        to_stderr(self.summary(&report, &source));
        if let Some(path) = &self.report {
            write_named(path, json(&report)?.as_bytes())?;
        }
        if json_wanted {
            print(json(&report)?.as_bytes())?;
        }
        Ok(())
    }

    /// What was learnt, where it is asked for.
    fn model(&self, table: &Table) -> Result<Option<Arc<Model>>, Failure> {
        let Some(path) = &self.weights else { return Ok(None) };
        if matches!(self.mode, Mode::Kpath | Mode::Recurrent | Mode::Purdom) {
            let message = "error: --weights has a meaning in random, uniform, weighted and inverted mode alone";
            return Err(Failure::input(message));
        }
        Ok(Some(Arc::new(learn::model(table, path)?)))
    }

    /// Reads the existing inputs, so that what they cover is no goal.
    fn settle_given(
        &self,
        table: &Table,
        inputs: &[Input],
        source: &mut Source<'_>,
    ) -> Result<Option<GivenReport>, Failure> {
        if self.given.is_empty() {
            return Ok(None);
        }
        if self.mode != Mode::Kpath {
            let message = "error: --given has a meaning in kpath mode alone; leave it out";
            return Err(Failure::input(message));
        }
        let mut corpus = begin(table, self.k.into(), self.scope(), self.limit)?;
        if self.repetition_goals {
            corpus = corpus.with_repetitions();
        }
        let parser = Parser::new(table).limits(self.reading.bounds.limits());
        let outcome = measure(inputs, &parser, &mut corpus, None, &self.reading, false);
        name_rejected(&outcome.rejected);
        let covered = source.settle(corpus.coverage()).unwrap_or(0);
        Ok(Some(GivenReport { files: inputs.len(), parsed: outcome.measured.len(), covered }))
    }

    /// The report in words.
    fn summary(&self, report: &GenerateReport, source: &Source<'_>) -> String {
        let GenerateReport { files, bytes, seconds, kpath, given, .. } = report;
        let files = many(*files, if self.output.is_some() { "file" } else { "input" });
        let mut text = format!("{files}, {}, {seconds:.2} s", many(*bytes, "byte"));
        if let (Mode::Purdom, Some((used, total))) = (self.mode, source.done()) {
            text += &format!("; {used} of {total} alternatives used");
        }
        if let Some(CoverageSummary { k, scope, covered, total, infeasible }) = kpath {
            let length = match scope {
                Scope::UpTo => "up to",
                Scope::Exact => "of length",
            };
            let counts = if self.repetition_goals { " and counts of repetitions" } else { "" };
            text += &format!("; {covered} of {total} k-paths {length} {k}{counts} covered");
            if let Some(given) = given {
                let inputs = many(given.parsed as u64, "given input");
                text += &format!(", {} of them by {inputs}", given.covered);
            }
            if *infeasible > 0 {
                text += &format!(", {infeasible} infeasible");
            }
        }
        text
    }

    fn produce(&self, source: &mut Source<'_>, sink: &mut Sink) -> Result<(), Failure> {
        let count = self.count();
        let mut progress = Progress::new(match (count, self.mode) {
            (Some(_), _) => "inputs",
            (None, Mode::Purdom) => "alternatives",
            (None, _) => "k-paths",
        });
        let (mut entropy, mut tree) = (self.entropy(), Tree::new());
        let differ = !matches!(self.mode, Mode::Kpath | Mode::Purdom);
        let (mut made, mut seen, mut repeats) = (0, HashSet::new(), 0);
        while count.is_none_or(|count| made < count) && source.next(&mut entropy, &mut tree) {
            if differ && !is_new(&mut seen, tree.text()) {
                repeats += 1;
                if repeats > PATIENCE + PATIENCE_EACH * made {
                    to_stderr(format_args!(
                        "the last {repeats} inputs were made before: the language may have no more than \
                         these {made} within the bounds, or others are too rare"
                    ));
                    break;
                }
                continue;
            }
            repeats = 0;
            made += 1;
            sink.put(tree.text())?;
            progress.tick(|| match count {
                Some(count) => (made, count),
                None => source.done().unwrap_or((made, made)),
            });
        }
        Ok(())
    }
}

/// Inputs in a row that were made before after which no other is expected: so many, and so many for each
/// that was found.
const PATIENCE: u64 = 1000;
const PATIENCE_EACH: u64 = 10;
/// The most inputs that are remembered, in some 16 bytes each.
const REMEMBERED: usize = 1 << 24;

/// Whether an input was not made before.
fn is_new(seen: &mut HashSet<u64>, input: &[u8]) -> bool {
    let name = content_name(input);
    if seen.len() < REMEMBERED { seen.insert(name) } else { !seen.contains(&name) }
}

/// Names the first goals that could not be covered.
fn name_infeasible(table: &Table, source: &Source<'_>) {
    let Some(summary) = source.summary().filter(|summary| summary.infeasible > 0) else { return };
    let mut shown = source.infeasible().take(NAMED).peekable();
    if shown.peek().is_some() {
        let names = PathNames::new(table);
        let mut more = summary.infeasible;
        for (walk, reason) in shown {
            to_stderr(format_args!("infeasible: {} ({reason})", names.show(walk)));
            more = more.saturating_sub(1);
        }
        if more > 0 {
            to_stderr(format_args!("infeasible: {more} more"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 1, count: 3 }));
        for bad in ["", "0/3", "4/3", "1/0", "1", "a/b", "1/3/3", "-1/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_include_both_ends() {
        assert_eq!("5..5".parse(), Ok(Range(5, 5)));
        for bad in ["", "5", "6..5", "..5", "5..", "5..=6", "-1..5", "1..99999999999"] {
            assert!(bad.parse::<Range>().is_err(), "{bad}");
        }
    }

    #[test]
    fn separators_are_unescaped() {
        let parsed = |text: &str| text.parse().map(|Separator(bytes)| bytes);
        assert_eq!(parsed(r"a\n\0\\\x7Fé\x"), Err("\\x needs two hexadecimal digits".into()));
        assert_eq!(parsed(r"a\n\0\\\xFFé"), Ok(b"a\n\0\\\xFF\xC3\xA9".to_vec()));
        assert_eq!(parsed(""), Ok(vec![]));
        for bad in ["\\", "\\q", "\\x1", "\\x+1", "\\xé"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }
}
