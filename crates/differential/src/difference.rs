//! The strings that exactly one of two languages has.

use std::borrow::Cow;

use fxhash::FxHashMap;

use super::language::{ascii_over, live, picked};
use super::strategy::{Strategy, TestString, edge_cover, paper_dfs, undirected};
use super::{DifferentialError, Language, Specials, printed};
use pleach_core::Entropy;
use pleach_core::regular::{Alphabet, AutomatonLimits, Dfa, RegularError, StateId};

/// Which of the two languages that are compared: the specification's or the implementation's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The specification.
    Specification,
    /// The implementation.
    Implementation,
}

impl std::fmt::Display for Side {
    /// `spec` or `impl`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Specification => "spec",
            Self::Implementation => "impl",
        })
    }
}

/// Two automata over one alphabet. Beside one over bytes, ASCII, nothing and everything are over bytes as
/// well; beside any other one over characters, it is the texts in it.
fn alike<'d>(
    both: [&'d Dfa; 2],
    limits: &AutomatonLimits,
) -> Result<[Cow<'d, Dfa>; 2], RegularError> {
    let is_bytes = |dfa: &Dfa| dfa.alphabet() == Alphabet::Bytes;
    if is_bytes(both[0]) == is_bytes(both[1]) {
        return Ok(both.map(Cow::Borrowed));
    }
    let in_bytes = |dfa: &'d Dfa| match is_bytes(dfa) {
        true => Some(Cow::Borrowed(dfa)),
        false if dfa.is_universal() => Some(Cow::Owned(Dfa::universal(Alphabet::Bytes))),
        false => ascii_over(dfa, Alphabet::Bytes).map(Cow::Owned),
    };
    if let [Some(first), Some(second)] = both.map(in_bytes) {
        return Ok([first, second]);
    }
    Ok([Cow::Owned(both[0].decoded(limits)?), Cow::Owned(both[1].decoded(limits)?)])
}

/// A transition with its special characters apart takes about so many entries of a table.
const SHARE: usize = 4;

/// How many transitions an automaton has when special characters have some of their own.
fn edges(dfa: &Dfa, specials: &Specials) -> usize {
    let mut parts = vec![2_usize; dfa.class_count()];
    for character in specials.iter() {
        for symbol in [character.into(), Alphabet::role(character)] {
            if let Some(class) = dfa.class(symbol) {
                parts[class.index()] += 1;
            }
        }
    }
    let of_state = |state| {
        let transitions = dfa.transitions(state).iter();
        transitions.map(|transition| parts[transition.class.index()]).sum::<usize>()
    };
    dfa.states().map(of_state).sum()
}

/// The strings that exactly one of two languages has, and from which tests are made.
///
/// Strings are over symbols, so that a specification with roles differs from an implementation
/// without them wherever a character stands in its other role: that is where to look.
#[derive(Clone, Debug)]
pub struct Difference {
    specification: Dfa,
    /// The strings of the specification alone, and of the implementation alone, side by side:
    /// two strings lead to one state if whatever follows is on the same side after both.
    pub(super) sides: Dfa,
    /// The same, and the side makes no difference: the minimal automaton.
    pub(super) dfa: Dfa,
    pub(super) specials: Specials,
    counts: (usize, usize),
    imprecisions: Vec<String>,
}

impl Difference {
    /// Compares two languages, with the special characters of both.
    ///
    /// Where one is of bytes and the other of characters, the strings are those that are UTF-8.
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    pub fn new(
        specification: &Language,
        implementation: &Language,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        let specials = Specials::of(specification, implementation);
        Self::with_specials(specification, implementation, specials, limits)
    }

    /// Compares two languages with special characters of the caller's, and those by which the
    /// two differ.
    ///
    /// # Errors
    ///
    /// As [`Difference::new`].
    pub fn with_specials(
        specification: &Language,
        implementation: &Language,
        specials: Specials,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        let [spec, code] = &alike([specification.dfa(), implementation.dfa()], limits)?;
        let alone =
            [spec.difference(code, limits)?.minimize(), code.difference(spec, limits)?.minimize()];
        // Of two minimal automata, so that no two of the pairs say the same.
        let sides = alone[0].union(&alone[1], limits)?;
        // `[a-z:]` and `[a-z@]` pick out nothing, and differ by `:` and `@`.
        let specials = specials.specification(picked(&sides));
        let most = limits.get_cells() / SHARE;
        if edges(&sides, &specials) > most {
            return Err(DifferentialError::too_many_transitions(most));
        }
        let mut imprecisions = Vec::new();
        for (name, language) in [("spec", specification), ("impl", implementation)] {
            let named = language.imprecisions().iter().map(|why| format!("{name}: {why}"));
            imprecisions.extend(named);
        }
        Ok(Self {
            dfa: sides.minimize(),
            sides,
            specification: spec.clone().into_owned(),
            specials,
            counts: (specification.states(), implementation.states()),
            imprecisions,
        })
    }

