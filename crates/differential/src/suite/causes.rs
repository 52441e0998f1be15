//! Which causes explain the deviations.
//!
//! A cause is a feature of inputs, or a bound on a measure of them. It is the better the more deviations have it, and the less
//! it has of inputs that do not deviate: of `d` deviations that are not explained yet and `c` others that have it, its worth is
//! `d * (d / (d + c))^4`. The power lets one cause with a few exceptions stand before the many that have none, and keeps what
//! only happens to be common to all inputs behind. The best is taken, what it explains is left out, and the rest is looked at
//! again. (Greedy covering with rules: Fürnkranz, "Separate-and-Conquer Rule Learning", 1999; that inputs without the
//! failure clear what they have: Jones and Harrold, "Empirical Evaluation of the Tarantula Automatic Fault-Localization
//! Technique", 2005.)
//!
//! What is left over by itself, as the same symbol in several places, is put together afterwards.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::Hash;

use fxhash::FxHashMap;

use super::features::{Facts, Feature, Measure};
use super::kin::{Kin, Sort};
use super::violation::{Due, Place, What};

/// What explains deviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    Feature(Feature),
    Bound(Bound),
}

/// A measure that is at most or at least so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    pub(super) measure: Measure,
    pub(super) is_most: bool,
    /// The last value that deviates.
    pub(super) limit: u64,
    /// The next that an input has and that does not deviate.
    pub(super) next: u64,
}

/// How much is said for a bound beside a feature that explains as much.
const BOUND: f64 = 0.9;

/// How many deviate for each input that doesn't, where nearly all do.
pub(super) const NEARLY_ALL: u32 = 10;

impl Cause {
    fn weight(self) -> f64 {
        match self {
            Self::Feature(feature) => feature.weight(),
            Self::Bound(_) => BOUND,
        }
    }
}

/// A [`Group`](super::Group) in the making: deviations that are explained together.
#[derive(Clone, Debug)]
pub(super) struct GroupBuilder {
    /// What explains them: more than one where several were put together.
    pub(super) causes: Vec<Cause>,
    /// The inputs, as the caller numbers them.
    pub(super) members: Vec<usize>,
    /// How many inputs have what is at fault, these among them.
    pub(super) of: usize,
}

/// The deviations that are to be explained, and what does not deviate.
#[derive(Default)]
pub(super) struct Pool {
    features: Vec<Feature>,
    numbers: FxHashMap<Feature, u32>,
    /// The features of each deviation, one after the other, and where each one's end.
    rows: Vec<u32>,
    ends: Vec<u32>,
    /// Per feature: deviations that are not explained yet, and inputs that do not deviate.
    left: Vec<u32>,
    others: Vec<u32>,
    /// How many inputs do not deviate.
    total: u32,
    /// Per measure: values, and which deviation has it, if one.
    series: BTreeMap<Measure, Vec<(u64, Option<u32>)>>,
}

/// A candidate: its worth, and how many deviations and other inputs it has.
#[derive(Clone, Copy)]
struct Candidate {
    cause: Cause,
    worth: f64,
    left: u32,
    others: u32,
}

impl Candidate {
    fn new(cause: Cause, left: u32, others: u32) -> Self {
        let part = f64::from(left) / f64::from(left + others).max(1.0);
        Self { cause, worth: f64::from(left) * part.powi(4) * cause.weight(), left, others }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        // Of equals the one that tells more, which is less.
        self.worth.total_cmp(&other.worth).then_with(|| other.cause.cmp(&self.cause))
    }
}

impl Pool {
    /// Adds an input that deviates. All of these come before the others.
    pub(super) fn deviating(&mut self, facts: &mut Facts) {
        facts.features.sort_unstable();
        facts.features.dedup();
        let input = self.ends.len() as u32;
        for &feature in &facts.features {
            let number = *self.numbers.entry(feature).or_insert_with(|| {
                self.features.push(feature);
                self.left.push(0);
                self.others.push(0);
                self.features.len() as u32 - 1
            });
            self.left[number as usize] += 1;
            self.rows.push(number);
        }
        self.ends.push(self.rows.len() as u32);
        for &(measure, value) in &facts.measures {
            self.series.entry(measure).or_default().push((value, Some(input)));
        }
    }

