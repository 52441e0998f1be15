//! What production must keep to, and what closing costs within it.
//!
//! A rule's cost depends on the height that is left only where that is little. Beyond the last
//! step of every rule's staircase costs stay the same, and most of a tree stands there, so the
//! costs with ample height are in arrays, and only near the greatest depth are steps searched.

use super::budget::Budget;
use super::leaf::Characters;
use crate::table::{
    AlternativeId, Cost, OccurrenceId, RepetitionId, RuleId, Saving, Symbol, SymbolKind, Table,
};

/// The node that an alternative stands under.
pub(super) const NODE: Cost = Cost { bytes: 0, nodes: 1 };

/// What stays the same during expansions.
#[derive(Clone)]
pub(super) struct Frugality<'t> {
    pub(super) table: &'t Table,
    pub(super) budget: Budget,
    pub(super) saving: Saving,
    pub(super) characters: Characters,
    /// More than any alternative and the node it stands under cost: with this much left no cost
    /// need be looked at.
    pub(super) roomy: Cost,
    ample: Ample,
    /// All alternatives.
    every: Vec<AlternativeId>,
}

/// What closing costs where more height saves nothing.
#[derive(Clone)]
struct Ample {
    /// With this height left for the rule that something stands in, these are its costs. Beyond
    /// any height where some rule cannot be closed.
    height: u64,
    /// Where the symbols of each kind begin, by the kind's number.
    starts: [u32; 8],
    symbols: Vec<Cost>,
    alternatives: Vec<Cost>,
}

impl<'t> Frugality<'t> {
    pub(super) fn new(
        table: &'t Table,
        budget: Budget,
        saving: Saving,
        characters: Characters,
    ) -> Self {
        let dearest = Dearest::new(table, saving);
        let every: Vec<_> = (0..table.alternative_count() as u32).map(AlternativeId::new).collect();
        let dear = |&alternative: &AlternativeId| {
            let items = table.items(alternative).iter();
            items.map(|&item| dearest.symbol(table, item)).fold(Cost::default(), Cost::plus)
        };
        let roomy = every.iter().map(dear).fold(Cost::default(), Cost::greatest).plus(NODE);
        let ample = Ample::new(table, saving, &every);
        Self { table, budget, saving, characters, roomy, ample, every }
    }

    /// Whether so much height is left for a rule that all its alternatives can be closed, and none
    /// would be cheaper with more.
    #[inline]
    pub(super) fn is_ample(&self, height: u32) -> bool {
        u64::from(height) >= self.ample.height
    }

    /// The alternatives of a range, as a slice.
    #[inline]
    pub(super) fn every(&self, alternatives: std::ops::Range<u32>) -> &[AlternativeId] {
        &self.every[alternatives.start as usize..alternatives.end as usize]
    }

    /// What a symbol costs when it is closed with `height` left for the rule it stands in; none
    /// where the height is not enough.
    #[inline]
    pub(super) fn closing_cost(&self, symbol: Symbol, height: u32) -> Option<Cost> {
        if self.is_ample(height) {
            let (kind, id) = symbol.parts();
            return Some(self.ample.symbols[self.ample.starts[kind] as usize + id]);
        }
        self.table.minima().symbol_cost(self.table, self.saving, symbol, height)
    }

    #[inline]
    pub(super) fn symbol_cost(&self, symbol: Symbol, height: u32) -> Cost {
        self.closing_cost(symbol, height)
            .expect("only symbols that close within their height are placed")
    }

    #[inline]
    pub(super) fn alternative_cost(&self, alternative: AlternativeId, height: u32) -> Cost {
        if self.is_ample(height) {
            return self.ample.alternatives[alternative.index()];
        }
        self.table
            .minima()
            .alternative_cost(self.table, self.saving, alternative, height)
            .expect("only alternatives that close within their height are placed")
    }
}

impl Ample {
    fn new(table: &Table, saving: Saving, alternatives: &[AlternativeId]) -> Self {
        let minima = table.minima();
        let rules = || (0..table.rule_count() as u32).map(RuleId::new);
        let occurrences = table.all_occurrence_count() as u32;
        let repetitions = (0..table.repetition_count() as u32).map(RepetitionId::new);
        // A reference has a level less for its rule.
        let last = |rule| minima.steps(saving, rule).last().map(|step| step.height.checked_add(1));
        let last = rules().map(|rule| last(rule).flatten());
        let least = alternatives.iter().map(|&alternative| {
            let height = minima.alternative_height(alternative);
            (height < u32::MAX).then_some(height)
        });
        let height = last.chain(least).try_fold(0, |most: u32, height| Some(most.max(height?)));
        let Some(height) = height else { return Self::never() };

        let after_rules = occurrences + table.rule_count() as u32;
        let layout = after_rules + table.repetition_count() as u32;
        let symbols = (0..occurrences)
            .map(|occurrence| table.symbol(OccurrenceId::new(occurrence)))
            .chain(rules().map(Symbol::group))
            .chain(repetitions.map(Symbol::repetition))
            .chain([Symbol::LAYOUT]);
        let cost = |symbol| minima.symbol_cost(table, saving, symbol, height).unwrap_or_default();
        let of = |&alternative: &AlternativeId| {
            minima.alternative_cost(table, saving, alternative, height).unwrap_or_default()
        };
        Self {
            height: height.into(),
            starts: [0, 0, occurrences, after_rules, occurrences, layout, layout, layout],
            symbols: symbols.map(cost).collect(),
            alternatives: alternatives.iter().map(of).collect(),
        }
    }

    /// Where no height is ample.
    fn never() -> Self {
        Self { height: u64::MAX, starts: [0; 8], symbols: Vec::new(), alternatives: Vec::new() }
    }
}

/// The most that each rule costs when it is closed, at whatever height: with more height a rule
/// saves more of one thing and may cost more of the other.
pub(super) struct Dearest {
    rules: Vec<Cost>,
}

impl Dearest {
    pub(super) fn new(table: &Table, saving: Saving) -> Self {
        let rules = (0..table.rule_count() as u32)
            .map(|rule| {
                let steps = table.minima().steps(saving, RuleId::new(rule));
                steps.iter().map(|step| step.cost).fold(Cost::default(), Cost::greatest)
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
