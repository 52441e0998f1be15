//! What a corpus covers, and what it leaves out.
//!
//! Trees are measured by workers, in any number of threads, and the results are merged in the order
//! of the inputs. A worker hands over only the walks that are new to itself: what it has seen before
//! came from an earlier input, if each worker takes its inputs in order, and was merged then. So the
//! merged figures, the growth over inputs too, are those of one worker that takes all.

use std::cmp::Reverse;

use super::hits::Hits;
use crate::kpath::{Coverage, CoverageSummary, KPathError, Scope};
use crate::table::{OccurrenceId, RuleId, Table};
use crate::tree::Tree;

/// The coverage of a set of inputs: figures, hits of each rule, and growth with each input.
///
/// # Examples
///
/// ```
/// use pleach::{Seeded, kpath::Scope, table::Table, tree::Tree};
/// use pleach::{produce::{Options, Producer}, report::Corpus};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let mut corpus = Corpus::new(&table, 2, Scope::UpTo, 1000)?;
/// let mut worker = corpus.worker();
/// let (mut producer, mut tree) = (Producer::new(&table, Options::new())?, Tree::new());
/// for seed in 0..3 {
///     producer.produce(&mut Seeded::new(seed), &mut tree);
///     let new = worker.measure(&tree);
///     corpus.merge(&new);
/// }
/// corpus.absorb(&worker);
/// let summary = corpus.summary();
/// assert_eq!((summary.total, corpus.growth().len()), (7 + 9, 3));
/// assert_eq!(corpus.gaps(1000).len() as u64, summary.total - summary.covered);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Corpus<'t> {
    table: &'t Table,
    /// As it was at the beginning, for workers.
    empty: Coverage,
    coverage: Coverage,
    hits: Hits,
    growth: Vec<u64>,
}

impl<'t> Corpus<'t> {
    /// An empty corpus.
    ///
    /// # Errors
    ///
    /// As [`Coverage::new`].
    pub fn new(table: &'t Table, k: usize, scope: Scope, limit: u64) -> Result<Self, KPathError> {
        let empty = Coverage::new(table, k, scope, limit)?;
        let coverage = empty.clone();
        Ok(Self { table, empty, coverage, hits: Hits::new(table), growth: Vec::new() })
    }

    /// Counts repetitions as well, as [`Coverage::with_repetitions`] does; they count as covered once
    /// their worker is absorbed.
    #[must_use]
    pub fn with_repetitions(mut self) -> Self {
        self.empty = self.empty.with_repetitions(self.table);
        self.coverage = self.coverage.with_repetitions(self.table);
        self
    }

    /// The table that all is about.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// A worker that has seen no tree.
    pub fn worker(&self) -> CorpusWorker {
        CorpusWorker { coverage: self.empty.clone(), hits: Hits::new(self.table) }
    }

    /// Adds an input by what [`CorpusWorker::measure`] gave, in the order of the inputs; gives how
    /// many k-paths it is the first to cover.
    pub fn merge(&mut self, ranks: &[u32]) -> u64 {
        let new = ranks.iter().filter(|&&rank| self.coverage.insert(rank)).count() as u64;
        self.growth.push(self.coverage.covered());
        new
    }

    /// Adds how often a worker met each part of the grammar; once for each worker.
    pub fn absorb(&mut self, worker: &CorpusWorker) {
        self.hits.merge(&worker.hits);
        self.coverage.merge_counts(&worker.coverage);
    }

    /// What is covered.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// How often each part of the grammar is used.
    pub fn hits(&self) -> &Hits {
        &self.hits
    }

    /// How many k-paths are covered by the first input, by the first two, and so on.
    pub fn growth(&self) -> &[u64] {
        &self.growth
    }

    /// The figures.
    pub fn summary(&self) -> CoverageSummary {
        self.coverage.summary()
    }

    /// How many k-paths are covered here and not by another corpus of the same table and lengths.
    pub fn beyond(&self, other: &Self) -> u64 {
        let goals = self.coverage.index().goals();
        let new = |&rank: &u32| self.coverage.contains(rank) && !other.coverage.contains(rank);
        goals.filter(new).count() as u64
    }

    /// For each length that is a goal: the length, how many k-paths are covered, and of how many.
    pub fn lengths(&self) -> Vec<(usize, u64, u64)> {
        let index = self.coverage.index();
        let first = if index.scope() == Scope::Exact { index.k() } else { 1 };
        (first..=index.k())
            .map(|length| {
                let total = index.block(length).len() as u64;
                (length, self.coverage.covered_of_length(length), total)
            })
            .collect()
    }

