//! `pleach check`: is the grammar good, and how large is it?

use std::fmt::Write;

use clap::{Args, ValueEnum};
use pleach::grammar::SourceMap;
use pleach::kpath::WalkCounts;

use crate::failure::{Failure, print, to_stderr};
use crate::load::Load;
use crate::report::{CheckReport, Warning, json};

/// The lengths whose k-paths are counted.
const LENGTHS: usize = 5;

/// Checks a grammar, and counts its rules and k-paths
///
/// Errors and warnings name file, line and column, show the line, and say how to mend it. The
/// figures are of what the start rule reaches. With --format json, one object is printed:
/// {"start","rules","alternatives","occurrences","read_only","warnings":[{"severity","message",
/// "help","file","line","column"}],"kpaths":{"1":n,...,"5":n}}, where kpaths are exact-k counts, and a
/// count over 64 bits is a string; "read_only" counts alternatives that are read and never produced,
/// which the other figures leave out.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach check grammars/uri.pleach
  pleach check grammars/uri.pleach --start URI --format json")]
pub(crate) struct Check {
    #[command(flatten)]
    load: Load,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How a command prints its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (grammar, lowered) = self.load.load()?;
        let sources = SourceMap::new(&grammar.files);
        let table = &lowered.table;
        let counts = WalkCounts::new(table, LENGTHS);
        let report = CheckReport {
            start: table.names().rule(table.start()),
            rules: table.produced_rules().count(),
            alternatives: table.written_alternative_count(),
            occurrences: table.occurrence_count(),
            read_only: table.marked_alternative_count(),
            warnings: lowered.warnings.iter().map(|found| Warning::new(found, &sources)).collect(),
            kpaths: (1..=LENGTHS).map(|k| (k, counts.exact(k))).collect(),
        };
        if self.format == Format::Json {
            return print(json(&report)?.as_bytes());
        }
        for found in &lowered.warnings {
            to_stderr(sources.render(found));
        }
        let mut text = format!(
            "start         {}\nrules         {}\nalternatives  {}\noccurrences   {}\n",
            report.start, report.rules, report.alternatives, report.occurrences
        );
        if report.read_only > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "read only     {}", report.read_only);
        }
        for (k, count) in &report.kpaths {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{k}-paths       {count}");
        }
        print(text.as_bytes())
    }
}
