//! A grammar of pest as it is written, in one arena.
//!
//! Expressions stand after what they contain, so what is found from the inside out is found in one loop.
//! Nesting is bounded by [`super::nesting`] and [`MOST_COUNTS`], so what goes from the outside in may
//! recurse.

use std::ops::Range;

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use pest_meta::parser::{PestParser, Rule, rename_meta_rule};

use super::super::builder::Builder;
use pleach_core::grammar::{Diagnostic, Span};

/// How many counts may follow each other, as in `a{2}{3}`.
const MOST_COUNTS: usize = 4;

/// The index of an expression.
pub(super) type NodeId = usize;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Text {
        text: String,
        ignore_case: bool,
    },
    Range(u32, u32),
    Name(String),
    Sequence(Vec<NodeId>),
    Choice(Vec<NodeId>),
    Repeat {
        node: NodeId,
        min: u32,
        max: Option<u32>,
    },
    Not(NodeId),
    And(NodeId),
    /// What uses the stack, as it is written.
    Stack(String),
}

/// What is said of layout in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `{}` or `_{}`: layout stands where it does around the rule.
    Normal,
    /// `@{}` or `${}`, and the rules of layout: none stands inside.
    Atomic,
    /// `!{}`: layout stands inside, wherever the rule is used.
    NonAtomic,
}

/// A rule.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) kind: Kind,
    pub(super) docs: String,
    pub(super) body: NodeId,
    /// Its expressions.
    pub(super) nodes: Range<NodeId>,
}

/// A grammar.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    pub(super) nodes: Vec<Node>,
    pub(super) spans: Vec<Span>,
    pub(super) rules: Vec<Definition>,
}

/// Reads a text; none, and an error, where it is no grammar.
pub(super) fn read(builder: &mut Builder, file: u32, text: &str) -> Option<Syntax> {
    if text.starts_with('\u{FEFF}') {
        let span = Span { file, start: 0, end: 3 };
        let message = "the text begins with a byte order mark, which pest refuses";
        builder.error(Diagnostic::error(span, message).help("save it as UTF-8 without one"));
        return None;
    }
    if let Err(diagnostic) = super::nesting::scan(text, file) {
        builder.error(diagnostic);
        return None;
    }
    let pairs = match PestParser::parse(Rule::grammar_rules, text) {
        Ok(pairs) => pairs,
        Err(error) => {
            builder.error(mistake(error, file, text));
            return None;
        }
    };
    let mut reader = Reader { builder, file, syntax: Syntax::default() };
    let mut docs: Vec<&str> = Vec::new();
    for pair in pairs.filter(|pair| pair.as_rule() == Rule::grammar_rule) {
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { continue };
        if first.as_rule() == Rule::line_doc {
            docs.extend(first.into_inner().next().map(|doc| doc.as_str()));
        } else {
            reader.rule(first, inner, std::mem::take(&mut docs).join("\n"));
        }
    }
    if reader.syntax.rules.is_empty() {
        let span = Span { file, start: 0, end: text.len().min(1) as u32 };
        builder.error(Diagnostic::error(span, "there is no rule").help("write one: a = { \"x\" }"));
        return None;
    }
    Some(reader.syntax)
}

/// What the parser has to say.
fn mistake(error: pest::error::Error<Rule>, file: u32, text: &str) -> Diagnostic {
    let (start, end) = match error.location {
        InputLocation::Pos(at) => (at, at),
        InputLocation::Span(span) => span,
    };
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    let span = Span { file, start: start as u32, end: end.max(start + length) as u32 };
    let message = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } if !positives.is_empty() => {
            let mut expected: Vec<String> = positives.iter().map(rename_meta_rule).collect();
            expected.dedup();
            format!("this is no grammar of pest: expected {}", expected.join(", "))
        }
        ErrorVariant::ParsingError { .. } => "this is no grammar of pest".to_owned(),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    Diagnostic::error(span, message).help("a rule is written: name = { expression }")
}

struct Reader<'d> {
    builder: &'d mut Builder,
    file: u32,
    syntax: Syntax,
}

