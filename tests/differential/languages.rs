//! Languages against oracles: the `regex` crate, enumeration, and regexes printed and read again.

use std::collections::HashSet;

use pleach::Seeded;
use pleach::differential::{Language, Matcher, Walker, printed};
use pleach::regular::{Alphabet, AutomatonLimits, Dfa};
use proptest::prelude::*;

/// A random regex over few symbols, some in another role.
pub fn pattern() -> impl Strategy<Value = String> {
    let atoms = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "[ab]",
        "[^a]",
        ".",
        ":",
        "[:@]",
        r"\d",
        "é",
        "0",
        "[0-9a-f]",
        "(?<data>:)",
        "(?<data2>[:a])",
        "",
    ]);
    atoms.prop_map(str::to_owned).prop_recursive(4, 16, 4, |inner| {
        let suffix = prop::sample::select(vec!["?", "*", "+", "{2}", "{1,3}", "{2,}"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4)
                .prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner, suffix).prop_map(|(part, suffix)| format!("(?:{part}){suffix}")),
        ]
    })
}

fn language(pattern: &str) -> Language {
    let limits = AutomatonLimits::new().states(4000);
    Language::regex(pattern, &limits).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_printed_regex_is_the_same_language(pattern in pattern()) {
        let language = language(&pattern);
        let Ok(text) = language.to_regex(5000) else { return Ok(()) };
        let again = Dfa::from_regex(&text, Alphabet::Roles, &AutomatonLimits::default());
        let again = again.unwrap_or_else(|error| panic!("{pattern} as {text}: {error}"));
        prop_assert_eq!(&again, language.dfa(), "{} as {}", pattern, text);
    }

    #[test]
    fn membership_is_that_of_the_regex_crate(pattern in pattern(), texts in
        prop::collection::vec("[ab:@0é\\n]{0,6}", 20))
    {
        // Where no group is of data, roles make no difference.
        let plain = pattern.replace("?<data>", "?:").replace("?<data2>", "?:");
        let language = language(&plain);
        let limits = AutomatonLimits::default();
        let matcher = Matcher::new(language.dfa(), &limits).unwrap();
        let oracle = regex::Regex::new(&format!("^(?:{plain})$")).unwrap();
        // Where some are, a text is in the language whatever the roles of its characters.
        let roles = self::language(&pattern);
        for text in &texts {
            let expected = oracle.is_match(text);
            prop_assert_eq!(language.accepts(text), expected, "{} on {:?}", plain, text);
            prop_assert_eq!(matcher.is_match(text), expected, "{} on {:?}", plain, text);
            prop_assert_eq!(roles.accepts(text), expected, "{} on {:?}", pattern, text);
            let reading = roles.reading(text);
            prop_assert_eq!(reading.is_some(), expected);
            if let Some(reading) = reading {
                prop_assert_eq!(&printed(&reading), text);
                prop_assert!(roles.contains(&reading));
            }
        }
    }

    #[test]
    fn enumeration_is_all_there_is(pattern in pattern(), seed: u64) {
        let language = language(&pattern);
        let limits = AutomatonLimits::default();
        let strings: Vec<_> = language.strings(seed, &limits).take(300).collect();
        prop_assert!(strings.is_sorted_by_key(Vec::len));
        prop_assert_eq!(strings.iter().collect::<HashSet<_>>().len(), strings.len());
        prop_assert!(strings.iter().all(|string| language.contains(string)));
        if let Some(last) = strings.last() {
            for length in 0..last.len() {
                let found = strings.iter().filter(|string| string.len() == length).count() as u64;
                prop_assert_eq!(language.count(length, &limits).unwrap().exact(), Some(found));
            }
        } else {
            prop_assert!(language.dfa().is_empty());
        }
    }

    #[test]
    fn walks_are_of_the_language(pattern in pattern(), seed: u64) {
        let language = language(&pattern);
        let walker = Walker::new(language.dfa()).longest(12);
        let mut entropy = Seeded::new(seed);
        for _ in 0..20 {
            let mut text = String::new();
            prop_assert_eq!(walker.string(&mut entropy, &mut text), !language.dfa().is_empty());
            prop_assert!(language.dfa().is_empty() || language.accepts(&text), "{} {}", pattern, text);
        }
    }
}

#[test]
fn real_formats_are_printed_and_read_again() {
    for pattern in [
        r"[A-Za-z][A-Za-z0-9+.-]*:",
        "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}",
        r#""(?:[^"\\\x00-\x1F]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*""#,
        r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
        r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)",
        r"[^:]*:(?:[^:]|(?<data>:))*",
    ] {
        let language = language(pattern);
        let text = language.to_regex(2000).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        assert!(text.len() <= 2 * pattern.len() + 40, "{pattern} is printed as {text}");
        let again = Dfa::from_regex(&text, Alphabet::Roles, &AutomatonLimits::default()).unwrap();
        assert_eq!(&again, language.dfa(), "{pattern} as {text}");
    }
}
