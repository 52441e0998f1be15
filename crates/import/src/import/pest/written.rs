//! Rules with `!` that atomic ones use: in a lexical rule no layout stands between tokens, so these rules, and
//! the ones that they lead to, are there a second time with their layout written out.

use super::emit::Emitter;
use super::syntax::{Kind, Node, NodeId};
use pleach_core::grammar::{ExprId, Span};

impl Emitter<'_> {
    /// Writes the second time of all such rules.
    pub(super) fn write_out(&mut self) {
        for rule in (0..self.facts.written.len()).filter(|&rule| self.facts.written[rule]) {
            let definition = &self.syntax.rules[rule];
            (self.rule, self.more) = (rule, 0);
            (self.spaced, self.written) = (true, true);
            let at = self.builder.grammar.rules.len();
            let body = self.emit(definition.body, None);
            self.builder.rule(&second(&definition.name), definition.span, body);
            // Before those that it has needed.
            self.builder.grammar.rules[at..].rotate_right(1);
        }
        self.written = false;
    }

    /// What a rule is called where it is referred to.
    pub(super) fn called(&self, name: &str) -> String {
        let is_second = self.facts.rules.get(name).is_some_and(|&rule| {
            let is_open = self.syntax.rules[rule].kind == Kind::NonAtomic;
            self.facts.written[rule] && (self.written || !self.spaced && is_open)
        });
        if is_second { second(name) } else { name.to_owned() }
    }

    /// Expressions with the layout between them.
    pub(super) fn with_layout(&mut self, exprs: Vec<ExprId>, span: Span) -> Vec<ExprId> {
        let mut out = Vec::with_capacity(2 * exprs.len());
        for expr in exprs {
            if !out.is_empty() {
                out.push(self.builder.reference(self.layout, span));
            }
            out.push(expr);
        }
        out
    }

    /// `x (layout x){..}`, which is optional if none is needed.
    pub(super) fn repeat_with_layout(
        &mut self,
        node: NodeId,
        min: u32,
        max: Option<u32>,
        span: Span,
    ) -> ExprId {
        let is_small = matches!(
            self.syntax.nodes[node],
            Node::Name(_) | Node::Text { .. } | Node::Range(..) | Node::Stack(_)
        );
        let (one, another) = match is_small {
            true => (self.emit(node, None), self.emit(node, None)),
            // A rule of its own, for repetitions in repetitions double what is in them.
            false => {
                self.more += 1;
                let rule = &self.syntax.rules[self.rule].name;
                let name = format!("{}_{}", second(rule), self.more);
                let body = self.emit(node, None);
                self.builder.rule(&name, span, body);
                (self.builder.reference(name.clone(), span), self.builder.reference(name, span))
            }
        };
        let layout = self.builder.reference(self.layout, span);
        let pair = self.builder.sequence(&[layout, another], span);
        let most = max.map(|max| max.saturating_sub(1));
        let rest = self.builder.repeat(pair, min.saturating_sub(1), most, span);
        let whole = self.builder.sequence(&[one, rest], span);
        match min {
            0 => self.builder.repeat(whole, 0, Some(1), span),
            _ => whole,
        }
    }
}

/// What a rule is called the second time: no rule of pest has a `-` in its name.
fn second(name: &str) -> String {
    format!("{name}-spaced")
}