impl Reader<'_> {
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span { file: self.file, start: span.start() as u32, end: span.end() as u32 }
    }

    fn error(&mut self, span: Span, message: &str, help: &str) {
        self.builder.error(Diagnostic::error(span, message).help(help));
    }

    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.syntax.nodes.push(node);
        self.syntax.spans.push(span);
        self.syntax.nodes.len() - 1
    }

    fn rule<'t>(
        &mut self,
        name: Pair<'t, Rule>,
        rest: impl Iterator<Item = Pair<'t, Rule>>,
        docs: String,
    ) {
        let span = self.span(&name);
        let name = name.as_str();
        let from = self.syntax.nodes.len();
        let is_layout = matches!(name, "WHITESPACE" | "COMMENT");
        let mut kind = if is_layout { Kind::Atomic } else { Kind::Normal };
        let mut body = None;
        for pair in rest {
            match pair.as_rule() {
                Rule::atomic_modifier | Rule::compound_atomic_modifier => kind = Kind::Atomic,
                Rule::non_atomic_modifier if !is_layout => kind = Kind::NonAtomic,
                Rule::expression => body = Some(self.expression(pair)),
                _ => {}
            }
        }
        // The parser gives every rule an expression.
        let Some(body) = body else { return };
        let nodes = from..self.syntax.nodes.len();
        let name = name.to_owned();
        self.syntax.rules.push(Definition { name, span, kind, docs, body, nodes });
    }

    fn expression(&mut self, pair: Pair<'_, Rule>) -> NodeId {
        let span = self.span(&pair);
        let mut alternatives: Vec<NodeId> = Vec::new();
        let mut items: Vec<NodeId> = Vec::new();
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::term => {
                    let term = self.term(pair);
                    items.push(term);
                }
                // One may stand before the first alternative.
                Rule::choice_operator if !items.is_empty() => {
                    let alternative = self.sequence(std::mem::take(&mut items));
                    alternatives.push(alternative);
                }
                _ => {}
            }
        }
        let last = self.sequence(items);
        if alternatives.is_empty() {
            return last;
        }
        alternatives.push(last);
        self.push(Node::Choice(alternatives), span)
    }

    fn sequence(&mut self, items: Vec<NodeId>) -> NodeId {
        let (Some(&first), Some(&last)) = (items.first(), items.last()) else {
            return self.push(Node::Sequence(items), Span { file: self.file, ..Span::default() });
        };
        if first == last {
            return first;
        }
        let (first, last) = (self.syntax.spans[first], self.syntax.spans[last]);
        self.push(Node::Sequence(items), Span { end: last.end, ..first })
    }

    fn term(&mut self, pair: Pair<'_, Rule>) -> NodeId {
        let whole = self.span(&pair);
        // Whether there is a predicate, and whether it is negative: `!!a` looks ahead as `&a`.
        let mut predicate: Option<bool> = None;
        let mut node = None;
        let mut counts = 0;
        let mut begin = whole;
        for pair in pair.into_inner() {
            let span = self.span(&pair);
            let count = match pair.as_rule() {
                Rule::positive_predicate_operator => {
                    predicate = Some(predicate.unwrap_or(false));
                    continue;
                }
                Rule::negative_predicate_operator => {
                    predicate = Some(!predicate.unwrap_or(false));
                    continue;
                }
                Rule::optional_operator => Some((0, Some(1))),
                Rule::repeat_operator => Some((0, None)),
                Rule::repeat_once_operator => Some((1, None)),
                Rule::repeat_exact | Rule::repeat_min | Rule::repeat_max | Rule::repeat_min_max => {
                    self.count(pair)
                }
                Rule::opening_paren
                | Rule::closing_paren
                | Rule::tag_id
                | Rule::assignment_operator => {
                    continue;
                }
                _ => {
                    begin = span;
                    node = Some(self.terminal(pair));
                    continue;
                }
            };
            let (Some(inner), Some((min, max))) = (node, count) else { continue };
            let span = Span { end: span.end, ..begin };
            node = Some(match &mut self.syntax.nodes[inner] {
                // `?`, `*` and `+` of each other are one of them.
                Node::Repeat { min: low, max: high, .. }
                    if counts > 0
                        && *low <= 1
                        && min <= 1
                        && high.is_none_or(|high| high == 1)
                        && max.is_none_or(|max| max == 1) =>
                {
                    *low = min.min(*low);
                    *high = high.and(max);
                    inner
                }
                _ => {
                    counts += 1;
                    if counts > MOST_COUNTS {
                        let help = "put what is repeated into rules of its own";
                        self.error(span, "too many counts follow each other", help);
                        break;
                    }
                    self.push(Node::Repeat { node: inner, min, max }, span)
                }
            });
        }
        let node = node.unwrap_or_else(|| self.push(Node::Sequence(Vec::new()), whole));
        match predicate {
            None => node,
            Some(true) => self.push(Node::Not(node), whole),
            Some(false) => self.push(Node::And(node), whole),
        }
    }

    fn terminal(&mut self, pair: Pair<'_, Rule>) -> NodeId {
        let span = self.span(&pair);
        let text = pair.as_str();
        let node = match pair.as_rule() {
            Rule::expression => return self.expression(pair),
            Rule::identifier => match text {
                "PEEK" | "PEEK_ALL" | "POP" | "POP_ALL" | "DROP" => Node::Stack(text.to_owned()),
                _ => Node::Name(text.to_owned()),
            },
            Rule::string => {
                let text = self.unescape(&text[1..text.len() - 1], span);
                Node::Text { text, ignore_case: false }
            }
            Rule::insensitive_string => {
                let quoted = text[1..].trim_start_matches(|symbol| symbol != '"');
                let text = self.unescape(&quoted[1..quoted.len() - 1], span);
                Node::Text { text, ignore_case: true }
            }
            Rule::range => {
                let mut ends = pair
                    .into_inner()
                    .filter(|pair| pair.as_rule() == Rule::character)
                    .map(|pair| pair.as_str());
                let mut end = || {
                    let text = ends.next().map_or("", |text| &text[1..text.len() - 1]);
                    self.unescape(text, span).chars().next().map_or(0, u32::from)
                };
                let (low, high) = (end(), end());
                if low > high {
                    self.error(span, "this range ends before it begins", "turn it round");
                }
                Node::Range(low, high)
            }
            _ => {
                let name = text.split(['(', '[']).next().unwrap_or(text).trim();
                Node::Stack(name.to_owned())
            }
        };
        self.push(node, span)
    }

    /// The bounds of a count in braces.
    fn count(&mut self, pair: Pair<'_, Rule>) -> Option<(u32, Option<u32>)> {
        let rule = pair.as_rule();
        let span = self.span(&pair);
        let mut numbers = Vec::new();
        for number in pair.into_inner().filter(|pair| pair.as_rule() == Rule::number) {
            let Ok(number) = number.as_str().parse() else {
                self.error(span, "this count is too large", "the largest is 4294967295");
                return None;
            };
            numbers.push(number);
        }
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        if first > last {
            self.error(span, "the greatest count is below the least", "exchange them");
        }
        Some(match rule {
            Rule::repeat_min => (first, None),
            Rule::repeat_max => (0, Some(last)),
            _ => (first, Some(last)),
        })
    }

    /// The text that a literal means, between its quotes.
    fn unescape(&mut self, text: &str, span: Span) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            let mut chars = rest[at + 1..].chars();
            let symbol = chars.next().unwrap_or('\\');
            rest = chars.as_str();
            let digits = match symbol {
                'x' => 2.min(rest.len()),
                'u' => rest.find('}').map_or(rest.len(), |end| end + 1),
                _ => 0,
            };
            let code = u32::from_str_radix(rest[..digits].trim_matches(['{', '}']), 16);
            rest = &rest[digits..];
            match symbol {
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                '0' => out.push('\0'),
                'x' | 'u' => match code.ok().and_then(char::from_u32) {
                    Some(symbol) => out.push(symbol),
                    None => {
                        let help = "the last is \\u{10FFFF}, and surrogates are none";
                        self.error(span, "there is no such character", help);
                    }
                },
                symbol => out.push(symbol),
            }
        }
        out.push_str(rest);
        out
    }
}
