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

use super::budget::{Budget, BudgetError, TreeLimits, shared_setters};
use super::characters::Characters;
use super::cheapest::{Cheapest, Target};
use super::costs::SymbolCosts;
use super::expand::Expansion;
use super::route::Route;
use super::steering::{Memory, Spans, Steering};
use crate::entropy::Entropy;
use crate::kpath::{
    Coverage, CoverageSummary, Feasibility, Goals, KPathError, PathIndex, Reason, RepetitionCounts,
    Scope,
};
use crate::table::{Objective, OccurrenceId, RepetitionId, Table};
use crate::tree::Tree;

/// How k-paths are covered.
///
/// No tree exceeds a budget. Which goals a depth forbids is known exactly, from the beginning. A
/// goal that needs more nodes or bytes than there are is found infeasible when its turn comes; where
/// one of the two is scarce and the other is not, no goal is that some tree within the budgets
/// covers, with two provisos: layout that may be needed between tokens is reckoned as needed, and
/// rules that have more than [`EXACT_POINTS`](crate::table::EXACT_POINTS) ways to get cheaper with
/// more height are closed by one that costs up to an eighth more. Where both are scarce at once, a
/// goal may be found infeasible that a tree covers which has neither the fewest bytes nor the fewest
/// nodes; should a tree made for another goal cover it, it counts as covered.
#[derive(Clone, Debug)]
pub struct CoverOptions {
    k: usize,
    scope: Scope,
    limits: TreeLimits,
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
            limits: TreeLimits::default(),
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

