//! JSON whose values know where they stand, in one array: what a value contains stands before it.
//!
//! RFC 8259 to the letter, but for byte order marks, which are passed over; a string is Unicode text, so
//! half of a surrogate pair is a mistake in it.

use std::ops::Range;

use pest::Parser as _;

use super::builder::Builder;
use pleach_core::grammar::{Diagnostic, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/json.pest"]
struct Tokens;

/// How deep values may nest: what is made of them may recurse.
const MAX_DEPTH: usize = 400;

/// The index of a value.
pub(super) type ValueId = usize;

/// A value.
#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    Null,
    Truth,
    Array(Vec<ValueId>),
    /// Names, which are texts, and values, in the order of the text.
    Object(Vec<(ValueId, ValueId)>),
}

/// All values of a text; the last is the outermost.
#[derive(Debug)]
pub(super) struct Json<'t> {
    text: &'t str,
    values: Vec<Value>,
    spans: Vec<Span>,
}

/// A string without its escapes.
pub(super) struct Text<'j> {
    pub(super) text: &'j str,
    /// Where it stands, quotes included.
    pub(super) span: Span,
    /// Where each byte of the text begins, counted from its first; none where no escapes move them.
    places: Vec<u32>,
}

/// The first of a text that is neither white space nor a byte order mark, and what follows it
/// likewise: enough to tell one notation from another.
pub(super) fn beginning(text: &str) -> (Option<char>, Option<char>, Option<char>) {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut marks = text.chars().filter(|symbol| !symbol.is_ascii_whitespace());
    (marks.next(), marks.next(), marks.next())
}

impl<'t> Json<'t> {
    /// Reads a text; none, and a mistake, where it is no JSON.
    pub(super) fn read(builder: &mut Builder, file: u32, text: &'t str) -> Option<Self> {
        let json = Self { text, values: Vec::new(), spans: Vec::new() };
        let mut reader = Reader { json, open: Vec::new(), is_done: false };
        // Every text has tokens.
        for token in Tokens::parse(Rule::tokens, text).into_iter().flatten() {
            let place = token.as_span();
            let span = Span { file, start: place.start() as u32, end: place.end() as u32 };
            let read = match token.as_rule() {
                Rule::EOI => reader.end(file),
                rule => reader.token(rule, token.as_str(), span),
            };
            if let Err((span, message)) = read {
                let help = "the text is to be one value of JSON";
                builder.error(Diagnostic::error(span, format!("no JSON: {message}")).help(help));
                return None;
            }
        }
        Some(reader.json)
    }

    /// The outermost value.
    pub(super) fn whole(&self) -> ValueId {
        self.values.len() - 1
    }

    /// How many values there are; what a value contains has smaller numbers than it.
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    pub(super) fn value(&self, id: ValueId) -> &Value {
        &self.values[id]
    }

    /// Where a value stands.
    pub(super) fn span(&self, id: ValueId) -> Span {
        self.spans[id]
    }

