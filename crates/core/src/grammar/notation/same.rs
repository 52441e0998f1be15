//! When two grammars say the same: the equality that printing and reading keep.

use std::borrow::Cow;

use super::read::without_surrogates;
use crate::grammar::{Expr, ExprId, Grammar, Name};

impl Grammar {
    /// Whether two grammars have the same directives and the same rules in the same order,
    /// wherever they were read from and however their arenas are laid out.
    ///
    /// What the notation has only one way to write counts as the same: a sequence or an unweighted
    /// choice of one expression and that expression, a choice of nothing and a class of nothing,
    /// a class in whatever ranges.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::grammar::Grammar;
    ///
    /// let read = |text| Grammar::parse(text).unwrap();
    /// assert!(read("a = (\"x\") [a-c] ;").same_rules(&read("a = 'x' \"a\"..\"c\" ;")));
    /// assert!(!read("a = \"x\" (\"y\" \"z\") ;").same_rules(&read("a = \"x\" \"y\" \"z\" ;")));
    /// ```
    pub fn same_rules(&self, other: &Self) -> bool {
        let text = |name: &Option<Name>| name.as_ref().map(|name| name.text.clone());
        let lexical = |grammar: &Self| -> Vec<String> {
            grammar.lexical.iter().map(|name| name.text.clone()).collect()
        };
        let parts = |grammar: &Self| -> Vec<_> {
            grammar.parts.iter().map(|part| (part.kind.clone(), part.rule.text.clone())).collect()
        };
        let docs = |docs: &str| docs.replace('\r', "");
        self.encoding == other.encoding
            && text(&self.start) == text(&other.start)
            && text(&self.layout) == text(&other.layout)
            && lexical(self) == lexical(other)
            && parts(self) == parts(other)
            && self.rules.len() == other.rules.len()
            && self.rules.iter().zip(&other.rules).all(|(ours, theirs)| {
                ours.name.text == theirs.name.text
                    && docs(&ours.docs) == docs(&theirs.docs)
                    && self.same_expr(ours.body, other, theirs.body)
            })
    }

    /// Whether an expression says what one of another grammar says.
    fn same_expr(&self, ours: ExprId, other: &Self, theirs: ExprId) -> bool {
        let mut open = vec![(ours, theirs)];
        while let Some((ours, theirs)) = open.pop() {
            let (ours, theirs) = (self.plain(ours), other.plain(theirs));
            let same = match (self.expr(ours), other.expr(theirs)) {
                (Expr::Sequence(ours), Expr::Sequence(theirs)) => {
                    open.extend(ours.iter().copied().zip(theirs.iter().copied()));
                    ours.len() == theirs.len()
                }
                (Expr::Choice(ours), Expr::Choice(theirs)) if !ours.is_empty() => {
                    open.extend(
                        ours.iter().zip(theirs).map(|(ours, theirs)| (ours.expr, theirs.expr)),
                    );
                    ours.len() == theirs.len()
                        && ours.iter().zip(theirs).all(|(ours, theirs)| {
                            (ours.mark, ours.binding) == (theirs.mark, theirs.binding)
                        })
                }
                (
                    Expr::Repeat { expr: ours, min, max, weight },
                    Expr::Repeat { expr: theirs, min: low, max: high, weight: odds },
                ) => {
                    open.push((*ours, *theirs));
                    (min, max, weight) == (low, high, odds)
                }
                (
                    Expr::Except { base: ours, minus: our_minus },
                    Expr::Except { base: theirs, minus: their_minus },
                ) => {
                    open.extend([(*ours, *theirs), (*our_minus, *their_minus)]);
                    true
                }
                (ours, theirs) => match (self.symbols(ours), other.symbols(theirs)) {
                    (Some(ours), Some(theirs)) => ours == theirs,
                    _ => match (ours, theirs) {
                        (Expr::Regex(ours), Expr::Regex(theirs)) => {
                            written(ours) == written(theirs)
                        }
                        _ => ours == theirs,
                    },
                },
            };
            if !same {
                return false;
            }
        }
        true
    }

    /// The expression without sequences and choices of one around it.
    pub(super) fn plain(&self, mut id: ExprId) -> ExprId {
        loop {
            id = match self.expr(id) {
                Expr::Sequence(items) if items.len() == 1 => items[0],
                Expr::Choice(alternatives)
                    if alternatives.len() == 1 && alternatives[0].is_plain() =>
                {
                    alternatives[0].expr
                }
                _ => return id,
            };
        }
    }

    /// The ranges of a class as reading one gives them; a choice of nothing is an empty one.
    pub(super) fn symbols(&self, expr: &Expr) -> Option<Vec<(u32, u32)>> {
        let mut ranges = match expr {
            Expr::Class(ranges) => ranges.clone(),
            Expr::Choice(alternatives) if alternatives.is_empty() => Vec::new(),
            _ => return None,
        };
        let last = self.encoding.last_symbol();
        ranges.retain(|&(low, high)| low <= high && low <= last);
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            let high = high.min(last);
            match merged.last_mut() {
                Some((_, end)) if low <= end.saturating_add(1) => *end = high.max(*end),
                _ => merged.push((low, high)),
            }
        }
        Some(without_surrogates(merged, self.encoding))
    }
}

/// A regex as it stands between the slashes.
///
/// One that the notation cannot hold as it is (the empty one; one that would begin a comment or
/// swallow the closing slash, both of which are mistakes) stands in a group.
pub(super) fn written(regex: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(regex.len());
    let mut escaped = false;
    for symbol in regex.chars() {
        if symbol == '/' && !escaped {
            out.push('\\');
        }
        escaped = symbol == '\\' && !escaped;
        out.push(symbol);
    }
    if escaped || out.is_empty() || out.starts_with('*') {
        out = format!("(?:{out})");
    }
    if out == regex { Cow::Borrowed(regex) } else { Cow::Owned(out) }
}
