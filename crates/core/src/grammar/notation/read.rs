//! One file's text into a [`Unit`]: what the grammar says before its includes are joined to it.
//!
//! The parser gives a flat list of starts and ends of pairs, and [`Reader`] folds it with stacks
//! of its own: a term is pushed when it ends, and what encloses it takes off what stands above
//! its mark. The encoding decides what a literal stands for, and its directive may come last,
//! so it is looked up before.

use pest::Token;
use pest::iterators::Pairs;

use super::generated::Rule as Pair;
use super::{literal, nesting, syntax};
use crate::grammar::{
    Alternative, Associativity, Binding, Diagnostic, Encoding, Expr, ExprId, Grammar, Mark, Name,
    PartRule, Rule, Span,
};
use crate::parts::{Fault, PartKind};
use crate::regular::class_ranges;

/// Mistakes of one file that are reported together.
const MAX_FOUND: usize = 100;

/// What one file says.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// The file's own rules and directives, without files.
    pub(super) grammar: Grammar,
    /// Where the encoding is named.
    pub(super) encoding: Option<Span>,
    pub(super) includes: Vec<Include>,
}

/// An include directive.
#[derive(Debug)]
pub(super) struct Include {
    pub(super) path: String,
    /// Where the path stands.
    pub(super) span: Span,
    pub(super) prefix: Option<String>,
}

/// Reads the text of the file with a given index.
pub(super) fn read(text: &str, file: u32) -> Result<Unit, Vec<Diagnostic>> {
    if u32::try_from(text.len()).is_err() {
        let message = "the text is longer than 4 GiB";
        return Err(vec![Diagnostic::error(Span { file, start: 0, end: 0 }, message)]);
    }
    let docs = match nesting::scan(text, file) {
        Ok(docs) => docs,
        Err(refusal) => {
            // A mistake before the one that was found likely is its cause. The text up to there
            // nests within bounds, so the parser may look at it.
            return Err(vec![match syntax::parse(&text[..refusal.at], file) {
                Err((at, earlier)) if at < before(text, refusal.at) => earlier,
                _ => refusal.diagnostic,
            }]);
        }
    };
    let pairs = syntax::parse(text, file).map_err(|(_, diagnostic)| vec![diagnostic])?;
    let mut reader = Reader { text, file, docs, ..Reader::default() };
    reader.encoding(pairs.clone());
    for token in pairs.tokens() {
        match token {
            Token::Start { rule, pos } => reader.starts(rule, pos.pos()),
            Token::End { rule, pos } => reader.ends(rule, pos.pos()),
        }
        if reader.found.len() >= MAX_FOUND {
            break;
        }
    }
    if reader.found.is_empty() { Ok(reader.unit) } else { Err(reader.found) }
}

/// The end of what stands before an offset, without white space.
fn before(text: &str, offset: usize) -> usize {
    text[..offset].trim_end().len()
}

/// A finished term: its expression, and its extent with the parentheses around it.
#[derive(Clone, Copy, Debug)]
struct Term {
    expr: ExprId,
    start: u32,
    end: u32,
}

/// What is said of an alternative.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    mark: Option<Mark>,
    binding: Option<Binding>,
}

/// The state of the fold.
#[derive(Debug, Default)]
struct Reader<'t> {
    text: &'t str,
    file: u32,
    unit: Unit,
    found: Vec<Diagnostic>,
    /// The doc comments of the whole text, and how many of them are behind.
    docs: Vec<(usize, usize)>,
    docs_done: usize,
    /// Where the last pair begins; a pair without inner ones begins there when it ends.
    start: usize,
    /// The doc comment of the current rule.
    doc: String,
    /// Whether names are references now.
    in_body: bool,
    /// The names that the current directive or rule has shown outside of a body.
    names: Vec<Name>,
    terms: Vec<Term>,
    alternatives: Vec<Alternative>,
    /// For each open choice, alternative, term and group: where it begins, how many terms or
    /// alternatives stand before it, and what is said of it.
    open: Vec<(u32, usize, Said)>,
    /// What the word of the current binding says.
    associativity: Option<Associativity>,
    /// The quantifier of the current term.
    quantifier: Option<(u32, Option<u32>, Option<u32>)>,
    /// Where it ends.
    quantified: u32,
    /// Where the current braces begin.
    brace: usize,
    /// The numbers in the current braces, and how many of them stand before the comma.
    numbers: Vec<u32>,
    comma: Option<usize>,
    path: Option<(String, Span)>,
    prefix: Option<String>,
    /// The word that says what the current part is.
    kind: (String, Span),
}

