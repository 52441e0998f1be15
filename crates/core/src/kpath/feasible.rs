//! Which k-paths some tree of a bounded depth covers, and how it gets there.
//!
//! Choosing an occurrence fixes the alternatives around it, and with them the height that all
//! their items need: more than the occurrence itself does where a sibling is tall. So a walk is
//! feasible at depth d under the limit D if, for each of its nodes, what it needs fits the height
//! that is left there. An occurrence that is reached earlier has more height left, so the least
//! depth of each occurrence under D, by breadth-first search, decides for all walks from it.

use std::fmt;

use super::index::{PathIndex, Scope};
use crate::table::{AlternativeId, OccurrenceId, RuleId, Table};

/// Why a goal cannot be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It needs a deeper tree: at least this depth.
    Depth(u32),
    /// The smallest tree found for it exceeds the budget of nodes or of bytes.
    Size,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "it needs a depth of {depth} or more"),
            Self::Size => f.write_str("no tree within the budget of nodes and bytes was found"),
        }
    }
}

/// Not reached within the depth.
const FAR: u32 = u32::MAX;

/// The occurrences that trees up to a depth contain, at their least depths.
#[derive(Clone, Debug)]
pub struct Feasibility {
    limit: u32,
    /// The height that a rule needs when its expansion is to contain an occurrence.
    needs: Vec<u32>,
    /// The least depth of each occurrence.
    depths: Vec<u32>,
    /// The reference of least depth to each rule; [`FAR`] where there is none.
    references: Vec<u32>,
    /// The reference above each occurrence at its least depth; [`FAR`] under the root.
    parents: Vec<u32>,
}

impl Feasibility {
    /// What is feasible in trees of depth up to `limit`.
    pub fn new(table: &Table, limit: u32) -> Self {
        let needs = needs(table);
        let count = table.occurrence_count();
        let mut found = Self::unsearched(table, limit, needs, count);
        found.search(table, limit);
        found
    }

    /// The least depth at which every walk in scope is feasible.
    pub fn least_depth(table: &Table, k: usize, scope: Scope) -> u32 {
        let needs = needs(table);
        let demands = demands(table, &needs, k, scope);
        let count = table.occurrence_count();
        let mut found = Self::unsearched(table, 0, needs, count);
        let enough = |limit: u32| {
            found.search(table, limit);
            found.depths.iter().zip(&demands).all(|(&depth, &demand)| {
                demand == 0
                    || (depth != FAR && depth.saturating_add(demand) <= limit.saturating_add(1))
            })
        };
        least_enough(table.minima().rule_height(table.start()), enough)
    }

    /// The limit on the depth.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// The height that the rule around each occurrence needs when it is to contain it.
    pub(crate) fn needs(&self) -> &[u32] {
        &self.needs
    }

