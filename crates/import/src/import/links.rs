//! Which rules of a grammar refer to which, and what follows from it.

use std::collections::HashMap;

use pleach_core::grammar::{Expr, ExprId, Grammar};

/// The references of a grammar's rules.
pub(super) struct Links {
    /// By name, the rule; of several the first.
    rules: HashMap<String, usize>,
    /// By rule, the first one of its name.
    first: Vec<usize>,
    /// By rule, those that it refers to, once for each reference.
    pub(super) targets: Vec<Vec<usize>>,
    /// By rule, its references to names that no rule has, in the order of the text.
    pub(super) missing: Vec<Vec<ExprId>>,
}

impl Links {
    pub(super) fn of(grammar: &Grammar) -> Self {
        let names = grammar.rules.iter().enumerate().rev();
        let rules: HashMap<String, usize> =
            names.map(|(index, rule)| (rule.name.text.clone(), index)).collect();
        let first = grammar.rules.iter().map(|rule| rules[&rule.name.text]).collect();
        let mut targets = vec![Vec::new(); grammar.rules.len()];
        let mut missing = vec![Vec::new(); grammar.rules.len()];
        // By expression, one more than the last rule that it was found in: several may share it.
        let mut seen = vec![0; grammar.exprs.len()];
        let mut stack = Vec::new();
        for (index, rule) in grammar.rules.iter().enumerate() {
            stack.push(rule.body);
            while let Some(id) = stack.pop() {
                if std::mem::replace(&mut seen[id.0 as usize], index + 1) == index + 1 {
                    continue;
                }
                match grammar.expr(id) {
                    Expr::Reference(name) => match rules.get(name) {
                        Some(&rule) => targets[index].push(rule),
                        None => missing[index].push(id),
                    },
                    other => stack.extend(other.children().rev()),
                }
            }
        }
        Self { rules, first, targets, missing }
    }

    /// A rule by its name.
    pub(super) fn rule(&self, name: &str) -> Option<usize> {
        self.rules.get(name).copied()
    }

    /// By rule, whether some rules lead to it, themselves included.
    pub(super) fn reached(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let found = reached(&self.targets, from, |_| true);
        self.first.iter().map(|&first| found[first]).collect()
    }

    /// By rule, whether it leads to a name that no rule has. What is needed anyway passes that on to nothing.
    pub(super) fn broken(&self, needed: &[bool]) -> Vec<bool> {
        let users = users(&self.targets);
        let mut broken = vec![false; self.targets.len()];
        let mut queue: Vec<usize> =
            (0..broken.len()).filter(|&rule| !self.missing[rule].is_empty()).collect();
        while let Some(rule) = queue.pop() {
            if !std::mem::replace(&mut broken[rule], true) {
                queue.extend(users[rule].iter().filter(|&&user| !needed[user]));
            }
        }
        broken
    }
}

/// By rule, whether some rules lead to it, themselves included; only those for which `on` holds are reached.
pub(super) fn reached(
    targets: &[Vec<usize>],
    from: impl IntoIterator<Item = usize>,
    on: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; targets.len()];
    let mut queue: Vec<usize> = from.into_iter().collect();
    while let Some(rule) = queue.pop() {
        if on(rule) && !std::mem::replace(&mut reached[rule], true) {
            queue.extend(&targets[rule]);
        }
    }
    reached
}

/// By rule, those that refer to it, once for each reference.
pub(super) fn users(targets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); targets.len()];
    for (from, targets) in targets.iter().enumerate() {
        for &to in targets {
            users[to].push(from);
        }
    }
    users
}

/// Looks at all rules: first, once each, at those that lead to no recursion, after all that they refer to;
/// then at the others, again as long as there is news of one that they refer to.
///
/// `look` is given the rule and whether it is one of the first kind, and says whether there is news of it.
pub(super) fn settle(
    targets: &[Vec<usize>],
    users: &[Vec<usize>],
    mut look: impl FnMut(usize, bool) -> bool,
) {
    let mut waits: Vec<usize> = targets.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..waits.len()).filter(|&rule| waits[rule] == 0).collect();
    let mut queued = vec![true; waits.len()];
    while let Some(rule) = ready.pop() {
        queued[rule] = false;
        look(rule, true);
        for &user in &users[rule] {
            waits[user] -= 1;
            if waits[user] == 0 {
                ready.push(user);
            }
        }
    }
    let mut queue: Vec<usize> = (0..queued.len()).filter(|&rule| queued[rule]).collect();
    while let Some(rule) = queue.pop() {
        queued[rule] = false;
        if look(rule, false) {
            for &user in &users[rule] {
                if !std::mem::replace(&mut queued[user], true) {
                    queue.push(user);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_and_what_is_broken() {
        let text = "a = b ; b = \"x\" ; c = d e ; d = f ; e = \"y\" ; f = d ; g = c ;";
        let mut grammar = Grammar::parse(text).unwrap();
        let c = grammar.rules[2].body;
        let span = grammar.span(c);
        grammar.push(Expr::Reference("nowhere".into()), span);
        let nowhere = ExprId(grammar.exprs.len() as u32 - 1);
        // Two rules share what stands nowhere.
        for rule in [5, 0] {
            let all = vec![grammar.rules[rule].body, nowhere];
            grammar.rules[rule].body = grammar.push(Expr::Sequence(all), span);
        }
        let links = Links::of(&grammar);
        assert_eq!(links.missing.iter().map(Vec::len).sum::<usize>(), 2);
        let needed = links.reached([0]);
        assert_eq!(needed, [true, true, false, false, false, false, false]);
        let broken = links.broken(&needed);
        assert_eq!(broken, [true, false, true, true, false, true, true]);
    }

    #[test]
    fn rules_are_settled_from_those_that_need_no_other() {
        // 0 -> 1 -> 2; 3 <-> 4 -> 1.
        let targets = [vec![1, 1], vec![2], vec![], vec![4], vec![3, 1]];
        let users = users(&targets);
        let mut height = [0_usize; 5];
        let mut looks = Vec::new();
        settle(&targets, &users, |rule, first| {
            looks.push((rule, first));
            let most = targets[rule].iter().map(|&to| height[to] + 1).max().unwrap_or(0);
            std::mem::replace(&mut height[rule], most.min(4)) != most.min(4)
        });
        assert_eq!(looks[..3], [(2, true), (1, true), (0, true)]);
        assert!(looks[3..].iter().all(|look| !look.1));
        assert_eq!(height, [2, 1, 0, 4, 4]);
    }
}
