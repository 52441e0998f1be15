//! What a search came to, for people and for programs.

use std::collections::BTreeMap;

use pleach::explore::search::{Failure as Fault, Lost, OneSided, Report, Why};
use pleach::inside::ir::{Module, Place};
use pleach::inside::vm::Outcome;
use pleach::report::on_one_line;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::met::Met;
use crate::sources::{Sources, function};

use super::work::Totals;

/// How many places where values are lost are named.
const LOST: usize = 5;

/// A search that is over.
pub(super) struct Ended<'a> {
    pub(super) target: &'a str,
    pub(super) seed: u64,
    /// Where the search was to go.
    pub(super) goals: &'a [String],
    pub(super) module: &'a Module,
    pub(super) totals: &'a Totals,
    pub(super) failures: Vec<(&'a Fault, &'a Met)>,
    pub(super) report: &'a Report,
    /// A bit for each edge that was taken.
    pub(super) edges: &'a [u64],
    /// How many inputs are no sentences of the grammar.
    pub(super) misshapen: usize,
    pub(super) seconds: f64,
    /// Whether the branch of a place is of interest.
    pub(super) shows: &'a dyn Fn(&Place<'_>) -> bool,
}

impl Ended<'_> {
    /// The branches of interest that were not taken in all ways, those that more time could mend first.
    fn branches(&self) -> Vec<&OneSided> {
        let shows = |branch: &&OneSided| {
            self.module.places(branch.at).next().is_some_and(|place| (self.shows)(&place))
        };
        let mut branches: Vec<&OneSided> = self.report.branches.iter().filter(shows).collect();
        branches.sort_by_key(|branch| (is_final(branch.why), &branch.site, branch.edge));
        branches
    }

    /// The text, with so many branches; 0 is all.
    pub(super) fn text(&self, top: usize) -> String {
        let sources = Sources::new();
        let mut text = format!("{}, {:.1} s\n", self.totals, self.seconds);
        for (fault, met) in &self.failures {
            text += &met.text(fault, &sources);
        }
        if !self.goals.is_empty() {
            let not = if self.totals.reached { "" } else { "not " };
            text += &format!("--target {} was {not}reached\n", self.goals.join(" or "));
        }
        text + &self.left_out() + &self.missing(top, &sources) + &self.lost(&sources)
    }

    /// The inputs that were not run, and those whose runs broke off.
    fn left_out(&self) -> String {
        let mut text = match self.misshapen {
            0 => String::new(),
            1 => "1 input is no sentence of the grammar and was left out\n".to_owned(),
            many => format!("{many} inputs are no sentences of the grammar and were left out\n"),
        };
        let all: u64 = self.report.unfollowed.values().sum();
        let runs = if all == 1 { "run was" } else { "runs were" };
        let mut reasons: Vec<(&str, u64)> =
            self.report.unfollowed.iter().map(|(why, &count)| (&**why, count)).collect();
        reasons.sort_by_key(|&(why, count)| (std::cmp::Reverse(count), why));
        let words = |&(why, count): &(&str, u64)| {
            let times = if count < all { format!(" ({count})") } else { String::new() };
            format!("{}{}{times}", on_one_line(why), remedy(why))
        };
        let shown: Vec<String> = reasons.iter().take(LOST).map(words).collect();
        let more = if reasons.len() > LOST { ", ..." } else { "" };
        if all > 0 {
            text += &format!("{all} {runs} not followed to the end: {}{more}\n", shown.join(", "));
        }
        text
    }

    fn missing(&self, top: usize, sources: &Sources) -> String {
        let branches = self.branches();
        let elsewhere = self.report.branches.len() - branches.len();
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for branch in &branches {
            *reasons.entry(branch.why.name()).or_default() += 1;
        }
        let mut reasons: Vec<String> =
            reasons.iter().map(|(why, count)| format!("{count} {why}")).collect();
        if elsewhere > 0 {
            reasons.push(format!("{elsewhere} of dependencies"));
        }
        if reasons.is_empty() {
            return String::new();
        }
        let mut text = format!("ways of branches that were not taken: {}\n", reasons.join(", "));
        let shown = if top == 0 { branches.len() } else { top.min(branches.len()) };
        for branch in &branches[..shown] {
            let Some(place) = self.module.places(branch.at).next() else { continue };
            let line = sources.line(&place).map_or(String::new(), |line| format!(": {line}"));
            let to = match self.to(branch, &place) {
                Some(line) => format!(", to line {line}"),
                None => String::new(),
            };
            text += &format!("  {}{line}\n    {}{to}\n", sources.place(&place), words(branch));
        }
        if shown < branches.len() {
            text += &format!("  ... {} more: --top shows more\n", branches.len() - shown);
        }
        text
    }

    /// The line that the way leads to, where it is another one of the same file.
    pub(super) fn to(&self, branch: &OneSided, from: &Place<'_>) -> Option<u32> {
        let (_, to) = self.module.edge(branch.edge)?;
        let place = self.module.places(to).find(|place| !place.in_std())?;
        (place.file == from.file && place.line != 0 && place.line != from.line)
            .then_some(place.line)
    }

    fn lost(&self, sources: &Sources) -> String {
        let lost = self.report.lost.iter().take(LOST);
        let words = |it: &Lost| {
            let at = sources.location(&it.site.to_string());
            format!("not followed {} times at {at}: {}\n", it.count, it.why)
        };
        lost.map(words).collect()
    }

    /// One object.
    pub(super) fn json(&self) -> String {
        let sources = Sources::new();
        let crashes = self.failures.iter().map(|(fault, met)| met.object(fault, &sources));
        let crashes: Vec<Value> = crashes.collect();
        let branch = |branch: &&OneSided| {
            let place = self.module.places(branch.at).next()?;
            Some(json!({
                "file": sources.file(&place),
                "line": place.line,
                "column": place.column,
                "function": function(place.function),
                "source": sources.line(&place),
                "edge": branch.edge,
                "to": self.to(branch, &place),
                "why": branch.why.name(),
                "tries": branch.tries,
            }))
        };
        let branches: Vec<Value> = self.branches().iter().filter_map(branch).collect();
        let lost = |lost: &Lost| {
            json!({
                "file": sources.location(&lost.site.file),
                "line": lost.site.line,
                "column": lost.site.column,
                "function": on_one_line(&lost.site.function),
                "why": lost.why,
                "count": lost.count,
            })
        };
        let lost: Vec<Value> = self.report.lost.iter().map(lost).collect();
        let unfollowed = { self.report.unfollowed.iter() }
            .map(|(why, count)| json!({ "why": why, "count": count }));
        let unfollowed: Vec<Value> = unfollowed.collect();
        let counts = &self.totals.counts;
        let object = json!({
            "target": self.target,
            "seed": self.seed,
            "paths": counts.paths,
            "inputs": counts.inputs,
            "edges": counts.edges,
            "queries": counts.queries,
            "satisfiable": counts.satisfiable,
            "unsatisfiable": counts.unsatisfiable,
            "unknown": counts.unknown,
            "diverged": counts.diverged,
            "misshapen": self.misshapen,
            "runs": counts.runs,
            "native": counts.native,
            "steps": counts.steps,
            "seconds": self.seconds,
            "reached": self.totals.reached,
            "crashes": crashes,
            "unfollowed": unfollowed,
            "lost": lost,
            "branches": branches,
        });
        format!("{object}\n")
    }
}

