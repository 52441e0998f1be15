//! What derives a finite string, found by counting down what each expression still waits for.
//!
//! A choice waits for an alternative that is produced: those that are parse-only close no tree.

use super::LoweringLimits;
use super::language::Languages;
use super::resolve::{NONE, Resolved, produced_children};
use crate::grammar::{Diagnostic, Expr, ExprId, Grammar};
use crate::rows::Rows;
use crate::table::cyclic;

/// Which expressions and rules derive at least one finite string.
pub(super) struct Productive {
    exprs: Vec<bool>,
    rules: Vec<bool>,
}

impl Productive {
    pub(super) fn new(grammar: &Grammar, names: &Resolved, languages: &Languages) -> Self {
        let waiters = Waiters::new(grammar, names);
        let mut found = Self {
            exprs: vec![false; grammar.exprs.len()],
            rules: vec![false; grammar.rules.len()],
        };
        let mut waiting: Vec<u32> = vec![0; grammar.exprs.len()];
        let mut ready = Vec::new();
        for &id in &names.postorder {
            let needs = match grammar.expr(id) {
                Expr::Literal { .. } => 0,
                Expr::Class(ranges) => u32::from(ranges.is_empty()),
                Expr::Regex(_) | Expr::Except { .. } => u32::from(languages.is_empty(id)),
                Expr::Reference(_) => 1,
                Expr::Sequence(items) => items.len() as u32,
                Expr::Choice(_) => 1,
                Expr::Repeat { min, max, .. } => u32::from(*min > 0 && *max != Some(0)),
            };
            waiting[id.0 as usize] = needs;
            if needs == 0 {
                ready.push(id);
            }
        }
        while let Some(id) = ready.pop() {
            if std::mem::replace(&mut found.exprs[id.0 as usize], true) {
                continue;
            }
            let mut notify = |waiter: ExprId| {
                let left = &mut waiting[waiter.0 as usize];
                *left = left.saturating_sub(1);
                // A terminal waits for nothing that could come.
                if *left == 0 && !matches!(grammar.expr(waiter), Expr::Except { .. }) {
                    ready.push(waiter);
                }
            };
            for &parent in waiters.parents(id) {
                notify(parent);
            }
            for &rule in waiters.rules_with_body(id) {
                if !std::mem::replace(&mut found.rules[rule as usize], true) {
                    for &reference in waiters.references(rule) {
                        notify(reference);
                    }
                }
            }
        }
        found
    }

    pub(super) fn expr(&self, id: ExprId) -> bool {
        self.exprs[id.0 as usize]
    }

    pub(super) fn rule(&self, rule: u32) -> bool {
        self.rules[rule as usize]
    }

    /// Warns of what derives nothing, and refuses a start rule that does.
    pub(super) fn report(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        limits: &LoweringLimits,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(), Vec<Diagnostic>> {
        let endless = self.endless(grammar, names);
        let mut reported = 0;
        for (index, rule) in grammar.rules.iter().enumerate() {
            if self.rules[index] || reported == limits.reports {
                continue;
            }
            reported += 1;
            let name = &rule.name.text;
            let start = index as u32 == names.start;
            let (message, help) = if endless[index] {
                (
                    format!("rule `{name}` never ends: each of its alternatives needs it again"),
                    "add an alternative that does not refer back to it".to_owned(),
                )
            } else {
                (
                    format!("rule `{name}` derives no string"),
                    format!("every alternative needs {}", self.culprit(grammar, names, rule.body)),
                )
            };
            if start {
                return Err(vec![Diagnostic::error(rule.name.span, message).help(help)]);
            }
            warnings.push(Diagnostic::warning(rule.name.span, message).help(help));
        }
        for &id in &names.postorder {
            let empty = matches!(grammar.expr(id), Expr::Class(ranges) if ranges.is_empty());
            if empty {
                warnings.push(
                    Diagnostic::warning(grammar.span(id), "the class is empty, so nothing matches")
                        .help("name at least one symbol, or remove what needs it"),
                );
            } else if matches!(grammar.expr(id), Expr::Regex(_) | Expr::Except { .. })
                && !self.expr(id)
            {
                warnings.push(
                    Diagnostic::warning(grammar.span(id), "no string matches this expression")
                        .help("make it match something, or remove what needs it"),
                );
            }
        }
        Ok(())
    }

    /// The first thing under an expression that derives nothing and contains no other such thing
    /// in the same rule.
    fn culprit(&self, grammar: &Grammar, names: &Resolved, body: ExprId) -> String {
        let mut id = body;
        loop {
            let expr = grammar.expr(id);
            match expr {
                Expr::Reference(name) => return format!("`{name}`, which derives none"),
                Expr::Class(_) => return "an empty class".to_owned(),
                Expr::Regex(_) | Expr::Except { .. } => {
                    return "an expression that nothing matches".to_owned();
                }
                _ => {}
            }
            debug_assert!(names.references[id.0 as usize] == NONE);
            let Some(child) = expr.children().find(|&child| !self.expr(child)) else {
                return "something that derives none".to_owned();
            };
            id = child;
        }
    }

    /// Which rules derive nothing because they need themselves: those on a cycle of references
    /// among rules that derive nothing (Tarjan's strongly connected components, iterative).
    fn endless(&self, grammar: &Grammar, names: &Resolved) -> Vec<bool> {
        let mut uses: Vec<Vec<u32>> = vec![Vec::new(); grammar.rules.len()];
        let mut stack = Vec::new();
        // The rule that looked at each expression last: expressions may be shared.
        let mut seen = vec![NONE; grammar.exprs.len()];
        for (index, rule) in grammar.rules.iter().enumerate() {
            if self.rules[index] {
                continue;
            }
            stack.push(rule.body);
            while let Some(id) = stack.pop() {
                let before = std::mem::replace(&mut seen[id.0 as usize], index as u32);
                if self.expr(id) || before == index as u32 {
                    continue;
                }
                let target = names.references[id.0 as usize];
                if target != NONE {
                    uses[index].push(target);
                } else if !matches!(grammar.expr(id), Expr::Except { .. }) {
                    stack.extend(grammar.expr(id).children());
                }
            }
        }
        cyclic(&uses)
    }
}

/// Who waits for an expression or a rule.
struct Waiters {
    parents: Rows<ExprId>,
    bodies: Rows<u32>,
    references: Rows<ExprId>,
}

impl Waiters {
    fn new(grammar: &Grammar, names: &Resolved) -> Self {
        let mut parents = Vec::new();
        let mut references = Vec::new();
        for &id in &names.postorder {
            if !matches!(grammar.expr(id), Expr::Except { .. }) {
                parents.extend(
                    produced_children(grammar.expr(id)).map(|child| (child.0 as usize, id)),
                );
            }
            if names.references[id.0 as usize] != NONE {
                references.push((names.references[id.0 as usize] as usize, id));
            }
        }
        let bodies = grammar.rules.iter().zip(0..);
        let bodies = bodies.map(|(rule, index)| (rule.body.0 as usize, index));
        Self {
            parents: Rows::grouped(grammar.exprs.len(), parents.iter().copied()),
            bodies: Rows::grouped(grammar.exprs.len(), bodies),
            references: Rows::grouped(grammar.rules.len(), references.iter().copied()),
        }
    }

    fn parents(&self, id: ExprId) -> &[ExprId] {
        self.parents.row(id.0 as usize)
    }

    fn rules_with_body(&self, id: ExprId) -> &[u32] {
        self.bodies.row(id.0 as usize)
    }

    fn references(&self, rule: u32) -> &[ExprId] {
        self.references.row(rule as usize)
    }
}
