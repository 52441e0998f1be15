//! The least heights, and the cheapest ways to close a tree within a remaining height.
//!
//! Closing must be a look-up that always ends. For each rule there is a Pareto front of height and cost: by each
//! of its points, with at least this height left, this alternative closes the rule at this cost. The first point is the
//! least height at all, the last one the least cost at all, and a point is there only where more
//! height buys a lower cost: the alternative of least height need not be that of least length.
//! The alternative of a point closes its items by points of smaller height, so following them ends.
//!
//! A rule keeps [`EXACT_POINTS`] points exactly; after these a point is kept only if it saves an eighth, so
//! that no grammar makes the fronts quadratic.
//!
//! Two costs can be wanted, few bytes or few nodes, and each has its own fronts.

use super::id::{AlternativeId, OccurrenceId, RuleId};
use super::production::Table;
use super::symbol::{Symbol, SymbolKind};
use crate::pack::packed;

/// How many points of a rule are exact minima for their heights.
pub const EXACT_POINTS: usize = 32;

/// An amount of bytes and of nodes, what closing a part of a tree adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes of its yield, where layout that may be needed between tokens counts as needed.
    pub bytes: u64,
    /// Nodes: occurrences, groups, repetitions and layout.
    pub nodes: u64,
}

impl Cost {
    /// The sum, saturating.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            nodes: self.nodes.saturating_add(other.nodes),
        }
    }

    /// The difference, which is not below zero.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(other.bytes),
            nodes: self.nodes.saturating_sub(other.nodes),
        }
    }

    /// The greater of each.
    #[inline]
    #[must_use]
    pub fn greatest(self, other: Self) -> Self {
        Self { bytes: self.bytes.max(other.bytes), nodes: self.nodes.max(other.nodes) }
    }

    /// The cost `count` times, saturating.
    #[inline]
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Self {
            bytes: self.bytes.saturating_mul(u64::from(count)),
            nodes: self.nodes.saturating_mul(u64::from(count)),
        }
    }
}

/// What closing minimizes: the objective whose Pareto front is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Bytes first, then nodes.
    #[default]
    Bytes,
    /// Nodes first, then bytes.
    Nodes,
}

impl Objective {
    /// Costs in the order of what is saved.
    #[inline]
    pub(crate) fn key(self, cost: Cost) -> (u64, u64) {
        match self {
            Self::Bytes => (cost.bytes, cost.nodes),
            Self::Nodes => (cost.nodes, cost.bytes),
        }
    }
}

/// A point of a rule's Pareto front of height and cost: a way to close the rule than which none is both
/// flatter and cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontPoint {
    /// The height from which on the point can be taken.
    pub height: u32,
    /// The alternative that closes.
    pub alternative: AlternativeId,
    /// What the rule's content costs then, without the node that references it.
    pub cost: Cost,
}

/// The Pareto fronts of all rules for one objective.
#[derive(Clone, Debug, Default)]
pub(super) struct Fronts {
    /// The points of rule `r` are `points[offsets[r]..offsets[r + 1]]`, by rising height.
    pub(super) offsets: Vec<u32>,
    pub(super) points: Vec<FrontPoint>,
}

/// The least heights of a table's rules and alternatives, and what closing them costs at least.
#[derive(Clone, Debug, Default)]
pub struct Minima {
    /// The least height of each alternative.
    pub(super) alternative_heights: Vec<u32>,
    /// The least height of each rule.
    pub(super) rule_heights: Vec<u32>,
    pub(super) by_bytes: Fronts,
    pub(super) by_nodes: Fronts,
    /// What each occurrence costs by itself: its node, the bytes of a terminal, and layout where
    /// it is a token.
    pub(super) occurrence_costs: Vec<Cost>,
}

