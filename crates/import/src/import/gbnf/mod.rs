//! GBNF, the notation of llama.cpp's grammars (ggml-org/llama.cpp, `grammars/README.md`, and its reader in
//! `src/llama-grammar.cpp`).
//!
//! `name ::= ...`, with `"text"`, `[a-z]`, `[^"\\]`, `.`, groups, `|`, `?`, `*`, `+`, `{n}`, `{n,}`,
//! `{n,m}` and `{,m}`, the escapes `\n \r \t \\ \" \[ \] \xHH \uHHHH \UHHHHHHHH`, and comments from `#` to
//! the line's end. A rule ends with its line, but for what is in parentheses, follows `|` or `::=`, or
//! goes on with `|` on the next line. The start is `root`, or the first rule where there is none. A
//! symbol is a Unicode scalar value unless the caller says otherwise; left recursion, which llama.cpp
//! refuses, is fine.
//!
//! Tokens of a model, `<think>` or `<[1000]>`, are no texts: each is a rule to be supplied.

use pest::Parser as _;
use pest::iterators::Pair;

use super::body::{Body, Bracket};
use super::builder::Builder;
use super::ranges::{Ranges, complement};
use pleach_core::grammar::{Diagnostic, Resolver, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/gbnf/gbnf.pest"]
struct Tokens;

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    let text = builder.grammar.files[file as usize].text.clone();
    // Every text has tokens.
    let Ok(tokens) = Tokens::parse(Rule::tokens, &text) else { return };
    let mut reader = Reader { body: Body::new(builder, file), goes_on: false };
    let mut tokens = tokens.peekable();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().map(|next| (next.as_rule(), next.as_str()));
        reader.token(token, next);
    }
    reader.body.finish(text.len(), "a rule is written: name ::= ...");
    // Where there is no `root`, the first rule is the start.
    builder.begin("root");
}

struct Reader<'d> {
    body: Body<'d>,
    /// Whether the rule goes on after the line's end.
    goes_on: bool,
}

