//! Production towards k-paths that are not covered yet.
//!
//! Each tree has one goal that it must cover, and a way to it: the shortest chain to the goal's
//! first occurrence, then the goal itself. Everywhere off the way, and below its end, choices are
//! greedy: of the alternatives that fit, the one with the most wanted goals behind the walks that
//! end there, and the cheapest way where there are none. A repetition goes on as long as its
//! element has wanted goals and the last one covered some. So a tree packs goals until it has
//! reached its size, and each tree covers at least its own goal.
//!
//! A goal that does not fit the budgets so is tried again with nothing else in its tree, then on the
//! cheapest ways, and then given up. Where a later tree covers it after all, it counts as covered.

use std::fmt;

use super::budget::{Budget, BudgetError, Limits, shared_setters};
use super::cheapest::{Cheapest, Target};
use super::expand::{Choices, Expansion, Frugality, Place};
use super::leaf::Characters;
use super::random::{LAYOUT, draw};
use super::route::Route;
use crate::entropy::Entropy;
use crate::kpath::{
    CoverageSummary, Feasibility, Goals, KPathError, PathIndex, Reason, RepetitionCounts, Scope,
};
use crate::table::{
    AlternativeId, OccurrenceId, RepetitionId, RuleId, Saving, Symbol, SymbolKind, Table,
};
use crate::tree::Tree;

/// How k-paths are covered.
///
/// No tree exceeds a budget. Which goals a depth forbids is known exactly, from the beginning. A
/// goal that needs more nodes or bytes than there are is found infeasible when its turn comes; where
/// one of the two is scarce and the other is not, no goal is that some tree within the budgets
/// covers, with two provisos: layout that may be needed between tokens is reckoned as needed, and
/// rules that have more than [`EXACT_STEPS`](crate::table::EXACT_STEPS) ways to get cheaper with
/// more height are closed by one that costs up to an eighth more. Where both are scarce at once, a
/// goal may be found infeasible that a tree covers which has neither the fewest bytes nor the fewest
/// nodes; should a tree made for another goal cover it, it counts as covered.
#[derive(Clone, Debug)]
pub struct CoverOptions {
    k: usize,
    scope: Scope,
    limits: Limits,
    size: Option<u64>,
    characters: Characters,
    repetitions: bool,
    shard: (u32, u32),
    limit: u64,
    recurrent: bool,
}

impl CoverOptions {
    /// The bytes after which a tree takes up no further goals, by default.
    pub const DEFAULT_SIZE: u64 = 512;

    /// Covers all walks of 1 to `k` occurrences.
    pub fn new(k: usize) -> Self {
        Self {
            k,
            scope: Scope::UpTo,
            limits: Limits::default(),
            size: None,
            characters: Characters::default(),
            repetitions: false,
            shard: (0, 1),
            limit: PathIndex::DEFAULT_LIMIT,
            recurrent: false,
        }
    }

    /// Which lengths are goals. The default is all up to k.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    shared_setters!(
        "the least at which every walk in scope is feasible and, with \
         [`CoverOptions::repetition_goals`], every occurrence.",
        "[`Budget::DEFAULT_NODES`].",
        "."
    );

    /// The bytes after which a tree takes up no further goals. The default is
    /// [`CoverOptions::DEFAULT_SIZE`]; larger trees are fewer.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Whether the counts 0, 1 and "2 or more" of each repetition, where its bounds allow them,
    /// are goals as well. The default is no.
    #[must_use]
    pub fn repetition_goals(mut self, wanted: bool) -> Self {
        self.repetitions = wanted;
        self
    }

    /// Covers the part `index` of `count` disjoint parts of the goals, which together are all.
    /// The default is part 0 of 1.
    #[must_use]
    pub fn shard(mut self, index: u32, count: u32) -> Self {
        self.shard = (index, count);
        self
    }

    /// The most k-paths to index. The default is [`PathIndex::DEFAULT_LIMIT`].
    #[must_use]
    pub fn limit(mut self, paths: u64) -> Self {
        self.limit = paths;
        self
    }

    /// Whether to begin anew when everything is covered, without end. The default is no.
    ///
    /// The first round is the one of complete covering: where no goal decides, the cheapest choice.
    /// In the later ones such choices are drawn by the table's weights, for the variety that the
    /// first round lacks; a tree still takes up goals until it reaches its size.
    #[must_use]
    pub fn recurrent(mut self, recurrent: bool) -> Self {
        self.recurrent = recurrent;
        self
    }
}

