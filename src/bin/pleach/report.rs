//! What commands print as JSON. Field names are part of the interface.

use std::collections::BTreeMap;

use pleach::grammar::{Diagnostic, SourceMap};
use pleach::kpath::{CoverageSummary, PathCount};
use serde::Serialize;

use crate::failure::Failure;

/// The answer of `pleach check`.
#[derive(Serialize)]
pub(crate) struct CheckReport<'a> {
    pub(crate) start: &'a str,
    pub(crate) rules: usize,
    pub(crate) alternatives: usize,
    pub(crate) occurrences: usize,
    /// Alternatives that are marked to be read only, which the other numbers leave out.
    pub(crate) read_only: usize,
    pub(crate) warnings: Vec<Warning<'a>>,
    /// By length: the walks of exactly so many nodes.
    pub(crate) kpaths: BTreeMap<usize, PathCount>,
}

/// A finding about a grammar.
#[derive(Serialize)]
pub(crate) struct Warning<'a> {
    severity: String,
    message: &'a str,
    help: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> Warning<'a> {
    pub(crate) fn new(found: &'a Diagnostic, sources: &SourceMap<'a>) -> Self {
        let place = sources.locate(found.span);
        Self {
            severity: found.severity.to_string(),
            message: &found.message,
            help: found.help.as_deref(),
            file: place.map(|place| place.file),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
        }
    }
}

/// What `pleach generate` did.
#[derive(Serialize)]
pub(crate) struct GenerateReport {
    pub(crate) seed: u64,
    /// Inputs written; into a folder, different ones.
    pub(crate) files: u64,
    /// The bytes of those.
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
    /// None where there are too many k-paths to measure.
    pub(crate) kpath: Option<CoverageSummary>,
    /// What the inputs of --given are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) given: Option<GivenReport>,
}

/// What existing inputs cover, of the goals of a run.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct GivenReport {
    pub(crate) files: usize,
    pub(crate) parsed: usize,
    /// Goals that they cover.
    pub(crate) covered: u64,
}

/// What `pleach reduce` did.
#[derive(Serialize)]
pub(crate) struct ReduceReport {
    /// Bytes of the input.
    pub(crate) before: usize,
    /// Bytes of what is left.
    pub(crate) after: usize,
    /// Candidates that the command was run on, as with one job.
    pub(crate) runs: u64,
    /// Candidates that were kept.
    pub(crate) kept: u64,
    /// Runs ahead of time of which the answer was not needed.
    pub(crate) ahead: u64,
    pub(crate) seconds: f64,
    /// What the command does on the input and on what is left.
    pub(crate) keeps: String,
    /// Whether nothing more can be done.
    pub(crate) finished: bool,
    /// Whether the input is of the grammar.
    pub(crate) sentence: bool,
}

/// One object on one line.
pub(crate) fn json(report: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(report)
        .map(|text| text + "\n")
        .map_err(|error| Failure::Input(format!("error: the report: {error}")))
}
