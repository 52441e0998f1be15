//! A file's tokens, one after the other: what stands around the bodies of rules.

use std::collections::HashSet;

use pest::Parser as _;

use super::source::{Command, Kind, LexerRule, ParserRule, Source};
use crate::import::builder::Builder;
use crate::import::terms::Terms;
use pleach_core::grammar::{Diagnostic, ExprId, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/antlr/antlr.pest"]
struct Tokens;

/// A token: its kind and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Rule,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// How many modes a lexer may have.
const MOST_MODES: usize = 1000;

/// Why code is left out.
pub(super) const CODE: &str = "code is not run: what it decides is not decided";

/// Reads one file.
pub(super) struct Reader<'d> {
    pub(super) builder: &'d mut Builder,
    pub(super) source: &'d mut Source,
    pub(super) text: &'d str,
    file: u32,
    tokens: Vec<Token>,
    at: usize,
    /// Names of the rules that other files have defined, and of those that this one has.
    before: HashSet<String>,
    own: HashSet<String>,
    mode: usize,
    is_main: bool,
    // What is known of the rule that is being read.
    pub(super) terms: Terms,
    pub(super) in_lexer: bool,
    pub(super) ignore_case: bool,
    /// Loops that take as little as they can.
    pub(super) lazy: HashSet<ExprId>,
    /// Where the end of the text stands in a lexer rule.
    pub(super) lexer_ends: Vec<ExprId>,
    /// The commands of the rule's alternatives so far.
    pub(super) commands: Vec<Vec<Command>>,
    /// How many commands of each have an argument.
    pub(super) calls: Vec<u32>,
}

/// Reads a file into a source; what it imports is noted there.
pub(super) fn read(builder: &mut Builder, source: &mut Source, file: u32, is_main: bool) {
    let text = builder.grammar.files[file as usize].text.clone();
    // Every text has tokens.
    let Ok(pairs) = Tokens::parse(Rule::tokens, &text) else { return };
    let token = |pair: pest::iterators::Pair<'_, Rule>| {
        let span = pair.as_span();
        Token { kind: pair.as_rule(), start: span.start() as u32, end: span.end() as u32 }
    };
    let tokens: Vec<Token> = pairs.map(token).collect();
    let lexer = source.lexer.iter().map(|rule| rule.name.clone());
    let before = lexer.chain(source.parser.iter().map(|rule| rule.name.clone())).collect();
    let ignore_case = source.ignore_case;
    let mut reader = Reader {
        builder,
        source,
        text: &text,
        file,
        tokens,
        at: 0,
        before,
        own: HashSet::new(),
        mode: 0,
        is_main,
        terms: Terms::default(),
        in_lexer: false,
        ignore_case,
        lazy: HashSet::new(),
        lexer_ends: Vec::new(),
        commands: Vec::new(),
        calls: Vec::new(),
    };
    reader.whole();
}

