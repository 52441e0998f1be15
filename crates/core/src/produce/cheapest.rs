//! The cheapest way to a goal: the chain of references from the root whose tree, with all that is
//! not on the way closed, costs the least.
//!
//! The way of least depth need not be the cheapest: a rule may stand early in an alternative that
//! needs many bytes, and later in one that needs few. A rule that is entered at a lower level has
//! more height left, and what is closed with more height costs no more; so for each rule only those
//! entries count that are cheaper than all at lower levels. Entries are found level by level from
//! the root, once for all goals, and each goal then takes the best entry of the rule in whose body
//! it begins. As in the table's Pareto fronts, [`EXACT_POINTS`] entries of a rule are exact, and after
//! these one is kept only if it saves an eighth.

use std::collections::HashMap;

use fxhash::FxBuildHasher;

use super::budget::Budget;
use crate::table::{
    AlternativeId, Cost, EXACT_POINTS, Objective, OccurrenceId, RepetitionId, RuleId, Symbol, Table,
};

const NODE: Cost = Cost { bytes: 0, nodes: 1 };

/// No entry, or no occurrence.
const NONE: u32 = u32::MAX;

/// How many costs of alternatives are kept at the most.
const MEMORY: usize = 1 << 16;

/// That a rule is entered at a level.
#[derive(Clone, Copy, Debug)]
struct Entry {
    rule: RuleId,
    /// The height that is left for the rule.
    height: u32,
    /// What the tree costs without the content of the rule.
    cost: Cost,
    /// The reference through which it is entered; [`NONE`] for the root.
    reference: u32,
    /// The entry of the rule around that reference.
    parent: u32,
    /// The entry of the same rule before this one.
    before: u32,
}

/// What a tree must have below the references of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'w> {
    Walk(&'w [OccurrenceId]),
    Count(RepetitionId, u32),
}

/// The cheapest ways to all rules, for one objective.
#[derive(Clone, Debug)]
pub(super) struct Cheapest {
    objective: Objective,
    entries: Vec<Entry>,
    /// The newest entry of each rule, and how many there are.
    rules: Vec<(u32, u32)>,
    /// What alternatives cost at heights, as far as it was asked: the occurrences of a body ask
    /// for the same ones.
    costs: HashMap<(AlternativeId, u32), Option<Cost>, FxBuildHasher>,
}

impl Cheapest {
    pub(super) fn new(table: &Table, budget: Budget, objective: Objective) -> Self {
        let mut found = Self {
            objective,
            entries: Vec::new(),
            rules: vec![(NONE, 0); table.rule_count()],
            costs: HashMap::default(),
        };
        let root = Entry {
            rule: table.start(),
            height: budget.depth,
            cost: NODE,
            reference: NONE,
            parent: NONE,
            before: NONE,
        };
        let mut offers = vec![root];
        // The best offer of the level for each rule.
        let mut best = vec![NONE; table.rule_count()];
        while !offers.is_empty() {
            for (index, offer) in (0..).zip(&offers) {
                let best = &mut best[offer.rule.index()];
                let key = |offer: &Entry| objective.key(offer.cost);
                if *best == NONE || key(offer) < key(&offers[*best as usize]) {
                    *best = index;
                }
            }
            let from = found.entries.len();
            for (index, offer) in (0..).zip(&offers) {
                let best = &mut best[offer.rule.index()];
                if *best == index {
                    *best = NONE;
                    found.keep(*offer);
                }
            }
            offers.clear();
            for index in from..found.entries.len() {
                found.offer(table, budget, index as u32, &mut offers);
            }
        }
        found
    }

    /// Keeps an entry if it is cheaper than those of its rule at lower levels.
    fn keep(&mut self, entry: Entry) {
        let (newest, count) = &mut self.rules[entry.rule.index()];
        if let Some(before) = self.entries.get(*newest as usize) {
            let (now, old) = (self.objective.key(entry.cost), self.objective.key(before.cost));
            let saves = *count < EXACT_POINTS as u32 || now.0 <= old.0 - old.0 / 8;
            if now >= old || !saves {
                return;
            }
        }
        let before = std::mem::replace(newest, self.entries.len() as u32);
        *count += 1;
        self.entries.push(Entry { before, ..entry });
    }

    /// Offers the rules that the body behind an entry references, a level below.
    fn offer(&mut self, table: &Table, budget: Budget, index: u32, offers: &mut Vec<Entry>) {
        let Entry { rule, height, cost, .. } = self.entries[index as usize];
        let minima = table.minima();
        for reference in table.body(rule) {
            let Some(rule) = table.target(reference) else { continue };
            let whole = minima.symbol_cost(table, self.objective, table.symbol(reference), height);
            let around = self.around_occurrence(table, reference, height);
            let (Some(whole), Some(around)) = (whole, around) else { continue };
            let cost = cost.plus(around);
            if within(budget, self.objective, cost.plus(whole)) {
                let cost = cost.plus(minima.occurrence_cost(reference));
                let (height, reference) = (height - 1, reference.get());
                offers.push(Entry { rule, height, cost, reference, parent: index, before: NONE });
            }
        }
    }