impl Reader<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.found.push(Diagnostic::error(span, message).help(help));
    }

    /// Looks for the directive that names the encoding.
    fn encoding(&mut self, pairs: Pairs<'_, Pair>) {
        for pair in pairs.filter(|pair| pair.as_rule() == Pair::encoding) {
            let Some(value) = pair.into_inner().find(|pair| pair.as_rule() == Pair::encoded) else {
                continue;
            };
            let span = self.span(value.as_span().start(), value.as_span().end());
            match value.as_str() {
                _ if self.unit.encoding.is_some() => {
                    self.error(
                        span,
                        "a second `%encoding`",
                        "a grammar has one encoding: keep one",
                    );
                }
                "unicode" => self.unit.grammar.encoding = Encoding::Unicode,
                "bytes" => self.unit.grammar.encoding = Encoding::Bytes,
                other => self.error(
                    span,
                    format!("unknown encoding `{other}`"),
                    "the encodings are `unicode` and `bytes`",
                ),
            }
            self.unit.encoding = Some(span);
        }
    }

    fn starts(&mut self, rule: Pair, at: usize) {
        self.start = at;
        match rule {
            Pair::definition => {
                self.doc = self.docs(at);
            }
            Pair::start
            | Pair::layout
            | Pair::lexical
            | Pair::include
            | Pair::part
            | Pair::encoding => {
                self.docs(at);
            }
            Pair::choice => {
                self.open.push((at as u32, self.alternatives.len(), Said::default()));
            }
            Pair::alternative | Pair::term | Pair::group => {
                self.open.push((at as u32, self.terms.len(), Said::default()))
            }
            Pair::braces => {
                self.brace = at;
                self.numbers.clear();
                self.comma = None;
            }
            _ => {}
        }
    }

    /// The text of the doc comments that are not behind yet and stand before an offset.
    fn docs(&mut self, end: usize) -> String {
        let mut doc = String::new();
        let first = self.docs_done;
        while let Some(&(from, to)) = self.docs.get(self.docs_done).filter(|&&(_, to)| to <= end) {
            if self.docs_done > first {
                doc.push('\n');
            }
            let line = &self.text[from..to];
            doc.extend(line.strip_prefix(' ').unwrap_or(line).chars().filter(|&c| c != '\r'));
            self.docs_done += 1;
        }
        doc
    }

    fn ends(&mut self, rule: Pair, at: usize) {
        let text = &self.text[self.start..at];
        let span = self.span(self.start, at);
        match rule {
            Pair::name if self.in_body => self.term(Expr::Reference(text.into()), span),
            Pair::name => self.names.push(Name { text: text.into(), span }),
            Pair::literal => self.literal(1, at, false),
            Pair::insensitive => self.literal(2, at, true),
            Pair::range => self.range(at),
            Pair::class => self.class(at),
            Pair::regex => self.term(Expr::Regex(unescape(&text[1..text.len() - 1])), span),
            Pair::mark => {
                let (min, max) = match text {
                    "?" => (0, Some(1)),
                    "*" => (0, None),
                    _ => (1, None),
                };
                self.quantifier = Some((min, max, None));
            }
            Pair::number => {
                let number = self.number(self.start, at);
                self.numbers.push(number);
            }
            Pair::comma => self.comma = Some(self.numbers.len()),
            Pair::unbrace => self.braces(at),
            Pair::odds => {
                let weight = self.number(self.start + 1, at);
                if let Some((_, _, odds)) = &mut self.quantifier {
                    *odds = Some(weight);
                }
            }
            Pair::weight => {
                let weight = self.number(self.start + 1, at);
                self.says(|said| said.mark = Some(Mark::Weight(weight)));
            }
            Pair::parse_only => self.says(|said| said.mark = Some(Mark::ParseOnly)),
            Pair::left => self.associativity = Some(Associativity::Left),
            Pair::right => self.associativity = Some(Associativity::Right),
            Pair::precedence => self.associativity = Some(Associativity::Unspecified),
            Pair::level => {
                let level = self.number(self.start, at);
                let binding =
                    self.associativity.map(|associativity| Binding { level, associativity });
                self.says(|said| said.binding = binding);
            }
            Pair::group => {
                // The choice inside has left its term without the parentheses.
                if let (Some(term), Some((start, ..))) = (self.terms.last_mut(), self.open.pop()) {
                    (term.start, term.end) = (start, at as u32);
                }
            }
            Pair::term => self.quantify(),
            Pair::alternative => self.alternative(),
            Pair::choice => self.choice(),
            Pair::equals => self.in_body = true,
            Pair::semicolon => self.in_body = false,
            Pair::path => {
                let inner = &self.text[self.start + 1..at - 1];
                let offset = self.start + 1;
                let encoding = Encoding::Unicode;
                let bytes = literal::decode(inner, self.file, offset, encoding, &mut self.found);
                self.path = Some((String::from_utf8_lossy(&bytes).into_owned(), span));
            }
            Pair::prefix => self.prefix = Some(text.into()),
            Pair::kind => self.kind = (text.into(), span),
            Pair::part => self.part(),
            Pair::start | Pair::layout | Pair::lexical | Pair::include => self.directive(rule),
            Pair::definition => self.definition(),
            _ => {}
        }
        if matches!(rule, Pair::mark | Pair::unbrace | Pair::odds) {
            self.quantified = at as u32;
        }
        if rule == Pair::semicolon {
            // What stands inside a rule documents nothing.
            self.docs(at);
        }
    }

    /// Notes what is said of the alternative that is open.
    fn says(&mut self, note: impl FnOnce(&mut Said)) {
        if let Some((_, _, said)) = self.open.last_mut() {
            note(said);
        }
    }

    fn term(&mut self, expr: Expr, span: Span) {
        let expr = self.unit.grammar.push(expr, span);
        self.terms.push(Term { expr, start: span.start, end: span.end });
    }

    /// A literal whose opening ends `opening` bytes after its start.
    fn literal(&mut self, opening: usize, end: usize, ignore_case: bool) {
        let offset = self.start + opening;
        let inner = &self.text[offset..end - 1];
        let encoding = self.unit.grammar.encoding;
        let bytes = literal::decode(inner, self.file, offset, encoding, &mut self.found);
        self.term(Expr::Literal { bytes, ignore_case }, self.span(self.start, end));
    }

    /// Makes one class of the last two literals.
    fn range(&mut self, end: usize) {
        let grammar = &mut self.unit.grammar;
        let mut ends = [Ok(0); 2];
        for slot in ends.iter_mut().rev() {
            // The two were pushed last, so no other expression is lost.
            let (Some(Expr::Literal { bytes, .. }), Some(span), Some(term)) =
                (grammar.exprs.pop(), grammar.spans.pop(), self.terms.pop())
            else {
                return;
            };
            self.start = term.start as usize;
            *slot = single(&bytes, grammar.encoding).ok_or(span);
        }
        let span = self.span(self.start, end);
        let ranges = match ends {
            [Ok(low), Ok(high)] if low <= high => vec![(low, high)],
            [Ok(_), Ok(_)] => {
                self.error(span, "the range is empty", "write the lower end first");
                Vec::new()
            }
            _ => {
                // An end with a mistake inside has been reported as such.
                for span in ends.iter().filter_map(|end| end.err()) {
                    if !self.found.iter().any(|found| within(found.span, span)) {
                        let message = "an end of a range that is not one symbol";
                        self.error(span, message, "write one symbol on each side of `..`");
                    }
                }
                Vec::new()
            }
        };
        let ranges = without_surrogates(ranges, self.unit.grammar.encoding);
        self.term(Expr::Class(ranges), span);
    }

    fn class(&mut self, end: usize) {
        let span = self.span(self.start, end);
        let encoding = self.unit.grammar.encoding;
        let ranges = match class_ranges(&self.text[self.start..end], encoding.alphabet()) {
            Ok(ranges) => ranges,
            Err(error) => {
                let inside = error.span().map_or(span, |(from, to)| {
                    self.span(self.start + from, (self.start + to).min(end))
                });
                let help = if encoding == Encoding::Bytes && error.is_unsupported() {
                    let regex = self.text[self.start..end].replace('/', "\\/");
                    format!("with `(?u)` it is a regex: `/(?u){regex}/`")
                } else {
                    "a class is written as in the `regex` crate".into()
                };
                self.error(inside, format!("bad class: {error}"), &help);
                Vec::new()
            }
        };
        self.term(Expr::Class(without_surrogates(ranges, encoding)), span);
    }

    fn number(&mut self, start: usize, end: usize) -> u32 {
        let digits = &self.text[start..end];
        digits.parse().unwrap_or_else(|_| {
            let span = self.span(start, end);
            self.error(span, "the number is too big", "the greatest number is 4294967295");
            u32::MAX
        })
    }

    fn braces(&mut self, end: usize) {
        let (low, high) = match (self.comma, self.numbers[..].as_ref()) {
            (None, &[count]) => (count, Some(count)),
            (Some(1), &[low]) => (low, None),
            (Some(0), &[high]) => (0, Some(high)),
            (Some(1), &[low, high]) => (low, Some(high)),
            _ => {
                let span = self.span(self.brace, end);
                self.error(span, "a count without a number", "write `*` for any number");
                (0, None)
            }
        };
        if high.is_some_and(|high| high < low) {
            let span = self.span(self.brace, end);
            let help = format!("write the lower count first: `{{{},{low}}}`", high.unwrap_or(0));
            self.error(span, "a lower count above the upper one", &help);
        }
        self.quantifier = Some((low, high, None));
    }

    /// Joins the operands of a term by `except`, and applies its quantifier.
    fn quantify(&mut self) {
        let Some((_, mark, _)) = self.open.pop() else { return };
        let mut operands = self.terms.drain(mark..);
        let Some(mut whole) = operands.next() else { return };
        let file = self.file;
        for minus in operands {
            let except = Expr::Except { base: whole.expr, minus: minus.expr };
            let span = Span { file, start: whole.start, end: minus.end };
            whole = Term { expr: self.unit.grammar.push(except, span), end: minus.end, ..whole };
        }
        if let Some((min, max, weight)) = self.quantifier.take() {
            whole.end = self.quantified;
            let span = Span { file, start: whole.start, end: whole.end };
            let repeat = Expr::Repeat { expr: whole.expr, min, max, weight };
            whole.expr = self.unit.grammar.push(repeat, span);
        }
        self.terms.push(whole);
    }

    fn alternative(&mut self) {
        let Some((start, first, Said { mark, binding })) = self.open.pop() else { return };
        // One term for each alternative stays, so that the choice finds its extent.
        if self.terms.len() != first + 1 {
            let (from, to) = match self.terms[first..] {
                [first, .., last] => (first.start, last.end),
                _ => (start, start),
            };
            let items = self.terms.drain(first..).map(|term| term.expr).collect();
            self.term(Expr::Sequence(items), Span { file: self.file, start: from, end: to });
        }
        let Some(term) = self.terms.last() else { return };
        self.alternatives.push(Alternative { mark, binding, expr: term.expr });
    }

    fn choice(&mut self) {
        let Some((start, mark, _)) = self.open.pop() else { return };
        let count = self.alternatives.len() - mark;
        let first = self.terms.len().saturating_sub(count);
        let end = self.terms.last().map_or(start, |term| term.end);
        let expr = match self.alternatives[mark..] {
            [Alternative { mark: None, binding: None, expr }] => {
                self.alternatives.truncate(mark);
                expr
            }
            _ => {
                let alternatives = self.alternatives.drain(mark..).collect();
                let span = Span { file: self.file, start, end };
                self.unit.grammar.push(Expr::Choice(alternatives), span)
            }
        };
        self.terms.truncate(first);
        self.terms.push(Term { expr, start, end });
    }

    fn definition(&mut self) {
        let (Some(name), Some(body)) = (self.names.pop(), self.terms.pop()) else { return };
        let docs = std::mem::take(&mut self.doc);
        self.unit.grammar.rules.push(Rule { name, docs, body: body.expr });
    }

    fn part(&mut self) {
        let (word, span) = std::mem::take(&mut self.kind);
        let name = self.path.take();
        let Some(rule) = self.names.pop() else { return };
        let named = name.as_ref().map(|(name, _)| name.as_str());
        let fault = match PartKind::new(&word, named) {
            Ok(kind) => return self.unit.grammar.parts.push(PartRule { kind, rule }),
            Err(fault) => fault,
        };
        let help = "a part is written `%part args name;`, `%part arg name;`, `%part stdin name;`, \
                    `%part file \"path\" name;` or `%part env \"NAME\" name;`";
        let (message, fix) = fault.said();
        let name = name.map_or(span, |(_, span)| span);
        match fault {
            Fault::Unknown(_) => self.error(span, format!("unknown part `{word}`"), help),
            Fault::Unnamed(_) => self.error(span, message, help),
            Fault::Named(_) => self.error(name, message, help),
            _ => self.error(name, message, fix),
        }
    }

    fn directive(&mut self, rule: Pair) {
        let grammar = &mut self.unit.grammar;
        let (slot, word) = match rule {
            Pair::include => {
                let Some((path, span)) = self.path.take() else { return };
                let prefix = self.prefix.take();
                self.unit.includes.push(Include { path, span, prefix });
                return;
            }
            Pair::lexical => {
                grammar.lexical.append(&mut self.names);
                return;
            }
            Pair::start => (&mut grammar.start, "start"),
            _ => (&mut grammar.layout, "layout"),
        };
        let Some(name) = self.names.pop() else { return };
        if slot.is_none() {
            *slot = Some(name);
        } else {
            let help = format!("a grammar has one `%{word}`: keep one");
            self.error(name.span, format!("a second `%{word}`"), &help);
        }
    }
}

