//! Where the rules stand in a text: alone, or in a document with headings, prose and pages.
//!
//! A rule begins on a line with its name and `=`, and goes on over the lines after it that are indented
//! more than the name, or begin with `/`, `)` or `]`. After an empty line it goes on only where it must (a
//! group is open, or `/` stands at the end of a line or the beginning of the next) or where the next line
//! stands under the rule's right side and is nothing but tokens. A page may break anywhere: after a break
//! it goes on where all up to the next empty line is indented and nothing but tokens. All else is prose.

use std::ops::Range;

use pest::Parser as _;

use super::{Rule, Tokens};

/// A rule's place in the text.
pub(super) struct Piece {
    pub(super) name: Range<usize>,
    /// Whether it is `=/`.
    pub(super) extends: bool,
    pub(super) body: Range<usize>,
}

/// A line that looks like a rule, or like a part of one, and is none.
pub(super) struct Stray {
    pub(super) place: Range<usize>,
    pub(super) what: String,
    pub(super) effect: &'static str,
}

/// The rules of a text.
#[derive(Default)]
pub(super) struct Document {
    /// The text, with spaces in place of what page breaks are made of: offsets are those of the text.
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) strays: Vec<Stray>,
    /// Whether there is more than rules, so that what looks like a rule may be an example.
    pub(super) has_prose: bool,
}

/// Columns that are kept of a rule's lines.
const MOST_COLUMNS: usize = 8;

/// The rule that is being read.
struct Open {
    piece: Piece,
    indent: usize,
    /// The columns where its lines begin, right of the name.
    columns: Vec<usize>,
    /// Groups that are open.
    depth: i64,
    /// Whether the last sign calls for more.
    hangs: bool,
}

/// What stands before a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// The end of a page.
    Page,
    Rule,
    /// Prose in that column; whether it ends with a colon.
    Prose(usize, bool),
}

impl Document {
    pub(super) fn read(text: &str) -> Self {
        let mut document = Self::default();
        let (text, breaks) = unpaged(text);
        document.find(&text, &breaks);
        document.text = text;
        document
    }

    /// Finds the rules; pages begin at the breaks.
    fn find(&mut self, text: &str, breaks: &[usize]) {
        let mut breaks = breaks.iter().copied().peekable();
        let mut open: Option<Open> = None;
        let mut before = Before::Nothing;
        let mut lines = lines(text).peekable();
        while let Some((start, line)) = lines.next() {
            let trimmed = line.trim_start();
            if trimmed.is_empty() {
                let mut is_page = before == Before::Page;
                while breaks.next_if(|&at| at <= start + line.len()).is_some() {
                    is_page = true;
                }
                before = if is_page { Before::Page } else { Before::Nothing };
                continue;
            }
            if trimmed.starts_with(';') {
                continue;
            }
            let lead = line.len() - trimmed.len();
            let (at, column) = (start + lead, width(&line[..lead]));
            let mut begin = head(trimmed).map(|head| head.moved(at));
            if begin.is_none()
                && let Some(&(next, line)) = lines.peek()
            {
                begin = split_head(trimmed, at, line, next);
                if begin.is_some() {
                    lines.next();
                }
            }
            if let Some(head) = begin {
                if matches!(before, Before::Prose(left, false) if left >= column) {
                    let what =
                        format!("`{} =` stands inside a paragraph", &text[head.name.clone()]);
                    let effect = "it is taken for prose: an empty line stands before a rule";
                    self.stray(head.name, what, effect);
                } else {
                    self.pieces.extend(open.replace(Open::new(text, head, column)).map(Open::end));
                    before = Before::Rule;
                }
                continue;
            }
            if let Some(rule) = &mut open {
                let goes_on = match before {
                    Before::Page => {
                        column > rule.indent && is_rest_tokens(&text[start..], rule.indent)
                    }
                    _ => rule.goes_on(before, column, trimmed),
                };
                if goes_on {
                    rule.add(start, line, column);
                    before = Before::Rule;
                    continue;
                }
                if before == Before::Rule {
                    let place = at..start + line.trim_end().len();
                    let effect = "it is taken for prose: a rule goes on over lines that are indented \
                                  more than its name";
                    self.stray(place, "this line is part of no rule".to_owned(), effect);
                }
                self.pieces.extend(open.take().map(Open::end));
            }
            self.has_prose = true;
            if matches!(before, Before::Nothing | Before::Page)
                && let Some(name) = nearly(trimmed)
            {
                let what = format!("`{name}` begins what looks like a rule");
                let effect = "it is taken for prose: a rule is written `name = elements`, and a name \
                              has letters, digits and `-`";
                self.stray(at..at + name.len(), what, effect);
            }
            before = Before::Prose(column, line.trim_end().ends_with(':'));
        }
        self.pieces.extend(open.map(Open::end));
    }

