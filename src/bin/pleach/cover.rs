//! `pleach cover`: what a corpus covers, and what it leaves out.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use pleach::Seeded;
use pleach::grammar::Grammar;
use pleach::kpath::{CoverageSummary, PathIndex, Scope};
use pleach::parse::{Parser, Scratch};
use pleach::produce::{Cover as Producer, CoverOptions};
use pleach::report::{
    Corpus, CoverageGap, Example, Page, PartsSummary, PathNames, Refused, minimal_subset,
    on_one_line, percent, shortened, visible,
};
use pleach::table::Table;
use pleach::tree::Tree;
use serde::Serialize;

use crate::check::Format;
use crate::failure::{Failure, many, print, to_stderr};
use crate::inputs::{self, Input, Reading};
use crate::load::Load;
use crate::measure::{Outcome, Partly, Rejected, measure};
use crate::output::{Sink, write_named};
use crate::place::{Overwriting, Own};
use crate::report::json;

/// Inputs left out that are named; JSON names all.
const NAMED: usize = 20;
/// Columns of an example or a path.
const WIDTH: usize = 60;

/// Measures which k-paths existing inputs cover, and names those that they do not
///
/// Files are read in parallel; folders with all that is below them, in the order of the names. What
/// cannot be read or does not parse is left out, and named with the reason. The result does not depend
/// on the number of threads.
///
/// Of a file that is not of the grammar, as half of a fuzzer's corpus, the largest parts that are of some
/// rule are measured by themselves, two bytes or more. They have figures of their own: all others, and
/// --fail-under and --minimize, go by whole inputs.
///
/// An uncovered k-path comes with an input for it of the fewest bytes. First come those that hold no
/// shorter uncovered one, and of these those that the most others depend on: "unlocks" counts the
/// uncovered k-paths that one is a part of, "adds" what its input would add to those before it. Where
/// the grammar is ambiguous, an input made for a k-path may be read as another tree without it: such
/// k-paths come last, as "read otherwise".
///
/// With --format json, one object is printed: {"files","parsed","rejected":[{"file","reason","line",
/// "column","offset"}],"kpath":{"k","mode","covered","total","infeasible"},"lengths":[{"k","covered",
/// "total"}],"rules":[{"rule","hits","covered","total"}],"uncovered":[{"path","length","unlocks",
/// "minimal","example","adds"}],"parts":{"files","parts","bytes","of","kpath":{...},"new"}}. The first 100,000 uncovered k-paths are in it; an example is text where it is UTF-8,
/// else an array of bytes, and only the first --top have one. Of the parts of files left out there are
/// the bytes, of how many, the k-paths that they cover, and how many of these no whole input covers.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach cover grammars/json.pleach corpus/ seeds/*.json -k 3
  pleach cover grammars/json.pleach corpus/ --html coverage.html
  pleach cover grammars/json.pleach corpus/ --minimize small/
  pleach cover grammars/json.pleach corpus/ --fail-under 95 --format json")]
pub(crate) struct Cover {
    #[command(flatten)]
    load: Load,
    /// Files and folders; `-` reads one input from standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The greatest length of a k-path, 1 to 64
    #[arg(short, default_value_t = 3)]
    #[arg(value_parser = value_parser!(u8).range(1..=PathIndex::LONGEST as i64))]
    k: u8,
    /// Only the paths of exactly K places, instead of 1 to K
    #[arg(long)]
    exact: bool,
    /// Write a page to this file: the grammar coloured by what is used, tables, diagrams, and inputs
    /// for what is missing. It needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    overwriting: Overwriting,
    /// Write a small subset of the inputs that covers the same k-paths into this folder, each named
    /// by a hash of its content
    #[arg(long, value_name = "DIR")]
    minimize: Option<PathBuf>,
    /// End with exit code 1 where less than this share of the k-paths is covered
    #[arg(long, value_name = "PERCENT", value_parser = share)]
    fail_under: Option<f64>,
    /// How many uncovered k-paths are shown with an input; 100 on a page
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
    /// The most k-paths to take on; more are an error with exit code 3
    #[arg(long, default_value_t = PathIndex::DEFAULT_LIMIT)]
    limit: u64,
}

/// Uncovered k-paths that JSON lists.
const LISTED: usize = 100_000;
/// Uncovered k-paths that are tried for each that is to be shown.
const TRIES: usize = 50;
/// Uncovered k-paths that a page shows at least.
const ON_PAGE: usize = 100;

fn share(text: &str) -> Result<f64, String> {
    let share = text.strip_suffix('%').unwrap_or(text).parse::<f64>();
    share.ok().filter(|share| (0.0..=100.0).contains(share)).ok_or("it is from 0 to 100".into())
}

