//! What is at fault when an implementation deviates.
//!
//! A valid input that is rejected may be so for any symbol in it, so the fault is found by statistics over all
//! valid inputs: of the features of an input (a transition, symbols of a kind wherever they stand, the state
//! that it ends in), the one is blamed that is found least in inputs which are accepted, and among
//! those the one that explains most. What it explains is a group, and the rest is looked at again. (Spectrum-based fault
//! localisation: Jones and Harrold, "Empirical Evaluation of the Tarantula Automatic Fault-Localization
//! Technique", 2005.) With what is invalid and accepted it is the same, but its features are those of the
//! place where the specification's automaton gives it up.

use fxhash::FxHashMap;

use super::Suite;
use super::cases::LOOK_ALIKES;
use crate::judge::Answer;
use crate::{printed, to_regex};
use pleach_core::regular::{Dfa, StateId};

/// The longest regex that is printed for a class.
const SHOWN: usize = 60;

/// How an implementation deviates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It accepts what it should not.
    OverAccepted,
    /// It rejects what it should accept.
    OverRejected,
    /// It fails: by a panic, a signal or a timeout.
    Failed,
}

/// Deviations that have one thing at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// How all of them deviate.
    pub kind: Kind,
    /// What is at fault, in words: the characters, and after which beginning.
    pub fault: String,
    /// How many inputs there are with this fault that deviate in this way and in no group before.
    pub count: usize,
    /// How many inputs of the same validity have what is at fault.
    pub of: usize,
    /// The shortest of the deviating ones, and the first of those.
    pub witness: String,
}

/// How an implementation conforms to a specification, or to another implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conformance {
    /// The number of inputs.
    pub inputs: usize,
    /// How many of them are valid, or are accepted by the first implementation.
    pub valid: usize,
    /// How many invalid ones are accepted.
    pub over_accepted: usize,
    /// How many valid ones are rejected.
    pub over_rejected: usize,
    /// On how many it fails.
    pub failed: usize,
    /// All deviations, by what is at fault; groups with the shortest witness first.
    pub groups: Vec<Group>,
}

impl Conformance {
    /// Whether there is no deviation.
    pub fn is_conforming(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Something about an input that may be at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Feature {
    /// A part of a class of symbols, wherever it stands.
    Part(u32, Kin),
    /// A part of a class of symbols in a state.
    Move(u32, u32, Kin),
    /// The end in a state.
    End(u32),
}

/// Symbols that an implementation is likely to treat alike: an automaton's classes may be coarser, as
/// where capital and small letters mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kin {
    Digit,
    Small,
    Capital,
    /// Each by itself: punctuation, controls, and what looks like something else.
    One(u32),
    /// All others.
    Wide,
}

impl Kin {
    fn of(symbol: u32) -> Self {
        match char::from_u32(symbol) {
            Some('0'..='9') => Self::Digit,
            Some('a'..='z') => Self::Small,
            Some('A'..='Z') => Self::Capital,
            Some(one) if one.is_ascii() || LOOK_ALIKES.contains(&one) => Self::One(symbol),
            _ => Self::Wide,
        }
    }

    /// The symbols that are of it, one of them given.
    fn range(self) -> (u32, u32) {
        match self {
            Self::Digit => (0x30, 0x39),
            Self::Small => (0x61, 0x7A),
            Self::Capital => (0x41, 0x5A),
            Self::One(symbol) => (symbol, symbol),
            Self::Wide => (0x80, u32::MAX),
        }
    }
}

pub(super) fn conformance(suite: &Suite, expected: &[bool], answers: &[Answer]) -> Conformance {
    assert_eq!(expected.len(), answers.len(), "an answer to each input");
    let kind = |index: usize| match &answers[index] {
        Answer::Failed(_) => Some(Kind::Failed),
        Answer::Accepted(_) => (!expected[index]).then_some(Kind::OverAccepted),
        Answer::Rejected => expected[index].then_some(Kind::OverRejected),
    };
    let kinds: Vec<Option<Kind>> = (0..answers.len()).map(kind).collect();
    let count = |wanted| kinds.iter().filter(|&&kind| kind == Some(wanted)).count();
    let spectra = Spectra::new(suite);
    let mut groups = Vec::new();
    for kind in [Kind::OverAccepted, Kind::OverRejected, Kind::Failed] {
        for range in [0..suite.valid, suite.valid..suite.len()] {
            let deviating = range.filter(|&index| kinds[index] == Some(kind)).collect();
            spectra.blame(suite, kind, deviating, &mut groups);
        }
    }
    groups.sort_by(|a, b| {
        let key = |group: &Group| (group.witness.chars().count(), std::cmp::Reverse(group.count));
        key(a).cmp(&key(b)).then_with(|| a.witness.cmp(&b.witness))
    });
    Conformance {
        inputs: answers.len(),
        valid: expected.iter().filter(|&&valid| valid).count(),
        over_accepted: count(Kind::OverAccepted),
        over_rejected: count(Kind::OverRejected),
        failed: count(Kind::Failed),
        groups,
    }
}

/// The features of all inputs.
struct Spectra {
    features: Vec<Feature>,
    /// The features of each input, as indices, one input after the other.
    rows: Vec<u32>,
    offsets: Vec<u32>,
    /// How many inputs have each feature: valid ones, and others.
    totals: [Vec<u32>; 2],
    valid: usize,
}

impl Spectra {
    fn new(suite: &Suite) -> Self {
        let mut numbers: FxHashMap<Feature, u32> = FxHashMap::default();
        let mut all = Self {
            features: Vec::new(),
            rows: Vec::new(),
            offsets: vec![0],
            totals: [Vec::new(), Vec::new()],
            valid: suite.valid,
        };
        let mut of_input = Vec::new();
        for case in suite.cases() {
            of_input.clear();
            features(&suite.dfa, case.text, case.valid, &mut of_input);
            of_input.sort_unstable();
            of_input.dedup();
            for &feature in &of_input {
                let number = *numbers.entry(feature).or_insert_with(|| {
                    all.features.push(feature);
                    all.totals.iter_mut().for_each(|totals| totals.push(0));
                    all.features.len() as u32 - 1
                });
                all.rows.push(number);
                all.totals[usize::from(!case.valid)][number as usize] += 1;
            }
            all.offsets.push(all.rows.len() as u32);
        }
        all
    }

