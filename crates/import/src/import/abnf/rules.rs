//! The rules of a text: which there are, which of several definitions counts, and which core rules are
//! needed.

use std::collections::{HashMap, HashSet};

use super::Definition;
use crate::import::builder::{Builder, alike};
use pleach_core::grammar::{Expr, ExprId, Grammar, Span};

/// The rules by name, whatever its case.
#[derive(Default)]
pub(super) struct Rules {
    /// By name in lower case, the index of the rule.
    indices: HashMap<String, usize>,
    rules: Vec<Known>,
    /// The names of rules that are supplied.
    supplied: HashSet<String>,
}

struct Known {
    /// As it is written where it is first defined.
    name: String,
    definitions: Vec<Definition>,
}

impl Rules {
    /// Notes that a rule of this name is defined somewhere.
    pub(super) fn name(&mut self, name: &str) {
        let next = self.rules.len();
        let index = *self.indices.entry(name.to_ascii_lowercase()).or_insert(next);
        if index == next {
            self.rules.push(Known { name: name.to_owned(), definitions: Vec::new() });
        }
    }

    /// Notes that a rule of this name is supplied.
    pub(super) fn supply(&mut self, name: &str) {
        self.name(name);
        self.supplied.insert(name.to_owned());
    }

    /// Whether there is the rule of another document that a text means by a name: one that is supplied, or
    /// one of the text's own that is written just so. `Host` and the `host` of URIs are two.
    pub(super) fn knows_exactly(&self, name: &str) -> bool {
        let is_own = || self.index(name).is_some_and(|index| self.rules[index].name == name);
        self.supplied.contains(name) || is_own()
    }

    /// How many rules there are.
    pub(super) fn count(&self) -> usize {
        self.rules.len()
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.indices.get(&name.to_ascii_lowercase()).copied()
    }

    /// A name as it is written where it is defined.
    pub(super) fn written(&self, name: &str) -> String {
        let known = self.index(name).map(|index| self.rules[index].name.as_str());
        known.unwrap_or(name).to_owned()
    }

    /// Whether a rule of this name is defined somewhere.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Adds a definition.
    pub(super) fn add(&mut self, definition: Definition) {
        if let Some(index) = self.index(&definition.name) {
            self.rules[index].definitions.push(definition);
        }
    }

    /// Writes the first rules into the grammar, each with the definition that counts.
    pub(super) fn write(&mut self, builder: &mut Builder, count: usize) {
        let mut found = Vec::new();
        for index in 0..count {
            let definitions = std::mem::take(&mut self.rules[index].definitions);
            found.extend(self.choose(builder, definitions));
        }
        for (name, span, body) in found {
            builder.rule(&name, span, body);
        }
    }

    /// What a rule is, of all that is said of it; none where it is defined elsewhere.
    fn choose(
        &self,
        builder: &mut Builder,
        all: Vec<Definition>,
    ) -> Option<(String, Span, ExprId)> {
        let (mut base, mut more) = (None::<(String, Span, ExprId)>, Vec::new());
        // Whether all rules are known that the base refers to, once that was asked.
        let mut is_base_known = None;
        for Definition { name, span, extends, body } in all {
            let Some(body) = body else { continue };
            let Some((_, first, kept)) = &mut base else {
                match extends {
                    true => more.push((name, span, body)),
                    false => base = Some((name, span, body)),
                }
                continue;
            };
            if extends {
                more.push((name, span, body));
            } else if alike(&builder.grammar, *kept, body) {
                let effect = "the two are alike, and one is left out";
                builder.lose(span, format!("rule `{name}` is defined again"), effect);
            } else {
                let is_known = self.is_known(&builder.grammar, body);
                let was_known =
                    *is_base_known.get_or_insert_with(|| self.is_known(&builder.grammar, *kept));
                let takes = is_known || !was_known;
                let what = format!("rule `{name}` is defined again, and otherwise");
                let effect = if takes {
                    "this definition counts, and the one before it is left out"
                } else {
                    "this one refers to rules that are not known: it is left out"
                };
                builder.lose(span, what, effect);
                if takes {
                    (*first, *kept) = (span, body);
                    is_base_known = Some(is_known);
                }
            }
        }
        let mut more = more.into_iter();
        let (name, span, body) = match base {
            Some(base) => base,
            None => {
                let (name, span, body) = more.next()?;
                let what = format!("rule `{name}` is added to and nowhere defined");
                builder.lose(span, what, "what is added is all that it derives");
                (name, span, body)
            }
        };
        let more: Vec<ExprId> = more.map(|(_, _, body)| body).collect();
        if more.is_empty() {
            return Some((name, span, body));
        }
        let mut alternatives = Vec::new();
        for part in std::iter::once(body).chain(more) {
            match builder.grammar.expr(part) {
                Expr::Choice(all) => alternatives.extend(all.iter().map(|one| one.expr)),
                _ => alternatives.push(part),
            }
        }
        let whole = builder.grammar.span(body);
        Some((name, span, builder.choice(&alternatives, whole)))
    }

