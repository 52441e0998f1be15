//! The way to a goal: the nodes from the root down that a tree must have.

use crate::table::{AlternativeId, OccurrenceId, RepetitionId, RuleId, Symbol, SymbolKind, Table};

/// A node of the way, and the alternative it must be expanded by to go on.
#[derive(Clone, Copy, Debug)]
struct Step {
    symbol: Symbol,
    alternative: Option<AlternativeId>,
}

/// A way from the root, and how far the tree being produced has followed it.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    steps: Vec<Step>,
    /// The count that the last step, a repetition, is to have.
    count: Option<u32>,
    /// How many steps are matched by open nodes.
    matched: usize,
    /// How many nodes are open.
    level: usize,
    /// Whether it is still being followed.
    active: bool,
    /// The level of the repetition whose count is wanted, while it is open.
    counting: Option<usize>,
}

impl Route {
    /// Leads along a chain of occurrences that begins under the root.
    pub(super) fn set(
        &mut self,
        table: &Table,
        chain: &[OccurrenceId],
        count: Option<(RepetitionId, u32)>,
    ) {
        self.set_below(table, Symbol::root(table.start()), chain);
        self.count = count.map(|(_, count)| count);
        if let Some((repetition, _)) = count {
            let alternative = table.repetition(repetition).alternative;
            self.extend(table, Symbol::repetition(repetition), alternative, None);
        }
    }

    /// Leads along a chain of occurrences that begins in the body of the rule behind a symbol, which
    /// is the first node to be begun.
    pub(super) fn set_below(&mut self, table: &Table, symbol: Symbol, chain: &[OccurrenceId]) {
        self.steps.clear();
        self.steps.push(Step { symbol, alternative: None });
        for &occurrence in chain {
            let site = table.occurrence_site(occurrence);
            self.extend(table, table.symbol(occurrence), site.alternative, site.repetition);
        }
        self.count = None;
        self.matched = 0;
        self.level = 0;
        self.active = true;
        self.counting = None;
    }

    /// Whether every node of the way was begun.
    pub(super) fn is_complete(&self) -> bool {
        self.matched == self.steps.len()
    }

    /// Goes on from the last step to a symbol in the body of the rule behind it.
    #[pleach_unhooked::unhooked]
    fn extend(
        &mut self,
        table: &Table,
        symbol: Symbol,
        mut alternative: AlternativeId,
        mut repetition: Option<RepetitionId>,
    ) {
        let end = self.steps.len();
        self.steps.push(Step { symbol, alternative: None });
        loop {
            if let Some(repetition) = repetition {
                let symbol = Symbol::repetition(repetition);
                self.steps.insert(end, Step { symbol, alternative: None });
            }
            let rule: RuleId = table.rule_of(alternative);
            let Some(site) = table.group_site(rule) else { break };
            let symbol = Symbol::group(rule);
            self.steps.insert(end, Step { symbol, alternative: Some(alternative) });
            alternative = site.alternative;
            repetition = site.repetition;
        }
        self.steps[end - 1].alternative = Some(alternative);
    }

    /// A node is begun.
    pub(super) fn begin(&mut self, symbol: Symbol) {
        if self.active
            && self.level == self.matched
            && self.steps.get(self.matched).is_some_and(|step| step.symbol == symbol)
        {
            self.matched += 1;
            if self.matched == self.steps.len() {
                self.active = false;
                self.counting = self.count.map(|_| self.level + 1);
            }
        }
        if !symbol.is_leaf() {
            self.level += 1;
        }
    }

    /// A node that is no leaf is complete.
    pub(super) fn end(&mut self) {
        if self.counting == Some(self.level) {
            self.counting = None;
        }
        self.level -= 1;
        if self.matched > self.level {
            self.active = false;
        }
    }

    /// Whether the node begun last is to be expanded as the way demands.
    pub(super) fn is_here(&self) -> bool {
        (self.active && self.level == self.matched) || self.counting == Some(self.level)
    }

    /// The alternative that the way demands here.
    pub(super) fn alternative(&self) -> Option<AlternativeId> {
        if self.active && self.level == self.matched {
            self.steps[self.matched - 1].alternative
        } else {
            None
        }
    }

    /// Whether the way demands that the repetition here goes on, or that it ends.
    pub(super) fn more(&self, done: u32) -> Option<bool> {
        if self.counting == Some(self.level) {
            return Some(done < self.count.unwrap_or(0));
        }
        let here = self.active
            && self.level == self.matched
            && matches!(self.steps[self.matched - 1].symbol.kind(), SymbolKind::Repetition(_));
        here.then_some(true)
    }
}
