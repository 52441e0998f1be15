//! Which terms are built alike.
//!
//! tribble takes the distinct ones of an alternation (`TextDSLParser.scala`, `alternation`), and two terms are
//! equal to it that it has parsed to the same: a quantifier to its bounds, parentheses to what they hold.

use std::collections::HashMap;

use pleach_core::grammar::{Expr, ExprId, Grammar};

/// Numbers of terms, equal where the terms are.
#[derive(Debug, Default)]
pub(super) struct Same {
    shapes: HashMap<Shape, u32>,
    numbers: HashMap<ExprId, u32>,
}

/// A term, with the numbers of what is in it.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Shape {
    Literal(Vec<u8>),
    Regex(String),
    Reference(String),
    Sequence(Vec<u32>),
    Choice(Vec<u32>),
    Repeat(u32, u32, Option<u32>),
    Other(ExprId),
}

impl Same {
    /// Notes that a term is of a regex, as written, whatever it became.
    pub(super) fn regex(&mut self, id: ExprId, written: &str) {
        self.note(id, Shape::Regex(written.to_owned()));
    }

    fn note(&mut self, id: ExprId, shape: Shape) -> u32 {
        let next = self.shapes.len() as u32;
        let number = *self.shapes.entry(shape).or_insert(next);
        self.numbers.insert(id, number);
        number
    }

    /// The number of a term. Probabilities make no difference.
    pub(super) fn shape(&mut self, grammar: &Grammar, id: ExprId) -> u32 {
        // What is to be numbered, inner terms last; those stand under others only once, so each is
        // looked at twice at most.
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            if self.numbers.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match grammar.expr(id) {
                Expr::Sequence(items) => self.missing(items.iter().copied(), &mut stack),
                Expr::Choice(all) => self.missing(all.iter().map(|one| one.expr), &mut stack),
                Expr::Repeat { expr, .. } => self.missing([*expr].into_iter(), &mut stack),
                _ => {}
            }
            if stack.len() > before {
                continue;
            }
            let number = |id: &ExprId| self.numbers[id];
            let shape = match grammar.expr(id) {
                Expr::Literal { bytes, .. } => Shape::Literal(bytes.clone()),
                Expr::Reference(name) => Shape::Reference(name.clone()),
                Expr::Sequence(items) => Shape::Sequence(items.iter().map(number).collect()),
                Expr::Choice(all) => {
                    Shape::Choice(all.iter().map(|one| number(&one.expr)).collect())
                }
                Expr::Repeat { expr, min, max, .. } => Shape::Repeat(number(expr), *min, *max),
                // Regexes are noted when they are read: one that is not is like no other.
                Expr::Regex(_) | Expr::Class(_) | Expr::Except { .. } => Shape::Other(id),
            };
            self.note(id, shape);
            stack.pop();
        }
        self.numbers[&id]
    }

    fn missing(&self, ids: impl Iterator<Item = ExprId>, stack: &mut Vec<ExprId>) {
        stack.extend(ids.filter(|id| !self.numbers.contains_key(id)));
    }
}
