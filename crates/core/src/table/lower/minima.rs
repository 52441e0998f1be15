//! What closing costs at least: the heights and the Pareto fronts of a table.
//!
//! Points are computed height by height, and at each height only the rules that depend on a rule
//! whose cost has just fallen are looked at again: the work is proportional to the points.

use std::collections::BinaryHeap;

use crate::rows::Rows;
use crate::table::minima::{
    Cost, EXACT_POINTS, FrontPoint, Fronts, Minima, Objective, symbol_height,
};
use crate::table::{AlternativeId, OccurrenceId, Repetition, RuleId, Symbol, SymbolKind, Table};

impl Minima {
    /// Computes the minima of a table whose other parts are complete.
    pub(super) fn compute(table: &Table) -> Self {
        let users = Users::of(table);
        let rule_heights = rule_heights(table, &users);
        let alternative_heights = (0..table.alternative_count())
            .map(|alternative| {
                let items = table.items(AlternativeId::new(alternative as u32));
                items.iter().map(|&s| symbol_height(table, &rule_heights, s)).max().unwrap_or(0)
            })
            .collect();
        let mut minima = Self {
            alternative_heights,
            rule_heights,
            by_bytes: Fronts::default(),
            by_nodes: Fronts::default(),
            occurrence_costs: occurrence_costs(table),
        };
        minima.by_bytes = climb(table, &minima, &users, Objective::Bytes);
        minima.by_nodes = climb(table, &minima, &users, Objective::Nodes);
        minima
    }
}

fn occurrence_costs(table: &Table) -> Vec<Cost> {
    let owners = owners(table);
    let occurrences = (0..table.all_occurrence_count() as u32).map(OccurrenceId::new);
    let cost = |occurrence| {
        let (bytes, token) = match table.terminal_at(occurrence) {
            Some(terminal) => (table.shortest(terminal).len() as u64, true),
            None => (0, false),
        };
        let own = Cost { bytes, nodes: 1 };
        let site = table.occurrence_site(occurrence).alternative;
        let separator = table.layout().filter(|layout| {
            layout.is_syntactic(owners[table.rule_of(site).index()])
                && (token || table.target(occurrence).is_some_and(|rule| layout.is_lexical(rule)))
        });
        separator.map_or(own, |layout| {
            own.plus(Cost { bytes: layout.separator().len() as u64, nodes: 1 })
        })
    };
    occurrences.map(cost).collect()
}

/// The named rule whose body each rule stands in: itself, or for a group the rule around it.
fn owners(table: &Table) -> Vec<RuleId> {
    let mut owners: Vec<RuleId> = Vec::with_capacity(table.rule_count());
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        // A group has a greater identifier than what it stands in.
        let around = table.group_site(rule).map(|site| table.rule_of(site.alternative));
        owners.push(around.map_or(rule, |around| owners[around.index()]));
    }
    owners
}

/// That an alternative contains a rule, itself or as a repetition's element.
#[derive(Clone, Copy)]
struct Use {
    alternative: AlternativeId,
    /// Whether it goes through a reference, which adds a level.
    deeper: bool,
    /// How often the rule's cost counts in the alternative's.
    times: u64,
}

/// For each rule its uses, one for each alternative.
struct Users(Rows<Use>);

impl Users {
    fn of(table: &Table) -> Self {
        let mut uses: Vec<(RuleId, Use)> = Vec::new();
        for alternative in (0..table.alternative_count() as u32).map(AlternativeId::new) {
            for &item in table.items(alternative) {
                let (element, times) = match item.kind() {
                    SymbolKind::Repetition(repetition) => {
                        let repetition = table.repetition(repetition);
                        (repetition.element, u64::from(repetition.min))
                    }
                    _ => (item, 1),
                };
                if let Some(rule) = table.rule_behind(element)
                    && times > 0
                {
                    let deeper = element.occurrence().is_some();
                    uses.push((rule, Use { alternative, deeper, times }));
                }
            }
        }
        uses.sort_by_key(|&(rule, of)| (rule, of.alternative));
        uses.dedup_by(|(rule, again), (before, of)| {
            let same = rule == before && again.alternative == of.alternative;
            if same {
                of.times = of.times.saturating_add(again.times);
            }
            same
        });
        let uses = uses.iter().map(|&(rule, of)| (rule.index(), of));
        Self(Rows::grouped(table.rule_count(), uses))
    }

    fn of_rule(&self, rule: RuleId) -> &[Use] {
        self.0.row(rule.index())
    }
}

const UNKNOWN: u32 = u32::MAX;

