//! Black-box conformance: inputs from a specification alone, and what an implementation's answers to them say.
//!
//! A [`Suite`] has two kinds of inputs. **Valid** ones use every transition of the specification's automaton: a
//! shortest beginning that leads to it, a symbol that makes it, a shortest end; of a class of symbols there are
//! several, its boundaries among them. **Edits** are those with one symbol deleted, inserted or exchanged that the
//! automaton proves to be outside the language: first at the transition that an input is there for, then
//! anywhere. Together they are what a tester would write by hand to see that no more and no less is accepted.
//! (Transition covers with near misses go back to the W-method: Chow, "Testing Software Design Modeled by
//! Finite-State Machines", 1978.)
//!
//! The [`Conformance`] of an implementation has the inputs on which it deviates, [grouped](Group) by what is at fault.
//!
//! # Examples
//!
//! ```
//! use pleach::differential::Language;
//! use pleach::differential::suite::{DeviationKind, Options, Suite};
//! use pleach::regular::AutomatonLimits;
//!
//! let limits = AutomatonLimits::default();
//! let port = Language::regex("0|[1-9][0-9]{0,3}", &limits)?;
//! let suite = Suite::new(&port, &Options::new(), &limits)?;
//! let conformance = suite.check(|text| text.parse::<u16>().is_ok_and(|port| port < 10_000));
//! let kinds: Vec<_> = conformance.groups.iter().map(|group| (group.kind, &*group.witness)).collect();
//! assert!(kinds.contains(&(DeviationKind::OverAccepted, "+0")));
//! assert!(kinds.contains(&(DeviationKind::OverAccepted, "00")));
//! assert_eq!(conformance.over_rejected, 0);
//! # Ok::<(), pleach::differential::DifferentialError>(())
//! ```

mod cases;
mod causes;
mod faults;
mod features;
mod kin;
mod narrow;
mod shapes;
mod violation;
mod words;

pub use cases::Options;
pub use faults::{Conformance, DeviationKind, Group};

use std::convert::Infallible;

use faults::Expected;
use fxhash::{FxHashMap, FxHashSet};

use super::judge::Answer;
use super::{DifferentialError, Language};
use pleach_core::regular::{AutomatonLimits, Dfa};

/// Inputs by which implementations of a specification are judged.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The texts that the specification has: minimal, and no symbol in another role.
    dfa: Dfa,
    /// All texts, one after the other.
    texts: String,
    /// Where each text ends.
    ends: Vec<u32>,
    /// How many of the first texts are valid; the rest are edits.
    valid: usize,
    /// Of each edit the valid text that it is made of; what comes behind the edits has none.
    origins: Vec<u32>,
    complete: bool,
    /// Whether what is near a witness is made nearer by running.
    nearer: bool,
}

/// One input of a [`Suite`], and whether the specification has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case<'s> {
    /// What the implementation is given.
    pub text: &'s str,
    /// Whether the specification has it.
    pub valid: bool,
}

impl Suite {
    /// Makes the inputs of a specification, no text twice.
    ///
    /// Characters in their other role are characters like any other here, and strings of bytes are left out
    /// where they are not UTF-8.
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    pub fn new(
        specification: &Language,
        options: &Options,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        let dfa = specification.texts(limits)?;
        Ok(cases::suite(dfa, options))
    }

    /// With more inputs, which were found otherwise: those that are new, first among the valid ones or behind the edits.
    #[must_use]
    pub fn with_more<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut seen: FxHashSet<&str> = self.cases().map(|case| case.text).collect();
        let (mut valid, mut others) = (Vec::new(), Vec::new());
        for text in texts.into_iter().filter(|text| seen.insert(text)) {
            match self.dfa.contains_bytes(text.as_bytes()) {
                true => valid.push(text),
                false => others.push(text),
            }
        }
        let (mut all, mut ends) = (String::new(), Vec::new());
        for text in valid.iter().copied().chain(self.cases().map(|case| case.text)).chain(others) {
            // Offsets are `u32`.
            let Ok(end) = u32::try_from(all.len() + text.len()) else { break };
            all.push_str(text);
            ends.push(end);
        }
        let more = valid.len();
        let origins = self.origins.iter().map(|origin| origin + more as u32).collect();
        Self { texts: all, ends, valid: self.valid + more, origins, ..self }
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no input: no symbol that a text could have.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of those that the specification has.
    pub fn valid(&self) -> usize {
        self.valid
    }