impl Reader<'_> {
    fn span(&self, token: &Pair<'_, Rule>) -> Span {
        let span = token.as_span();
        self.body.span(span.start(), span.end())
    }

    fn token(&mut self, token: Pair<'_, Rule>, next: Option<(Rule, &str)>) {
        let span = self.span(&token);
        let text = token.as_str();
        let rule = token.as_rule();
        match rule {
            Rule::line => {
                let bar = next.is_some_and(|(rule, text)| rule == Rule::mark && text == "|");
                if !(self.goes_on || self.body.is_nested() || bar) {
                    self.body.end(span.start);
                }
                return;
            }
            Rule::head => {
                if self.body.is_open() && !self.body.is_nested() && !self.goes_on {
                    let help = "begin each rule on a line of its own";
                    self.body.error(span, "a rule begins inside another", help);
                }
                self.body.end(span.start);
                if let Some(name) = token.into_inner().next() {
                    let at = self.span(&name);
                    self.body.begin(name.as_str(), at, span.end);
                    self.goes_on = true;
                }
                return;
            }
            Rule::EOI => return,
            _ => {}
        }
        self.goes_on = rule == Rule::mark && text == "|";
        if !self.body.is_open() {
            if !self.body.builder.has_errors() {
                let help = "a rule is written `name ::= ...`, and goes on after its line in \
                            parentheses or after `|`";
                self.body.error(span, "no rule has begun here", help);
            }
            return;
        }
        let term = match rule {
            Rule::name => self.body.builder.reference(text, span),
            Rule::string => {
                let Some(text) = self.string(&text[1..text.len() - 1], span) else { return };
                self.body.builder.literal(text.as_bytes(), false, span)
            }
            Rule::class => {
                let Some(ranges) = self.class(&text[1..text.len() - 1], span) else { return };
                self.body.builder.class(ranges, span)
            }
            Rule::count => return self.count(token, span),
            Rule::mark => match text {
                "." => {
                    let last = self.body.builder.last_symbol();
                    self.body.builder.class([(0, last)], span)
                }
                _ => return self.mark(text, span),
            },
            Rule::model => self.model(text, span),
            Rule::unclosed => {
                let message = "this is not closed on its line";
                return self.body.error(span, message, format!("close the `{}`", &text[..1]));
            }
            _ => {
                let message = format!("`{text}` begins nothing here");
                return self.body.error(span, message, "texts stand in double quotes");
            }
        };
        self.body.term(term);
    }

    fn mark(&mut self, text: &str, span: Span) {
        match text {
            "(" => self.body.open(span, Bracket::Group),
            "|" => self.body.bar(span),
            ")" => self.body.close(span, Bracket::Group),
            "?" => self.body.repeat(span, 0, Some(1)),
            "*" => self.body.repeat(span, 0, None),
            _ => self.body.repeat(span, 1, None),
        }
    }

    /// `{n}`, `{n,}`, `{,m}` or `{n,m}`.
    fn count(&mut self, token: Pair<'_, Rule>, span: Span) {
        let (mut min, mut max, mut comma) = (None, None, false);
        for part in token.into_inner() {
            if part.as_rule() == Rule::comma {
                comma = true;
                continue;
            }
            let Ok(number) = part.as_str().parse::<u32>() else {
                let at = self.span(&part);
                return self.body.error(at, "this count is too large", "the last is 4294967295");
            };
            *(if comma { &mut max } else { &mut min }) = Some(number);
        }
        if !comma {
            max = min;
        }
        if min.is_none() && max.is_none() {
            return self.body.error(
                span,
                "a count has no number",
                "write `{n}`, `{n,}` or `{n,m}`",
            );
        }
        self.body.repeat(span, min.unwrap_or(0), max);
    }

    /// A token of a model, which is no text.
    fn model(&mut self, text: &str, span: Span) -> pleach_core::grammar::ExprId {
        let mut name = String::from("token");
        for symbol in text.chars().filter(|symbol| !"<>[]".contains(*symbol)) {
            match symbol {
                '!' => name.push_str("-not"),
                _ if symbol.is_ascii_alphanumeric() => {
                    // The first of a run is set off.
                    if !name.contains('_') {
                        name.push('_');
                    }
                    name.push(symbol);
                }
                _ => name.push('_'),
            }
        }
        let message = format!("`{text}` is a token of a model, not a text");
        let help = format!("supply a grammar that defines `{name}` (--with FILE)");
        self.body.builder.undefined(&name, Diagnostic::error(span, message).help(help));
        self.body.builder.reference(name, span)
    }

    /// The ranges of a class.
    fn class(&mut self, inner: &str, span: Span) -> Option<Ranges> {
        let last = self.body.builder.last_symbol();
        match inner.strip_prefix('^') {
            Some(rest) => Some(complement(self.body.ranges(rest, span, symbol)?, last)),
            None => self.body.ranges(inner, span, symbol),
        }
    }

    /// What a text between quotes says.
    fn string(&mut self, text: &str, span: Span) -> Option<String> {
        let mut rest = text;
        let mut out = String::new();
        while let Some(symbol) = symbol(&mut self.body, &mut rest, span)? {
            // The surrogates are refused where they are read.
            out.extend(char::from_u32(symbol));
        }
        Some(out)
    }
}

/// The next symbol, which is taken off; none at the end.
fn symbol(body: &mut Body<'_>, rest: &mut &str, span: Span) -> Option<Option<u32>> {
    let mut chars = rest.chars();
    let Some(symbol) = chars.next() else { return Some(None) };
    *rest = chars.as_str();
    if symbol != '\\' {
        return Some(Some(symbol.into()));
    }
    let Some(escape) = chars.next() else { return Some(None) };
    *rest = chars.as_str();
    let digits = match escape {
        't' => return Some(Some(0x09)),
        'n' => return Some(Some(0x0A)),
        'r' => return Some(Some(0x0D)),
        '\\' | '"' | '[' | ']' | '-' | '^' => return Some(Some(escape.into())),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => {
            let message = format!("there is no escape `\\{escape}`");
            let help = r#"there are \n \r \t \\ \" \[ \] \xHH \uHHHH \UHHHHHHHH"#;
            body.error(span, message, help);
            return None;
        }
    };
    let number =
        rest.get(..digits).filter(|number| number.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let code = number.and_then(|number| u32::from_str_radix(number, 16).ok());
    match code.filter(|&code| char::from_u32(code).is_some()) {
        Some(code) => {
            *rest = &rest[digits..];
            Some(Some(code))
        }
        None => {
            let message = format!("`\\{escape}` is not followed by a character's number");
            let help = format!("write {digits} hexadecimal digits, and no surrogate");
            body.error(span, message, help);
            None
        }
    }
}
