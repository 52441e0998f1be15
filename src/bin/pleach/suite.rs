//! `pleach suite`: black-box conformance.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};
use pleach::differential::suite::{Conformance, Options, Suite as Inputs};
use pleach::regular::AutomatonLimits;
use pleach::report::visible;
use serde::Serialize;

use crate::baseline::{Baseline, Compared, Known, name};
use crate::check::Format;
use crate::failure::{Failure, many, print, to_stderr};
use crate::implementation::{Implementation, returns_values};
use crate::known::KnownFiles;
use crate::operand::{Loaded, Means, Operand, failed};
use crate::reduce::seconds;
use crate::report::json;
use crate::witnesses;

/// Tests an implementation with inputs made from a specification alone
///
/// SPEC is a regex, GRAMMAR#rule or known:NAME. IMPL is cmd:COMMAND, FILE.rs#function, a regex, GRAMMAR#rule
/// or known:NAME; a function is compiled and run. The inputs are a transition cover of the specification's
/// automaton, which is to be accepted, and what is one symbol away from that and outside the specification, which is
/// to be rejected. What is accepted or rejected wrongly is grouped by what is at fault, with the shortest
/// witness of each group.
///
/// With --against, the answers of IMPL are compared with those of another implementation instead, and with --values also
/// what both return, as it is printed: by `Display` where std has that, else by `Debug`.
/// Without --impl, the inputs are printed.
///
/// What is compiled and run is not shut in: a command, a function and what it calls, and the build script of
/// its package may do all that you may.
///
/// With --format json, one object is printed: {"spec_states","inputs","valid","complete","over_accepted",
/// "over_rejected","wrong_values","failed","groups":[{"kind","fault","count","of","witness","nearest"}]}; "list" has
/// the inputs where there is no IMPL. "nearest" is a string near the witness on which there is no deviation; a group
/// of the kind "wrong-value" has "value" and "expected" as well, those of the witness. With --baseline, "known" says
/// whether a group was known, and "gone" has those that are no more.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 no deviation that counts; 1 a deviation was found; 2 usage or bad input; 3 the automata are too large.

Examples:
  pleach suite --spec known:ipv4 --impl 'cmd:python3 -c \"import ipaddress, sys; \
ipaddress.IPv4Address(sys.stdin.read())\"' -n 500
  pleach suite --spec known:semver --impl src/version.rs#parse
  pleach suite --spec known:port --impl '[0-9]{1,5}'
  pleach suite --spec '[a-z]+(-[a-z]+)*'")]
pub(crate) struct Suite {
    /// What should be accepted
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    spec: String,
    /// What accepts
    #[arg(long = "impl", value_name = "IMPL", allow_hyphen_values = true)]
    implementation: Option<String>,
    /// Another implementation, which is right by definition
    #[arg(long, value_name = "IMPL", requires = "implementation", allow_hyphen_values = true)]
    against: Option<String>,
    /// For inputs that both accept, both have to return the same value, which is printed to be compared
    #[arg(long, requires = "against")]
    values: bool,
    /// The value of a valid input is what this group of the regex, or this rule of the grammar, has of it: what IMPL returns
    /// instead is wrong. Inputs are told apart by what is in the group
    #[arg(
        long,
        value_name = "GROUP|RULE",
        requires = "implementation",
        conflicts_with = "against"
    )]
    #[arg(allow_hyphen_values = true)]
    expect: Option<String>,
    /// How many inputs, at most [default: 100000, and 2000 where a command is run]
    #[arg(short, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    n: Option<u32>,
    #[command(flatten)]
    known: KnownFiles,
    /// More characters to try
    #[arg(long, value_name = "CHARS", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true)]
    special: String,
    /// Follow rules that are not regular so many levels deep, and leave out what is below
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,
    #[cfg(all(feature = "inside", unix))]
    #[command(flatten)]
    inside: crate::inside::Inside,
    /// Keep what is built of a function in this folder [default: `pleach` in Cargo's target folder]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// End each run after so many seconds, which is a failure of the implementation
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    timeout: Duration,
    /// How many groups are printed as text [default: all]
    #[arg(long, value_name = "N")]
    groups: Option<usize>,
    #[command(flatten)]
    baseline: Baseline,
    /// Write the witnesses of new deviations as Rust tests to this file, which must not be there; IMPL is a function. Wrong
    /// values are left out, and without a test there is no file
    #[arg(long, value_name = "FILE", requires = "implementation")]
    tests: Option<PathBuf>,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Inputs by default, and where each costs a process.
const MANY: usize = 100_000;
const FEW: usize = 2_000;