    /// What the items of an alternative cost, looked up if it was asked before.
    fn alternative_cost(
        &mut self,
        table: &Table,
        alternative: AlternativeId,
        height: u32,
    ) -> Option<Cost> {
        if self.costs.len() > MEMORY {
            self.costs.clear();
        }
        let objective = self.objective;
        *self.costs.entry((alternative, height)).or_insert_with(|| {
            table.minima().alternative_cost(table, objective, alternative, height)
        })
    }

    /// What a repetition costs without one of its elements, the others closed, if it has at least
    /// `count`.
    fn repeated(&self, table: &Table, id: RepetitionId, count: u32, height: u32) -> Option<Cost> {
        let repetition = table.repetition(id);
        match repetition.min.max(count) {
            0 | 1 => Some(NODE),
            count => {
                let element = table.minima().symbol_cost(
                    table,
                    self.objective,
                    repetition.element,
                    height,
                )?;
                Some(NODE.plus(element.times(count - 1)))
            }
        }
    }

    /// What the body of a rule costs with `height` left, if it is to contain an item of an
    /// alternative, without that item.
    fn around(
        &mut self,
        table: &Table,
        mut item: Symbol,
        mut alternative: AlternativeId,
        height: u32,
    ) -> Option<Cost> {
        let minima = table.minima();
        let mut sum = Cost::default();
        loop {
            let all = self.alternative_cost(table, alternative, height)?;
            let item_cost = minima.symbol_cost(table, self.objective, item, height)?;
            sum = sum.plus(all.minus(item_cost));
            let group = table.rule_of(alternative);
            let Some(site) = table.group_site(group) else { return Some(sum) };
            sum = sum.plus(NODE);
            item = match site.repetition {
                Some(id) => {
                    sum = sum.plus(self.repeated(table, id, 1, height)?);
                    Symbol::repetition(id)
                }
                None => Symbol::group(group),
            };
            alternative = site.alternative;
        }
    }

    /// What the body of a rule costs with `height` left, if it is to contain an occurrence,
    /// without that.
    fn around_occurrence(
        &mut self,
        table: &Table,
        occurrence: OccurrenceId,
        height: u32,
    ) -> Option<Cost> {
        let site = table.occurrence_site(occurrence);
        let (item, others) = match site.repetition {
            Some(id) => (Symbol::repetition(id), self.repeated(table, id, 1, height)?),
            None => (table.symbol(occurrence), Cost::default()),
        };
        Some(others.plus(self.around(table, item, site.alternative, height)?))
    }

    /// What a rule costs with `height` left, if it is to contain the target.
    fn below(&mut self, table: &Table, target: Target<'_>, mut height: u32) -> Option<Cost> {
        let minima = table.minima();
        let mut sum = Cost::default();
        match target {
            Target::Walk(walk) => {
                let (last, references) = walk.split_last()?;
                for &reference in references {
                    sum = sum.plus(self.around_occurrence(table, reference, height)?);
                    sum = sum.plus(minima.occurrence_cost(reference));
                    height = height.checked_sub(1)?;
                }
                let closed =
                    minima.symbol_cost(table, self.objective, table.symbol(*last), height)?;
                Some(sum.plus(self.around_occurrence(table, *last, height)?).plus(closed))
            }
            Target::Count(id, count) => {
                let repetition = table.repetition(id);
                let elements = match repetition.min.max(count) {
                    0 => Cost::default(),
                    count => {
                        let element = repetition.element;
                        minima.symbol_cost(table, self.objective, element, height)?.times(count)
                    }
                };
                let item = Symbol::repetition(id);
                let around = self.around(table, item, repetition.alternative, height)?;
                Some(around.plus(NODE).plus(elements))
            }
        }
    }

    /// Appends the references from the root to the rule that the target begins in, on the
    /// cheapest way; false where that exceeds the budget, and where there is none.
    pub(super) fn way(
        &mut self,
        table: &Table,
        budget: Budget,
        target: Target<'_>,
        chain: &mut Vec<OccurrenceId>,
    ) -> bool {
        let alternative = match target {
            Target::Walk(walk) => table.occurrence_site(walk[0]).alternative,
            Target::Count(id, _) => table.repetition(id).alternative,
        };
        let mut best: Option<(Cost, u32)> = None;
        let mut at = self.rules[table.owner(alternative).index()].0;
        while let Some(&entry) = self.entries.get(at as usize) {
            let below = self.below(table, target, entry.height);
            if let Some(cost) = below.map(|below| entry.cost.plus(below))
                && best
                    .is_none_or(|(least, _)| self.objective.key(cost) <= self.objective.key(least))
            {
                best = Some((cost, at));
            }
            at = entry.before;
        }
        let Some((cost, mut at)) = best else { return false };
        if cost.nodes > budget.nodes || cost.bytes > budget.bytes {
            return false;
        }
        let from = chain.len();
        while let Some(entry) = self.entries.get(at as usize)
            && entry.reference != NONE
        {
            chain.push(OccurrenceId::new(entry.reference));
            at = entry.parent;
        }
        chain[from..].reverse();
        true
    }
}

/// Whether what is saved is within its budget.
fn within(budget: Budget, objective: Objective, cost: Cost) -> bool {
    match objective {
        Objective::Bytes => cost.bytes <= budget.bytes,
        Objective::Nodes => cost.nodes <= budget.nodes,
    }
}
