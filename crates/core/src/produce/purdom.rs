//! Production towards alternatives that are not used yet: a baseline for k-paths.
//!
//! Purdom, "A Sentence Generator for Testing Parsers", BIT 1972: few sentences that use every
//! production. Each rule is expanded by its first alternative that is unused; where all are used,
//! by the one that leads to the nearest unused alternative; and where none is left, by the
//! cheapest. Nearest is meant by the height that is needed to get there, so that a way is taken
//! only if it fits the depth: the least height of an alternative that holds an unused one is
//! found from the unused ones upwards, in the order of rising heights (Knuth, "A Generalization
//! of Dijkstra's Algorithm", 1977), again whenever a choice is to be made and the unused ones have
//! changed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::budget::{Budget, BudgetError, TreeLimits, shared_setters};
use super::characters::Characters;
use super::costs::SymbolCosts;
use super::expand::{Choices, Expansion, Place};
use crate::entropy::Entropy;
use crate::kpath::{Feasibility, alternative_needs, least_enough};
use crate::table::{AlternativeId, RepetitionId, RuleId, Symbol, SymbolKind, Table};
use crate::tree::Tree;

/// The settings of [`Purdom`]: bounds of trees, and characters.
#[derive(Clone, Debug, Default)]
pub struct PurdomOptions {
    limits: TreeLimits,
    characters: Characters,
}

impl PurdomOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    shared_setters!(
        "the least at which every alternative is feasible.",
        "[`Budget::DEFAULT_NODES`].",
        "."
    );

    /// Which symbols of classes are shown. The default is [`Characters::Mixed`].
    #[must_use]
    pub fn characters(mut self, characters: Characters) -> Self {
        self.characters = characters;
        self
    }
}

/// Covers the alternatives of a table, those of groups included, tree by tree.
///
/// Every alternative that a tree within the depth can have is used by some tree, unless a budget
/// of nodes or bytes forbids it: then production ends with the first tree that uses nothing new.
///
/// The search for what is nearest is linear in the table and made up to once for each alternative,
/// so the whole is quadratic: some seconds for 10,000 alternatives.
///
/// # Examples
///
/// ```
/// use pleach::{Seeded, table::Table, tree::Tree};
/// use pleach::produce::{Purdom, PurdomOptions};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let mut purdom = Purdom::new(&table, PurdomOptions::new())?;
/// let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
/// while purdom.next_tree(&mut entropy, &mut tree) {
///     println!("{}", String::from_utf8_lossy(tree.text()));
/// }
/// assert_eq!(purdom.covered(), purdom.total());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Purdom<'t> {
    costs: SymbolCosts<'t>,
    total: u64,
    search: Search<'t>,
    expansion: Expansion,
    /// For each open node, how many alternatives were used when it was last asked whether to go
    /// on.
    asked: Vec<u64>,
}

impl<'t> Purdom<'t> {
    /// Finds which alternatives are feasible.
    ///
    /// # Errors
    ///
    /// Where no tree fits the budget.
    pub fn new(table: &'t Table, options: PurdomOptions) -> Result<Self, BudgetError> {
        let budget = options.limits.or(|| least_depth(table), |_| Budget::DEFAULT_NODES);
        let objective = budget.objective(table)?;
        Ok(Self {
            costs: SymbolCosts::new(table, budget, objective, options.characters),
            total: feasible(table, budget.depth),
            search: Search::new(table, budget.depth),
            expansion: Expansion::default(),
            asked: Vec::new(),
        })
    }

    /// The budget that no tree exceeds.
    pub fn budget(&self) -> Budget {
        self.costs.budget
    }

    /// How many alternatives the trees so far have used.
    pub fn covered(&self) -> u64 {
        self.search.covered
    }

    /// How many alternatives trees of the greatest depth can have.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Produces the next tree in place of what `tree` holds; false where no alternative is left
    /// that could be used, and then the tree is empty.
    pub fn next_tree(&mut self, entropy: &mut impl Entropy, tree: &mut Tree) -> bool {
        let before = self.search.covered;
        if !self.search.is_done() {
            self.asked.clear();
            let mut choices =
                PurdomChoices { entropy, search: &mut self.search, asked: &mut self.asked };
            self.expansion.tree(&self.costs, &mut choices, tree);
        }
        if self.search.covered == before {
            tree.clear();
            return false;
        }
        true
    }
}

/// The least depth at which every alternative is feasible.
fn least_depth(table: &Table) -> u32 {
    let all = produced(table).count() as u64;
    let low = table.minima().rule_height(table.start());
    least_enough(low, |depth| feasible(table, depth) == all)
}

/// How many alternatives trees up to a depth can have: those that fit where their rule has the
/// most height left.
fn feasible(table: &Table, depth: u32) -> u64 {
    let feasibility = Feasibility::new(table, depth);
    let needs = alternative_needs(table);
    let fits = |&alternative: &AlternativeId| {
        let left = feasibility.height(table, table.owner(alternative));
        left.is_some_and(|left| needs[alternative.index()] <= left)
    };
    produced(table).filter(fits).count() as u64
}

