//! JSON whose values know where they stand.
//!
//! `serde_json` gives no places of values, but it can leave a value as the slice of the text that it
//! is, and a slice has an address. Values are opened one level at a time, so no nesting recurses.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::draft::Draft;
use crate::grammar::{Diagnostic, Span};

/// A text of JSON.
pub(super) struct Json<'t> {
    file: u32,
    text: &'t str,
}

/// A value as it is written.
pub(super) type Value<'t> = &'t RawValue;

/// What kind of value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    String,
    Number,
    Null,
    Other,
}

/// A string without its escapes.
pub(super) struct Text<'t> {
    pub(super) text: Cow<'t, str>,
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
    pub(super) fn new(file: u32, text: &'t str) -> Self {
        Self { file, text }
    }

    /// The whole text as one value; none, and a mistake, where it is no JSON.
    pub(super) fn whole(&self, draft: &mut Draft) -> Option<Value<'t>> {
        let body = self.text.strip_prefix('\u{FEFF}').unwrap_or(self.text);
        match serde_json::from_str(body) {
            Ok(value) => Some(value),
            Err(error) => {
                let (before, _) = self.text.split_at(self.text.len() - body.len());
                let place = before.len() + place(body, error.line(), error.column());
                let length = self.text[place..].chars().next().map_or(0, char::len_utf8);
                let (start, end) = (place as u32, (place + length) as u32);
                let span = Span { file: self.file, start, end };
                self.error(draft, span, &error, "a grammar of this notation is JSON");
                None
            }
        }
    }

    fn error(&self, draft: &mut Draft, span: Span, error: &serde_json::Error, help: &str) {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        draft.error(Diagnostic::error(span, format!("no JSON: {message}")).help(help));
    }

    /// Where a value stands.
    pub(super) fn span(&self, value: Value<'t>) -> Span {
        // A value is a slice of the text, so its address tells its place.
        let start = value.get().as_ptr() as usize - self.text.as_ptr() as usize;
        Span { file: self.file, start: start as u32, end: (start + value.get().len()) as u32 }
    }

    /// The elements of an array; none where it is another value.
    pub(super) fn array(&self, value: Value<'t>) -> Option<Vec<Value<'t>>> {
        if kind(value) == Kind::Array { serde_json::from_str(value.get()).ok() } else { None }
    }

    /// The keys and values of an object, in its order; none where it is another value.
    pub(super) fn object(&self, value: Value<'t>) -> Option<Vec<(Value<'t>, Value<'t>)>> {
        if kind(value) != Kind::Object {
            return None;
        }
        serde_json::Deserializer::from_str(value.get()).deserialize_map(Entries).ok()
    }

    /// A string; none where it is another value or, which is a mistake, no text.
    pub(super) fn string(&self, draft: &mut Draft, value: Value<'t>) -> Option<Text<'t>> {
        if kind(value) != Kind::String {
            return None;
        }
        let span = self.span(value);
        let written = value.get();
        let written = &written[1..written.len() - 1];
        if !written.contains('\\') {
            return Some(Text { text: Cow::Borrowed(written), span, places: Vec::new() });
        }
        match serde_json::from_str::<String>(value.get()) {
            Ok(text) => Some(Text { text: Cow::Owned(text), span, places: places(written) }),
            Err(error) => {
                self.error(draft, span, &error, "a surrogate comes in a pair");
                None
            }
        }
    }

    /// A number; none where it is another value.
    pub(super) fn number(&self, value: Value<'t>) -> Option<f64> {
        if kind(value) == Kind::Number { serde_json::from_str(value.get()).ok() } else { None }
    }
}

/// What kind of value it is.
pub(super) fn kind(value: Value<'_>) -> Kind {
    match value.get().as_bytes().first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        Some(b'-' | b'0'..=b'9') => Kind::Number,
        Some(b'n') => Kind::Null,
        _ => Kind::Other,
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

/// The offset of a line and a column, both as `serde_json` counts them: from 1, columns in bytes, and
/// column 0 where a line break is at fault.
fn place(text: &str, line: usize, column: usize) -> usize {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len);
    let mut place = (before.sum::<usize>() + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// Reads an object's entries in order, those of the same key as well.
struct Entries;

impl<'t> Visitor<'t> for Entries {
    type Value = Vec<(Value<'t>, Value<'t>)>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_keep_their_places() {
        let text = r#"["a\"\u00e9\ud83d\ude00\n<b>", "<b>"]"#;
        let json = Json::new(0, text);
        let mut draft = Draft::new(None);
        let whole = json.whole(&mut draft).unwrap();
        for value in json.array(whole).unwrap() {
            let string = json.string(&mut draft, value).unwrap();
            let at = string.text.find('<').unwrap();
            let span = string.part(at..at + 3);
            assert_eq!(&text[span.start as usize..span.end as usize], "<b>");
            let end = string.part(string.text.len()..string.text.len());
            assert_eq!(end.end + 1, string.span.end);
        }
    }
}