    /// Whether all rules are known that an expression refers to.
    fn is_known(&self, grammar: &Grammar, body: ExprId) -> bool {
        references(grammar, body).iter().all(|name| self.knows(name))
    }

    /// The names that the rules refer to and that none of them has.
    pub(super) fn missing(&self, builder: &Builder) -> Vec<String> {
        let grammar = &builder.grammar;
        let rules = &grammar.rules;
        let have: HashSet<&str> = rules.iter().map(|rule| rule.name.text.as_str()).collect();
        let mut missing: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for rule in rules {
            for name in references(grammar, rule.body) {
                if !have.contains(name) && seen.insert(name) {
                    missing.push(name.to_owned());
                }
            }
        }
        missing
    }

    /// Writes those of the core rules that are missing, and what they need.
    pub(super) fn core(&self, builder: &mut Builder, core: Vec<Definition>, missing: Vec<String>) {
        let have: HashSet<String> =
            builder.grammar.rules.iter().map(|rule| rule.name.text.clone()).collect();
        let known: HashMap<&str, usize> =
            core.iter().enumerate().map(|(at, one)| (one.name.as_str(), at)).collect();
        let mut needed = vec![false; core.len()];
        let mut queue = missing;
        while let Some(name) = queue.pop() {
            let Some(&at) = known.get(name.as_str()) else { continue };
            if have.contains(&name) || std::mem::replace(&mut needed[at], true) {
                continue;
            }
            if let Some(body) = core[at].body {
                queue.extend(references(&builder.grammar, body).into_iter().map(str::to_owned));
            }
        }
        for (definition, needed) in core.iter().zip(needed) {
            if let Some(body) = definition.body.filter(|_| needed) {
                builder.rule(&definition.name, definition.span, body);
            }
        }
    }
}

/// The names that an expression has.
fn references(grammar: &Grammar, body: ExprId) -> Vec<&str> {
    let (mut names, mut stack) = (Vec::new(), vec![body]);
    while let Some(id) = stack.pop() {
        match grammar.expr(id) {
            Expr::Reference(name) => names.push(name.as_str()),
            expr => stack.extend(expr.children()),
        }
    }
    names
}

/// A copy of an expression, and how many nodes that has; none where it has more than some number.
pub(super) fn copy(grammar: &mut Grammar, body: ExprId, most: usize) -> Option<(ExprId, usize)> {
    let mut nodes = Vec::new();
    let mut stack = vec![body];
    while let Some(id) = stack.pop() {
        if nodes.len() == most {
            return None;
        }
        nodes.push(id);
        stack.extend(grammar.expr(id).children());
    }
    let mut copies: HashMap<ExprId, ExprId> = HashMap::new();
    // Parts are copied before what they are parts of.
    for &id in nodes.iter().rev() {
        let mut expr = grammar.expr(id).clone();
        expr.map_children(|id| copies.get(&id).copied().unwrap_or(id));
        let span = grammar.span(id);
        let new = grammar.push(expr, span);
        copies.insert(id, new);
    }
    Some((copies[&body], nodes.len()))
}