/// Refuses an end at which nothing can be said: there were runs, and none was followed to its end.
pub(crate) fn followed(
    unfollowed: &BTreeMap<String, u64>,
    runs: u64,
    steps: u64,
) -> Result<(), Failure> {
    if runs == 0 || unfollowed.values().sum::<u64>() < runs {
        return Ok(());
    }
    let out_of_steps = Outcome::Budget.to_string();
    if unfollowed.keys().all(|why| *why == out_of_steps) {
        return Err(Failure::Budget(format!(
            "error: no run was followed to its end: --steps allows more than {steps}"
        )));
    }
    let why = unfollowed.iter().max_by_key(|(_, count)| **count);
    let why = why.map_or(String::new(), |(why, _)| format!("{why}{}", remedy(why)));
    Err(Failure::input(format!("error: no run was followed to its end: {why}")))
}

/// What has the machine follow more, in words.
pub(crate) fn remedy(why: &str) -> &'static str {
    if why == Outcome::Budget.to_string() {
        " (--steps allows more)"
    } else if why.ends_with(" is not supported") {
        " (--clang has C code followed)"
    } else {
        ""
    }
}

/// Whether more time is of no use.
pub(super) fn is_final(why: Why) -> bool {
    matches!(why, Why::Unsatisfiable | Why::Independent)
}

/// Why a way was not taken, in words.
pub(super) fn words(branch: &OneSided) -> String {
    let times = match branch.tries {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    match branch.why {
        Why::Unsatisfiable => {
            format!("unsatisfiable: no input does on the paths that were tried, {times}")
        }
        Why::Budget => format!("budget: the solver gave up, tried {times}"),
        Why::Diverged => {
            format!("diverged: the program did not go as the solver said, tried {times}")
        }
        Why::Untried => "untried: it was not asked for yet".to_owned(),
        Why::Lost => "lost: it depends on what is not followed".to_owned(),
        Why::Independent => "independent: nothing of the input is in what it compares".to_owned(),
    }
}
