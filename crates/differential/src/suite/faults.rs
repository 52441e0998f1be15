//! What is at fault when an implementation deviates.
//!
//! What is known of an input depends on whether the specification has it: of others, what is [wrong](super::violation) with
//! them; of its own, what they [have](super::features). Which of that [explains](super::causes) the deviations is found by
//! looking at the inputs that do not deviate, and running some more strings says where exactly bounds are.

use std::cmp::Reverse;

use super::Suite;
use super::causes::{Cause, GroupBuilder, Pool, merge_bounds};
use super::features::{Facts, Reader};
use super::narrow::{mended, narrow, nearer, nearest};
use super::shapes::Shapes;
use super::violation::violation;
use super::words::Words;
use crate::judge::Answer;

/// Inputs by which it is decided whether texts have several numbers, and among which the nearest is looked for.
const LOOKED_AT: usize = 2_000;

/// The direction of a deviation: too much accepted, too little, a wrong value, or a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviationKind {
    /// It accepts what it should not.
    OverAccepted,
    /// It rejects what it should accept.
    OverRejected,
    /// It accepts what it should, and returns a wrong value.
    WrongValue,
    /// It fails: by a panic, a signal or a timeout.
    Failed,
}

/// A set of deviations that are put down to one cause, with the smallest of their inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// How all of them deviate.
    pub kind: DeviationKind,
    /// The cause in words: what is wrong with the inputs, or what they have, and where.
    pub fault: String,
    /// How many inputs there are with this fault that deviate in this way and in no group before.
    pub count: usize,
    /// How many inputs of the same validity have what is at fault, less those of groups that were found before.
    pub of: usize,
    /// The shortest of the deviating ones, and of those the plainest.
    pub witness: String,
    /// A string that is near the witness and does not deviate: for what is accepted wrongly, one that the specification
    /// has and that is one edit away; else an input that is accepted, made as like the witness as running allows.
    pub nearest: Option<String>,
    /// Of a wrong value: what is returned for the witness, and what should be.
    pub values: Option<(String, String)>,
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
    /// On how many it returns a wrong value.
    pub wrong_values: usize,
    /// On how many it fails.
    pub failed: usize,
    /// All deviations, by their causes: of each kind in turn the one that explains most.
    pub groups: Vec<Group>,
}

impl Conformance {
    /// Whether there is no deviation.
    pub fn is_conforming(&self) -> bool {
        self.groups.is_empty()
    }
}

/// What is expected of an input.
#[derive(Clone, Copy)]
pub(super) struct Expected<'e> {
    pub(super) is_accepted: bool,
    /// The value of a text that is accepted, where that is known.
    pub(super) value: &'e dyn Fn(&str) -> Option<String>,
}

impl Expected<'_> {
    /// How an answer deviates, if it does.
    pub(super) fn deviation(self, text: &str, answer: &Answer) -> Option<DeviationKind> {
        match answer {
            Answer::Failed(_) => Some(DeviationKind::Failed),
            Answer::Accepted(_) if !self.is_accepted => Some(DeviationKind::OverAccepted),
            Answer::Accepted(Some(value)) => (self.value)(text)
                .is_some_and(|it| it != *value)
                .then_some(DeviationKind::WrongValue),
            Answer::Accepted(None) => None,
            Answer::Rejected => self.is_accepted.then_some(DeviationKind::OverRejected),
        }
    }
}

/// What more strings say: of each whether it deviates in a way.
pub(super) type Run<'r, E> = dyn FnMut(DeviationKind, &[String]) -> Result<Vec<bool>, E> + 'r;

