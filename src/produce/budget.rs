//! What a tree may cost.

use std::fmt;

use crate::table::{Cost, Saving, Table};

/// Bounds on one tree; production never exceeds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The greatest depth: edges from the root down to an occurrence.
    pub depth: u32,
    /// The most nodes: occurrences, groups, repetitions, layout and the root.
    pub nodes: u64,
    /// The most bytes of the yield.
    pub bytes: u64,
}

impl Budget {
    /// The node budget where none is named: enough for any input that a parser should see, and
    /// few enough that no grammar exhausts memory.
    pub const DEFAULT_NODES: u64 = 1 << 20;
}

/// Why no tree can be produced within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetError {
    budget: Budget,
    least: Least,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Least {
    Depth(u32),
    Nodes(u64),
    Bytes(u64),
    /// Each alone can be met.
    Together,
}

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Budget { depth, nodes, bytes } = self.budget;
        match self.least {
            Least::Depth(least) => {
                write!(f, "no tree of the grammar has a depth up to {depth}; the least is {least}")
            }
            Least::Nodes(least) => write!(
                f,
                "no tree of depth up to {depth} has at most {nodes} nodes; the least is {least}"
            ),
            Least::Bytes(least) => write!(
                f,
                "no tree of depth up to {depth} has at most {bytes} bytes; the least is {least}"
            ),
            Least::Together => write!(
                f,
                "no tree was found that has both at most {nodes} nodes and at most {bytes} bytes; \
                 raise one of them"
            ),
        }
    }
}

impl std::error::Error for BudgetError {}

impl Budget {
    /// Whether the start rule closes within the budget by a saving.
    pub(crate) fn is_met_by(self, table: &Table, saving: Saving) -> bool {
        let cost = self.least(table, saving);
        table.minima().rule_height(table.start()) <= self.depth
            && cost.nodes <= self.nodes
            && cost.bytes <= self.bytes
    }

    /// What the smallest tree of the depth costs by a saving.
    fn least(self, table: &Table, saving: Saving) -> Cost {
        let root = Cost { bytes: 0, nodes: 1 };
        let step = table.minima().closing(saving, table.start(), self.depth);
        step.map_or(root, |step| root.plus(step.cost))
    }

    /// The saving by which the start rule closes within the budget.
    pub(crate) fn saving(self, table: &Table) -> Result<Saving, BudgetError> {
        let fail = |least| Err(BudgetError { budget: self, least });
        let minima = table.minima();
        let start = table.start();
        let least = minima.rule_height(start);
        if least > self.depth {
            return fail(Least::Depth(least));
        }
        if let Some(saving) =
            [Saving::Bytes, Saving::Nodes].into_iter().find(|&saving| self.is_met_by(table, saving))
        {
            return Ok(saving);
        }
        let [by_bytes, by_nodes] =
            [Saving::Bytes, Saving::Nodes].map(|saving| self.least(table, saving));
        if by_nodes.nodes > self.nodes {
            fail(Least::Nodes(by_nodes.nodes))
        } else if by_bytes.bytes > self.bytes {
            fail(Least::Bytes(by_bytes.bytes))
        } else {
            fail(Least::Together)
        }
    }
}
