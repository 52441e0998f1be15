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
//! use pleach::differential::suite::{Kind, Options, Suite};
//! use pleach::regular::Limits;
//!
//! let limits = Limits::default();
//! let port = Language::regex("0|[1-9][0-9]{0,3}", &limits)?;
//! let suite = Suite::new(&port, &Options::new(), &limits)?;
//! let conformance = suite.check(|text| text.parse::<u16>().is_ok_and(|port| port < 10_000));
//! let kinds: Vec<_> = conformance.groups.iter().map(|group| (group.kind, &*group.witness)).collect();
//! assert!(kinds.contains(&(Kind::OverAccepted, "+0")));
//! assert!(kinds.contains(&(Kind::OverAccepted, "00")));
//! assert_eq!(conformance.over_rejected, 0);
//! # Ok::<(), pleach::differential::DifferentialError>(())
//! ```

mod cases;
mod faults;

pub use cases::Options;
pub use faults::{Conformance, Group, Kind};

use super::judge::Answer;
use super::{DifferentialError, Language};
use crate::regular::{Dfa, Limits};

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
    complete: bool,
}

/// One input of a [`Suite`].
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
        limits: &Limits,
    ) -> Result<Self, DifferentialError> {
        let dfa = specification.texts(limits)?;
        Ok(cases::suite(dfa, options))
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

    /// Runs an implementation on all inputs.
    pub fn check(&self, mut accepts: impl FnMut(&str) -> bool) -> Conformance {
        let answer = |case: Case<'_>| match accepts(case.text) {
            true => Answer::Accepted(None),
            false => Answer::Rejected,
        };
        let answers: Vec<_> = self.cases().map(answer).collect();
        self.conformance(&answers)
    }

    /// What an implementation's answers to all inputs, in their order, say. Values do not matter; who fails
    /// has not accepted.
    ///
    /// # Panics
    ///
    /// Where there are more or fewer answers than inputs.
    pub fn conformance(&self, answers: &[Answer]) -> Conformance {
        let expected: Vec<bool> = self.cases().map(|case| case.valid).collect();
        faults::conformance(self, &expected, answers)
    }

    /// What the second of two implementations does otherwise than the first.
    ///
    /// [`Kind::OverAccepted`] is what the second one accepts and the first one doesn't.
    ///
    /// # Panics
    ///
    /// As [`Suite::conformance`].
    pub fn comparison(&self, first: &[Answer], second: &[Answer]) -> Conformance {
        let expected: Vec<bool> =
            first.iter().map(|answer| matches!(answer, Answer::Accepted(_))).collect();
        faults::conformance(self, &expected, second)
    }
}
