//! What a campaign came to, for people and for programs.

use std::time::Duration;

use pleach::explore::subject::Site;
use pleach::focal::campaign::{Campaign, Change, Found, Target};
use pleach::report::on_one_line;
use serde_json::{Value, json};

use crate::failure::many;
use crate::met::Failures;
use crate::sources::Sources;
use crate::units::{bytes, place, unfollowed, unfollowed_list, whole};

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Phases {
    pub(super) profiles: Duration,
    pub(super) targets: Duration,
    pub(super) satisfiability: Duration,
    pub(super) interpolants: Duration,
    pub(super) refinement: Duration,
    pub(super) reduction: Duration,
}

/// A campaign that is over.
pub(super) struct Ended<'a> {
    pub(super) target: &'a str,
    pub(super) seed: u64,
    pub(super) campaign: &'a Campaign,
    pub(super) failures: &'a Failures,
    pub(super) phases: Phases,
    pub(super) seconds: f64,
    /// Whether targets are listed at which the program was not made to fail.
    pub(super) targets: bool,
}

/// How far a campaign is, in a line.
pub(super) fn progress(campaign: &Campaign) -> String {
    let counts = campaign.counts();
    format!(
        "{}, {}, {}, {}, {} validated, {}",
        many(counts.runs, "run"),
        many(counts.units, "unit"),
        many(counts.unit_runs, "unit run"),
        many(counts.targets, "target"),
        counts.validated,
        many(campaign.failures().len() as u64, "failure")
    )
}

/// Bytes that follow each other and matter for the same places, with what they were and are.
struct Part<'a> {
    begin: usize,
    old: Vec<u8>,
    new: Vec<u8>,
    why: &'a [Site],
}

fn changed(found: &Found) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for Change { at, old, new, why } in &found.changes {
        match parts.last_mut() {
            Some(part) if part.begin + part.old.len() == *at && part.why == why => {
                part.old.push(*old);
                part.new.push(*new);
            }
            _ => parts.push(Part { begin: *at, old: vec![*old], new: vec![*new], why }),
        }
    }
    parts
}

