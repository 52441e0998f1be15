//! What the start rule uses in some finite derivation.

use super::LoweringLimits;
use super::productive::Productive;
use super::resolve::{NONE, Resolved, produced_children};
use crate::grammar::{Diagnostic, Expr, ExprId, Grammar};

/// Which rules the start rule reaches.
pub(super) struct Reached {
    /// Through finite derivations.
    pub(super) rules: Vec<bool>,
    /// Through such of them as are produced.
    pub(super) produced: Vec<bool>,
}

/// Children of an expression that finite derivations use.
pub(super) fn used_children<'g>(
    grammar: &'g Grammar,
    productive: &'g Productive,
    id: ExprId,
) -> impl DoubleEndedIterator<Item = ExprId> + 'g {
    let expr = grammar.expr(id);
    expr.children().filter(used(productive, expr))
}

/// Whether finite derivations use a child of an expression.
fn used(productive: &Productive, expr: &Expr) -> impl Fn(&ExprId) -> bool {
    let none = match expr {
        Expr::Repeat { max, .. } => *max == Some(0),
        Expr::Except { .. } => true,
        _ => false,
    };
    move |&child| !none && productive.expr(child)
}

impl Reached {
    pub(super) fn new(grammar: &Grammar, names: &Resolved, productive: &Productive) -> Self {
        let all = |id| used_children(grammar, productive, id);
        let produced = |id| {
            let expr = grammar.expr(id);
            produced_children(expr).filter(used(productive, expr))
        };
        let follow = |rule| productive.rule(rule);
        Self {
            rules: search(grammar, names, vec![names.start], all, follow),
            produced: search(grammar, names, vec![names.start], produced, follow),
        }
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
    let mut queue: Vec<u32> = (0..reached.len() as u32).filter(|&r| reached[r as usize]).collect();
    queue.extend(names.layout);
    search(grammar, names, queue, |id| grammar.expr(id).children(), |_| true)
}

/// The rules found from some, through such children of expressions and such rules.
fn search<I: Iterator<Item = ExprId>>(
    grammar: &Grammar,
    names: &Resolved,
    mut queue: Vec<u32>,
    children: impl Fn(ExprId) -> I,
    follow: impl Fn(u32) -> bool,
) -> Vec<bool> {
    let mut found = vec![false; grammar.rules.len()];
    let mut stack = Vec::new();
    // Expressions may be shared.
    let mut seen = vec![false; grammar.exprs.len()];
    while let Some(rule) = queue.pop() {
        if std::mem::replace(&mut found[rule as usize], true) {
            continue;
        }
        stack.push(grammar.rules[rule as usize].body);
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            let target = names.references[id.0 as usize];
            if target != NONE && follow(target) {
                queue.push(target);
            }
            stack.extend(children(id));
        }
    }
    found
}