impl Minima {
    /// The least height of a rule: the edges from a reference to it down to its deepest
    /// occurrence in the flattest derivation. A rule that derives the empty string has 0, one
    /// that derives terminals only has 1; groups and repetitions add nothing.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn rule_height(&self, rule: RuleId) -> u32 {
        self.rule_heights[rule.index()]
    }

    /// The least height of a rule that is expanded by this alternative.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn alternative_height(&self, alternative: AlternativeId) -> u32 {
        self.alternative_heights[alternative.index()]
    }

    /// The least height of a rule whose alternative has this item.
    ///
    /// # Panics
    ///
    /// Where the symbol or identifier, or the table, is not that of these minima.
    #[inline]
    pub fn symbol_height(&self, table: &Table, symbol: Symbol) -> u32 {
        symbol_height(table, &self.rule_heights, symbol)
    }

    /// The cheapest way to close a rule with `height` left; none where that is not enough.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn closing(&self, objective: Objective, rule: RuleId, height: u32) -> Option<FrontPoint> {
        let fronts = self.fronts(objective);
        let row = fronts.offsets[rule.index()] as usize..fronts.offsets[rule.index() + 1] as usize;
        fronts.points[row].iter().rev().find(|point| point.height <= height).copied()
    }

    /// All points of a rule, by rising height and falling cost.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    pub fn front(&self, objective: Objective, rule: RuleId) -> &[FrontPoint] {
        let fronts = self.fronts(objective);
        &fronts.points
            [fronts.offsets[rule.index()] as usize..fronts.offsets[rule.index() + 1] as usize]
    }

    /// What an item costs when it is closed with `height` left for the rule it stands in, its own
    /// node included; none where the height is not enough.
    ///
    /// # Panics
    ///
    /// Where the symbol or identifier, or the table, is not that of these minima.
    #[inline]
    pub fn symbol_cost(
        &self,
        table: &Table,
        objective: Objective,
        symbol: Symbol,
        height: u32,
    ) -> Option<Cost> {
        const NODE: Cost = Cost { bytes: 0, nodes: 1 };
        match symbol.kind() {
            SymbolKind::Reference(occurrence) => {
                let rule = RuleId::new(table.targets[occurrence.index()]);
                let own = self.occurrence_costs[occurrence.index()];
                Some(own.plus(self.closing(objective, rule, height.checked_sub(1)?)?.cost))
            }
            SymbolKind::Terminal(occurrence) => {
                (height > 0).then(|| self.occurrence_costs[occurrence.index()])
            }
            SymbolKind::Group(rule) | SymbolKind::Root(rule) => {
                Some(NODE.plus(self.closing(objective, rule, height)?.cost))
            }
            SymbolKind::Repetition(repetition) => {
                let repetition = table.repetition(repetition);
                if repetition.min == 0 {
                    return Some(NODE);
                }
                let element = self.symbol_cost(table, objective, repetition.element, height)?;
                Some(NODE.plus(element.times(repetition.min)))
            }
            SymbolKind::Layout => Some(NODE),
        }
    }

    /// What the items of an alternative cost with `height` left; none where it is not enough.
    ///
    /// # Panics
    ///
    /// Where the symbol or identifier, or the table, is not that of these minima.
    #[inline]
    pub fn alternative_cost(
        &self,
        table: &Table,
        objective: Objective,
        alternative: AlternativeId,
        height: u32,
    ) -> Option<Cost> {
        if height < self.alternative_height(alternative) {
            return None;
        }
        table.items(alternative).iter().try_fold(Cost::default(), |sum, &item| {
            Some(sum.plus(self.symbol_cost(table, objective, item, height)?))
        })
    }

    /// What an occurrence costs by itself: its node, the bytes of a terminal, and layout where it
    /// is a token.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn occurrence_cost(&self, occurrence: OccurrenceId) -> Cost {
        self.occurrence_costs[occurrence.index()]
    }

    fn fronts(&self, objective: Objective) -> &Fronts {
        match objective {
            Objective::Bytes => &self.by_bytes,
            Objective::Nodes => &self.by_nodes,
        }
    }
}

pub(super) fn symbol_height(table: &Table, heights: &[u32], symbol: Symbol) -> u32 {
    match symbol.kind() {
        SymbolKind::Reference(occurrence) => {
            let rule = table.targets[occurrence.index()] as usize;
            heights[rule].saturating_add(1)
        }
        SymbolKind::Terminal(_) => 1,
        SymbolKind::Group(rule) | SymbolKind::Root(rule) => heights[rule.index()],
        SymbolKind::Repetition(repetition) => {
            let repetition = table.repetition(repetition);
            if repetition.min == 0 { 0 } else { symbol_height(table, heights, repetition.element) }
        }
        SymbolKind::Layout => 0,
    }
}

packed!(struct Cost { bytes, nodes });
packed!(struct FrontPoint { height, alternative, cost });
packed!(struct Fronts { offsets, points });
packed!(struct Minima { alternative_heights, rule_heights, by_bytes, by_nodes, occurrence_costs });
