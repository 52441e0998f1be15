//! Alternatives of one choice that say the same, found by giving equal expressions one number.

use fxhash::{FxHashMap, FxHashSet};

use super::LoweringLimits;
use super::resolve::Resolved;
use crate::grammar::{Diagnostic, Expr, Grammar};

/// An expression with numbers for its children.
#[derive(PartialEq, Eq, Hash)]
enum Shape<'g> {
    Literal(&'g [u8], bool),
    Class(&'g [(u32, u32)]),
    Regex(&'g str),
    Reference(&'g str),
    Sequence(Vec<u32>),
    Choice(Vec<u32>),
    Repeat(u32, u32, Option<u32>),
    Except(u32, u32),
}

/// Warns of alternatives that stand twice in one choice.
pub(super) fn report(
    grammar: &Grammar,
    names: &Resolved,
    limits: &LoweringLimits,
    warnings: &mut Vec<Diagnostic>,
) {
    let mut shapes: FxHashMap<Shape<'_>, u32> = FxHashMap::default();
    shapes.reserve(names.postorder.len());
    let mut numbers = vec![0; grammar.exprs.len()];
    let mut seen = FxHashSet::default();
    let mut reported = 0;
    for &id in &names.postorder {
        let number = |child: &crate::grammar::ExprId| numbers[child.0 as usize];
        let shape = match grammar.expr(id) {
            Expr::Literal { bytes, ignore_case } => Shape::Literal(bytes, *ignore_case),
            Expr::Class(ranges) => Shape::Class(ranges),
            Expr::Regex(pattern) => Shape::Regex(pattern),
            Expr::Reference(name) => Shape::Reference(name),
            Expr::Sequence(items) => Shape::Sequence(items.iter().map(number).collect()),
            Expr::Choice(alternatives) => {
                seen.clear();
                for alternative in alternatives {
                    if !seen.insert(number(&alternative.expr)) && reported < limits.reports {
                        reported += 1;
                        warnings.push(
                            Diagnostic::warning(
                                grammar.span(alternative.expr),
                                "the same alternative stands before",
                            )
                            .help("remove one; to make it likelier give it a weight: @2"),
                        );
                    }
                }
                Shape::Choice(alternatives.iter().map(|a| number(&a.expr)).collect())
            }
            Expr::Repeat { expr, min, max, .. } => Shape::Repeat(number(expr), *min, *max),
            Expr::Except { base, minus } => Shape::Except(number(base), number(minus)),
        };
        let next = shapes.len() as u32;
        numbers[id.0 as usize] = *shapes.entry(shape).or_insert(next);
    }
}
