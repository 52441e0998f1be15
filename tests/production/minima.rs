//! The least that a rule costs.

use std::collections::HashMap;

use pleach::grammar::Grammar;
use pleach::table::{Objective, RuleId, Symbol, SymbolKind, Table};
use proptest::prelude::*;

use crate::{both, config, naive};

/// The least nodes and bytes of rules, by recursion over the table's items.
pub struct Least<'t> {
    table: &'t Table,
    objective: Objective,
    known: HashMap<(RuleId, u32), Option<(u64, u64)>>,
}

impl<'t> Least<'t> {
    pub fn new(table: &'t Table, objective: Objective) -> Self {
        Self { table, objective, known: HashMap::new() }
    }

    /// What is saved, then the other.
    pub fn rule(&mut self, rule: RuleId, height: u32) -> Option<(u64, u64)> {
        if let Some(&known) = self.known.get(&(rule, height)) {
            return known;
        }
        let table = self.table;
        let least = table
            .alternatives(rule)
            .filter_map(|alternative| {
                table.items(alternative).iter().try_fold((0, 0), |sum, &item| {
                    let cost = self.item(item, height)?;
                    Some((sum.0 + cost.0, sum.1 + cost.1))
                })
            })
            .min();
        self.known.insert((rule, height), least);
        least
    }

    fn item(&mut self, item: Symbol, height: u32) -> Option<(u64, u64)> {
        let objective = self.objective;
        let node = |(first, second): (u64, u64)| match objective {
            Objective::Nodes => (first + 1, second),
            Objective::Bytes => (first, second + 1),
        };
        Some(match item.kind() {
            SymbolKind::Terminal(occurrence) => {
                let terminal = self.table.terminal_at(occurrence).unwrap();
                let bytes = self.table.shortest(terminal).len() as u64;
                let cost = if self.objective == Objective::Nodes { (0, bytes) } else { (bytes, 0) };
                (height > 0).then(|| node(cost))?
            }
            SymbolKind::Reference(occurrence) => {
                node(self.rule(self.table.target(occurrence).unwrap(), height.checked_sub(1)?)?)
            }
            SymbolKind::Group(rule) => node(self.rule(rule, height)?),
            SymbolKind::Repetition(id) => {
                let repetition = *self.table.repetition(id);
                if repetition.min == 0 {
                    return Some(node((0, 0)));
                }
                let (first, second) = self.item(repetition.element, height)?;
                let times = u64::from(repetition.min);
                node((first * times, second * times))
            }
            _ => unreachable!("no item of an alternative"),
        })
    }
}

fn compare_minima(grammar: &Grammar) {
    let Some((table, naive)) = both(grammar) else { return };
    let bytes = naive.least_bytes(12);
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        for objective in [Objective::Bytes, Objective::Nodes] {
            let mut least = Least::new(&table, objective);
            for height in 0..=12 {
                let found = table.minima().closing(objective, rule, height);
                let key = found.map(|point| match objective {
                    Objective::Bytes => (point.cost.bytes, point.cost.nodes),
                    Objective::Nodes => (point.cost.nodes, point.cost.bytes),
                });
                assert_eq!(key, least.rule(rule, height), "{rule:?} at {height}");
                if let Some(point) = found {
                    assert_eq!(table.rule_of(point.alternative), rule);
                    let again = table.minima().alternative_cost(
                        &table,
                        objective,
                        point.alternative,
                        point.height,
                    );
                    assert_eq!(again, Some(point.cost));
                }
                if objective == Objective::Bytes && rule.index() < table.named_rule_count() {
                    let source = naive.rule(table.names().rule(rule));
                    let bytes = bytes[height as usize].get(&source).copied();
                    assert_eq!(found.map(|point| point.cost.bytes), bytes);
                    assert_eq!(table.minima().rule_height(rule), naive.rule_height(source));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn closing_is_as_cheap_as_can_be(grammar in naive::random::grammar()) {
        println!("{grammar}");
        compare_minima(&grammar);
    }
}
