//! Counts for a notation that has none: `a{2,4}` is `a a (a a?)?`, and large ones are rules that double.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::names::Names;
use pleach_core::grammar::{Alternative, Expr, ExprId, Grammar, Name, Rule, Span};

/// The most copies that are written side by side.
const INLINE: u32 = 8;

/// Writes counts of one expression.
pub(super) struct Counts<'a> {
    pub(super) grammar: &'a mut Grammar,
    pub(super) names: &'a mut Names,
    /// What new rules are named after.
    pub(super) name: &'a str,
    pub(super) expr: ExprId,
    /// By count, what is that many, and what is up to that many.
    pub(super) exact: HashMap<u32, ExprId>,
    pub(super) most: HashMap<u32, ExprId>,
    /// By what they derive, small rules that were written for another count.
    pub(super) shared: &'a mut HashMap<String, String>,
}

impl Counts<'_> {
    /// The expression, so many times.
    pub(super) fn write(mut self, min: u32, max: Option<u32>) -> ExprId {
        // What is copied is small.
        let small = match self.grammar.expr(self.expr) {
            Expr::Reference(_) => true,
            Expr::Literal { bytes, .. } => bytes.len() <= 16,
            Expr::Class(ranges) => ranges.len() <= 4,
            _ => false,
        };
        if !small && (min > 1 || max.is_some_and(|max| max > 1)) {
            self.expr = self.rule(self.expr);
        }
        let mut parts = Vec::new();
        if min > 0 {
            parts.push(self.exact(min));
        }
        match max {
            None => {
                let expr = self.expr;
                parts.push(self.push(Expr::Repeat { expr, min: 0, max: None, weight: None }));
            }
            Some(max) if max > min => parts.push(self.most(max - min)),
            Some(_) => {}
        }
        self.push(Expr::Sequence(parts))
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.grammar.push(expr, Span::default())
    }

    /// A rule of its own for an expression.
    fn rule(&mut self, body: ExprId) -> ExprId {
        let shape = shape(self.grammar, body);
        if let Some(known) = shape.as_ref().and_then(|shape| self.shared.get(shape)).cloned() {
            return self.push(Expr::Reference(known));
        }
        let text = self.names.take(self.name);
        let name = Name { text: text.clone(), span: Span::default() };
        self.grammar.rules.push(Rule { name, docs: String::new(), body });
        self.shared.extend(shape.map(|shape| (shape, text.clone())));
        self.push(Expr::Reference(text))
    }

    /// So many; calls itself as often as the count can be halved.
    fn exact(&mut self, count: u32) -> ExprId {
        if count <= INLINE {
            return self.push(Expr::Sequence(vec![self.expr; count as usize]));
        }
        if let Some(&known) = self.exact.get(&count) {
            return known;
        }
        let halves = vec![self.exact(count / 2), self.exact(count - count / 2)];
        let body = self.push(Expr::Sequence(halves));
        let rule = self.rule(body);
        self.exact.insert(count, rule);
        rule
    }

    /// Up to so many, in one way each; calls itself as often as the count can be halved.
    fn most(&mut self, count: u32) -> ExprId {
        if count <= INLINE {
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.insert(0, self.expr);
                let expr = self.push(Expr::Sequence(parts));
                let inner = Expr::Repeat { expr, min: 0, max: Some(1), weight: None };
                parts = vec![self.push(inner)];
            }
            return self.push(Expr::Sequence(parts));
        }
        if let Some(&known) = self.most.get(&count) {
            return known;
        }
        // Fewer than half, or half and up to the rest.
        let half = count / 2;
        let fewer = self.most(half - 1);
        let (first, rest) = (self.exact(half), self.most(count - half));
        let more = self.push(Expr::Sequence(vec![first, rest]));
        let plain = Alternative::plain;
        let body = self.push(Expr::Choice(vec![plain(fewer), plain(more)]));
        let rule = self.rule(body);
        self.most.insert(count, rule);
        rule
    }
}

/// The parts of an expression that count.
const PARTS: usize = 64;

/// A text that is the same for expressions that say the same; none for large ones.
fn shape(grammar: &Grammar, root: ExprId) -> Option<String> {
    let mut out = String::new();
    let mut stack = vec![root];
    for parts in 0.. {
        let Some(id) = stack.pop() else { break };
        if parts == PARTS {
            return None;
        }
        let _ = match grammar.expr(id) {
            Expr::Sequence(items) => {
                stack.extend(items.iter().rev());
                write!(out, "{} of ", items.len())
            }
            Expr::Choice(all) => {
                stack.extend(all.iter().rev().map(|one| one.expr));
                write!(out, "1 of {} ", all.len())
            }
            Expr::Repeat { expr, min, max, .. } => {
                stack.push(*expr);
                write!(out, "{min} to {max:?} ")
            }
            Expr::Except { base, minus } => {
                stack.extend([*minus, *base]);
                write!(out, "without ")
            }
            leaf => write!(out, "{leaf:?} "),
        };
    }
    Some(out)
}
