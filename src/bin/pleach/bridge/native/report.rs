//! What a native campaign came to, for people and for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use pleach::native::places::{Form, Place};
use pleach::report::on_one_line;
use serde_json::{Value, json};

use super::super::report::unlisted;
use super::campaign::{Campaign, Counts, Function, Lift, Mapping, Part};
use super::suspicion::Suspicion;
use crate::failure::many;
use crate::inputs::shown;
use crate::met::Failures;
use crate::sources::Sources;
use crate::units::{bytes, change, whole};

/// How many inputs that took new edges are listed.
const LISTED: usize = 8;

/// A campaign that is over.
pub(super) struct Ended<'a> {
    pub(super) target: &'a str,
    pub(super) seed: u64,
    pub(super) campaign: &'a Campaign,
    pub(super) failures: &'a Failures,
    /// The files that what was lifted was written to.
    pub(super) lifted: &'a BTreeMap<usize, PathBuf>,
    pub(super) seconds: f64,
    pub(super) suspicions: bool,
}

/// How far a campaign is, in a line.
pub(super) fn progress(campaign: &Campaign) -> String {
    let Counts { units, unit_runs, runs, inputs, edges, edges_lifted, .. } = campaign.counts;
    format!(
        "{}, {}, {}, {} with new edges, {}, {edges_lifted} by lifting, {}",
        many(units, "unit"),
        many(unit_runs, "unit run"),
        many(runs, "run"),
        many(inputs, "input"),
        many(edges, "edge"),
        many(campaign.failures.len() as u64, "failure")
    )
}

fn form(place: &Place) -> String {
    let form = match place.form {
        Form::Raw => "as it is",
        Form::Percent => "percent-encoded",
        Form::Escaped => "with backslashes",
        Form::Decimal => "as digits",
    };
    match place.within {
        None => form.to_owned(),
        Some(_) => format!("{form}, {}..{} in what that is in base64", place.begin, place.end),
    }
}

/// Why a value does not come of the input, as far as could be seen.
fn unmapped(mapping: &Mapping) -> &'static str {
    match mapping.places {
        _ if mapping.bytes.is_empty() => "it is empty",
        0 => "the input has nothing like it",
        _ => "the call has the same if it is changed in the input",
    }
}

fn part(part: &Part) -> String {
    let Range { start, end } = part.place.range();
    format!("{}: {}, input {start}..{end}", part.value, change(&part.old, &part.new))
}

