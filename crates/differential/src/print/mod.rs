//! A regex for an automaton, written for people.
//!
//! States are eliminated one by one, those first whose removal writes least (Delgado and Morais,
//! "Approximation to the Smallest Regular Expression for a Given Regular Language", 2004), and
//! what is written is simplified on the way: alternatives of single symbols are one class, common
//! beginnings and ends are taken out, and what repeats is counted. Equal parts are one
//! node, so that comparing is cheap; a budget on the length of the text bounds everything, for
//! there are automata whose shortest regex is exponentially larger.

mod classes;
mod eliminate;
mod parts;
mod text;

use super::DifferentialError;
use parts::Parts;
use pleach_core::regular::Dfa;

/// A regex of at most so many characters that accepts what an automaton does.
///
/// Characters in their other role stand in groups `(?<data>...)`; the pattern is to be read
/// over the automaton's alphabet.
///
/// # Errors
///
/// Where it would be longer, or takes too long to find.
///
/// # Examples
///
/// ```
/// use pleach::differential::to_regex;
/// use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
///
/// let dfa = Dfa::from_regex("a(b|c)x|(a|b)dx", Alphabet::Unicode, &AutomatonLimits::default())?;
/// assert_eq!(to_regex(&dfa, 100).unwrap(), "(?:bd|a[b-d])x");
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
pub fn to_regex(dfa: &Dfa, longest: usize) -> Result<String, DifferentialError> {
    let dfa = dfa.minimize();
    let mut parts = Parts::new(dfa.alphabet(), longest);
    match eliminate::eliminate(&dfa, &mut parts)? {
        None => Ok("[a&&b]".into()),
        Some(root) => text::text(&parts, root),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::regular::{Alphabet, AutomatonLimits};

    fn dfa(pattern: &str) -> Dfa {
        Dfa::from_regex(pattern, Alphabet::Roles, &AutomatonLimits::default()).expect(pattern)
    }

    #[test]
    fn regexes_are_as_a_person_would_write_them() {
        for (pattern, expected) in [
            ("", ""),
            ("[a&&b]", "[a&&b]"),
            ("abc", "abc"),
            ("a*", "a*"),
            ("aa*", "a+"),
            ("(?:a|b|c|[d-f])+", "[a-f]+"),
            ("(?:ab)*", "(?:ab)*"),
            ("[0-9a-f]{4}", "[0-9a-f]{4}"),
            ("a{2,5}", "a{2,5}"),
            ("[^:]*:(?:[^:]|(?<data>:))*", "[^:]*:(?:[^:]|(?<data>:))*"),
            (".*", ".*"),
            ("(?s).*", "(?s:.)*"),
            (r"\w+@\w+", r"\w+@\w+"),
            (r"[\w.-]+", r"[\w\-.]+"),
            (r"\d{3}", r"\d{3}"),
            (r"[^\s/]+", r"[^\s/]+"),
            (r"\.\+\\\n\x00", r"\.\+\\\n\x00"),
            ("(?:abx|acx)y", "a[bc]xy"),
            (r"[-\]^]", r"[\-\]\^]"),
            ("a(?:,a)*", "a(?:,a)*"),
        ] {
            assert_eq!(to_regex(&dfa(pattern), 1000).expect(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn what_would_be_longer_is_refused() {
        let large = dfa("(?:a|b)*a(?:a|b){7}");
        let error = to_regex(&large, 300).expect_err("too large");
        assert!(error.is_size_limit_exceeded(), "{error}");
        let error = to_regex(&dfa(&('a'..='z').chain('A'..='Z').collect::<String>()), 40)
            .expect_err("too large");
        assert!(error.is_size_limit_exceeded(), "{error}");
    }

    #[test]
    fn long_chains_cost_no_more_than_they_are_long() {
        let text: String =
            (0..1500_u32).filter_map(|i| char::from_u32(0x4E00 + i * 7 % 5000)).collect();
        assert_eq!(to_regex(&dfa(&text), 10_000).expect("a chain"), text);
        assert_eq!(to_regex(&dfa("(?:ab){2000}"), 10_000).expect("a chain"), "(?:ab){2000}");
    }
}