/// What `pleach cover` found. Field names are part of the interface.
#[derive(Serialize)]
struct CoverReport<'a> {
    files: usize,
    parsed: usize,
    rejected: &'a [Rejected],
    kpath: CoverageSummary,
    lengths: Vec<LengthReport>,
    rules: Vec<RuleReport<'a>>,
    uncovered: Vec<GapReport>,
    parts: PartsSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimized: Option<Minimized>,
}

#[derive(Serialize)]
struct LengthReport {
    k: usize,
    covered: u64,
    total: u64,
}

#[derive(Serialize)]
struct RuleReport<'a> {
    rule: &'a str,
    hits: u64,
    covered: u64,
    total: u64,
}

#[derive(Serialize)]
struct GapReport {
    path: String,
    length: usize,
    unlocks: u64,
    minimal: bool,
    example: Option<Content>,
    adds: Option<u64>,
}

/// An input as JSON can say it.
#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

#[derive(Clone, Copy, Serialize)]
struct Minimized {
    files: u64,
    bytes: u64,
}

/// Exhausts the stated limit where there are too many k-paths, else is a usage error.
pub(crate) fn begin(
    table: &Table,
    k: usize,
    scope: Scope,
    limit: u64,
) -> Result<Corpus<'_>, Failure> {
    Corpus::new(table, k, scope, limit).map_err(|error| {
        let message = format!("error: {error}");
        match error.is_size_limit_exceeded() {
            true => Failure::Budget(message),
            false => Failure::Input(message),
        }
    })
}

/// Names what was left out on standard error.
pub(crate) fn name_rejected(rejected: &[Rejected]) {
    for one in rejected.iter().take(NAMED) {
        to_stderr(format_args!(
            "left out: {}: {}",
            one.file,
            shortened(&on_one_line(&one.reason), 300)
        ));
    }
    if rejected.len() > NAMED {
        to_stderr(format_args!("left out: {} more", rejected.len() - NAMED));
    }
}

