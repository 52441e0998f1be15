//! Sets of strings: what a specification allows, what an implementation accepts.

use std::collections::BTreeSet;

use super::enumerate::Strings;
use super::{DifferentialError, print};
use pleach_core::grammar::Grammar;
use pleach_core::internal::{RuleFailure, RuleLanguage};
use pleach_core::regular::{
    Alphabet, AutomatonLimits, Dfa, Nfa, RegularError, StateId, StringCount, UniformSampler,
};

/// The symbols of a class that is taken for some characters picked out, at most.
const PICKED: u64 = 8;

/// A regular set of strings, with what is known about where it comes from.
///
/// Combinations are minimal automata. Their special characters and imprecisions are those of both
/// parts.
///
/// # Examples
///
/// ```
/// use pleach::differential::Language;
/// use pleach::regular::AutomatonLimits;
///
/// let limits = AutomatonLimits::default();
/// let key = Language::regex("[a-z]+", &limits)?;
/// let entry = key.concat(&Language::literal("=", &limits)?, &limits)?.concat(&key, &limits)?;
/// assert!(entry.accepts("a=b") && !entry.accepts("a="));
/// assert_eq!(entry.count(3, &limits)?.exact(), Some(26 * 26));
/// # Ok::<(), pleach::differential::DifferentialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Language {
    dfa: Dfa,
    specials: BTreeSet<char>,
    imprecisions: Vec<String>,
}

impl Language {
    /// The strings that a regex matches as a whole.
    ///
    /// [`Nfa::regex`] says what the syntax is; groups whose name begins with `data` are
    /// characters in their other role. The special characters are those that the pattern picks
    /// out.
    ///
    /// # Errors
    ///
    /// As [`Nfa::regex`], and where a bound of `limits` is passed.
    pub fn regex(pattern: &str, limits: &AutomatonLimits) -> Result<Self, DifferentialError> {
        Ok(Self::of(Dfa::from_regex(pattern, Alphabet::Roles, limits)?))
    }

    /// One string.
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    pub fn literal(text: &str, limits: &AutomatonLimits) -> Result<Self, DifferentialError> {
        Ok(Self::of(Dfa::literal(text.as_bytes(), false, Alphabet::Unicode, limits)?))
    }

    /// What a rule of a grammar derives.
    ///
    /// A rule that stands in its own middle is not regular. With a depth, it may stand inside
    /// itself so often and derives nothing below: the language is then a part of the rule's, and
    /// not exact. Where the grammar has layout and the rule is not lexical, layout may stand
    /// before, between and after tokens.
    ///
    /// # Errors
    ///
    /// Where there is no such rule; the grammar cannot be used; the rule is not regular and no
    /// depth is given, in which case the message names the rules of the cycle; or a bound of
    /// `limits` is passed.
    pub fn rule(
        grammar: &Grammar,
        rule: &str,
        depth: Option<usize>,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        let found =
            RuleLanguage::of(grammar, rule, depth, limits).map_err(|failure| match failure {
                RuleFailure::Missing => DifferentialError::no_rule(rule),
                RuleFailure::Grammar(error) => DifferentialError::grammar(error),
                RuleFailure::NotRegular(error) => DifferentialError::not_regular(error),
                RuleFailure::TooLarge(error) => DifferentialError::rule_too_large(error),
            })?;
        let mut language = Self::of(found.automaton);
        if found.cut {
            language = language.inexact(format!(
                "rule `{rule}` is not regular: what stands inside itself more than {} times is \
                 left out",
                depth.unwrap_or_default()
            ));
        }
        if found.layout {
            language = language.inexact(format!(
                "layout between the tokens of rule `{rule}` is optional everywhere, even where \
                 two words or numbers meet"
            ));
        }
        Ok(language)
    }

    /// The strings that an automaton accepts.
    ///
    /// Where it is over bytes and accepts ASCII alone, its language is one of characters.
    pub fn of(dfa: Dfa) -> Self {
        let of_bytes = dfa.alphabet() == Alphabet::Bytes;
        let characters = of_bytes.then(|| ascii_over(&dfa, Alphabet::Unicode)).flatten();
        let dfa = characters.unwrap_or_else(|| dfa.minimize());
        Self { specials: picked(&dfa), dfa, imprecisions: Vec::new() }
    }

    /// No string.
    pub fn nothing() -> Self {
        Self::of(Dfa::empty(Alphabet::Unicode))
    }

