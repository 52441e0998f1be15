//! Which rules begin with themselves.

use std::collections::HashMap;

use pleach_core::grammar::{Expr, ExprId, Grammar, Span};

/// Where the left recursive rules of a grammar stand, in their order.
pub(super) fn left(grammar: &Grammar) -> Vec<Span> {
    let names: HashMap<&str, usize> =
        grammar.rules.iter().enumerate().map(|(at, rule)| (rule.name.text.as_str(), at)).collect();
    let walk = Walk { grammar, names, nullable: nullable(grammar) };
    let edges: Vec<Vec<usize>> = grammar.rules.iter().map(|rule| walk.begins(rule.body)).collect();
    let mut found = vec![false; edges.len()];
    for component in components(&edges) {
        let own = |&rule: &usize| edges[rule].contains(&rule);
        if component.len() > 1 || component.iter().any(own) {
            component.iter().for_each(|&rule| found[rule] = true);
        }
    }
    let rules = grammar.rules.iter().zip(found).filter(|(_, found)| *found);
    rules.map(|(rule, _)| rule.name.span).collect()
}

struct Walk<'g> {
    grammar: &'g Grammar,
    names: HashMap<&'g str, usize>,
    /// By expression, whether it derives the empty string.
    nullable: Vec<bool>,
}

impl Walk<'_> {
    /// The rules that an expression can begin with.
    fn begins(&self, root: ExprId) -> Vec<usize> {
        let mut found = Vec::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            match self.grammar.expr(id) {
                Expr::Reference(name) => found.extend(self.names.get(name.as_str())),
                Expr::Sequence(items) => {
                    let empty =
                        items.iter().take_while(|item| self.nullable[item.0 as usize]).count();
                    stack.extend(&items[..items.len().min(empty + 1)]);
                }
                Expr::Choice(all) => stack.extend(all.iter().map(|one| one.expr)),
                Expr::Repeat { expr, .. } => stack.push(*expr),
                Expr::Except { .. } | Expr::Literal { .. } | Expr::Class(_) | Expr::Regex(_) => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Whether each expression derives the empty string: what becomes so is looked at again where it is used.
fn nullable(grammar: &Grammar) -> Vec<bool> {
    let mut users: Vec<Vec<ExprId>> = vec![Vec::new(); grammar.exprs.len()];
    let mut references: HashMap<&str, Vec<ExprId>> = HashMap::new();
    let mut queue: Vec<ExprId> = Vec::new();
    for (at, expr) in grammar.exprs.iter().enumerate() {
        let id = ExprId(at as u32);
        queue.push(id);
        match expr {
            Expr::Reference(name) => references.entry(name).or_default().push(id),
            Expr::Sequence(items) => items.iter().for_each(|item| users[item.0 as usize].push(id)),
            Expr::Choice(all) => all.iter().for_each(|one| users[one.expr.0 as usize].push(id)),
            Expr::Repeat { expr, .. } => users[expr.0 as usize].push(id),
            _ => {}
        }
    }
    for rule in &grammar.rules {
        if let Some(uses) = references.get(rule.name.text.as_str()) {
            users[rule.body.0 as usize].extend(uses);
        }
    }
    let bodies: HashMap<&str, ExprId> =
        grammar.rules.iter().map(|rule| (rule.name.text.as_str(), rule.body)).collect();
    let mut nullable = vec![false; grammar.exprs.len()];
    while let Some(id) = queue.pop() {
        let is = |id: &ExprId| nullable[id.0 as usize];
        let now = match grammar.expr(id) {
            Expr::Literal { bytes, .. } => bytes.is_empty(),
            Expr::Reference(name) => bodies.get(name.as_str()).is_some_and(is),
            Expr::Sequence(items) => items.iter().all(is),
            Expr::Choice(all) => all.iter().any(|one| is(&one.expr)),
            Expr::Repeat { expr, min, .. } => *min == 0 || is(expr),
            Expr::Except { .. } | Expr::Class(_) | Expr::Regex(_) => false,
        };
        if now && !std::mem::replace(&mut nullable[id.0 as usize], true) {
            queue.extend(&users[id.0 as usize]);
        }
    }
    nullable
}

/// The strongly connected components of a graph (Tarjan, "Depth-First Search and Linear Graph
/// Algorithms", 1972), from a stack of its own.
fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut numbers = vec![NEW; edges.len()];
    let mut lows = vec![0; edges.len()];
    let mut on_path = vec![false; edges.len()];
    let (mut path, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for root in 0..edges.len() {
        if numbers[root] != NEW {
            continue;
        }
        stack.push((root, 0));
        while let Some((node, edge)) = stack.pop() {
            if edge == 0 {
                (numbers[node], lows[node]) = (next, next);
                next += 1;
                path.push(node);
                on_path[node] = true;
            }
            if let Some(&target) = edges[node].get(edge) {
                stack.push((node, edge + 1));
                if numbers[target] == NEW {
                    stack.push((target, 0));
                } else if on_path[target] {
                    lows[node] = lows[node].min(numbers[target]);
                }
                continue;
            }
            if let Some(&(parent, _)) = stack.last() {
                lows[parent] = lows[parent].min(lows[node]);
            }
            if lows[node] == numbers[node] {
                let from = path.iter().rposition(|&it| it == node).unwrap_or(0);
                let component = path.split_off(from);
                component.iter().for_each(|&it| on_path[it] = false);
                found.push(component);
            }
        }
    }
    found
}
