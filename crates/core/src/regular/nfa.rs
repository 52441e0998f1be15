//! Nondeterministic automata, put together state by state.
//!
//! Thompson's construction, top down: whatever is added between two states adds paths from the
//! first to the second, and never a move into the first or out of the second, so that parts can
//! share their end states and an alternative costs no epsilon move (unless both are the same
//! state, which makes a loop of the part). The sets on edges are kept once each.

use fxhash::FxHashMap;

use super::alphabet::normalize;
use super::{Alphabet, AutomatonLimits, Dfa, NfaState, RegularError};

/// A nondeterministic automaton under construction.
///
/// # Examples
///
/// ```
/// use pleach::regular::{Alphabet, AutomatonLimits, Nfa};
///
/// let limits = AutomatonLimits::default();
/// let mut nfa = Nfa::new(Alphabet::Bytes);
/// let (start, middle, accept) = (nfa.state(), nfa.state(), nfa.state());
/// nfa.edge(start, &[(0x61, 0x63)], middle);
/// nfa.regex(middle, "[0-9]+", accept, &limits)?;
/// let dfa = nfa.determinize(start, accept, &limits)?;
/// assert!(dfa.contains_bytes(b"b12"));
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nfa {
    alphabet: Alphabet,
    /// All symbols that there are; what edges have beyond them matches nothing.
    pub(super) universe: Vec<(u32, u32)>,
    /// The number of states.
    pub(super) states: u32,
    /// Moves that consume nothing: from, to.
    pub(super) epsilons: Vec<(u32, u32)>,
    /// Moves that consume a symbol of a set: from, index into `sets`, to.
    pub(super) edges: Vec<(u32, u32, u32)>,
    /// Distinct sets of symbols: normalised ranges.
    pub(super) sets: Vec<Box<[(u32, u32)]>>,
    set_ids: FxHashMap<Box<[(u32, u32)]>, u32>,
}

