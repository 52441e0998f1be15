//! Languages by number, and operations on them that are computed once.
//!
//! The analysis asks the same few questions over and over, for each state of a loop's machine
//! and after each refinement. So each language is kept once, as its minimal automaton, and is
//! known by a number from then on: equality is that of numbers, and a table remembers what each
//! operation gave.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet, FxHasher};

use super::stop::{Flow, Stop};
use pleach_core::regular::{Alphabet, AutomatonLimits, Dfa, Nfa, NfaState, RegularError, StateId};

/// The symbols of strings.
const UNICODE: Alphabet = Alphabet::Unicode;

/// A language, by its number in a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lang(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pair {
    Union,
    Both,
    Minus,
    Concat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum One {
    Complement,
    Star,
    Reverse,
}

/// All languages met so far.
pub(super) struct Pool {
    limits: AutomatonLimits,
    dfas: Vec<Rc<Dfa>>,
    /// Numbers by a hash of their automaton.
    numbers: FxHashMap<u64, Vec<Lang>>,
    pairs: FxHashMap<(Pair, Lang, Lang), Lang>,
    ones: FxHashMap<(One, Lang), Lang>,
    betweens: FxHashMap<(Lang, u32, u32), Lang>,
    regexes: FxHashMap<String, Lang>,
    literals: FxHashMap<String, Lang>,
    sets: FxHashMap<Box<[(u32, u32)]>, Lang>,
    splits: FxHashMap<Lang, Rc<[(Lang, Lang)]>>,
    sums: FxHashMap<Vec<Vec<Lang>>, Lang>,
    /// Entries of all tables together.
    cells: usize,
    max_cells: usize,
    /// How many more steps all constructions together may take.
    work: u64,
}

/// How many steps all constructions together may take: some 1.5 s of an optimized build.
const STEPS: u64 = 200_000_000;
/// How many steps the making and minimizing of an entry of a table stands for.
const STEPS_A_CELL: u64 = 4;

/// The language without strings.
pub(super) const NONE: Lang = Lang(0);
/// The language of all strings.
pub(super) const ALL: Lang = Lang(1);
/// The language of the empty string alone.
pub(super) const EMPTY: Lang = Lang(2);
/// The language of all strings of one character.
pub(super) const ANY_CHAR: Lang = Lang(3);
/// The language of all strings but the empty one.
pub(super) const NON_EMPTY: Lang = Lang(4);

impl Pool {
    pub(super) fn new(limits: AutomatonLimits, max_cells: usize) -> Self {
        let mut pool = Self {
            limits,
            dfas: Vec::new(),
            numbers: FxHashMap::default(),
            pairs: FxHashMap::default(),
            ones: FxHashMap::default(),
            betweens: FxHashMap::default(),
            regexes: FxHashMap::default(),
            literals: FxHashMap::default(),
            sets: FxHashMap::default(),
            splits: FxHashMap::default(),
            sums: FxHashMap::default(),
            cells: 0,
            max_cells,
            work: STEPS,
        };
        let all = Dfa::universal(UNICODE);
        let empty = {
            let mut nfa = Nfa::new(UNICODE);
            let state = nfa.state();
            nfa.determinize(state, state, &AutomatonLimits::default())
                .expect("one state")
                .minimize()
        };
        let chars = Dfa::ranges(UNICODE.universe(), UNICODE);
        let non_empty = empty.complement().minimize();
        for dfa in [Dfa::empty(UNICODE), all, empty, chars, non_empty] {
            pool.keep(dfa);
        }
        pool
    }

    /// The number of a minimal automaton's language.
    fn keep(&mut self, dfa: Dfa) -> Lang {
        let mut hasher = FxHasher::default();
        dfa.state_count().hash(&mut hasher);
        dfa.class_count().hash(&mut hasher);
        for state in dfa.states() {
            dfa.is_accepting(state).hash(&mut hasher);
            dfa.transitions(state).hash(&mut hasher);
        }
        let known = self.numbers.entry(hasher.finish()).or_default();
        if let Some(&lang) = known.iter().find(|lang| *self.dfas[lang.0 as usize] == dfa) {
            return lang;
        }
        let lang = Lang(self.dfas.len() as u32);
        known.push(lang);
        self.cells += dfa.state_count() * (dfa.class_count() + 1) * 2;
        self.dfas.push(Rc::new(dfa));
        lang
    }

