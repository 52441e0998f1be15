//! Counts by name, as they are kept.

use std::collections::BTreeMap;

use fxhash::FxHashMap;

use super::counts::Counts;
use super::keys::{Keys, escape, unescape};
use super::{Point, PointId};
use crate::table::{OccurrenceId, Table};
use crate::tree::matches;

/// Counts by point, context and choice.
///
/// A point is called as it is written: `value` for the rule itself, `( "a" | "b" )`, `","*`, `[a-z]`, with `#2`
/// behind the second of the same text in a rule. A context are the references above, from far to near, as
/// `array.value`: the rule that has the reference and the rule that it leads to.
type Points = BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>;

/// The counts that were learnt below a rule: of alternatives, repetitions and texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct RuleWeights {
    /// Alternatives of the rule and its groups, by their text.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub choices: Points,
    /// Counts of its repetitions, in decimal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub counts: Points,
    /// Characters of its classes and texts of its regular terminals, with `\\` for a backslash and `\xHH` for a byte
    /// that is not of UTF-8.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub texts: Points,
}

/// How often a corpus takes each choice of a grammar, by the names of rules and the text of alternatives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weights {
    /// The trees that were counted.
    pub trees: u64,
    /// By the name of a rule.
    pub rules: BTreeMap<String, RuleWeights>,
}

impl Counts<'_> {
    /// The counts by name.
    pub fn weights(&self) -> Weights {
        let (table, keys) = (self.table, Keys::new(self.table));
        let mut weights = Weights { trees: self.trees, rules: BTreeMap::new() };
        for (&(context, id, choice), &count) in &self.cells {
            let (rule, name) = keys.point(id);
            let of = weights.rules.entry(table.names().rule(rule).into()).or_default();
            let (points, choice) = match id.point(table) {
                Point::Rule(_) => {
                    let alternative = crate::table::AlternativeId::new(choice);
                    (&mut of.choices, keys.alternative(alternative).into())
                }
                Point::Repetition(_) => (&mut of.counts, choice.to_string()),
                Point::Terminal(_) => (&mut of.texts, escape(self.texts.get(choice))),
            };
            let context = keys.context(&self.contexts.chains[context as usize]);
            let contexts = points.entry(name.into()).or_default();
            let sum = contexts.entry(context).or_default().entry(choice).or_default();
            *sum = sum.saturating_add(count);
        }
        weights
    }

    /// Adds counts by name, and tells which of these the table does not have: a rule, a point, an alternative, a text
    /// that is none of its terminal. A context that the table does not have is shortened to what is nearest and
    /// known.
    pub fn add_weights(&mut self, weights: &Weights) -> Vec<String> {
        let keys = Keys::new(self.table);
        let mut adding = Adding {
            points: keys.find_points(self.table),
            references: keys.find_references(),
            keys: &keys,
            counts: self,
            unknown: Vec::new(),
        };
        adding.counts.trees = adding.counts.trees.saturating_add(weights.trees);
        for (rule, of) in &weights.rules {
            if adding.counts.table.names().find_rule(rule).is_none() {
                adding.unknown.push(format!("rule {rule}"));
                continue;
            }
            for points in [&of.choices, &of.counts, &of.texts] {
                adding.points(rule, points);
            }
        }
        adding.unknown
    }
}

/// What names are looked up in.
struct Adding<'a, 't> {
    counts: &'a mut Counts<'t>,
    keys: &'a Keys,
    points: FxHashMap<(&'a str, &'a str), PointId>,
    references: FxHashMap<&'a str, OccurrenceId>,
    unknown: Vec<String>,
}

impl Adding<'_, '_> {
    fn points(&mut self, rule: &str, points: &Points) {
        let table: &Table = self.counts.table;
        for (name, contexts) in points {
            let Some(&point) = self.points.get(&(rule, &**name)) else {
                self.unknown.push(format!("{name} of rule {rule}"));
                continue;
            };
            let alternatives = match point.point(table) {
                Point::Rule(rule) => self.keys.find_alternatives(table, rule),
                _ => FxHashMap::default(),
            };
            let mut missed = std::collections::BTreeSet::new();
            for (context, choices) in contexts {
                let context = self.context(context);
                for (choice, &count) in choices {
                    if !self.choice((context, point), &alternatives, choice, count) {
                        missed.insert(choice.clone());
                    }
                }
            }
            let of = if rule == name { String::new() } else { format!("{name} of ") };
            self.unknown.extend(missed.iter().map(|it| format!("{it} in {of}rule {rule}")));
        }
    }

    /// The nearest references that the table has.
    fn context(&mut self, context: &str) -> u32 {
        let names = context.split(' ').rev().take(Counts::ORDER);
        let mut chain: Vec<OccurrenceId> =
            names.map_while(|name| self.references.get(name).copied()).collect();
        chain.reverse();
        self.counts.contexts.of(&chain)
    }

    /// Adds to a choice; false where there is none of this name.
    fn choice(
        &mut self,
        (context, point): (u32, PointId),
        alternatives: &FxHashMap<&str, u32>,
        name: &str,
        count: u64,
    ) -> bool {
        let table = self.counts.table;
        match point.point(table) {
            Point::Rule(_) => {
                let Some(&alternative) = alternatives.get(name) else { return false };
                self.counts.add_choice((context, point, alternative), count);
            }
            Point::Repetition(id) => {
                let of = table.repetition(id);
                let times = name.parse::<u32>().ok();
                let Some(times) = times.filter(|times| (of.min..=of.max).contains(times)) else {
                    return false;
                };
                self.counts.add_choice((context, point, times), count);
            }
            Point::Terminal(occurrence) => {
                let Some(terminal) = table.terminal_at(occurrence) else { return false };
                let text = unescape(name).filter(|text| matches(table, terminal, text));
                let Some(text) = text else { return false };
                self.counts.add_text(context, point, &text, count);
            }
        }
        true
    }
}