/// The least heights: alternatives wait for the rules they need, and a rule takes the height of
/// the first alternative that is complete, in the order of rising heights (Knuth, "A
/// Generalization of Dijkstra's Algorithm", 1977, with buckets for the heap).
fn rule_heights(table: &Table, users: &Users) -> Vec<u32> {
    let mut heights = vec![UNKNOWN; table.rule_count()];
    let mut waiting = vec![0_u32; table.alternative_count()];
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        for of in users.of_rule(rule) {
            waiting[of.alternative.index()] += 1;
        }
    }
    let mut buckets: Vec<Vec<AlternativeId>> = vec![Vec::new(), Vec::new()];
    for alternative in (0..table.alternative_count() as u32).map(AlternativeId::new) {
        if waiting[alternative.index()] == 0 {
            let terminal = table.items(alternative).iter().any(|&item| is_terminal(table, item));
            buckets[usize::from(terminal)].push(alternative);
        }
    }
    let mut height = 0;
    while height < buckets.len() {
        while let Some(alternative) = buckets[height].pop() {
            let rule = table.rule_of(alternative);
            if heights[rule.index()] != UNKNOWN || table.is_marked(alternative) {
                continue;
            }
            heights[rule.index()] = height as u32;
            for &Use { alternative: user, .. } in users.of_rule(rule) {
                waiting[user.index()] -= 1;
                if waiting[user.index()] == 0 {
                    let items = table.items(user).iter();
                    let needs = items.map(|&s| symbol_height(table, &heights, s)).max();
                    let needs = needs.unwrap_or(0) as usize;
                    if buckets.len() <= needs {
                        buckets.resize_with(needs + 1, Vec::new);
                    }
                    buckets[needs].push(user);
                }
            }
        }
        height += 1;
    }
    heights
}

fn is_terminal(table: &Table, item: Symbol) -> bool {
    match item.kind() {
        SymbolKind::Terminal(_) => true,
        SymbolKind::Repetition(repetition) => {
            let repetition = table.repetition(repetition);
            repetition.min > 0 && matches!(repetition.element.kind(), SymbolKind::Terminal(_))
        }
        _ => false,
    }
}

/// Builds the fronts by rising height.
fn climb(table: &Table, minima: &Minima, users: &Users, objective: Objective) -> Fronts {
    let mut climb = Climb {
        table,
        minima,
        users,
        objective,
        best: vec![None; table.rule_count()],
        counts: vec![0; table.rule_count()],
        sums: vec![None; table.alternative_count()],
        points: Vec::new(),
    };
    // Alternatives by the height at which they can first be taken.
    let mut due: Vec<Vec<AlternativeId>> = Vec::new();
    for alternative in (0..table.alternative_count() as u32).map(AlternativeId::new) {
        let height = minima.alternative_height(alternative) as usize;
        if due.len() <= height {
            due.resize_with(height + 1, Vec::new);
        }
        due[height].push(alternative);
    }
    // Rules that got cheaper at the height before, and what they cost before that.
    let mut fallen: Vec<(RuleId, Option<Cost>)> = Vec::new();
    let mut height = 0;
    while height < due.len() || !fallen.is_empty() {
        let mut now: Vec<AlternativeId> =
            due.get_mut(height).map(std::mem::take).unwrap_or_default();
        for (rule, before) in fallen.drain(..) {
            climb.tell(rule, before, true, |user| now.push(user));
        }
        climb.at_height(height as u32, now, &mut fallen);
        height += 1;
    }
    climb.finish()
}

struct Climb<'t> {
    table: &'t Table,
    minima: &'t Minima,
    users: &'t Users,
    objective: Objective,
    /// The last point of each rule, as an index into `points`.
    best: Vec<Option<u32>>,
    /// How many points each rule has.
    counts: Vec<u32>,
    /// What each alternative costs at the height that is being made; none where it is not known
    /// and has to be added up. A rule that gets cheaper changes the sums of its users, so that
    /// long alternatives are not added up again for each of their items.
    sums: Vec<Option<Cost>>,
    points: Vec<Made>,
}

/// A point of some rule, and the rule's point before it.
struct Made {
    rule: RuleId,
    point: FrontPoint,
    before: Option<u32>,
}