impl Cover {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let stdin = self.paths.iter().filter(|path| *path == Path::new("-")).count();
        if stdin + usize::from(self.load.is_stdin()) > 1 {
            return Err(Failure::input("error: standard input can be read only once"));
        }
        let (grammar, lowered) = self.load.load_both_quietly()?;
        let table = lowered.table;
        let scope = if self.exact { Scope::Exact } else { Scope::UpTo };
        let mut corpus = begin(&table, self.k.into(), scope, self.limit)?;
        let inputs = inputs::find(&self.paths)?;
        if let Some(path) = &self.html {
            let read = self.load.paths(&grammar);
            let read = read.iter().chain(inputs.iter().map(|input| &input.path));
            self.overwriting.check(path, Own::Page, read)?;
        }
        let parser = Parser::new(&table).limits(self.reading.bounds.limits());
        let whole = self.minimize.is_some();
        let mut partly = Partly::new(corpus.clone());
        let outcome =
            measure(&inputs, &parser, &mut corpus, Some(&mut partly), &self.reading, whole);
        let parts = partly.summary(&corpus);
        name_rejected(&outcome.rejected);
        let minimized = match &self.minimize {
            None => None,
            Some(folder) => Some(self.minimize(folder, &inputs, &outcome, &corpus)?),
        };
        let names = PathNames::new(&table);
        let wanted = if self.html.is_some() { self.top.max(ON_PAGE) } else { self.top };
        let tried = wanted.saturating_mul(TRIES);
        let gaps = corpus.gaps(if self.format == Format::Json { tried.max(LISTED) } else { tried });
        let examples = self.examples(&corpus, &gaps[..gaps.len().min(tried)], wanted, &parser)?;
        if let Some(path) = &self.html {
            let html = page(&grammar, &corpus, &names, (&outcome, parts), &examples);
            write_named(path, html.as_bytes())?;
        }
        let top = &examples[..examples.len().min(self.top)];
        match self.format {
            Format::Json => {
                let report = CoverReport {
                    files: inputs.len(),
                    parsed: outcome.measured.len(),
                    rejected: &outcome.rejected,
                    kpath: corpus.summary(),
                    lengths: lengths(&corpus),
                    rules: rules(&corpus),
                    uncovered: uncovered(&corpus, &names, &gaps[..gaps.len().min(LISTED)], top),
                    parts,
                    minimized,
                };
                print(json(&report)?.as_bytes())?;
            }
            Format::Text => {
                let text = counted(inputs.len(), &outcome, &parts);
                let text = text + &figures(&corpus, &names, top);
                print(text.as_bytes())?;
            }
        }
        self.judge(&corpus, &outcome)
    }

    /// Whether enough is covered.
    fn judge(&self, corpus: &Corpus<'_>, outcome: &Outcome) -> Result<(), Failure> {
        let Some(least) = self.fail_under else { return Ok(()) };
        let CoverageSummary { covered, total, .. } = corpus.summary();
        if covered as f64 * 100.0 >= least * total as f64 {
            return Ok(());
        }
        let message = format!(
            "error: {}% of the k-paths are covered, under --fail-under {least}",
            percent(covered, total)
        );
        let unknown = outcome.rejected.iter().filter(|one| one.unknown).count();
        if unknown > 0 {
            let message =
                format!("{message}; {unknown} files were not read to the end for their bounds");
            return Err(Failure::Budget(message));
        }
        Err(Failure::No(message))
    }

    fn minimize(
        &self,
        folder: &Path,
        inputs: &[Input],
        outcome: &Outcome,
        corpus: &Corpus<'_>,
    ) -> Result<Minimized, Failure> {
        let sets: Vec<_> =
            outcome.measured.iter().map(|one| (one.bytes, one.ranks.clone())).collect();
        let kept = minimal_subset(&sets, corpus.coverage().index().len());
        let mut sink = Sink::folder(folder, String::new())?;
        for index in kept {
            let path = &inputs[outcome.measured[index].index].path;
            if path == Path::new("-") {
                return Err(Failure::input("error: --minimize needs files, not standard input"));
            }
            let content = fs::read(path).map_err(|error| {
                Failure::Input(format!("error: cannot read {}: {error}", inputs::shown(path)))
            })?;
            sink.put(&content)?;
        }
        sink.finish()?;
        let (files, bytes) = sink.written();
        let of = outcome.measured.len();
        let inputs = if of == 1 { "input covers" } else { "inputs cover" };
        to_stderr(format_args!("{files} of {of} {inputs} the same, {bytes} bytes"));
        Ok(Minimized { files, bytes })
    }

    /// Inputs for the first gaps, each new to those before it.
    fn examples(
        &self,
        corpus: &Corpus<'_>,
        gaps: &[CoverageGap],
        wanted: usize,
        parser: &Parser<'_>,
    ) -> Result<Vec<Example>, Failure> {
        if gaps.is_empty() || wanted == 0 {
            return Ok(Vec::new());
        }
        // Those that cover their gap, and those that are read otherwise.
        let (mut examples, mut others) = (Vec::new(), Vec::new());
        let coverage = corpus.coverage();
        let index = coverage.index();
        let options = CoverOptions::new(index.k()).scope(index.scope()).limit(self.limit);
        let mut producer = Producer::new(corpus.table(), options)
            .map_err(|error| Failure::Input(format!("error: {error}")))?;
        // What is covered together with the examples so far.
        let mut planned = coverage.clone();
        let mut alone = corpus.worker();
        let (mut scratch, mut read) = (Scratch::new(), Tree::new());
        let (mut entropy, mut tree, mut walk) = (Seeded::new(0), Tree::new(), Vec::new());
        for gap in gaps {
            if examples.len() == wanted {
                break;
            }
            if planned.contains(gap.rank) {
                continue;
            }
            index.walk(gap.rank, &mut walk);
            let found = producer.example(&walk, &mut entropy, &mut tree);
            // The parser decides what an input covers.
            let reads = found && parser.parse(tree.text(), &mut scratch, &mut read).is_ok();
            let as_made = reads && (read == tree || alone.measure_whole(&read).contains(&gap.rank));
            let ambiguous = found && !as_made;
            let adds = if as_made { planned.add(&read) } else { 0 };
            let text = found.then(|| tree.text().to_vec());
            let kind = if adds > 0 { &mut examples } else { &mut others };
            kind.push(Example { gap: *gap, text, adds, ambiguous });
        }
        examples.append(&mut others);
        examples.truncate(wanted);
        Ok(examples)
    }
}