    /// For each named rule: how many k-paths that begin in its body are covered, and of how many.
    pub fn rules(&self) -> Vec<(u64, u64)> {
        let index = self.coverage.index();
        let mut figures = vec![(0, 0); self.table.named_rule_count()];
        let mut walk = Vec::new();
        for rank in index.goals() {
            index.walk(rank, &mut walk);
            let owner = self.table.owner(self.table.occurrence_site(walk[0]).alternative);
            let (covered, total): &mut (u64, u64) = &mut figures[owner.index()];
            *total += 1;
            *covered += u64::from(self.coverage.contains(rank));
        }
        figures
    }

    /// How many k-paths begin at each occurrence, covered and in all.
    pub fn occurrences(&self) -> Vec<(u64, u64)> {
        let index = self.coverage.index();
        let mut figures = vec![(0, 0); self.table.occurrence_count()];
        let mut walk = Vec::new();
        for rank in index.goals() {
            index.walk(rank, &mut walk);
            let (covered, total): &mut (u64, u64) = &mut figures[walk[0].index()];
            *total += 1;
            *covered += u64::from(self.coverage.contains(rank));
        }
        figures
    }

    /// The first k-paths that are not covered, `most` at the most: the minimal ones first; of these
    /// those that unlock the most, then the shorter, then what stands earlier in the grammar.
    ///
    /// All uncovered k-paths are looked at, with memory for two times `most`.
    pub fn gaps(&self, most: usize) -> Vec<CoverageGap> {
        let index = self.coverage.index();
        let (k, exact) = (index.k(), index.scope() == Scope::Exact);
        let chains = Chains::new(self.table, k);
        let mut walk: Vec<OccurrenceId> = Vec::new();
        let covered = |part: &[OccurrenceId]| {
            part.is_empty() || index.rank(part).is_some_and(|rank| self.coverage.contains(rank))
        };
        let order = |gap: &CoverageGap| (!gap.minimal, Reverse(gap.unlocks), gap.length, gap.rank);
        let mut gaps: Vec<CoverageGap> = Vec::new();
        for rank in self.coverage.uncovered() {
            index.walk(rank, &mut walk);
            let length = walk.len();
            let (first, last) = (walk[0], walk[length - 1]);
            let mut unlocks = 0_u64;
            for longer in if exact { k..=k } else { length..=k } {
                for before in 0..=longer - length {
                    let ways = chains.before(before, first);
                    let on = chains.after(longer - length - before, last);
                    unlocks = unlocks.saturating_add(ways.saturating_mul(on));
                }
            }
            let minimal = exact || (covered(&walk[1..]) && covered(&walk[..length - 1]));
            gaps.push(CoverageGap { rank, length, unlocks, minimal });
            if gaps.len() >= most.saturating_mul(2).max(1024) {
                // The order is total, so what is kept does not depend on when this is done.
                gaps.select_nth_unstable_by_key(most, order);
                gaps.truncate(most);
            }
        }
        gaps.sort_unstable_by_key(order);
        gaps.truncate(most);
        gaps
    }

    /// The rules of which no alternative is used, but for those that are parse-only.
    pub fn unused_rules(&self) -> impl Iterator<Item = RuleId> + '_ {
        self.table.produced_rules().filter(|&rule| self.hits.rule(self.table, rule) == 0)
    }
}

/// What is covered by parts of inputs that are not of the grammar as a whole: see
/// [`PartialParser`](crate::parse::PartialParser).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PartsSummary {
    /// Inputs that are not of the grammar.
    pub files: usize,
    /// Parts of them that were read.
    pub parts: usize,
    /// Bytes of the parts.
    pub bytes: u64,
    /// Bytes of the inputs.
    pub of: u64,
    /// What the parts cover, whole inputs left aside.
    pub kpath: CoverageSummary,
    /// The k-paths among these that no whole input covers.
    pub new: u64,
}

/// A k-path that is not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverageGap {
    /// Its rank in the [`PathIndex`](crate::kpath::PathIndex).
    pub rank: u32,
    /// How many nodes it has.
    pub length: usize,
    /// How many uncovered k-paths have it as a part, itself included: none of them can be covered
    /// without it. Where it is in one more than once, that one counts so often.
    pub unlocks: u64,
    /// Whether no shorter uncovered k-path is a part of it: it is where something is left out.
    pub minimal: bool,
}

