//! The pest parser, and its errors in the notation's own words.

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pairs;

use super::generated::{Rule, Syntax};
use super::nesting::{Kind, Scanner, Token};
use crate::grammar::{Diagnostic, Span};

/// Parses a text that [`super::nesting::scan`] has found to nest within bounds.
///
/// An error comes with its offset.
pub(super) fn parse(text: &str, file: u32) -> Result<Pairs<'_, Rule>, (usize, Diagnostic)> {
    Syntax::parse(Rule::file, text).map_err(|error| {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let expected = match error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives,
            ErrorVariant::CustomError { message } => {
                // The parser's own guard: the limit on nesting presumes a stack of usual size.
                let span = Span { file, start: at as u32, end: at as u32 };
                let help = "read it in a thread with a greater stack";
                return (at, Diagnostic::error(span, message).help(help));
            }
        };
        (at, Failure::new(text, file, at, expected).explain())
    })
}

/// Where parsing stopped.
struct Failure<'t> {
    text: &'t str,
    file: u32,
    at: usize,
    expected: Vec<Rule>,
    /// The token at the place; none at the end of the text.
    found: Option<Token>,
    /// The tokens before it, nearest first.
    before: [Option<Token>; 2],
}

impl<'t> Failure<'t> {
    fn new(text: &'t str, file: u32, at: usize, expected: Vec<Rule>) -> Self {
        let mut scanner = Scanner::new(text);
        let mut before = [None; 2];
        let found = loop {
            match scanner.next() {
                Ok(Some(token)) if token.end <= at => before = [Some(token), before[0]],
                Ok(token) => break token,
                Err(_) => break None,
            }
        };
        Self { text, file, at, expected, found, before }
    }