    /// Adds an input that does not deviate.
    pub(super) fn other(&mut self, facts: &mut Facts) {
        self.total += 1;
        facts.features.sort_unstable();
        facts.features.dedup();
        for feature in &facts.features {
            if let Some(&number) = self.numbers.get(feature) {
                self.others[number as usize] += 1;
            }
        }
        for &(measure, value) in &facts.measures {
            if let Some(series) = self.series.get_mut(&measure) {
                series.push((value, None));
            }
        }
    }

    fn row(&self, input: u32) -> &[u32] {
        let first = (input as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[first as usize..self.ends[input as usize] as usize]
    }

    /// What explains the deviations, which have these numbers for the caller.
    pub(super) fn explain(mut self, numbers: &[usize]) -> Vec<GroupBuilder> {
        for series in self.series.values_mut() {
            series.sort_unstable();
        }
        let mut is_left = vec![true; self.ends.len()];
        let mut left = self.ends.len();
        let mut builders = Vec::new();
        while left > 0 {
            // What nothing tells from the others is a group all the same.
            let best = self.best(&is_left, true).or_else(|| self.best(&is_left, false));
            let Some(best) = best else { break };
            let members = self.members(best.cause, &is_left);
            for &member in &members {
                is_left[member as usize] = false;
                let first = (member as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
                for at in first..self.ends[member as usize] {
                    self.left[self.rows[at as usize] as usize] -= 1;
                }
            }
            left -= members.len();
            builders.push(GroupBuilder {
                causes: vec![best.cause],
                of: (best.left + best.others) as usize,
                members: members.into_iter().map(|member| numbers[member as usize]).collect(),
            });
        }
        merge(builders)
    }

    /// The cause of most worth; `explains` leaves out what explains nothing.
    fn best(&self, is_left: &[bool], explains: bool) -> Option<Candidate> {
        let features = self.features.iter().zip(self.left.iter().zip(&self.others));
        // What all have that do not deviate explains nothing, but where these are very few: then hardly any input is right.
        let is_candidate = |feature: Feature, left: u32, others: u32| {
            let tells = self.total == 0 || others < self.total;
            !explains || tells || feature == Feature::Any && left / NEARLY_ALL >= others
        };
        let features = features.filter(|&(&feature, (&left, &others))| {
            left > 0 && is_candidate(feature, left, others)
        });
        let features = features.map(|(&feature, (&left, &others))| {
            Candidate::new(Cause::Feature(feature), left, others)
        });
        let bounds =
            self.series.iter().filter_map(|(&measure, series)| bound(measure, series, is_left));
        features.chain(bounds).max_by(Candidate::cmp)
    }

    /// The deviations that a cause has and that are left.
    fn members(&self, cause: Cause, is_left: &[bool]) -> Vec<u32> {
        let mut members: Vec<u32> = match cause {
            Cause::Feature(feature) => {
                let number = self.numbers[&feature];
                let all = (0..self.ends.len() as u32).filter(|&input| is_left[input as usize]);
                all.filter(|&input| self.row(input).contains(&number)).collect()
            }
            Cause::Bound(bound) => {
                let series = self.series.get(&bound.measure).into_iter().flatten();
                let within = series.filter(|(value, _)| match bound.is_most {
                    true => *value <= bound.limit,
                    false => *value >= bound.limit,
                });
                within.filter_map(|(_, input)| *input).filter(|&it| is_left[it as usize]).collect()
            }
        };
        members.sort_unstable();
        members.dedup();
        members
    }
}

/// The best bound on a measure whose values are sorted, if one tells deviations from others.
fn bound(measure: Measure, series: &[(u64, Option<u32>)], is_left: &[bool]) -> Option<Candidate> {
    let is_deviating = |entry: &(u64, Option<u32>)| entry.1.map(|input| is_left[input as usize]);
    let total = series.iter().fold((0, 0), |sum, entry| match is_deviating(entry) {
        Some(true) => (sum.0 + 1, sum.1),
        Some(false) => sum,
        None => (sum.0, sum.1 + 1),
    });
    let mut best: Option<(Candidate, Bound)> = None;
    let mut below = (0_u32, 0_u32);
    let mut at = 0;
    while at < series.len() {
        let value = series[at].0;
        while series.get(at).is_some_and(|entry| entry.0 == value) {
            match is_deviating(&series[at]) {
                Some(true) => below.0 += 1,
                Some(false) => {}
                None => below.1 += 1,
            }
            at += 1;
        }
        let Some(&(next, _)) = series.get(at) else { break };
        let above = (total.0 - below.0, total.1 - below.1);
        let most = Bound { measure, is_most: true, limit: value, next };
        let least = Bound { measure, is_most: false, limit: next, next: value };
        for (bound, with, without) in [(most, below, above), (least, above, below)] {
            // A bound beyond which nothing is otherwise is none.
            if with.0 == 0 || without.1 == 0 {
                continue;
            }
            let candidate = Candidate::new(Cause::Bound(bound), with.0, with.1);
            if best.is_none_or(|(best, _)| candidate.cmp(&best) == Ordering::Greater) {
                best = Some((candidate, bound));
            }
        }
    }
    let (candidate, bound) = best?;
    let (below, above) = series.split_at(series.partition_point(|entry| match bound.is_most {
        true => entry.0 <= bound.limit,
        false => entry.0 < bound.limit,
    }));
    // What is explained already says nothing of where the bound is.
    let is_left = |entry: &&(u64, Option<u32>)| is_deviating(entry) == Some(true);
    let is_other = |entry: &&(u64, Option<u32>)| entry.1.is_none();
    let (limit, next) = match bound.is_most {
        true => (below.iter().rev().find(is_left)?.0, above.iter().find(is_other)?.0),
        false => (above.iter().find(is_left)?.0, below.iter().rev().find(is_other)?.0),
    };
    Some(Candidate { cause: Cause::Bound(Bound { limit, next, ..bound }), ..candidate })
}

/// By what builders are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Likeness {
    /// The same is wrong, in several places.
    What(What),
    /// Symbols of one sort are wrong, in several places.
    Wrong(Sort),
    /// Either sign.
    Sign(Place),
    /// Whatever is given, in several states in which the same is due.
    At(Due),
    /// A letter again, in either case.
    Again(Place),
    /// A number out of bounds that depend on what comes before, as days of months do.
    Above(u32),
    Below(u32),
    /// Symbols of one sort in one place.
    Symbols(Sort, Place),
    Contained(Sort),
    /// Symbols of one sort behind another, and one behind several.
    Next(Kin, Sort),
    Behind(Kin),
    Begun(Sort),
    Finished(Sort),
    /// One symbol in several states.
    Moved(u32, Kin),
    /// Several symbols in one state.
    From(u32),
    End,
}

impl Likeness {
    /// By the symbols of one sort in one place, and what else goes by places.
    fn by_symbols(feature: Feature) -> Option<Self> {
        match feature {
            Feature::Wrong(
                What::Symbol(_, kin) | What::Instead(_, kin) | What::Extra(_, kin),
                place,
            ) => Some(Self::Symbols(kin.sort(), place)),
            Feature::Wrong(What::Again(_), place) => Some(Self::Again(place)),
            Feature::Wrong(What::Above(_), Place::Nth(nth)) => Some(Self::Above(nth)),
            Feature::Wrong(What::Below(_), Place::Nth(nth)) => Some(Self::Below(nth)),
            Feature::Contains(_, kin) | Feature::ContainsKin(kin) => {
                Some(Self::Contained(kin.sort()))
            }
            Feature::ContainsSort(sort) => Some(Self::Contained(sort)),
            Feature::Pair(first, second) => Some(Self::Next(first, second.sort())),
            Feature::Behind(_, second) => Some(Self::Behind(second)),
            Feature::Begins(kin) => Some(Self::Begun(kin.sort())),
            Feature::Finishes(kin) => Some(Self::Finished(kin.sort())),
            _ => None,
        }
    }

