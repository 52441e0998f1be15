//! Membership of many texts in one language.
//!
//! A flat table in which a state is the offset of its row, so that a step is one load for the
//! class of a byte, which does not wait for the state, and one for the target. ASCII goes by a
//! table of 128 classes; other characters are decoded and looked up. How fast that is, the bench
//! `difference` prints.

use pleach_core::regular::{Alphabet, AutomatonLimits, Dfa, RegularError};

/// A language's automaton in the form that is fastest to run over text.
///
/// # Examples
///
/// ```
/// use pleach::differential::Matcher;
/// use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
///
/// let limits = AutomatonLimits::default();
/// let dfa = Dfa::from_regex(r"\w+@\w+", Alphabet::Unicode, &limits)?;
/// let matcher = Matcher::new(&dfa, &limits)?;
/// assert!(matcher.is_match("né@x") && !matcher.is_match("n@"));
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matcher<'a> {
    dfa: &'a Dfa,
    /// The class of each ASCII character, or the last, dead column.
    ascii: Box<[u8; 256]>,
    /// The row of the state that a row leads to by a class.
    next: Vec<u32>,
    /// Whether each state accepts, by the index of its row over `stride`.
    accepting: Vec<bool>,
    stride: usize,
    start: u32,
}

impl<'a> Matcher<'a> {
    /// Lays out the table of an automaton over characters.
    ///
    /// # Errors
    ///
    /// Where it has more than [`AutomatonLimits::cells`] entries, or more than 255 classes; then ask the
    /// automaton itself.
    pub fn new(dfa: &'a Dfa, limits: &AutomatonLimits) -> Result<Self, RegularError> {
        let stride = dfa.class_count() + 1;
        limits.check_matcher(dfa.state_count().saturating_mul(stride), stride)?;
        let column =
            |symbol: u32| dfa.class(symbol).map_or(stride - 1, |class| class.index()) as u8;
        let mut ascii = Box::new([stride as u8 - 1; 256]);
        let known = if dfa.alphabet() == Alphabet::Bytes { 256 } else { 128 };
        for byte in 0..known {
            ascii[byte] = column(byte as u32);
        }
        let mut next = vec![0; dfa.state_count() * stride];
        for state in dfa.states() {
            for transition in dfa.transitions(state) {
                next[state.index() * stride + transition.class.index()] =
                    (transition.target.index() * stride) as u32;
            }
        }
        let accepting = dfa.states().map(|state| dfa.is_accepting(state)).collect();
        let start = (dfa.start().index() * stride) as u32;
        Ok(Self { dfa, ascii, next, accepting, stride, start })
    }

    /// Whether a text is in the language; with [`Alphabet::Roles`], every character in its
    /// usual role.
    pub fn is_match(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        if self.dfa.alphabet() == Alphabet::Bytes {
            return self.accepts(self.run(self.start, bytes));
        }
        let mut row = self.start;
        let mut rest = text;
        loop {
            let ascii = ascii_prefix(rest.as_bytes());
            row = self.run(row, &rest.as_bytes()[..ascii]);
            rest = &rest[ascii..];
            let Some(character) = rest.chars().next() else { return self.accepts(row) };
            let class = self.dfa.class(character.into());
            let column = class.map_or(self.stride - 1, |class| class.index());
            row = self.next[row as usize + column];
            if row == 0 {
                return false;
            }
            rest = &rest[character.len_utf8()..];
        }
    }

    fn run(&self, mut row: u32, bytes: &[u8]) -> u32 {
        // Once dead, always dead: it need not be looked at after every byte.
        for chunk in bytes.chunks(64) {
            for &byte in chunk {
                row = self.next[row as usize + self.ascii[byte as usize] as usize];
            }
            if row == 0 {
                return 0;
            }
        }
        row
    }

    fn accepts(&self, row: u32) -> bool {
        self.accepting[row as usize / self.stride]
    }
}

/// How many bytes are ASCII before the first that is not.
fn ascii_prefix(bytes: &[u8]) -> usize {
    let mut length = 0;
    for chunk in bytes.chunks(32) {
        if !chunk.is_ascii() {
            return length + chunk.iter().take_while(|byte| byte.is_ascii()).count();
        }
        length += chunk.len();
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_the_automaton_says() {
        let limits = AutomatonLimits::default();
        for pattern in ["(?:é|a)*b", r"\w+", "", "[^:]*:.{3}", r"(?s).*\u{10FFFF}", "[a&&b]"] {
            let dfa = Dfa::from_regex(pattern, Alphabet::Unicode, &limits).expect(pattern);
            let matcher = Matcher::new(&dfa, &limits).expect("small");
            let long = "é".repeat(40) + &"a".repeat(70) + "b";
            for text in ["", "b", "éab", "ab\u{10FFFF}", "a:bcé", "::::", "word", &long] {
                assert_eq!(
                    matcher.is_match(text),
                    dfa.contains_bytes(text.as_bytes()),
                    "{pattern} {text}"
                );
            }
        }
        let bytes = Dfa::from_regex("(?:\\xC3\\xA9)+", Alphabet::Bytes, &limits).expect("small");
        let matcher = Matcher::new(&bytes, &limits).expect("small");
        assert!(matcher.is_match("éé") && !matcher.is_match("e"));
    }
}
