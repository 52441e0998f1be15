//! Which k-paths some trees cover: a bit for each rank.

use std::ops::Range;
use std::sync::Arc;

use super::index::{KPathError, PathIndex, Scope};
use super::windows::Windows;
use crate::table::{AlternativeId, OccurrenceId, RepetitionId, SymbolKind, Table};
use crate::tree::{Node, Tree};

/// The k-paths, and on request the counts of repetitions, that a set of trees covers.
///
/// Each node of a tree ends a walk of at most k nodes: the longest such walk stands for all
/// shorter ones that end there, for when it is covered they are. So a node costs one rank and one
/// bit, and only a walk seen for the first time costs more.
#[derive(Clone, Debug)]
pub struct Coverage {
    index: PathIndex,
    bits: Vec<u64>,
    /// Covered walks by length, from length 1 on.
    covered: Vec<u64>,
    repetitions: Option<RepetitionCounts>,
    /// Shared by clones: it is the largest part, and never changes.
    windows: Arc<Windows>,
    /// How many items each alternative has.
    arities: Vec<u32>,
    /// The occurrences from here on are parse-only.
    goals: u32,
    walk: Vec<OccurrenceId>,
    open: Vec<Open>,
}

/// A node whose children are to come.
#[derive(Clone, Copy, Debug)]
struct Open {
    children: u32,
    /// The state of the walk that ends in the node, or in the reference around it.
    state: u32,
}

/// The figures of a coverage: how many goals are covered, feasible and infeasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CoverageSummary {
    /// The greatest length.
    pub k: usize,
    /// Whether shorter walks count.
    #[cfg_attr(feature = "serde", serde(rename = "mode"))]
    pub scope: Scope,
    /// Goals covered.
    pub covered: u64,
    /// Goals that are feasible.
    pub total: u64,
    /// Goals for which no tree within the budget is found.
    pub infeasible: u64,
}

impl Coverage {
    /// An empty coverage of a table's k-paths.
    ///
    /// # Errors
    ///
    /// As [`PathIndex::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::{kpath::{Coverage, Scope}, table::Table};
    /// use pleach::{Seeded, produce::{Mode, Options, Producer}, tree::Tree};
    ///
    /// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
    /// let mut coverage = Coverage::new(&table, 2, Scope::UpTo, 1000)?;
    /// let mut producer = Producer::new(&table, Options::new().mode(Mode::Uniform))?;
    /// let (mut source, mut tree) = (Seeded::new(1), Tree::new());
    /// for _ in 0..100 {
    ///     producer.produce(&mut source, &mut tree);
    ///     coverage.add(&tree);
    /// }
    /// assert_eq!((coverage.covered(), coverage.total()), (16, 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[pleach_unhooked::unhooked]
    pub fn new(table: &Table, k: usize, scope: Scope, limit: u64) -> Result<Self, KPathError> {
        let index = PathIndex::new(table, k, scope, limit)?;
        let mut bits = vec![0; (index.len() as usize).div_ceil(64)];
        // Shorter walks that are no goals count as covered, so that none is ever new.
        for rank in 0..index.goals().start as usize {
            bits[rank / 64] |= 1 << (rank % 64);
        }
        Ok(Self {
            bits,
            covered: vec![0; k],
            repetitions: None,
            windows: Arc::new(Windows::new(table, &index)),
            arities: (0..table.alternative_count() as u32)
                .map(|alternative| table.items(AlternativeId::new(alternative)).len() as u32)
                .collect(),
            goals: table.occurrence_count() as u32,
            walk: Vec::new(),
            open: Vec::new(),
            index,
        })
    }

    /// Counts repetitions as well: each of 0, 1 and 2 or more that its bounds allow is a goal.
    #[must_use]
    pub fn with_repetitions(mut self, table: &Table) -> Self {
        self.repetitions = Some(RepetitionCounts::new(table));
        self
    }

    /// The ranks of the paths.
    pub fn index(&self) -> &PathIndex {
        &self.index
    }

    /// Whether the walk of this rank is covered.
    #[inline]
    pub fn contains(&self, rank: u32) -> bool {
        self.index.goals().contains(&rank) && self.is_settled(rank)
    }

    /// Whether the walk of this rank is covered, or is no goal.
    #[inline]
    fn is_settled(&self, rank: u32) -> bool {
        self.bits[rank as usize / 64] >> (rank % 64) & 1 == 1
    }

