//! How rules reach themselves.

use super::splitmix::SplitMix64;
use crate::table::{OccurrenceId, RuleId, Table};

/// The references to each rule, from which chains of references from a rule to itself follow.
#[derive(Clone, Debug)]
pub(crate) struct Recursions {
    /// By rule: the references to it, and the rules in whose bodies they stand.
    users: Vec<Vec<(OccurrenceId, RuleId)>>,
    /// By rule: the first step of a shortest way to the rule that is looked for.
    steps: Vec<Option<OccurrenceId>>,
    queue: Vec<RuleId>,
}

impl Recursions {
    pub(crate) fn new(table: &Table) -> Self {
        let mut users = vec![Vec::new(); table.rule_count()];
        for rule in table.produced_rules() {
            for occurrence in table.body(rule) {
                if let Some(target) = table.target(occurrence) {
                    users[target.index()].push((occurrence, rule));
                }
            }
        }
        Self { steps: vec![None; users.len()], users, queue: Vec::new() }
    }

    /// Puts a chain of references from the body of a rule to the rule itself in place of what `chain` holds: one of those
    /// in its body that lead to it, as drawn, and a shortest way from there. False where none does.
    #[pleach_unhooked::unhooked]
    pub(crate) fn chain(
        &mut self,
        table: &Table,
        rule: RuleId,
        random: &mut SplitMix64,
        chain: &mut Vec<OccurrenceId>,
    ) -> bool {
        let Self { users, steps, queue } = self;
        steps.fill(None);
        queue.clear();
        queue.push(rule);
        let mut done = 0;
        while let Some(&to) = queue.get(done) {
            done += 1;
            for &(occurrence, user) in &users[to.index()] {
                if user != rule && steps[user.index()].is_none() {
                    steps[user.index()] = Some(occurrence);
                    queue.push(user);
                }
            }
        }
        chain.clear();
        let leads = |occurrence: &OccurrenceId| {
            let target = table.target(*occurrence);
            target.is_some_and(|target| target == rule || steps[target.index()].is_some())
        };
        let count = table.body(rule).filter(leads).count();
        let mut next = match count {
            0 => None,
            count => table.body(rule).filter(leads).nth(random.index(count)),
        };
        while let Some(occurrence) = next {
            chain.push(occurrence);
            next = match table.target(occurrence) {
                Some(target) if target != rule => steps[target.index()],
                _ => None,
            };
        }
        !chain.is_empty()
    }
}