impl Ended<'_> {
    /// How many functions have something.
    fn functions(&self, has: impl Fn(&Function) -> bool) -> usize {
        self.campaign.functions.values().filter(|it| has(it)).count()
    }

    pub(super) fn text(&self) -> String {
        let sources = Sources::new();
        let mut text = format!("{}, {:.1} s\n", progress(self.campaign), self.seconds);
        for (at, fault, met) in self.failures.of(&self.campaign.failures) {
            text += &met.text(fault, &sources);
            let lift = self.campaign.lifts.iter().find(|it| it.failure == Some(at));
            if let Some(lift) = lift {
                text += &format!("  found in {}\n", on_one_line(&lift.function));
                for it in &lift.parts {
                    text += &format!("    {}\n", part(it));
                }
            }
        }
        let lifts = self.campaign.lifts.iter().enumerate();
        let mut lifts = lifts.filter(|(_, lift)| lift.failure.is_none());
        for (at, lift) in lifts.by_ref().take(LISTED) {
            text += &self.lifted(at, lift);
        }
        let more = lifts.count() as u64;
        if more > 0 {
            text +=
                &format!("{} more took new edges: --format json lists all\n", many(more, "input"));
        }
        text += &format!(
            "functions: {} called, {} carved, {} tested, {} lifted, {} effective\n",
            self.campaign.functions.len(),
            self.functions(|it| it.carved > 0),
            self.functions(|it| it.tested),
            self.functions(|it| it.lifted),
            self.functions(|it| it.effective)
        );
        for (name, function) in &self.campaign.functions {
            for mapping in &function.mappings {
                let how = match mapping.place {
                    Some(place) => {
                        let Range { start, end } = place.range();
                        format!("input {start}..{end}, {}", form(&place))
                    }
                    None => format!("not mapped: {}", unmapped(mapping)),
                };
                let (name, value) = (on_one_line(name), bytes(&mapping.bytes));
                text += &format!("{name}, {}: {value}, {how}\n", mapping.value);
            }
        }
        text + &self.outcomes() + &self.suspicions()
    }

    fn lifted(&self, at: usize, lift: &Lift) -> String {
        let input = self.lifted.get(&at).map_or_else(|| whole(&lift.input), |file| shown(file));
        let how = if lift.predicted { "the unit's" } else { "not the unit's" };
        let mut text = format!(
            "{}, {how}, after {:.1} s\n  {input}\n  found in {}\n",
            many(lift.edges as u64, "new edge"),
            lift.seconds,
            on_one_line(&lift.function)
        );
        for it in &lift.parts {
            text += &format!("    {}\n", part(it));
        }
        text
    }

    fn outcomes(&self) -> String {
        let mut text = String::new();
        let Counts { found, lifted, effective, lost, .. } = self.campaign.counts;
        if found > 0 {
            text +=
                &format!("{}: {lifted} lifted, {effective} effective\n", many(found, "finding"));
        }
        for (what, of) in [("places", self.campaign.mapped), ("lifted", self.campaign.outcomes)] {
            if of.all() > 0 {
                text += &format!(
                    "{what}: {} calls with the new values, {} with the old ones, {} with others, {} not made\n",
                    of.new, of.old, of.another, of.never
                );
            }
        }
        if lost > 0 {
            text += &format!("{} did not answer, and came to nothing\n", many(lost, "unit"));
        }
        text
    }

    fn unconfirmed(&self) -> Vec<&Suspicion> {
        self.campaign.suspicions.iter().filter(|it| !it.confirmed).collect()
    }

    fn suspicions(&self) -> String {
        let all = self.unconfirmed();
        if !self.suspicions {
            let places: BTreeSet<&str> = all.iter().map(|it| &it.place[..]).collect();
            return unlisted(places.len());
        }
        let mut text = String::new();
        for Suspicion { function, what, row, .. } in all {
            text += &format!("in {} alone: {}\n", on_one_line(function), on_one_line(what));
            for value in row {
                text += &format!("    {}\n", bytes(value));
            }
        }
        text
    }

    pub(super) fn json(&self) -> String {
        let sources = Sources::new();
        let counts = self.campaign.counts;
        let alarms = self.failures.of(&self.campaign.failures).map(|(at, fault, met)| {
            let lift = self.campaign.lifts.iter().find(|it| it.failure == Some(at));
            let unit = |lift: &Lift| json!({ "function": lift.function, "mapping": parts(lift) });
            let mut alarm = met.object(fault, &sources);
            alarm["unit"] = lift.map(unit).into();
            alarm
        });
        let alarms: Vec<Value> = alarms.collect();
        let lifts = self.campaign.lifts.iter().enumerate().map(|(at, lift)| {
            json!({
                "file": self.lifted.get(&at).map(|file| file.to_string_lossy()),
                "input": lift.input.escape_ascii().to_string(),
                "function": lift.function,
                "mapping": parts(lift),
                "encoded": lift.encoded,
                "edges": lift.edges,
                "predicted": lift.predicted,
                "seconds": lift.seconds,
            })
        });
        let lifts: Vec<Value> = lifts.collect();
        let values = self.campaign.functions.iter().flat_map(|(function, it)| {
            it.mappings.iter().map(move |mapping| {
                json!({
                    "function": function,
                    "value": mapping.value,
                    "bytes": mapping.bytes.escape_ascii().to_string(),
                    "from": mapping.place.map(|place| from(&place)),
                    "decoded": mapping.place.and_then(|place| decoded(&place)),
                    "form": mapping.place.map(|place| place.form.name()),
                    "why": mapping.place.is_none().then(|| unmapped(mapping)),
                })
            })
        });
        let values: Vec<Value> = values.collect();
        let suspicions = self
            .unconfirmed()
            .into_iter()
            .map(|it| json!({ "function": it.function, "message": it.what, "count": it.count }));
        let suspicions: Vec<Value> = suspicions.collect();
        let object = json!({
            "target": self.target,
            "seed": self.seed,
            "seconds": self.seconds,
            "functions": {
                "called": self.campaign.functions.len(),
                "carved": self.functions(|it| it.carved > 0),
                "tested": self.functions(|it| it.tested),
                "lifted": self.functions(|it| it.lifted),
                "effective": self.functions(|it| it.effective),
            },
            "units": counts.units,
            "lost": counts.lost,
            "tested": counts.unit_runs,
            "nanoseconds": counts.unit_nanoseconds,
            "call_nanoseconds": counts.call_nanoseconds,
            "found": counts.found,
            "lifted": counts.lifted,
            "effective": counts.effective,
            "runs": counts.runs,
            "inputs": counts.inputs,
            "edges": counts.edges,
            "edges_lifted": counts.edges_lifted,
            "mapped": values.iter().filter(|it| !it["from"].is_null()).count(),
            "places": self.campaign.mapped,
            "outcomes": self.campaign.outcomes,
            "values": values,
            "lifts": lifts,
            "alarms": alarms,
            "suspicions": suspicions,
        });
        format!("{object}\n")
    }
}

/// The part of the input that is read for a value, from and to.
fn from(place: &Place) -> [usize; 2] {
    let Range { start, end } = place.range();
    [start, end]
}

/// Where a value is in what that part is decoded to from base64, if it is.
fn decoded(place: &Place) -> Option<[usize; 2]> {
    place.within.map(|_| [place.begin, place.end])
}

fn parts(lift: &Lift) -> Vec<Value> {
    let parts = lift.parts.iter().map(|part| {
        json!({
            "value": part.value,
            "from": from(&part.place),
            "decoded": decoded(&part.place),
            "form": part.place.form.name(),
            "old": part.old.escape_ascii().to_string(),
            "new": part.new.escape_ascii().to_string(),
        })
    });
    parts.collect()
}
