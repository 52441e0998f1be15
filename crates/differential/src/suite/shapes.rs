//! What numbers and parts an automaton takes in a state.
//!
//! People who write a parser think of numbers and of parts between separators, not of states. Which numbers
//! may stand behind a state follows from its automaton: by the length of a run of digits, the states that are
//! reached, and the least and the greatest number that leads to each.

use std::cell::RefCell;

use fxhash::FxHashMap;
use pleach_core::regular::{Dfa, StateId};

/// Digits that are looked at: what may be longer has no greatest number. More would not fit 64 bits.
const DIGITS: u32 = 18;

/// Characters of a part that are looked at.
const CHARACTERS: u32 = 300;

/// The numbers that may begin in a state: runs of digits after which something else may follow, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The most digits; none where there is no bound.
    pub(super) most: Option<u32>,
    pub(super) least: u64,
    /// None where there is no bound.
    pub(super) greatest: Option<u64>,
}

/// The parts of ASCII letters and digits that may begin in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) shortest: u32,
    pub(super) longest: Option<u32>,
}

/// What symbols may follow a state.
#[derive(Clone, Copy, Debug, Default)]
struct Follow {
    /// Whether something that is no digit, or the end, may follow.
    no_digit: bool,
    /// The same with letters and digits.
    no_alnum: bool,
    digit: bool,
    letter: bool,
}

/// The numbers and parts of all states, each looked at once.
pub(super) struct Shapes<'a> {
    pub(super) dfa: &'a Dfa,
    follows: Vec<Follow>,
    /// Per class of symbols: whether any state takes it.
    used: Vec<bool>,
    numbers: RefCell<FxHashMap<StateId, Option<Numbers>>>,
    parts: RefCell<FxHashMap<StateId, Option<Parts>>>,
}

fn meets(ranges: &[(u32, u32)], low: char, high: char) -> bool {
    ranges.iter().any(|range| range.0 <= high.into() && range.1 >= low.into())
}

fn has_letter(ranges: &[(u32, u32)]) -> bool {
    meets(ranges, 'A', 'Z') || meets(ranges, 'a', 'z')
}

impl<'a> Shapes<'a> {
    pub(super) fn new(dfa: &'a Dfa) -> Self {
        let of_class = |ranges: &[(u32, u32)]| {
            let digit = meets(ranges, '0', '9');
            let letter = has_letter(ranges);
            let no_alnum = meets(ranges, '\0', '/')
                || meets(ranges, ':', '@')
                || meets(ranges, '[', '`')
                || meets(ranges, '{', char::MAX);
            Follow { no_digit: letter || no_alnum, no_alnum, digit, letter }
        };
        let classes: Vec<Follow> =
            dfa.classes().map(|class| of_class(dfa.class_ranges(class))).collect();
        let of_state = |state: StateId| {
            let end = dfa.is_accepting(state);
            let mut follow = Follow { no_digit: end, no_alnum: end, digit: false, letter: false };
            for transition in dfa.transitions(state) {
                let class = classes[transition.class.index()];
                follow.no_digit |= class.no_digit;
                follow.no_alnum |= class.no_alnum;
                follow.digit |= class.digit;
                follow.letter |= class.letter;
            }
            follow
        };
        let mut used = vec![false; dfa.class_count()];
        for transition in dfa.states().flat_map(|state| dfa.transitions(state)) {
            used[transition.class.index()] = true;
        }
        Self {
            dfa,
            follows: dfa.states().map(of_state).collect(),
            used,
            numbers: RefCell::default(),
            parts: RefCell::default(),
        }
    }

    /// Whether a number may end in a state.
    pub(super) fn ends_number(&self, state: StateId) -> bool {
        self.follows[state.index()].no_digit
    }

    /// Whether a part may end in a state.
    pub(super) fn ends_part(&self, state: StateId) -> bool {
        self.follows[state.index()].no_alnum
    }

    pub(super) fn takes_digit(&self, state: StateId) -> bool {
        self.follows[state.index()].digit
    }

    pub(super) fn takes_letter(&self, state: StateId) -> bool {
        self.follows[state.index()].letter
    }

    /// Whether a symbol may stand anywhere.
    pub(super) fn is_used(&self, symbol: char) -> bool {
        self.dfa.class(symbol.into()).is_some_and(|class| self.used[class.index()])
    }

    pub(super) fn takes(&self, state: StateId, symbol: char) -> bool {
        !self.dfa.is_dead(self.dfa.step(state, symbol.into()))
    }

    /// Whether some digits are a number in a state.
    pub(super) fn is_number(&self, mut state: StateId, digits: &str) -> bool {
        for digit in digits.chars() {
            state = self.dfa.step(state, digit.into());
        }
        !self.dfa.is_dead(state) && self.ends_number(state)
    }

    /// How a number is written in a state, with as few zeros in front as may be.
    pub(super) fn written(&self, state: StateId, value: u64) -> Option<String> {
        let plain = value.to_string();
        let widest = self.numbers(state)?.most.unwrap_or(0).max(plain.len() as u32);
        let mut widths = plain.len() as u32..=widest;
        widths.find_map(|width| {
            let padded = format!("{value:0width$}", width = width as usize);
            self.is_number(state, &padded).then_some(padded)
        })
    }

