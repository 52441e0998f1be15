//! Questions about a language.

#[cfg(feature = "front")]
use super::ClassId;
#[cfg(feature = "front")]
use super::alphabet::lowest_common;
use super::{Alphabet, Dfa, StateId};

/// Which symbols make a shortest string readable, best first; those in no range come last.
#[cfg(feature = "front")]
const READABLE: &[(u32, u32)] = &[
    (0x61, 0x7A),
    (0x41, 0x5A),
    (0x30, 0x39),
    (0x20, 0x7E),
    (0xA1, 0xD7FF),
    (0xE000, u32::MAX),
    (0x09, 0x0A),
    (0x0D, 0x0D),
    (0x00, u32::MAX),
];

/// What the lengths of a language's strings come to.
enum Lengths {
    None,
    Bounded(usize),
    Unbounded,
}

impl Dfa {
    /// Whether no string is accepted.
    pub fn is_empty(&self) -> bool {
        self.is_dead(self.start())
    }

    /// Whether every string over the universe is accepted.
    #[cfg(feature = "front")]
    pub fn is_universal(&self) -> bool {
        let mut seen = vec![false; self.state_count()];
        seen[self.start().index()] = true;
        let mut stack = vec![self.start()];
        while let Some(state) = stack.pop() {
            if !self.is_accepting(state) {
                return false;
            }
            for &target in &self.row(state)[..self.class_count()] {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    stack.push(StateId::new(target));
                }
            }
        }
        true
    }

    /// Whether a string of symbols is accepted.
    pub fn contains(&self, symbols: impl IntoIterator<Item = u32>) -> bool {
        let mut state = self.start();
        for symbol in symbols {
            state = self.step(state, symbol);
        }
        self.is_accepting(state)
    }

    /// Whether a string of bytes is accepted.
    ///
    /// With [`Alphabet::Unicode`] the bytes are read as UTF-8, and what is not UTF-8 is not
    /// accepted; with [`Alphabet::Roles`] as well, and no character is in its other role.
    pub fn contains_bytes(&self, bytes: &[u8]) -> bool {
        match self.alphabet() {
            Alphabet::Bytes => self.contains(bytes.iter().map(|&byte| byte.into())),
            Alphabet::Unicode | Alphabet::Roles => std::str::from_utf8(bytes)
                .is_ok_and(|text| self.contains(text.chars().map(u32::from))),
        }
    }

    /// A shortest string that is accepted, and none where no string is.
    ///
    /// Of several, it is one with readable symbols: letters before digits, other printable ASCII,
    /// other characters and, last, control characters.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
    ///
    /// let dfa = Dfa::from_regex(r"\s+\w*!", Alphabet::Unicode, &AutomatonLimits::default())?;
    /// assert_eq!(dfa.shortest(), Some(vec![0x20, 0x21]));
    /// # Ok::<(), pleach::regular::RegularError>(())
    /// ```
    #[cfg(feature = "front")]
    pub fn shortest(&self) -> Option<Vec<u32>> {
        let best: Vec<(usize, u32)> = (0..self.class_count())
            .map(|class| self.readable(ClassId::new(class as u32)))
            .collect();
        let mut state = self.start();
        let mut symbols = Vec::new();
        let mut left = self.distance(state)?;
        while left > 0 {
            left -= 1;
            let nearer = self
                .transitions(state)
                .iter()
                .filter(|transition| self.distance(transition.target) == Some(left))
                .min_by_key(|transition| best[transition.class.index()])?;
            symbols.push(best[nearer.class.index()].1);
            state = nearer.target;
        }
        Some(symbols)
    }

    /// The most readable symbol of a class, after how far down it stands in the preferences.
    #[cfg(feature = "front")]
    fn readable(&self, class: ClassId) -> (usize, u32) {
        let ranges = self.class_ranges(class);
        let find = |(rank, range)| {
            lowest_common(ranges, std::slice::from_ref(range)).map(|symbol| (rank, symbol))
        };
        // The last preference is every symbol, and a class has at least one.
        READABLE.iter().enumerate().find_map(find).unwrap_or((READABLE.len(), ranges[0].0))
    }

    /// Whether infinitely many strings are accepted.
    pub fn is_infinite(&self) -> bool {
        matches!(self.lengths(), Lengths::Unbounded)
    }

    /// The number of symbols in the longest string that is accepted; none where there is no
    /// longest one, or no string at all.
    pub fn max_len(&self) -> Option<usize> {
        match self.lengths() {
            Lengths::Bounded(length) => Some(length),
            Lengths::None | Lengths::Unbounded => None,
        }
    }

    /// The live states that the start reaches, and the place of each state among them.
    pub(super) fn reachable(&self) -> (Vec<StateId>, Vec<u32>) {
        let mut place = vec![u32::MAX; self.state_count()];
        let mut states = Vec::new();
        if !self.is_dead(self.start()) {
            place[self.start().index()] = 0;
            states.push(self.start());
        }
        let mut head = 0;
        while let Some(&state) = states.get(head) {
            head += 1;
            for transition in self.transitions(state) {
                if place[transition.target.index()] == u32::MAX {
                    place[transition.target.index()] = states.len() as u32;
                    states.push(transition.target);
                }
            }
        }
        (states, place)
    }

    /// Sorts live states topologically; if some remain, they stand on or behind a loop.
    #[pleach_unhooked::unhooked]
    fn lengths(&self) -> Lengths {
        let (states, _) = self.reachable();
        let mut pending = vec![0_u32; self.state_count()];
        for &state in &states {
            for transition in self.transitions(state) {
                pending[transition.target.index()] += 1;
            }
        }
        // Only the start can be without a move into it.
        let mut ready: Vec<StateId> =
            states.iter().copied().filter(|state| pending[state.index()] == 0).collect();
        let mut depth = vec![0_usize; self.state_count()];
        let mut longest = 0;
        let mut done = 0;
        while let Some(state) = ready.pop() {
            done += 1;
            if self.is_accepting(state) {
                longest = longest.max(depth[state.index()]);
            }
            for transition in self.transitions(state) {
                let target = transition.target.index();
                depth[target] = depth[target].max(depth[state.index()] + 1);
                pending[target] -= 1;
                if pending[target] == 0 {
                    ready.push(transition.target);
                }
            }
        }
        if states.is_empty() {
            Lengths::None
        } else if done < states.len() {
            Lengths::Unbounded
        } else {
            Lengths::Bounded(longest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::AutomatonLimits;

    fn dfa(pattern: &str) -> Dfa {
        Dfa::from_regex(pattern, Alphabet::Unicode, &AutomatonLimits::default()).expect(pattern)
    }

    #[test]
    fn lengths_are_known() {
        for (pattern, max) in [
            ("", Some(0)),
            ("[a&&b]", None),
            ("a{2,7}|bc", Some(7)),
            ("ab*", None),
            ("(?:a[b&&c])*d", Some(1)),
        ] {
            assert_eq!(dfa(pattern).max_len(), max, "{pattern}");
        }
        assert!(dfa("ab*").is_infinite());
        assert!(!dfa("[a&&b]").is_infinite());
        assert!(!dfa("a{2,7}").is_infinite());
    }

    #[test]
    fn the_shortest_string_is_a_readable_one() {
        for (pattern, shortest) in [
            (r"\s\w", Some(" a")),
            (r"(?s).{3}", Some("aaa")),
            (r"[\x00-\x1F]|\t\t", Some("\t")),
            (r"[\x00-\x60é]", Some("A")),
            (r"[\x00-\x1Fé]", Some("é")),
            (r"[\x00\x01]", Some("\0")),
            ("a*", Some("")),
            ("[a&&b]", None),
        ] {
            let expected = shortest.map(|text| text.chars().map(u32::from).collect());
            assert_eq!(dfa(pattern).shortest(), expected, "{pattern}");
        }
    }

    #[test]
    fn bytes_are_decoded_where_symbols_are_scalars() {
        let all = dfa("(?s).*");
        assert!(all.is_universal() && all.contains_bytes("é".as_bytes()));
        assert!(!all.contains_bytes(b"\xE9"));
        assert!(!all.contains([0xD800]));
        assert!(!dfa(".*").is_universal());
        let bytes =
            Dfa::from_regex(r"\xE9", Alphabet::Bytes, &AutomatonLimits::default()).expect("small");
        assert!(bytes.contains_bytes(b"\xE9"));
    }
}