    /// The elements of an array; none where it is another value.
    pub(super) fn array(&self, id: ValueId) -> Option<&[ValueId]> {
        match self.value(id) {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The names and values of an object; none where it is another value.
    pub(super) fn object(&self, id: ValueId) -> Option<&[(ValueId, ValueId)]> {
        match self.value(id) {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// A string; none where it is another value.
    pub(super) fn text(&self, id: ValueId) -> Option<&str> {
        match self.value(id) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A string whose parts know where they stand; none where it is another value.
    pub(super) fn string(&self, id: ValueId) -> Option<Text<'_>> {
        let (text, span) = (self.text(id)?, self.span(id));
        let written = &self.text[span.start as usize + 1..span.end as usize - 1];
        let places = if written.contains('\\') { places(written) } else { Vec::new() };
        Some(Text { text, span, places })
    }

    /// A member of an object by its name; none where there is none, or the value is no object.
    pub(super) fn member(&self, id: ValueId, name: &str) -> Option<ValueId> {
        let members = self.object(id)?.iter();
        members.copied().find(|&(key, _)| self.text(key) == Some(name)).map(|(_, value)| value)
    }

    /// A member that is a string.
    pub(super) fn member_text(&self, id: ValueId, name: &str) -> Option<&str> {
        self.text(self.member(id, name)?)
    }

    /// A member that is an array.
    pub(super) fn member_array(&self, id: ValueId, name: &str) -> Option<&[ValueId]> {
        self.array(self.member(id, name)?)
    }
}

impl Text<'_> {
    /// Where a part of the text stands.
    pub(super) fn part(&self, part: Range<usize>) -> Span {
        let place = |at: usize| match self.places.as_slice() {
            [] => at as u32,
            places => places.get(at).or(places.last()).copied().unwrap_or_default(),
        };
        let first = self.span.start + 1;
        Span { start: first + place(part.start), end: first + place(part.end), ..self.span }
    }
}

/// A mistake, and where it is.
type Mistake = (Span, String);

struct Reader<'t> {
    json: Json<'t>,
    open: Vec<Open>,
    /// Whether the outermost value has ended.
    is_done: bool,
}

/// An array or object that is open.
struct Open {
    begin: Span,
    is_object: bool,
    /// Of an object names and values in turn.
    items: Vec<ValueId>,
    next: Next,
}

/// What may come next in an array or object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Its first element or member, or its end.
    First,
    /// An element or member.
    Another,
    Colon,
    /// The value of a member.
    Value,
    /// A comma or its end.
    Comma,
}

impl Reader<'_> {
    fn token(&mut self, rule: Rule, shown: &str, span: Span) -> Result<(), Mistake> {
        let (is_object, next) = match self.open.last() {
            Some(open) => (open.is_object, open.next),
            None if self.is_done => return Err((span, "more follows the value".into())),
            None => (false, Next::Value),
        };
        let is_item = matches!(next, Next::First | Next::Another);
        let (is_name, is_value) = (is_object && is_item, is_item || next == Next::Value);
        match (rule, shown) {
            (Rule::unclosed, _) => {
                let quote = Span { end: span.start + 1, ..span };
                return Err((quote, "this string is not closed".into()));
            }
            (Rule::string, _) if is_value => {
                let text = unescape(&shown[1..shown.len() - 1]);
                let text = text.map_err(|message| (span, message.to_owned()))?;
                self.add(Value::Text(text), span, if is_name { Next::Colon } else { Next::Comma });
            }
            (Rule::mark, "]" | "}")
                if is_object == (shown == "}") && matches!(next, Next::First | Next::Comma) =>
            {
                self.close(span);
            }
            (Rule::mark, ",") if next == Next::Comma => self.expect(Next::Another),
            (Rule::mark, ":") if next == Next::Colon => self.expect(Next::Value),
            (Rule::mark, "{" | "[") if is_value && !is_name => {
                if self.open.len() == MAX_DEPTH {
                    return Err((span, format!("values nest deeper than {MAX_DEPTH}")));
                }
                let (is_object, items) = (shown == "{", Vec::new());
                self.open.push(Open { begin: span, is_object, items, next: Next::First });
            }
            (Rule::number | Rule::word, _) if is_value && !is_name => {
                let value = match shown {
                    "null" => Some(Value::Null),
                    "true" | "false" => Some(Value::Truth),
                    _ if rule == Rule::number => shown.parse().ok().map(Value::Number),
                    _ => None,
                };
                let value = value.ok_or_else(|| (span, format!("`{shown}` is no value")))?;
                self.add(value, span, Next::Comma);
            }
            _ => {
                let expected = match (is_object, next) {
                    (true, Next::First) => "a name or `}`",
                    (true, Next::Another) => "a name",
                    (true, Next::Comma) => "`,` or `}`",
                    (true, Next::Colon) => "`:`",
                    (false, Next::First) => "a value or `]`",
                    (false, Next::Comma) => "`,` or `]`",
                    _ => "a value",
                };
                return Err((span, format!("{expected} is expected here, not `{shown}`")));
            }
        }
        Ok(())
    }

    fn expect(&mut self, next: Next) {
        if let Some(open) = self.open.last_mut() {
            open.next = next;
        }
    }

    fn add(&mut self, value: Value, span: Span, next: Next) {
        let id = self.json.values.len();
        self.json.values.push(value);
        self.json.spans.push(span);
        match self.open.last_mut() {
            Some(open) => {
                open.items.push(id);
                open.next = next;
            }
            None => self.is_done = true,
        }
    }

    fn close(&mut self, end: Span) {
        let Some(open) = self.open.pop() else { return };
        let value = match open.is_object {
            true => {
                Value::Object(open.items.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
            }
            false => Value::Array(open.items),
        };
        self.add(value, Span { end: end.end, ..open.begin }, Next::Comma);
    }

    /// The text ends.
    fn end(&self, file: u32) -> Result<(), Mistake> {
        match self.open.last() {
            Some(open) => Err((open.begin, "this is not closed".into())),
            None if self.is_done => Ok(()),
            None => Err((Span { file, start: 0, end: 0 }, "there is no value".into())),
        }
    }
}

/// The text of a string, or what is wrong with it.
fn unescape(written: &str) -> Result<String, &'static str> {
    if written.bytes().any(|byte| byte < 0x20) {
        return Err("a control character in a string is to be escaped");
    }
    let mut out = String::with_capacity(written.len());
    let mut rest = written;
    let mut units: Vec<u16> = Vec::new();
    loop {
        let at = rest.find('\\').unwrap_or(rest.len());
        let unit = rest.get(at + 2..at + 6).filter(|_| rest[at..].starts_with("\\u"));
        if !units.is_empty() && (at > 0 || unit.is_none()) {
            let text = String::from_utf16(&units);
            out.push_str(&text.map_err(|_| "a surrogate comes in a pair")?);
            units.clear();
        }
        out.push_str(&rest[..at]);
        if at == rest.len() {
            return Ok(out);
        }
        const ESCAPES: &str = "an escape of this string is none";
        if let Some(digits) = unit {
            // A sign is no digit.
            let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let unit = u16::from_str_radix(digits, 16).ok().filter(|_| is_hex);
            units.push(unit.ok_or(ESCAPES)?);
            rest = &rest[at + 6..];
            continue;
        }
        out.push(match rest[at + 1..].chars().next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{C}',
            Some(symbol @ ('"' | '\\' | '/')) => symbol,
            _ => return Err(ESCAPES),
        });
        rest = &rest[at + 2..];
    }
}

