//! What a campaign came to, for people and for programs.

use pleach::bridge::campaign::{Alarm, Campaign, Counts, Mapped, Suspicion};
use pleach::report::on_one_line;
use serde_json::{Value, json};

use crate::failure::many;
use crate::met::Failures;
use crate::sources::Sources;
use crate::units::{change, place, unfollowed, unfollowed_list};

/// A campaign that is over.
pub(super) struct Ended<'a> {
    pub(super) target: &'a str,
    pub(super) seed: u64,
    pub(super) campaign: &'a Campaign,
    pub(super) failures: &'a Failures,
    pub(super) seconds: f64,
    /// Whether what failed in units alone is shown.
    pub(super) suspicions: bool,
}

/// How far a campaign is, in a line.
pub(super) fn progress(campaign: &Campaign) -> String {
    let Counts { units, unit_runs, runs, inputs, edges, edges_lifted, .. } = campaign.counts();
    format!(
        "{}, {}, {}, {} with new edges, {}, {edges_lifted} by lifting, {}",
        many(units, "unit"),
        many(unit_runs, "unit run"),
        many(runs, "run"),
        many(inputs, "input"),
        many(edges, "edge"),
        many(campaign.failures().len() as u64, "failure")
    )
}

fn mapped(mapped: &Mapped) -> String {
    let (first, last) = mapped.from;
    let range = format!("{first}..{}", u64::from(last) + 1);
    let how = if mapped.copy { "a copy of" } else { "computed from" };
    format!("{}: {}, {how} input {range}", mapped.place, change(&mapped.old, &mapped.new))
}

