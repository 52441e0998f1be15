//! Grammars of "The Fuzzing Book" (Zeller, Gopinath, Böhme, Fraser and Holler, chapters "Fuzzing with
//! Grammars" and "Probabilistic Grammar Fuzzing"), as JSON.
//!
//! An object of nonterminals `<name>` and arrays of their expansions. An expansion is a string, in which
//! `<name>` is a nonterminal if neither space nor angle bracket is inside; or a pair of a string and an
//! object of options; or, as the book's parsers have them, an array of strings that are each a
//! nonterminal or a text as a whole. `<start>` is the start. Rules are named without the brackets.
//!
//! The book's extensions for EBNF are `<name>?`, `<name>*`, `<name>+` and the same after parentheses,
//! `(...)?`. Parentheses that none of the three follows are text, as there, and so are those around
//! them. Whether a grammar is in EBNF it does not say: `fuzzingbook` takes it for one, and
//! `fuzzingbook-bnf` for none. Where a `*` or `+` stands between two nonterminals and the expansion
//! recurs, which is how BNF has operators, a warning says so.
//!
//! The option `prob` becomes weights: expansions without one share what the others leave. Other options
//! (`order`, `pre`, `post`) are lost, each with a warning.

mod expansion;

use std::collections::HashMap;

use super::builder::Builder;
use super::json::{self, Json, Value, ValueId};
use super::odds::{self, Given};
use pleach_core::grammar::{Diagnostic, Expr, ExprId, Resolver, Span};

/// The nonterminal that a grammar begins with, without its brackets.
const START: &str = "start";

const EXPANSION: &str =
    "an expansion is a string, \"<a>b\", or one with options, [\"<a>b\", {\"prob\": 0.5}]";

/// Whether a text begins as an object does whose first key is a nonterminal.
pub(super) fn is_like(text: &str) -> bool {
    json::beginning(text) == (Some('{'), Some('"'), Some('<'))
}

/// Reads a file, extensions included.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    read_file(builder, file, true);
}

/// Reads a file without the extensions.
pub(super) fn read_bnf(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    read_file(builder, file, false);
}

fn read_file(builder: &mut Builder, file: u32, extended: bool) {
    let text = builder.grammar.files[file as usize].text.clone();
    let Some(json) = Json::read(builder, file, &text) else { return };
    let whole = json.whole();
    let mut reader = Reader { builder, json: &json, extended, names: HashMap::new() };
    let Some(rules) = json.object(whole) else {
        let span = json.span(whole);
        return reader.error(
            span,
            "no object",
            "a grammar is an object: {\"<start>\": [\"<a>\"], ...}",
        );
    };
    for &(name, expansions) in rules {
        reader.rule(name, expansions);
    }
    reader.end(whole);
}

struct Reader<'d> {
    builder: &'d mut Builder,
    json: &'d Json<'d>,
    /// Whether the extensions for EBNF are in use.
    extended: bool,
    /// Where each nonterminal is defined.
    names: HashMap<String, Span>,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.builder.error(Diagnostic::error(span, message).help(help));
    }

    fn rule(&mut self, name: ValueId, expansions: ValueId) {
        let Some(name) = self.json.string(name) else { return };
        let Some(inner) = expansion::nonterminal(name.text).filter(|text| *text == name.text)
        else {
            let message = format!("`{}` is no nonterminal", name.text);
            let help = "nonterminals stand in angle brackets, without spaces: <name>";
            return self.error(name.span, message, help);
        };
        let inner = expansion::rule_name(inner);
        if self.names.insert(inner.to_owned(), name.span).is_some() {
            let message = format!("`{}` is defined before", name.text);
            return self.error(name.span, message, "write all its expansions into one array");
        }
        let span = self.json.span(expansions);
        let Some(values) = self.json.array(expansions).filter(|values| !values.is_empty()) else {
            return self.error(span, "no expansions", "expansions are an array: [\"<a>\", \"b\"]");
        };
        let (mut exprs, mut given) = (Vec::new(), Vec::new());
        for &value in values {
            let (expr, probability) = self.expansion(value, inner);
            exprs.push(expr);
            given.push(probability);
        }
        let body = match exprs.as_slice() {
            &[only] => only,
            _ => {
                let alternatives = odds::weighted(self.builder, &exprs, &given, span);
                self.builder.grammar.push(Expr::Choice(alternatives), span)
            }
        };
        let end = name.text.len();
        let at = name.part(1..end.max(2) - 1);
        self.builder.rule(inner, at, body);
    }

    /// An expansion and its probability. What is a mistake is the empty string.
    fn expansion(&mut self, value: ValueId, rule: &str) -> (ExprId, Given) {
        let span = self.json.span(value);
        let json = self.json;
        match json.value(value) {
            Value::Text(_) => (self.text(value, rule), None),
            Value::Array(parts) => match parts.as_slice() {
                &[text, options] if json.object(options).is_some() => {
                    (self.text(text, rule), self.options(options))
                }
                parts => (self.tokens(parts, span), None),
            },
            _ => {
                self.error(span, "no expansion", EXPANSION);
                (self.builder.sequence(&[], span), None)
            }
        }
    }

    fn text(&mut self, value: ValueId, rule: &str) -> ExprId {
        match self.json.string(value) {
            Some(text) => expansion::read(self.builder, &text, self.extended.then_some(rule)),
            None => {
                let span = self.json.span(value);
                self.error(span, "no expansion", EXPANSION);
                self.builder.sequence(&[], span)
            }
        }
    }

    /// An expansion token by token.
    fn tokens(&mut self, parts: &[ValueId], span: Span) -> ExprId {
        let mut items = Vec::with_capacity(parts.len());
        for &part in parts {
            let span = self.json.span(part);
            let Some(text) = self.json.text(part) else {
                self.error(span, "no string", EXPANSION);
                continue;
            };
            match expansion::nonterminal(text).filter(|inner| *inner == text) {
                Some(inner) => {
                    items.push(self.builder.reference(expansion::rule_name(inner), span));
                }
                None if text.is_empty() => {}
                None => items.push(self.builder.literal(text.as_bytes(), false, span)),
            }
        }
        self.builder.sequence(&items, span)
    }

    /// The probability among an expansion's options. The others are lost.
    fn options(&mut self, options: ValueId) -> Given {
        let mut probability = None;
        let json = self.json;
        for &(key, value) in json.object(options).unwrap_or_default() {
            let at = json.span(value);
            match (json.text(key).unwrap_or_default(), json.value(value)) {
                (_, Value::Null) => {}
                ("prob", &Value::Number(number)) => probability = Some((number, at)),
                ("prob", _) => self.error(at, "no number", "a probability is a number from 0 to 1"),
                (name, _) => {
                    let what = format!("no grammar here has the option `{name}`");
                    let effect = "it is left out, and the expansion stays";
                    self.builder.lose(json.span(key), what, effect);
                }
            }
        }
        probability
    }

    fn end(&mut self, whole: ValueId) {
        let span = self.json.span(whole);
        let (first, start) = (Span { end: span.start + 1, ..span }, self.names.get(START));
        if start.is_some() {
            self.builder.begin(START);
        } else if self.names.is_empty() {
            if !self.builder.has_errors() {
                self.error(span, "no rules", "a rule is written: \"<start>\": [\"<a>\", \"b\"]");
            }
        } else {
            let diagnostic = Diagnostic::error(first, "there is no `<start>`");
            self.builder.startless(diagnostic.help("add it, or name another start (--start RULE)"));
        }
    }
}
