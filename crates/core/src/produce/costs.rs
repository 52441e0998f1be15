//! What production must keep to, and what closing costs within it.
//!
//! A rule's cost depends on the height that is left only where that is little. Beyond the last
//! point of every rule's Pareto front costs stay the same, and most of a tree stands there. So what
//! symbols and alternatives cost with slack in height is in arrays, beside all else that is looked up
//! for each node, and fronts are searched near the greatest depth only.

use super::budget::Budget;
use super::characters::Characters;
use crate::table::{
    AlternativeId, Cost, Objective, OccurrenceId, RepetitionId, RuleId, Symbol, SymbolKind, Table,
};

/// The node that an alternative stands under.
pub(super) const NODE: Cost = Cost { bytes: 0, nodes: 1 };

/// What stays the same during expansions.
#[derive(Clone)]
pub(super) struct SymbolCosts<'t> {
    pub(super) table: &'t Table,
    pub(super) budget: Budget,
    pub(super) objective: Objective,
    pub(super) characters: Characters,
    /// More than any alternative and the node it stands under cost: with this much left no cost
    /// need be looked at.
    pub(super) roomy: Cost,
    /// With this height left for a rule, what is known of its items holds: all its alternatives can
    /// be closed, and nothing would be cheaper with more. Beyond any height where some never can.
    slack_height: u64,
    /// Where the symbols of each kind begin, by the kind's number.
    starts: [u32; 8],
    symbols: Vec<Bounds>,
    alternatives: Vec<Body>,
    /// All alternatives.
    every: Vec<AlternativeId>,
}

/// What is known of a symbol.
#[derive(Clone, Copy, Default)]
pub(super) struct Bounds {
    /// What it costs when it is closed with slack in height.
    cost: Cost,
    /// More than any alternative of the rule behind it costs then, with the node it stands under.
    pub(super) dearest: Cost,
    /// The rule or the terminal behind it.
    pub(super) behind: u32,
    /// The alternatives of that rule, and their end.
    pub(super) alternatives: (u32, u32),
    /// Where among the bytes of all literals those of the terminal begin, and their end; empty
    /// where it has more than one text.
    pub(super) literal: (u32, u32),
}

/// What is known of an alternative.
#[derive(Clone, Copy)]
struct Body {
    /// What it costs when it is closed with slack in height.
    cost: Cost,
    /// Where its items begin, and their end.
    items: (u32, u32),
}

impl<'t> SymbolCosts<'t> {
    #[pleach_unhooked::unhooked]
    pub(super) fn new(
        table: &'t Table,
        budget: Budget,
        objective: Objective,
        characters: Characters,
    ) -> Self {
        let dearest = Dearest::new(table, objective);
        let every: Vec<_> = (0..table.alternative_count() as u32).map(AlternativeId::new).collect();
        let dear = |&alternative: &AlternativeId| {
            let items = table.items(alternative).iter();
            items.map(|&item| dearest.symbol(table, item)).fold(Cost::default(), Cost::plus)
        };
        let roomy = every.iter().map(dear).fold(Cost::default(), Cost::greatest).plus(NODE);

        let slack_height = slack_height(table, objective);
        let height = slack_height.unwrap_or_default();
        let bodies = every.iter().map(|&alternative| {
            let cost = table.minima().alternative_cost(table, objective, alternative, height);
            let items = table.items.range(alternative.index());
            Body { cost: cost.unwrap_or_default(), items: (items.start, items.end) }
        });
        let alternatives: Vec<Body> = bodies.collect();
        let of = |symbol: Symbol| {
            let cost = table.minima().symbol_cost(table, objective, symbol, height);
            let known = Bounds { cost: cost.unwrap_or_default(), ..Bounds::default() };
            if let Some(terminal) = symbol.occurrence().and_then(|at| table.terminal_at(at)) {
                let literal = table.terminals.literal_range(terminal);
                return Bounds { behind: terminal.get(), literal, ..known };
            }
            let Some(rule) = table.rule_behind(symbol) else { return known };
            let range = table.alternative_range(rule);
            let bodies = &alternatives[range.start as usize..range.end as usize];
            let dearest = bodies.iter().map(|body| body.cost).fold(Cost::default(), Cost::greatest);
            Bounds {
                dearest: dearest.plus(NODE),
                behind: rule.get(),
                alternatives: (range.start, range.end),
                ..known
            }
        };
        // The root is as a group of its rule.
        let occurrences = table.all_occurrence_count() as u32;
        let repetitions = occurrences + table.rule_count() as u32;
        let layout = repetitions + table.repetition_count() as u32;
        let symbols = (0..occurrences)
            .map(|occurrence| table.symbol(OccurrenceId::new(occurrence)))
            .chain((0..table.rule_count() as u32).map(|rule| Symbol::group(RuleId::new(rule))))
            .chain(
                (repetitions..layout)
                    .map(|at| Symbol::repetition(RepetitionId::new(at - repetitions))),
            )
            .chain([Symbol::LAYOUT]);
        Self {
            table,
            budget,
            objective,
            characters,
            roomy,
            slack_height: slack_height.map_or(u64::MAX, u64::from),
            starts: [0, 0, occurrences, repetitions, occurrences, layout, layout, layout],
            symbols: symbols.map(of).collect(),
            alternatives,
            every,
        }
    }