/// What `pleach suite` found. Field names are part of the interface.
#[derive(Serialize)]
struct SuiteReport<'a> {
    spec_states: usize,
    exact: bool,
    imprecisions: &'a [String],
    inputs: usize,
    valid: usize,
    complete: bool,
    #[serde(flatten)]
    conformance: Option<ConformanceReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<InputReport<'a>>>,
}

#[derive(Serialize)]
struct ConformanceReport<'a> {
    over_accepted: usize,
    over_rejected: usize,
    wrong_values: usize,
    failed: usize,
    groups: Vec<GroupReport<'a>>,
    gone: &'a [Known],
}

#[derive(Serialize)]
struct GroupReport<'a> {
    kind: &'static str,
    known: bool,
    fault: &'a str,
    count: usize,
    of: usize,
    witness: &'a str,
    nearest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
}

#[derive(Serialize)]
struct InputReport<'a> {
    text: &'a str,
    valid: bool,
}

impl Suite {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.baseline.refuse()?;
        let limits = AutomatonLimits::default();
        let operand = Operand::specification(&self.spec)?;
        let means = Means { known: &self.known, depth: self.depth, functions: &[] };
        let loaded = Loaded::new(&operand, &means, &limits)?;
        let expectation = self.expect.as_deref().map(|name| loaded.expectation(name, &limits));
        let expectation = expectation.transpose()?;
        let marked = self.expect.as_deref().and_then(|name| loaded.marked(name, &limits));
        let Some(specification) = loaded.language else {
            return Err(Failure::input("error: a command cannot be the specification"));
        };
        let operand =
            |text: &Option<String>| text.as_deref().map(Operand::implementation).transpose();
        let operands = [operand(&self.implementation)?, operand(&self.against)?];
        self.refuse(&operands[0])?;
        let runs_command =
            operands.iter().flatten().any(|operand| matches!(operand, Operand::Command(_)));
        let most = self.n.map_or(if runs_command { FEW } else { MANY }, |n| n as usize);
        let mut options = Options::new().specials(self.special.chars()).most(most);
        // Texts for people do not say what is near a witness.
        options = options.nearer(matches!(self.format, Format::Json));
        if let Some(marked) = &marked {
            options = options.marked(marked);
        }
        let inputs = Inputs::new(&specification, &options, &limits)
            .map_err(|error| failed(&error, format!("error: {error}")))?;
        #[cfg(all(feature = "inside", unix))]
        let inputs = match &operands[0] {
            Some(operand) => {
                let texts = inputs.cases().map(|case| case.text.as_bytes());
                let found = self.inside.search(operand, self.keep.as_deref(), texts)?;
                inputs.with_more(found.all())
            }
            None => inputs,
        };
        for why in specification.imprecisions() {
            to_stderr(format_args!("not exact: spec: {why}"));
        }
        let implementation = |operand: &Operand| {
            // What is run needs no analysis.
            let language = match operand {
                Operand::Command(_) | Operand::Function { .. } => None,
                operand => Loaded::new(operand, &means, &limits)?.language,
            };
            Implementation::new(operand, language, self.keep.as_deref())
        };
        let mut called = None;
        let conformance = match &operands {
            [Some(first), None] => {
                let first = implementation(first)?;
                called = first.called().cloned();
                let values = expectation.as_ref().map(|it| it.values(&specification));
                let value = |text: &str| values.as_ref()?(text);
                let mut is_checked = self.expect.is_none();
                Some(inputs.examine_values(value, |texts| {
                    let answers = first.answers(texts, self.timeout)?;
                    if !std::mem::replace(&mut is_checked, true) {
                        returns_values("--expect", "what --impl names", &answers)?;
                    }
                    Ok(answers)
                })?)
            }
            [Some(first), Some(other)] => {
                let texts: Vec<&str> = inputs.cases().map(|case| case.text).collect();
                let (first, other) = (implementation(first)?, implementation(other)?);
                called = first.called().cloned();
                let answers = |it: &Implementation| it.answers(&texts, self.timeout);
                let (first, other) = (answers(&first)?, answers(&other)?);
                Some(match self.values {
                    true => {
                        returns_values("--values", "what --impl names", &first)?;
                        returns_values("--values", "what --against names", &other)?;
                        inputs.comparison_values(&other, &first)
                    }
                    false => inputs.comparison(&other, &first),
                })
            }
            [None, _] => None,
        };
        let groups = conformance.as_ref().map_or(&[][..], |found| &found.groups);
        let compared = self.baseline.compare(groups)?;
        if let (Some(path), Some(called)) = (&self.tests, &called) {
            let name = self.implementation.as_deref().unwrap_or_default();
            let command = format!("pleach suite --spec {} --impl {name}", self.spec);
            witnesses::write(path, called, &command, &compared.new)?;
        }
        self.baseline.write(groups)?;
        let report = SuiteReport {
            spec_states: specification.states(),
            exact: specification.is_exact(),
            imprecisions: specification.imprecisions(),
            inputs: inputs.len(),
            valid: inputs.valid(),
            complete: inputs.is_complete(),
            conformance: conformance.as_ref().map(|found| of_conformance(found, &compared)),
            list: conformance.is_none().then(|| {
                inputs
                    .cases()
                    .map(|case| InputReport { text: case.text, valid: case.valid })
                    .collect()
            }),
        };
        match self.format {
            Format::Json => print(json(&report)?.as_bytes())?,
            Format::Text => {
                let text = self.text(&report, conformance.as_ref(), &compared);
                print(text.as_bytes())?;
            }
        }
        match conformance {
            Some(found) if compared.fails => Err(Failure::No(format!(
                "{} of {} inputs show a deviation",
                found.over_accepted + found.over_rejected + found.wrong_values + found.failed,
                found.inputs
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses what cannot be done with an implementation, before anything is run.
    fn refuse(&self, implementation: &Option<Operand>) -> Result<(), Failure> {
        #[cfg(all(feature = "inside", unix))]
        self.inside.refuse(implementation.as_ref())?;
        if self.expect.is_some()
            && !matches!(implementation, Some(Operand::Command(_) | Operand::Function { .. }))
        {
            return Err(Failure::input(
                "error: --expect needs something that is run and returns a value: --impl cmd:COMMAND or \
                 --impl FILE.rs#FUNCTION",
            ));
        }
        if let Some(path) = &self.tests {
            if !matches!(implementation, Some(Operand::Function { .. })) {
                return Err(Failure::input(
                    "error: --tests needs a function: --impl FILE.rs#FUNCTION",
                ));
            }
            witnesses::refuse(path)?;
        }
        Ok(())
    }

    fn text(
        &self,
        report: &SuiteReport<'_>,
        conformance: Option<&Conformance>,
        compared: &Compared,
    ) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        for input in report.list.iter().flatten() {
            let kind = if input.valid { "valid" } else { "invalid" };
            let _ = writeln!(out, "{kind:<7}  \"{}\"", visible(input.text.as_bytes()));
        }
        let Some(found) = conformance else { return out };
        let whole = if report.complete { "" } else { ", and more were left out: -n" };
        let _ = writeln!(
            out,
            "{}, {} of them valid{whole}\n{} over-accepted, {} over-rejected, {}{} failed",
            many(report.inputs as u64, "input"),
            found.valid,
            found.over_accepted,
            found.over_rejected,
            match self.expect.is_some() || self.values {
                true => format!("{} with a wrong value, ", found.wrong_values),
                false => String::new(),
            },
            found.failed
        );
        let shown = self.groups.unwrap_or(found.groups.len());
        for (group, &is_known) in found.groups.iter().zip(&compared.known).take(shown) {
            let witness = format!("\"{}\"", visible(group.witness.as_bytes()));
            let _ = writeln!(
                out,
                "  {:<13}  {witness:<24}  {}{} of {}: {}{}",
                name(group.kind),
                if is_known { "known, " } else { "" },
                group.count,
                group.of,
                group.fault,
                match &group.values {
                    Some((found, expected)) => format!(
                        ": \"{}\" instead of \"{}\"",
                        visible(found.as_bytes()),
                        visible(expected.as_bytes())
                    ),
                    None => String::new(),
                }
            );
        }
        let more = found.groups.len().saturating_sub(shown);
        if more > 0 {
            let _ = writeln!(out, "  and {more} more groups: --groups");
        }
        out += &compared.text();
        out
    }
}

fn of_conformance<'f>(found: &'f Conformance, compared: &'f Compared) -> ConformanceReport<'f> {
    let groups = found.groups.iter().zip(&compared.known).map(|(group, &known)| GroupReport {
        kind: name(group.kind),
        known,
        fault: &group.fault,
        count: group.count,
        of: group.of,
        witness: &group.witness,
        nearest: group.nearest.as_deref(),
        value: group.values.as_ref().map(|values| &*values.0),
        expected: group.values.as_ref().map(|values| &*values.1),
    });
    ConformanceReport {
        over_accepted: found.over_accepted,
        over_rejected: found.over_rejected,
        wrong_values: found.wrong_values,
        failed: found.failed,
        groups: groups.collect(),
        gone: &compared.gone,
    }
}
