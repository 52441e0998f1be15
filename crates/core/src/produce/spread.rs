//! Facts about rules that depend on those of the rules that they refer to.

use std::collections::VecDeque;

use crate::table::{RuleId, Table};

/// The rules behind the items of a rule's alternatives.
pub(super) fn referred(table: &Table, rule: RuleId) -> impl Iterator<Item = RuleId> {
    let items = table.alternatives(rule).flat_map(|alternative| table.items(alternative));
    items.filter_map(|&item| table.rule_behind(table.element(item)))
}

/// Finds a fact of each rule anew, whenever one that it refers to has changed, until none does; `find` tells
/// whether the rule's fact has.
pub(super) fn spread(table: &Table, mut find: impl FnMut(RuleId) -> bool) {
    let rules = || (0..table.rule_count() as u32).map(RuleId::new);
    let mut users = vec![Vec::new(); table.rule_count()];
    for rule in rules() {
        referred(table, rule).for_each(|used| users[used.index()].push(rule));
    }
    let (mut queue, mut waits) = (VecDeque::from_iter(rules()), vec![true; table.rule_count()]);
    while let Some(rule) = queue.pop_front() {
        waits[rule.index()] = false;
        if find(rule) {
            for &user in &users[rule.index()] {
                if !std::mem::replace(&mut waits[user.index()], true) {
                    queue.push_back(user);
                }
            }
        }
    }
}
