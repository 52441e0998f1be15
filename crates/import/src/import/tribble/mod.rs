//! Text grammars of tribble, the tool of Havrikov and Zeller, "Systematically Covering Input Structure",
//! ASE 2019 (version 1.0; its parser of the text format is the reference).
//!
//! `Name = alternation ;`, with strings, regexes (see [`regex`]), names, groups, `|`, one of the
//! quantifiers `?`, `*`, `+`, `{n}`, `{n,}`, `{,n}` and `{n,m}` after a term, probabilities `@@ 0.5`
//! after an alternative, and Java's comments, of which those in `/* */` nest. A name may be quoted with a leading `'`: `'A` and `A` are
//! one name, unless both are defined. The start is the one rule that no rule refers to; where there is
//! none, the one that only itself does.
//!
//! As in tribble, equal alternatives of one alternation are one, the first of them: before occurrences
//! are numbered, so that k-paths are counted the same. Equal is what is built alike, whatever its
//! layout, needless parentheses and probabilities.
//!
//! Probabilities become weights: alternatives without one share what the others leave. One that stands
//! after no alternative of several has no effect, in tribble neither, and a warning says so.

mod comments;
mod regex;
mod same;

use std::collections::{HashMap, HashSet};

use pest::Parser as _;
use pest::iterators::Pair;

use self::same::Same;
use super::builder::Builder;
use super::odds::{self, Given};
use super::terms::Terms;
use pleach_core::grammar::{Diagnostic, Expr, ExprId, Resolver, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/tribble/tribble.pest"]
struct Tokens;

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    let text = comments::blank(&builder.grammar.files[file as usize].text);
    // Every text has tokens.
    let Ok(tokens) = Tokens::parse(Rule::tokens, &text) else { return };
    let heads = tokens.clone().filter(|token| token.as_rule() == Rule::head);
    let heads =
        heads.filter_map(|head| head.into_inner().next().map(|name| name.as_str())).collect();
    let mut reader = Reader {
        builder,
        file,
        heads,
        terms: Terms::default(),
        rule: None,
        quantified: None,
        levels: Vec::new(),
        odds: HashMap::new(),
        same: Same::default(),
        spans: HashMap::new(),
        used: HashSet::new(),
        used_elsewhere: HashSet::new(),
        last: 0,
    };
    for token in tokens {
        reader.token(token);
    }
    reader.finish();
}

struct Reader<'d, 't> {
    builder: &'d mut Builder,
    file: u32,
    /// The names that rules begin with, as written.
    heads: HashSet<&'t str>,
    terms: Terms,
    /// The name of the rule that is being read.
    rule: Option<(&'t str, Span)>,
    /// The term that has a quantifier, if it is the last one.
    quantified: Option<ExprId>,
    /// The open groups, the right side of the rule itself first.
    levels: Vec<Level>,
    /// Probabilities of what is in no choice yet.
    odds: HashMap<ExprId, (f64, Span)>,
    same: Same,
    /// Where the rules are.
    spans: HashMap<&'t str, Span>,
    /// The rules that a rule refers to, and those that another than itself does.
    used: HashSet<&'t str>,
    used_elsewhere: HashSet<&'t str>,
    /// Where the last token ended.
    last: u32,
}

/// The probabilities of a group's alternatives.
#[derive(Debug, Default)]
struct Level {
    /// Those of the alternatives that have ended.
    given: Vec<Given>,
    /// That of the current one.
    pending: Given,
}

impl<'t> Reader<'_, 't> {
    fn span(&self, token: &Pair<'_, Rule>) -> Span {
        let span = token.as_span();
        Span { file: self.file, start: span.start() as u32, end: span.end() as u32 }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.builder.error(Diagnostic::error(span, message).help(help));
    }