    /// As [`Pool::keep`], for whatever automaton, and within the bound on all tables.
    pub(super) fn add(&mut self, dfa: Result<Dfa, RegularError>) -> Flow<Lang> {
        let dfa = dfa?;
        let cells = (dfa.state_count() * (dfa.class_count() + 1)) as u64;
        self.work = self
            .work
            .checked_sub(STEPS_A_CELL * cells)
            .ok_or(Stop::Budget("steps of building automata", STEPS))?;
        let lang = self.keep(dfa.minimize());
        if self.cells > self.max_cells {
            return Err(Stop::Budget("table entries of automata", self.max_cells as u64));
        }
        Ok(lang)
    }

    pub(super) fn dfa(&self, lang: Lang) -> Rc<Dfa> {
        Rc::clone(&self.dfas[lang.0 as usize])
    }

    pub(super) fn limits(&self) -> &AutomatonLimits {
        &self.limits
    }

    fn pair(&mut self, pair: Pair, a: Lang, b: Lang) -> Flow<Lang> {
        if let Some(&known) = self.pairs.get(&(pair, a, b)) {
            return Ok(known);
        }
        let (x, y) = (self.dfa(a), self.dfa(b));
        let lang = match pair {
            Pair::Union => self.add(x.union(&y, &self.limits)),
            Pair::Both => self.add(x.intersection(&y, &self.limits)),
            Pair::Minus => self.add(x.difference(&y, &self.limits)),
            Pair::Concat => self.path(&[&x, &y]),
        }?;
        self.pairs.insert((pair, a, b), lang);
        Ok(lang)
    }

    /// The language of the strings that lead from one state to another.
    pub(super) fn determinize(
        &mut self,
        nfa: Nfa,
        start: NfaState,
        accept: NfaState,
    ) -> Flow<Lang> {
        let mut budget = self.limits.get_steps().min(self.work);
        self.work -= budget;
        let made = nfa.determinize_within(start, accept, &self.limits, &mut budget);
        self.work += budget;
        self.add(made)
    }

    fn path(&mut self, parts: &[&Dfa]) -> Flow<Lang> {
        let mut nfa = Nfa::new(UNICODE);
        let start = nfa.state();
        let mut at = start;
        for part in parts {
            let next = nfa.state();
            nfa.dfa(at, part, next, &self.limits)?;
            at = next;
        }
        self.determinize(nfa, start, at)
    }

    pub(super) fn union(&mut self, a: Lang, b: Lang) -> Flow<Lang> {
        match (a, b) {
            (NONE, other) | (other, NONE) => Ok(other),
            (ALL, _) | (_, ALL) => Ok(ALL),
            _ if a == b => Ok(a),
            _ => self.pair(Pair::Union, a.min(b), a.max(b)),
        }
    }

    pub(super) fn both(&mut self, a: Lang, b: Lang) -> Flow<Lang> {
        match (a, b) {
            (ALL, other) | (other, ALL) => Ok(other),
            (NONE, _) | (_, NONE) => Ok(NONE),
            _ if a == b => Ok(a),
            _ => self.pair(Pair::Both, a.min(b), a.max(b)),
        }
    }

    pub(super) fn minus(&mut self, a: Lang, b: Lang) -> Flow<Lang> {
        match (a, b) {
            (_, NONE) => Ok(a),
            (NONE, _) | (_, ALL) => Ok(NONE),
            _ if a == b => Ok(NONE),
            _ => self.pair(Pair::Minus, a, b),
        }
    }

    pub(super) fn concat(&mut self, a: Lang, b: Lang) -> Flow<Lang> {
        match (a, b) {
            (NONE, _) | (_, NONE) => Ok(NONE),
            (EMPTY, other) | (other, EMPTY) => Ok(other),
            (ALL, ALL) => Ok(ALL),
            _ => self.pair(Pair::Concat, a, b),
        }
    }

    fn one(&mut self, one: One, a: Lang) -> Flow<Lang> {
        if let Some(&known) = self.ones.get(&(one, a)) {
            return Ok(known);
        }
        let dfa = self.dfa(a);
        let lang = match one {
            One::Complement => self.add(Ok(dfa.complement())),
            One::Star => {
                let mut nfa = Nfa::new(UNICODE);
                let hub = nfa.state();
                nfa.dfa(hub, &dfa, hub, &self.limits)?;
                self.determinize(nfa, hub, hub)
            }
            One::Reverse => self.reversed(&dfa),
        }?;
        self.ones.insert((one, a), lang);
        Ok(lang)
    }

