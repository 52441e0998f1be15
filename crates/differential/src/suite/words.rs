//! Causes in words.

use std::collections::BTreeSet;

use pleach_core::regular::{Dfa, StateId};

use super::causes::{Bound, Cause, GroupBuilder, NEARLY_ALL};
use super::features::{Feature, Measure, Reader};
use super::kin::Kin;
use super::violation::{Due, Place, What};
use crate::{printed, to_regex};

/// The longest regex that is printed for a class.
const SHOWN: usize = 60;

/// Places that are all named.
const PLACES: usize = 3;

/// Says what causes are.
pub(super) struct Words<'a> {
    pub(super) reader: &'a Reader<'a>,
    /// Whether no input has more than one number, so that nobody asks which.
    pub(super) only_number: bool,
}

/// What a cause is about.
enum Subject {
    Symbols(Vec<(u32, u32)>),
    Text(String),
    /// The same with a number, of which there may be several, and with what comes behind it.
    Than(&'static str, u64, String),
}

impl Words<'_> {
    /// What is at fault, and where.
    pub(super) fn of(&self, builder: &GroupBuilder) -> String {
        let (mut symbols, mut texts, mut places) = (Vec::new(), Vec::<String>::new(), Vec::new());
        let mut thans: Vec<(&str, String, BTreeSet<u64>)> = Vec::new();
        // What is said of any place holds of the others, too.
        let is_anywhere =
            |cause: &Cause| matches!(cause, Cause::Feature(Feature::Wrong(_, Place::Anywhere)));
        let anywhere = builder.causes.iter().any(is_anywhere);
        for &cause in &builder.causes {
            let (subject, mut place) = self.parts(cause, builder);
            if anywhere && !is_anywhere(&cause) {
                place.clear();
            }
            match subject {
                Subject::Symbols(ranges) => symbols.extend(ranges),
                Subject::Text(text) if texts.contains(&text) => {}
                Subject::Text(text) => texts.push(text),
                Subject::Than(text, number, behind) => {
                    match thans.iter_mut().find(|it| it.0 == text && it.1 == behind) {
                        Some((.., numbers)) => drop(numbers.insert(number)),
                        None => thans.push((text, behind, BTreeSet::from([number]))),
                    }
                }
            }
            if !place.is_empty() && !places.contains(&place) {
                places.push(place);
            }
        }
        if !symbols.is_empty() {
            texts.insert(0, self.symbols(&symbols));
        }
        for (text, behind, numbers) in thans {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            texts.push(format!("{text} {}{behind}", listed(&numbers, "or")));
        }
        let place = match &*places {
            [] => String::new(),
            some if some.len() <= PLACES => format!(" {}", listed(some, "or")),
            many => format!(" in {} places, first {}", many.len(), many[0]),
        };
        format!("{}{place}", listed(&texts, "or"))
    }

    fn parts(&self, cause: Cause, builder: &GroupBuilder) -> (Subject, String) {
        let text = |text: &str| Subject::Text(text.to_owned());
        let everywhere = || "wherever it stands".to_owned();
        match cause {
            Cause::Bound(bound) => (self.bound(bound), String::new()),
            Cause::Feature(feature) => match feature {
                Feature::Any => (text(any(builder)), String::new()),
                Feature::Wrong(what, place) => (self.what(what), self.place(what, place)),
                Feature::At(state, due) => {
                    (text(other(due, builder.causes.len() > 1)), self.after(state))
                }
                Feature::Trailing => (text("anything behind the end"), String::new()),
                Feature::Contains(class, kin) => {
                    (Subject::Symbols(self.common(class, kin)), everywhere())
                }
                Feature::ContainsSort(sort) => (text(sort.name()), everywhere()),
                Feature::ContainsKin(kin) => (Subject::Symbols(vec![kin.range()]), everywhere()),
                Feature::Lacks(class, kin) => (
                    Subject::Text(format!("no {}", self.symbols(&self.common(class, kin)))),
                    String::new(),
                ),
                Feature::Begins(kin) => {
                    (Subject::Symbols(vec![kin.range()]), "at the beginning".to_owned())
                }
                Feature::Finishes(kin) => {
                    (Subject::Symbols(vec![kin.range()]), "at the end".to_owned())
                }
                Feature::Behind(first, second) => (
                    Subject::Symbols(vec![second.range()]),
                    format!("somewhere after {}", self.symbols(&[first.range()])),
                ),
                Feature::Pair(first, second) => (
                    Subject::Symbols(vec![second.range()]),
                    format!("right after {}", self.symbols(&[first.range()])),
                ),
                Feature::Word(word) => {
                    let word = self.reader.spelled.get(word as usize);
                    (Subject::Text(format!("`{}`", word.map_or("", |word| word))), String::new())
                }
                Feature::Move(state, class, kin) => {
                    (Subject::Symbols(self.common(class, kin)), self.after(state))
                }
                Feature::End(state) => (text("the end"), self.after(state)),
            },
        }
    }

