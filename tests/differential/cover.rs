//! Edge cover against a second, naive implementation, and the promises of all strategies.

use std::collections::{BTreeSet, HashSet};

use pleach::Seeded;
use pleach::differential::{Difference, Language, Side, Strategy as Strings, printed};
use pleach::regular::{Alphabet, AutomatonLimits, Dfa, StateId};
use proptest::prelude::*;

use crate::languages::pattern;

/// The transitions of an automaton that are on a way from the start to acceptance, special
/// characters and roles apart: state, target, and the special symbol or which rest of the class.
fn transitions(dfa: &Dfa, difference: &Difference) -> BTreeSet<(StateId, StateId, u32)> {
    let mut found = BTreeSet::new();
    let mut seen = HashSet::from([dfa.start()]);
    let mut stack = vec![dfa.start()];
    while let Some(state) = stack.pop() {
        for transition in dfa.transitions(state) {
            let ranges = dfa.class_ranges(transition.class);
            let has =
                |symbol: u32| ranges.iter().any(|&(low, high)| low <= symbol && symbol <= high);
            let mut left: u64 = dfa.class_size(transition.class);
            for character in difference.specials().iter() {
                for symbol in [u32::from(character), Alphabet::role(character)] {
                    if has(symbol) {
                        left -= 1;
                        found.insert((state, transition.target, symbol));
                    }
                }
            }
            if left > 0 {
                found.insert((state, transition.target, u32::MAX));
            }
            if seen.insert(transition.target) {
                stack.push(transition.target);
            }
        }
    }
    found
}

fn difference(specification: &str, implementation: &str) -> Option<Difference> {
    let limits = AutomatonLimits::new().states(2000);
    let specification = Language::regex(specification, &limits).ok()?;
    let implementation = Language::regex(implementation, &limits).ok()?;
    Difference::new(&specification, &implementation, &limits).ok()
}

/// Which transitions the strings go along.
fn walked(
    dfa: &Dfa,
    difference: &Difference,
    strings: &[Vec<u32>],
) -> BTreeSet<(StateId, StateId, u32)> {
    let mut walked = BTreeSet::new();
    for symbols in strings {
        let mut state = dfa.start();
        for &symbol in symbols {
            let target = dfa.step(state, symbol);
            let character = Alphabet::character(symbol).unwrap();
            let special = difference.specials().contains(character);
            walked.insert((state, target, if special { symbol } else { u32::MAX }));
            state = target;
        }
    }
    walked
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_transition_is_in_some_string(a in pattern(), b in pattern(), seed: u64) {
        let Some(difference) = difference(&a, &b) else { return Ok(()) };
        let strings = difference.strings(Strings::EdgeCover, usize::MAX, &mut Seeded::new(seed));
        let symbols: Vec<_> = strings.iter().map(|string| string.symbols.clone()).collect();
        let walked = walked(difference.dfa(), &difference, &symbols);
        // Strings that print alike are given once, so their roles may differ from those wanted; but then
        // some string has the character.
        let has_roles = strings.iter().any(|string| string.has_roles());
        let characters: BTreeSet<_> =
            walked.iter().map(|&(_, _, symbol)| Alphabet::character(symbol)).collect();
        for (from, to, symbol) in transitions(difference.dfa(), &difference) {
            let covered = walked.contains(&(from, to, symbol))
                || has_roles && characters.contains(&Alphabet::character(symbol));
            prop_assert!(covered, "{a} {b}: {from:?} {to:?} {symbol}");
        }
    }

    #[test]
    fn strings_are_what_they_say(a in pattern(), b in pattern(), seed: u64) {
        let Some(difference) = difference(&a, &b) else { return Ok(()) };
        let limits = AutomatonLimits::default();
        let sides = [&a, &b].map(|pattern| Language::regex(pattern, &limits).unwrap());
        for strategy in [Strings::EdgeCover, Strings::PaperDfs, Strings::Undirected] {
            let strings = difference.strings(strategy, 200, &mut Seeded::new(seed));
            let again = difference.strings(strategy, 200, &mut Seeded::new(seed));
            prop_assert_eq!(&strings, &again);
            prop_assert!(strings.len() <= 200);
            let texts: HashSet<_> = strings.iter().map(|string| &string.text).collect();
            prop_assert_eq!(texts.len(), strings.len());
            for (index, string) in strings.iter().enumerate() {
                prop_assert_eq!(string.rank, index + 1);
                prop_assert_eq!(&printed(&string.symbols), &string.text);
                let accepted = sides.each_ref().map(|side| side.contains(&string.symbols));
                prop_assert_eq!(string.differs, accepted[0] != accepted[1]);
                prop_assert!(accepted[usize::from(string.accepted_by == Side::Implementation)]);
                prop_assert!(string.differs || strategy == Strings::Undirected);
                if let Some(covered) = string.transition {
                    prop_assert_eq!(string.symbols[covered.at], covered.symbol);
                }
            }
        }
    }
}

#[test]
fn special_characters_and_sides_take_turns() {
    let difference = difference("[a-z:]*", "[a-z@]*").unwrap();
    let strings = difference.strings(Strings::EdgeCover, 4, &mut Seeded::new(1));
    let texts: Vec<_> = strings.iter().map(|string| string.text.as_str()).collect();
    assert_eq!(texts[..2], [":", "@"]);
    assert_eq!(strings[0].accepted_by, Side::Specification);
    assert_eq!(strings[1].accepted_by, Side::Implementation);
    assert!(texts[2..].iter().all(|text| text.chars().count() == 2), "{texts:?}");
}

#[test]
fn implicit_characters_are_tried() {
    // `.` in place of a class that leaves out what nobody thinks of.
    let difference = difference("[a-z]+", "(?s).+").unwrap();
    let strings = difference.strings(Strings::EdgeCover, 40, &mut Seeded::new(1));
    for character in [' ', '\0', '\n', '\t', '%', '\\', '+', '"', '\'', 'é'] {
        assert!(strings.iter().any(|string| string.text == character.to_string()), "{character:?}");
    }
}

#[test]
fn a_user_s_characters_come_first() {
    let limits = AutomatonLimits::default();
    let spec = Language::regex("[a-z]+", &limits).unwrap();
    let code = Language::regex("(?s).+", &limits).unwrap();
    let specials = pleach::differential::Specials::of(&spec, &code).user(";".chars());
    let difference = Difference::with_specials(&spec, &code, specials, &limits).unwrap();
    let strings = difference.strings(Strings::EdgeCover, 1, &mut Seeded::new(1));
    assert_eq!(strings[0].text, ";");
}
