//! The EBNF of XML 1.0 (W3C Recommendation, section 6, "Notation"), which the documents of XPath,
//! XQuery, SPARQL, Turtle and others of the W3C use.
//!
//! `Name ::= expression`, with `#xN`, `[a-zA-Z]`, `[#xN-#xN]`, `[abc]`, `[^a-z]`, `"string"`, `'string'`,
//! groups, `A?`, `A B`, `A | B`, `A - B`, `A+` and `A*`. Numbers before rules and comments are passed
//! over. Nothing ends a rule: the next name that `::=` follows begins another. A backslash is itself.
//! A symbol is a Unicode scalar value unless the caller says otherwise.
//!
//! Lost, with a warning: constraints such as `[ wfc: Unique Att Spec ]`. A rule that is only a link to
//! another document, as `NCName ::= [http://www.w3.org/TR/REC-xml-names/#NT-NCName]Names`, is to be
//! supplied. What documents say in prose (that keywords are in either case, where white space may
//! stand) is not in the notation and so not in the grammar.

use pest::Parser as _;

use super::body::{Body, Bracket};
use super::builder::Builder;
use super::ranges::{LAST, Ranges, complement};
use pleach_core::grammar::{Diagnostic, Resolver, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/w3c/w3c.pest"]
struct Tokens;

/// Whether a text looks like the notation: some `::=` follows a name that begins a line.
pub(super) fn is_like(text: &str) -> bool {
    text.match_indices("::=").any(|(at, _)| {
        let line = text[..at].trim_end().rsplit('\n').next().unwrap_or_default();
        let line = line.rsplit("*/").next().unwrap_or_default().trim();
        let number = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let name = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((digits, name)) if number(digits) => name.trim(),
            _ => line,
        };
        let part = |symbol: char| symbol.is_alphanumeric() || "_-.".contains(symbol);
        name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name.chars().all(part)
    })
}

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    let text = builder.grammar.files[file as usize].text.clone();
    // Every text has tokens.
    let Ok(tokens) = Tokens::parse(Rule::tokens, &text) else { return };
    let tokens: Vec<Token<'_>> = tokens
        .filter(|token| token.as_rule() != Rule::EOI)
        .map(|token| (token.as_rule(), token.as_str(), token.as_span().start()))
        .collect();
    let mut reader = Reader { body: Body::new(builder, file), name: String::new() };
    let (mut at, mut before) = (0, 0);
    while at < tokens.len() {
        let begins = before == 0 || text[before..tokens[at].2].contains(['\n', '\r']);
        let next = at + reader.token(&tokens[at..], begins);
        let (_, last, start) = tokens[next - 1];
        (at, before) = (next, start + last.len());
    }
    reader.body.finish(text.len(), "a rule is written: name ::= ...");
}

/// A token: what it is, its text and where it begins.
type Token<'t> = (Rule, &'t str, usize);

/// Whether tokens begin with the name of a rule.
fn is_head(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [(Rule::name, ..), (Rule::sign, ..), ..])
}

/// Whether a class is what documents put before a rule: `[12]` or `[12a]`.
fn is_number(class: &str) -> bool {
    let inner =
        class[1..class.len() - 1].trim_end_matches(|symbol: char| symbol.is_ascii_alphabetic());
    !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit())
}

struct Reader<'d> {
    body: Body<'d>,
    /// The name of the rule that is being read.
    name: String,
}

