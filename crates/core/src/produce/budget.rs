//! What a tree may cost, what of that is spent, and why none can be had.

use std::fmt;

use crate::table::{Cost, Objective, Table};

/// The greatest depth, nodes and bytes of one tree, which production never exceeds.
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

/// Bounds on one tree, as far as they are set: what is not has a default that depends on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeLimits {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) bytes: Option<u64>,
}

impl TreeLimits {
    /// None of the bounds.
    pub fn new() -> Self {
        Self::default()
    }

    /// The greatest depth, or none.
    #[must_use]
    pub fn max_depth(mut self, depth: impl Into<Option<u32>>) -> Self {
        self.depth = depth.into();
        self
    }

    /// The most nodes, or none.
    #[must_use]
    pub fn max_nodes(mut self, nodes: impl Into<Option<u64>>) -> Self {
        self.nodes = nodes.into();
        self
    }

    /// The most bytes of the yield, or none.
    #[must_use]
    pub fn max_bytes(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.bytes = bytes.into();
        self
    }

    /// The greatest depth, if that is set.
    pub fn get_max_depth(&self) -> Option<u32> {
        self.depth
    }

    /// The most nodes, if that is set.
    pub fn get_max_nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The most bytes of the yield, if that is set.
    pub fn get_max_bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// The budget, with defaults for depth and nodes; bytes have no bound by default.
    pub(super) fn or(self, depth: impl FnOnce() -> u32, nodes: impl FnOnce(u32) -> u64) -> Budget {
        let depth = self.depth.unwrap_or_else(depth);
        let nodes = self.nodes.unwrap_or_else(|| nodes(depth));
        Budget { depth, nodes, bytes: self.bytes.unwrap_or(u64::MAX) }
    }
}

/// The setters that all options of production have, over a field `limits`; the arguments
/// are what their docs say of the defaults.
macro_rules! shared_setters {
    ($depth:literal, $nodes:literal, $bytes:literal) => {
        /// Bounds on a tree, all at once, in place of those set before.
        #[must_use]
        pub fn limits(mut self, limits: crate::produce::TreeLimits) -> Self {
            self.limits = limits;
            self
        }

        #[doc = concat!("The greatest depth of a tree. The default is ", $depth)]
        #[must_use]
        pub fn max_depth(mut self, depth: u32) -> Self {
            self.limits = self.limits.max_depth(depth);
            self
        }

        #[doc = concat!("The most nodes of a tree. The default is ", $nodes)]
        #[must_use]
        pub fn max_nodes(mut self, nodes: u64) -> Self {
            self.limits = self.limits.max_nodes(nodes);
            self
        }

        #[doc = concat!("The most bytes of a yield. The default is no bound", $bytes)]
        #[must_use]
        pub fn max_bytes(mut self, bytes: u64) -> Self {
            self.limits = self.limits.max_bytes(bytes);
            self
        }
    };
}

pub(super) use shared_setters;

/// Why no tree can be produced within a budget.
#[derive(Clone, Copy, PartialEq, Eq)]
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

crate::displayed::displayed!(BudgetError);

impl std::error::Error for BudgetError {}

impl Budget {
    /// Whether a tree may cost so much.
    #[inline]
    pub(crate) fn allows(self, cost: Cost) -> bool {
        // What is beyond either, in one comparison.
        cost.nodes.saturating_sub(self.nodes) | cost.bytes.saturating_sub(self.bytes) == 0
    }

    /// Whether the start rule closes within the budget by an objective.
    pub(crate) fn is_met_by(self, table: &Table, objective: Objective) -> bool {
        table.minima().rule_height(table.start()) <= self.depth
            && self.allows(self.least(table, objective))
    }

    /// What the smallest tree of the depth costs by an objective.
    pub(super) fn least(self, table: &Table, objective: Objective) -> Cost {
        let root = Cost { bytes: 0, nodes: 1 };
        let closing = table.minima().closing(objective, table.start(), self.depth);
        closing.map_or(root, |point| root.plus(point.cost))
    }

    /// The objective by which the start rule closes within the budget.
    pub(crate) fn objective(self, table: &Table) -> Result<Objective, BudgetError> {
        let fail = |least| Err(BudgetError { budget: self, least });
        let minima = table.minima();
        let start = table.start();
        let least = minima.rule_height(start);
        if least > self.depth {
            return fail(Least::Depth(least));
        }
        if let Some(objective) = [Objective::Bytes, Objective::Nodes]
            .into_iter()
            .find(|&objective| self.is_met_by(table, objective))
        {
            return Ok(objective);
        }
        let [by_bytes, by_nodes] =
            [Objective::Bytes, Objective::Nodes].map(|objective| self.least(table, objective));
        if by_nodes.nodes > self.nodes {
            fail(Least::Nodes(by_nodes.nodes))
        } else if by_bytes.bytes > self.bytes {
            fail(Least::Bytes(by_bytes.bytes))
        } else {
            fail(Least::Together)
        }
    }
}

/// What a tree in the making has spent: production asks here before each node for which nothing was reserved, so that no
/// tree exceeds its budget.
#[derive(Clone, Copy, Default)]
pub(super) struct Spending {
    /// Nodes and bytes used so far.
    pub(super) used: Cost,
    /// What closing all that is pending costs at least.
    pub(super) reserved: Cost,
}

impl Spending {
    /// What is used when all that is pending is closed at the least cost.
    #[inline]
    pub(super) fn total(self) -> Cost {
        self.used.plus(self.reserved)
    }

    /// Whether a budget allows so much more.
    #[inline]
    pub(super) fn leaves(self, budget: Budget, cost: Cost) -> bool {
        budget.allows(self.total().plus(cost))
    }

    /// The bytes that a budget leaves beside so much more.
    #[inline]
    pub(super) fn bytes_beside(self, budget: Budget, cost: Cost) -> u64 {
        budget.bytes.saturating_sub(self.total().plus(cost).bytes)
    }

    /// Sets so much aside for what is pending.
    #[inline]
    pub(super) fn reserve(&mut self, cost: Cost) {
        self.reserved = self.reserved.plus(cost);
    }

    /// Gives back what was set aside for what is no longer pending.
    #[inline]
    pub(super) fn release(&mut self, cost: Cost) {
        self.reserved = self.reserved.minus(cost);
    }

    /// Uses so much.
    #[inline]
    pub(super) fn take(&mut self, cost: Cost) {
        self.used = self.used.plus(cost);
    }
}