    /// A name without the quote that may stand before it.
    fn name(&self, written: &'t str) -> &'t str {
        match written.strip_prefix('\'') {
            Some("") => written,
            Some(bare) if self.heads.contains(bare) && self.heads.contains(written) => written,
            Some(bare) => bare,
            None => written,
        }
    }

    fn token(&mut self, token: Pair<'t, Rule>) {
        let span = self.span(&token);
        let rule = token.as_rule();
        if rule == Rule::head {
            self.missing_end();
            if let Some(name) = token.into_inner().next() {
                self.rule = Some((self.name(name.as_str()), self.span(&name)));
                self.terms.open(Span { start: span.end, ..span }, 0);
                self.levels.push(Level::default());
            }
        } else if rule == Rule::unclosed {
            let sign = if token.as_str().starts_with("/*") { 2 } else { 1 };
            let (what, help) = match &token.as_str()[..sign] {
                "/*" => ("this comment is not closed", "write `*/` after it"),
                "/" => ("this regex is not closed", "write `/` after it, and `\\/` inside"),
                _ => ("this string is not closed", "write `\"` after it, and `\\\"` inside"),
            };
            self.error(Span { end: span.start + sign as u32, ..span }, what, help);
            if self.terms.is_blank() && self.rule.is_some() {
                // What would have begun here is no empty alternative.
                let nothing = self.builder.sequence(&[], span);
                self.terms.push(nothing);
            }
            self.end(span, span.start);
        } else if rule == Rule::EOI {
            self.missing_end();
        } else if self.rule.is_none() {
            self.error(span, "no rule has begun here", "a rule is written: Name = ... ;");
        } else {
            self.in_rule(token, span);
        }
        self.last = span.end;
    }

    fn in_rule(&mut self, token: Pair<'t, Rule>, span: Span) {
        let text = token.as_str();
        match token.as_rule() {
            Rule::name => {
                let name = self.name(text);
                self.used.insert(name);
                if self.rule.is_some_and(|(rule, _)| rule != name) {
                    self.used_elsewhere.insert(name);
                }
                let term = self.builder.reference(name, span);
                self.push(term, span);
            }
            Rule::string => self.string(text, span),
            Rule::regex => {
                let inner = &text[1..text.len() - 1];
                // What is a mistake derives nothing, so that no more is said of it.
                let term = regex::read(self.builder, inner, span);
                let term = term.unwrap_or_else(|| self.builder.sequence(&[], span));
                self.same.regex(term, text);
                self.push(term, span);
            }
            Rule::odds => self.probability(token, span),
            Rule::count => self.count(token, span),
            Rule::mark => self.mark(text, span),
            _ => {
                let message = format!("`{text}` begins nothing here");
                self.error(
                    span,
                    message,
                    "texts are quoted, and comments, regexes and counts closed",
                );
            }
        }
    }

    fn push(&mut self, term: ExprId, span: Span) {
        if self.levels.last().is_some_and(|level| level.pending.is_some()) {
            let help = "a probability ends its alternative: write `|` before the next";
            self.error(span, "this follows a probability", help);
        }
        self.quantified = None;
        self.terms.push(term);
    }

    fn string(&mut self, text: &str, span: Span) {
        let mut bytes = Vec::with_capacity(text.len());
        let mut symbols = text[1..text.len() - 1].char_indices();
        while let Some((at, symbol)) = symbols.next() {
            let symbol = match symbol {
                '\\' => match symbols.next().map(|(_, symbol)| symbol) {
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some('t') => '\t',
                    Some(symbol @ ('"' | '\\')) => symbol,
                    other => {
                        let start = span.start + 1 + at as u32;
                        let length = 1 + other.map_or(0, char::len_utf8) as u32;
                        let at = Span { start, end: start + length, ..span };
                        let help = "strings have the escapes \\n, \\r, \\t, \\\" and \\\\";
                        self.error(at, "no such escape", help);
                        continue;
                    }
                },
                symbol => symbol,
            };
            bytes.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes());
        }
        let term = self.builder.literal(&bytes, false, span);
        self.push(term, span);
    }