    /// Whether so much height is left for a rule that all its alternatives can be closed, and
    /// nothing would be cheaper with more.
    #[inline]
    pub(super) fn has_height_slack(&self, height: u32) -> bool {
        u64::from(height) >= self.slack_height
    }

    /// The alternatives of a range, as a slice.
    #[inline]
    pub(super) fn every(&self, alternatives: std::ops::Range<u32>) -> &[AlternativeId] {
        &self.every[alternatives.start as usize..alternatives.end as usize]
    }

    /// What is known of a symbol.
    #[inline]
    pub(super) fn bounds(&self, symbol: Symbol) -> &Bounds {
        let (kind, id) = symbol.parts();
        &self.symbols[self.starts[kind] as usize + id]
    }

    /// What a symbol costs when it is closed with `height` left for the rule it stands in; none
    /// where the height is not enough.
    #[inline]
    pub(super) fn closing_cost(&self, symbol: Symbol, height: u32) -> Option<Cost> {
        if self.has_height_slack(height) {
            return Some(self.bounds(symbol).cost);
        }
        self.table.minima().symbol_cost(self.table, self.objective, symbol, height)
    }

    #[inline]
    pub(super) fn symbol_cost(&self, symbol: Symbol, height: u32) -> Cost {
        self.closing_cost(symbol, height)
            .expect("only symbols that close within their height are placed")
    }

    /// What the items of an alternative cost when they are closed.
    pub(super) fn alternative_cost(&self, alternative: AlternativeId, height: u32) -> Cost {
        self.body(alternative, height).0
    }

    /// What the items of an alternative cost when they are closed; where they begin, and their end.
    #[inline]
    pub(super) fn body(&self, alternative: AlternativeId, height: u32) -> (Cost, (u32, u32)) {
        let Body { cost, items } = self.alternatives[alternative.index()];
        if self.has_height_slack(height) {
            return (cost, items);
        }
        let cost =
            self.table.minima().alternative_cost(self.table, self.objective, alternative, height);
        (cost.expect("only alternatives that close within their height are placed"), items)
    }
}

/// The least height that has slack; none where some rule can never be closed.
fn slack_height(table: &Table, objective: Objective) -> Option<u32> {
    let minima = table.minima();
    let last = (0..table.rule_count() as u32).map(|rule| {
        // A reference has a level less for its rule.
        minima.front(objective, RuleId::new(rule)).last()?.height.checked_add(1)
    });
    let least = (0..table.alternative_count() as u32).map(|alternative| {
        let height = minima.alternative_height(AlternativeId::new(alternative));
        (height < u32::MAX).then_some(height)
    });
    last.chain(least).try_fold(0, |most: u32, height| Some(most.max(height?)))
}

/// The most that each rule costs when it is closed, at whatever height: with more height a rule
/// saves more of one thing and may cost more of the other.
pub(super) struct Dearest {
    rules: Vec<Cost>,
}

impl Dearest {
    #[pleach_unhooked::unhooked]
    pub(super) fn new(table: &Table, objective: Objective) -> Self {
        let rules = (0..table.rule_count() as u32)
            .map(|rule| {
                let front = table.minima().front(objective, RuleId::new(rule));
                front.iter().map(|point| point.cost).fold(Cost::default(), Cost::greatest)
            })
            .collect();
        Self { rules }
    }

    /// The most that an item costs when it is closed.
    pub(super) fn symbol(&self, table: &Table, item: Symbol) -> Cost {
        match item.kind() {
            SymbolKind::Terminal(occurrence) => table.minima().occurrence_cost(occurrence),
            SymbolKind::Reference(occurrence) => {
                let own = table.minima().occurrence_cost(occurrence);
                own.plus(self.rules[table.targets[occurrence.index()] as usize])
            }
            SymbolKind::Group(rule) | SymbolKind::Root(rule) => NODE.plus(self.rules[rule.index()]),
            SymbolKind::Repetition(id) => {
                let repetition = table.repetition(id);
                match repetition.min {
                    0 => NODE,
                    least => NODE.plus(self.symbol(table, repetition.element).times(least)),
                }
            }
            SymbolKind::Layout => NODE,
        }
    }
}