/// Whether a span lies within another one.
fn within(inner: Span, outer: Span) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// The one symbol that a literal holds.
fn single(bytes: &[u8], encoding: Encoding) -> Option<u32> {
    match (encoding, bytes) {
        (Encoding::Bytes, &[byte]) => Some(byte.into()),
        (Encoding::Bytes, _) => None,
        (Encoding::Unicode, _) => {
            let mut symbols = std::str::from_utf8(bytes).ok()?.chars();
            symbols.next().filter(|_| symbols.next().is_none()).map(u32::from)
        }
    }
}

/// The ranges without what is no Unicode scalar value.
pub fn without_surrogates(ranges: Vec<(u32, u32)>, encoding: Encoding) -> Vec<(u32, u32)> {
    if encoding == Encoding::Bytes {
        return ranges;
    }
    let parts = |(low, high): (u32, u32)| [(low, high.min(0xD7FF)), (low.max(0xE000), high)];
    ranges.into_iter().flat_map(parts).filter(|(low, high)| low <= high).collect()
}

/// A regex as the `regex` crate reads it: `\/` is only the notation's way to write `/`.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut symbols = text.chars();
    while let Some(symbol) = symbols.next() {
        match (symbol, symbol == '\\') {
            (_, true) => match symbols.next() {
                Some('/') => out.push('/'),
                next => {
                    out.push('\\');
                    out.extend(next);
                }
            },
            _ => out.push(symbol),
        }
    }
    out
}