    fn mark(&mut self, text: &str, span: Span) {
        match text {
            "(" => {
                // What cannot follow a probability is told when the group is closed.
                self.terms.open(span, 0);
                self.levels.push(Level::default());
            }
            "|" => {
                self.end_alternative(span);
                self.terms.bar(self.builder, span.start);
            }
            ")" if self.terms.depth() > 1 => {
                if let Some(group) = self.close(span, span.end) {
                    let whole = self.builder.grammar.span(group);
                    self.push(group, whole);
                }
            }
            ")" => self.error(span, "no group is open here", "leave out the `)`"),
            ";" => self.end(span, span.start),
            "?" => self.repeat(0, Some(1), span),
            "*" => self.repeat(0, None, span),
            _ => self.repeat(1, None, span),
        }
    }

    fn count(&mut self, token: Pair<'t, Rule>, span: Span) {
        let (mut least, mut most, mut comma) = (None, None, false);
        for part in token.into_inner() {
            // A number that is not in the table's range is no count of anything.
            let number = part.as_str().parse::<u32>();
            match (part.as_rule(), number) {
                (Rule::comma, _) => comma = true,
                (Rule::least, Ok(number)) => least = Some(number),
                (Rule::most, Ok(number)) => most = Some(number),
                _ => return self.error(span, "this count is too large", "counts are 32 bits wide"),
            }
        }
        let (min, max) = match (least, most) {
            (None, None) => {
                return self.error(span, "no count", "counts are {n}, {n,}, {,n} and {n,m}");
            }
            (Some(least), None) if !comma => (least, Some(least)),
            (least, most) => (least.unwrap_or(0), most),
        };
        if max.is_some_and(|max| max < min) {
            return self.error(span, "this count ends before it begins", "turn it round");
        }
        self.repeat(min, max, span);
    }

    fn repeat(&mut self, min: u32, max: Option<u32>, span: Span) {
        if self.levels.last().is_some_and(|level| level.pending.is_some()) {
            let help = "a quantifier stands before the probability";
            return self.error(span, "this follows a probability", help);
        }
        let Some(term) = self.terms.pop() else {
            let help = "a quantifier follows what it repeats";
            return self.error(span, "this follows nothing", help);
        };
        if self.quantified == Some(term) {
            self.terms.push(term);
            let help = "put parentheses around the term and its first quantifier";
            return self.error(span, "this follows another quantifier", help);
        }
        let whole = Span { end: span.end, ..self.builder.grammar.span(term) };
        // Alternatives are equal that are built alike.
        let repeat = self.builder.repeat_as_written(term, min, max, whole);
        self.terms.push(repeat);
        self.quantified = Some(repeat);
    }

    fn probability(&mut self, token: Pair<'t, Rule>, span: Span) {
        let number = token.into_inner().next();
        let value = number.and_then(|number| odds::java_double(number.as_str()));
        let Some(value) = value else {
            return self.error(span, "no probability", "a probability is written: @@ 0.25");
        };
        if self.terms.is_blank() {
            return self.error(
                span,
                "this follows nothing",
                "a probability follows its alternative",
            );
        }
        let Some(level) = self.levels.last_mut() else { return };
        if level.pending.is_some() {
            return self.error(span, "this alternative has a probability", "leave one out");
        }
        level.pending = Some((value, span));
    }

    /// Notes the probability of the alternative that ends, which is not to be empty.
    fn end_alternative(&mut self, span: Span) {
        if self.terms.is_blank() {
            self.error(span, "there is an empty alternative before this", "write \"\" for nothing");
        }
        if let Some(level) = self.levels.last_mut() {
            let pending = level.pending.take();
            level.given.push(pending);
        }
    }

