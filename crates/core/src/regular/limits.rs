//! How large an automaton may become while it is built.

use super::RegularError;

/// Bounds on the work and memory of building automata.
///
/// Some regexes have automata exponentially larger than themselves: `(a|b)*a(a|b){16}` needs 131
/// thousand states. Construction that passes a bound stops with an error for which
/// [`RegularError::is_size_limit_exceeded`] is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of a deterministic automaton, the dead one included. The default is 65,536.
    pub states: usize,
    /// Entries of one table: transitions of a deterministic automaton (states times classes),
    /// members of the subsets it is built from, counts of a sampler. The default is 8,388,608.
    pub cells: usize,
    /// States, edges and epsilon moves together of a nondeterministic automaton. The default is
    /// 524,288.
    pub nfa: usize,
    /// Elementary moves while an automaton is made deterministic, a bound on time: the default of
    /// 268,435,456 is in the order of a second.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 1 << 16, cells: 1 << 23, nfa: 1 << 19, steps: 1 << 28 }
    }
}

impl Limits {
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

    /// Takes moves off a budget that began at [`Limits::steps`].
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