    /// Whether all edits of all valid inputs are there, and none was left out by [`Options::most`].
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The specification's texts as an automaton.
    pub fn automaton(&self) -> &Dfa {
        &self.dfa
    }

    /// An input by its number.
    fn text(&self, index: usize) -> &str {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[first as usize..self.ends[index] as usize]
    }

    /// All inputs, the valid ones first.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = Case<'_>> {
        (0..self.len()).map(|index| Case { text: self.text(index), valid: index < self.valid })
    }

    /// Runs an implementation on all inputs, and on some more strings, as [`Suite::examine`] does.
    pub fn check(&self, mut accepts: impl FnMut(&str) -> bool) -> Conformance {
        let mut answer = |text: &&str| match accepts(text) {
            true => Answer::Accepted(None),
            false => Answer::Rejected,
        };
        let Ok(found) =
            self.examine(|texts| Ok::<_, Infallible>(texts.iter().map(&mut answer).collect()));
        found
    }

    /// Runs an implementation on all inputs at once, and then on a few strings at a time, by which the bounds
    /// of what is at fault are made exact: at most some hundred for a group.
    ///
    /// # Errors
    ///
    /// Those of `run`, which has to answer each text, in their order.
    ///
    /// # Panics
    ///
    /// Where there are more or fewer answers than texts.
    pub fn examine<E>(
        &self,
        mut run: impl FnMut(&[&str]) -> Result<Vec<Answer>, E>,
    ) -> Result<Conformance, E> {
        self.examine_values(|_| None, &mut run)
    }

    /// The same, where it is known what the value of a text is that the specification has: if an answer has another, that is
    /// wrong. Of texts with the value `None` nothing is known.
    ///
    /// # Errors
    ///
    /// Those of `run`.
    ///
    /// # Panics
    ///
    /// As [`Suite::examine`].
    pub fn examine_values<E>(
        &self,
        value: impl Fn(&str) -> Option<String>,
        mut run: impl FnMut(&[&str]) -> Result<Vec<Answer>, E>,
    ) -> Result<Conformance, E> {
        let texts: Vec<&str> = self.cases().map(|case| case.text).collect();
        let answers = run(&texts)?;
        let expected: Vec<bool> = self.cases().map(|case| case.valid).collect();
        let mut more = |kind: DeviationKind, texts: &[String]| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let answers = run(&texts)?;
            assert_eq!(texts.len(), answers.len(), "an answer to each text");
            let deviates = |(text, answer): (&&str, &Answer)| {
                let is_accepted = self.dfa.contains_bytes(text.as_bytes());
                Expected { is_accepted, value: &value }.deviation(text, answer) == Some(kind)
            };
            Ok(texts.iter().zip(&answers).map(deviates).collect())
        };
        faults::conformance(self, &expected, &value, &answers, Some(&mut more))
    }

    /// What an implementation's answers to all inputs, in their order, say where nothing more can be run.
    /// Values do not matter; who fails has not accepted.
    ///
    /// # Panics
    ///
    /// Where there are more or fewer answers than inputs.
    pub fn conformance(&self, answers: &[Answer]) -> Conformance {
        let expected: Vec<bool> = self.cases().map(|case| case.valid).collect();
        let Ok(found) =
            faults::conformance::<Infallible>(self, &expected, &|_| None, answers, None);
        found
    }

    /// What the second of two implementations does otherwise than the first.
    ///
    /// [`DeviationKind::OverAccepted`] is what the second one accepts and the first one doesn't. Values do not matter.
    ///
    /// # Panics
    ///
    /// As [`Suite::conformance`].
    pub fn comparison(&self, first: &[Answer], second: &[Answer]) -> Conformance {
        self.compared(first, second, &|_| None)
    }

    /// The same, where both are to return the same value for what both accept: if the second one's is another than the first
    /// one's, that is [wrong](DeviationKind::WrongValue). Where one of them has no value nothing is known.
    ///
    /// # Panics
    ///
    /// As [`Suite::conformance`].
    pub fn comparison_values(&self, first: &[Answer], second: &[Answer]) -> Conformance {
        assert_eq!(self.len(), first.len(), "an answer to each input");
        let values: FxHashMap<&str, &String> = self
            .cases()
            .zip(first)
            .filter_map(|(case, answer)| match answer {
                Answer::Accepted(Some(value)) => Some((case.text, value)),
                _ => None,
            })
            .collect();
        self.compared(first, second, &|text| values.get(text).map(|&value| value.clone()))
    }

    fn compared(
        &self,
        first: &[Answer],
        second: &[Answer],
        value: &dyn Fn(&str) -> Option<String>,
    ) -> Conformance {
        let expected: Vec<bool> =
            first.iter().map(|answer| matches!(answer, Answer::Accepted(_))).collect();
        let Ok(found) = faults::conformance::<Infallible>(self, &expected, value, second, None);
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;

    fn suite(pattern: &str, options: &Options) -> Suite {
        let limits = AutomatonLimits::default();
        let language = Language::regex(pattern, &limits).expect(pattern);
        Suite::new(&language, options, &limits).expect(pattern)
    }

    /// What another implementation of regexes says of each input, and that none is there twice.
    #[test]
    fn valid_inputs_are_valid_and_edits_are_not() {
        for pattern in [
            "(?:[1-9][0-9]{0,2}\\.){3}[0-9]+",
            "[^:]*:(?:[^:@]|(?<data>[:@]))*",
            "(?i)https?://[a-z.]+(?::[0-9]+)?",
            "",
            "(?s).*",
            r"\p{Greek}+|[α-ω]?",
        ] {
            let suite = suite(pattern, &Options::new().specials("/".chars()));
            let other = regex::Regex::new(&format!("^(?:{pattern})$")).expect(pattern);
            let mut seen = HashSet::new();
            for case in suite.cases() {
                assert_eq!(other.is_match(case.text), case.valid, "{pattern}: {:?}", case.text);
                assert!(seen.insert(case.text), "{pattern}: {:?} twice", case.text);
            }
            assert!(suite.is_complete() && suite.valid() > 0, "{pattern}");
        }
    }

    /// By walking the automaton along the valid inputs.
    #[test]
    fn every_transition_is_in_a_valid_input() {
        let suite = suite("(?:a[b-d]{2}|x(?:yy)*z?)+|[0-9]{3,5}q", &Options::new());
        let dfa = suite.automaton();
        let mut used = BTreeSet::new();
        for case in suite.cases().take(suite.valid()) {
            let mut state = dfa.start();
            for character in case.text.chars() {
                let symbol = u32::from(character);
                used.insert((state.index(), dfa.class(symbol).map(|class| class.index())));
                state = dfa.step(state, symbol);
            }
        }
        let all = dfa.states().map(|state| dfa.transitions(state).len()).sum::<usize>();
        assert_eq!(used.len(), all);
    }

    /// Each edit of each valid input, by every character that some input has, is one of the edits if it is
    /// not of the language.
    #[test]
    fn every_edit_is_there() {
        let pattern = "ab?(?:c|dd)*";
        let suite = suite(pattern, &Options::new());
        let other = regex::Regex::new(&format!("^(?:{pattern})$")).expect(pattern);
        let all: HashSet<&str> = suite.cases().map(|case| case.text).collect();
        let characters: BTreeSet<char> = all.iter().flat_map(|text| text.chars()).collect();
        let mut expected = 0;
        for case in suite.cases().take(suite.valid()) {
            let text: Vec<char> = case.text.chars().collect();
            for place in 0..=text.len() {
                let (before, rest) = text.split_at(place);
                let with = |middle: Option<&char>, rest: &[char]| -> String {
                    before.iter().chain(middle).chain(rest).collect()
                };
                let mut edits = Vec::new();
                if let Some((_, after)) = rest.split_first() {
                    edits.push(with(None, after));
                    edits.extend(characters.iter().map(|it| with(Some(it), after)));
                }
                edits.extend(characters.iter().map(|it| with(Some(it), rest)));
                for edit in edits.iter().filter(|edit| !other.is_match(edit)) {
                    assert!(all.contains(edit.as_str()), "{edit:?} of {:?}", case.text);
                    expected += 1;
                }
            }
        }
        assert!(expected > 500, "{expected}");
    }

    #[test]
    fn more_inputs_are_judged_like_the_others() {
        let before = suite("[a-z]{1,8}", &Options::new());
        let (valid, all) = (before.valid(), before.len());
        assert!(before.cases().all(|case| case.text != "magic" && case.text != "MAGIC"));
        let suite = before.with_more(["magic", "MAGIC", "a", "magic"]);
        assert_eq!((suite.valid(), suite.len()), (valid + 1, all + 2));
        for case in suite.cases() {
            assert_eq!(case.valid, suite.automaton().contains_bytes(case.text.as_bytes()));
        }
        let found = suite.check(|text| {
            text == "MAGIC"
                || (text != "magic" && suite.automaton().contains_bytes(text.as_bytes()))
        });
        let mut found = groups(&found);
        found.sort_unstable();
        let kinds: Vec<_> = found.iter().map(|&(kind, _, witness)| (kind, witness)).collect();
        assert_eq!(
            kinds,
            [(DeviationKind::OverAccepted, "MAGIC"), (DeviationKind::OverRejected, "magic")]
        );
    }

    #[test]
    fn the_bound_is_kept_and_said() {
        let suite = suite("[a-z]{3}:[0-9]{3}", &Options::new().most(50));
        assert_eq!((suite.len(), suite.is_complete()), (50, false));
    }

    fn groups(conformance: &Conformance) -> Vec<(DeviationKind, &str, &str)> {
        let groups = conformance.groups.iter();
        groups.map(|group| (group.kind, &*group.fault, &*group.witness)).collect()
    }

    #[test]
    fn what_is_at_fault_is_named_once() {
        let hex = suite("#[0-9a-fA-F]{6}", &Options::new());
        let lower = hex.check(|text| {
            text.len() == 7
                && text.starts_with('#')
                && text[1..]
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        });
        assert_eq!((lower.over_accepted, lower.failed), (0, 0));
        assert!(lower.over_rejected > 0);
        let [group] = &lower.groups[..] else { panic!("{:?}", lower.groups) };
        assert_eq!(
            (group.kind, group.count, group.of),
            (DeviationKind::OverRejected, group.of, group.of)
        );
        assert!(group.witness.chars().any(|it| it.is_ascii_uppercase()), "{group:?}");

        let port = suite("0|[1-9][0-9]{0,3}", &Options::new());
        let parsed = port.check(|text| text.parse::<u16>().is_ok_and(|port| port < 10_000));
        let found = groups(&parsed);
        assert!(
            found.iter().any(|&(kind, fault, witness)| {
                kind == DeviationKind::OverAccepted && fault == "leading zeros" && witness == "00"
            }),
            "{found:?}"
        );
    }

    #[test]
    fn two_implementations_and_failures() {
        let suite = suite("a|b", &Options::new());
        let answer = |accepted: &[&str], failed: &str| -> Vec<Answer> {
            let of = |case: Case<'_>| match case.text {
                text if text == failed => Answer::Failed("a panic".into()),
                text if accepted.contains(&text) => Answer::Accepted(None),
                _ => Answer::Rejected,
            };
            suite.cases().map(of).collect()
        };
        let conformance = suite.conformance(&answer(&["a", "b"], "aa"));
        assert_eq!((conformance.failed, conformance.groups.len()), (1, 1));
        assert_eq!(conformance.groups[0].kind, DeviationKind::Failed);
        let (first, second) = (answer(&["a", "ab"], "none"), answer(&["a", "b"], "none"));
        let compared = suite.comparison(&first, &second);
        assert_eq!((compared.over_accepted, compared.over_rejected), (1, 1));
        assert!(suite.comparison(&first, &first).is_conforming());
        assert!(suite.conformance(&answer(&["a", "b"], "none")).is_conforming());
    }
    #[test]
    fn two_implementations_and_their_values() {
        let suite = suite("a|b", &Options::new());
        let answer = |value: &dyn Fn(&str) -> Option<&str>| -> Vec<Answer> {
            let of = |case: Case<'_>| match case.valid {
                true => Answer::Accepted(value(case.text).map(str::to_owned)),
                false => Answer::Rejected,
            };
            suite.cases().map(of).collect()
        };
        let (itself, other) =
            (answer(&|_| Some("a")), answer(&|text| Some(["a", "c"][usize::from(text == "b")])));
        let found = suite.comparison_values(&itself, &other);
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        assert_eq!(
            (found.wrong_values, group.kind, &*group.witness),
            (1, DeviationKind::WrongValue, "b")
        );
        assert_eq!(group.values, Some(("c".into(), "a".into())));
        // Nothing is known where one of them has none, nor asked where values do not matter.
        assert!(suite.comparison_values(&answer(&|_| None), &other).is_conforming());
        assert!(suite.comparison_values(&itself, &answer(&|_| None)).is_conforming());
        assert!(suite.comparison(&itself, &other).is_conforming());
    }
}