/// Finds what is at fault. Where more strings cannot be run, bounds are as exact as the inputs have them.
pub(super) fn conformance<E>(
    suite: &Suite,
    expected: &[bool],
    value: &dyn Fn(&str) -> Option<String>,
    answers: &[Answer],
    mut run: Option<&mut Run<'_, E>>,
) -> Result<Conformance, E> {
    assert_eq!(expected.len(), answers.len(), "an answer to each input");
    let kind = |input: usize| {
        let expected = Expected { is_accepted: expected[input], value };
        expected.deviation(suite.text(input), &answers[input])
    };
    let kinds: Vec<Option<DeviationKind>> = (0..answers.len()).map(kind).collect();
    let count = |wanted| kinds.iter().filter(|&&kind| kind == Some(wanted)).count();
    let all = [
        DeviationKind::OverAccepted,
        DeviationKind::OverRejected,
        DeviationKind::WrongValue,
        DeviationKind::Failed,
    ];
    let counts = all.map(count);
    let mut groups = Vec::new();
    if counts.iter().any(|&count| count > 0) {
        let shapes = Shapes::new(&suite.dfa);
        let blame = Blame { suite, shapes: &shapes, expected, kinds: &kinds };
        let halves = [0..suite.valid, suite.valid..suite.len()];
        for kind in
            [DeviationKind::OverAccepted, DeviationKind::OverRejected, DeviationKind::WrongValue]
        {
            let mut of_kind = Vec::new();
            for half in halves.clone() {
                of_kind.extend(blame.groups(kind, half, run.as_deref_mut())?);
            }
            groups.push(of_kind);
        }
        // More failures say little, and each may last as long as patience does.
        groups.push(blame.groups::<E>(DeviationKind::Failed, 0..suite.len(), None)?);
    }
    let mut groups = in_turn(groups);
    for group in groups.iter_mut().filter(|group| group.kind == DeviationKind::WrongValue) {
        let input = (0..suite.len()).find(|&input| suite.text(input) == group.witness);
        if let Some(Answer::Accepted(Some(found))) = input.map(|input| &answers[input]) {
            group.values = value(&group.witness).map(|expected| (found.clone(), expected));
        }
    }
    Ok(Conformance {
        inputs: answers.len(),
        valid: expected.iter().filter(|&&valid| valid).count(),
        over_accepted: counts[0],
        over_rejected: counts[1],
        wrong_values: counts[2],
        failed: counts[3],
        groups,
    })
}

/// Of each kind the groups that explain most first, and the kinds in turn.
fn in_turn(mut kinds: Vec<Vec<Group>>) -> Vec<Group> {
    for groups in &mut kinds {
        groups.sort_by_cached_key(|group| {
            (Reverse(group.count), group.witness.chars().count(), group.witness.clone())
        });
    }
    let longest = kinds.iter().map(Vec::len).max().unwrap_or(0);
    let mut kinds: Vec<_> = kinds.into_iter().map(Vec::into_iter).collect();
    (0..longest)
        .flat_map(|_| kinds.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>())
        .collect()
}

/// Looks for causes.
struct Blame<'a> {
    suite: &'a Suite,
    shapes: &'a Shapes<'a>,
    expected: &'a [bool],
    kinds: &'a [Option<DeviationKind>],
}

