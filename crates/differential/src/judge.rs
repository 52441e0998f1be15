//! What an implementation does on test strings, and whether that is right.
//!
//! Accepting and rejecting is half of it: many defects return a wrong value of what is rightly accepted.
//! So a [`Judge`] may know which value is expected, as the part of the string that a
//! named group of the specification has, or be a closure.
//!
//! # Examples
//!
//! ```
//! use pleach::Seeded;
//! use pleach::differential::judge::{Answer, Judge, Verdict, run};
//! use pleach::differential::{Difference, Groups, Language, Strategy};
//! use pleach::regular::AutomatonLimits;
//!
//! fn password(credentials: &str) -> Option<&str> {
//!     credentials.split(':').nth(1)
//! }
//!
//! let limits = AutomatonLimits::default();
//! let pattern = "[^:]*:(?<password>([^:]|(?<data>:))*)";
//! let specification = Language::regex(pattern, &limits)?;
//! let implementation = Language::regex("(?s).*:.*", &limits)?;
//! let difference = Difference::new(&specification, &implementation, &limits)?;
//! let strings = difference.strings(Strategy::EdgeCover, 20, &mut Seeded::new(1));
//!
//! let group = Groups::new(pattern, "password", &limits)?;
//! let judge = Judge::group(&specification, group);
//! let judged = run(&judge, strings, |text| match password(text) {
//!     Some(password) => Answer::Accepted(Some(password.into())),
//!     None => Answer::Rejected,
//! });
//! let wrong = judged.iter().find(|it| matches!(it.verdict, Verdict::WrongValue)).unwrap();
//! assert!(wrong.string.text.contains(':'));
//! # Ok::<(), pleach::differential::DifferentialError>(())
//! ```

use std::fmt;

use super::{Groups, Language, TestString, printed};
use pleach_core::regular::Alphabet;

/// An implementation's reaction to a string: acceptance with a value, rejection, or failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It accepts it, and returns this value where that is known.
    Accepted(Option<String>),
    /// It rejects it.
    Rejected,
    /// It does neither, and what it does instead: a panic, a signal, a timeout.
    Failed(String),
}

/// Whether an answer is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// As far as is known, it is.
    Agrees,
    /// It accepts what the specification does not.
    OverAccepts,
    /// It rejects what the specification accepts.
    OverRejects,
    /// It accepts what it should, and returns the wrong value.
    WrongValue,
    /// It neither accepts nor rejects.
    Fails,
}

impl Verdict {
    /// Whether the implementation deviates from the specification.
    pub fn is_deviation(self) -> bool {
        self != Self::Agrees
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
            Self::OverAccepts => "over-accepted",
            Self::OverRejects => "over-rejected",
            Self::WrongValue => "wrong value",
            Self::Fails => "failed",
        })
    }
}

/// What is expected of a value; none where there is nothing to expect.
type Expect<'a> = dyn Fn(&TestString) -> Option<String> + 'a;

/// Whether a value is right.
type IsRight<'a> = dyn Fn(&TestString, Option<&str>) -> bool + 'a;

/// An oracle for answers: it compares them with a specification, and values with what is expected.
pub struct Judge<'a> {
    /// None where anything that is accepted is right.
    specification: Option<&'a Language>,
    value: Value<'a>,
}

enum Value<'a> {
    Any,
    Expected(Box<Expect<'a>>),
    Judged(Box<IsRight<'a>>),
}

impl<'a> Judge<'a> {
    /// Compares accepting and rejecting, and takes any value for right.
    pub fn verdicts(specification: &'a Language) -> Self {
        Self { specification: Some(specification), value: Value::Any }
    }

    /// Knows of no specification: whatever is accepted or rejected is right, and only failures are not.
    pub fn unspecified() -> Self {
        Self { specification: None, value: Value::Any }
    }

    /// Expects the value to be what a group of the specification has of the string, and the
    /// empty string where the group takes no part.
    pub fn group(specification: &'a Language, group: Groups) -> Self {
        Self::expected(specification, move |string| {
            // Where the string is the implementation's alone, it may still have a reading.
            let other = (!specification.contains(&string.symbols))
                .then(|| specification.reading(&string.text));
            let symbols = match other {
                Some(reading) => reading?,
                None => string.symbols.clone(),
            };
            let range = group.find(&symbols)?;
            Some(range.map(|range| printed(&symbols[range])).unwrap_or_default())
        })
    }

    /// Expects this value of strings that the specification accepts; where it is none, any.
    pub fn expected(
        specification: &'a Language,
        value: impl Fn(&TestString) -> Option<String> + 'a,
    ) -> Self {
        Self { specification: Some(specification), value: Value::Expected(Box::new(value)) }
    }

    /// Asks a closure whether the value of a string that both accept is right.
    pub fn closure(
        specification: &'a Language,
        is_right: impl Fn(&TestString, Option<&str>) -> bool + 'a,
    ) -> Self {
        Self { specification: Some(specification), value: Value::Judged(Box::new(is_right)) }
    }

    /// Whether it knows what a value should be.
    pub fn knows_values(&self) -> bool {
        !matches!(self.value, Value::Any)
    }

    /// Judges an answer, and gives the expected value where it is known.
    pub fn judge(&self, string: &TestString, answer: &Answer) -> (Verdict, Option<String>) {
        let accepts = match self.specification {
            None => matches!(answer, Answer::Accepted(_)),
            Some(specification) => match specification.dfa().alphabet() {
                Alphabet::Bytes => specification.contains(&string.symbols),
                _ => specification.accepts(&string.text),
            },
        };
        let expected = match &self.value {
            Value::Expected(value) if accepts => value(string),
            _ => None,
        };
        let verdict = match answer {
            Answer::Failed(_) => Verdict::Fails,
            Answer::Rejected if accepts => Verdict::OverRejects,
            Answer::Rejected => Verdict::Agrees,
            Answer::Accepted(_) if !accepts => Verdict::OverAccepts,
            Answer::Accepted(value) => {
                let is_right = match &self.value {
                    Value::Any => true,
                    Value::Expected(_) => match (&expected, value) {
                        (Some(expected), Some(value)) => expected == value,
                        _ => true,
                    },
                    Value::Judged(is_right) => is_right(string, value.as_deref()),
                };
                if is_right { Verdict::Agrees } else { Verdict::WrongValue }
            }
        };
        (verdict, expected)
    }
}

impl fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("knows_values", &self.knows_values()).finish_non_exhaustive()
    }
}

/// A test string, what the implementation made of it, and whether that is right.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The string.
    pub string: TestString,
    /// What the implementation made of it.
    pub answer: Answer,
    /// The value that is expected, where that is known.
    pub expected: Option<String>,
    /// Whether the answer is right.
    pub verdict: Verdict,
}

/// Runs an implementation on strings, and judges each answer.
pub fn run(
    judge: &Judge<'_>,
    strings: impl IntoIterator<Item = TestString>,
    mut implementation: impl FnMut(&str) -> Answer,
) -> Vec<Judged> {
    let judged = strings.into_iter().map(|string| {
        let answer = implementation(&string.text);
        let (verdict, expected) = judge.judge(&string, &answer);
        Judged { string, answer, expected, verdict }
    });
    judged.collect()
}