impl Ended<'_> {
    pub(super) fn text(&self) -> String {
        let sources = Sources::new();
        let counts = self.campaign.counts();
        let mut text = format!("{}, {:.1} s\n", progress(self.campaign), self.seconds);
        for (at, fault, met) in self.failures.of(self.campaign.failures()) {
            text += &met.text(fault, &sources);
            if let Some(alarm) = self.alarm(at) {
                let (unit, at) = (&alarm.unit.function, place(&alarm.unit, &sources));
                text += &format!("  found in {} at {at}\n", on_one_line(unit));
                for part in &alarm.mapping {
                    text += &format!("    {}\n", mapped(part));
                }
            }
        }
        text += &format!(
            "functions: {} called, {} carved, {} tested, {} lifted, {} effective\n",
            counts.called, counts.carved, counts.tested, counts.lifted, counts.effective
        );
        text + &self.lifted(&counts) + &self.left_out() + &self.suspicions(&sources)
    }

    fn alarm(&self, failure: usize) -> Option<&Alarm> {
        self.campaign.alarms().iter().find(|alarm| alarm.failure == failure)
    }

    /// What became of what was lifted.
    fn lifted(&self, counts: &Counts) -> String {
        let mut text = String::new();
        for (way, lifted) in self.campaign.ways() {
            if lifted.inputs > 0 {
                text += &format!(
                    "lifted by {}: {}, {} did as the unit, {} something else that is new\n",
                    way.name(),
                    many(lifted.inputs, "input"),
                    lifted.predicted,
                    lifted.other
                );
            }
        }
        let outcomes = counts.outcomes;
        let all = outcomes.never + outcomes.new + outcomes.old + outcomes.another;
        if all > 0 {
            text += &format!(
                "lifted calls: {} with the new values, {} with the old ones, {} with others, {} not made\n",
                outcomes.new, outcomes.old, outcomes.another, outcomes.never
            );
        }
        let causes = counts.causes;
        let none = causes.unliftable
            + causes.mapping
            + causes.context
            + causes.nondeterminism
            + causes.repeated;
        if none > 0 {
            text += &format!(
                "nothing came of {}: {} values that no input has, {} calls with other values, {} other \
                 contexts, {} that the machine alone shows, {} failures like others\n",
                many(none, "finding"),
                causes.unliftable,
                causes.mapping,
                causes.context,
                causes.nondeterminism,
                causes.repeated
            );
        }
        text
    }

    /// Units that are not whole, and runs that broke off.
    fn left_out(&self) -> String {
        let mut text = String::new();
        let refused = self.campaign.counts().refused;
        if refused.cut > 0 {
            text +=
                &format!("{} units reach too much, of which a part stays as it was\n", refused.cut);
        }
        text + &unfollowed(self.campaign.unfollowed())
    }

    fn suspicions(&self, sources: &Sources) -> String {
        let all: Vec<&Suspicion> = self.campaign.suspicions().collect();
        if !self.suspicions {
            return unlisted(all.len());
        }
        let mut text = String::new();
        for suspicion in all {
            let message = sources.location(&suspicion.failing.message);
            let (unit, at) = (&suspicion.unit.function, place(&suspicion.unit, sources));
            text += &format!("in {} at {at} alone: {message}\n", on_one_line(unit));
            for part in &suspicion.mapping {
                text += &format!("    {}\n", mapped(part));
            }
        }
        text
    }

    pub(super) fn json(&self) -> String {
        let sources = Sources::new();
        let counts = self.campaign.counts();
        let unit = |alarm: &Alarm| {
            let mapping: Vec<Value> = alarm.mapping.iter().map(part).collect();
            json!({
                "function": on_one_line(&alarm.unit.function),
                "file": sources.location(&alarm.unit.file),
                "line": alarm.unit.line,
                "way": alarm.way.map(|way| way.name()),
                "mapping": mapping,
            })
        };
        let alarms = self.failures.of(self.campaign.failures()).map(|(at, fault, met)| {
            let mut alarm = met.object(fault, &sources);
            alarm["unit"] = self.alarm(at).map(unit).into();
            alarm
        });
        let alarms: Vec<Value> = alarms.collect();
        let (mut lifted, mut effective) = (0, 0);
        for (_, of_way) in self.campaign.ways() {
            lifted += of_way.inputs;
            effective += of_way.predicted + of_way.other;
        }
        let ways = self.campaign.ways().map(|(way, lifted)| {
            json!({
                "way": way.name(),
                "inputs": lifted.inputs,
                "predicted": lifted.predicted,
                "other": lifted.other,
                "unsatisfiable": lifted.unsatisfiable,
                "unknown": lifted.unknown,
            })
        });
        let suspicions = self.campaign.suspicions().map(|it| {
            json!({
                "function": on_one_line(&it.unit.function),
                "message": sources.location(&it.failing.message),
                "count": it.count,
            })
        });
        let suspicions: Vec<Value> = suspicions.collect();
        let unfollowed = unfollowed_list(self.campaign.unfollowed());
        let object = json!({
            "target": self.target,
            "seed": self.seed,
            "seconds": self.seconds,
            "functions": {
                "called": counts.called,
                "carved": counts.carved,
                "tested": counts.tested,
                "lifted": counts.lifted,
                "effective": counts.effective,
            },
            "units": counts.units,
            "mapped": counts.mapped,
            "tested": counts.unit_runs,
            "lifted": lifted,
            "effective": effective,
            "found": counts.found,
            "runs": counts.runs,
            "native": counts.native,
            "inputs": counts.inputs,
            "edges": counts.edges,
            "edges_lifted": counts.edges_lifted,
            "detours": counts.detours,
            "ways": ways,
            "outcomes": counts.outcomes,
            "causes": counts.causes,
            "refused": counts.refused,
            "alarms": alarms,
            "suspicions": suspicions,
            "unfollowed": unfollowed,
        });
        format!("{object}\n")
    }
}

fn part(mapped: &Mapped) -> Value {
    json!({
        "place": mapped.place,
        "from": [mapped.from.0, u64::from(mapped.from.1) + 1],
        "copy": mapped.copy,
        "old": mapped.old.escape_ascii().to_string(),
        "new": mapped.new.escape_ascii().to_string(),
    })
}
/// How many suspicions there are, where they are not listed.
pub(super) fn unlisted(count: usize) -> String {
    match count {
        0 => String::new(),
        many => format!("places at which units alone fail: {many}; --suspicions lists them\n"),
    }
}
