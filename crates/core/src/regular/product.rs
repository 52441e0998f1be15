//! Boolean combinations: two automata run side by side over a common partition of the symbols.
//!
//! Only pairs of states that the start reaches are made, and all pairs from which nothing can be
//! accepted any more are the one dead state.

use fxhash::FxHashMap;

use super::dfa::{Dfa, Parts};
use super::{AutomatonLimits, RegularError, StateId};

impl Dfa {
    /// The strings that at least one of the two accepts.
    ///
    /// The result is not minimal, as of all combinations: see [`Dfa::minimize`].
    ///
    /// # Errors
    ///
    /// As all combinations of two automata: where a bound of `limits` is passed, and where their
    /// alphabets differ, unless these are [`Alphabet::Unicode`](super::Alphabet::Unicode) and
    /// [`Alphabet::Roles`](super::Alphabet::Roles), which make the latter.
    pub fn union(&self, other: &Self, limits: &AutomatonLimits) -> Result<Self, RegularError> {
        product(self, other, limits, |a, b| a | b)
    }

    /// The strings that both accept.
    ///
    /// # Errors
    ///
    /// As [`Dfa::union`].
    pub fn intersection(
        &self,
        other: &Self,
        limits: &AutomatonLimits,
    ) -> Result<Self, RegularError> {
        product(self, other, limits, |a, b| a & b)
    }

    /// The strings that this one accepts and the other does not.
    ///
    /// # Errors
    ///
    /// As [`Dfa::union`].
    pub fn difference(&self, other: &Self, limits: &AutomatonLimits) -> Result<Self, RegularError> {
        product(self, other, limits, |a, b| a & !b)
    }

    /// The strings that exactly one of the two accepts.
    ///
    /// # Errors
    ///
    /// As [`Dfa::union`].
    pub fn symmetric_difference(
        &self,
        other: &Self,
        limits: &AutomatonLimits,
    ) -> Result<Self, RegularError> {
        product(self, other, limits, |a, b| a ^ b)
    }

    /// The strings over the universe that this one does not accept, by one state more.
    pub fn complement(&self) -> Self {
        // The old dead state accepts everything from now on, so a new one takes its place.
        let stride = self.class_count() + 1;
        let mut next = vec![0; stride];
        let mut accepting = vec![false];
        for state in self.states() {
            let row = self.row(state);
            next.extend(row[..stride - 1].iter().map(|&target| target + 1));
            next.push(0);
            accepting.push(!self.is_accepting(state));
        }
        Self::new(Parts {
            alphabet: self.alphabet(),
            classes: self.classes.clone(),
            next,
            accepting,
            start: self.start().get() + 1,
        })
    }

    /// Whether two automata accept the same strings.
    ///
    /// It takes no new table: states that must be equivalent are united until that contradicts
    /// itself (Hopcroft and Karp, "A Linear Algorithm for Testing Equivalence of Finite
    /// Automata", 1971). Automata over alphabets that cannot be combined are never
    /// equivalent.
    pub fn equivalent(&self, other: &Self) -> bool {
        if self.alphabet().common(other.alphabet()).is_none() {
            return false;
        }
        let (_, columns) = self.classes.join(&other.classes);
        let shift = self.state_count() as u32;
        let mut parents: Vec<u32> = (0..shift + other.state_count() as u32).collect();
        let mut pairs = vec![(self.start(), other.start())];
        while let Some((a, b)) = pairs.pop() {
            let (root, other_root) =
                (find(&mut parents, a.get()), find(&mut parents, b.get() + shift));
            if root == other_root {
                continue;
            }
            if self.is_accepting(a) != other.is_accepting(b) {
                return false;
            }
            parents[other_root as usize] = root;
            let (row, other_row) = (self.row(a), other.row(b));
            pairs.extend(columns.iter().map(|&(class, other_class)| {
                (StateId::new(row[class as usize]), StateId::new(other_row[other_class as usize]))
            }));
        }
        true
    }
}

/// The root of a tree of united states, halving the path to it on the way.
fn find(parents: &mut [u32], mut state: u32) -> u32 {
    while parents[state as usize] != state {
        let grandparent = parents[parents[state as usize] as usize];
        parents[state as usize] = grandparent;
        state = grandparent;
    }
    state
}