/// Measures trees, one after the other.
#[derive(Clone, Debug)]
pub struct CorpusWorker {
    coverage: Coverage,
    hits: Hits,
}

impl CorpusWorker {
    /// Counts a tree, and gives the ranks of the k-paths that no earlier tree of this worker covers.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table than the corpus is; [`Tree::check`] tells.
    pub fn measure(&mut self, tree: &Tree) -> Vec<u32> {
        let mut new = Vec::new();
        self.coverage.add_seen(tree, |rank| new.push(rank), |node| self.hits.see(node));
        new
    }

    /// As [`CorpusWorker::measure`], and gives the ranks of all k-paths that the tree covers.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table than the corpus is; [`Tree::check`] tells.
    pub fn measure_whole(&mut self, tree: &Tree) -> Vec<u32> {
        let new = self.measure(tree);
        new.iter().for_each(|&rank| self.coverage.remove(rank));
        new
    }
}

/// How many walks of so many nodes lead to an occurrence and go on from it.
struct Chains {
    /// By number of nodes before and by occurrence.
    before: Vec<Vec<u64>>,
    after: Vec<Vec<u64>>,
}

impl Chains {
    fn new(table: &Table, k: usize) -> Self {
        let count = table.occurrence_count();
        let all = || (0..count as u32).map(OccurrenceId::new);
        let (mut before, mut after) = (vec![vec![1; count]], vec![vec![1; count]]);
        for length in 1..k {
            // Of a rule: the walks that end in a reference to it, and those that begin in its body.
            let (mut into, mut from) =
                (vec![0_u64; table.rule_count()], vec![0_u64; table.rule_count()]);
            for occurrence in all() {
                let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
                if let Some(rule) = table.target(occurrence) {
                    add(&mut into[rule.index()], before[length - 1][occurrence.index()]);
                }
                let owner = table.owner(table.occurrence_site(occurrence).alternative);
                add(&mut from[owner.index()], after[length - 1][occurrence.index()]);
            }
            before.push(
                all()
                    .map(|occurrence| {
                        let site = table.occurrence_site(occurrence);
                        into[table.owner(site.alternative).index()]
                    })
                    .collect(),
            );
            after.push(
                all()
                    .map(|occurrence| table.target(occurrence).map_or(0, |rule| from[rule.index()]))
                    .collect(),
            );
        }
        Self { before, after }
    }

    /// The walks of so many nodes before an occurrence.
    fn before(&self, nodes: usize, occurrence: OccurrenceId) -> u64 {
        self.before[nodes][occurrence.index()]
    }

    /// The walks of so many nodes after an occurrence.
    fn after(&self, nodes: usize, occurrence: OccurrenceId) -> u64 {
        self.after[nodes][occurrence.index()]
    }
}

/// A small subset of some inputs that covers what all of them cover.
///
/// An input is its size in bytes and the ranks that it covers, all below `ranks`. The inputs are
/// taken smallest first, of equal ones the earlier first, and kept if they cover something new; then
/// those are dropped, largest first, whose ranks others that are kept have as well. So no input of
/// the subset can be left out. What is given are indices, ascending.
///
/// # Panics
///
/// Where a rank is not below `ranks`.
///
/// # Examples
///
/// ```
/// let inputs = [(3, vec![0, 1]), (1, vec![0]), (1, vec![0]), (2, vec![1, 2]), (9, vec![0, 3])];
/// assert_eq!(pleach::report::minimal_subset(&inputs, 4), [3, 4]);
/// ```
pub fn minimal_subset(inputs: &[(u64, Vec<u32>)], ranks: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&index| (inputs[index].0, index));
    // How many inputs that are kept cover each rank.
    let mut times = vec![0_u32; ranks as usize];
    let mut kept = Vec::new();
    for index in order {
        let own = &inputs[index].1;
        if own.iter().any(|&rank| times[rank as usize] == 0) {
            own.iter().for_each(|&rank| times[rank as usize] += 1);
            kept.push(index);
        }
    }
    let mut left = Vec::with_capacity(kept.len());
    for index in kept.into_iter().rev() {
        let own = &inputs[index].1;
        if own.iter().all(|&rank| times[rank as usize] > 1) {
            own.iter().for_each(|&rank| times[rank as usize] -= 1);
        } else {
            left.push(index);
        }
    }
    left.sort_unstable();
    left
}