    /// The least depth of an occurrence; none where no tree within the limit contains it.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn depth(&self, occurrence: OccurrenceId) -> Option<u32> {
        let depth = self.depths[occurrence.index()];
        (depth != FAR).then_some(depth)
    }

    /// Whether some tree within the limit covers a walk.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn contains(&self, walk: &[OccurrenceId]) -> bool {
        let Some(depth) = walk.first().and_then(|&first| self.depth(first)) else { return false };
        depth.saturating_add(self.demand(walk)) <= self.limit.saturating_add(1)
    }

    /// The height that a rule needs in whose body the walk begins.
    fn demand(&self, walk: &[OccurrenceId]) -> u32 {
        let needs = walk.iter().enumerate();
        needs.map(|(i, v)| self.needs[v.index()].saturating_add(i as u32)).max().unwrap_or(0)
    }

    /// Why a walk is not feasible: the depth that it needs at least; the limit where it is.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn reason(&self, table: &Table, walk: &[OccurrenceId]) -> Reason {
        let mut wider = self.clone();
        let enough = |limit: u32| {
            wider.limit = limit;
            wider.search(table, limit);
            limit == u32::MAX || wider.contains(walk)
        };
        Reason::Depth(least_enough(self.limit, enough))
    }

    /// The chain of references from the root to an occurrence at its least depth, and the
    /// occurrence itself.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    pub fn route(&self, occurrence: OccurrenceId, route: &mut Vec<OccurrenceId>) {
        route.clear();
        let mut at = occurrence.get();
        while at != FAR {
            route.push(OccurrenceId::new(at));
            at = self.parents[at as usize];
        }
        route.reverse();
    }

    /// The reference to a rule that has the least depth; none for the start rule, which is at the
    /// root, and for a rule that no tree within the limit contains.
    pub(crate) fn reference(&self, rule: RuleId) -> Option<OccurrenceId> {
        let reference = self.references[rule.index()];
        (reference != FAR).then_some(OccurrenceId::new(reference))
    }

    /// The most height that is left for a named rule; none where no tree within the limit contains
    /// it.
    pub(crate) fn height(&self, table: &Table, rule: RuleId) -> Option<u32> {
        if rule == table.start() {
            return Some(self.limit);
        }
        let depth = self.depth(self.reference(rule)?)?;
        self.limit.checked_sub(depth)
    }

    fn unsearched(table: &Table, limit: u32, needs: Vec<u32>, count: usize) -> Self {
        Self {
            limit,
            needs,
            depths: vec![FAR; count],
            references: vec![FAR; table.rule_count()],
            parents: vec![FAR; count],
        }
    }

    #[pleach_unhooked::unhooked]
    fn search(&mut self, table: &Table, limit: u32) {
        self.depths.fill(FAR);
        self.parents.fill(FAR);
        self.references.fill(FAR);
        // Occurrences of one depth; each rule's body is entered once, at its least depth.
        let mut entered = vec![false; table.rule_count()];
        let mut level: Vec<(RuleId, u32)> = vec![(table.start(), FAR)];
        entered[table.start().index()] = true;
        let mut next = Vec::new();
        let mut depth = 0;
        // A body that was entered too deep for some of its occurrences is too deep for them ever
        // after, for later entries are deeper.
        while !level.is_empty() {
            let left = limit.saturating_sub(depth);
            depth += 1;
            for (rule, parent) in level.drain(..) {
                for occurrence in table.body(rule) {
                    let index = occurrence.index();
                    if self.needs[index] > left || self.depths[index] != FAR {
                        continue;
                    }
                    self.depths[index] = depth;
                    self.parents[index] = parent;
                    if let Some(target) = table.target(occurrence)
                        && !std::mem::replace(&mut entered[target.index()], true)
                    {
                        self.references[target.index()] = occurrence.get();
                        next.push((target, occurrence.get()));
                    }
                }
            }
            std::mem::swap(&mut level, &mut next);
        }
    }
}

/// The least number from `low` on that is enough, by doubled steps up and then bisection: more than
/// enough is enough too.
pub(crate) fn least_enough(mut low: u32, mut enough: impl FnMut(u32) -> bool) -> u32 {
    let (mut high, mut step) = (low, 1_u32);
    while !enough(high) {
        low = high.saturating_add(1);
        high = high.saturating_add(step);
        step = step.saturating_mul(2);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    high
}

/// For each alternative the height that the named rule around it needs when it is chosen.
pub(crate) fn alternative_needs(table: &Table) -> Vec<u32> {
    let mut needs: Vec<u32> = Vec::with_capacity(table.alternative_count());
    for alternative in (0..table.alternative_count() as u32).map(AlternativeId::new) {
        // A group has a greater identifier than what it stands in.
        let around = table.group_site(table.rule_of(alternative));
        let around = around.map_or(0, |site| needs[site.alternative.index()]);
        needs.push(around.max(table.minima().alternative_height(alternative)));
    }
    needs
}

/// For each occurrence the height that the rule around it needs when it is chosen.
fn needs(table: &Table) -> Vec<u32> {
    let alternatives = alternative_needs(table);
    (0..table.occurrence_count() as u32)
        .map(OccurrenceId::new)
        .map(|occurrence| {
            let own = table.minima().symbol_height(table, table.symbol(occurrence));
            own.max(alternatives[table.occurrence_site(occurrence).alternative.index()])
        })
        .collect()
}

/// For each occurrence the height that the most demanding walk from it in scope needs of the rule
/// around it; 0 where no walk in scope begins there.
fn demands(table: &Table, needs: &[u32], k: usize, scope: Scope) -> Vec<u32> {
    let mut longest: Vec<u32> = needs.to_vec();
    let mut most = longest.clone();
    for _ in 1..k.min(PathIndex::LONGEST) {
        let below: Vec<u32> = (0..table.rule_count() as u32)
            .map(RuleId::new)
            .map(|rule| table.body(rule).map(|o| longest[o.index()]).max().unwrap_or(0))
            .collect();
        for (index, &need) in needs.iter().enumerate() {
            let target = table.target(OccurrenceId::new(index as u32));
            longest[index] = match target.map(|rule| below[rule.index()]) {
                Some(below) if below > 0 => need.max(below + 1),
                _ => 0,
            };
            most[index] = most[index].max(longest[index]);
        }
    }
    match scope {
        Scope::UpTo => most,
        Scope::Exact => longest,
    }
}