impl Climb<'_> {
    /// Looks at some alternatives and at all that this concerns at the same height.
    fn at_height(
        &mut self,
        height: u32,
        now: Vec<AlternativeId>,
        fallen: &mut Vec<(RuleId, Option<Cost>)>,
    ) {
        // Groups get cheaper at the same height as what they contain: inner ones first, which
        // have the greater identifiers, so that each alternative sees final costs.
        let mut now: BinaryHeap<(RuleId, AlternativeId)> = now
            .into_iter()
            .map(|alternative| (self.table.rule_of(alternative), alternative))
            .collect();
        let mut last = None;
        while let Some((rule, alternative)) = now.pop() {
            if last.replace(alternative) == Some(alternative) {
                continue;
            }
            let before = self.newest(rule).map(|point| point.cost);
            if !self.look_at(alternative, height) {
                continue;
            }
            if fallen.last().is_none_or(|&(last, _)| last != rule) {
                fallen.push((rule, before));
            }
            let table = self.table;
            self.tell(rule, before, false, |user| now.push((table.rule_of(user), user)));
        }
    }

    /// Tells the users of a rule at its own level, or a level above, that it costs less.
    fn tell(
        &mut self,
        rule: RuleId,
        before: Option<Cost>,
        deeper: bool,
        mut look_at: impl FnMut(AlternativeId),
    ) {
        let now = self.newest(rule).map(|point| point.cost);
        for of in self.users.of_rule(rule) {
            if of.deeper == deeper {
                let sum = &mut self.sums[of.alternative.index()];
                *sum = (|| exchanged((*sum)?, before?, now?, of.times))();
                look_at(of.alternative);
            }
        }
    }

    fn newest(&self, rule: RuleId) -> Option<FrontPoint> {
        self.best[rule.index()].map(|newest| self.points[newest as usize].point)
    }

    /// Sees whether an alternative is a new point of its rule at this height.
    fn look_at(&mut self, alternative: AlternativeId, height: u32) -> bool {
        let rule = self.table.rule_of(alternative);
        if height < self.minima.alternative_height(alternative) || self.table.is_marked(alternative)
        {
            return false;
        }
        let sum = self.sums[alternative.index()].or_else(|| self.cost(alternative, height));
        self.sums[alternative.index()] = sum;
        let Some(cost) = sum else { return false };
        let point = FrontPoint { height, alternative, cost };
        if let Some(last) = self.best[rule.index()] {
            let old = self.points[last as usize].point;
            if self.objective.key(cost) >= self.objective.key(old.cost) {
                return false;
            }
            if old.height == height {
                self.points[last as usize].point = point;
                return true;
            }
            let (new, old) = (self.objective.key(cost).0, self.objective.key(old.cost).0);
            if self.counts[rule.index()] as usize >= EXACT_POINTS && new > old - old / 8 {
                return false;
            }
        }
        let before = self.best[rule.index()].replace(self.points.len() as u32);
        self.counts[rule.index()] += 1;
        self.points.push(Made { rule, point, before });
        true
    }

    fn cost(&self, alternative: AlternativeId, height: u32) -> Option<Cost> {
        self.table
            .items(alternative)
            .iter()
            .try_fold(Cost::default(), |sum, &item| Some(sum.plus(self.item_cost(item, height)?)))
    }

    fn item_cost(&self, item: Symbol, height: u32) -> Option<Cost> {
        let node = Cost { bytes: 0, nodes: 1 };
        match item.kind() {
            SymbolKind::Terminal(occurrence) => {
                (height > 0).then(|| self.minima.occurrence_cost(occurrence))
            }
            SymbolKind::Reference(occurrence) => {
                let rule = RuleId::new(self.table.targets[occurrence.index()]);
                let own = self.minima.occurrence_cost(occurrence);
                Some(own.plus(self.rule_cost(rule, height.checked_sub(1)?)?))
            }
            SymbolKind::Group(rule) | SymbolKind::Root(rule) => {
                Some(node.plus(self.rule_cost(rule, height)?))
            }
            SymbolKind::Repetition(repetition) => {
                let Repetition { element, min, .. } = *self.table.repetition(repetition);
                if min == 0 {
                    return Some(node);
                }
                Some(node.plus(self.item_cost(element, height)?.times(min)))
            }
            SymbolKind::Layout => Some(node),
        }
    }

    /// The cost of a rule at a height whose points are complete, or being made.
    fn rule_cost(&self, rule: RuleId, height: u32) -> Option<Cost> {
        let newest = &self.points[self.best[rule.index()]? as usize];
        if newest.point.height <= height {
            return Some(newest.point.cost);
        }
        // The newest point is of the height that is being made: the one before it counts.
        Some(self.points[newest.before? as usize].point.cost)
    }

    fn finish(self) -> Fronts {
        let mut offsets = vec![0_u32; self.counts.len() + 1];
        for (rule, &count) in self.counts.iter().enumerate() {
            offsets[rule + 1] = offsets[rule] + count;
        }
        let mut next = offsets.clone();
        let filler =
            FrontPoint { height: 0, alternative: AlternativeId::new(0), cost: Cost::default() };
        let mut points = vec![filler; self.points.len()];
        for Made { rule, point, .. } in self.points {
            points[next[rule.index()] as usize] = point;
            next[rule.index()] += 1;
        }
        Fronts { offsets, points }
    }
}

/// A sum in which one cost has taken the place of another so many times; none where a number is
/// too large to tell.
fn exchanged(sum: Cost, before: Cost, now: Cost, times: u64) -> Option<Cost> {
    let exchange = |sum: u64, before: u64, now: u64| {
        let known = |number: u64| (number != u64::MAX).then_some(u128::from(number));
        let rest = known(sum)?.checked_sub(known(before)?.checked_mul(times.into())?)?;
        let all = rest.checked_add(known(now)?.checked_mul(times.into())?)?;
        u64::try_from(all).ok().filter(|&all| all != u64::MAX)
    };
    Some(Cost {
        bytes: exchange(sum.bytes, before.bytes, now.bytes)?,
        nodes: exchange(sum.nodes, before.nodes, now.nodes)?,
    })
}