impl Reader<'_> {
    /// Reads the first of some tokens, which may be the first of its line, and says how many that are.
    fn token(&mut self, tokens: &[Token<'_>], begins: bool) -> usize {
        let (rule, text, start) = tokens[0];
        let span = self.body.span(start, start + text.len());
        if is_head(tokens) {
            text.clone_into(&mut self.name);
            self.body.end(span.start);
            self.body.begin(text, span, tokens[1].2 as u32 + 3);
            return 2;
        }
        // Of what looks like a rule's number, that of a rule begins its line.
        let number = rule == Rule::class && is_number(text) && is_head(&tokens[1..]);
        if !(number && (begins || !self.body.is_open())) {
            self.part(rule, text, span);
        }
        1
    }

    /// Reads a part of a rule.
    fn part(&mut self, rule: Rule, text: &str, span: Span) {
        if rule == Rule::note {
            let what = format!("the constraint `{text}` is left out");
            return self.body.builder.lose(span, what, "texts that break it are derived, too");
        }
        if !self.body.is_open() {
            if !self.body.builder.has_errors() {
                let help = "a rule is written: name ::= ...";
                self.body.error(span, "no rule has begun here", help);
            }
            return;
        }
        let term = match rule {
            Rule::name => self.body.builder.reference(text, span),
            Rule::string => {
                self.body.builder.literal(&text.as_bytes()[1..text.len() - 1], false, span)
            }
            Rule::code => match code(&mut self.body, &text[2..], span) {
                Some(code) => self.body.builder.class([(code, code)], span),
                None => return,
            },
            Rule::class => match self.class(text, span) {
                Some(ranges) => self.body.builder.class(ranges, span),
                None => return,
            },
            Rule::link => return self.link(text, span),
            Rule::mark => return self.mark(text, span),
            Rule::unclosed => {
                let message = "this is not closed on its line";
                return self.body.error(span, message, format!("close the `{}`", &text[..1]));
            }
            Rule::runaway => {
                let message = "this comment does not end";
                return self.body.error(
                    self.body.span(span.start as usize, span.start as usize + 2),
                    message,
                    "write `*/` after it",
                );
            }
            Rule::sign => {
                return self.body.error(
                    span,
                    "`::=` follows no name",
                    "begin a rule: name ::= ...",
                );
            }
            Rule::other => {
                let message = format!("`{text}` begins nothing here");
                return self.body.error(span, message, "texts are quoted, and classes closed");
            }
            _ => return,
        };
        self.body.term(term);
    }

    fn mark(&mut self, text: &str, span: Span) {
        match text {
            "(" => self.body.open(span, Bracket::Group),
            "|" => self.body.bar(span),
            ")" => self.body.close(span, Bracket::Group),
            "-" => self.body.minus(span),
            "?" => self.body.repeat(span, 0, Some(1)),
            "*" => self.body.repeat(span, 0, None),
            _ => self.body.repeat(span, 1, None),
        }
    }

    /// The rule that is being read is one of another document, and to be supplied.
    fn link(&mut self, text: &str, span: Span) {
        self.body.abandon();
        let message = format!("rule `{}` is one of another document: {text}", self.name);
        let help = "supply a grammar that defines it (--with FILE)";
        self.body.builder.undefined(&self.name, Diagnostic::error(span, message).help(help));
    }

    /// The ranges of a class in brackets.
    fn class(&mut self, text: &str, span: Span) -> Option<Ranges> {
        let inner = &text[1..text.len() - 1];
        let last = self.body.builder.last_symbol();
        match inner.strip_prefix('^').filter(|rest| !rest.is_empty()) {
            Some(rest) => Some(complement(self.body.ranges(rest, span, symbol)?, last)),
            None => self.body.ranges(inner, span, symbol),
        }
    }
}

/// A symbol by its hexadecimal number.
fn code(body: &mut Body<'_>, digits: &str, span: Span) -> Option<u32> {
    let code = u32::from_str_radix(digits, 16).ok().filter(|&code| code <= LAST);
    if code.is_none() {
        body.error(span, "there is no such character", "the last is #x10FFFF");
    }
    code
}

/// The next symbol of a class, which is taken off; none at its end.
fn symbol(body: &mut Body<'_>, rest: &mut &str, span: Span) -> Option<Option<u32>> {
    if let Some(code) = rest.strip_prefix("#x") {
        let digits = code.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            let help = "write the character's number, `#x20`, or `x#` for these two signs";
            body.error(span, "no hexadecimal number follows this `#x`", help);
            return None;
        }
        *rest = &code[digits..];
        return self::code(body, &code[..digits], span).map(Some);
    }
    let mut chars = rest.chars();
    let symbol = chars.next().map(u32::from);
    *rest = chars.as_str();
    Some(symbol)
}
