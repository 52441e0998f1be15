//! JSON with places, in one array: what a value contains stands before it, however deep it nests.

use pest::Parser as _;

use crate::grammar::{Diagnostic, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/tree_sitter/json.pest"]
struct Tokens;

/// How deep values may nest.
const MAX_DEPTH: usize = 400;

/// The index of a value.
pub(super) type ValueId = usize;

/// A value.
#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    /// A number, `true`, `false` or `null`.
    Word,
    Array(Vec<ValueId>),
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) value: ValueId,
}

/// All values of a text; the last is the outermost.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) values: Vec<Value>,
    pub(super) spans: Vec<Span>,
}

impl Values {
    /// A member of an object by its name; none where the value is no object.
    pub(super) fn member(&self, id: ValueId, name: &str) -> Option<ValueId> {
        let Value::Object(members) = &self.values[id] else { return None };
        members.iter().find(|member| member.name == name).map(|member| member.value)
    }

    /// A member that is a text.
    pub(super) fn text(&self, id: ValueId, name: &str) -> Option<&str> {
        match &self.values[self.member(id, name)?] {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What a member holds that is an array.
    pub(super) fn array(&self, id: ValueId, name: &str) -> Option<&[ValueId]> {
        match &self.values[self.member(id, name)?] {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }
}

/// A value that is open.
struct Open {
    begin: Span,
    is_object: bool,
    items: Vec<ValueId>,
    members: Vec<Member>,
    /// The name of the member whose value comes next, and whether its colon was seen.
    name: Option<(String, Span)>,
    colon: bool,
    /// Whether a comma was the last.
    comma: bool,
}

/// Reads a text.
pub(super) fn read(file: u32, text: &str) -> Result<Values, Diagnostic> {
    let mut values = Values::default();
    let mut open: Vec<Open> = Vec::new();
    let mut done = false;
    let mistake = |span: Span, message: &str| {
        Err(Diagnostic::error(span, message).help("the text is to be one value of JSON"))
    };
    // Every text has tokens.
    for token in Tokens::parse(Rule::tokens, text).into_iter().flatten() {
        let place = token.as_span();
        let span = Span { file, start: place.start() as u32, end: place.end() as u32 };
        let shown = token.as_str();
        if token.as_rule() == Rule::EOI {
            break;
        }
        if done {
            return mistake(span, "more follows the value");
        }
        let mut last = open.last_mut();
        let waits = match &mut last {
            None => true,
            Some(open) if open.is_object => open.colon,
            Some(open) => open.items.is_empty() || open.comma,
        };
        let value = match (token.as_rule(), shown) {
            (Rule::mark, "{" | "[") if waits => {
                if open.len() >= MAX_DEPTH {
                    let message = "values nest deeper than 400";
                    return Err(Diagnostic::error(span, message).help("name the inner rules"));
                }
                let is_object = shown == "{";
                let (items, members) = (Vec::new(), Vec::new());
                let (name, colon, comma) = (None, false, false);
                open.push(Open { begin: span, is_object, items, members, name, colon, comma });
                continue;
            }
            (Rule::mark, "}" | "]") => {
                let fits = last.is_some_and(|open| {
                    open.is_object == (shown == "}") && open.name.is_none() && !open.comma
                });
                let Some(closed) = open.pop().filter(|_| fits) else {
                    return mistake(span, &format!("`{shown}` stands where nothing ends"));
                };
                let whole = Span { end: span.end, ..closed.begin };
                match closed.is_object {
                    true => (Value::Object(closed.members), whole),
                    false => (Value::Array(closed.items), whole),
                }
            }
            (Rule::mark, ",") => match last {
                Some(open) if !(open.comma || open.items.is_empty() && open.members.is_empty()) => {
                    if open.name.is_some() {
                        return mistake(span, "a value is missing");
                    }
                    open.comma = true;
                    continue;
                }
                _ => return mistake(span, "`,` follows nothing"),
            },
            (Rule::mark, ":") => match last {
                Some(open) if open.name.is_some() && !open.colon => {
                    open.colon = true;
                    continue;
                }
                _ => return mistake(span, "`:` follows no name"),
            },
            (Rule::string, _) => {
                let Some(text) = unescape(&shown[1..shown.len() - 1]) else {
                    return mistake(span, "an escape of this string is none");
                };
                match last {
                    Some(open)
                        if open.is_object
                            && open.name.is_none()
                            && (open.members.is_empty() || open.comma) =>
                    {
                        (open.name, open.comma) = (Some((text, span)), false);
                        continue;
                    }
                    _ if waits => (Value::Text(text), span),
                    _ => return mistake(span, "this string stands where none can"),
                }
            }
            (Rule::unclosed, _) => {
                let span = Span { end: span.start + 1, ..span };
                return mistake(span, "this string is not closed");
            }
            (Rule::word, _) if waits => (Value::Word, span),
            _ => return mistake(span, &format!("`{shown}` stands where it cannot")),
        };
        let id = values.values.len();
        values.values.push(value.0);
        values.spans.push(value.1);
        match open.last_mut() {
            None => done = true,
            Some(open) => {
                open.comma = false;
                if let Some((name, span)) = open.name.take() {
                    open.colon = false;
                    open.members.push(Member { name, span, value: id });
                } else {
                    open.items.push(id);
                }
            }
        }
    }
    match open.last() {
        Some(open) => mistake(open.begin, "this is not closed"),
        None if !done => mistake(Span { file, start: 0, end: 0 }, "there is no value"),
        None => Ok(values),
    }
}

/// The text of a string; none where an escape is wrong. Halves of surrogate pairs that stand alone become
/// the replacement character.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut units: Vec<u16> = Vec::new();
    loop {
        let at = rest.find('\\').unwrap_or(rest.len());
        let unit = rest.get(at + 2..at + 6).filter(|_| rest[at..].starts_with("\\u"));
        if !units.is_empty() && (at > 0 || unit.is_none()) {
            out.extend(char::decode_utf16(units.drain(..)).map(|one| one.unwrap_or('\u{FFFD}')));
        }
        out.push_str(&rest[..at]);
        if at == rest.len() {
            return Some(out);
        }
        if let Some(unit) = unit {
            units.push(u16::from_str_radix(unit, 16).ok()?);
            rest = &rest[at + 6..];
            continue;
        }
        out.push(match rest[at + 1..].chars().next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{C}',
            symbol @ ('"' | '\\' | '/') => symbol,
            _ => return None,
        });
        rest = &rest[at + 2..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_mean_what_their_escapes_say() {
        for (text, meaning) in [
            (r"a\n\/\\\u0041", Some("a\n/\\A")),
            (r"\uD83D\uDE00-\ud83d.", Some("😀-\u{FFFD}.")),
            (r"\q", None),
            (r"\u00", None),
            (r"\u00é", None),
        ] {
            assert_eq!(unescape(text).as_deref(), meaning, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused_where_it_is_wrong() {
        for (text, start) in [
            ("{\"a\": [1, true,], \"b\": 2}", 15),
            ("{\"a\" 1}", 5),
            ("{\"a\": }", 6),
            ("[1 2]", 3),
            ("[,1]", 1),
            ("{1: 2}", 1),
            ("[1]]", 3),
            ("[[1]", 0),
            ("", 0),
            ("{\"a\": \"\\q\"}", 6),
            ("[1}", 2),
            ("[\"a\\\"]", 1),
            ("{\"a\":1,}", 7),
        ] {
            let error = read(0, text).unwrap_err();
            assert_eq!(error.span.start, start, "{text}: {error:?}");
        }
        let values = read(0, " {\"a\": [1, {\"b\": \"c\"}], \"d\": null} ").unwrap();
        let outer = values.values.len() - 1;
        let inner = values.array(outer, "a").unwrap()[1];
        assert_eq!(values.text(inner, "b"), Some("c"));
    }
}