    fn stray(&mut self, place: Range<usize>, what: String, effect: &'static str) {
        self.strays.push(Stray { place, what, effect });
    }
}

impl Open {
    /// A rule whose first line stands in a column.
    fn new(text: &str, head: Head, column: usize) -> Self {
        let end = line_end(text, head.body);
        let right = &text[head.body..end];
        let mut columns = Vec::new();
        if !code(right).is_empty() {
            let from = text[..head.body].rfind('\n').map_or(0, |newline| newline + 1);
            let blank = right.len() - right.trim_start().len();
            columns.push(width(&text[from..head.body + blank]));
        }
        let piece = Piece { name: head.name, extends: head.extends, body: head.body..end };
        let mut open = Self { piece, indent: column, columns, depth: 0, hangs: true };
        open.scan(right);
        open
    }

    fn end(self) -> Piece {
        self.piece
    }

    /// Whether a line is a part of the rule.
    fn goes_on(&self, before: Before, column: usize, line: &str) -> bool {
        match before {
            Before::Rule => column > self.indent || line.starts_with(['/', ')', ']']),
            Before::Nothing => {
                column > self.indent
                    && (self.depth > 0
                        || self.hangs
                        || line.starts_with('/')
                        || self.columns.contains(&column) && is_tokens(line))
            }
            Before::Page | Before::Prose(..) => false,
        }
    }

    /// Adds a line.
    fn add(&mut self, start: usize, line: &str, column: usize) {
        self.piece.body.end = start + line.len();
        if self.columns.last() != Some(&column) && self.columns.len() < MOST_COLUMNS {
            self.columns.push(column);
        }
        self.scan(line);
    }

    /// Notes what a line leaves open.
    fn scan(&mut self, line: &str) {
        let mut last = None;
        let mut inside = None;
        for byte in line.bytes() {
            match (inside, byte) {
                (Some(end), _) if byte == end => inside = None,
                (Some(_), _) | (None, b' ' | b'\t' | b'\r') => continue,
                (None, b';') => break,
                (None, b'"') => inside = Some(b'"'),
                (None, b'<') => inside = Some(b'>'),
                (None, b'(' | b'[') => self.depth += 1,
                (None, b')' | b']') => self.depth -= 1,
                (None, _) => {}
            }
            last = Some(byte);
        }
        if let Some(last) = last {
            self.hangs = matches!(last, b'/' | b'*' | b'#');
        }
    }
}

/// The beginning of a rule.
struct Head {
    name: Range<usize>,
    extends: bool,
    /// Where its right side begins.
    body: usize,
}

impl Head {
    /// With a name, and the text from the sign on, which stands at an offset.
    fn new(name: Range<usize>, sign: &str, at: usize) -> Self {
        let extends = sign.starts_with("=/");
        Self { name, extends, body: at + if extends { 2 } else { 1 } }
    }

    fn moved(self, by: usize) -> Self {
        let name = self.name.start + by..self.name.end + by;
        Self { name, body: self.body + by, ..self }
    }
}

/// The beginning of a rule at the beginning of a line.
fn head(line: &str) -> Option<Head> {
    let name = name(line);
    let rest = line[name..].trim_start_matches([' ', '\t']);
    let is_head = name > 0 && rest.starts_with('=') && !rest.starts_with("==");
    is_head.then(|| Head::new(0..name, rest, line.len() - rest.len()))
}