    /// By what is the same in several places.
    fn by_places(feature: Feature) -> Option<Self> {
        match feature {
            Feature::Wrong(
                What::Symbol(_, kin) | What::Instead(_, kin) | What::Extra(_, kin),
                _,
            ) => Some(Self::Wrong(kin.sort())),
            Feature::Wrong(what, _) => Some(Self::What(what)),
            Feature::At(_, due) => Some(Self::At(due)),
            Feature::Move(_, class, kin) => Some(Self::Moved(class, kin)),
            Feature::End(_) => Some(Self::End),
            _ => None,
        }
    }

    /// By the place alone, after what is the same in several.
    fn by_state(feature: Feature) -> Option<Self> {
        match feature {
            Feature::Move(state, ..) => Some(Self::From(state)),
            Feature::Wrong(What::Sign(_), place) => Some(Self::Sign(place)),
            _ => None,
        }
    }

    /// From how many builders on those that are alike are put together.
    fn enough(self) -> usize {
        match self {
            Self::What(_) | Self::Wrong(_) | Self::Moved(..) | Self::From(_) | Self::End => 3,
            _ => 2,
        }
    }

    /// That of all causes of a builder, if they have one.
    fn of(builder: &GroupBuilder, likeness: fn(Feature) -> Option<Self>) -> Option<Self> {
        let mut all = builder.causes.iter().map(|cause| match cause {
            Cause::Feature(feature) => likeness(*feature),
            Cause::Bound(_) => None,
        });
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    }
}

/// The symbols that are wrong, where that is all that causes are about.
fn symbols(builder: &GroupBuilder) -> Option<Vec<(u32, Kin)>> {
    let kin = |cause: &Cause| match cause {
        Cause::Feature(Feature::Wrong(
            What::Symbol(class, kin) | What::Instead(class, kin) | What::Extra(class, kin),
            _,
        )) => Some((*class, *kin)),
        _ => None,
    };
    let mut kins: Vec<(u32, Kin)> = builder.causes.iter().map(kin).collect::<Option<_>>()?;
    kins.sort_unstable();
    kins.dedup();
    Some(kins)
}

/// Puts together what is alike.
fn merge(mut builders: Vec<GroupBuilder>) -> Vec<GroupBuilder> {
    builders =
        merge_by(builders, |builder| Likeness::of(builder, Likeness::by_symbols), |it| it.enough());
    builders = merge_by(builders, symbols, |_| 2);
    builders =
        merge_by(builders, |builder| Likeness::of(builder, Likeness::by_places), |it| it.enough());
    merge_by(builders, |builder| Likeness::of(builder, Likeness::by_state), |it| it.enough())
}

/// Puts numbers together that are out of bounds that depend on what comes before, but not too far: what bounds are has to be
/// known before.
pub(super) fn merge_bounds(builders: Vec<GroupBuilder>) -> Vec<GroupBuilder> {
    let key = |builder: &GroupBuilder| match builder.causes[..] {
        [
            Cause::Bound(Bound {
                measure: Measure::WrongValue(What::Above(_) | What::Below(_)),
                is_most,
                limit,
                next,
            }),
        ] => Some((is_most, limit, next)),
        _ => None,
    };
    merge_by(builders, key, |_| 2)
}

/// Puts builders together that have the same key, where enough have it.
fn merge_by<K: Clone + Eq + Hash>(
    builders: Vec<GroupBuilder>,
    key: impl Fn(&GroupBuilder) -> Option<K>,
    enough: impl Fn(&K) -> usize,
) -> Vec<GroupBuilder> {
    let mut counts: FxHashMap<K, usize> = FxHashMap::default();
    for key in builders.iter().filter_map(&key) {
        *counts.entry(key).or_default() += 1;
    }
    let mut places: FxHashMap<K, usize> = FxHashMap::default();
    let mut merged: Vec<GroupBuilder> = Vec::with_capacity(builders.len());
    for builder in builders {
        let key = key(&builder).filter(|key| counts[key] >= enough(key));
        match key.as_ref().and_then(|key| places.get(key)) {
            Some(&place) => {
                merged[place].causes.extend(builder.causes);
                merged[place].members.extend(builder.members);
                merged[place].of += builder.of;
            }
            None => {
                places.extend(key.map(|key| (key, merged.len())));
                merged.push(builder);
            }
        }
    }
    merged
}