    /// Ends the innermost group, or the whole.
    fn close(&mut self, span: Span, end: u32) -> Option<ExprId> {
        self.end_alternative(span);
        let level = self.levels.pop().unwrap_or_default();
        let (odds, same) = (&mut self.odds, &mut self.same);
        let closed = self.terms.close_with(self.builder, end, |builder, all, span| {
            let mut seen = HashSet::new();
            let (mut kept, mut given) = (Vec::new(), Vec::new());
            for (&expr, own) in all.iter().zip(level.given) {
                let inner = odds.remove(&expr);
                if seen.insert(same.shape(&builder.grammar, expr)) {
                    kept.push(expr);
                    given.push(own.or(inner));
                } else if let Some((_, at)) = own.or(inner) {
                    let what = "this probability is of an alternative that stands there before";
                    builder.lose(at, what, "it has no effect");
                }
            }
            match (kept.as_slice(), given.as_slice()) {
                (&[only], &[given]) => {
                    odds.extend(given.map(|given| (only, given)));
                    only
                }
                _ => {
                    let alternatives = odds::weighted(builder, &kept, &given, span);
                    builder.grammar.push(Expr::Choice(alternatives), span)
                }
            }
        });
        closed.map(|(expr, _)| expr)
    }

    /// Ends the rule that is being read, if its semicolon is missing.
    fn missing_end(&mut self) {
        if self.rule.is_some() {
            let span = Span { file: self.file, start: self.last, end: self.last };
            self.error(span, "this rule is not ended", "write `;` after it");
            self.end(span, self.last);
        }
    }

    /// Ends the rule that is being read.
    fn end(&mut self, span: Span, at: u32) {
        let Some((name, name_span)) = self.rule.take() else { return };
        while self.terms.depth() > 1 {
            let open = self.terms.opened().unwrap_or(span);
            self.error(open, "this group is not closed", "write `)` after it");
            if let Some(group) = self.close(span, at) {
                self.terms.push(group);
            }
        }
        let Some(body) = self.close(span, at) else { return };
        if self.spans.contains_key(name) {
            let help = "write all its alternatives into one rule";
            return self.error(name_span, format!("`{name}` is defined before"), help);
        }
        self.spans.insert(name, name_span);
        self.builder.rule(name, name_span, body);
    }

    /// Finds the start rule, and reports probabilities that have no effect.
    fn finish(mut self) {
        let mut idle: Vec<Span> = self.odds.values().map(|&(_, span)| span).collect();
        idle.sort_unstable_by_key(|span| span.start);
        for span in idle {
            let what = "this probability is of no alternative beside others";
            self.builder.lose(span, what, "it has no effect");
        }
        let rules = &self.builder.grammar.rules;
        let unused = |used: &HashSet<&str>| -> Vec<usize> {
            let rules = rules.iter().enumerate();
            let free = rules.filter(|(_, rule)| !used.contains(rule.name.text.as_str()));
            free.map(|(at, _)| at).collect()
        };
        let mut starts = unused(&self.used);
        if starts.is_empty() {
            starts = unused(&self.used_elsewhere);
        }
        match starts.as_slice() {
            &[0] => {}
            &[start] => {
                let start = rules[start].name.text.clone();
                self.builder.begin(&start);
            }
            _ if rules.is_empty() => {
                let span = Span { file: self.file, start: self.last, end: self.last };
                if !self.builder.has_errors() {
                    self.error(span, "no rules", "a rule is written: Name = ... ;");
                }
            }
            [] => {
                let message = "every rule is referred to by another, so none is the start";
                let error = Diagnostic::error(rules[0].name.span, message);
                self.builder.startless(error.help("name the start rule (--start RULE)"));
            }
            &[first, second, ..] => {
                let [one, other] = [&rules[first].name, &rules[second].name];
                let message = format!(
                    "no rule refers to `{}`, and none to `{}`: either may be the start",
                    one.text, other.text
                );
                let error = Diagnostic::error(other.span, message);
                self.builder
                    .startless(error.help("leave one out, or name the start (--start RULE)"));
            }
        }
    }
}
