//! Which rules derive which others alone: `statement = expression | block` derives a block.

use std::collections::VecDeque;

use fxhash::FxHashMap;

use crate::table::{AlternativeId, RuleId, Symbol, Table};

/// More pairs of rules than this are not found: grammars may have them by the square of their rules.
const MOST_PAIRS: usize = 1 << 16;

/// For pairs of different rules, the alternative of the first whose only item leads to the second
/// in the fewest steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    steps: FxHashMap<(RuleId, RuleId), AlternativeId>,
}

impl Units {
    pub(super) fn new(table: &Table) -> Self {
        let mut units = Self::default();
        let mut queue: VecDeque<(RuleId, AlternativeId)> = VecDeque::new();
        for from in (0..table.rule_count() as u32).map(RuleId::new) {
            let alone = |rule| {
                table.alternatives(rule).filter_map(|alternative| match table.items(alternative) {
                    &[item] => table.rule_behind(item).map(|target| (target, alternative)),
                    _ => None,
                })
            };
            queue.extend(alone(from));
            while let Some((rule, first)) = queue.pop_front() {
                if units.steps.len() >= MOST_PAIRS {
                    return units;
                }
                if rule == from || units.steps.contains_key(&(from, rule)) {
                    continue;
                }
                units.steps.insert((from, rule), first);
                queue.extend(alone(rule).map(|(target, _)| (target, first)));
            }
        }
        units
    }

    /// The alternative by which a rule derives another alone, and its item.
    pub(super) fn step(
        &self,
        table: &Table,
        from: RuleId,
        to: RuleId,
    ) -> Option<(AlternativeId, Symbol)> {
        let alternative = *self.steps.get(&(from, to))?;
        table.items(alternative).first().map(|&item| (alternative, item))
    }

    /// Whether a rule is another, or derives it alone.
    pub(super) fn reaches(&self, from: RuleId, to: RuleId) -> bool {
        from == to || self.steps.contains_key(&(from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_through_single_items_is_found() {
        let grammar = r#"a = "x" b | ( c | "y" ) ; b = a | d ; c = b | d ; d = "z" ;"#;
        let table = Table::parse(grammar).unwrap();
        let units = Units::new(&table);
        let rule = |name| table.names().find_rule(name).unwrap();
        let way = |from, to| {
            let (mut rule, mut length) = (from, 0);
            while rule != to {
                let (_, item) = units.step(&table, rule, to)?;
                rule = table.rule_behind(item)?;
                length += 1;
            }
            Some(length)
        };
        assert_eq!(way(rule("b"), rule("d")), Some(1));
        // Through the group.
        assert_eq!(way(rule("a"), rule("d")), Some(3));
        assert_eq!(way(rule("a"), rule("b")), Some(3));
        assert_eq!(way(rule("d"), rule("a")), None);
        assert!(units.reaches(rule("d"), rule("d")) && !units.reaches(rule("d"), rule("b")));
    }
}
