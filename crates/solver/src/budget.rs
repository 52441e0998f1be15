//! What is left to spend on a question, and what ends a search that has spent it.
//!
//! Nothing here reads a clock: conflicts and decisions of the SAT solver, and steps on values, are counted. The size
//! of a circuit is bounded in `blast/terms.rs`, before the bits of a term are made.

use crate::Options;
use batsat::{Callbacks, ClauseKind, Lit};
use std::cell::Cell;

/// How long a search of the SAT solver may go on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    pub(crate) conflicts: u64,
    pub(crate) decisions: u64,
}

impl Budget {
    /// That of a question.
    pub(crate) fn new(options: &Options) -> Budget {
        Budget { conflicts: options.conflicts, decisions: options.decisions }
    }
}

/// Counts what a search does, and ends it.
#[derive(Default)]
pub(crate) struct Meter {
    /// Those of all searches.
    pub(crate) all_conflicts: u64,
    conflicts: u64,
    /// The solver asks before each decision whether to stop.
    decisions: Cell<u64>,
    pub(crate) budget: Budget,
}

impl Callbacks for Meter {
    fn on_start(&mut self) {
        self.conflicts = 0;
        self.decisions.set(0);
    }

    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        let learnt = u64::from(matches!(kind, ClauseKind::Learnt));
        self.conflicts += learnt;
        self.all_conflicts += learnt;
    }

    fn stop(&self) -> bool {
        self.decisions.set(self.decisions.get() + 1);
        self.conflicts > self.budget.conflicts || self.decisions.get() > self.budget.decisions
    }
}

/// The steps on intervals and rows of values that are left.
pub(crate) struct Steps(u64);

impl Steps {
    pub(crate) fn new(steps: u64) -> Steps {
        Steps(steps)
    }

    /// Takes some; nothing if there are not as many.
    pub(crate) fn spend(&mut self, steps: u64) -> Option<()> {
        self.0 = self.0.checked_sub(steps)?;
        Some(())
    }
}
