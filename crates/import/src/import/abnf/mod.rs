//! Augmented BNF: RFC 5234, with the strings of RFC 7405 (`%s"..."`, `%i"..."`) and the lists of RFC
//! 9110, section 5.6.1 (`#element`, `1#element`, which are written out as that section says).
//!
//! A text may be a grammar alone or a document, with its headings, prose, indentation and page breaks
//! ([`document`] tells how rules are found). What looks like a rule in a document and is none, as an
//! example may, is a warning; it is an error where the rule is needed.
//!
//! - Names are told apart without regard to case, and written as where they are defined.
//! - The core rules (RFC 5234, appendix B.1) are there if the text refers to them and has none of its own.
//! - `=/` adds to the rule of that name, wherever that stands.
//! - A rule that is defined again in the same way, as in the collected grammar of an appendix, is a
//!   warning, and so is one that is defined in another: the last one counts that refers to known rules
//!   only. A rule that is defined by a prose value with its own name is defined elsewhere.
//! - A prose value that is a name is that rule: `<pchar>`. One that begins with a name and goes on with a
//!   comma is the rule that is written just so, the supplied one first, for another document may have
//!   `host` beside `Host`: `<host, see [URI], Section 3.2.2>`. So is one that says where a rule is from,
//!   if there is the rule: `<host as in RFC 3986>`. Any other is a rule whose name is made of its words,
//!   `<any octet but LF>` is `any-octet-but-lf`, which the caller is to supply.
//! - Symbols are Unicode scalar values if any value exceeds 0xFF, else bytes. Surrogates are no scalar
//!   values, and are left out.
//! - The first rule is the start.

mod document;
mod rules;
mod values;

use std::collections::HashMap;

use pest::Parser as _;
use pest::iterators::Pair;

use super::builder::{Builder, alike};
use super::terms::Terms;
use document::{Document, Piece};
use pleach_core::grammar::{Diagnostic, Encoding, ExprId, Resolver, SourceFile, Span};
use rules::Rules;

#[derive(pest_derive::Parser)]
#[grammar = "import/abnf/abnf.pest"]
struct Tokens;

/// Rules that a text may refer to without defining them.
const CORE: &str = include_str!("core.abnf");

/// The rule that stands around the commas of a list.
const LIST_SPACE: &str = "OWS";

/// Nodes that the elements of lists may have in all, besides one for each byte of the text: they are
/// written twice, and lists may nest.
const LEAST_COPIES: usize = 10_000;

/// Characters of the name that is made of a prose value.
const LONGEST_SLUG: usize = 60;

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    builder.fold_names = true;
    let document = Document::read(&builder.grammar.files[file as usize].text);
    let core = Document::read(CORE);
    if builder.encoding.is_none() {
        let is_wide =
            document.pieces.iter().any(|piece| values::is_wide(&document.text[piece.body.clone()]));
        builder.grammar.encoding = if is_wide { Encoding::Unicode } else { Encoding::Bytes };
    }
    let mut rules = Rules::default();
    for piece in &document.pieces {
        rules.name(&document.text[piece.name.clone()]);
    }
    let own = rules.count();
    for piece in &core.pieces {
        rules.name(&core.text[piece.name.clone()]);
    }
    for name in &builder.supplied {
        rules.supply(name);
    }
    for stray in &document.strays {
        let span = Span { file, start: stray.place.start as u32, end: stray.place.end as u32 };
        builder.lose(span, stray.what.clone(), stray.effect);
    }
    let mut reader = Reader::new(builder, file, &document, &rules);
    let mut definitions = Vec::with_capacity(document.pieces.len());
    for piece in &document.pieces {
        definitions.extend(reader.piece(piece));
    }
    if document.pieces.is_empty() {
        let error = match document.strays.first() {
            Some(stray) => {
                let span =
                    Span { file, start: stray.place.start as u32, end: stray.place.end as u32 };
                Diagnostic::error(span, format!("there is no rule, but {}", stray.what))
                    .help(stray.effect)
            }
            None => Diagnostic::error(Span { file, start: 0, end: 0 }, "there is no rule")
                .help("a rule is written: name = elements"),
        };
        return builder.error(error);
    }
    for definition in definitions {
        rules.add(definition);
    }
    rules.write(builder, own);
    // The core rules that are needed, as if they stood at the end.
    let missing = rules.missing(builder);
    if !missing.is_empty() {
        let name = "core rules (RFC 5234, appendix B.1)".to_owned();
        let text = core.text.clone();
        let Some(file) = builder.file(SourceFile::new(name, text)) else { return };
        let mut reader = Reader::new(builder, file, &core, &rules);
        let definitions: Vec<Definition> =
            core.pieces.iter().filter_map(|piece| reader.piece(piece)).collect();
        rules.core(builder, definitions, missing);
    }
}