    fn what(&self, what: What) -> Subject {
        let one = |symbol: u32| self.symbols(&[(symbol, symbol)]);
        Subject::Text(match what {
            What::LeadingZeros => "leading zeros".to_owned(),
            What::Above(number) => return Subject::Than("a number above", number, String::new()),
            What::Below(number) => return Subject::Than("a number below", number, String::new()),
            What::MoreDigits(count) => format!("more than {}", counted(count, "digit")),
            What::FewerDigits(count) => format!("fewer than {}", counted(count, "digit")),
            What::Unlisted => "a number between those that may stand there".to_owned(),
            What::LongPart(count) => format!("a part of more than {}", counted(count, "character")),
            What::ShortPart(count) => {
                format!("a part of fewer than {}", counted(count, "character"))
            }
            What::Empty => "an empty part".to_owned(),
            What::Around => "white space around it".to_owned(),
            What::Sign(sign) => format!("a sign {}", one(sign)),
            What::Again(symbol) => format!("a second {}", one(symbol)),
            What::OtherCase => "a letter in the other case".to_owned(),
            What::Beyond => "a character beyond ASCII".to_owned(),
            What::Missing(symbol) => format!("the end, where {} is missing", one(symbol)),
            What::Symbol(class, kin) | What::Instead(class, kin) | What::Extra(class, kin) => {
                let common = self.common(class, kin);
                return Subject::Symbols(if common.is_empty() {
                    vec![kin.range()]
                } else {
                    common
                });
            }
        })
    }

    fn place(&self, what: What, place: Place) -> String {
        match place {
            Place::Beginning => "at the beginning".to_owned(),
            Place::End => "at the end".to_owned(),
            Place::Anywhere => match what {
                What::Symbol(..) => "where it may not stand".to_owned(),
                What::Instead(..) => "in the place of another symbol".to_owned(),
                What::Extra(..) => "that is one too many".to_owned(),
                _ => String::new(),
            },
            Place::Nth(_) if what.is_number() && self.only_number => String::new(),
            Place::Nth(nth) if what.is_number() => format!("in the {} number", ordinal(nth)),
            Place::Nth(nth) if what == What::Empty => format!("as the {}", ordinal(nth)),
            Place::Nth(nth) => format!("in the {} part", ordinal(nth)),
            Place::After(kin) => format!("after {}", self.symbols(&[kin.range()])),
            Place::State(state) => self.after(state),
        }
    }