    /// The states after any number, or any part, that may begin in a state.
    pub(super) fn behind(&self, state: StateId, digits: bool) -> Vec<StateId> {
        let mut seen = vec![state];
        let mut reached = Vec::new();
        let mut at = 0;
        while let Some(&from) = seen.get(at) {
            at += 1;
            for transition in self.dfa.transitions(from) {
                let ranges = self.dfa.class_ranges(transition.class);
                let target = transition.target;
                let is_inside = meets(ranges, '0', '9') || !digits && has_letter(ranges);
                if is_inside && !reached.contains(&target) {
                    reached.push(target);
                    seen.push(target);
                }
            }
        }
        reached
    }

    /// The numbers of a state, if there is any.
    pub(super) fn numbers(&self, state: StateId) -> Option<Numbers> {
        *self.numbers.borrow_mut().entry(state).or_insert_with(|| self.find_numbers(state))
    }

    fn find_numbers(&self, state: StateId) -> Option<Numbers> {
        let mut found: Option<Numbers> = None;
        let mut reached: FxHashMap<StateId, (u64, u64)> = FxHashMap::default();
        reached.insert(state, (0, 0));
        for length in 1..=DIGITS + 1 {
            let mut next: FxHashMap<StateId, (u64, u64)> = FxHashMap::default();
            for (&from, &(low, high)) in &reached {
                for digit in 0..10 {
                    let to = self.dfa.step(from, u32::from(b'0') + digit);
                    if self.dfa.is_dead(to) {
                        continue;
                    }
                    let digit = u64::from(digit);
                    let (low, high) = (low * 10 + digit, high * 10 + digit);
                    let entry = next.entry(to).or_insert((low, high));
                    *entry = (entry.0.min(low), entry.1.max(high));
                }
            }
            if next.is_empty() {
                break;
            }
            for (&to, &(low, high)) in &next {
                if !self.ends_number(to) {
                    continue;
                }
                let numbers = found.get_or_insert(Numbers {
                    most: Some(length),
                    least: low,
                    greatest: Some(high),
                });
                let unbounded = length > DIGITS;
                numbers.most = (!unbounded).then_some(length);
                numbers.least = numbers.least.min(low);
                let greatest = numbers.greatest.map(|greatest| greatest.max(high));
                numbers.greatest = greatest.filter(|_| !unbounded);
            }
            reached = next;
        }
        found
    }

    /// The parts of a state, if there is any.
    pub(super) fn parts(&self, state: StateId) -> Option<Parts> {
        *self.parts.borrow_mut().entry(state).or_insert_with(|| self.find_parts(state))
    }

    fn find_parts(&self, state: StateId) -> Option<Parts> {
        let mut found: Option<Parts> = None;
        let mut reached = vec![state];
        for length in 1..=CHARACTERS + 1 {
            let mut next = Vec::new();
            for from in reached {
                for transition in self.dfa.transitions(from) {
                    let ranges = self.dfa.class_ranges(transition.class);
                    if meets(ranges, '0', '9') || has_letter(ranges) {
                        next.push(transition.target);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            if next.iter().any(|&state| self.ends_part(state)) {
                let parts = found.get_or_insert(Parts { shortest: length, longest: None });
                parts.longest = (length <= CHARACTERS).then_some(length);
            }
            if next.is_empty() {
                break;
            }
            reached = next;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use pleach_core::regular::{Alphabet, AutomatonLimits};

    use super::*;

    fn numbers(pattern: &str) -> Option<Numbers> {
        let dfa = Dfa::from_regex(pattern, Alphabet::Unicode, &AutomatonLimits::default())
            .expect(pattern);
        let dfa = dfa.minimize();
        Shapes::new(&dfa).numbers(dfa.start())
    }

    #[test]
    fn numbers_are_those_of_the_language() {
        for (pattern, most, least, greatest) in [
            ("25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]", Some(3), 0, Some(255)),
            ("(?:0[1-9]|1[0-2])-.*", Some(2), 1, Some(12)),
            ("[1-9][0-9]*", None, 1, None),
            ("128|192|0", Some(3), 0, Some(192)),
        ] {
            let expected = Numbers { most, least, greatest };
            assert_eq!(numbers(pattern), Some(expected), "{pattern}");
        }
        assert_eq!(numbers("[a-z]+"), None);
    }

    #[test]
    fn parts_have_bounds_where_the_language_has() {
        let limits = AutomatonLimits::default();
        for (pattern, shortest, longest) in [
            ("[0-9a-f]{1,4}:", 1, Some(4)),
            ("[a-z][a-z0-9]*", 1, None),
            ("(?:GMT|UTC) ", 3, Some(3)),
        ] {
            let dfa = Dfa::from_regex(pattern, Alphabet::Unicode, &limits).expect(pattern);
            let dfa = dfa.minimize();
            let parts = Shapes::new(&dfa).parts(dfa.start());
            assert_eq!(parts, Some(Parts { shortest, longest }), "{pattern}");
        }
    }
}