impl Ended<'_> {
    pub(super) fn text(&self) -> String {
        let sources = Sources::new();
        let mut text = format!("{}, {:.1} s\n", progress(self.campaign), self.seconds);
        for (at, fault, met) in self.failures.of(self.campaign.failures()) {
            text += &met.text(fault, &sources);
            if let Some((_, found)) = self.found(at) {
                let names = found.chain.iter().map(|site| on_one_line(&site.function));
                text += &match found.chain.is_empty() {
                    true => "  met while the program was explored\n".to_owned(),
                    false => format!(
                        "  composed of {}: {}\n",
                        names.collect::<Vec<_>>().join(" > "),
                        whole(&found.composed)
                    ),
                };
                for Part { begin, old, new, why } in changed(found) {
                    let end = begin + old.len();
                    text +=
                        &format!("    input {begin}..{end}: {} for {}", bytes(&new), bytes(&old));
                    if let Some(site) = why.first() {
                        let (function, at) = (on_one_line(&site.function), place(site, &sources));
                        text += &format!(", which decides in {function} at {at}");
                    }
                    text += "\n";
                }
            }
        }
        let counts = self.campaign.counts();
        text += &format!(
            "functions: {} called, {} with units, {} without context; {} to calls of units\n",
            counts.called,
            counts.functions,
            counts.without_context,
            many(counts.slices, "path")
        );
        if counts.full > 0 {
            text += &format!("summaries without room for another path: {}\n", counts.full);
        }
        let combined = counts.combined;
        text += &format!(
            "composition: {} combined, {} in conflict, {} given up; {} at the entry, {} did as their units\n",
            combined.satisfiable,
            combined.conflicts,
            combined.unknown,
            many(counts.formulas, "formula"),
            counts.validating
        );
        let refined = self.campaign.refined();
        if refined.begun > 0 {
            text += &format!(
                "refinement: {} explored for {}, with {} and {} gained; {} solved\n",
                many(refined.begun, "caller"),
                many(refined.rounds, "round"),
                many(refined.interpolants, "interpolant"),
                many(refined.edges, "edge"),
                refined.solved
            );
        }
        text + &self.open(&sources) + &unfollowed(self.campaign.unfollowed())
    }

    /// The target whose formula made this failure.
    fn found(&self, failure: usize) -> Option<(&Target, &Found)> {
        let found = self.campaign.targets().iter();
        let mut found = found.filter_map(|target| Some((target, target.found.as_ref()?)));
        found.find(|(_, found)| found.failure == Some(failure))
    }

    /// Targets at which the program was not made to fail.
    fn open(&self, sources: &Sources) -> String {
        let open = self.campaign.targets().iter().filter(|target| target.found.is_none());
        let open: Vec<&Target> = open.collect();
        if !self.targets {
            return match open.len() {
                0 => String::new(),
                many => {
                    format!("places at which units alone fail: {many}; --targets lists them\n")
                }
            };
        }
        let mut text = String::new();
        for target in open {
            let message = sources.location(&target.message);
            let (unit, at) = (&target.function.function, place(&target.function, sources));
            text += &format!("in {} at {at} alone: {message}\n", on_one_line(unit));
            text += &format!("  at {}\n", place(&target.site, sources));
            text += &target.open().map_or_else(String::new, |why| format!("  {why}\n"));
        }
        text
    }

    pub(super) fn json(&self) -> String {
        let sources = Sources::new();
        let site = |site: &Site| {
            json!({
                "function": on_one_line(&site.function),
                "file": sources.location(&site.file),
                "line": site.line,
            })
        };
        let crashes = self.failures.of(self.campaign.failures()).map(|(at, fault, met)| {
            let found = self.found(at).map(|(_, found)| found);
            let chain = found.map(|found| found.chain.iter().map(site).collect::<Vec<Value>>());
            let part = |Part { begin, old, new, why }: Part<'_>| {
                let (old, new) = (old.escape_ascii().to_string(), new.escape_ascii().to_string());
                let why: Vec<Value> = why.iter().map(site).collect();
                json!({ "at": begin, "old": old, "new": new, "why": why })
            };
            let parts = found.map(|found| changed(found).into_iter().map(part).collect());
            let mut crash = met.object(fault, &sources);
            crash["chain"] = chain.into();
            crash["composed"] = found.map(|found| found.composed.escape_ascii().to_string()).into();
            crash["bytes"] = parts.map(Value::Array).into();
            crash
        });
        let crashes: Vec<Value> = crashes.collect();
        let open = self.campaign.targets().iter().filter(|target| target.found.is_none());
        let open = open.map(|target| {
            let mut object = site(&target.function);
            object["message"] = sources.location(&target.message).into();
            object["place"] = site(&target.site);
            object["combined"] = target.combined.satisfiable.into();
            object["conflicts"] = target.combined.conflicts.into();
            object["unknown"] = target.combined.unknown.into();
            object["formulas"] = target.formulas.into();
            object["why"] = target.open().map(|why| why.to_string()).into();
            object
        });
        let open: Vec<Value> = open.collect();
        let unfollowed = unfollowed_list(self.campaign.unfollowed());
        let (counts, refined) = (self.campaign.counts(), self.campaign.refined());
        let object = json!({
            "target": self.target,
            "seed": self.seed,
            "seconds": self.seconds,
            "functions": { "called": counts.called, "carved": counts.functions, "without_context": counts.without_context },
            "units": counts.units,
            "full": counts.full,
            "unit_runs": counts.unit_runs,
            "slices": counts.slices,
            "targets": counts.targets,
            "validated": counts.validated,
            "formulas": counts.formulas,
            "validating": counts.validating,
            "combined": counts.combined.satisfiable,
            "conflicts": counts.combined.conflicts,
            "unknown": counts.combined.unknown,
            "refinements": {
                "callers": refined.begun,
                "solved": refined.solved,
                "rounds": refined.rounds,
                "interpolants": refined.interpolants,
                "unchecked": refined.unchecked,
                "branches": refined.edges,
                "runs": refined.runs,
            },
            "runs": counts.runs,
            "native": counts.native,
            "edges": counts.edges,
            "phases": {
                "profiles": self.phases.profiles.as_secs_f64(),
                "targets": self.phases.targets.as_secs_f64(),
                "satisfiability": self.phases.satisfiability.as_secs_f64(),
                "interpolants": self.phases.interpolants.as_secs_f64(),
                "refinement": self.phases.refinement.as_secs_f64(),
                "reduction": self.phases.reduction.as_secs_f64(),
            },
            "crashes": crashes,
            "open": open,
            "unfollowed": unfollowed,
        });
        format!("{object}\n")
    }
}