    /// The minimal automaton of the symmetric difference.
    pub fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// Whether the two languages are the same.
    pub fn is_empty(&self) -> bool {
        self.dfa.is_empty()
    }

    /// Whether both languages are exactly what they stand for.
    pub fn is_exact(&self) -> bool {
        self.imprecisions.is_empty()
    }

    /// Why they are not, each beginning with `spec:` or `impl:`.
    pub fn imprecisions(&self) -> &[String] {
        &self.imprecisions
    }

    /// The states of the specification's minimal automaton, those without a way to acceptance
    /// left out, as in all these counts.
    pub fn specification_states(&self) -> usize {
        self.counts.0
    }

    /// The states of the implementation's minimal automaton.
    pub fn implementation_states(&self) -> usize {
        self.counts.1
    }

    /// The states of the minimal automaton of the difference.
    pub fn states(&self) -> usize {
        live(&self.dfa)
    }

    /// The special characters.
    pub fn specials(&self) -> &Specials {
        &self.specials
    }

    /// Which of the two accepts a string of symbols; none where both or neither do.
    pub fn side(&self, symbols: &[u32]) -> Option<Side> {
        let differs = self.dfa.contains(symbols.iter().copied());
        differs.then(|| match self.specification.contains(symbols.iter().copied()) {
            true => Side::Specification,
            false => Side::Implementation,
        })
    }

    /// A string of symbols as text.
    pub(super) fn text(&self, symbols: &[u32]) -> String {
        if self.dfa.alphabet() != Alphabet::Bytes {
            return printed(symbols);
        }
        let bytes: Vec<u8> = symbols.iter().map(|&symbol| symbol as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// At most so many test strings, no text twice, best first.
    ///
    /// `entropy` chooses characters where several will do, and for [`Strategy::Undirected`] the
    /// strings.
    pub fn strings(
        &self,
        strategy: Strategy,
        most: usize,
        entropy: &mut impl Entropy,
    ) -> Vec<TestString> {
        match strategy {
            Strategy::EdgeCover => edge_cover::strings(self, most, entropy),
            Strategy::PaperDfs => paper_dfs::strings(self, most, entropy),
            Strategy::Undirected => undirected::strings(self, &self.specification, most, entropy),
        }
    }

    /// For each state of `sides`, whether a string that leads there is of the specification,
    /// where it is of one.
    pub(super) fn accepts(&self) -> FxHashMap<StateId, Side> {
        let mut pairs = FxHashMap::default();
        let mut stack = vec![(self.sides.start(), self.specification.start())];
        // A state of `sides` is reached with several of the specification; whether it accepts is
        // the same with all of them.
        let mut seen = vec![false; self.sides.state_count()];
        seen[self.sides.start().index()] = true;
        while let Some((state, other)) = stack.pop() {
            if self.sides.is_accepting(state) {
                let side = match self.specification.is_accepting(other) {
                    true => Side::Specification,
                    false => Side::Implementation,
                };
                pairs.insert(state, side);
            }
            for transition in self.sides.transitions(state) {
                if !std::mem::replace(&mut seen[transition.target.index()], true) {
                    let symbol = self.sides.class_ranges(transition.class)[0].0;
                    stack.push((transition.target, self.specification.step(other, symbol)));
                }
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(specification: &str, implementation: &str) -> Difference {
        let limits = AutomatonLimits::default();
        let [a, b] = [specification, implementation]
            .map(|pattern| Language::regex(pattern, &limits).expect(pattern));
        Difference::new(&a, &b, &limits).expect("small")
    }

    #[test]
    fn sides_are_kept_apart() {
        let difference = difference("a|b", "c|b");
        assert_eq!(difference.side(&[0x61]), Some(Side::Specification));
        assert_eq!(difference.side(&[0x63]), Some(Side::Implementation));
        assert_eq!(difference.side(&[0x62]), None);
        assert_eq!(difference.side(&[0x64]), None);
        // One accepting state of the minimal automaton, and two by sides.
        assert_eq!(difference.states(), 2);
        assert_eq!(difference.accepts().len(), 2);
    }

    #[test]
    fn equal_languages_have_no_difference() {
        let difference = difference("(?:ab)*", "|a(?:ba)*b");
        assert!(difference.is_empty() && difference.is_exact());
        assert_eq!((difference.states(), difference.specification_states()), (0, 2));
        assert!(
            difference.strings(Strategy::EdgeCover, 9, &mut pleach_core::Seeded::new(1)).is_empty()
        );
    }
}