/// How many files were read, why others were left out, and what parts of these cover.
fn counted(files: usize, outcome: &Outcome, parts: &PartsSummary) -> String {
    let Outcome { measured, rejected } = outcome;
    let mut out = format!("{}, {} parsed", many(files as u64, "file"), measured.len());
    if !rejected.is_empty() {
        let spent = rejected.iter().filter(|one| one.unknown).count();
        let invalid = rejected.iter().filter(|one| one.offset.is_some()).count();
        let reasons = [
            (invalid, "not of the grammar"),
            (spent, "with the budget of work spent"),
            (rejected.len() - invalid - spent, "not read"),
        ];
        let reasons: Vec<String> = reasons
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} {why}"))
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(out, ", {} left out: {}", rejected.len(), reasons.join(", "));
    }
    if parts.files > 0 {
        let PartsSummary { parts, bytes, of, kpath, new, .. } = parts;
        let _ = write!(
            out,
            "\nparts of these that are of some rule: {parts}, {}% of {of} bytes; by themselves they cover {} k-paths, \
             {new} of them covered by no file parsed",
            percent(*bytes, *of),
            kpath.covered
        );
    }
    out.push('\n');
    out
}

/// What is covered, and what is not.
fn figures(corpus: &Corpus<'_>, names: &PathNames<'_>, examples: &[Example]) -> String {
    let mut out = String::new();
    out.push_str("\n   k  covered    total      %\n");
    for LengthReport { k, covered, total } in lengths(corpus) {
        let _ = writeln!(out, "{k:>4} {covered:>8} {total:>8} {:>6}", percent(covered, total));
    }
    let CoverageSummary { covered, total, infeasible, .. } = corpus.summary();
    let _ = writeln!(out, " all {covered:>8} {total:>8} {:>6}", percent(covered, total));
    if infeasible > 0 {
        let _ = writeln!(out, "{infeasible} are infeasible");
    }
    out.push_str("\ncovered    total      %      hits  rule\n");
    for RuleReport { rule, hits, covered, total } in rules(corpus) {
        let share = percent(covered, total);
        let _ = writeln!(out, "{covered:>7} {total:>8} {share:>6} {hits:>9}  {rule}");
    }
    if covered < total {
        let gaps = total - covered;
        let _ = writeln!(out, "\n{} of {gaps} uncovered k-paths:", examples.len());
        out.push_str("unlocks    adds  k-path, and a smallest input for it\n");
    }
    let mut walk = Vec::new();
    for Example { gap, text, adds, ambiguous } in examples {
        corpus.coverage().index().walk(gap.rank, &mut walk);
        let _ = write!(out, "{:>7} {adds:>7}  {}", gap.unlocks, names.show(&walk));
        match text {
            None => out.push_str("\n                 (none was found)"),
            Some(text) => {
                let shown = shortened(&visible(text), WIDTH);
                let _ = write!(out, "\n                 {shown}");
            }
        }
        out.push_str(if *ambiguous { "  (read otherwise)\n" } else { "\n" });
    }
    out
}

fn lengths(corpus: &Corpus<'_>) -> Vec<LengthReport> {
    let lengths = corpus.lengths().into_iter();
    lengths.map(|(k, covered, total)| LengthReport { k, covered, total }).collect()
}

fn rules<'t>(corpus: &Corpus<'t>) -> Vec<RuleReport<'t>> {
    let table = corpus.table();
    let figures = corpus.rules();
    table
        .produced_rules()
        .map(|rule| {
            let (covered, total) = figures[rule.index()];
            let hits = corpus.hits().rule(table, rule);
            RuleReport { rule: table.names().rule(rule), hits, covered, total }
        })
        .collect()
}

fn uncovered(
    corpus: &Corpus<'_>,
    names: &PathNames<'_>,
    gaps: &[CoverageGap],
    examples: &[Example],
) -> Vec<GapReport> {
    let examples: HashMap<u32, &Example> =
        examples.iter().map(|example| (example.gap.rank, example)).collect();
    let mut walk = Vec::new();
    gaps.iter()
        .map(|gap| {
            corpus.coverage().index().walk(gap.rank, &mut walk);
            let example = examples.get(&gap.rank);
            let content = example.and_then(|example| example.text.clone()).map(|text| {
                String::from_utf8(text)
                    .map_or_else(|error| Content::Bytes(error.into_bytes()), Content::Text)
            });
            GapReport {
                path: names.show(&walk),
                length: gap.length,
                unlocks: gap.unlocks,
                minimal: gap.minimal,
                example: content,
                adds: example.map(|example| example.adds),
            }
        })
        .collect()
}

fn page(
    grammar: &Grammar,
    corpus: &Corpus<'_>,
    names: &PathNames<'_>,
    (outcome, parts): (&Outcome, PartsSummary),
    examples: &[Example],
) -> String {
    let parts = (parts.files > 0).then_some(parts);
    let refused: Vec<Refused> = outcome
        .rejected
        .iter()
        .map(|one| Refused { input: one.file.clone(), reason: one.reason.clone() })
        .collect();
    Page { grammar, corpus, names, refused: &refused, parts, examples }.html()
}
