//! From bytes to characters: the texts whose UTF-8 an automaton over bytes accepts.

use super::{Alphabet, AutomatonLimits, Dfa, Nfa, RegularError, StateId};

/// The bytes that continue a character.
const CONTINUATION: (u32, u32) = (0x80, 0xBF);

/// The first bytes of a character, how many follow, and the bits that they carry.
const LEADS: [(u32, u32, u32, u32); 3] =
    [(0xC2, 0xDF, 1, 0x1F), (0xE0, 0xEF, 2, 0x0F), (0xF0, 0xF4, 3, 0x07)];

impl Dfa {
    /// The minimal automaton over Unicode of the texts whose UTF-8 this one over bytes accepts; any other
    /// automaton as it is. Strings of bytes that are no UTF-8 are not in it.
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::regular::{Alphabet, Dfa, AutomatonLimits};
    ///
    /// let limits = AutomatonLimits::default();
    /// let bytes = Dfa::from_regex(r"(?:[^\x00]|x)*", Alphabet::Bytes, &limits)?;
    /// let texts = Dfa::from_regex(r"(?s)[^\x00]*", Alphabet::Unicode, &limits)?;
    /// assert!(bytes.decoded(&limits)?.equivalent(&texts));
    /// # Ok::<(), pleach::regular::RegularError>(())
    /// ```
    pub fn decoded(&self, limits: &AutomatonLimits) -> Result<Self, RegularError> {
        if self.alphabet() != Alphabet::Bytes {
            return Ok(self.clone());
        }
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let states: Vec<_> = self.states().map(|_| nfa.state()).collect();
        let accept = nfa.state();
        // Per target: the characters that lead there.
        let mut moves: Vec<Vec<(u32, u32)>> = vec![Vec::new(); states.len()];
        let mut budget = limits.get_steps();
        for state in self.states().filter(|&state| !self.is_dead(state)) {
            self.characters(state, &mut moves, &mut budget, limits)?;
            for (target, ranges) in moves.iter_mut().enumerate() {
                nfa.edge(states[state.index()], ranges, states[target]);
                ranges.clear();
            }
            if self.is_accepting(state) {
                nfa.epsilon(states[state.index()], accept);
            }
            nfa.check(limits)?;
        }
        Ok(nfa.determinize(states[self.start().index()], accept, limits)?.minimize())
    }

    /// The characters whose bytes lead from a state to live ones.
    fn characters(
        &self,
        from: StateId,
        moves: &mut [Vec<(u32, u32)>],
        budget: &mut u64,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        for (low, high, target) in self.within(from, (0, 0x7F)) {
            moves[target.index()].push((low, high));
        }
        for (first, last, follow, bits) in LEADS {
            for (low, high, next) in self.within(from, (first, last)) {
                for lead in low..=high {
                    // Bytes that are there, the state after them, and how many are to come.
                    let mut open = vec![(lead & bits, next, follow)];
                    while let Some((scalar, state, left)) = open.pop() {
                        for (low, high, target) in self.within(state, CONTINUATION) {
                            limits.spend(budget, (high - low + 1) as usize)?;
                            let of = |byte: u32| scalar << 6 | (byte & 0x3F);
                            if left > 1 {
                                open.extend((low..=high).map(|byte| (of(byte), target, left - 1)));
                            } else {
                                moves[target.index()].extend(valid(of(low), of(high), follow));
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The moves from a state to live ones by bytes of a range, as ranges of them.
    fn within(
        &self,
        from: StateId,
        (first, last): (u32, u32),
    ) -> impl Iterator<Item = (u32, u32, StateId)> + '_ {
        self.transitions(from).iter().flat_map(move |transition| {
            let ranges = self.class_ranges(transition.class).iter();
            let common = ranges.map(move |range| (range.0.max(first), range.1.min(last)));
            let common = common.filter(|range| range.0 <= range.1);
            common.map(move |(low, high)| (low, high, transition.target))
        })
    }
}

/// What of a range of numbers is scalar values that need so many bytes after the first.
fn valid(low: u32, high: u32, follow: u32) -> impl Iterator<Item = (u32, u32)> {
    let least = [0x80, 0x800, 0x1_0000][follow as usize - 1];
    let low = low.max(least);
    let parts = [(low, high.min(0xD7FF)), (low.max(0xE000), high.min(0x10_FFFF))];
    parts.into_iter().filter(|range| range.0 <= range.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same patterns over both alphabets, where classes are of characters in both.
    #[test]
    fn decoding_is_what_the_pattern_says_of_characters() {
        let limits = AutomatonLimits::default();
        for pattern in [
            "a[b-d]*",
            "(?u)é+|[α-ωß]{2}",
            r"(?u)\p{Greek}*x?",
            r"(?u)[\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}]",
            r"(?su).{2}",
            "",
        ] {
            let bytes = Dfa::from_regex(pattern, Alphabet::Bytes, &limits).expect(pattern);
            let texts = Dfa::from_regex(pattern, Alphabet::Unicode, &limits).expect(pattern);
            assert_eq!(bytes.decoded(&limits).expect(pattern), texts, "{pattern}");
            assert_eq!(texts.decoded(&limits).expect(pattern), texts);
        }
        // Overlong forms, surrogates and what is beyond the last character are no text.
        let bad = r"(?-u)\xC0\x80|\xE0\x80\x80|\xED\xA0\x80|\xF4\x90\x80\x80|\x80|\xFF";
        let bad = Dfa::from_regex(bad, Alphabet::Bytes, &limits).expect("a pattern");
        assert!(bad.decoded(&limits).expect("small").is_empty());
        let few = limits.steps(10);
        let all = Dfa::universal(Alphabet::Bytes);
        assert!(all.decoded(&few).is_err_and(|error| error.is_size_limit_exceeded()));
    }
}