    /// Which symbols of classes are shown. The default is [`Characters::Mixed`].
    #[must_use]
    pub fn characters(mut self, characters: Characters) -> Self {
        self.characters = characters;
        self
    }

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
#[derive(Clone, PartialEq, Eq)]
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

crate::displayed::displayed!(CoverError);

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
/// use pleach::{Seeded, table::Table, tree::Tree};
/// use pleach::produce::{Cover, CoverOptions};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
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
    costs: SymbolCosts<'t>,
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
    /// The cheapest ways by each objective, found when they are first needed; none by an objective that
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
        let objective = budget.objective(table)?;
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
                counts.give_up(repetition, count);
                infeasible += 1;
            }
            counts
        });
        let total =
            goals.left() + repetitions.as_ref().map_or(0, |counts| counts.wanted().count() as u64);
        Ok(Self {
            table,
            costs: SymbolCosts::new(table, budget, objective, options.characters),
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
        self.costs.budget
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

    /// Infeasible walks and why they are, as pairs of the walk's occurrences and a [`Reason`]: those found first, a
    /// thousand at the most. The depth that a walk needs is found when it is asked for, by searches of the whole table.
    pub fn infeasible(&self) -> impl ExactSizeIterator<Item = (&[OccurrenceId], Reason)> + '_ {
        self.shown.iter().map(|(walk, size)| {
            let reason = match size {
                true => Reason::Size,
                false => self.feasibility.reason(self.table, walk),
            };
            (&walk[..], reason)
        })
    }

    /// The sentences of the trees that [`Cover::next_tree`] gives, until no goal is left.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::produce::{Cover, CoverOptions};
    /// use pleach::{Seeded, table::Table};
    ///
    /// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
    /// let mut cover = Cover::new(&table, CoverOptions::new(3))?;
    /// let corpus: Vec<Vec<u8>> = cover.sentences(Seeded::new(0)).collect();
    /// assert!(!corpus.is_empty());
    /// assert_eq!(cover.summary().covered, 7 + 9 + 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sentences(&mut self, mut entropy: impl Entropy) -> impl Iterator<Item = Vec<u8>> {
        let mut tree = Tree::new();
        std::iter::from_fn(move || {
            self.next_tree(&mut entropy, &mut tree).then(|| tree.text().to_vec())
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
            for objective in [Objective::Bytes, Objective::Nodes] {
                if self.lead_cheaply(goal, objective)
                    && self.expand(false, Some(objective), entropy, tree)
                {
                    return true;
                }
            }
            self.give_up(goal);
        }
    }

    /// Counts as covered what some other trees cover, so that no tree is made for it.
    ///
    /// The coverage must be of the same table; what is not among its goals is left as it is. A goal
    /// that no tree within the budgets covers is feasible if the others cover it. In recurrent covering
    /// this is of the round that is going on.
    pub fn settle(&mut self, others: &Coverage) {
        let goals = self.goals.index().goals();
        let theirs = others.index();
        let mut walk = Vec::new();
        for rank in goals {
            self.goals.index().walk(rank, &mut walk);
            if theirs.rank(&walk).is_some_and(|rank| others.contains(rank)) {
                self.goals.settle(rank);
            }
        }
        if let Some(counts) = &mut self.repetitions {
            let all = (0..self.table.repetition_count() as u32).map(RepetitionId::new);
            for (repetition, count) in all.flat_map(|id| (0..3).map(move |count| (id, count))) {
                if others.has_count(repetition, count) {
                    counts.see(repetition, count);
                }
            }
        }
        self.regain();
    }

    /// Produces a tree for one walk of 1 to k nodes, covered or not: one of the fewest bytes that the
    /// budget allows. False, and an empty tree, where no tree within it is found.
    ///
    /// What the tree covers counts as covered.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::{Seeded, table::Table, tree::Tree};
    /// use pleach::produce::{Cover, CoverOptions};
    ///
    /// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
    /// let mut cover = Cover::new(&table, CoverOptions::new(1))?;
    /// let comma = table.body(table.start()).nth(2).unwrap();
    /// let mut tree = Tree::new();
    /// assert!(cover.example(&[comma], &mut Seeded::new(0), &mut tree));
    /// assert_eq!(tree.text(), b"[a,a]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn example(
        &mut self,
        walk: &[OccurrenceId],
        entropy: &mut impl Entropy,
        tree: &mut Tree,
    ) -> bool {
        tree.clear();
        let Some(rank) = self.goals.index().rank(walk) else { return false };
        let goal = Goal::Path(rank);
        for objective in [Objective::Bytes, Objective::Nodes] {
            if self.lead_cheaply(goal, objective) {
                self.expand(false, Some(objective), entropy, tree);
                return true;
            }
        }
        false
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

    /// Sets the way to a goal by which its tree, closed by an objective, costs the least; false where
    /// that exceeds the budget.
    fn lead_cheaply(&mut self, goal: Goal, objective: Objective) -> bool {
        let SymbolCosts { table, budget, characters, .. } = self.costs;
        let ways = self.cheapest[objective as usize].get_or_insert_with(|| {
            budget.is_met_by(table, objective).then(|| Ways {
                costs: SymbolCosts::new(table, budget, objective, characters),
                cheapest: Cheapest::new(table, budget, objective),
            })
        });
        let Some(ways) = ways else { return false };
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
            return false;
        }
        if count.is_none() {
            self.chain.extend_from_slice(&self.walk);
        }
        self.route.set(table, &self.chain, count);
        true
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

    /// Produces a tree, closed by an objective to which the way was set if one is named, and tells
    /// whether it covers anything new.
    fn expand(
        &mut self,
        greedy: bool,
        objective: Option<Objective>,
        entropy: &mut impl Entropy,
        tree: &mut Tree,
    ) -> bool {
        let ways =
            objective.and_then(|objective| self.cheapest[objective as usize].as_ref()?.as_ref());
        let costs = ways.map_or(&self.costs, |ways| &ways.costs);
        let budget = costs.budget;
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
        self.expansion.tree(costs, &mut steering, tree);
        let progress = steering.progress > 0;
        self.regain();
        progress
    }
}

/// The cheapest ways by one objective, and how trees are closed by it.
struct Ways<'t> {
    costs: SymbolCosts<'t>,
    cheapest: Cheapest,
}

/// What a tree must cover.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Path(u32),
    Count(RepetitionId, u32),
}