/// Where each byte of a string begins, and where it ends, by what stands between its quotes.
fn places(written: &str) -> Vec<u32> {
    let bytes = written.as_bytes();
    let hex = |at: usize| {
        let digits = written.get(at..at + 4)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let mut places = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (taken, given) = match (bytes[at], bytes.get(at + 1)) {
            (b'\\', Some(b'u')) => match hex(at + 2) {
                Some(0..=0x7F) => (6, 1),
                Some(0x80..=0x7FF) => (6, 2),
                Some(0xD800..=0xDBFF) => (12, 4),
                _ => (6, 3),
            },
            (b'\\', _) => (2, 1),
            _ => (1, 1),
        };
        places.extend(std::iter::repeat_n(at as u32, given));
        at += taken;
    }
    places.push(bytes.len() as u32);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Json<'_>, Diagnostic> {
        let mut builder = Builder::new(None);
        Json::read(&mut builder, 0, text).ok_or_else(|| {
            let error = builder.finish(None, &[], false, true).unwrap_err();
            error.diagnostics()[0].clone()
        })
    }

    #[test]
    fn escapes_keep_their_places() {
        let text = r#"["a\"\u00e9\ud83d\ude00\n<b>", "<b>"]"#;
        let json = read(text).unwrap();
        for &value in json.array(json.whole()).unwrap() {
            let string = json.string(value).unwrap();
            let at = string.text.find('<').unwrap();
            let span = string.part(at..at + 3);
            assert_eq!(&text[span.start as usize..span.end as usize], "<b>");
            let end = string.part(string.text.len()..string.text.len());
            assert_eq!(end.end + 1, string.span.end);
        }
    }

    #[test]
    fn strings_mean_what_their_escapes_say() {
        for (text, meaning) in [
            (r"a\n\/\\\u0041", Some("a\n/\\A")),
            (r"\uD83D\uDE00-", Some("😀-")),
            (r"\ud83d.", None),
            (r"\ude00\ud83d", None),
            (r"\q", None),
            (r"\u00", None),
            (r"\u00é", None),
            (r"\u+041", None),
            ("\n", None),
        ] {
            assert_eq!(unescape(text).ok().as_deref(), meaning, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused_where_it_is_wrong() {
        for (text, start) in [
            ("{\"a\": [1, true,], \"b\": 2}", 15),
            ("{\"a\" 1}", 5),
            ("{\"a\": }", 6),
            ("{\"a\": \"b\": 1}", 9),
            ("{\"a\", 1}", 4),
            ("[1 2]", 3),
            ("[,1]", 1),
            ("[:1]", 1),
            ("{1: 2}", 1),
            ("{[]: 2}", 1),
            ("[1]]", 3),
            ("[[1]", 0),
            ("", 0),
            ("{\"a\": \"\\q\"}", 6),
            ("[1}", 2),
            ("{]", 1),
            ("[\"a\\\"]", 1),
            ("{\"a\":1,}", 7),
            ("[01]", 1),
            ("[1.]", 1),
            ("[.5]", 1),
            ("[-]", 1),
            ("[True]", 1),
            ("[1e]", 1),
            ("]", 0),
            ("[\u{E9}]", 1),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.span.start, start, "{text}: {error:?}");
        }
        assert!(read(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn values_are_found() {
        let text = "\u{FEFF} {\"a\": [-1.5E+2, {\"b\": \"c\"}, false], \"d\": null, \"e\": {}} ";
        let json = read(text).unwrap();
        let items = json.member_array(json.whole(), "a").unwrap();
        assert!(matches!(json.value(items[0]), Value::Number(number) if *number == -150.0));
        assert_eq!(json.member_text(items[1], "b"), Some("c"));
        assert!(matches!(json.value(items[2]), Value::Truth));
        assert!(matches!(json.value(json.member(json.whole(), "d").unwrap()), Value::Null));
        assert_eq!(json.object(json.member(json.whole(), "e").unwrap()), Some(&[][..]));
        assert_eq!(json.member(json.whole(), "b"), None);
        assert!(items.iter().all(|&item| item < json.whole()) && json.count() > items[2]);
    }
}