    /// Every string.
    pub fn everything() -> Self {
        Self::of(Dfa::universal(Alphabet::Unicode))
    }

    /// The same with special characters in place of those that the automaton picks out: those
    /// that stand in an implementation's code, say.
    #[must_use]
    pub fn with_specials(mut self, specials: impl IntoIterator<Item = char>) -> Self {
        self.specials = specials.into_iter().collect();
        self
    }

    /// The same, marked as only nearly what it stands for, and why.
    #[must_use]
    pub fn inexact(mut self, why: impl Into<String>) -> Self {
        self.imprecisions.push(why.into());
        self
    }

    /// The minimal automaton.
    pub fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// The states of the minimal automaton from which some string is accepted.
    pub fn states(&self) -> usize {
        live(&self.dfa)
    }

    /// Whether it is exactly what it stands for.
    pub fn is_exact(&self) -> bool {
        self.imprecisions.is_empty()
    }

    /// Why it is not exact.
    pub fn imprecisions(&self) -> &[String] {
        &self.imprecisions
    }

    /// Characters that mean something to it.
    pub fn specials(&self) -> &BTreeSet<char> {
        &self.specials
    }

    /// Whether a string of symbols is in it.
    pub fn contains(&self, symbols: &[u32]) -> bool {
        self.dfa.contains(symbols.iter().copied())
    }