    /// Goals covered.
    pub fn covered(&self) -> u64 {
        let paths = match self.index.scope() {
            Scope::UpTo => self.covered.iter().sum(),
            Scope::Exact => self.covered[self.index.k() - 1],
        };
        paths + self.repetitions.as_ref().map_or(0, |counts| counts.covered)
    }

    /// All goals.
    pub fn total(&self) -> u64 {
        self.index.goals().len() as u64 + self.repetitions.as_ref().map_or(0, |counts| counts.total)
    }

    /// The walks of exactly `length` nodes that are covered; 0 for a length that is no goal.
    pub fn covered_of_length(&self, length: usize) -> u64 {
        length.checked_sub(1).and_then(|index| self.covered.get(index)).copied().unwrap_or(0)
    }

    /// The ranks of the goals that are not covered, ascending.
    pub fn uncovered(&self) -> impl Iterator<Item = u32> + '_ {
        self.index.goals().filter(|&rank| !self.contains(rank))
    }

    /// The first goal at or after a rank that is not covered, of the next `most`; going on at the
    /// first goal after the last.
    pub(crate) fn uncovered_near(&self, rank: u32, most: u32) -> Option<u32> {
        let goals = self.index.goals();
        let ahead = goals.end.saturating_sub(rank).min(most);
        let around = most.min(goals.len() as u32) - ahead;
        let found = self.first_unsettled(rank..rank + ahead);
        found.or_else(|| self.first_unsettled(goals.start..goals.start + around))
    }

    fn first_unsettled(&self, ranks: Range<u32>) -> Option<u32> {
        let (mut at, end) = (ranks.start, ranks.end);
        while at < end {
            let free = !self.bits[at as usize / 64] >> (at % 64);
            if free != 0 {
                return Some(at + free.trailing_zeros()).filter(|&found| found < end);
            }
            at = (at / 64 + 1).saturating_mul(64);
        }
        None
    }

    /// The figures, where all goals are feasible.
    pub fn summary(&self) -> CoverageSummary {
        CoverageSummary {
            k: self.index.k(),
            scope: self.index.scope(),
            covered: self.covered(),
            total: self.total(),
            infeasible: 0,
        }
    }

    /// Adds what a tree covers, and gives how many goals are newly covered.
    ///
    /// The tree must be of the table that the coverage was made for.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn add(&mut self, tree: &Tree) -> u64 {
        self.add_each(tree, |_| {})
    }

    /// As [`Coverage::add`], and hands over the rank of each walk that is newly covered.
    ///
    /// Walks of any length up to k are handed over, in scope or not, except those shorter ones that
    /// the scope leaves out.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn add_each(&mut self, tree: &Tree, new: impl FnMut(u32)) -> u64 {
        self.add_seen(tree, new, |_| {})
    }

    /// As [`Coverage::add_each`], and hands over each node: one pass over a tree is cheaper than two.
    #[inline]
    #[doc(hidden)]
    pub fn add_seen(
        &mut self,
        tree: &Tree,
        mut new: impl FnMut(u32),
        mut seen: impl FnMut(Node),
    ) -> u64 {
        let before = self.covered();
        self.trace(
            tree.nodes(),
            |coverage, rank| coverage.see(rank, &mut new),
            |coverage, node| {
                coverage.see_count(node);
                seen(node);
            },
        );
        self.covered() - before
    }

    /// Adds what the tree of some nodes covers, which need not be its own vector.
    pub(crate) fn add_nodes(&mut self, nodes: &[Node]) {
        if self.covered() == self.total() {
            return;
        }
        let see = |coverage: &mut Self, rank| coverage.see(rank, &mut |_| {});
        match self.repetitions {
            None => self.trace(nodes, see, |_, _| {}),
            Some(_) => self.trace(nodes, see, Self::see_count),
        }
    }

    /// Hands over the rank of the longest walk that ends at each node, and adds nothing.
    pub(crate) fn each_rank(&mut self, nodes: &[Node], mut each: impl FnMut(u32)) {
        self.trace(nodes, |_, rank| each(rank), |_, _| {});
    }

    fn see_count(&mut self, node: Node) {
        if let SymbolKind::Repetition(repetition) = node.symbol.kind()
            && let Some(counts) = &mut self.repetitions
        {
            counts.see(repetition, node.choice);
        }
    }

    /// Goes through the nodes of a tree: each, and the rank of the longest walk that ends there.
    #[inline]
    fn trace(
        &mut self,
        nodes: &[Node],
        mut ends: impl FnMut(&mut Self, u32),
        mut seen: impl FnMut(&mut Self, Node),
    ) {
        let mut open = std::mem::take(&mut self.open);
        let mut top = Open { children: u32::MAX, state: 0 };
        // No more nodes are open than there are.
        if open.len() < nodes.len() {
            open.resize(nodes.len(), top);
        }
        let mut depth = 0_usize;
        let mut state = self.windows.state(0);
        for &node in nodes {
            seen(self, node);
            let (children, below) = match node.symbol.kind() {
                SymbolKind::Terminal(occurrence) => {
                    if occurrence.get() < self.goals {
                        ends(self, state.rank.wrapping_add(occurrence.get()));
                    }
                    (0, top.state)
                }
                // No walk leads through what is parse-only: below it walks begin anew.
                SymbolKind::Reference(occurrence) if occurrence.get() >= self.goals => {
                    (self.arities[node.choice as usize], 0)
                }
                SymbolKind::Reference(occurrence) => {
                    ends(self, state.rank.wrapping_add(occurrence.get()));
                    let below = self.windows.below(state, occurrence.get());
                    (self.arities[node.choice as usize], below)
                }
                SymbolKind::Group(_) | SymbolKind::Root(_) => {
                    (self.arities[node.choice as usize], top.state)
                }
                SymbolKind::Repetition(_) => (node.choice, top.state),
                SymbolKind::Layout => continue,
            };
            if children > 0 {
                open[depth] = top;
                depth = depth.wrapping_add(1);
                top = Open { children, state: below };
                state = self.windows.state(below);
                continue;
            }
            // A node that is open has a child to come. Below the first is none that ends.
            top.children = top.children.wrapping_sub(1);
            if top.children > 0 {
                continue;
            }
            while top.children == 0 {
                depth = depth.wrapping_sub(1);
                top = open[depth];
                top.children = top.children.wrapping_sub(1);
            }
            state = self.windows.state(top.state);
        }
        self.open = open;
    }

    /// Covers the walk of one rank alone, and tells whether it is a goal that was not covered.
    ///
    /// What the walk ends with is not covered by this: the ranks that [`Coverage::add_each`] hands
    /// over have it already.
    pub fn insert(&mut self, rank: u32) -> bool {
        let new = self.index.goals().contains(&rank) && !self.is_settled(rank);
        if new {
            self.settle(rank, self.index.length(rank));
        }
        new
    }

    /// Covers the walk of one rank no more; to undo an [`Coverage::add_each`], for each of its ranks.
    pub fn remove(&mut self, rank: u32) {
        if self.contains(rank) {
            self.bits[rank as usize / 64] &= !(1 << (rank % 64));
            self.covered[self.index.length(rank) - 1] -= 1;
        }
    }

    /// Whether a goal of repetitions is covered: a count, where 2 stands for two and more.
    pub(crate) fn has_count(&self, repetition: RepetitionId, count: u32) -> bool {
        self.repetitions.as_ref().is_some_and(|counts| counts.saw(repetition, count))
    }

    /// Adds the counts of repetitions that another coverage of the same table has seen: what
    /// [`Coverage::insert`] is for k-paths.
    pub fn merge_counts(&mut self, other: &Self) {
        let (Some(mine), Some(theirs)) = (&mut self.repetitions, &other.repetitions) else {
            return;
        };
        for (index, &seen) in theirs.seen.iter().enumerate() {
            for count in (0..3).filter(|count| seen >> count & 1 == 1) {
                mine.see(RepetitionId::new(index as u32), count);
            }
        }
    }

    fn settle(&mut self, rank: u32, length: usize) {
        self.bits[rank as usize / 64] |= 1 << (rank % 64);
        self.covered[length - 1] += 1;
    }

    /// Covers the walk of a rank, if it is a goal.
    #[inline]
    fn see(&mut self, rank: u32, new: &mut impl FnMut(u32)) {
        if !self.is_settled(rank) {
            self.mark(rank, new);
        }
    }

    /// Covers a walk that was not covered, and what it ends with, down to what is covered.
    #[cold]
    fn mark(&mut self, rank: u32, new: &mut impl FnMut(u32)) {
        let mut walk = std::mem::take(&mut self.walk);
        self.index.walk(rank, &mut walk);
        for start in 0..walk.len() {
            let end = &walk[start..];
            let rank = if start == 0 { Some(rank) } else { self.index.rank(end) };
            let Some(rank) = rank.filter(|&rank| !self.is_settled(rank)) else { break };
            self.settle(rank, end.len());
            new(rank);
        }
        self.walk = walk;
    }
}