    pub(super) fn complement(&mut self, a: Lang) -> Flow<Lang> {
        self.one(One::Complement, a)
    }

    pub(super) fn star(&mut self, a: Lang) -> Flow<Lang> {
        self.one(One::Star, a)
    }

    pub(super) fn reverse(&mut self, a: Lang) -> Flow<Lang> {
        self.one(One::Reverse, a)
    }

    /// Whether two languages have a string in common.
    pub(super) fn meet(&mut self, a: Lang, b: Lang) -> Flow<bool> {
        Ok(self.both(a, b)? != NONE)
    }

    /// The language of a regex that matches whole strings.
    pub(super) fn regex(&mut self, pattern: &str) -> Flow<Lang> {
        if let Some(&known) = self.regexes.get(pattern) {
            return Ok(known);
        }
        let lang = self.add(Dfa::from_regex(pattern, UNICODE, &self.limits))?;
        self.regexes.insert(pattern.into(), lang);
        Ok(lang)
    }

    /// The language of one string.
    pub(super) fn literal(&mut self, text: &str) -> Flow<Lang> {
        if let Some(&known) = self.literals.get(text) {
            return Ok(known);
        }
        let lang = self.add(Dfa::literal(text.as_bytes(), false, UNICODE, &self.limits))?;
        self.literals.insert(text.into(), lang);
        Ok(lang)
    }

    /// The language of the strings that are one string but for the case of ASCII letters.
    pub(super) fn literal_ignoring_case(&mut self, text: &str) -> Flow<Lang> {
        self.add(Dfa::literal(text.as_bytes(), true, UNICODE, &self.limits))
    }

    /// The language of the characters of ranges.
    pub(super) fn set(&mut self, ranges: &[(u32, u32)]) -> Flow<Lang> {
        if let Some(&known) = self.sets.get(ranges) {
            return Ok(known);
        }
        let lang = self.add(Ok(Dfa::ranges(ranges, UNICODE)))?;
        self.sets.insert(ranges.into(), lang);
        Ok(lang)
    }

    /// The characters of a language that are strings of one character.
    pub(super) fn ranges(&self, lang: Lang) -> Vec<(u32, u32)> {
        let dfa = self.dfa(lang);
        let mut ranges = Vec::new();
        for transition in dfa.transitions(dfa.start()) {
            if dfa.is_accepting(transition.target) {
                ranges.extend_from_slice(dfa.class_ranges(transition.class));
            }
        }
        ranges.sort_unstable();
        ranges
    }

    /// The sum of some products: each inner list is concatenated.
    pub(super) fn sum(&mut self, mut products: Vec<Vec<Lang>>) -> Flow<Lang> {
        products.retain(|product| !product.contains(&NONE));
        for product in &mut products {
            product.retain(|&lang| lang != EMPTY);
        }
        products.sort_unstable();
        products.dedup();
        match &products[..] {
            [] => return Ok(NONE),
            [product] => {
                let mut lang = EMPTY;
                for &next in product {
                    lang = self.concat(lang, next)?;
                }
                return Ok(lang);
            }
            _ => {}
        }
        if let Some(&known) = self.sums.get(&products) {
            return Ok(known);
        }
        let mut nfa = Nfa::new(UNICODE);
        let (start, accept) = (nfa.state(), nfa.state());
        for product in &products {
            let mut at = start;
            for (i, &lang) in product.iter().enumerate() {
                let next = if i + 1 == product.len() { accept } else { nfa.state() };
                nfa.dfa(at, &self.dfa(lang), next, &self.limits)?;
                at = next;
            }
            if product.is_empty() {
                nfa.epsilon(start, accept);
            }
        }
        let lang = self.determinize(nfa, start, accept)?;
        self.sums.insert(products, lang);
        Ok(lang)
    }

    /// For each state of a language's automaton from which a string is accepted: the strings that
    /// lead there, and those accepted from there.
    pub(super) fn split(&mut self, lang: Lang) -> Flow<Rc<[(Lang, Lang)]>> {
        if let Some(known) = self.splits.get(&lang) {
            return Ok(Rc::clone(known));
        }
        let dfa = self.dfa(lang);
        let mut parts = Vec::new();
        for state in dfa.states().filter(|&state| !dfa.is_dead(state)) {
            let before = self.add(Ok(dfa.between(dfa.start(), |at| at == state)))?;
            let after = self.add(Ok(dfa.between(state, |at| dfa.is_accepting(at))))?;
            parts.push((before, after));
        }
        let parts: Rc<[_]> = parts.into();
        self.splits.insert(lang, Rc::clone(&parts));
        Ok(parts)
    }

