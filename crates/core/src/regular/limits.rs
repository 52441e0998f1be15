//! How large an automaton may become while it is built.

use super::RegularError;

/// Bounds on the work and memory of building automata.
///
/// Some regexes have automata exponentially larger than themselves: `(a|b)*a(a|b){16}` needs 131
/// thousand states. Construction that passes a bound stops with an error for which
/// [`RegularError::is_size_limit_exceeded`] is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutomatonLimits {
    states: usize,
    cells: usize,
    nfa: usize,
    steps: u64,
}

impl Default for AutomatonLimits {
    fn default() -> Self {
        Self::new()
    }
}

impl AutomatonLimits {
    /// The defaults.
    pub const fn new() -> Self {
        Self { states: 1 << 16, cells: 1 << 23, nfa: 1 << 19, steps: 1 << 28 }
    }

    /// States of a deterministic automaton, the dead one included. The default is 65,536.
    #[must_use]
    pub const fn states(mut self, states: usize) -> Self {
        self.states = states;
        self
    }

    /// Entries of one table: transitions of a deterministic automaton (states times classes),
    /// members of the subsets it is built from, counts of a sampler. The default is 8,388,608.
    #[must_use]
    pub const fn cells(mut self, entries: usize) -> Self {
        self.cells = entries;
        self
    }

    /// States, edges and epsilon moves together of a nondeterministic automaton. The default is
    /// 524,288.
    #[must_use]
    pub const fn nfa(mut self, size: usize) -> Self {
        self.nfa = size;
        self
    }

    /// Elementary moves while an automaton is made deterministic, a bound on time: the default of
    /// 268,435,456 is in the order of a second.
    #[must_use]
    pub const fn steps(mut self, moves: u64) -> Self {
        self.steps = moves;
        self
    }

    /// Entries of one table.
    pub const fn get_cells(&self) -> usize {
        self.cells
    }

    /// States, edges and epsilon moves together of a nondeterministic automaton.
    pub const fn get_nfa(&self) -> usize {
        self.nfa
    }

    /// Elementary moves while an automaton is made deterministic.
    pub const fn get_steps(&self) -> u64 {
        self.steps
    }

    /// Whether a table of so many states with so many columns is within bounds.
    pub(super) fn check_table(&self, states: usize, stride: usize) -> Result<(), RegularError> {
        if states > self.states {
            return Err(RegularError::too_large("states", self.states as u64));
        }
        self.check_cells(states.saturating_mul(stride))
    }

    /// Whether a table of so many entries is within bounds.
    pub(super) fn check_cells(&self, cells: usize) -> Result<(), RegularError> {
        // Offsets into tables are `u32`.
        let limit = self.cells.min(u32::MAX as usize);
        if cells > limit {
            return Err(RegularError::too_large("table entries", limit as u64));
        }
        Ok(())
    }

    /// Whether a table whose columns are bytes is within bounds.
    #[doc(hidden)]
    pub fn check_matcher(&self, cells: usize, stride: usize) -> Result<(), RegularError> {
        if stride > 256 {
            return Err(RegularError::too_large("classes of symbols", 255));
        }
        self.check_cells(cells)
    }

    /// Takes moves off a budget that began at [`AutomatonLimits::steps`].
    pub(super) fn spend(&self, budget: &mut u64, steps: usize) -> Result<(), RegularError> {
        match budget.checked_sub(steps as u64) {
            Some(rest) => {
                *budget = rest;
                Ok(())
            }
            None => Err(RegularError::too_large("construction steps", self.steps)),
        }
    }
}