/// The alternatives that are to be used.
fn produced(table: &Table) -> impl Iterator<Item = AlternativeId> + '_ {
    let all = (0..table.alternative_count() as u32).map(AlternativeId::new);
    all.filter(|&alternative| !table.is_parse_only(alternative))
}

/// The rules and groups directly in an alternative, and whether they are a level deeper.
fn rules_in(
    table: &Table,
    alternative: AlternativeId,
) -> impl Iterator<Item = (RuleId, bool)> + '_ {
    table.items(alternative).iter().filter_map(|&item| {
        let element = table.element(item);
        table.rule_behind(element).map(|rule| (rule, element.occurrence().is_some()))
    })
}

/// No unused alternative is there.
const NONE: u32 = u32::MAX;

/// Which alternatives are unused, and which way they are.
struct Search<'t> {
    table: &'t Table,
    depth: u32,
    used: Vec<bool>,
    covered: u64,
    /// The alternatives that hold each rule, and whether they do a level above.
    users: Vec<Vec<(AlternativeId, bool)>>,
    /// The height that a rule needs to hold an unused alternative, by rule and by alternative.
    rules: Vec<u32>,
    alternatives: Vec<u32>,
    /// Whether alternatives have been used since these were found.
    stale: bool,
}

impl<'t> Search<'t> {
    fn new(table: &'t Table, depth: u32) -> Self {
        let mut users = vec![Vec::new(); table.rule_count()];
        for alternative in produced(table) {
            for (rule, deeper) in rules_in(table, alternative) {
                let users: &mut Vec<_> = &mut users[rule.index()];
                if users.last() != Some(&(alternative, deeper)) {
                    users.push((alternative, deeper));
                }
            }
        }
        Self {
            table,
            depth,
            used: vec![false; table.alternative_count()],
            covered: 0,
            users,
            rules: vec![NONE; table.rule_count()],
            alternatives: vec![NONE; table.alternative_count()],
            stale: true,
        }
    }

    /// Whether no tree can use anything new.
    fn is_done(&mut self) -> bool {
        self.refresh();
        self.rules[self.table.start().index()] > self.depth
    }

    fn mark(&mut self, alternative: AlternativeId) {
        if !std::mem::replace(&mut self.used[alternative.index()], true) {
            self.covered += 1;
            self.stale = true;
        }
    }

    /// Finds the nearest unused alternatives anew where some have been used.
    fn refresh(&mut self) {
        if !std::mem::replace(&mut self.stale, false) {
            return;
        }
        self.rules.fill(NONE);
        self.alternatives.fill(NONE);
        let minima = self.table.minima();
        let mut queue = BinaryHeap::new();
        let offer = |rules: &mut [u32], alternatives: &mut [u32], a: AlternativeId, need| {
            if need < alternatives[a.index()] {
                alternatives[a.index()] = need;
                let rule = self.table.rule_of(a);
                if need < rules[rule.index()] {
                    rules[rule.index()] = need;
                    return Some((Reverse(need), rule));
                }
            }
            None
        };
        for alternative in produced(self.table) {
            if !self.used[alternative.index()] {
                let need = minima.alternative_height(alternative);
                queue.extend(offer(&mut self.rules, &mut self.alternatives, alternative, need));
            }
        }
        while let Some((Reverse(need), rule)) = queue.pop() {
            if need > self.rules[rule.index()] {
                continue;
            }
            for &(user, deeper) in &self.users[rule.index()] {
                let need = minima.alternative_height(user).max(need + u32::from(deeper));
                queue.extend(offer(&mut self.rules, &mut self.alternatives, user, need));
            }
        }
    }
}

struct PurdomChoices<'p, 't, E> {
    entropy: &'p mut E,
    search: &'p mut Search<'t>,
    asked: &'p mut Vec<u64>,
}

impl<E: Entropy> Choices for PurdomChoices<'_, '_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.entropy
    }

    fn begin(&mut self, _place: &Place<'_>, symbol: Symbol) {
        if !symbol.is_leaf() {
            self.asked.push(self.search.covered);
        }
    }

    fn end(&mut self, symbol: Symbol, choice: u32) {
        self.asked.pop();
        if !matches!(symbol.kind(), SymbolKind::Repetition(_)) {
            // Where there was no choice, it is marked only now.
            self.search.mark(AlternativeId::new(choice));
        }
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        _rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        let unused = fitting.iter().copied().find(|a| !self.search.used[a.index()]);
        let chosen = unused.or_else(|| {
            self.search.refresh();
            let need = |a: &AlternativeId| self.search.alternatives[a.index()];
            fitting.iter().copied().min_by_key(need).filter(|a| need(a) <= place.height)
        })?;
        self.search.mark(chosen);
        Some(chosen)
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool {
        let covered = self.search.covered;
        let asked = self.asked.last_mut();
        let before = asked.map_or(covered, |asked| std::mem::replace(asked, covered));
        if done > 0 && before == covered {
            return false;
        }
        self.search.refresh();
        let element = place.table.repetition(repetition).element;
        place.table.rule_behind(element).is_some_and(|rule| {
            let need = self.search.rules[rule.index()];
            need.saturating_add(u32::from(element.occurrence().is_some())) <= place.height
        })
    }
}
