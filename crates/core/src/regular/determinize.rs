//! The subset construction.
//!
//! Sets of states are sorted lists without those states that neither accept nor consume
//! anything, and a hash map finds the state they stand for. Two shortcuts in front of it spare
//! most closures: one entry for each state that is a move's only target, and a second map for
//! the targets of a move before epsilon moves are followed.

use fxhash::FxHashMap;

use super::classes::Classes;
use super::dfa::{Dfa, Parts};
use super::{AutomatonLimits, Nfa, NfaState, RegularError};
use crate::rows::Rows;

/// "No state yet".
const NONE: u32 = u32::MAX;

impl Nfa {
    /// The deterministic automaton of the strings that lead from one state to the other.
    ///
    /// It is not minimal: see [`Dfa::minimize`].
    ///
    /// # Errors
    ///
    /// Where a bound of `limits` is passed.
    ///
    /// # Panics
    ///
    /// Where a state is of another automaton.
    pub fn determinize(
        self,
        start: NfaState,
        accept: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<Dfa, RegularError> {
        self.determinize_within(start, accept, limits, &mut limits.get_steps())
    }

    /// As [`Nfa::determinize`], with steps taken off a budget that several automata share.
    #[doc(hidden)]
    pub fn determinize_within(
        self,
        start: NfaState,
        accept: NfaState,
        limits: &AutomatonLimits,
        budget: &mut u64,
    ) -> Result<Dfa, RegularError> {
        self.check(limits)?;
        let (classes, columns) = Classes::refine(&self.universe, &self.sets, limits, budget)?;
        let moves = Moves::new(&self, columns, accept.get());
        let mut subsets = Subsets::new(&moves, classes.count() + 1, limits, budget);
        let first = subsets.of_target(start.get())?;
        let mut buckets = vec![Vec::new(); classes.count()];
        let mut state = first;
        while (state as usize) < subsets.count() {
            subsets.expand(state, &mut buckets)?;
            state += 1;
        }
        let accepting = (0..subsets.count() as u32)
            .map(|state| subsets.members_of(state).binary_search(&accept.get()).is_ok())
            .collect();
        let next = subsets.next;
        Ok(Dfa::new(Parts { alphabet: self.alphabet(), classes, next, accepting, start: first }))
    }
}

/// The moves of an automaton, by state.
struct Moves {
    states: u32,
    /// Targets of epsilon moves.
    epsilons: Rows<u32>,
    /// Sets, as indices into `columns`, and targets.
    edges: Rows<(u32, u32)>,
    /// The classes of each set.
    columns: Vec<Vec<u32>>,
    accept: u32,
}

impl Moves {
    fn new(nfa: &Nfa, columns: Vec<Vec<u32>>, accept: u32) -> Self {
        let epsilons = nfa.epsilons.iter().map(|&(from, to)| (from as usize, to));
        let edges = nfa.edges.iter().map(|&(from, set, to)| (from as usize, (set, to)));
        Self {
            states: nfa.states,
            epsilons: Rows::grouped(nfa.states as usize, epsilons),
            edges: Rows::grouped(nfa.states as usize, edges),
            columns,
            accept,
        }
    }

    fn state_count(&self) -> usize {
        self.states as usize
    }

    fn epsilons(&self, state: u32) -> &[u32] {
        self.epsilons.row(state as usize)
    }

    fn edges(&self, state: u32) -> &[(u32, u32)] {
        self.edges.row(state as usize)
    }

    /// Whether a state says anything that its epsilon moves don't.
    fn matters(&self, state: u32) -> bool {
        state == self.accept || !self.edges(state).is_empty()
    }
}

/// The sets of states found so far.
struct Subsets<'a> {
    moves: &'a Moves,
    limits: &'a AutomatonLimits,
    budget: &'a mut u64,
    stride: usize,
    /// The table as far as it is filled: dead rows first, filled in by `expand`.
    next: Vec<u32>,
    /// The members of each set, one after the other.
    members: Vec<u32>,
    /// Where in `members` each set begins; one more entry than sets.
    offsets: Vec<usize>,
    by_members: FxHashMap<Box<[u32]>, u32>,
    by_targets: FxHashMap<Box<[u32]>, u32>,
    by_target: Vec<u32>,
    /// The entries of both maps' keys.
    keys: usize,
    /// Per state of `moves`: the number of the closure that last reached it.
    reached: Vec<u32>,
    closure: u32,
    stack: Vec<u32>,
    scratch: Vec<u32>,
}

