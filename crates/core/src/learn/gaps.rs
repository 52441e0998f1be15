//! What a corpus never does.

use fxhash::{FxHashMap, FxHashSet};

use super::counts::Counts;
use super::keys::Keys;
use super::{Point, PointId};
use crate::table::RuleId;

/// What kind of choice was never made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum GapKind {
    /// A point was never come to.
    Point,
    /// An alternative was never taken.
    Alternative,
    /// A repetition never had this count: 0, 1, or 2 and more.
    Count,
}

/// A choice of the grammar that no tree of a corpus makes, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gap {
    /// What is never made.
    pub kind: GapKind,
    /// The rule.
    pub rule: String,
    /// The rule's own name, or how a group, repetition or terminal in it is written.
    pub point: String,
    /// The reference above, where the choice is made elsewhere.
    pub context: Option<String>,
    /// The alternative or the count; empty where the point was never come to.
    pub choice: String,
    /// How often the point was come to, in this context if there is one.
    pub of: u64,
}

impl Counts<'_> {
    /// What no tree does: points that none comes to, alternatives and counts that none has, and what it has somewhere but
    /// not below one of the references to the rule; the last where that reference was come to at least so
    /// many times. Those of the most trees come first.
    pub fn gaps(&self, least: u64) -> Vec<Gap> {
        let (table, keys) = (self.table, Keys::new(self.table));
        // By point, and by point below a reference.
        let mut made: FxHashMap<PointId, FxHashMap<u32, u64>> = FxHashMap::default();
        let mut below: FxHashMap<_, FxHashMap<u32, u64>> = FxHashMap::default();
        for (&(context, point, choice), &count) in &self.cells {
            let choice = match point.point(table) {
                Point::Rule(_) => choice,
                Point::Repetition(_) => choice.min(2),
                Point::Terminal(_) => 0,
            };
            let sum = made.entry(point).or_default().entry(choice).or_default();
            *sum = sum.saturating_add(count);
            if let Some(&last) = self.contexts.chains[context as usize].last() {
                let sum = below.entry((point, last)).or_default().entry(choice).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        let name = |point, kind, context, choice, of| {
            let (rule, point) = keys.point(point);
            let rule = table.names().rule(rule).to_owned();
            Gap { kind, rule, point: point.to_owned(), context, choice, of }
        };
        let mut gaps = Vec::new();
        let mut missed = FxHashSet::default();
        for point in PointId::all(table) {
            let all = self.choices(point, &keys);
            let Some(counts) = made.get(&point) else {
                // Of a rule that is never come to nothing more is said.
                if !all.is_empty() {
                    let rule: RuleId = keys.point(point).0;
                    if missed.insert(rule) {
                        gaps.push(name(point, GapKind::Point, None, String::new(), 0));
                    }
                }
                continue;
            };
            let of = counts.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
            for (choice, kind, text) in all {
                if !counts.contains_key(&choice) {
                    gaps.push(name(point, kind, None, text, of));
                }
            }
        }
        for ((point, last), counts) in &below {
            let of = counts.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
            if of < least {
                continue;
            }
            for (choice, kind, text) in self.choices(*point, &keys) {
                if !counts.contains_key(&choice) && made[point].contains_key(&choice) {
                    gaps.push(name(*point, kind, Some(keys.context(&[*last])), text, of));
                }
            }
        }
        gaps.sort_by(|a, b| (a.context.is_some(), b.of, a).cmp(&(b.context.is_some(), a.of, b)));
        gaps
    }

    /// The choices of a point that can be missed, each with its name.
    fn choices(&self, point: PointId, keys: &Keys) -> Vec<(u32, GapKind, String)> {
        let table = self.table;
        match point.point(table) {
            Point::Rule(rule) => table
                .alternatives(rule)
                .map(|one| (one.get(), GapKind::Alternative, keys.alternative(one).to_owned()))
                .collect(),
            Point::Repetition(id) => {
                let of = table.repetition(id);
                let names = ["0", "1", "2 or more"];
                let counts = (0..3).zip(names).filter(|&(count, _)| {
                    of.min <= count.max(if count == 2 { of.min } else { 0 }) && count <= of.max
                });
                counts.map(|(count, name)| (count, GapKind::Count, name.to_owned())).collect()
            }
            Point::Terminal(_) => Vec::new(),
        }
    }
}
