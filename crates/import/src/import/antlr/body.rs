//! The bodies of rules, of the lexer and of the parser.

use std::collections::HashMap;

use super::read::{CODE, Reader, Rule, Token};
use super::set::{self, Fault};
use super::source::{Command, LexerAlternative};
use super::text;
use crate::import::ranges::{LAST, Ranges, complement};
use pleach_core::grammar::{Expr, ExprId, Span};

/// The name that ends a text.
const END: &str = "EOF";

/// Kinds of groups: a plain one, and one that says what something is not.
const PLAIN: u8 = 0;
const NEGATED: u8 = 1;

impl Reader<'_> {
    /// Reads a body and the `;` after it.
    pub(super) fn body(&mut self, name: &str) -> ExprId {
        self.lazy.clear();
        self.lexer_ends.clear();
        self.commands = vec![Vec::new()];
        self.calls = vec![0];
        let first = self.peek();
        self.terms.open(Span { end: first.start, ..self.span(first) }, PLAIN);
        let mut negated = false;
        let mut last = first.start;
        loop {
            let token = self.peek();
            let next = self.ahead(1);
            if token.kind == Rule::name && next.kind != Rule::EOI && self.word(next) == ":" {
                let message = format!("`;` is missing before `{}`", self.word(token));
                let help = format!("write it after the last alternative of `{name}`");
                self.error(self.span(token), message, help);
                break;
            }
            if self.is_end() || self.skip(";") {
                if self.is_end() && token.kind == Rule::EOI {
                    let help = "a rule is written: name : alternatives ;";
                    self.error(self.span(token), format!("`;` is missing after `{name}`"), help);
                }
                break;
            }
            self.at_token(token, &mut negated);
            last = self.since(token).end;
        }
        while self.terms.depth() > 1 {
            let open = self.terms.opened().unwrap_or_default();
            self.error(open, "this group is not closed", "write `)` after it");
            self.terms.close(self.builder, last);
        }
        let body = self.terms.close(self.builder, last);
        // Each body is opened above.
        let (body, _) = body.unwrap_or((ExprId(0), PLAIN));
        body
    }

    /// One token of a body, with what belongs to it.
    fn at_token(&mut self, token: Token, negated: &mut bool) {
        self.take();
        let (word, span) = (self.word(token), self.span(token));
        match token.kind {
            Rule::name if self.is("=") || self.is("+=") => {
                self.take();
            }
            Rule::name => self.reference(word, span, negated),
            Rule::string => self.string(token, negated),
            Rule::set if self.in_lexer => {
                if let Some(ranges) = self.set(word, span) {
                    let class = self.builder.class(ranges, span);
                    self.term(class, span, negated);
                }
            }
            Rule::set | Rule::unclosed if !self.in_lexer && word.starts_with('[') => {
                self.untake();
                if let Some(span) = self.arguments() {
                    self.builder.lose(span, "arguments are left out", CODE);
                }
            }
            Rule::arrow => self.commands(span),
            Rule::unclosed => self.unclosed(word, span),
            Rule::double => {
                let help = "write it in single quotes: 'x'";
                self.error(span, "texts do not stand in double quotes", help);
            }
            _ => self.mark(word, token, negated),
        }
    }

    /// `options {...} @init {...} :` at the beginning of a group, or the colon alone.
    fn group_head(&mut self) {
        loop {
            let (token, next) = (self.peek(), self.ahead(1));
            if self.is("options") && next.kind != Rule::EOI && self.word(next) == "{" {
                self.take();
                self.options(false);
            } else if self.is("@") {
                self.code(token);
            } else {
                break;
            }
        }
        self.skip(":");
    }

    /// What begins here, and does not end.
    fn unclosed(&mut self, word: &str, span: Span) {
        let (what, help) = match word.as_bytes().first() {
            Some(b'/') => ("comment is not closed", "write `*/` after it"),
            Some(b'[') => (
                "set is not closed on its line",
                "write `]` after it; `\\]` is one of its characters",
            ),
            _ => (
                "text is not closed on its line",
                "write `'` after it, or where a text before it was to end; `\\'` is a quote in a text",
            ),
        };
        self.error(span, format!("this {what}"), help);
    }

    fn mark(&mut self, word: &str, token: Token, negated: &mut bool) {
        let span = self.span(token);
        match word {
            "." => {
                let any = self.any(span);
                self.term(any, span, negated);
            }
            "~" => *negated = true,
            "(" => {
                self.group_head();
                let tag = if std::mem::take(negated) { NEGATED } else { PLAIN };
                self.terms.open(span, tag);
            }
            "|" => {
                if self.terms.depth() == 1 {
                    self.commands.push(Vec::new());
                    self.calls.push(0);
                }
                self.terms.bar(self.builder, span.start);
            }
            ")" if self.terms.depth() > 1 => {
                if let Some((group, tag)) = self.terms.close(self.builder, span.end) {
                    let whole = Span { end: span.end, ..self.builder.grammar.span(group) };
                    self.term(group, whole, &mut (tag == NEGATED));
                }
            }
            ")" => self.error(span, "no group is open here", "leave out the `)`"),
            "?" | "*" | "+" => self.quantifier(word, span),
            "{" => {
                let before = token;
                self.untake();
                self.balanced();
                if self.skip("?") {
                    let span = self.since(before);
                    let help = "what it forbids is produced, and read";
                    self.builder.lose(span, "this predicate is left out", help);
                } else {
                    let span = self.since(before);
                    self.builder.lose(span, "this code is left out", CODE);
                }
            }
            "#" => {
                self.take();
            }
            "<" => {
                if self.is("assoc")
                    && self.word(self.ahead(1)) == "="
                    && self.word(self.ahead(2)) == "right"
                {
                    self.source.rights.push(span);
                }
                while !self.is_end() && !self.is(";") && !self.skip(">") {
                    self.take();
                }
            }
            other => {
                let other: String = other.chars().take(20).collect();
                let message = format!("`{other}` begins nothing here");
                self.error(span, message, "texts stand in single quotes, and sets in brackets");
            }
        }
    }

    fn reference(&mut self, name: &str, span: Span, negated: &mut bool) {
        let lower = name.chars().next().is_some_and(char::is_lowercase);
        if name == END {
            // The end of a text is no text.
            let end = self.builder.sequence(&[], span);
            if self.in_lexer {
                self.lexer_ends.push(end);
            } else {
                self.source.ends.insert(end);
            }
            *negated = false;
            return self.terms.push(end);
        }
        if self.in_lexer && lower {
            let message = format!("the lexer has no rule `{name}`");
            return self.error(span, message, "a lexer rule's name begins with a capital letter");
        }
        let reference = self.builder.reference(name, span);
        self.term(reference, span, negated);
    }

    fn string(&mut self, token: Token, negated: &mut bool) {
        let Some(chars) = self.literal(token) else { return };
        if self.peek().kind == Rule::dots {
            self.take();
            let last = self.peek();
            let high = if last.kind == Rule::string { self.literal(last) } else { None };
            self.take_if(last.kind == Rule::string);
            let span = self.since(token);
            return match (&*chars, high.as_deref()) {
                _ if !self.in_lexer => {
                    self.error(span, "the parser has no ranges", "name a token that is one");
                }
                (&[low], Some(&[high])) if low <= high => {
                    let mut ranges = vec![(low, high)];
                    if self.ignore_case {
                        set::fold(&mut ranges);
                    }
                    let class = self.builder.class(ranges, span);
                    self.term(class, span, negated);
                }
                _ => {
                    let help = "a range is written: 'a'..'z'";
                    self.error(span, "this is no range of two characters", help);
                }
            };
        }
        let span = self.span(token);
        let literal = self.text(&chars, span);
        if !self.in_lexer {
            self.source.literals.push((literal, chars));
        }
        self.term(literal, span, negated);
    }

    /// The characters of a literal.
    fn literal(&mut self, token: Token) -> Option<Vec<u32>> {
        let (word, span) = (self.word(token), self.span(token));
        match set::literal(&word[1..word.len() - 1]) {
            Ok(chars) if chars.is_empty() => {
                self.error(span, "this text is empty", "leave it out, or use `?`");
                None
            }
            Ok(chars) => Some(chars),
            Err(fault) => self.fault(span, fault),
        }
    }

    fn fault<T>(&mut self, span: Span, Fault(message, help): Fault) -> Option<T> {
        self.error(span, message, help);
        None
    }

    /// The ranges of a set in brackets.
    fn set(&mut self, word: &str, span: Span) -> Option<Ranges> {
        match set::set(&word[1..word.len() - 1]) {
            Ok(ranges) if ranges.is_empty() => {
                self.error(span, "this set is empty", "leave it out, or name its characters");
                None
            }
            Ok(mut ranges) => {
                if self.ignore_case {
                    set::fold(&mut ranges);
                }
                Some(ranges)
            }
            Err(fault) => self.fault(span, fault),
        }
    }

    /// A text as an expression.
    fn text(&mut self, chars: &[u32], span: Span) -> ExprId {
        text::literal(self.builder, chars, self.ignore_case, span)
    }

    /// Any character, or any token.
    fn any(&mut self, span: Span) -> ExprId {
        if self.in_lexer {
            return self.builder.class([(0, LAST)], span);
        }
        let any = self.builder.sequence(&[], span);
        self.source.negations.push((any, None));
        any
    }

    /// Adds a term, or all that it is not.
    fn term(&mut self, term: ExprId, span: Span, negated: &mut bool) {
        let term = match std::mem::take(negated) {
            false => term,
            true if self.in_lexer => match text::symbols(self.builder, &HashMap::new(), term) {
                Some(ranges) => self.builder.class(complement(ranges, LAST), span),
                None => {
                    let help = "it holds single characters, ranges and sets";
                    return self.error(span, "this cannot be negated", help);
                }
            },
            true => {
                let other = self.builder.sequence(&[], span);
                self.source.negations.push((other, Some(term)));
                other
            }
        };
        self.terms.push(term);
    }

    fn quantifier(&mut self, word: &str, span: Span) {
        let Some(term) = self.terms.pop() else {
            let help = "a quantifier follows what it repeats";
            return self.error(span, format!("`{word}` follows nothing"), help);
        };
        let whole = Span { end: span.end, ..self.builder.grammar.span(term) };
        let (min, max) = match word {
            "?" => (0, Some(1)),
            "*" => (0, None),
            _ => (1, None),
        };
        let repeat = self.builder.repeat(term, min, max, whole);
        // `?` right after a quantifier.
        if self.skip("?") {
            if self.in_lexer {
                self.lazy.insert(repeat);
            } else {
                let help =
                    "more is produced and read than a parser takes that stops as soon as it can";
                self.builder.lose(whole, "this loop is read as any other", help);
            }
        }
        self.terms.push(repeat);
    }

    /// What is done with the token: `-> skip, pushMode(X)`.
    fn commands(&mut self, arrow: Span) {
        if !self.in_lexer {
            self.error(arrow, "the parser has no commands", "write them in lexer rules");
        }
        loop {
            let token = self.take();
            let (word, span) = (self.word(token), self.span(token));
            let mut argument = None;
            if token.kind == Rule::name && self.skip("(") {
                let inner = self.take();
                argument = Some(self.word(inner).to_owned());
                if let Some(calls) = self.calls.last_mut() {
                    *calls += 1;
                }
                if !self.skip(")") {
                    self.error(span, "`)` is missing after this command", "write name(argument)");
                }
            }
            // ANTLR takes the first letter in either case: it finds what to generate by the capitalized name.
            let mut letters = word.chars();
            let first = letters.next().into_iter().flat_map(char::to_lowercase);
            let name: String = first.chain(letters).collect();
            let command = match (&*name, argument) {
                ("skip", None) => Some(Command::Hide),
                ("more", None) => Some(Command::More),
                ("popMode", None) => Some(Command::Pop),
                ("type", Some(name)) => Some(Command::Type(name)),
                ("mode", Some(name)) => Some(Command::Mode(name)),
                ("pushMode", Some(name)) => Some(Command::Push(name)),
                ("channel", Some(name)) => {
                    let seen = matches!(&*name, "DEFAULT_TOKEN_CHANNEL" | "DEFAULT_CHANNEL" | "0");
                    (!seen).then_some(Command::Hide)
                }
                _ => {
                    let help = "there are skip, more, popMode, mode(M), pushMode(M), type(T) and channel(C)";
                    self.error(span, format!("`{word}` is no command of a lexer"), help);
                    // The `;` still ends the rule.
                    if matches!(word, ";" | "|" | ")") {
                        self.untake();
                    }
                    return;
                }
            };
            if let Some(all) = self.commands.last_mut() {
                all.extend(command);
            }
            if !self.skip(",") {
                return;
            }
        }
    }

    /// The outermost alternatives of a lexer rule; all of its expressions stand from an index on.
    pub(super) fn lexer_alternatives(
        &mut self,
        name: &str,
        body: ExprId,
        from: usize,
    ) -> Vec<LexerAlternative> {
        let to = self.builder.grammar.exprs.len();
        let commands = std::mem::take(&mut self.commands);
        let calls = std::mem::take(&mut self.calls);
        let exprs = match self.builder.grammar.expr(body) {
            Expr::Choice(all) if commands.len() > 1 => all.iter().map(|one| one.expr).collect(),
            _ => vec![body],
        };
        let ends = std::mem::take(&mut self.lexer_ends);
        let (mut by, mut void) = (None, Vec::new());
        if !ends.is_empty() {
            let moved = text::copied(self.builder, from);
            let copies: Vec<ExprId> =
                self.lazy.iter().map(|&ExprId(id)| ExprId(id + moved)).collect();
            self.lazy.extend(copies);
            by = Some(moved);
            void = text::endless(self.builder, &ends, from, to);
        }
        self.source.lazy.extend(self.lazy.drain());
        let mut out = Vec::new();
        for ((expr, commands), calls) in exprs.into_iter().zip(commands).zip(calls) {
            let at_end = by.map(|by| ExprId(expr.0 + by));
            let is_void = void.get((expr.0 as usize).wrapping_sub(from)) == Some(&true);
            let is_hidden = commands.contains(&Command::Hide);
            if by.is_some() && !is_hidden {
                let span = self.builder.grammar.span(expr);
                let what =
                    format!("`{name}` is read where characters stand, not at the end of the text");
                self.builder.lose(span, what, "what needs such a token at the end is not read so");
            }
            let expr = (!is_void).then_some(expr);
            out.push(LexerAlternative { expr, commands, calls, at_end });
        }
        out
    }
}