    fn text(&self, token: Option<Token>) -> &'t str {
        token.map_or("", |token| &self.text[token.start..token.end])
    }

    /// A token as messages show it: of bounded length.
    fn shown(&self, token: Option<Token>) -> String {
        short(self.text(token))
    }

    fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// An error at a token; at the end of the text where there is none.
    fn error_at(&self, token: Option<Token>, message: impl Into<String>) -> Diagnostic {
        let (start, end) = match (token, self.before[0]) {
            (Some(token), _) => (token.start, token.end),
            (None, Some(last)) => (last.end, last.end),
            (None, None) => (self.at, self.at),
        };
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        Diagnostic::error(span, message)
    }

    fn explain(&self) -> Diagnostic {
        let special = self
            .missing_semicolon()
            .or_else(|| self.directive())
            .or_else(|| self.definition())
            .or_else(|| self.quantifier())
            .or_else(|| self.foreign());
        let mut diagnostic = special.unwrap_or_else(|| self.general().help(self.reminder()));
        if let Some(line) = self.long_regex() {
            diagnostic.help = Some(format!(
                "the regex that begins on line {line} ends on a later one: is its closing `/` missing?"
            ));
        }
        diagnostic
    }

    /// The line on which a regex begins that stands right before and ends on another line.
    fn long_regex(&self) -> Option<usize> {
        let regex = self.before.iter().flatten().find(|token| token.is_long_regex(self.text))?;
        Some(self.text[..regex.start].matches('\n').count() + 1)
    }

    fn missing_semicolon(&self) -> Option<Diagnostic> {
        if !self.expects(Rule::semicolon) {
            return None;
        }
        let [last, earlier] = self.before;
        let message = |owner: &str| format!("missing `;` before {owner}");
        let after = |token: Option<Token>| {
            let end = token.map_or(self.at, |token| token.end) as u32;
            Span { file: self.file, start: end, end }
        };
        let rest = self.text[last.map_or(0, |last| last.end)..].trim_start();
        let line = rest.lines().next().unwrap_or_default();
        let help = if line.starts_with("//") && line.contains(';') {
            "`//` begins a comment, which hides the `;`; the empty string is written `\"\"`"
        } else {
            "a rule or a directive ends with `;`"
        };
        match self.found.map(|token| token.kind) {
            None if self.found.is_none() => {
                Some(Diagnostic::error(after(last), message("the end of the file")).help(help))
            }
            Some(Kind::Symbol('%')) => {
                Some(Diagnostic::error(after(last), message("the directive")).help(help))
            }
            Some(Kind::Symbol('=' | ':')) if last.is_some_and(|last| last.kind == Kind::Word) => {
                let owner = format!("the rule `{}`", self.shown(last));
                Some(Diagnostic::error(after(earlier), message(&owner)).help(help))
            }
            // A directive that takes no more names stands before a rule.
            Some(Kind::Word) if !self.expects(Rule::term) && !self.expects(Rule::name) => {
                let owner = format!("`{}`", self.shown(self.found));
                Some(Diagnostic::error(after(last), message(&owner)).help(help))
            }
            _ => None,
        }
    }

    fn directive(&self) -> Option<Diagnostic> {
        let percent = self.found.filter(|token| token.kind == Kind::Symbol('%'))?;
        let mut scanner = Scanner::new(&self.text[percent.end..]);
        let word = scanner.next().ok().flatten().filter(|token| token.kind == Kind::Word)?;
        let end = percent.end + word.end;
        let whole = Token { end, ..percent };
        let name = short(&self.text[end + word.start - word.end..end]);
        let message = format!("unknown directive `%{name}`");
        self.expects(Rule::start_word).then(|| {
            self.error_at(Some(whole), message).help(
                "the directives are `%start`, `%encoding`, `%layout`, `%lexical`, `%include` and `%part`",
            )
        })
    }

    /// Something else than `=` after a rule's name.
    fn definition(&self) -> Option<Diagnostic> {
        if !self.expects(Rule::equals) {
            return None;
        }
        let rest = &self.text[self.at..];
        let name = self.shown(self.before[0]);
        let help = format!("a rule is written `{name} = ... ;`");
        let signs = ["::=", ":=", ":", "->", "<-", "=>", "\u{2192}"];
        if let Some(sign) = signs.iter().find(|sign| rest.starts_with(**sign)) {
            let token = Token { kind: Kind::Word, start: self.at, end: self.at + sign.len() };
            let message = format!("expected `=`, found `{sign}`");
            return Some(self.error_at(Some(token), message).help(help));
        }
        self.foreign().or_else(|| Some(self.general().help(help)))
    }

    /// A quantifier or a weight at a wrong place.
    fn quantifier(&self) -> Option<Diagnostic> {
        let [last, earlier] = self.before;
        let after_quantifier = match last.map(|token| token.kind) {
            Some(Kind::Symbol('?' | '*' | '+' | '}')) => true,
            Some(Kind::Word) => self.text(earlier) == "@" && self.expects(Rule::term),
            _ => false,
        };
        match self.found.map(|token| token.kind) {
            Some(Kind::Symbol('?' | '*' | '+' | '{'))
                if self.expects(Rule::term) && !self.expects(Rule::mark) =>
            {
                Some(if after_quantifier && !self.expects(Rule::weight) {
                    self.error_at(self.found, "a second quantifier").help(
                        "one quantifier may follow a term: put the term and its quantifier into \
                         parentheses",
                    )
                } else {
                    self.error_at(self.found, "a quantifier without a term")
                        .help("write the term before it; a literal is written in quotes")
                })
            }
            Some(Kind::Symbol('@')) => {
                let rest = &self.text[self.at + 1..];
                Some(if rest.starts_with("read") && !self.expects(Rule::parse_only) {
                    self.error_at(self.found, "an `@read` that belongs to nothing")
                        .help("`@read` stands before an alternative, in place of a weight")
                } else if ["left", "right", "prec"].iter().any(|word| rest.starts_with(word)) {
                    self.error_at(self.found, "a binding that belongs to nothing").help(
                        "a binding stands before an alternative and after its weight, as in \
                         `@3 @left 1 e \"+\" e`",
                    )
                } else if rest.starts_with(|c: char| c.is_ascii_digit()) {
                    self.error_at(self.found, "a weight that belongs to nothing")
                        .help("a weight stands before an alternative, or right after a quantifier")
                } else {
                    self.error_at(self.found, "`@` without a number")
                        .help("write the weight right after it, as in `@3`, or `@read`, or a binding, `@left 1`")
                })
            }
            _ => None,
        }
    }

    /// What other notations write and this one does not.
    fn foreign(&self) -> Option<Diagnostic> {
        let help = match self.found?.kind {
            Kind::Dots => "the ends of a range are literals of one symbol, as in `\"a\"..\"z\"`",
            Kind::Symbol(',') => "terms follow each other without commas; a literal is quoted",
            Kind::Symbol('#') => "a comment begins with `//`; a literal is written in quotes",
            Kind::Symbol('<' | '>') => "names stand without angle brackets; a literal is quoted",
            Kind::Symbol('!' | '~') => "write `a except b` for what is `a` and not `b`",
            Kind::Word if self.text(self.found) == "-" => {
                "write `a except b` for what is `a` and not `b`"
            }
            Kind::Word if self.text(self.found) == "except" => {
                "`except` stands between two terms, before any quantifier: put a term and its \
                 quantifier into parentheses; it is no name"
            }
            Kind::Symbol('/') => "a regex is not empty: write `\"\"` for the empty string",
            Kind::Symbol(symbol) if symbol.is_alphanumeric() => {
                "a name is of ASCII letters, digits, `_` and `-`; a literal is written in quotes"
            }
            _ => return None,
        };
        Some(self.general().help(help))
    }

    /// How what is expected is written.
    fn reminder(&self) -> &'static str {
        let expects = |rules: &[Rule]| rules.iter().any(|&rule| self.expects(rule));
        if expects(&[Rule::level]) {
            "a binding is written `@left 1`, `@right 1` or `@prec 1`, with the greater number the tighter"
        } else if expects(&[Rule::number, Rule::comma, Rule::unbrace]) {
            "a count is `{n}`, `{n,}`, `{,n}` or `{n,m}`"
        } else if expects(&[Rule::start_word, Rule::definition]) {
            "a rule is written `name = ... ;`"
        } else if expects(&[Rule::kind]) || expects(&[Rule::path]) && expects(&[Rule::name]) {
            "a part is written `%part stdin name;` or `%part file \"path\" name;`"
        } else if expects(&[Rule::path, Rule::as_word, Rule::prefix]) {
            "an include is written `%include \"file.pleach\";` or `%include \"file.pleach\" as prefix;`"
        } else if expects(&[Rule::encoded]) {
            "the encodings are `unicode` and `bytes`"
        } else if expects(&[Rule::term, Rule::literal, Rule::mark]) {
            "a literal is written in quotes, and a rule ends with `;`"
        } else {
            "a name begins with a letter or `_` and goes on with letters, digits, `_` and `-`"
        }
    }

    fn general(&self) -> Diagnostic {
        let mut words: Vec<&str> = Vec::new();
        for (rule, word) in WORDS {
            // A name between two directives is a rule's.
            let word = if *rule == Rule::name && self.expects(Rule::start_word) {
                &"a rule"
            } else {
                word
            };
            if self.expects(*rule) && !words.contains(word) {
                words.push(word);
            }
        }
        let expected = match words[..] {
            [] => "something else".to_string(),
            [word] => word.to_string(),
            [ref words @ .., last] => format!("{} or {last}", words.join(", ")),
        };
        let found = match (self.found, self.text(self.found)) {
            (None, _) => "the end of the file".to_string(),
            (Some(token), _) if token.kind == Kind::Literal => "a literal".to_string(),
            (Some(token), _) if token.kind == Kind::Class => "a class".to_string(),
            (Some(token), _) if token.kind == Kind::Regex => "a regex".to_string(),
            (_, text) => format!("`{}`", short(text)),
        };
        self.error_at(self.found, format!("expected {expected}, found {found}"))
    }
}

