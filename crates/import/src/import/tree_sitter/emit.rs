//! Rules of tree-sitter as rules of a grammar: tokens that follow others immediately are one token with them.

use std::collections::HashMap;

use super::super::builder::Builder;
use super::facts::Facts;
use super::syntax::{Node, NodeId, Syntax};
use pleach_core::grammar::{Alternative, Binding, Expr, ExprId, Name, Span};

/// Writes rules.
pub(super) struct Emitter<'a> {
    pub(super) builder: &'a mut Builder,
    pub(super) syntax: &'a Syntax,
    pub(super) facts: &'a Facts,
    /// How alternatives bind, by their nodes.
    bindings: &'a HashMap<NodeId, Binding>,
    /// The name of the rule that is written, and how many rules it has needed besides.
    rule: &'a str,
    more: usize,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        builder: &'a mut Builder,
        syntax: &'a Syntax,
        facts: &'a Facts,
        bindings: &'a HashMap<NodeId, Binding>,
    ) -> Self {
        Self { builder, syntax, facts, bindings, rule: "", more: 0 }
    }

    /// Writes a rule.
    pub(super) fn write(&mut self, rule: usize) {
        let definition = &self.syntax.rules[rule];
        (self.rule, self.more) = (&definition.name, 0);
        let at = self.builder.grammar.rules.len();
        let is_token = self.facts.infos[definition.body].token;
        let mut body = match is_token {
            true => self.inside(definition.body),
            false => self.emit(definition.body),
        };
        if self.bindings.contains_key(&definition.body) {
            let span = self.builder.grammar.span(body);
            let only = self.alternative(definition.body, body);
            body = self.builder.grammar.push(Expr::Choice(vec![only]), span);
        }
        if let Some((word, span)) = &self.syntax.word
            && word == self.rule
        {
            body = self.word(body, is_token, *span);
        }
        self.builder.rule(&definition.name, definition.span, body);
        // Before those that it has needed.
        self.builder.grammar.rules[at..].rotate_right(1);
        if is_token && !self.syntax.extras.is_empty() {
            let name = Name { text: definition.name.clone(), span: definition.span };
            self.builder.grammar.lexical.push(name);
        }
    }

    /// The rule `word` without the grammar's keywords.
    fn word(&mut self, body: ExprId, is_token: bool, span: Span) -> ExprId {
        if !is_token {
            let effect = "keywords are produced and read as words, too";
            self.builder.lose(span, format!("rule `{}` is no token", self.rule), effect);
            return body;
        }
        let mut keywords = keywords(self.syntax);
        keywords.sort_unstable();
        keywords.dedup();
        if keywords.is_empty() {
            return body;
        }
        let what = format!("a keyword is no `{}` here, wherever it stands", self.rule);
        let effect = "tree-sitter reads it as one where the keyword cannot stand; that is neither \
                      produced nor read";
        self.builder.lose(span, what, effect);
        let texts: Vec<ExprId> = keywords
            .into_iter()
            .map(|keyword| self.builder.literal(keyword.as_bytes(), false, span))
            .collect();
        let minus = self.builder.choice(&texts, span);
        self.builder.except(body, minus, span)
    }

    /// A node in a token: nothing stands between its parts.
    pub(super) fn inside(&mut self, id: NodeId) -> ExprId {
        let syntax = self.syntax;
        let span = syntax.spans[id];
        match &syntax.nodes[id] {
            Node::Blank => self.builder.sequence(&[], span),
            Node::Text(text) => self.builder.literal(text.as_bytes(), false, span),
            Node::Pattern(regex) => self.builder.grammar.push(Expr::Regex(regex.clone()), span),
            Node::Symbol(name) => self.builder.reference(name, span),
            Node::Sequence(items) => {
                let items: Vec<ExprId> = items.iter().map(|&item| self.inside(item)).collect();
                self.builder.sequence(&items, span)
            }
            Node::Choice(alternatives) => self.choice(alternatives, span, Self::inside),
            &Node::Repeat { node, min } => {
                let expr = self.inside(node);
                self.builder.repeat(expr, min, None, span)
            }
            &Node::Token { node, .. } => self.inside(node),
        }
    }

    /// What an alternative derives, with how it binds.
    fn alternative(&self, id: NodeId, expr: ExprId) -> Alternative {
        Alternative { binding: self.bindings.get(&id).copied(), ..Alternative::plain(expr) }
    }

    /// A choice; one that can be nothing is optional.
    fn choice(
        &mut self,
        alternatives: &[NodeId],
        span: Span,
        write: fn(&mut Self, NodeId) -> ExprId,
    ) -> ExprId {
        let is_blank = |id: &NodeId| matches!(self.syntax.nodes[*id], Node::Blank);
        let (blank, others): (Vec<NodeId>, Vec<NodeId>) =
            alternatives.iter().partition(|id| is_blank(id));
        let mut all = Vec::with_capacity(others.len());
        for other in others {
            let expr = write(self, other);
            all.push(self.alternative(other, expr));
        }
        let choice = match &all[..] {
            [] => return self.builder.sequence(&[], span),
            [only] if only.is_plain() => only.expr,
            _ => self.builder.grammar.push(Expr::Choice(all), span),
        };
        match blank.is_empty() {
            true => choice,
            false => self.builder.repeat(choice, 0, Some(1), span),
        }
    }

    /// A node with layout between its tokens.
    fn emit(&mut self, id: NodeId) -> ExprId {
        let syntax = self.syntax;
        let span = syntax.spans[id];
        let info = self.facts.infos[id];
        match &syntax.nodes[id] {
            Node::Blank | Node::Text(_) | Node::Pattern(_) | Node::Symbol(_) => self.inside(id),
            &Node::Token { node, .. } => match syntax.nodes[node] {
                Node::Blank | Node::Text(_) | Node::Pattern(_) => self.inside(node),
                _ => {
                    let body = self.inside(node);
                    self.token(body, span)
                }
            },
            Node::Choice(alternatives) => self.choice(alternatives, span, Self::emit),
            Node::Repeat { .. } if info.token => {
                let body = self.inside(id);
                self.token(body, span)
            }
            &Node::Repeat { node, min } => {
                if self.facts.infos[node].immediate {
                    self.lose_place(node);
                }
                let expr = self.emit(node);
                self.builder.repeat(expr, min, None, span)
            }
            Node::Sequence(items) => self.sequence(items, span),
        }
    }

    fn sequence(&mut self, items: &[NodeId], span: Span) -> ExprId {
        let info = |id: NodeId| self.facts.infos[id];
        // Each run is what stands without layout in it.
        let mut runs: Vec<Vec<NodeId>> = Vec::with_capacity(items.len());
        let mut lost = Vec::new();
        let mut begun = false;
        for &item in items {
            let fits = |run: &mut Vec<NodeId>| run.iter().all(|&part| info(part).token);
            if begun
                && info(item).is_glued()
                && info(item).token
                && let Some(run) = runs.last_mut()
                && fits(run)
            {
                run.push(item);
                continue;
            }
            if begun && info(item).immediate {
                lost.push(item);
            }
            begun |= info(item).plain || info(item).immediate;
            runs.push(vec![item]);
        }
        for item in lost {
            self.lose_place(item);
        }
        let mut exprs = Vec::with_capacity(runs.len());
        for run in runs {
            let expr = match run.as_slice() {
                &[item] => self.emit(item),
                _ => {
                    let (first, last) =
                        (self.syntax.spans[run[0]], self.syntax.spans[run[run.len() - 1]]);
                    let span = Span { end: last.end, ..first };
                    let parts: Vec<ExprId> = run.iter().map(|&item| self.inside(item)).collect();
                    let body = self.builder.sequence(&parts, span);
                    self.token(body, span)
                }
            };
            exprs.push(expr);
        }
        self.builder.sequence(&exprs, span)
    }

    /// Says that layout may stand where tree-sitter allows none.
    fn lose_place(&mut self, id: NodeId) {
        if !self.syntax.extras.is_empty() {
            let what =
                "what must follow immediately here is more than a token, or what it follows is";
            let effect = "layout may stand before it, which tree-sitter refuses";
            self.builder.lose(self.syntax.spans[id], what, effect);
        }
    }

    /// A token that is a part of the rule at hand.
    fn token(&mut self, body: ExprId, span: Span) -> ExprId {
        if self.syntax.extras.is_empty() {
            return body;
        }
        self.more += 1;
        let mut name = format!("{}_{}", self.rule, self.more);
        while self.facts.rules.contains_key(&name) {
            name.push('_');
        }
        self.builder.rule(&name, span, body);
        self.builder.grammar.lexical.push(Name { text: name.clone(), span });
        self.builder.reference(name, span)
    }
}

/// The strings that the grammar's rules have outside of tokens and that are words.
fn keywords(syntax: &Syntax) -> Vec<&str> {
    let mut words = Vec::new();
    let mut stack: Vec<NodeId> = syntax.rules.iter().map(|rule| rule.body).collect();
    while let Some(id) = stack.pop() {
        match &syntax.nodes[id] {
            Node::Text(text) => {
                let is_word = |symbol: char| symbol.is_alphanumeric() || "_$-".contains(symbol);
                if !text.is_empty() && text.chars().all(is_word) {
                    words.push(text.as_str());
                }
            }
            Node::Sequence(items) | Node::Choice(items) => stack.extend(items),
            Node::Repeat { node, .. } => stack.push(*node),
            // A token that is a string is a keyword as well as the string itself.
            Node::Token { node, immediate: false }
                if matches!(syntax.nodes[*node], Node::Text(_)) =>
            {
                stack.push(*node);
            }
            Node::Blank | Node::Pattern(_) | Node::Symbol(_) | Node::Token { .. } => {}
        }
    }
    words
}
