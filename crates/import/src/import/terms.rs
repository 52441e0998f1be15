//! Alternatives, groups and quantifiers, as most notations have them, from tokens one by one.
//!
//! What is open stands on a stack of its own, so a text may nest as deep as it likes.

use super::builder::Builder;
use pleach_core::grammar::{ExprId, Span};

/// The right side of a rule, as far as it is read.
#[derive(Debug, Default)]
pub(super) struct Terms {
    /// The terms of the open alternatives, and the finished alternatives of the open choices.
    items: Vec<ExprId>,
    alternatives: Vec<ExprId>,
    open: Vec<Open>,
}

/// A group that is open, or the whole.
#[derive(Debug)]
struct Open {
    /// Where it begins, and where its current alternative does.
    span: Span,
    from: u32,
    /// How many items and alternatives stand before it.
    items: usize,
    alternatives: usize,
    /// What the next term is to be taken from, and how many items stood before it.
    base: Option<(ExprId, usize)>,
    /// What the caller has said of it.
    tag: u8,
}

impl Terms {
    /// Begins the right side of a rule, or a group of a kind that [`Terms::close`] tells.
    pub(super) fn open(&mut self, span: Span, tag: u8) {
        self.open.push(Open {
            span,
            from: span.end,
            items: self.items.len(),
            alternatives: self.alternatives.len(),
            base: None,
            tag,
        });
    }

    /// How many groups are open, the right side of the rule itself counted.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Where the innermost open group begins.
    pub(super) fn opened(&self) -> Option<Span> {
        self.open.last().map(|open| open.span)
    }

    /// Adds a term to the current alternative.
    pub(super) fn push(&mut self, term: ExprId) {
        self.items.push(term);
    }

    /// Takes the last term of the current alternative back, for a quantifier; none where it has none.
    pub(super) fn pop(&mut self) -> Option<ExprId> {
        if self.is_empty() { None } else { self.items.pop() }
    }

    /// Whether the current alternative has no term, or none since what it is to be taken from.
    fn is_empty(&self) -> bool {
        let Some(open) = self.open.last() else { return true };
        self.items.len() == open.base.map_or(open.items, |(_, items)| items)
    }

    /// The last term is to have what the next one has not; false where there is none to take from.
    pub(super) fn minus(&mut self, builder: &mut Builder) -> bool {
        self.settle(builder);
        if self.is_minus() {
            return false;
        }
        let Some(base) = self.pop() else { return false };
        if let Some(open) = self.open.last_mut() {
            open.base = Some((base, self.items.len()));
        }
        true
    }

    /// Whether the next term is to be taken from the last.
    pub(super) fn is_minus(&self) -> bool {
        self.open.last().is_some_and(|open| open.base.is_some())
    }

    /// Takes the last term from what was before it, if that was to be. To be called when a term has
    /// all its quantifiers: before the next one.
    pub(super) fn settle(&mut self, builder: &mut Builder) {
        if self.is_empty() {
            return;
        }
        let Some(open) = self.open.last_mut() else { return };
        if let Some((base, _)) = open.base.take()
            && let Some(minus) = self.items.pop()
        {
            let (first, last) = (builder.grammar.span(base), builder.grammar.span(minus));
            let both = builder.except(base, minus, Span { end: last.end, ..first });
            self.items.push(both);
        }
    }

    /// Ends the current alternative and begins another at an offset.
    pub(super) fn bar(&mut self, builder: &mut Builder, at: u32) {
        self.settle(builder);
        if let Some(open) = self.open.last_mut() {
            let span = Span { start: open.from, end: at.max(open.from), ..open.span };
            let alternative = builder.sequence(&self.items[open.items..], span);
            self.items.truncate(open.items);
            self.alternatives.push(alternative);
            open.from = at;
        }
    }

    /// Whether the current alternative has no term yet.
    pub(super) fn is_blank(&self) -> bool {
        self.open.last().is_none_or(|open| self.items.len() == open.items)
    }

    /// Like [`Terms::close`], for notations that make a choice their own way, from its alternatives
    /// and where it stands.
    pub(super) fn close_with(
        &mut self,
        builder: &mut Builder,
        end: u32,
        choice: impl FnOnce(&mut Builder, &[ExprId], Span) -> ExprId,
    ) -> Option<(ExprId, u8)> {
        self.bar(builder, end);
        let open = self.open.pop()?;
        let span = Span { end, ..open.span };
        let choice = choice(builder, &self.alternatives[open.alternatives..], span);
        self.alternatives.truncate(open.alternatives);
        Some((choice, open.tag))
    }

    /// Ends the innermost group, or the whole: what it is, and what was said of it when it began. None
    /// where nothing is open.
    pub(super) fn close(&mut self, builder: &mut Builder, end: u32) -> Option<(ExprId, u8)> {
        self.close_with(builder, end, |builder, all, span| builder.choice(all, span))
    }
}