impl Blame<'_> {
    /// The groups of inputs that deviate in one way.
    fn groups<E>(
        &self,
        kind: DeviationKind,
        inputs: std::ops::Range<usize>,
        mut run: Option<&mut Run<'_, E>>,
    ) -> Result<Vec<Group>, E> {
        let deviating: Vec<usize> =
            inputs.clone().filter(|&input| self.kinds[input] == Some(kind)).collect();
        let Some(&first) = deviating.first() else { return Ok(Vec::new()) };
        // What was to be answered otherwise says nothing.
        let others = inputs.filter(|&input| {
            self.kinds[input].is_none()
                && (kind == DeviationKind::Failed || self.expected[input] == self.expected[first])
                && self.says_something(input)
        });
        let mut reader = Reader::new(self.shapes);
        let mut pool = Pool::default();
        let (mut chars, mut facts) = (Vec::new(), Facts::default());
        for &input in &deviating {
            self.facts(kind, input, &mut reader, &mut chars, &mut facts);
            pool.deviating(&mut facts);
        }
        for input in others.clone() {
            if self.facts(kind, input, &mut reader, &mut chars, &mut facts) {
                pool.other(&mut facts);
            }
        }
        let mut builders = pool.explain(&deviating);
        let words = Words { reader: &reader, only_number: self.has_one_number() };
        if let Some(run) = &mut run {
            for builder in &mut builders {
                let witness = self.shortest(builder).map_or("", |input| self.suite.text(input));
                self.sharpen(kind, builder, witness, run)?;
            }
            builders = merge_bounds(builders);
        }
        let mut groups = Vec::with_capacity(builders.len());
        for builder in builders {
            let shortest = self.shortest(&builder);
            let witness = shortest.map_or("", |input| self.suite.text(input));
            let is_wrong = shortest.is_some_and(|input| input >= self.suite.valid);
            let nearest = match is_wrong && kind == DeviationKind::OverAccepted {
                true => mended(self.shapes, witness),
                false => self.nearest(kind, witness, others.clone(), run.as_deref_mut())?,
            };
            groups.push(Group {
                kind,
                fault: words.of(&builder),
                count: builder.members.len(),
                of: builder.of.max(builder.members.len()),
                witness: witness.to_owned(),
                nearest,
                values: None,
            });
        }
        Ok(groups)
    }

    /// The shortest input of some deviations, and of those the plainest.
    fn shortest(&self, builder: &GroupBuilder) -> Option<usize> {
        let length = |&input: &usize| {
            let text = self.suite.text(input);
            let odd = text.chars().filter(|c| !c.is_ascii_graphic());
            (text.chars().count(), odd.count(), text)
        };
        builder.members.iter().copied().min_by_key(length)
    }

    /// Whether it says something that an input does not deviate: an edit of what is rejected for another reason is rejected
    /// for that.
    fn says_something(&self, input: usize) -> bool {
        let edit = input.checked_sub(self.suite.valid);
        let origin = edit.and_then(|edit| self.suite.origins.get(edit));
        origin.is_none_or(|&origin| self.kinds[origin as usize].is_none())
    }

    /// What is known of an input, and whether only one thing is wrong with it at most.
    fn facts(
        &self,
        kind: DeviationKind,
        input: usize,
        reader: &mut Reader<'_>,
        chars: &mut Vec<char>,
        facts: &mut Facts,
    ) -> bool {
        chars.clear();
        chars.extend(self.suite.text(input).chars());
        facts.features.clear();
        facts.measures.clear();
        let is_valid = input < self.suite.valid;
        if is_valid || kind != DeviationKind::OverAccepted {
            reader.text(chars, facts);
        }
        if is_valid {
            reader.moves(chars, &mut facts.features);
            return true;
        }
        let violation = violation(self.shapes, chars);
        if let Some(violation) = &violation {
            reader.wrong(violation, facts);
        }
        violation.is_some_and(|violation| violation.is_only)
    }

    fn has_one_number(&self) -> bool {
        (0..self.suite.valid.min(LOOKED_AT)).all(|input| {
            let text = self.suite.text(input);
            let digits = text.split(|c: char| !c.is_ascii_digit());
            digits.filter(|digits| !digits.is_empty()).count() <= 1
        })
    }

    /// Finds by running where exactly the bound of a cause is.
    fn sharpen<E>(
        &self,
        kind: DeviationKind,
        builder: &mut GroupBuilder,
        witness: &str,
        run: &mut Run<'_, E>,
    ) -> Result<(), E> {
        if let [Cause::Bound(bound)] = &mut builder.causes[..] {
            *bound = narrow(self.shapes, *bound, witness, &mut |texts| run(kind, texts))?;
        }
        Ok(())
    }

    /// A string near a witness that does not deviate.
    fn nearest<E>(
        &self,
        kind: DeviationKind,
        witness: &str,
        others: impl Iterator<Item = usize>,
        run: Option<&mut Run<'_, E>>,
    ) -> Result<Option<String>, E> {
        let others: Vec<&str> = others.map(|input| self.suite.text(input)).collect();
        // A few from everywhere.
        let step = others.len().div_ceil(LOOKED_AT).max(1);
        let Some(found) = nearest(witness, others.into_iter().step_by(step)) else {
            return Ok(None);
        };
        let Some(run) = run.filter(|_| self.suite.nearer) else {
            return Ok(Some(found.to_owned()));
        };
        let is_valid = |text: &str| self.suite.dfa.contains_bytes(text.as_bytes());
        let wanted = is_valid(found);
        let is_candidate = |text: &str| is_valid(text) == wanted;
        nearer(witness, found, is_candidate, &mut |texts| run(kind, texts)).map(Some)
    }
}