impl<'d> Reader<'d> {
    /// The next token, which is not taken; at the end the one that ends the text.
    pub(super) fn peek(&self) -> Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, more: usize) -> Token {
        let end = self.text.len() as u32;
        let none = Token { kind: Rule::EOI, start: end, end };
        self.tokens.get(self.at + more).copied().unwrap_or(none)
    }

    /// Takes a token.
    pub(super) fn take(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Puts the last token back.
    pub(super) fn untake(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    /// Takes the next token if so.
    pub(super) fn take_if(&mut self, so: bool) {
        self.at += usize::from(so);
    }

    pub(super) fn is_end(&self) -> bool {
        self.peek().kind == Rule::EOI
    }

    pub(super) fn word(&self, token: Token) -> &'d str {
        let text: &'d str = self.text;
        &text[token.start as usize..token.end as usize]
    }

    /// Whether the next token is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        !self.is_end() && self.word(self.peek()) == text
    }

    /// Takes the next token if it is this text.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let is = self.is(text);
        self.at += usize::from(is);
        is
    }

    pub(super) fn span(&self, token: Token) -> Span {
        Span { file: self.file, start: token.start, end: token.end }
    }

    /// The span from a token to the last one that was taken.
    pub(super) fn since(&self, token: Token) -> Span {
        let last = self.tokens.get(self.at.wrapping_sub(1)).copied().unwrap_or(token);
        Span { file: self.file, start: token.start, end: last.end.max(token.end) }
    }

    pub(super) fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.builder.error(Diagnostic::error(span, message).help(help));
    }

    /// Takes this text, or reports that it is missing.
    fn expect(&mut self, text: &str, after: &str) -> bool {
        let there = self.skip(text);
        if !there {
            let span = self.span(self.peek());
            self.error(span, format!("`{text}` is missing here"), format!("it ends {after}"));
        }
        there
    }

    /// Takes a name.
    fn name(&mut self, what: &str) -> Option<(String, Span)> {
        let token = self.peek();
        if token.kind != Rule::name {
            let span = self.span(token);
            self.error(span, format!("a name is missing here, of {what}"), "write it");
            return None;
        }
        self.at += 1;
        Some((self.word(token).to_owned(), self.span(token)))
    }

    /// Takes what braces hold, others inside them too; the span of all of it.
    pub(super) fn balanced(&mut self) -> Span {
        let first = self.take();
        let mut depth = 1;
        while depth > 0 && !self.is_end() {
            let token = self.take();
            let word = self.word(token);
            depth += usize::from(word == "{");
            depth -= usize::from(word == "}");
        }
        if depth > 0 {
            let span = self.span(first);
            self.error(span, "this is not closed", "write `}` after it");
        }
        self.since(first)
    }

    /// Takes arguments, which are a token where they look like a set; others go on over several lines.
    pub(super) fn arguments(&mut self) -> Option<Span> {
        let first = self.peek();
        match first.kind {
            Rule::set => self.at += 1,
            Rule::unclosed if self.word(first).starts_with('[') => {
                self.at += 1;
                while !self.is_end() {
                    let token = self.take();
                    if self.word(token).ends_with(']') {
                        break;
                    }
                }
            }
            _ => return None,
        }
        Some(self.since(first))
    }

    /// The whole file.
    fn whole(&mut self) {
        self.head();
        while !self.is_end() {
            let before = self.at;
            self.part();
            // Whatever it is, something is taken.
            self.at = self.at.max(before + 1);
        }
    }

    /// `lexer grammar X;`
    fn head(&mut self) {
        let kind = match self.is("lexer") || self.is("parser") {
            true if self.is("lexer") => Kind::Lexer,
            true => Kind::Parser,
            false => Kind::Combined,
        };
        self.at += usize::from(kind != Kind::Combined);
        if self.skip("grammar") {
            if self.name("the grammar").is_some() {
                self.expect(";", "the grammar's head");
            }
        } else {
            let span = self.span(self.peek());
            self.error(span, "the grammar has no head", "begin with: grammar Name;");
        }
        if self.is_main {
            self.source.kind = Some(kind);
        }
    }

    /// A rule, or what else stands beside rules.
    fn part(&mut self) {
        let (token, next) = (self.peek(), self.ahead(1));
        let braces = next.kind != Rule::EOI && self.word(next) == "{";
        match self.word(token) {
            "options" if braces => {
                self.at += 1;
                self.options(true);
                self.ignore_case = self.source.ignore_case;
            }
            "tokens" | "channels" if braces => {
                let is_tokens = self.is("tokens");
                self.at += 2;
                while !self.is_end() && !self.skip("}") {
                    if self.skip(",") {
                        continue;
                    }
                    let Some(name) = self.name("a token") else { return };
                    if is_tokens {
                        self.source.tokens.push(name);
                    }
                }
            }
            "import" => self.imports(),
            "mode" => {
                self.at += 1;
                if let Some((name, span)) = self.name("the mode") {
                    if self.source.modes.len() > MOST_MODES {
                        let message = format!("there are over {MOST_MODES} modes");
                        return self.error(span, message, "put some together");
                    }
                    self.mode = self.source.mode(&name, span);
                    self.expect(";", "the mode's head");
                }
            }
            "@" => {
                self.code(token);
            }
            _ if token.kind == Rule::name => self.rule(),
            other => {
                let message = format!("`{other}` begins no rule");
                let help = "a rule is written: name : alternatives ;";
                self.error(self.span(token), message, help);
                // One message for all up to the next rule.
                while !self.is_end() && !self.skip(";") {
                    self.at += 1;
                }
            }
        }
    }

    /// `@header {...}`
    pub(super) fn code(&mut self, token: Token) {
        self.at += 1;
        while self.peek().kind == Rule::name || self.is("::") {
            self.at += 1;
        }
        if !self.is("{") {
            let span = self.span(self.peek());
            return self.error(span, "code is missing here, in braces", "write `{ }`");
        }
        self.balanced();
        let span = self.since(token);
        self.builder.lose(span, "this code is left out", CODE);
    }

    /// `import A, b = B;`
    fn imports(&mut self) {
        self.at += 1;
        loop {
            let Some(mut name) = self.name("a grammar") else { return };
            if self.skip("=") {
                let Some(other) = self.name("a grammar") else { return };
                name = other;
            }
            self.source.imports.push(name);
            if !self.skip(",") {
                break;
            }
        }
        self.expect(";", "the imports");
    }

    /// `{ name = value; ... }`, of the grammar, a rule or a group.
    pub(super) fn options(&mut self, of_grammar: bool) {
        self.at += 1;
        while !self.is_end() && !self.skip("}") {
            let first = self.peek();
            let Some((name, _)) = self.name("an option") else {
                // What is no option is passed over, to the end of them all.
                while !self.is_end() && !self.skip("}") {
                    self.at += 1;
                }
                return;
            };
            self.skip("=");
            let mut value = None;
            while !self.is_end() && !self.is(";") && !self.is("}") {
                let token = self.take();
                if self.is("{") || self.word(token) == "{" {
                    self.balanced();
                }
                value = value.or(Some(token));
            }
            let span = self.since(first);
            self.skip(";");
            let text = value.map_or("", |token| self.word(token));
            match (name.as_str(), text) {
                ("caseInsensitive", _) if of_grammar && !self.is_main => {
                    let help = "those of the importing grammar hold for all that it imports";
                    self.builder.lose(span, "an option of an imported grammar is left out", help);
                }
                ("caseInsensitive", "true" | "false") => {
                    self.ignore_case = text == "true";
                    if of_grammar {
                        self.source.ignore_case = self.ignore_case;
                    }
                }
                ("tokenVocab", _) if of_grammar => {
                    let name = text.trim_matches(['\'', '"']).to_owned();
                    if self.is_main {
                        self.source.vocabulary = Some((name, span));
                    }
                }
                // They say what is generated, and not what is read.
                ("language" | "package" | "accessLevel" | "exportMacro" | "TokenLabelType", _) => {}
                _ => {
                    let what = format!("the option `{name}` is left out");
                    self.builder.lose(span, what, "it has no effect on what is read here");
                }
            }
        }
    }

    /// A rule, from its modifiers to its handlers.
    fn rule(&mut self) {
        let mut fragment = false;
        while self.is("fragment") || self.is("public") || self.is("private") || self.is("protected")
        {
            fragment |= self.is("fragment");
            self.at += 1;
        }
        let Some((name, span)) = self.name("a rule") else { return };
        self.in_lexer = name.chars().next().is_some_and(char::is_uppercase);
        self.ignore_case = self.source.ignore_case;
        self.around();
        if !self.skip(":") {
            let here = self.span(self.peek());
            let help = "a rule is written: name : alternatives ;";
            self.error(here, format!("`:` is missing after `{name}`"), help);
            while !self.is_end() && !self.skip(";") {
                self.at += 1;
            }
            return;
        }
        let from = self.builder.grammar.exprs.len();
        let body = self.body(&name);
        self.handlers();
        if !self.own.insert(name.clone()) {
            let help = "a rule is defined once: put the alternatives together";
            return self.error(span, format!("rule `{name}` is defined twice"), help);
        }
        // The rules of what imports win.
        if self.before.contains(&name) {
            return;
        }
        if self.in_lexer {
            let (mode, alternatives) = (self.mode, self.lexer_alternatives(&name, body, from));
            self.source.lexer.push(LexerRule { name, span, fragment, mode, alternatives });
        } else {
            self.source.parser.push(ParserRule { name, span, body });
        }
    }

    /// What stands between a rule's name and its `:`.
    fn around(&mut self) {
        loop {
            let token = self.peek();
            if let Some(span) = self.arguments() {
                self.builder.lose(span, "arguments are left out", CODE);
                continue;
            }
            match self.word(token) {
                "returns" | "locals" => {
                    self.at += 1;
                    self.arguments();
                }
                "throws" => {
                    self.at += 1;
                    while self.peek().kind == Rule::name || self.is(",") {
                        self.at += 1;
                    }
                }
                "options" => {
                    self.at += 1;
                    if self.is("{") {
                        self.options(false);
                    }
                }
                "@" => self.code(token),
                _ => return,
            }
        }
    }

    /// `catch [e] {...} finally {...}`
    fn handlers(&mut self) {
        while self.is("catch") || self.is("finally") {
            let first = self.take();
            self.arguments();
            if self.is("{") {
                self.balanced();
            }
            let span = self.since(first);
            self.builder.lose(span, "this handler is left out", CODE);
        }
    }
}