    fn row(&self, input: usize) -> &[u32] {
        &self.rows[self.offsets[input] as usize..self.offsets[input + 1] as usize]
    }

    /// Groups inputs that deviate in the same way and are all valid or none.
    fn blame(&self, suite: &Suite, kind: Kind, mut left: Vec<usize>, groups: &mut Vec<Group>) {
        let Some(&first) = left.first() else { return };
        let totals = &self.totals[usize::from(first >= self.valid)];
        let mut counts = vec![0_u32; self.features.len()];
        for &input in &left {
            self.row(input).iter().for_each(|&feature| counts[feature as usize] += 1);
        }
        while !left.is_empty() {
            // The greatest part of those that have it, then the greatest number; then what says more exactly where.
            let better = |a: usize, b: usize| {
                let part =
                    |it: usize, other: usize| u64::from(counts[it]) * u64::from(totals[other]);
                part(a, b)
                    .cmp(&part(b, a))
                    .then(counts[a].cmp(&counts[b]))
                    .then(self.features[a].cmp(&self.features[b]))
            };
            let candidates = (0..counts.len()).filter(|&feature| counts[feature] > 0);
            let Some(worst) = candidates.max_by(|&a, &b| better(a, b)) else { return };
            let has = |input: &usize| self.row(*input).contains(&(worst as u32));
            let (group, rest): (Vec<usize>, Vec<usize>) = left.into_iter().partition(has);
            left = rest;
            for &input in &group {
                self.row(input).iter().for_each(|&feature| counts[feature as usize] -= 1);
            }
            let shortest = group.iter().min_by_key(|&&input| suite.text(input).chars().count());
            groups.push(Group {
                kind,
                fault: self.fault(&suite.dfa, self.features[worst]),
                count: group.len(),
                of: totals[worst] as usize,
                witness: shortest.map_or("", |&input| suite.text(input)).to_owned(),
            });
        }
    }

    fn fault(&self, dfa: &Dfa, feature: Feature) -> String {
        let part = |number: u32, kin: Kin| {
            let ranges = dfa.classes().nth(number as usize).map(|class| dfa.class_ranges(class));
            let (low, high) = kin.range();
            let common = ranges.unwrap_or_default().iter();
            let common = common.map(|range| (range.0.max(low), range.1.min(high)));
            let common: Vec<_> = common.filter(|range| range.0 <= range.1).collect();
            let part = Dfa::ranges(&common, dfa.alphabet());
            to_regex(&part, SHOWN).unwrap_or_else(|_| "one of many characters".into())
        };
        let after = |number: u32| {
            let state = dfa.states().nth(number as usize);
            match state.map(|state| beginning(dfa, state)) {
                Some(text) if text.is_empty() => "at the beginning".to_owned(),
                Some(text) => format!("after {text:?}"),
                None => String::new(),
            }
        };
        match feature {
            Feature::Part(number, kin) => format!("`{}`, wherever it stands", part(number, kin)),
            Feature::Move(state, number, kin) => {
                format!("`{}` {}", part(number, kin), after(state))
            }
            Feature::End(state) => format!("the end {}", after(state)),
        }
    }
}

/// The features of an input: of a valid one all its moves and its end, of another one the move that leaves the
/// language, or the end that came too early.
fn features(dfa: &Dfa, text: &str, valid: bool, features: &mut Vec<Feature>) {
    let mut state = dfa.start();
    let mut step = |symbol: u32| {
        let next = dfa.step(state, symbol);
        let given_up = dfa.is_dead(next);
        if let Some(class) = dfa.class(symbol)
            && (valid || given_up)
        {
            let (class, kin) = (class.index() as u32, Kin::of(symbol));
            features.extend([
                Feature::Part(class, kin),
                Feature::Move(state.index() as u32, class, kin),
            ]);
        }
        if !given_up {
            state = next;
        }
        !given_up
    };
    let whole = match dfa.alphabet() {
        pleach_core::regular::Alphabet::Bytes => text.bytes().all(|byte| step(byte.into())),
        _ => text.chars().all(|character| step(character.into())),
    };
    if whole {
        features.push(Feature::End(state.index() as u32));
    }
}

/// A shortest string that leads to a state.
fn beginning(dfa: &Dfa, wanted: StateId) -> String {
    let to = dfa.between(dfa.start(), |state| state == wanted);
    printed(&to.shortest().unwrap_or_default())
}