    /// As [`Pool::split`], only for the states that strings of a second language lead to.
    pub(super) fn split_by(&mut self, lang: Lang, by: Lang) -> Flow<Vec<(Lang, Lang)>> {
        if by == ALL {
            return Ok(self.split(lang)?.to_vec());
        }
        let (dfa, other) = (self.dfa(lang), self.dfa(by));
        let mut seen = FxHashSet::default();
        let mut pending = vec![(other.start(), dfa.start())];
        let mut ends = std::collections::BTreeSet::new();
        while let Some((a, q)) = pending.pop() {
            if dfa.is_dead(q) || other.is_dead(a) || !seen.insert((a, q)) {
                continue;
            }
            if other.is_accepting(a) {
                ends.insert(q);
            }
            for first in other.transitions(a) {
                let ranges = other.class_ranges(first.class);
                for second in dfa.transitions(q) {
                    if seen.contains(&(first.target, second.target)) {
                        continue;
                    }
                    if meets(ranges, dfa.class_ranges(second.class)) {
                        pending.push((first.target, second.target));
                    }
                }
            }
        }
        let mut parts = Vec::new();
        for state in ends {
            let before = self.between(lang, dfa.start(), state)?;
            let key = (lang, u32::MAX, state.index() as u32);
            let after = match self.betweens.get(&key) {
                Some(&known) => known,
                None => {
                    let made = self.add(Ok(dfa.between(state, |at| dfa.is_accepting(at))))?;
                    self.betweens.insert(key, made);
                    made
                }
            };
            parts.push((before, after));
        }
        Ok(parts)
    }

    /// The strings that lead from one state to another, of which the second is not dead.
    pub(super) fn between(&mut self, lang: Lang, from: StateId, to: StateId) -> Flow<Lang> {
        let key = (lang, from.index() as u32, to.index() as u32);
        if let Some(&known) = self.betweens.get(&key) {
            return Ok(known);
        }
        let dfa = self.dfa(lang);
        let made = if dfa.is_dead(from) {
            Dfa::empty(UNICODE)
        } else {
            dfa.between(from, |state| state == to)
        };
        let made = self.add(Ok(made))?;
        self.betweens.insert(key, made);
        Ok(made)
    }

    /// The strings `x` such that `x` followed by `text` is in a language.
    pub(super) fn before_literal(&mut self, lang: Lang, text: &str) -> Flow<Lang> {
        let dfa = self.dfa(lang);
        let accepts = |mut state: StateId| {
            for symbol in text.chars() {
                state = dfa.step(state, symbol.into());
            }
            dfa.is_accepting(state)
        };
        self.add(Ok(dfa.between(dfa.start(), accepts)))
    }

    /// The strings `x` such that `text` followed by `x` is in a language.
    pub(super) fn after_literal(&mut self, lang: Lang, text: &str) -> Flow<Lang> {
        let dfa = self.dfa(lang);
        let mut state = dfa.start();
        for symbol in text.chars() {
            state = dfa.step(state, symbol.into());
        }
        if dfa.is_dead(state) {
            return Ok(NONE);
        }
        self.add(Ok(dfa.between(state, |at| dfa.is_accepting(at))))
    }

    /// The strings whose image under a mapping of characters to strings is in a language.
    ///
    /// `images` are disjoint sets of characters, each with what stands for any of them; other
    /// characters stand for themselves.
    pub(super) fn preimage(
        &mut self,
        lang: Lang,
        images: &[(Vec<(u32, u32)>, String)],
    ) -> Flow<Lang> {
        let dfa = self.dfa(lang);
        let mut mapped = Vec::new();
        for (ranges, _) in images {
            mapped.extend_from_slice(ranges);
        }
        let mapped = self.set(&mapped)?;
        let kept = self.minus(ANY_CHAR, mapped)?;
        let kept = self.ranges(kept);
        let mut nfa = Nfa::new(UNICODE);
        let states: Vec<NfaState> = dfa.states().map(|_| nfa.state()).collect();
        let accept = nfa.state();
        for state in dfa.states() {
            for transition in dfa.transitions(state) {
                let common = intersect(dfa.class_ranges(transition.class), &kept);
                nfa.edge(states[state.index()], &common, states[transition.target.index()]);
            }
            for (ranges, image) in images {
                let mut to = state;
                for symbol in image.chars() {
                    to = dfa.step(to, symbol.into());
                }
                if !dfa.is_dead(to) {
                    nfa.edge(states[state.index()], ranges, states[to.index()]);
                }
            }
            if dfa.is_accepting(state) {
                nfa.epsilon(states[state.index()], accept);
            }
            nfa.check(&self.limits)?;
        }
        self.determinize(nfa, states[dfa.start().index()], accept)
    }