/// Runs two automata side by side; a pair accepts where `accepts` says so of its two states.
///
/// `accepts` must be false of two states that do not.
fn product(
    a: &Dfa,
    b: &Dfa,
    limits: &AutomatonLimits,
    accepts: impl Fn(bool, bool) -> bool,
) -> Result<Dfa, RegularError> {
    let alphabet = a.alphabet().common(b.alphabet()).ok_or_else(RegularError::alphabets)?;
    let (classes, columns) = a.classes.join(&b.classes);
    let stride = classes.count() + 1;
    let (only_a, only_b, both) = (accepts(true, false), accepts(false, true), accepts(true, true));
    // A live state may come to accept, and then the other may or may not.
    let is_dead = |(p, q): (u32, u32)| {
        let (p, q) = (!a.is_dead(StateId::new(p)), !b.is_dead(StateId::new(q)));
        !(p && only_a || q && only_b || p && q && both)
    };
    let start = (a.start().get(), b.start().get());
    let mut pairs = vec![(0, 0), start];
    let mut ids = FxHashMap::default();
    ids.insert(start, 1);
    let mut next = vec![0; stride];
    let mut accepting = vec![false];
    let mut state = 1;
    while let Some(&(p, q)) = pairs.get(state) {
        let (p, q) = (StateId::new(p), StateId::new(q));
        accepting.push(accepts(a.is_accepting(p), b.is_accepting(q)));
        let (row, other_row) = (a.row(p), b.row(q));
        for &(class, other_class) in &columns {
            let pair = (row[class as usize], other_row[other_class as usize]);
            next.push(if is_dead(pair) {
                0
            } else {
                *ids.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                })
            });
        }
        next.push(0);
        limits.check_table(pairs.len(), stride)?;
        state += 1;
    }
    Ok(Dfa::new(Parts { alphabet, classes, next, accepting, start: 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::Alphabet;

    fn dfa(pattern: &str) -> Dfa {
        Dfa::from_regex(pattern, Alphabet::Unicode, &AutomatonLimits::default()).expect(pattern)
    }

    #[test]
    fn combinations_are_those_of_sets() {
        let limits = AutomatonLimits::default();
        let (name, keyword) = (dfa("[a-z]+"), dfa("if|else|IF"));
        let check = |result: Result<Dfa, _>, pattern: &str| {
            let result: Dfa = result.expect("small");
            assert!(result.equivalent(&dfa(pattern)), "{pattern}");
            assert_eq!(result.minimize(), dfa(pattern));
        };
        check(name.union(&keyword, &limits), "[a-z]+|IF");
        check(name.intersection(&keyword, &limits), "if|else");
        check(keyword.difference(&name, &limits), "IF");
        let longer = "IF|[a-z]|[a-z&&[^i]][a-z]|i[a-z&&[^f]]|[a-z]{3}|[a-z&&[^e]][a-z]{3}\
                      |e(?:[a-z&&[^l]][a-z]{2}|l(?:[a-z&&[^s]][a-z]|s[a-z&&[^e]]))|[a-z]{5,}";
        check(name.symmetric_difference(&keyword, &limits), longer);
        check(Ok(dfa("(?s).").complement()), "(?s)|..+");
    }

    #[test]
    fn complement_is_within_the_universe() {
        let all = Dfa::empty(Alphabet::Bytes).complement();
        assert!(all.is_universal());
        assert!(all.contains([255]) && !all.contains([256]));
        assert!(all.complement().is_empty());
        assert_eq!(all.complement().minimize(), Dfa::empty(Alphabet::Bytes));
    }

    #[test]
    fn alphabets_do_not_mix() {
        let bytes = Dfa::universal(Alphabet::Bytes);
        let error =
            bytes.union(&dfa("a"), &AutomatonLimits::default()).expect_err("different alphabets");
        assert!(error.is_alphabet_mismatch());
        assert!(!bytes.equivalent(&Dfa::universal(Alphabet::Unicode)));
    }

    #[test]
    fn the_product_is_bounded() {
        let limits = AutomatonLimits::new().states(90);
        let (a, b) = (dfa("(?:x{10})*"), dfa("(?:x{11})*"));
        let error = a.symmetric_difference(&b, &limits).expect_err("110 pairs");
        assert!(error.is_size_limit_exceeded());
        assert!(a.symmetric_difference(&b, &AutomatonLimits::default()).is_ok());
    }
}