/// Which of the counts 0, 1 and "2 or more" of each repetition some trees have.
#[derive(Clone, Debug)]
pub(crate) struct RepetitionCounts {
    /// Three bits a repetition: possible.
    possible: Vec<u8>,
    /// Three bits a repetition: seen.
    seen: Vec<u8>,
    /// Three bits a repetition: possible once, and then given up.
    given_up: Vec<u8>,
    /// What was given up and has been seen after all, since it was last taken.
    regained: Vec<(RepetitionId, u32)>,
    pub(crate) covered: u64,
    pub(crate) total: u64,
}

impl RepetitionCounts {
    pub(crate) fn new(table: &Table) -> Self {
        let possible: Vec<u8> = (0..table.repetition_count() as u32)
            .map(|repetition| {
                let repetition = table.repetition(RepetitionId::new(repetition));
                if table.is_parse_only(repetition.alternative) {
                    return 0;
                }
                (0..3).fold(0, |bits, count: u32| {
                    let least = repetition.min <= count.max(if count == 2 { u32::MAX } else { 0 });
                    bits | u8::from(least && count <= repetition.max) << count
                })
            })
            .collect();
        let total = possible.iter().map(|bits| u64::from(bits.count_ones())).sum();
        Self {
            seen: vec![0; possible.len()],
            given_up: vec![0; possible.len()],
            regained: Vec::new(),
            possible,
            covered: 0,
            total,
        }
    }