/// The beginning of a text, without characters that cannot be seen.
fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.escape_debug().to_string(),
        Some((end, _)) => format!("{}...", text[..end].escape_debug()),
    }
}

/// What the rules are called, in the order in which messages name them.
const WORDS: &[(Rule, &str)] = &[
    (Rule::definition, "a rule"),
    (Rule::name, "a name"),
    (Rule::start_word, "a directive"),
    (Rule::encoded, "`unicode` or `bytes`"),
    (Rule::path, "a path in quotes"),
    (Rule::as_word, "`as`"),
    (Rule::prefix, "a prefix"),
    (Rule::kind, "what the part is"),
    (Rule::equals, "`=`"),
    (Rule::weight, "a weight"),
    (Rule::parse_only, "a weight"),
    (Rule::term, "a term"),
    (Rule::literal, "a literal"),
    (Rule::insensitive, "a literal"),
    (Rule::group, "a group"),
    (Rule::class, "a class"),
    (Rule::regex, "a regex"),
    (Rule::range, "`..`"),
    (Rule::except, "`except`"),
    (Rule::mark, "a quantifier"),
    (Rule::braces, "a quantifier"),
    (Rule::odds, "a weight"),
    (Rule::number, "a number"),
    (Rule::level, "a number"),
    (Rule::comma, "`,`"),
    (Rule::unbrace, "`}`"),
    (Rule::bar, "`|`"),
    (Rule::close, "`)`"),
    (Rule::semicolon, "`;`"),
    (Rule::EOI, "the end of the file"),
];
