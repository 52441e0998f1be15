//! JSON grammars of the fuzzer Nautilus (Aschermann et al., "NAUTILUS: Fishing for Deep Bugs with
//! Grammars", NDSS 2019; the format is what its `fuzzer` reads from a file named `.json`).
//!
//! An array of rules, each an array of a nonterminal and a format: `["EXPR", "({EXPR}+{EXPR})"]`.
//! `{NAME}` and `{NAME:label}` are nonterminals, whose names begin with a capital letter; `\{` and
//! `\}` are braces; any other reverse solidus is itself. Rules of one nonterminal are its alternatives,
//! in their order, equal ones each for itself. `START` is the start where there is one, and else the
//! nonterminal of the first rule.
//!
//! Labels change nothing, in Nautilus neither. Elements after the second are left out with a warning.
//! Nautilus adds the first rule's nonterminal to the alternatives of a `START` that comes later; here
//! it is not one, and a warning says so. Its grammars in Python, with scripts and regexes, are none of
//! this notation.

use std::collections::HashMap;

use super::builder::Builder;
use super::json::{self, Json, Text, ValueId};
use pleach_core::grammar::{Diagnostic, ExprId, Resolver, Span};

/// The nonterminal that Nautilus begins with.
const START: &str = "START";

/// Whether a text begins as an array of arrays does.
pub(super) fn is_like(text: &str) -> bool {
    matches!(json::beginning(text), (Some('['), Some('[' | ']'), _))
}

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    let text = builder.grammar.files[file as usize].text.clone();
    let Some(json) = Json::read(builder, file, &text) else { return };
    let whole = json.whole();
    let mut reader = Reader { builder, json: &json, rules: Vec::new(), names: HashMap::new() };
    let Some(rules) = json.array(whole) else {
        let span = json.span(whole);
        return reader.error(
            span,
            "no array",
            "a grammar is an array of rules: [[\"A\", \"{B}\"], ...]",
        );
    };
    for &rule in rules {
        reader.rule(rule);
    }
    reader.end(whole);
}

struct Reader<'d> {
    builder: &'d mut Builder,
    json: &'d Json<'d>,
    /// The nonterminals in the order of their first rules, and the alternatives of each.
    rules: Vec<(Text<'d>, Vec<ExprId>)>,
    names: HashMap<String, usize>,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.builder.error(Diagnostic::error(span, message).help(help));
    }

    fn rule(&mut self, rule: ValueId) {
        const HELP: &str = "a rule is an array of two strings: [\"A\", \"({B})\"]";
        let json = self.json;
        let parts = json.array(rule).unwrap_or_default();
        let &[name, format, ref rest @ ..] = parts else {
            return self.error(json.span(rule), "no rule", HELP);
        };
        let Some(name) = json.string(name) else {
            return self.error(json.span(name), "no string", HELP);
        };
        let Some(format) = json.string(format) else {
            return self.error(json.span(format), "no string", HELP);
        };
        if let Some(&more) = rest.first() {
            let span = json.span(more);
            self.builder.lose(span, "a rule has two elements", "what follows them is left out");
        }
        if !is_name(name.text) {
            return self.error(name.span, format!("`{}` is no nonterminal", name.text), NAMES);
        }
        let body = self.format(&format);
        match self.names.get(name.text) {
            Some(&at) => self.rules[at].1.push(body),
            None => {
                self.names.insert(name.text.to_string(), self.rules.len());
                self.rules.push((name, vec![body]));
            }
        }
    }

    /// What a format derives.
    fn format(&mut self, format: &Text<'_>) -> ExprId {
        let text = format.text;
        let bytes = text.as_bytes();
        let mut items = Vec::new();
        let mut literal: Vec<u8> = Vec::new();
        let mut from = 0;
        let mut at = 0;
        while at < bytes.len() {
            match (bytes[at], bytes.get(at + 1)) {
                (b'\\', Some(&brace @ (b'{' | b'}'))) => {
                    literal.push(brace);
                    at += 2;
                }
                (b'{', _) => {
                    self.flush(&mut items, &mut literal, format.part(from..at));
                    let length = text[at..].find('}').map_or(text.len() - at, |end| end + 1);
                    let span = format.part(at..at + length);
                    self.nonterminal(&text[at..at + length], span, &mut items);
                    at += length;
                    from = at;
                }
                (byte, _) => {
                    literal.push(byte);
                    at += 1;
                }
            }
        }
        self.flush(&mut items, &mut literal, format.part(from..at));
        let span = format.part(0..text.len());
        self.builder.sequence(&items, span)
    }

    fn flush(&mut self, items: &mut Vec<ExprId>, literal: &mut Vec<u8>, span: Span) {
        if !literal.is_empty() {
            items.push(self.builder.literal(literal, false, span));
            literal.clear();
        }
    }

    /// A nonterminal in its braces.
    fn nonterminal(&mut self, text: &str, span: Span, items: &mut Vec<ExprId>) {
        let Some(inner) = text[1..].strip_suffix('}') else {
            return self.error(span, "this brace is not closed", "a brace is written `\\\\{`");
        };
        let (name, label) = inner.split_once(':').unwrap_or((inner, ""));
        if !is_name(name) || !label.chars().all(is_letter) {
            return self.error(span, format!("`{text}` is no nonterminal"), NAMES);
        }
        items.push(self.builder.reference(name, span));
    }

    /// Writes the rules.
    fn end(&mut self, whole: ValueId) {
        let start = self.names.get(START).copied().unwrap_or_default();
        let rules = std::mem::take(&mut self.rules);
        let Some((first, _)) = rules.first() else {
            let span = self.json.span(whole);
            if !self.builder.has_errors() {
                self.error(span, "no rules", "a rule is written: [\"A\", \"({B})\"]");
            }
            return;
        };
        if start != 0 {
            let what = format!("Nautilus begins with `{}` as well as with `{START}`", first.text);
            self.builder.lose(first.span, what, format!("only `{START}` is the start"));
        }
        for (name, alternatives) in &rules {
            let spans = [alternatives.first(), alternatives.last()]
                .map(|id| id.map_or(name.span, |&id| self.builder.grammar.span(id)));
            let span = Span { end: spans[1].end, ..spans[0] };
            let body = self.builder.choice(alternatives, span);
            self.builder.rule(name.text, name.part(0..name.text.len()), body);
        }
        if start != 0 {
            self.builder.begin(START);
        }
    }
}

const NAMES: &str = "a nonterminal is a capital letter, then letters, digits, `_` and `-`; \
                     in a format a brace of the text is written `\\\\{`";

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}