/// Why covering cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Paths(KPathError),
    Budget(BudgetError),
    Shard(u32, u32),
}

impl CoverError {
    /// Whether there are more k-paths than the limit.
    pub fn is_size_limit_exceeded(&self) -> bool {
        matches!(&self.kind, Kind::Paths(error) if error.is_size_limit_exceeded())
    }
}

impl fmt::Display for CoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Paths(error) => error.fmt(f),
            Kind::Budget(error) => error.fmt(f),
            Kind::Shard(index, count) => {
                write!(f, "there is no shard {index} of {count}; they are numbered from 0")
            }
        }
    }
}

impl std::error::Error for CoverError {}

impl From<KPathError> for CoverError {
    fn from(error: KPathError) -> Self {
        Self { kind: Kind::Paths(error) }
    }
}

impl From<BudgetError> for CoverError {
    fn from(error: BudgetError) -> Self {
        Self { kind: Kind::Budget(error) }
    }
}

/// How many nodes a tree may go on without covering anything new before it is closed, beyond
/// [`PATIENCE_PER_DEPTH`] for each level of the depth budget.
const PATIENCE: u64 = 64;
const PATIENCE_PER_DEPTH: u64 = 2;

/// How many infeasible goals are kept to be shown.
const SHOWN: usize = 1000;

/// Covers the k-paths of a table, tree by tree.
///
/// # Examples
///
/// ```
/// use pleach::{Seeded, grammar::Grammar, table::Lowering, tree::Tree};
/// use pleach::produce::{Cover, CoverOptions};
///
/// let grammar = Grammar::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let table = Lowering::new().lower(&grammar)?.table;
/// let mut cover = Cover::new(&table, CoverOptions::new(3))?;
/// let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
/// while cover.next_tree(&mut entropy, &mut tree) {
///     println!("{}", String::from_utf8_lossy(tree.text()));
/// }
/// assert_eq!(cover.summary().covered, 7 + 9 + 14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cover<'t> {
    table: &'t Table,
    frugality: Frugality<'t>,
    feasibility: Feasibility,
    goals: Goals,
    repetitions: Option<RepetitionCounts>,
    /// The goals and counts as they were at the beginning, to begin anew.
    fresh: Option<Box<(Goals, Option<RepetitionCounts>)>>,
    spans: Spans,
    /// Whether all goals were covered once, so that choices off the way are random from now on.
    varied: bool,
    size: u64,
    total: u64,
    infeasible: u64,
    /// Infeasible walks, and whether it is for their size.
    shown: Vec<(Vec<OccurrenceId>, bool)>,
    /// The cheapest ways by each saving, found when they are first needed; none by a saving that
    /// cannot close the start rule within the budget.
    cheapest: [Option<Option<Ways<'t>>>; 2],
    expansion: Expansion,
    steering: Memory,
    route: Route,
    chain: Vec<OccurrenceId>,
    walk: Vec<OccurrenceId>,
}

