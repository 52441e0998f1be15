//! The strings that exactly one of two languages has.

use fxhash::FxHashMap;

use super::language::live;
use super::strategy::{Strategy, TestString, edge_cover, paper_dfs, undirected};
use super::{DifferentialError, Language, Specials};
use crate::Entropy;
use crate::regular::{Dfa, Limits, StateId};

/// One of the two that are compared.
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
    /// # Errors
    ///
    /// Where one is of bytes and the other of characters, and where a bound of `limits` is
    /// passed.
    pub fn new(
        specification: &Language,
        implementation: &Language,
        limits: &Limits,
    ) -> Result<Self, DifferentialError> {
        let specials = Specials::of(specification, implementation);
        Self::with_specials(specification, implementation, specials, limits)
    }

    /// Compares two languages with special characters of the caller's.
    ///
    /// # Errors
    ///
    /// As [`Difference::new`].
    pub fn with_specials(
        specification: &Language,
        implementation: &Language,
        specials: Specials,
        limits: &Limits,
    ) -> Result<Self, DifferentialError> {
        let (spec, code) = (specification.dfa(), implementation.dfa());
        let alone =
            [spec.difference(code, limits)?.minimize(), code.difference(spec, limits)?.minimize()];
        // Of two minimal automata, so that no two of the pairs say the same.
        let sides = alone[0].union(&alone[1], limits)?;
        let mut imprecisions = Vec::new();
        for (name, language) in [("spec", specification), ("impl", implementation)] {
            let named = language.imprecisions().iter().map(|why| format!("{name}: {why}"));
            imprecisions.extend(named);
        }
        Ok(Self {
            dfa: sides.minimize(),
            sides,
            specification: spec.clone(),
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
        let limits = Limits::default();
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
        assert!(difference.strings(Strategy::EdgeCover, 9, &mut crate::Seeded::new(1)).is_empty());
    }
}
