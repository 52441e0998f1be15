//! The EBNF of ISO/IEC 14977:1996.
//!
//! `name = definition ;` or `.`, with `,` between terms, `|`, `/` or `!` between alternatives, `"text"` and
//! `'text'`, `[ ]` (or `(/ /)`) for what may be left out, `{ }` (or `(: :)`) for what stands any number of
//! times, `( )`, `3 * term`, `a - b`, and comments `(* *)`, which nest. `{ a } -` is one `a` or more. Names may have
//! spaces, which make no difference: `meta identifier` is `metaidentifier`. A text has no escapes. The start is
//! the first rule, and a symbol is a Unicode scalar value unless the caller says otherwise.
//!
//! As people write it besides: `_` in names, no `,` between terms (two names side by side are two where no
//! rule has both together as its name), the quantifiers `+` and `*` after a term, and typographic quotes.
//!
//! A special sequence `? ... ?` with well-known words ([`special`]) is what they say, with a warning, for they
//! are prose; any other is a rule to be supplied, by the name that the message says.

mod comments;

use std::collections::HashMap;

use pest::Parser as _;

use super::body::{Body, Bracket};
use super::builder::Builder;
use super::special;
use pleach_core::grammar::{Diagnostic, Resolver, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/iso/iso.pest"]
struct Tokens;

/// A token: what it is, its text and where it begins.
type Token<'t> = (Rule, &'t str, usize);

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    let (text, open) = comments::blank(&builder.grammar.files[file as usize].text);
    // Every text has tokens.
    let Ok(tokens) = Tokens::parse(Rule::tokens, &text) else { return };
    let tokens: Vec<Token<'_>> = tokens
        .filter(|token| token.as_rule() != Rule::EOI)
        .map(|token| (token.as_rule(), token.as_str(), token.as_span().start()))
        .collect();
    let mut names = HashMap::new();
    for pair in tokens.windows(2) {
        if pair[0].0 == Rule::name && is_head(pair[1]) {
            let name = words(pair[0].1);
            names.entry(squeezed(&name)).or_insert(name);
        }
    }
    let mut body = Body::new(builder, file);
    if let Some(at) = open {
        let span = body.span(at, at + 2);
        body.error(span, "this comment does not end", "write `*)` after it");
    }
    let mut reader = Reader { body, names };
    let mut at = 0;
    while at < tokens.len() {
        at += reader.token(&tokens[at..]);
    }
    if reader.body.is_open() {
        let end = text.trim_end().len();
        let span = reader.body.span(end, end);
        reader.body.error(span, "the last rule does not end", "write `;` after it");
    }
    reader.body.finish(text.len(), "a rule is written: name = ... ;");
}

/// Whether a token after a name says that a rule begins.
fn is_head(token: Token<'_>) -> bool {
    token.0 == Rule::mark && matches!(token.1, "=" | ":=" | "::=")
}

/// A name with one space between its words.
fn words(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ")
}

/// A name without its spaces.
fn squeezed(name: &str) -> String {
    name.split_whitespace().collect()
}

struct Reader<'d> {
    body: Body<'d>,
    /// The rules' names as they are first written, by the names without spaces.
    names: HashMap<String, String>,
}