impl<'t> Cover<'t> {
    /// Counts and indexes the goals.
    ///
    /// # Errors
    ///
    /// Where there are more k-paths than the limit, where no tree fits the budget, and where there
    /// is no such shard.
    pub fn new(table: &'t Table, options: CoverOptions) -> Result<Self, CoverError> {
        let (shard, shards) = options.shard;
        if shard >= shards {
            return Err(CoverError { kind: Kind::Shard(shard, shards) });
        }
        let index = PathIndex::new(table, options.k, options.scope, options.limit)?;
        let least_depth = || {
            let least = Feasibility::least_depth(table, options.k, options.scope);
            // A repetition can have any of its counts where its element can stand.
            let repetitions = options.repetitions.then_some((1, Scope::UpTo));
            repetitions
                .map_or(least, |(k, scope)| least.max(Feasibility::least_depth(table, k, scope)))
        };
        let budget = options.limits.or(least_depth, |_| Budget::DEFAULT_NODES);
        let saving = budget.saving(table)?;
        let feasibility = Feasibility::new(table, budget.depth);
        let all = index.goals();
        let part = |of: u32| {
            all.start + (u64::from(all.end - all.start) * u64::from(of) / u64::from(shards)) as u32
        };
        let mut infeasible = 0;
        let mut shown = Vec::new();
        let goals =
            Goals::new(table, index, feasibility.needs(), part(shard)..part(shard + 1), |walk| {
                let feasible = feasibility.contains(walk);
                if !feasible {
                    infeasible += 1;
                    if shown.len() < SHOWN {
                        shown.push((walk.to_vec(), false));
                    }
                }
                feasible
            });
        let repetitions = options.repetitions.then(|| {
            let mut counts = RepetitionCounts::new(table);
            let elsewhere: Vec<_> =
                counts.wanted().filter(|(id, _)| id.get() % shards != shard).collect();
            for (repetition, count) in elsewhere {
                counts.exclude(repetition, count);
            }
            let far: Vec<_> = counts
                .wanted()
                .filter(|&(id, _)| {
                    let owner = table.owner(table.repetition(id).alternative);
                    owner != table.start() && feasibility.reference(owner).is_none()
                })
                .collect();
            for (repetition, count) in far {
                counts.exclude(repetition, count);
                infeasible += 1;
            }
            counts
        });
        let total =
            goals.left() + repetitions.as_ref().map_or(0, |counts| counts.wanted().count() as u64);
        Ok(Self {
            table,
            frugality: Frugality::new(table, budget, saving, options.characters),
            feasibility,
            fresh: options.recurrent.then(|| Box::new((goals.clone(), repetitions.clone()))),
            goals,
            repetitions,
            spans: Spans::new(table),
            size: options.size.unwrap_or(CoverOptions::DEFAULT_SIZE),
            varied: false,
            total,
            infeasible,
            shown,
            cheapest: [None, None],
            expansion: Expansion::default(),
            steering: Memory::default(),
            route: Route::default(),
            chain: Vec::new(),
            walk: Vec::new(),
        })
    }

    /// The budget that no tree exceeds.
    pub fn budget(&self) -> Budget {
        self.frugality.budget
    }

    /// What is covered so far. In recurrent covering, of the round that is going on.
    ///
    /// The sum of `total` and `infeasible` stays the same. Goals move from the one to the other when
    /// no tree within the budgets of nodes and bytes is found for them.
    pub fn summary(&self) -> CoverageSummary {
        let index = self.goals.index();
        CoverageSummary {
            k: index.k(),
            scope: index.scope(),
            covered: self.total - self.left(),
            total: self.total,
            infeasible: self.infeasible,
        }
    }

    /// Goals that are neither covered nor known to be infeasible.
    fn left(&self) -> u64 {
        self.goals.left()
            + self.repetitions.as_ref().map_or(0, |counts| counts.wanted().count() as u64)
    }

