//! Deviations that are known: a file of them, what is new beside it, and what is gone.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pleach::differential::suite::{DeviationKind, Group};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::inputs::shown;
use crate::output::write_whole;
use crate::report::json;

/// Which deviations count.
#[derive(Args)]
pub(crate) struct Baseline {
    /// Deviations that are known, which do not count: those of another kind or cause, and with another witness, are new
    #[arg(long, value_name = "FILE", requires = "implementation")]
    baseline: Option<PathBuf>,
    /// Write the deviations that are found to the file of --baseline, in the place of those there
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// The answer is "no" only where there are new deviations of these kinds
    #[arg(
        long,
        value_name = "KIND",
        value_enum,
        value_delimiter = ',',
        requires = "implementation"
    )]
    fail_on: Vec<FailOn>,
}

/// A kind of deviations, or all or none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    OverAccepted,
    OverRejected,
    WrongValue,
    Failed,
    Any,
    Never,
}

/// The name of a kind, as it is printed.
pub(crate) fn name(kind: DeviationKind) -> &'static str {
    match kind {
        DeviationKind::OverAccepted => "over-accepted",
        DeviationKind::OverRejected => "over-rejected",
        DeviationKind::WrongValue => "wrong-value",
        DeviationKind::Failed => "failed",
    }
}

/// A deviation as the file has it. Field names are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Known {
    kind: String,
    fault: String,
    witness: String,
}

impl Known {
    fn of(group: &Group) -> Self {
        Self {
            kind: name(group.kind).to_owned(),
            fault: group.fault.clone(),
            witness: group.witness.clone(),
        }
    }

    /// Whether it is a group: one of the same kind with the same cause, or, as more inputs may say of the cause otherwise, with
    /// the same witness.
    fn is(&self, group: &Group) -> bool {
        self.kind == name(group.kind)
            && (self.fault == group.fault || self.witness == group.witness)
    }

    fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Self { kind: text("kind")?, fault: text("fault")?, witness: text("witness")? })
    }
}

#[derive(Serialize)]
struct File {
    deviations: Vec<Known>,
}

/// What came of the deviations that were known.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Of each group whether it was known, or is from now on.
    pub(crate) known: Vec<bool>,
    /// Those that were not known before.
    pub(crate) new: Vec<Group>,
    /// Those that no group is any more.
    pub(crate) gone: Vec<Known>,
    /// Whether the answer is "no".
    pub(crate) fails: bool,
}

impl Compared {
    /// Those that are gone, for people.
    pub(crate) fn text(&self) -> String {
        let line = |known: &Known| {
            let witness = pleach::report::visible(known.witness.as_bytes());
            format!("  gone: {}  \"{witness}\": {}\n", known.kind, known.fault)
        };
        self.gone.iter().map(line).collect()
    }
}

impl Baseline {
    /// Refuses to write over a file that is no baseline, before anything is done.
    pub(crate) fn refuse(&self) -> Result<(), Failure> {
        let is_written = |path: &&PathBuf| self.write_baseline && path.is_file();
        let Some(path) = self.baseline.as_ref().filter(is_written) else { return Ok(()) };
        let is_empty = path.metadata().is_ok_and(|it| it.len() == 0);
        match read(path) {
            Err(_) if !is_empty => Err(Failure::Input(format!(
                "error: --baseline {}: it is there already, and is no list of deviations: name another file to write",
                shown(path)
            ))),
            _ => Ok(()),
        }
    }

    /// Compares what was found with what was known; where the file is to be written, all of it counts as known.
    pub(crate) fn compare(&self, groups: &[Group]) -> Result<Compared, Failure> {
        let known = match &self.baseline {
            Some(path) if self.write_baseline => read(path).unwrap_or_default(),
            Some(path) => read(path)?,
            None => Vec::new(),
        };
        let is_known = |group: &Group| known.iter().any(|known| known.is(group));
        let mut compared = Compared {
            new: groups.iter().filter(|group| !is_known(group)).cloned().collect(),
            known: groups.iter().map(|group| self.write_baseline || is_known(group)).collect(),
            ..Compared::default()
        };
        if !self.write_baseline {
            let is_gone = |known: &Known| !groups.iter().any(|group| known.is(group));
            compared.gone = known.iter().filter(|known| is_gone(known)).cloned().collect();
        }
        let counts = |kind: DeviationKind| {
            let own = match kind {
                DeviationKind::OverAccepted => FailOn::OverAccepted,
                DeviationKind::OverRejected => FailOn::OverRejected,
                DeviationKind::WrongValue => FailOn::WrongValue,
                DeviationKind::Failed => FailOn::Failed,
            };
            let all = &self.fail_on;
            (all.is_empty() || all.contains(&FailOn::Any) || all.contains(&own))
                && !all.contains(&FailOn::Never)
        };
        compared.fails = groups
            .iter()
            .zip(&compared.known)
            .any(|(group, &is_known)| !is_known && counts(group.kind));
        Ok(compared)
    }
}

impl Baseline {
    /// Writes what was found to the file, where that is asked for.
    pub(crate) fn write(&self, groups: &[Group]) -> Result<(), Failure> {
        let Some(path) = self.baseline.as_ref().filter(|_| self.write_baseline) else {
            return Ok(());
        };
        let text = json(&File { deviations: groups.iter().map(Known::of).collect() })?;
        write_whole(path, text.as_bytes())
    }
}

fn read(path: &Path) -> Result<Vec<Known>, Failure> {
    let name = shown(path);
    let hint = if path.exists() { "" } else { "; --write-baseline writes it" };
    let wrong = |what: String| Failure::Input(format!("error: --baseline {name}: {what}{hint}"));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let all = value["deviations"].as_array().map(|all| all.iter().map(Known::read).collect());
    let all: Option<Option<Vec<Known>>> = all;
    all.flatten().ok_or_else(|| wrong("it is no list of deviations".to_owned()))
}