impl Reader<'_> {
    /// Reads the first of some tokens, and says how many that are.
    fn token(&mut self, tokens: &[Token<'_>]) -> usize {
        let (rule, text, start) = tokens[0];
        let span = self.body.span(start, start + text.len());
        let next = tokens.get(1).copied();
        if rule == Rule::name && next.is_some_and(is_head) {
            if self.body.is_open() {
                let message = "the rule before this one does not end";
                self.body.error(span, message, "write `;` before the name");
                self.body.end(span.start);
            }
            let name = self.known(text);
            let end = next.map_or(span.end, |(_, text, start)| (start + text.len()) as u32);
            self.body.begin(&name, span, end);
            return 2;
        }
        if !self.body.is_open() {
            if !self.body.builder.has_errors() {
                let help = "a rule is written: name = ... ;";
                self.body.error(span, "no rule has begun here", help);
            }
            return 1;
        }
        match rule {
            Rule::name => self.name(text, span),
            Rule::string => {
                let mut inner = text.chars();
                inner.next();
                inner.next_back();
                let term = self.body.builder.literal(inner.as_str().as_bytes(), false, span);
                self.body.term(term);
            }
            Rule::special => self.special(&text[1..text.len() - 1], span),
            Rule::number => return self.number(text, next, span),
            Rule::mark => self.mark(text, span),
            Rule::unclosed => {
                let quote: String = text.chars().take(1).collect();
                let help = format!("write {quote} after it");
                self.body.error(span, "this is not closed on its line", help);
            }
            _ => {
                let message = format!("`{text}` begins nothing here");
                self.body.error(span, message, "texts stand in quotes");
            }
        }
        1
    }

    /// A name as it was first written.
    fn known(&self, name: &str) -> String {
        self.names.get(&squeezed(name)).cloned().unwrap_or_else(|| words(name))
    }

    /// A reference; several, where no rule has all words together as its name and each has some.
    fn name(&mut self, text: &str, span: Span) {
        if self.names.contains_key(&squeezed(text)) || !text.contains(char::is_whitespace) {
            let term = self.body.builder.reference(self.known(text), span);
            return self.body.term(term);
        }
        let mut parts: Vec<(usize, &str)> = Vec::new();
        let mut at = 0;
        for word in text.split_whitespace() {
            let from = at + text[at..].find(word).unwrap_or(0);
            at = from + word.len();
            parts.push((from, word));
        }
        let all = parts.iter().all(|(_, word)| self.names.contains_key(*word));
        if !all {
            let term = self.body.builder.reference(words(text), span);
            return self.body.term(term);
        }
        for (from, word) in parts {
            let from = span.start as usize + from;
            let at = self.body.span(from, from + word.len());
            let term = self.body.builder.reference(self.known(word), at);
            self.body.term(term);
        }
    }

    fn mark(&mut self, text: &str, span: Span) {
        match text {
            // Nothing between two is nothing.
            "," => self.body.minus_nothing(span),
            "|" | "/" | "!" => {
                self.body.minus_nothing(span);
                self.body.bar(span);
            }
            ";" | "." => {
                self.body.minus_nothing(span);
                self.body.end(span.start);
            }
            "(" => self.body.open(span, Bracket::Group),
            "[" | "(/" => self.body.open(span, Bracket::Optional),
            "{" | "(:" => self.body.open(span, Bracket::Repeated),
            ")" => self.close(span, Bracket::Group),
            "]" | "/)" => self.close(span, Bracket::Optional),
            "}" | ":)" => self.close(span, Bracket::Repeated),
            "-" => self.body.minus(span),
            "*" => self.body.repeat(span, 0, None),
            "+" => self.body.repeat(span, 1, None),
            _ => {
                let help = "a rule is written: name = ... ; with one name before the `=`";
                self.body.error(span, format!("`{text}` has no place here"), help);
            }
        }
    }

    fn close(&mut self, span: Span, bracket: Bracket) {
        self.body.minus_nothing(span);
        self.body.close(span, bracket);
    }

    /// How often a term stands: `3 * term`. Says how many tokens that is.
    fn number(&mut self, text: &str, next: Option<Token<'_>>, span: Span) -> usize {
        if !next.is_some_and(|(rule, text, _)| rule == Rule::mark && text == "*") {
            let help = "a count is written: 3 * term; a text stands in quotes";
            self.body.error(span, "a number stands alone", help);
            return 1;
        }
        match text.parse() {
            Ok(count) => self.body.count(count, span),
            Err(_) => {
                self.body.error(span, "this count is too large", "the last is 4294967295");
            }
        }
        2
    }

    /// What `? ... ?` says.
    fn special(&mut self, inner: &str, span: Span) {
        let shown = words(inner);
        if let Some(symbols) = special::symbols(&shown, self.body.builder.last_symbol()) {
            let what = format!("`? {shown} ?` is prose");
            let effect = "it is taken for the characters that are known by these words";
            self.body.builder.lose(span, what, effect);
            let term = self.body.builder.class(symbols, span);
            return self.body.term(term);
        }
        let mut name = special::name(&shown);
        if self.names.contains_key(&name) {
            // `letter = ? letter ?` refers to no rule of this text.
            name.insert_str(0, "special_");
        }
        let message = format!("`? {shown} ?` is prose");
        let help = format!("supply a grammar that defines `{name}` (--with FILE)");
        self.body.builder.undefined(&name, Diagnostic::error(span, message).help(help));
        let term = self.body.builder.reference(name, span);
        self.body.term(term);
    }
}
