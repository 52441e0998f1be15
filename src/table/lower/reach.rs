//! What the start rule uses in some finite derivation.

use super::LoweringLimits;
use super::productive::Productive;
use super::resolve::{NONE, Resolved, children};
use crate::grammar::{Diagnostic, Expr, ExprId, Grammar};

/// Which rules the start rule reaches.
pub(super) struct Reached {
    /// Through finite derivations.
    pub(super) rules: Vec<bool>,
}

/// Children of an expression that finite derivations use.
pub(super) fn used_children<'g>(
    grammar: &'g Grammar,
    productive: &'g Productive,
    id: ExprId,
) -> impl DoubleEndedIterator<Item = ExprId> + 'g {
    let expr = grammar.expr(id);
    let none = match expr {
        Expr::Repeat { max, .. } => *max == Some(0),
        Expr::Except { .. } => true,
        _ => false,
    };
    children(expr).filter(move |&child| !none && productive.expr(child))
}

impl Reached {
    pub(super) fn new(grammar: &Grammar, names: &Resolved, productive: &Productive) -> Self {
        let mut reached = Self { rules: vec![false; grammar.rules.len()] };
        let mut queue = vec![names.start];
        let mut stack = Vec::new();
        while let Some(rule) = queue.pop() {
            if std::mem::replace(&mut reached.rules[rule as usize], true) {
                continue;
            }
            stack.push(grammar.rules[rule as usize].body);
            while let Some(id) = stack.pop() {
                let target = names.references[id.0 as usize];
                if target != NONE && productive.rule(target) {
                    queue.push(target);
                }
                stack.extend(used_children(grammar, productive, id));
            }
        }
        reached
    }

    /// Warns of rules of the main file that nothing uses; an included grammar is a library, of
    /// which a part may be used.
    pub(super) fn report(
        &self,
        grammar: &Grammar,
        names: &Resolved,
        productive: &Productive,
        limits: &LoweringLimits,
        warnings: &mut Vec<Diagnostic>,
    ) {
        let mentioned = mentioned(grammar, names, &self.rules);
        let unused = grammar.rules.iter().enumerate().filter(|&(index, rule)| {
            rule.name.span.file == 0 && productive.rule(index as u32) && !mentioned[index]
        });
        let start = &grammar.rules[names.start as usize].name.text;
        for (_, rule) in unused.take(limits.reports) {
            let message = format!("rule `{}` is not reached from `{start}`", rule.name.text);
            warnings.push(
                Diagnostic::warning(rule.name.span, message)
                    .help("refer to it, remove it, or start from it with %start or --start"),
            );
        }
    }
}

/// Which rules are used in any way: reached, or as part of a regular expression or the layout.
fn mentioned(grammar: &Grammar, names: &Resolved, reached: &[bool]) -> Vec<bool> {
    let mut mentioned = vec![false; grammar.rules.len()];
    let mut queue: Vec<u32> = (0..reached.len() as u32).filter(|&r| reached[r as usize]).collect();
    queue.extend(names.layout);
    let mut stack = Vec::new();
    while let Some(rule) = queue.pop() {
        if std::mem::replace(&mut mentioned[rule as usize], true) {
            continue;
        }
        stack.push(grammar.rules[rule as usize].body);
        while let Some(id) = stack.pop() {
            let target = names.references[id.0 as usize];
            if target != NONE {
                queue.push(target);
            }
            stack.extend(children(grammar.expr(id)));
        }
    }
    mentioned
}
