//! The rules of a `grammar.json`, in one array: what a rule contains stands before it.

use std::collections::HashMap;

use super::pattern;
use super::precedence::{Level, Precedence};
use crate::import::builder::Builder;
use crate::import::json::{Json, Value, ValueId};
use pleach_core::grammar::{Associativity, Diagnostic, Span};

/// The index of a node.
pub(super) type NodeId = usize;

/// A rule or a part of one. What says nothing of the language (`PREC`, `FIELD`, `ALIAS`, `RESERVED`) is the
/// node that it holds; see [`Syntax::precedences`].
#[derive(Clone, Debug)]
pub(super) enum Node {
    Blank,
    Text(String),
    /// A regular expression of the `regex` crate.
    Pattern(String),
    Symbol(String),
    Sequence(Vec<NodeId>),
    Choice(Vec<NodeId>),
    Repeat {
        node: NodeId,
        min: u32,
    },
    Token {
        node: NodeId,
        immediate: bool,
    },
}

/// A rule with its name.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) body: NodeId,
}

/// A grammar.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    pub(super) nodes: Vec<Node>,
    pub(super) spans: Vec<Span>,
    pub(super) rules: Vec<Definition>,
    /// What may stand between tokens.
    pub(super) extras: Vec<NodeId>,
    /// The names of the tokens that a scanner of its own reads.
    pub(super) externals: Vec<(String, Span)>,
    /// What `PREC` and its kinds say, by what they are around; the innermost.
    pub(super) precedences: HashMap<NodeId, Precedence>,
    /// The lists of `precedences`, the greatest first.
    pub(super) orders: Vec<Vec<Level>>,
    /// The rule whose strings keywords are.
    pub(super) word: Option<(String, Span)>,
}

/// Reads the values; none, and an error, where they are no grammar.
pub(super) fn read(builder: &mut Builder, json: &Json<'_>) -> Option<Syntax> {
    let top = json.whole();
    let Some(rules) = json.member(top, "rules").and_then(|rules| json.object(rules)) else {
        let span = Span { end: json.span(top).start + 1, ..json.span(top) };
        let help =
            "it is an object with \"name\" and \"rules\", as `tree-sitter generate` writes it";
        builder.error(Diagnostic::error(span, "this is no grammar of tree-sitter").help(help));
        return None;
    };
    let mut reader = Reader { builder, json, syntax: Syntax::default(), nodes: Vec::new() };
    for id in 0..json.count() {
        let node = reader.node(id);
        reader.nodes.push(node);
    }
    for &(key, value) in rules {
        let Some(body) = reader.child(value, value) else { continue };
        let (name, span) = (json.text(key).unwrap_or_default().to_owned(), json.span(key));
        reader.syntax.rules.push(Definition { name, span, body });
    }
    reader.rest(top);
    if reader.syntax.rules.is_empty() && !reader.builder.has_errors() {
        let span = json.span(json.member(top, "rules").unwrap_or(top));
        let help = "write one: \"a\": {\"type\": \"STRING\", \"value\": \"x\"}";
        reader.builder.error(Diagnostic::error(span, "there is no rule").help(help));
    }
    Some(reader.syntax)
}

struct Reader<'d> {
    builder: &'d mut Builder,
    json: &'d Json<'d>,
    syntax: Syntax,
    /// By value, its node.
    nodes: Vec<Option<NodeId>>,
}