    /// Infeasible walks and why they are: those found first, a thousand at the most. The depth that
    /// a walk needs is found when it is asked for, by searches of the whole table.
    pub fn infeasible(&self) -> impl ExactSizeIterator<Item = (&[OccurrenceId], Reason)> + '_ {
        self.shown.iter().map(|(walk, size)| {
            let reason = match size {
                true => Reason::Size,
                false => self.feasibility.reason(self.table, walk),
            };
            (&walk[..], reason)
        })
    }

    /// Produces the next tree in place of what `tree` holds; false where no goal is left, and
    /// then the tree is empty.
    pub fn next_tree(&mut self, entropy: &mut impl Entropy, tree: &mut Tree) -> bool {
        loop {
            let Some(goal) = self.next_goal() else {
                match &self.fresh {
                    Some(fresh) if self.total > 0 => {
                        (self.goals, self.repetitions) = (**fresh).clone();
                        self.varied = true;
                        continue;
                    }
                    _ => {
                        tree.clear();
                        return false;
                    }
                }
            };
            // The second try follows the way alone, so that what precedes it on the left costs
            // the least. A tree that misses its goal and covers others is one to give: they are
            // settled now.
            for greedy in [true, false] {
                self.lead(goal);
                if self.expand(greedy, None, entropy, tree) {
                    return true;
                }
            }
            // The ways so far have the least depth, not the least cost.
            for saving in [Saving::Bytes, Saving::Nodes] {
                if let Some(frugality) = self.lead_cheaply(goal, saving)
                    && self.expand(false, Some(frugality), entropy, tree)
                {
                    return true;
                }
            }
            self.give_up(goal);
        }
    }

    fn next_goal(&mut self) -> Option<Goal> {
        if let Some(rank) = self.goals.next_wanted() {
            return Some(Goal::Path(rank));
        }
        let (repetition, count) = self.repetitions.as_ref()?.wanted().next()?;
        Some(Goal::Count(repetition, count))
    }

    /// Counts a goal among the infeasible, in later rounds as well.
    fn give_up(&mut self, goal: Goal) {
        self.total -= 1;
        self.infeasible += 1;
        match goal {
            Goal::Path(rank) => {
                if self.shown.len() < SHOWN {
                    self.goals.index().walk(rank, &mut self.walk);
                    self.shown.push((self.walk.clone(), true));
                }
                self.goals.give_up(rank);
                if let Some(fresh) = &mut self.fresh {
                    fresh.0.give_up(rank);
                }
            }
            Goal::Count(repetition, count) => {
                let fresh = self.fresh.as_mut().and_then(|fresh| fresh.1.as_mut());
                for counts in self.repetitions.as_mut().into_iter().chain(fresh) {
                    counts.give_up(repetition, count);
                }
            }
        }
    }

    /// Counts what was given up and is covered after all among the feasible, in later rounds as
    /// well.
    fn regain(&mut self) {
        for rank in self.goals.regained() {
            self.total += 1;
            self.infeasible -= 1;
            self.goals.index().walk(rank, &mut self.walk);
            self.shown.retain(|(walk, _)| *walk != self.walk);
            if let Some(fresh) = &mut self.fresh {
                fresh.0.restore(rank);
            }
        }
        for (repetition, count) in self.repetitions.iter_mut().flat_map(|counts| counts.regained())
        {
            self.total += 1;
            self.infeasible -= 1;
            if let Some(counts) = self.fresh.as_mut().and_then(|fresh| fresh.1.as_mut()) {
                counts.restore(repetition, count);
            }
        }
    }

    /// Sets the way to a goal by which its tree costs the least, and gives what the tree is to be
    /// closed by; none where that exceeds the budget.
    fn lead_cheaply(&mut self, goal: Goal, saving: Saving) -> Option<Frugality<'t>> {
        let (table, first) = (self.table, self.frugality);
        let budget = first.budget;
        let ways = self.cheapest[saving as usize].get_or_insert_with(|| {
            budget.is_met_by(table, saving).then(|| Ways {
                frugality: Frugality::new(table, budget, saving, first.characters),
                cheapest: Cheapest::new(table, budget, saving),
            })
        });
        let ways = ways.as_mut()?;
        self.chain.clear();
        let (target, count) = match goal {
            Goal::Path(rank) => {
                self.goals.index().walk(rank, &mut self.walk);
                (Target::Walk(&self.walk), None)
            }
            Goal::Count(repetition, count) => {
                (Target::Count(repetition, count), Some((repetition, count)))
            }
        };
        if !ways.cheapest.way(table, budget, target, &mut self.chain) {
            return None;
        }
        if count.is_none() {
            self.chain.extend_from_slice(&self.walk);
        }
        self.route.set(table, &self.chain, count);
        Some(ways.frugality)
    }

    /// Sets the way of least depth to a goal.
    fn lead(&mut self, goal: Goal) {
        match goal {
            Goal::Path(rank) => {
                self.goals.index().walk(rank, &mut self.walk);
                self.feasibility.route(self.walk[0], &mut self.chain);
                self.chain.extend_from_slice(&self.walk[1..]);
                self.route.set(self.table, &self.chain, None);
            }
            Goal::Count(repetition, count) => {
                let owner = self.table.owner(self.table.repetition(repetition).alternative);
                match self.feasibility.reference(owner) {
                    Some(reference) => self.feasibility.route(reference, &mut self.chain),
                    None => self.chain.clear(),
                }
                self.route.set(self.table, &self.chain, Some((repetition, count)));
            }
        }
    }

    /// Produces a tree, and tells whether it covers anything new.
    fn expand(
        &mut self,
        greedy: bool,
        frugality: Option<Frugality<'t>>,
        entropy: &mut impl Entropy,
        tree: &mut Tree,
    ) -> bool {
        let frugality = frugality.unwrap_or(self.frugality);
        let budget = frugality.budget;
        self.steering.clear();
        let mut steering = Steering {
            entropy,
            goals: &mut self.goals,
            repetitions: self.repetitions.as_mut(),
            spans: &self.spans,
            route: &mut self.route,
            memory: &mut self.steering,
            size: if greedy { self.size } else { 0 },
            patience: PATIENCE + PATIENCE_PER_DEPTH * u64::from(budget.depth),
            varied: self.varied,
            full: !greedy,
            progress: 0,
            fresh_at: 0,
        };
        self.expansion.tree(&frugality, &mut steering, tree);
        let progress = steering.progress > 0;
        self.regain();
        progress
    }
}