impl Nfa {
    /// An automaton without states.
    pub fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            universe: alphabet.universe().to_vec(),
            states: 0,
            epsilons: Vec::new(),
            edges: Vec::new(),
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
        }
    }

    /// What its symbols are.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// States, edges and epsilon moves together: what [`AutomatonLimits::nfa`] bounds.
    pub fn size(&self) -> usize {
        self.states as usize + self.epsilons.len() + self.edges.len()
    }

    /// Whether the automaton is within its bound, for whoever adds parts in a loop.
    ///
    /// # Errors
    ///
    /// Where [`Nfa::size`] is above [`AutomatonLimits::nfa`].
    pub fn check(&self, limits: &AutomatonLimits) -> Result<(), RegularError> {
        self.check_room(0, limits)
    }

    /// Whether so much more would still be within the bound.
    pub(crate) fn check_room(
        &self,
        more: usize,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        if self.size().saturating_add(more) > limits.get_nfa() {
            return Err(RegularError::too_large(
                "states and moves before it is made deterministic",
                limits.get_nfa() as u64,
            ));
        }
        Ok(())
    }

    /// Adds a state.
    pub fn state(&mut self) -> NfaState {
        let state = NfaState::new(self.states);
        // Saturation is far beyond any bound, which determinisation checks.
        self.states = self.states.saturating_add(1);
        state
    }

    /// Adds a move that consumes nothing.
    pub fn epsilon(&mut self, from: NfaState, to: NfaState) {
        if from != to {
            self.epsilons.push((from.get(), to.get()));
        }
    }

    /// Adds a move that consumes one symbol of the inclusive ranges, in any order.
    ///
    /// Symbols outside the alphabet match nothing, and without any range nothing is added.
    pub fn edge(&mut self, from: NfaState, ranges: &[(u32, u32)], to: NfaState) {
        if let Some(set) = self.set_of(ranges) {
            self.edges.push((from.get(), set, to.get()));
        }
    }

    /// The index of a set of ranges in any order, and none for the empty one.
    fn set_of(&mut self, ranges: &[(u32, u32)]) -> Option<u32> {
        if ranges.is_sorted_by(|a, b| a.1 < b.0 && b.0 - a.1 > 1)
            && ranges.iter().all(|&(low, high)| low <= high)
        {
            self.set(ranges)
        } else {
            let mut sorted = ranges.to_vec();
            normalize(&mut sorted);
            self.set(&sorted)
        }
    }

    /// The index of a set, and none for the empty one.
    fn set(&mut self, ranges: &[(u32, u32)]) -> Option<u32> {
        if ranges.is_empty() {
            return None;
        }
        if let Some(&set) = self.set_ids.get(ranges) {
            return Some(set);
        }
        let set = self.sets.len() as u32;
        self.sets.push(ranges.into());
        self.set_ids.insert(ranges.into(), set);
        Some(set)
    }

    /// Adds paths that spell a sequence of sets, one symbol each.
    ///
    /// # Errors
    ///
    /// Where [`AutomatonLimits::nfa`] would be passed.
    pub fn sequence<'a>(
        &mut self,
        from: NfaState,
        sets: impl IntoIterator<Item = &'a [(u32, u32)]>,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        let mut at = from;
        let mut sets = sets.into_iter().peekable();
        if sets.peek().is_none() {
            self.epsilon(from, to);
        }
        while let Some(set) = sets.next() {
            let next = if sets.peek().is_some() { self.state() } else { to };
            self.edge(at, set, next);
            at = next;
            self.check(limits)?;
        }
        Ok(())
    }

    /// Adds a path that spells a literal.
    ///
    /// In the Unicode alphabets the bytes are UTF-8. `ignore_case` lets ASCII letters match in
    /// either case.
    ///
    /// # Errors
    ///
    /// Where the bytes are not UTF-8 in a Unicode alphabet, or [`AutomatonLimits::nfa`] would be passed.
    pub fn literal(
        &mut self,
        from: NfaState,
        bytes: &[u8],
        ignore_case: bool,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        let symbols: Vec<u32> = match self.alphabet {
            Alphabet::Bytes => bytes.iter().map(|&byte| u32::from(byte)).collect(),
            Alphabet::Unicode | Alphabet::Roles => {
                let text = std::str::from_utf8(bytes).map_err(|_| {
                    RegularError::unsupported(
                        "the literal is not UTF-8: use the bytes alphabet, or write scalar values",
                        None,
                    )
                })?;
                text.chars().map(u32::from).collect()
            }
        };
        let cases: Vec<[(u32, u32); 2]> = symbols
            .into_iter()
            .map(|symbol| match u8::try_from(symbol) {
                Ok(byte) if ignore_case => {
                    let (upper, lower) = (byte.to_ascii_uppercase(), byte.to_ascii_lowercase());
                    [u32::from(upper), u32::from(lower)].map(|symbol| (symbol, symbol))
                }
                _ => [(symbol, symbol); 2],
            })
            .collect();
        self.sequence(from, cases.iter().map(|pair| &pair[..]), to, limits)
    }

    /// Adds paths for the strings of another automaton.
    ///
    /// # Errors
    ///
    /// Where its alphabet is another, unless that is [`Alphabet::Unicode`] and this one
    /// [`Alphabet::Roles`], or [`AutomatonLimits::nfa`] would be passed.
    pub fn dfa(
        &mut self,
        from: NfaState,
        dfa: &Dfa,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        if self.alphabet.common(dfa.alphabet()) != Some(self.alphabet) {
            return Err(RegularError::alphabets());
        }
        self.check_room(dfa.state_count(), limits)?;
        let first = self.states;
        self.states = self.states.saturating_add(dfa.state_count() as u32);
        let place = |state: super::StateId| NfaState::new(first.saturating_add(state.get()));
        self.epsilon(from, place(dfa.start()));
        // A class of letters has hundreds of ranges, and moves from many states.
        let mut sets: Vec<Option<Option<u32>>> = vec![None; dfa.class_count()];
        for state in dfa.states() {
            for transition in dfa.transitions(state) {
                let known = sets[transition.class.index()];
                let set = known.unwrap_or_else(|| self.set_of(dfa.class_ranges(transition.class)));
                sets[transition.class.index()] = Some(set);
                if let Some(set) = set {
                    self.edges.push((place(state).get(), set, place(transition.target).get()));
                }
            }
            if dfa.is_accepting(state) {
                self.epsilon(place(state), to);
            }
            self.check(limits)?;
        }
        Ok(())
    }

    /// Adds the frame of a repetition, and gives the pairs of states between each of which the
    /// caller then adds one copy of what is repeated.
    ///
    /// `max` is none where there is no greatest count. Nothing is added where `max` is less than
    /// `min`.
    ///
    /// # Errors
    ///
    /// Where [`AutomatonLimits::nfa`] would be passed by the frame alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::regular::{Alphabet, AutomatonLimits, Nfa};
    ///
    /// let limits = AutomatonLimits::default();
    /// let mut nfa = Nfa::new(Alphabet::Bytes);
    /// let (start, accept) = (nfa.state(), nfa.state());
    /// for (from, to) in nfa.repeat(start, 2, Some(3), accept, &limits)? {
    ///     nfa.literal(from, b"ab", false, to, &limits)?;
    /// }
    /// let dfa = nfa.determinize(start, accept, &limits)?;
    /// assert!(dfa.contains_bytes(b"abab") && dfa.contains_bytes(b"ababab"));
    /// assert!(!dfa.contains_bytes(b"ab") && !dfa.contains_bytes(b"abababab"));
    /// # Ok::<(), pleach::regular::RegularError>(())
    /// ```
    pub fn repeat(
        &mut self,
        from: NfaState,
        min: u32,
        max: Option<u32>,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<Vec<(NfaState, NfaState)>, RegularError> {
        if max.is_some_and(|max| max < min) {
            return Ok(Vec::new());
        }
        let copies = max.unwrap_or(min.max(1)) as usize;
        self.check_room(copies.saturating_mul(2), limits)?;
        let mut pairs = Vec::with_capacity(copies);
        let mut at = from;
        match max {
            None => {
                // The last copy is the one that loops, and without a least count it may be
                // passed by.
                for _ in 1..copies {
                    let next = self.state();
                    pairs.push((at, next));
                    at = next;
                }
                let (entry, exit) = (self.state(), self.state());
                self.epsilon(at, entry);
                pairs.push((entry, exit));
                self.epsilon(exit, entry);
                self.epsilon(exit, to);
                if min == 0 {
                    self.epsilon(entry, to);
                }
            }
            Some(_) => {
                for copy in 0..copies {
                    if copy >= min as usize {
                        self.epsilon(at, to);
                    }
                    let next = if copy + 1 == copies { to } else { self.state() };
                    pairs.push((at, next));
                    at = next;
                }
                if copies == 0 {
                    self.epsilon(from, to);
                }
            }
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeated(min: u32, max: Option<u32>) -> Vec<usize> {
        let limits = AutomatonLimits::default();
        let mut nfa = Nfa::new(Alphabet::Bytes);
        let (start, accept) = (nfa.state(), nfa.state());
        for (from, to) in nfa.repeat(start, min, max, accept, &limits).expect("small") {
            nfa.edge(from, &[(97, 97)], to);
        }
        let dfa = nfa.determinize(start, accept, &limits).expect("small");
        (0..9).filter(|&n| dfa.contains_bytes(&b"aaaaaaaaa"[..n])).collect()
    }

    #[test]
    fn repetitions_have_their_counts() {
        assert_eq!(repeated(0, Some(0)), [0]);
        assert_eq!(repeated(0, Some(1)), [0, 1]);
        assert_eq!(repeated(2, Some(2)), [2]);
        assert_eq!(repeated(2, Some(5)), [2, 3, 4, 5]);
        assert_eq!(repeated(0, None), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(repeated(1, None), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(repeated(3, None), [3, 4, 5, 6, 7, 8]);
        assert_eq!(repeated(3, Some(2)), [0; 0]);
    }

    #[test]
    fn a_loop_between_one_state_and_itself_is_a_star() {
        let limits = AutomatonLimits::default();
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let state = nfa.state();
        nfa.regex(state, "ab|c{2}|(?:d*e)*", state, &limits).expect("small");
        let dfa = nfa.determinize(state, state, &limits).expect("small").minimize();
        let star = Dfa::from_regex("(?:ab|cc|d*e)*", Alphabet::Unicode, &limits).expect("small");
        assert_eq!(dfa, star);
    }

    #[test]
    fn an_embedded_automaton_keeps_to_its_own_states() {
        let limits = AutomatonLimits::default();
        let inner = Dfa::from_regex("(?:ab)*", Alphabet::Unicode, &limits).expect("small");
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let (start, accept) = (nfa.state(), nfa.state());
        nfa.dfa(start, &inner, accept, &limits).expect("small");
        nfa.literal(start, "é".as_bytes(), true, accept, &limits).expect("small");
        let dfa = nfa.determinize(start, accept, &limits).expect("small").minimize();
        let both = Dfa::from_regex("(?:ab)*|é", Alphabet::Unicode, &limits).expect("small");
        assert_eq!(dfa, both);
        let bytes = Dfa::universal(Alphabet::Bytes);
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let state = nfa.state();
        let error = nfa.dfa(state, &bytes, state, &limits).expect_err("another alphabet");
        assert!(error.is_alphabet_mismatch());
        let error = nfa.literal(state, b"\xFF", false, state, &limits).expect_err("not UTF-8");
        assert!(error.is_unsupported());
    }
}