    /// Whether a text is in it, with each character in one role or the other.
    pub fn accepts(&self, text: &str) -> bool {
        if self.dfa.alphabet() != Alphabet::Roles {
            return self.dfa.contains_bytes(text.as_bytes());
        }
        // Every state that some reading leads to.
        let (mut states, mut next) = (vec![self.dfa.start()], Vec::new());
        for character in text.chars() {
            for symbol in [character.into(), Alphabet::role(character)] {
                next.extend(states.iter().map(|&state| self.dfa.step(state, symbol)));
            }
            next.retain(|&state: &StateId| !self.dfa.is_dead(state));
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut states, &mut next);
            next.clear();
        }
        states.iter().any(|&state| self.dfa.is_accepting(state))
    }

    /// A string of symbols in it that prints as a text, and none where there is none: the
    /// text with as few characters in their other role as possible.
    pub fn reading(&self, text: &str) -> Option<Vec<u32>> {
        reading(&self.dfa, text)
    }

    /// Its texts: the minimal automaton of what it has when characters in their other role are characters like
    /// any other. Of a language of bytes these are the strings that are UTF-8.
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    pub fn texts(&self, limits: &AutomatonLimits) -> Result<Dfa, DifferentialError> {
        if self.dfa.alphabet() != Alphabet::Roles {
            return Ok(self.dfa.decoded(limits)?);
        }
        let boundary = Alphabet::role('\0');
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let states: Vec<_> = self.dfa.states().map(|_| nfa.state()).collect();
        let accept = nfa.state();
        for state in self.dfa.states() {
            let from = states[state.index()];
            for transition in self.dfa.transitions(state) {
                let ranges = self.dfa.class_ranges(transition.class).iter();
                // A range may reach from the one role into the other.
                let texts = ranges.flat_map(|&(low, high)| {
                    let plain = (low, high.min(boundary - 1));
                    let other = (low.max(boundary) - boundary, high.saturating_sub(boundary));
                    let has_other = high >= boundary;
                    [(low < boundary).then_some(plain), has_other.then_some(other)]
                });
                let texts: Vec<_> = texts.flatten().collect();
                nfa.edge(from, &texts, states[transition.target.index()]);
            }
            if self.dfa.is_accepting(state) {
                nfa.epsilon(from, accept);
            }
            nfa.check(limits)?;
        }
        let start = states[self.dfa.start().index()];
        Ok(nfa.determinize(start, accept, limits)?.minimize())
    }

    /// The strings of one followed by a string of the other.
    ///
    /// # Errors
    ///
    /// As all combinations: where a bound of `limits` is passed, or one language is of bytes and
    /// the other of characters.
    pub fn concat(
        &self,
        other: &Self,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        let alphabet = match (self.dfa.alphabet(), other.dfa.alphabet()) {
            (a, b) if a == b => a,
            // Bytes are refused by what is added.
            _ => Alphabet::Roles,
        };
        let mut nfa = Nfa::new(alphabet);
        let (start, middle, accept) = (nfa.state(), nfa.state(), nfa.state());
        nfa.dfa(start, &self.dfa, middle, limits)?;
        nfa.dfa(middle, &other.dfa, accept, limits)?;
        self.combined(other, nfa.determinize(start, accept, limits))
    }

    /// Any number of its strings in a row.
    ///
    /// # Errors
    ///
    /// As [`Language::concat`].
    pub fn star(&self, limits: &AutomatonLimits) -> Result<Self, DifferentialError> {
        let mut nfa = Nfa::new(self.dfa.alphabet());
        let state = nfa.state();
        nfa.dfa(state, &self.dfa, state, limits)?;
        self.combined(self, nfa.determinize(state, state, limits))
    }

    /// The strings of either.
    ///
    /// # Errors
    ///
    /// As [`Language::concat`].
    pub fn union(&self, other: &Self, limits: &AutomatonLimits) -> Result<Self, DifferentialError> {
        self.combined(other, self.dfa.union(&other.dfa, limits))
    }

    /// The strings of both.
    ///
    /// # Errors
    ///
    /// As [`Language::concat`].
    pub fn intersection(
        &self,
        other: &Self,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        self.combined(other, self.dfa.intersection(&other.dfa, limits))
    }

    /// The strings of this one that are not of the other.
    ///
    /// # Errors
    ///
    /// As [`Language::concat`].
    pub fn difference(
        &self,
        other: &Self,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        self.combined(other, self.dfa.difference(&other.dfa, limits))
    }

    /// The strings of exactly one of the two.
    ///
    /// # Errors
    ///
    /// As [`Language::concat`].
    pub fn symmetric_difference(
        &self,
        other: &Self,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        self.combined(other, self.dfa.symmetric_difference(&other.dfa, limits))
    }

    /// All strings over its alphabet that are not in it.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { dfa: self.dfa.complement().minimize(), ..self.clone() }
    }

    fn combined(
        &self,
        other: &Self,
        dfa: Result<Dfa, RegularError>,
    ) -> Result<Self, DifferentialError> {
        let mut imprecisions = self.imprecisions.clone();
        imprecisions.extend(other.imprecisions.iter().cloned());
        imprecisions.dedup();
        let specials = self.specials.union(&other.specials).copied().collect();
        Ok(Self { dfa: dfa?.minimize(), specials, imprecisions })
    }

    /// How many strings of so many symbols there are.
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    pub fn count(
        &self,
        length: usize,
        limits: &AutomatonLimits,
    ) -> Result<StringCount, DifferentialError> {
        Ok(UniformSampler::new(&self.dfa, length, limits)?.count(length))
    }

    /// All strings, shortest first and no string twice; those of one length in an order that the
    /// seed decides.
    pub fn strings(&self, seed: u64, limits: &AutomatonLimits) -> Strings<'_> {
        Strings::new(&self.dfa, seed, limits)
    }

    /// A regex for people, of at most so many characters.
    ///
    /// # Errors
    ///
    /// Where it would be longer.
    pub fn to_regex(&self, longest: usize) -> Result<String, DifferentialError> {
        print::to_regex(&self.dfa, longest)
    }
}

/// The minimal automaton over another alphabet of one that accepts ASCII alone.
pub(super) fn ascii_over(dfa: &Dfa, alphabet: Alphabet) -> Option<Dfa> {
    let mut nfa = Nfa::new(alphabet);
    let states: Vec<_> = dfa.states().map(|_| nfa.state()).collect();
    let accept = nfa.state();
    for state in dfa.states() {
        for transition in dfa.transitions(state) {
            let ranges = dfa.class_ranges(transition.class);
            if ranges.iter().any(|range| range.1 >= 0x80) {
                return None;
            }
            nfa.edge(states[state.index()], ranges, states[transition.target.index()]);
        }
        if dfa.is_accepting(state) {
            nfa.epsilon(states[state.index()], accept);
        }
    }
    // It is as large as before, so where that is too large it stays as it is.
    let limits = AutomatonLimits::default();
    let start = states[dfa.start().index()];
    Some(nfa.determinize(start, accept, &limits).ok()?.minimize())
}

/// The live states of an automaton.
pub(super) fn live(dfa: &Dfa) -> usize {
    dfa.states().filter(|&state| !dfa.is_dead(state)).count()
}