/// The cheapest ways by one saving, and how trees are closed by it.
struct Ways<'t> {
    frugality: Frugality<'t>,
    cheapest: Cheapest,
}

/// What a tree must cover.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Path(u32),
    Count(RepetitionId, u32),
}

/// The occurrences that each alternative and each repetition contains: they are consecutive.
struct Spans {
    alternatives: Vec<(u32, u32)>,
    repetitions: Vec<(u32, u32)>,
}

impl Spans {
    fn new(table: &Table) -> Self {
        let mut spans = Self {
            alternatives: vec![(u32::MAX, 0); table.alternative_count()],
            repetitions: vec![(u32::MAX, 0); table.repetition_count()],
        };
        for occurrence in (0..table.occurrence_count() as u32).map(OccurrenceId::new) {
            let widen = |span: &mut (u32, u32)| {
                *span = (span.0.min(occurrence.get()), span.1.max(occurrence.get() + 1));
            };
            let mut site = Some(table.occurrence_site(occurrence));
            while let Some(here) = site {
                if let Some(repetition) = here.repetition {
                    widen(&mut spans.repetitions[repetition.index()]);
                }
                widen(&mut spans.alternatives[here.alternative.index()]);
                site = table.group_site(table.rule_of(here.alternative));
            }
        }
        spans
    }
}

/// The memory of steering.
#[derive(Default)]
struct Memory {
    /// For each reference on the chain, the first occurrence of the body behind it.
    starts: Vec<u32>,
    /// For each reference on the chain, the ranks of the walks of 1 to k - 1 nodes that end there.
    ranks: Vec<u32>,
    /// For each open node, the progress when it was last asked whether to go on.
    asked: Vec<u64>,
}

impl Memory {
    fn clear(&mut self) {
        self.starts.clear();
        self.ranks.clear();
        self.asked.clear();
    }
}

/// The choices of a tree that covers.
struct Steering<'c, E> {
    entropy: &'c mut E,
    goals: &'c mut Goals,
    repetitions: Option<&'c mut RepetitionCounts>,
    spans: &'c Spans,
    route: &'c mut Route,
    memory: &'c mut Memory,
    size: u64,
    patience: u64,
    /// Whether choices off the way are random, where no goal is wanted.
    varied: bool,
    /// Whether no further goals are taken up.
    full: bool,
    /// How many goals this tree has covered.
    progress: u64,
    /// How many nodes there were when it last did.
    fresh_at: u64,
}

impl<E: Entropy> Steering<'_, E> {
    /// How many ranks are kept for a reference.
    fn stride(&self) -> usize {
        self.goals.index().k() - 1
    }

    /// The length of the chain of references, and the ranks of the walks that end in the last.
    fn context(&self) -> (usize, &[u32]) {
        let (length, stride) = (self.memory.starts.len(), self.stride());
        let longest = length.min(stride);
        let ranks =
            &self.memory.ranks[self.memory.ranks.len() - if length == 0 { 0 } else { stride }..];
        (longest, &ranks[..longest])
    }

    /// Covers the walks that end in an occurrence; a reference is put on the chain.
    fn see(&mut self, occurrence: OccurrenceId, reference: bool, nodes: u64) {
        let stride = self.stride();
        let from = self.memory.ranks.len().saturating_sub(stride);
        let longest = self.memory.starts.len().min(stride);
        let local = occurrence.get() - self.memory.starts.last().copied().unwrap_or(0);
        let to = self.memory.ranks.len();
        if reference {
            self.memory.ranks.resize(to + stride, 0);
        }
        let mut new = false;
        for above in (0..=longest).rev() {
            let rank = match above {
                0 => occurrence.get(),
                _ => self.goals.first_child(self.memory.ranks[from + above - 1]) + local,
            };
            new |= self.goals.settle(rank);
            if reference && above < stride {
                self.memory.ranks[to + above] = rank;
            }
        }
        if new {
            self.progress += 1;
            self.fresh_at = nodes;
        }
        if reference {
            self.memory.starts.push(self.goals.index().body(occurrence).0);
        }
    }

    /// How many goals are wanted behind the occurrences of a span, were they to follow here.
    fn gain(&self, (low, high): (u32, u32), height: u32) -> u64 {
        if low >= high {
            return 0;
        }
        let (longest, ranks) = self.context();
        let k = self.goals.index().k();
        let start = self.memory.starts.last().copied().unwrap_or(0);
        let mut gain = 0_u64;
        let mut count = |first: u32, length: usize| {
            let shift = 8 * (k - length).min(7);
            let (mut now, mut later) = (0, 0);
            for (rank, node) in (first..).zip(low..high) {
                if self.goals.is_wanted(rank) && self.goals.need(node) <= height {
                    now += 1;
                }
                if length < k && self.goals.least(rank) <= height {
                    later += u64::from(self.goals.below(rank));
                }
            }
            gain += (now.min(255) << 56) + (later.min(255) << (56 - shift));
        };
        count(low, 1);
        for above in 1..=longest {
            count(self.goals.first_child(ranks[above - 1]) + (low - start), above + 1);
        }
        gain
    }

    /// Whether a choice that no goal decides is random, not the cheapest.
    fn strays(&self) -> bool {
        self.varied && !self.entropy.is_exhausted()
    }
}