    fn bound(&self, bound: Bound) -> Subject {
        let Bound { measure, is_most, limit, next } = bound;
        let is_exact = limit.abs_diff(next) == 1;
        let range = match (is_most, is_exact) {
            (true, true) => format!("below {next}"),
            (false, true) => format!("above {next}"),
            (true, false) => format!("up to {limit}, but not {next},"),
            (false, false) => format!("from {limit} on, but not {next},"),
        };
        let range = range.trim_end_matches(',');
        let at_most = if is_most { "at most" } else { "at least" };
        let which = |number: u32| match self.only_number {
            true => "a number".to_owned(),
            false => format!("the {} number", ordinal(number)),
        };
        let wrong = |what| match self.what(what) {
            Subject::Than(text, number, _) => format!("{text} {number}"),
            Subject::Text(text) => text,
            Subject::Symbols(ranges) => self.symbols(&ranges),
        };
        Subject::Text(match measure {
            Measure::Number(number) => format!("{} {range}", which(number)),
            Measure::Digits(number) => {
                format!("{} of {at_most} {}", which(number), counted(limit as u32, "digit"))
            }
            Measure::Part => format!("a part of {at_most} {}", counted(limit as u32, "character")),
            Measure::Length => format!("{at_most} {}", counted(limit as u32, "character")),
            Measure::WrongValue(what) => {
                let behind = format!(", if it is {range}");
                match self.what(what) {
                    Subject::Than(text, number, _) => return Subject::Than(text, number, behind),
                    _ => wrong(what) + &behind,
                }
            }
            Measure::WrongLength(what) => {
                let unit = if what.is_number() { "digit" } else { "character" };
                format!("{}, of {at_most} {}", wrong(what), counted(limit as u32, unit))
            }
        })
    }

    /// Where a state is: behind a shortest string that leads there.
    fn after(&self, state: u32) -> String {
        let dfa = self.reader.shapes.dfa;
        let wanted: StateId = dfa.state(state as usize);
        let to = dfa.between(dfa.start(), |state| state == wanted);
        match printed(&to.shortest().unwrap_or_default()) {
            text if text.is_empty() => "at the beginning".to_owned(),
            text => format!("after {text:?}"),
        }
    }

    /// The symbols of a class that are of a kin.
    fn common(&self, class: u32, kin: Kin) -> Vec<(u32, u32)> {
        let dfa = self.reader.shapes.dfa;
        let ranges = dfa.classes().nth(class as usize).map(|class| dfa.class_ranges(class));
        let (low, high) = kin.range();
        let common = ranges.unwrap_or_default().iter();
        let common = common.map(|range| (range.0.max(low), range.1.min(high)));
        common.filter(|range| range.0 <= range.1).collect()
    }

    fn symbols(&self, ranges: &[(u32, u32)]) -> String {
        if ranges.iter().all(|&range| range == Kin::Wide.range()) {
            return "a character beyond ASCII".to_owned();
        }
        let alphabet = self.reader.shapes.dfa.alphabet();
        let most = self.reader.shapes.dfa.universe().last().map_or(0, |range| range.1);
        let mut ranges: Vec<(u32, u32)> = ranges
            .iter()
            .map(|&(low, high)| (low, high.min(most)))
            .filter(|it| it.0 <= it.1)
            .collect();
        ranges.sort_unstable();
        let mut united: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match united.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => united.push((low, high)),
            }
        }
        match to_regex(&Dfa::ranges(&united, alphabet), SHOWN) {
            Ok(regex) => format!("`{regex}`"),
            Err(_) => "one of many characters".to_owned(),
        }
    }
}

/// Whatever is not due: where it is in several places, only what is due says which they are.
fn other(due: Due, are_several: bool) -> &'static str {
    match due {
        _ if !are_several => "any other symbol",
        Due::Begin => "any other symbol where a part has to begin,",
        Due::More => "any other symbol in a part that is too short,",
        Due::Next => "any other symbol behind a part,",
    }
}

/// Deviations of which only that is known that they are inputs.
fn any(builder: &GroupBuilder) -> &'static str {
    let others = builder.of.saturating_sub(builder.members.len());
    match others {
        0 => "whatever the input",
        _ if builder.members.len() / NEARLY_ALL as usize >= others => "nearly any input",
        _ => "some inputs, which nothing tells from the others",
    }
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// `a, b or c`.
fn listed(texts: &[String], word: &str) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

fn ordinal(number: u32) -> String {
    const NAMES: [&str; 8] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
    match (number as usize).checked_sub(1).and_then(|at| NAMES.get(at)) {
        Some(name) => (*name).to_owned(),
        None => {
            let end = match number % 10 {
                _ if (11..=13).contains(&(number % 100)) => "th",
                1 => "st",
                2 => "nd",
                3 => "rd",
                _ => "th",
            };
            format!("{number}{end}")
        }
    }
}