/// A string of symbols that an automaton accepts and that prints as a text, with as few
/// characters in their other role as possible: a shortest path through the states that readings
/// lead to.
pub(super) fn reading(dfa: &Dfa, text: &str) -> Option<Vec<u32>> {
    let characters: Vec<char> = text.chars().collect();
    // Per position: the states, each with its cost and where it came from.
    type Reached = std::collections::BTreeMap<StateId, (u32, StateId, u32)>;
    let mut layers: Vec<Reached> = vec![Reached::from([(dfa.start(), (0, dfa.start(), 0))])];
    for &character in &characters {
        let mut next = Reached::new();
        for (&state, &(cost, _, _)) in layers.last()? {
            for (symbol, more) in [(u32::from(character), 0), (Alphabet::role(character), 1)] {
                let target = dfa.step(state, symbol);
                if dfa.is_dead(target) {
                    continue;
                }
                let known = next.entry(target).or_insert((u32::MAX, state, symbol));
                if cost + more < known.0 {
                    *known = (cost + more, state, symbol);
                }
            }
        }
        layers.push(next);
    }
    let ends = layers.last()?.iter().filter(|(state, _)| dfa.is_accepting(**state));
    let mut state = *ends.min_by_key(|(_, reached)| reached.0)?.0;
    let mut symbols = Vec::with_capacity(characters.len());
    for layer in layers[1..].iter().rev() {
        let &(_, before, symbol) = layer.get(&state)?;
        symbols.push(symbol);
        state = before;
    }
    symbols.reverse();
    Some(symbols)
}

/// The characters that an automaton tells from others one by one or in small groups.
pub(super) fn picked(dfa: &Dfa) -> BTreeSet<char> {
    let boundary = Alphabet::role('\0');
    let mut picked = BTreeSet::new();
    for class in dfa.classes() {
        let ranges = dfa.class_ranges(class).iter();
        // What is in neither role anything to the automaton is one class, so each role is looked
        // at by itself.
        let plain = ranges.clone().map(|&(low, high)| (low, high.min(boundary - 1)));
        let roles = ranges.map(|&(low, high)| (low.max(boundary), high));
        for part in [plain.collect::<Vec<_>>(), roles.collect()] {
            let part: Vec<_> = part.into_iter().filter(|range| range.0 <= range.1).collect();
            let size: u64 = part.iter().map(|range| u64::from(range.1 - range.0) + 1).sum();
            if size <= PICKED {
                let symbols = part.into_iter().flat_map(|(low, high)| low..=high);
                picked.extend(symbols.filter_map(Alphabet::character));
            }
        }
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex(pattern: &str) -> Language {
        Language::regex(pattern, &AutomatonLimits::default()).expect(pattern)
    }

    #[test]
    fn combinations_keep_roles_and_characters_apart() {
        let limits = AutomatonLimits::default();
        let roles = regex("(?<data>:)a*");
        let plain = Language::literal(":", &limits).expect("small");
        let both = roles.union(&plain, &limits).expect("small");
        assert!(both.contains(&[0x3A]) && both.contains(&[Alphabet::role(':'), 0x61]));
        assert!(!both.contains(&[0x3A, 0x61]));
        assert!(both.accepts(":a"));
        assert!(roles.intersection(&plain, &limits).expect("small").dfa().is_empty());
        let twice = roles.concat(&plain, &limits).expect("small");
        assert!(twice.contains(&[Alphabet::role(':'), 0x61, 0x3A]) && !twice.contains(&[0x3A; 2]));
        assert_eq!(twice.reading(":a:"), Some(vec![Alphabet::role(':'), 0x61, 0x3A]));
        assert_eq!(both.reading(":"), Some(vec![0x3A]));
        assert_eq!(both.reading("::"), None);
        let star = twice.star(&limits).expect("small");
        assert!(star.accepts("") && star.accepts(":a:::") && !star.accepts(":a"));
        let bytes = Language::of(Dfa::universal(Alphabet::Bytes));
        assert!(bytes.union(&plain, &limits).is_err() && bytes.concat(&plain, &limits).is_err());
    }

    #[test]
    fn picked_characters_are_special() {
        let specials: String = regex(r"[^:/]*:[a-z]+(?<data>[@,])").specials().iter().collect();
        assert_eq!(specials, ",/:@");
        assert!(regex(r"\w+").specials().is_empty());
    }
}