impl<E: Entropy> Choices for Steering<'_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.entropy
    }

    fn is_closing(&self) -> bool {
        self.full && !self.route.is_here()
    }

    fn plain_leaves(&self) -> bool {
        self.full
    }

    fn layout(&mut self) -> bool {
        !self.full && self.strays() && self.entropy.below(LAYOUT) == 0
    }

    fn begin(&mut self, place: &Place<'_>, symbol: Symbol) {
        self.route.begin(symbol);
        let nodes = place.used.nodes;
        if self.route.is_here() {
            self.fresh_at = nodes;
        }
        self.full |= place.used.bytes >= self.size || nodes - self.fresh_at > self.patience;
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => self.see(occurrence, false, nodes),
            SymbolKind::Reference(occurrence) => self.see(occurrence, true, nodes),
            _ => {}
        }
        if !symbol.is_leaf() {
            self.memory.asked.push(self.progress);
        }
    }

    fn end(&mut self, symbol: Symbol, choice: u32) {
        self.route.end();
        self.memory.asked.pop();
        match symbol.kind() {
            SymbolKind::Reference(_) => {
                self.memory.starts.pop();
                let left = self.memory.ranks.len() - self.stride();
                self.memory.ranks.truncate(left);
            }
            SymbolKind::Repetition(repetition) => {
                if let Some(counts) = &mut self.repetitions
                    && counts.see(repetition, choice)
                {
                    self.progress += 1;
                }
            }
            _ => {}
        }
    }

    fn demanded(&self) -> Option<AlternativeId> {
        self.route.alternative()
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        _rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        if self.full {
            return None;
        }
        let (mut best, mut most, mut weight) = (None, 0, 0);
        for &alternative in fitting {
            let gain = self.gain(self.spans.alternatives[alternative.index()], place.height);
            if gain == 0 || gain < most {
                continue;
            }
            if gain > most {
                (most, weight) = (gain, 0);
            }
            // One of equals, by weight.
            let own = u64::from(place.table.weight(alternative)).max(1);
            weight += own;
            if self.entropy.below(weight) < own {
                best = Some(alternative);
            }
        }
        if best.is_none() && self.strays() {
            let weight = |alternative| u64::from(place.table.weight(alternative));
            return Some(draw(self.entropy, fitting, weight));
        }
        best
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool {
        if let Some(demanded) = self.route.more(done) {
            return demanded;
        }
        if self.full {
            return false;
        }
        if let Some(counts) = &self.repetitions {
            let least = place.table.repetition(repetition).min;
            if done < 2 && counts.wants(repetition, 2) {
                return true;
            }
            if done >= least && counts.wants(repetition, done) && done < 2 {
                return false;
            }
        }
        let asked = self.memory.asked.last_mut();
        let before = asked.map_or(0, |asked| std::mem::replace(asked, self.progress));
        let wanted = (done == 0 || before != self.progress)
            && self.gain(self.spans.repetitions[repetition.index()], place.height) > 0;
        if wanted || !self.strays() {
            return wanted;
        }
        let on = u64::from(place.table.repetition(repetition).weight);
        self.entropy.below(on + 1) < on
    }
}