impl<'a> Subsets<'a> {
    /// The dead set alone, which has no members.
    fn new(
        moves: &'a Moves,
        stride: usize,
        limits: &'a AutomatonLimits,
        budget: &'a mut u64,
    ) -> Self {
        Self {
            moves,
            limits,
            budget,
            stride,
            next: vec![0; stride],
            members: Vec::new(),
            offsets: vec![0, 0],
            by_members: FxHashMap::default(),
            by_targets: FxHashMap::default(),
            by_target: vec![NONE; moves.state_count()],
            keys: 0,
            reached: vec![0; moves.state_count()],
            closure: 0,
            stack: Vec::new(),
            scratch: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    fn members_of(&self, state: u32) -> &[u32] {
        &self.members[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }

    /// Fills the row of a set.
    fn expand(&mut self, state: u32, buckets: &mut [Vec<u32>]) -> Result<(), RegularError> {
        let moves = self.moves;
        let mut steps = buckets.len();
        for &member in self.members_of(state) {
            for &(set, target) in moves.edges(member) {
                let columns = &moves.columns[set as usize];
                steps += columns.len() + 1;
                for &class in columns {
                    buckets[class as usize].push(target);
                }
            }
        }
        self.limits.spend(self.budget, steps)?;
        let row = state as usize * self.stride;
        for (class, bucket) in buckets.iter_mut().enumerate() {
            let target = match **bucket {
                [] => continue,
                [target] => self.of_target(target)?,
                _ => self.of_targets(bucket)?,
            };
            self.next[row + class] = target;
            bucket.clear();
        }
        Ok(())
    }

    fn of_target(&mut self, target: u32) -> Result<u32, RegularError> {
        if self.by_target[target as usize] == NONE {
            self.by_target[target as usize] = self.of_closure(&[target])?;
        }
        Ok(self.by_target[target as usize])
    }

    fn of_targets(&mut self, targets: &mut Vec<u32>) -> Result<u32, RegularError> {
        targets.sort_unstable();
        targets.dedup();
        if let Some(&state) = self.by_targets.get(targets.as_slice()) {
            return Ok(state);
        }
        let state = self.of_closure(targets)?;
        self.keys += targets.len();
        self.by_targets.insert(targets.as_slice().into(), state);
        Ok(state)
    }

    /// The state of everything that epsilon moves reach from some states.
    fn of_closure(&mut self, from: &[u32]) -> Result<u32, RegularError> {
        self.closure += 1;
        self.scratch.clear();
        self.stack.clear();
        self.stack.extend_from_slice(from);
        for &state in from {
            self.reached[state as usize] = self.closure;
        }
        let mut steps = from.len();
        while let Some(state) = self.stack.pop() {
            if self.moves.matters(state) {
                self.scratch.push(state);
            }
            for &target in self.moves.epsilons(state) {
                steps += 1;
                if self.reached[target as usize] != self.closure {
                    self.reached[target as usize] = self.closure;
                    self.stack.push(target);
                }
            }
        }
        self.limits.spend(self.budget, steps)?;
        self.scratch.sort_unstable();
        if let Some(&state) = self.by_members.get(self.scratch.as_slice()) {
            return Ok(state);
        }
        let state = self.count() as u32;
        self.limits.check_table(self.count() + 1, self.stride)?;
        self.keys += self.scratch.len();
        self.limits.check_cells(self.members.len() + self.keys)?;
        self.members.extend_from_slice(&self.scratch);
        self.offsets.push(self.members.len());
        self.next.resize(self.next.len() + self.stride, 0);
        self.by_members.insert(self.scratch.as_slice().into(), state);
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::Alphabet;

    #[test]
    fn a_state_without_moves_is_not_the_dead_one_when_it_starts() {
        let mut nfa = Nfa::new(Alphabet::Bytes);
        let (start, accept) = (nfa.state(), nfa.state());
        let dfa = nfa.determinize(start, accept, &AutomatonLimits::default()).expect("small");
        assert!(dfa.is_empty());
        assert_ne!(dfa.start(), crate::regular::StateId::DEAD);
    }

    #[test]
    fn each_bound_is_an_error() {
        let pattern = "(?:a|b)*a(?:a|b){16}";
        let tight = |limits: AutomatonLimits| {
            let error = Dfa::from_regex(pattern, Alphabet::Bytes, &limits).expect_err("a bound");
            assert!(error.is_size_limit_exceeded(), "{error}");
            error.to_string()
        };
        let limits = AutomatonLimits::default();
        assert!(tight(limits).contains("65536 states"));
        assert!(tight(limits.cells(9000)).contains("9000 table entries"));
        assert!(tight(limits.steps(9000)).contains("9000 construction steps"));
        assert!(tight(limits.nfa(30)).contains("30 states and moves"));
    }
}