    /// The language of an automaton, read backwards.
    fn reversed(&mut self, dfa: &Dfa) -> Flow<Lang> {
        let mut nfa = Nfa::new(UNICODE);
        let states: Vec<NfaState> = dfa.states().map(|_| nfa.state()).collect();
        let start = nfa.state();
        for state in dfa.states() {
            for transition in dfa.transitions(state) {
                let ranges = dfa.class_ranges(transition.class);
                nfa.edge(states[transition.target.index()], ranges, states[state.index()]);
            }
            if dfa.is_accepting(state) {
                nfa.epsilon(start, states[state.index()]);
            }
            nfa.check(&self.limits)?;
        }
        self.determinize(nfa, start, states[dfa.start().index()])
    }

    /// Whether the language has a given string.
    pub(super) fn contains(&self, lang: Lang, text: &str) -> bool {
        self.dfas[lang.0 as usize].contains(text.chars().map(u32::from))
    }
}

/// The characters that two sorted lists of ranges have in common.
pub(super) fn intersect(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (mut i, mut j) = (0, 0);
    let mut common = Vec::new();
    while let (Some(&(low, high)), Some(&(other_low, other_high))) = (a.get(i), b.get(j)) {
        let (first, last) = (low.max(other_low), high.min(other_high));
        if first <= last {
            common.push((first, last));
        }
        if high < other_high {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

/// Whether two sorted lists of ranges have a character in common.
fn meets(a: &[(u32, u32)], b: &[(u32, u32)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(&(low, high)), Some(&(other_low, other_high))) = (a.get(i), b.get(j)) {
        if low.max(other_low) <= high.min(other_high) {
            return true;
        }
        if high < other_high {
            i += 1;
        } else {
            j += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool::new(AutomatonLimits::default(), 1 << 22)
    }

    #[test]
    fn a_language_has_one_number() {
        let mut pool = pool();
        let (a, b) = (pool.regex("a|b").unwrap(), pool.regex("[ab]").unwrap());
        assert_eq!(a, b);
        assert_eq!(pool.regex("(?s).*").unwrap(), ALL);
        assert_eq!(pool.regex("(?s).").unwrap(), ANY_CHAR);
        assert_eq!(pool.regex("(?s).+").unwrap(), NON_EMPTY);
        assert_eq!(pool.literal("").unwrap(), EMPTY);
        assert_eq!(pool.complement(ALL).unwrap(), NONE);
        assert_eq!(pool.set(&[]).unwrap(), NONE);
    }

    #[test]
    fn operations_are_those_of_languages() {
        let mut pool = pool();
        let word = pool.regex("ab*c").unwrap();
        let reversed = pool.reverse(word).unwrap();
        assert_eq!(reversed, pool.regex("cb*a").unwrap());
        let quotient = pool.before_literal(word, "bc").unwrap();
        assert_eq!(quotient, pool.regex("ab*").unwrap());
        let rest = pool.after_literal(word, "ab").unwrap();
        assert_eq!(rest, pool.regex("b*c").unwrap());
        let lower = vec![(vec![(0x41, 0x41)], "a".to_owned()), (vec![(0x2D, 0x2D)], String::new())];
        let preimage = pool.preimage(word, &lower).unwrap();
        assert_eq!(preimage, pool.regex("-*[aA](b|-)*c-*").unwrap());
        let (a, b) = (pool.regex("a").unwrap(), pool.regex("b+").unwrap());
        let sum = pool.sum(vec![vec![a, b], vec![], vec![NONE, a]]).unwrap();
        assert_eq!(sum, pool.regex("(?:ab+)?").unwrap());
        let parts = pool.split(sum).unwrap();
        let mut again = NONE;
        for &(before, after) in parts.iter() {
            let both = pool.concat(before, after).unwrap();
            again = pool.union(again, both).unwrap();
        }
        assert_eq!(again, sum);
    }
}