impl Reader<'_> {
    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.syntax.nodes.push(node);
        self.syntax.spans.push(span);
        self.syntax.nodes.len() - 1
    }

    fn error(&mut self, id: ValueId, message: &str, help: &str) {
        let span = self.json.span(id);
        self.builder.error(Diagnostic::error(first_line(span, self.builder), message).help(help));
    }

    /// What a value is as a rule; an error where it is none.
    fn child(&mut self, id: ValueId, whole: ValueId) -> Option<NodeId> {
        let node = self.nodes[id];
        // Of what has a type something was said.
        if node.is_none() && self.json.member_text(id, "type").is_none() {
            let help = "a rule is an object with a \"type\"";
            self.error(if id == whole { id } else { whole }, "this is no rule", help);
        }
        node
    }

    fn content(&mut self, id: ValueId) -> Option<NodeId> {
        match self.json.member(id, "content") {
            Some(content) => self.child(content, content),
            None => {
                self.error(id, "this rule has no content", "write \"content\": {...}");
                None
            }
        }
    }

    fn members(&mut self, id: ValueId) -> Option<Vec<NodeId>> {
        let Some(members) = self.json.member_array(id, "members") else {
            self.error(id, "this rule has no members", "write \"members\": [...]");
            return None;
        };
        members.iter().map(|&member| self.child(member, member)).collect()
    }

    fn string(&mut self, id: ValueId, name: &str) -> Option<String> {
        let text = self.json.member_text(id, name).map(str::to_owned);
        if text.is_none() {
            self.error(id, &format!("this rule has no {name}"), "it is to be a string");
        }
        text
    }

    fn node(&mut self, id: ValueId) -> Option<NodeId> {
        let kind = self.json.member_text(id, "type")?;
        let span = self.json.span(id);
        let node = match kind {
            "BLANK" => Node::Blank,
            "STRING" => Node::Text(self.string(id, "value")?),
            "PATTERN" => self.pattern(id)?,
            "SYMBOL" => Node::Symbol(self.string(id, "name")?),
            "SEQ" => Node::Sequence(self.members(id)?),
            "CHOICE" => Node::Choice(self.members(id)?),
            "REPEAT" => Node::Repeat { node: self.content(id)?, min: 0 },
            "REPEAT1" => Node::Repeat { node: self.content(id)?, min: 1 },
            "TOKEN" | "IMMEDIATE_TOKEN" => {
                self.precedence(id);
                Node::Token { node: self.content(id)?, immediate: kind == "IMMEDIATE_TOKEN" }
            }
            "PREC" | "PREC_LEFT" | "PREC_RIGHT" => {
                let node = self.content(id)?;
                let precedence = self.level(id, kind);
                self.syntax.precedences.entry(node).or_insert(precedence);
                return Some(node);
            }
            "PREC_DYNAMIC" => {
                if self.number(id) != Some(0) {
                    let what = "a dynamic precedence is left out";
                    let effect =
                        "of several trees of a text the first in the order of derivations is taken";
                    let span = first_line(span, self.builder);
                    self.builder.lose(span, what, effect);
                }
                return self.content(id);
            }
            "FIELD" | "ALIAS" | "RESERVED" => return self.content(id),
            _ => {
                let help = "there are BLANK, STRING, PATTERN, SYMBOL, SEQ, CHOICE, REPEAT, REPEAT1, \
                            TOKEN, IMMEDIATE_TOKEN, PREC and its kinds, FIELD, ALIAS and RESERVED";
                self.error(id, &format!("there is no type `{kind}`"), help);
                return None;
            }
        };
        Some(self.push(node, span))
    }

    /// The number of a precedence; none where it has a name.
    fn number(&self, id: ValueId) -> Option<i64> {
        match self.json.member(id, "value").map(|value| self.json.value(value)) {
            Some(Value::Number(number)) => Some(*number as i64),
            Some(Value::Text(_)) => None,
            _ => Some(0),
        }
    }

    /// What a precedence of a kind says.
    fn level(&self, id: ValueId, kind: &str) -> Precedence {
        let name = || self.json.member_text(id, "value").unwrap_or_default().to_owned();
        let level = self.number(id).map_or_else(|| Level::Name(name()), Level::Number);
        let associativity = match kind {
            "PREC_LEFT" => Associativity::Left,
            "PREC_RIGHT" => Associativity::Right,
            _ => Associativity::Unspecified,
        };
        let span = first_line(self.json.span(id), self.builder);
        Precedence { level, associativity, span }
    }

    /// Says that the lexer's precedence of a token is lost, if it has one.
    fn precedence(&mut self, token: ValueId) {
        let Some(content) = self.json.member(token, "content") else { return };
        let kind = self.json.member_text(content, "type").unwrap_or_default();
        let value = self.json.member(content, "value").map(|value| self.json.value(value));
        let is_none = match value {
            Some(Value::Number(number)) => *number == 0.0,
            value => value.is_none(),
        };
        if kind.starts_with("PREC") && kind != "PREC_DYNAMIC" && !is_none {
            let effect = "where another token matches there, too, either is read, and what is \
                          produced for one tree-sitter may read as the other";
            let span = first_line(self.json.span(content), self.builder);
            self.builder.lose(span, "the precedence of this token is left out", effect);
        }
    }

    fn pattern(&mut self, id: ValueId) -> Option<Node> {
        let text = self.string(id, "value")?;
        let flags = self.json.member_text(id, "flags").unwrap_or_default();
        let (regex, unknown) = pattern::translate(&text, flags);
        if !unknown.is_empty() {
            let what = format!("the flags `{unknown}` of this pattern have no meaning here");
            self.builder.lose(self.json.span(id), what, "they are left out");
        }
        if let Err(error) = regex_syntax::parse(&regex) {
            let message = error.to_string();
            let reason = message.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let message = format!("this pattern cannot be used: {reason}");
            self.error(id, &message, "patterns have no look-around, bounds or surrogates");
            return None;
        }
        Some(Node::Pattern(regex))
    }

    /// What stands beside the rules.
    fn rest(&mut self, top: ValueId) {
        match self.json.member_array(top, "extras") {
            Some(extras) => {
                for &extra in extras {
                    let node = self.child(extra, extra);
                    self.syntax.extras.extend(node);
                }
            }
            None => {
                let white = Node::Pattern(pattern::translate("\\s", "").0);
                let span = self.json.span(top);
                let node = self.push(white, Span { end: span.start + 1, ..span });
                self.syntax.extras.push(node);
            }
        }
        for &external in self.json.member_array(top, "externals").unwrap_or_default() {
            if let Some(name) = self.json.member_text(external, "name") {
                let span = self.json.span(external);
                self.syntax.externals.push((name.to_owned(), span));
            }
        }
        for &order in self.json.member_array(top, "precedences").unwrap_or_default() {
            let entries = self.json.array(order).unwrap_or_default().iter().filter_map(|&entry| {
                let text = |member| self.json.member_text(entry, member).map(str::to_owned);
                match self.json.member_text(entry, "type")? {
                    "STRING" => text("value").map(Level::Name),
                    "SYMBOL" => text("name").map(Level::Rule),
                    _ => None,
                }
            });
            self.syntax.orders.push(entries.collect());
        }
        if let Some(word) = self.json.member(top, "word")
            && let Some(name) = self.json.text(word)
        {
            self.syntax.word = Some((name.to_owned(), self.json.span(word)));
        }
    }
}

/// What stands of a place on its first line.
fn first_line(span: Span, builder: &Builder) -> Span {
    let text = &builder.grammar.files[span.file as usize].text;
    let shown = &text[span.start as usize..span.end as usize];
    let length = shown.find('\n').unwrap_or(shown.len());
    Span { end: span.start + length as u32, ..span }
}