/// The beginning of a rule whose name has a line of its own, at an offset; the sign is on the next one.
fn split_head(line: &str, at: usize, next: &str, next_at: usize) -> Option<Head> {
    let name = code(line);
    let sign = next.trim_start();
    let is_head = is_name(name) && sign.starts_with('=') && !sign.starts_with("==");
    is_head.then(|| Head::new(at..at + name.len(), sign, next_at + next.len() - sign.len()))
}

/// How long the name at the beginning of a text is.
fn name(text: &str) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let long = text.bytes().take_while(is_part).count();
    if text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) { long } else { 0 }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && name(text) == text.len()
}

/// A line without a comment at its end, where it has no text in quotes before that.
fn code(line: &str) -> &str {
    line.split(';').next().unwrap_or_default().trim()
}

/// The name of what looks like a rule of another notation, or has a name that is none here.
fn nearly(line: &str) -> Option<&str> {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte) || *byte >= 0x80;
    let long = line.bytes().take_while(is_part).count();
    let rest = line.get(long..)?.trim_start_matches([' ', '\t']);
    let is_near = rest.starts_with('=') || rest.starts_with(":=") || rest.starts_with("::=");
    (long > 0 && is_near).then(|| &line[..long])
}

/// Whether a line is nothing but tokens.
fn is_tokens(line: &str) -> bool {
    Tokens::parse(Rule::tokens, line)
        .is_ok_and(|mut tokens| tokens.all(|token| token.as_rule() != Rule::other))
}

/// Whether a text, up to an empty line or the next rule, is indented and nothing but tokens.
fn is_rest_tokens(text: &str, indent: usize) -> bool {
    let rest = lines(text).map(|(_, line)| line);
    let mut rest = rest
        .map(|line| (line, line.trim_start()))
        .take_while(|(_, trimmed)| !trimmed.is_empty() && head(trimmed).is_none());
    rest.all(|(line, trimmed)| {
        width(&line[..line.len() - trimmed.len()]) > indent && is_tokens(line)
    })
}

/// The column after some white space or text.
fn width(text: &str) -> usize {
    text.chars()
        .fold(0, |column, symbol| if symbol == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |newline| from + newline)
}

/// The lines of a text, each with its offset, without what ends them.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// The text with spaces in place of page footers and headers, form feeds and a byte order mark; and where
/// page footers and form feeds are.
fn unpaged(text: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut breaks = Vec::new();
    let mut is_top = false;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        is_top |= content.contains('\u{C}');
        let bare = content.trim_matches('\u{C}');
        let is_furniture = is_footer(bare) || is_top && is_header(bare);
        if is_footer(bare) || content.contains('\u{C}') {
            breaks.push(out.len());
        }
        for symbol in line.chars() {
            match symbol {
                '\u{C}' => out.push(' '),
                '\u{FEFF}' => out.push_str("   "),
                _ if is_furniture && !matches!(symbol, '\n' | '\r') => {
                    (0..symbol.len_utf8()).for_each(|_| out.push(' '));
                }
                _ => out.push(symbol),
            }
        }
        // A header is the first line on its page.
        is_top = is_footer(bare) || is_top && bare.trim().is_empty();
    }
    (out, breaks)
}

/// Whether a line ends with `[Page 12]` and begins at the margin, as a page's last line does.
fn is_footer(line: &str) -> bool {
    let digits = line.strip_suffix(']').and_then(|line| line.rsplit_once("[Page "));
    let is_number = |digits: &str| digits.trim().bytes().all(|byte| byte.is_ascii_digit());
    digits.is_some_and(|(_, digits)| is_number(digits)) && !line.starts_with([' ', '\t'])
}

/// Whether a line is what stands on top of a page: `RFC 9110 HTTP Semantics June 2022`.
fn is_header(line: &str) -> bool {
    let begins = ["RFC ", "Internet-Builder", "INTERNET-DRAFT", "Internet Builder"];
    let year = line.split_whitespace().next_back().unwrap_or_default();
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    begins.iter().any(|begin| line.starts_with(begin)) && is_year
}