    /// Records a count, and tells whether it is a goal that was not seen before.
    pub(crate) fn see(&mut self, repetition: RepetitionId, count: u32) -> bool {
        let bit = 1 << count.min(2);
        if self.restore(repetition, count) {
            self.regained.push((repetition, count.min(2)));
        }
        let seen = &mut self.seen[repetition.index()];
        let new = self.possible[repetition.index()] & !*seen & bit != 0;
        if new {
            *seen |= bit;
            self.covered += 1;
        }
        new
    }

    /// Whether a count (2 for two or more) has been seen.
    pub(crate) fn saw(&self, repetition: RepetitionId, count: u32) -> bool {
        self.seen[repetition.index()] & (1 << count.min(2)) != 0
    }

    /// Whether a count (2 for two or more) is a goal and not yet seen.
    pub(crate) fn wants(&self, repetition: RepetitionId, count: u32) -> bool {
        self.possible[repetition.index()] & !self.seen[repetition.index()] & (1 << count.min(2))
            != 0
    }

    /// Makes a count no goal.
    pub(crate) fn exclude(&mut self, repetition: RepetitionId, count: u32) {
        self.possible[repetition.index()] &= !(1 << count.min(2));
    }

    /// Gives up a count for which no tree is found.
    pub(crate) fn give_up(&mut self, repetition: RepetitionId, count: u32) {
        self.exclude(repetition, count);
        self.given_up[repetition.index()] |= 1 << count.min(2);
    }

    /// Makes a count a goal again if it was given up, and tells whether it was.
    pub(crate) fn restore(&mut self, repetition: RepetitionId, count: u32) -> bool {
        let bit = 1 << count.min(2);
        let found = self.given_up[repetition.index()] & bit != 0;
        if found {
            self.given_up[repetition.index()] &= !bit;
            self.possible[repetition.index()] |= bit;
        }
        found
    }

    /// What was given up and has been seen after all, since this was last asked.
    pub(crate) fn regained(&mut self) -> Vec<(RepetitionId, u32)> {
        std::mem::take(&mut self.regained)
    }

    /// The goals that are not seen, as a repetition and a count.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = (RepetitionId, u32)> + '_ {
        (0..self.possible.len() as u32)
            .map(RepetitionId::new)
            .flat_map(|id| (0..3).map(move |count| (id, count)))
            .filter(|&(id, count)| self.wants(id, count))
    }
}