/// What a rule's text says.
struct Definition {
    name: String,
    span: Span,
    extends: bool,
    /// None where the rule is defined elsewhere.
    body: Option<ExprId>,
}

/// Reads the rules of a document.
struct Reader<'d> {
    builder: &'d mut Builder,
    file: u32,
    document: &'d Document,
    rules: &'d Rules,
    terms: Terms,
    /// How often the next element stands.
    repeat: Option<Repeat>,
    /// The same for the groups that are open.
    repeats: Vec<Option<Repeat>>,
    /// Where the last token ended the alternative before it, or began a group; none after an element.
    wants: Option<Span>,
    /// Mistakes of the rule that is being read.
    errors: Vec<Diagnostic>,
    /// By prose value that is no name, the name made of it.
    slugs: HashMap<String, String>,
    /// By such a name, the last number that told another one from it.
    taken: HashMap<String, u32>,
    /// Nodes that lists may still copy.
    copies: usize,
}

#[derive(Clone, Copy)]
struct Repeat {
    min: u32,
    max: Option<u32>,
    /// Whether the elements are a list with commas.
    is_list: bool,
    span: Span,
}

/// The tags of open groups.
const GROUP: u8 = 0;
const OPTION: u8 = 1;

impl<'d> Reader<'d> {
    fn new(builder: &'d mut Builder, file: u32, document: &'d Document, rules: &'d Rules) -> Self {
        Self {
            builder,
            file,
            document,
            rules,
            terms: Terms::default(),
            repeat: None,
            repeats: Vec::new(),
            wants: None,
            errors: Vec::new(),
            slugs: HashMap::new(),
            taken: HashMap::new(),
            copies: LEAST_COPIES + document.text.len(),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message).help(help));
    }

    /// Reads a rule; none where it has mistakes.
    fn piece(&mut self, piece: &Piece) -> Option<Definition> {
        let document = self.document;
        let place = |start: usize, end: usize| Span {
            file: self.file,
            start: start as u32,
            end: end as u32,
        };
        let name_span = place(piece.name.start, piece.name.end);
        let body_span = place(piece.body.start, piece.body.start);
        let name = self.rules.written(&document.text[piece.name.clone()]);
        let text = &document.text[piece.body.clone()];
        self.terms.open(body_span, GROUP);
        self.wants = Some(Span { start: name_span.start, ..body_span });
        let mut count = 0;
        let mut is_prose = false;
        // Every text has tokens.
        let mut end = body_span.end;
        for token in Tokens::parse(Rule::tokens, text).ok()? {
            if token.as_rule() != Rule::EOI {
                let place = token.as_span();
                let start = body_span.start + place.start() as u32;
                end = body_span.start + place.end() as u32;
                is_prose = token.as_rule() == Rule::prose && count == 0;
                count += 1;
                self.token(&token, Span { start, end, ..body_span });
            }
        }
        let body = self.end(end)?;
        let mut body = Some(body);
        if is_prose
            && count == 1
            && let Some(id) = body
        {
            let own = self.builder.reference(name.clone(), name_span);
            if alike(&self.builder.grammar, id, own) {
                let message = format!("rule `{name}` is defined elsewhere: {}", squeezed(text));
                let help = "supply a grammar that defines it (--with FILE)";
                let span = self.builder.grammar.span(id);
                self.builder.undefined(&name, Diagnostic::error(span, message).help(help));
                body = None;
            }
        }
        let errors = std::mem::take(&mut self.errors);
        if errors.is_empty() {
            return Some(Definition { name, span: name_span, extends: piece.extends, body });
        }
        if !self.document.has_prose {
            errors.into_iter().for_each(|error| self.builder.error(error));
        } else if let Some(first) = errors.into_iter().next() {
            let effect = format!("rule `{name}` is taken for an example, and left out");
            self.builder.lose(first.span, first.message.clone(), effect);
            self.builder.undefined(&name, first);
        }
        None
    }

    fn token(&mut self, token: &Pair<'_, Rule>, span: Span) {
        let text = token.as_str();
        let element = match token.as_rule() {
            Rule::name => self.builder.reference(self.rules.written(text), span),
            Rule::string => self.string(text, span),
            Rule::number => match self.number(text, span) {
                Some(element) => element,
                None => return self.stand_in(span),
            },
            Rule::prose => self.prose(text, span),
            Rule::repeat => return self.repeat(text, span),
            Rule::mark => return self.mark(text, span),
            _ => return self.other(text, span),
        };
        self.element(element, span);
    }

    fn mark(&mut self, text: &str, span: Span) {
        match text {
            "(" | "[" => {
                self.terms.open(span, if text == "(" { GROUP } else { OPTION });
                self.repeats.push(self.repeat.take());
                self.wants = Some(span);
            }
            "/" => {
                self.check(span);
                self.terms.bar(self.builder, span.start);
                self.wants = Some(span);
            }
            _ => self.close(text, span),
        }
    }

    fn close(&mut self, text: &str, span: Span) {
        if self.terms.depth() < 2 {
            let help = format!("leave out the `{text}`");
            return self.error(span, "no group is open here", help);
        }
        self.check(span);
        let opened = self.terms.opened().unwrap_or(span);
        let Some((group, tag)) = self.terms.close(self.builder, span.end) else { return };
        let wanted = if tag == GROUP { ")" } else { "]" };
        if text != wanted {
            let message = format!("`{text}` ends a group that another bracket began");
            self.error(span, message, format!("write `{wanted}`"));
        }
        let whole = Span { end: span.end, ..opened };
        let group =
            if tag == GROUP { group } else { self.builder.repeat(group, 0, Some(1), whole) };
        self.repeat = self.repeats.pop().flatten();
        self.element(group, whole);
    }

    /// Reports that an element is missing before a place.
    fn check(&mut self, at: Span) {
        if let Some(repeat) = self.repeat.take() {
            let help = "write what is repeated right after it";
            return self.error(repeat.span, "nothing follows this repetition", help);
        }
        if self.wants.is_some() {
            let help = "write an element; \"\" is the empty text";
            self.error(at, "an element is missing before this", help);
        }
    }

    /// Adds an element, as often as was said before it.
    fn element(&mut self, element: ExprId, span: Span) {
        self.wants = None;
        let Some(repeat) = self.repeat.take() else { return self.terms.push(element) };
        let whole = Span { start: repeat.span.start, ..span };
        let repeated = if repeat.is_list {
            self.list(element, repeat, whole)
        } else {
            self.builder.repeat(element, repeat.min, repeat.max, whole)
        };
        self.terms.push(repeated);
    }

    /// Elements with commas between them, as RFC 9110, section 5.6.1.1, writes a list out.
    fn list(&mut self, element: ExprId, list: Repeat, span: Span) -> ExprId {
        if list.max == Some(0) {
            return self.builder.sequence(&[], span);
        }
        let Some((copy, nodes)) = rules::copy(&mut self.builder.grammar, element, self.copies)
        else {
            let message = "lists nest too deep here, or their elements are too long";
            self.error(list.span, message, "give the elements a rule of their own");
            return element;
        };
        self.copies -= nodes;
        let space = self.rules.written(LIST_SPACE);
        let comma = self.builder.literal(b",", false, span);
        let (before, after) =
            (self.builder.reference(space.clone(), span), self.builder.reference(space, span));
        let more = self.builder.sequence(&[before, comma, after, copy], span);
        let least = list.min.saturating_sub(1);
        let more = self.builder.repeat(more, least, list.max.map(|max| max - 1), span);
        let some = self.builder.sequence(&[element, more], span);
        if list.min == 0 { self.builder.repeat(some, 0, Some(1), span) } else { some }
    }

    /// How often the next element stands: `n`, `n*m`, `*`, and `n#m` for a list.
    fn repeat(&mut self, text: &str, span: Span) {
        if self.repeat.is_some() {
            return self.error(
                span,
                "a repetition follows another",
                "put the second one in a group",
            );
        }
        let count = |digits: &str| match digits.parse::<u32>() {
            Ok(count) => Ok(Some(count)),
            Err(_) if digits.is_empty() => Ok(None),
            Err(_) => Err(()),
        };
        let parts = text.split_once(['*', '#']);
        let (Ok(min), Ok(max)) =
            parts.map_or_else(|| (count(text), count(text)), |(min, max)| (count(min), count(max)))
        else {
            return self.error(
                span,
                "this count is too large",
                format!("the largest is {}", u32::MAX),
            );
        };
        let min = min.unwrap_or(0);
        if max.is_some_and(|max| max < min) {
            let help = "the least count stands first";
            return self.error(span, "the least count is more than the most", help);
        }
        self.repeat = Some(Repeat { min, max, is_list: text.contains('#'), span });
    }

    /// Text in quotes.
    fn string(&mut self, text: &str, span: Span) -> ExprId {
        let (mark, inner) = text.split_once('"').unwrap_or(("", text));
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        if !inner.is_ascii() {
            let effect = "the characters beyond it are taken for their UTF-8";
            self.builder.lose(span, "a text in quotes is of ASCII", effect);
        }
        self.builder.literal(inner.as_bytes(), !mark.eq_ignore_ascii_case("%s"), span)
    }

    /// A description in words: the rule that it names, or one with a name of its words.
    fn prose(&mut self, text: &str, span: Span) -> ExprId {
        let words = squeezed(&text[1..text.len() - 1]);
        let first = words.split([' ', ',']).next().unwrap_or_default();
        let rest = &words[first.len()..];
        let is_name = first.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_name && rest.is_empty() {
            return self.builder.reference(self.rules.written(first), span);
        }
        let sources = [" as ", " from ", " in ", " see ", " defined ", " ("];
        let says_where = sources.iter().any(|source| rest.starts_with(source));
        let is_known = self.rules.knows_exactly(first);
        if is_name && (rest.starts_with(',') || says_where && is_known) {
            if !is_known {
                let message = format!("rule `{first}` is defined elsewhere: <{words}>");
                let help = "supply a grammar that defines it (--with FILE)";
                self.builder.undefined(first, Diagnostic::error(span, message).help(help));
            }
            return self.builder.reference(first, span);
        }
        let name = self.slug(&words);
        let name = self.rules.written(&name);
        let message = "what stands here is said in words only";
        let help = format!("supply a grammar with a rule `{name}` (--with FILE)");
        self.builder.undefined(&name, Diagnostic::error(span, message).help(help));
        self.builder.reference(name, span)
    }

    /// The name that is made of some words.
    fn slug(&mut self, words: &str) -> String {
        if let Some(name) = self.slugs.get(words) {
            return name.clone();
        }
        let mut name = String::new();
        for word in words.split(|symbol: char| !symbol.is_ascii_alphanumeric()) {
            if name.len() + word.len() > LONGEST_SLUG {
                break;
            }
            if !word.is_empty() {
                let is_first = name.is_empty();
                let begins = word.as_bytes()[0].is_ascii_alphabetic();
                name.push_str(if !is_first {
                    "-"
                } else if begins {
                    ""
                } else {
                    "prose-"
                });
                name.push_str(&word.to_ascii_lowercase());
            }
        }
        if name.is_empty() {
            name.push_str("prose");
        }
        // Other words may make the same name.
        let base = name.clone();
        let mut number = self.taken.get(&base).copied().unwrap_or(0);
        while self.taken.contains_key(&name) {
            number += 1;
            name = format!("{base}-{number}");
        }
        self.taken.insert(base, number.max(1));
        self.taken.entry(name.clone()).or_insert(1);
        self.slugs.insert(words.to_owned(), name.clone());
        name
    }

    /// What is no token.
    fn other(&mut self, text: &str, span: Span) {
        let (message, help) = match &text[..text.chars().next().map_or(0, char::len_utf8)] {
            "\"" => {
                ("this text in quotes does not end on its line".to_owned(), "write `\"` after it")
            }
            "<" => ("this prose value does not end in its rule".to_owned(), "write `>` after it"),
            "%" => ("this is no value".to_owned(), "values are written: %x41, %d65, %b1000001"),
            "|" => ("`|` is not of this notation".to_owned(), "alternatives are separated by `/`"),
            "=" => ("`=` begins no rule here".to_owned(), "a rule begins on a line of its own"),
            "{" | "}" => (
                format!("`{text}` is not of this notation"),
                "repetition stands before an element: *a, 1*a, 2*4a",
            ),
            "?" | "+" => (
                format!("`{text}` is not of this notation"),
                "[a] is an option, and repetition stands before an element: 1*a",
            ),
            "_" => ("a name has no `_`".to_owned(), "a name has letters, digits and `-`"),
            "'" => {
                (format!("`{text}` is not of this notation"), "texts are written in double quotes")
            }
            _ => (
                format!("`{text}` is not of this notation"),
                "an element is a name, a text in double quotes, a value as %x41, or a group",
            ),
        };
        self.error(span, message, help);
        self.stand_in(span);
    }

    /// An element in place of one with a mistake, so that no other mistake follows from it.
    fn stand_in(&mut self, span: Span) {
        let nothing = self.builder.sequence(&[], span);
        self.element(nothing, span);
    }

    /// Ends a rule.
    fn end(&mut self, at: u32) -> Option<ExprId> {
        let here = Span { file: self.file, start: at, end: at };
        while self.terms.depth() > 1 {
            let open = self.terms.opened().unwrap_or(here);
            self.error(open, "this group is not closed", "close it before the rule ends");
            self.repeat = None;
            self.terms.close(self.builder, at);
            self.wants = None;
        }
        self.repeats.clear();
        if let Some(repeat) = self.repeat.take() {
            let help = "write what is repeated right after it";
            self.error(repeat.span, "nothing follows this repetition", help);
        } else if let Some(span) = self.wants.take() {
            let help = "write an element; \"\" is the empty text";
            self.error(span, "an element is missing after this", help);
        }
        self.terms.close(self.builder, at).map(|(body, _)| body)
    }
}

/// Words with one space between them.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}
