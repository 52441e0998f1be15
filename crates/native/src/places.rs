//! Where the values of a native call stand in the program's input, and the input with others there.
//!
//! Natively there is no term that says how a value is computed: what is equal to a part of the input, after decoding or as a decimal number, may come of it
//! (the paper's mapping, with percent-encoding, base64 and case beside). Whether it does is seen by changing that part and running the program.

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use pleach_unit::wire::{Kind, Value};
use std::ops::Range;

/// At how many places a value is looked for.
const MOST: usize = 8;
/// How long what is base64 is at least: shorter words are mostly just words.
const LEAST: usize = 8;

/// The encoding in which a value of a call stands in the program's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is, in capitals or not.
    Raw,
    /// As forms and addresses have it: `%41` for a byte, and `+` for a space.
    Percent,
    /// As strings of programming languages and patterns have it: a backslash before a byte, or before a letter that stands for one.
    Escaped,
    /// As the digits of a number.
    Decimal,
}

impl Form {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Raw => "raw",
            Form::Percent => "percent",
            Form::Escaped => "escaped",
            Form::Decimal => "decimal",
        }
    }
}

/// Where a value stands in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it begins.
    pub begin: usize,
    /// Where what is behind it begins.
    pub end: usize,
    /// How it stands there.
    pub form: Form,
    /// The part of the input that is base64, from and to, if it stands in what that is decoded to.
    pub within: Option<(usize, usize)>,
}

impl Place {
    /// The part of the input that changes with the value.
    pub fn range(&self) -> Range<usize> {
        let (begin, end) = self.within.unwrap_or((self.begin, self.end));
        begin..end
    }
}

/// How other values are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As what was there is.
    Plain,
    /// Bytes percent-encoded where they are no letters, digits or one of `-._~`.
    Encoded,
    /// As what was there is, and the number before a part that says how long that was says how long it is.
    Measured,
}

impl How {
    /// All, in the order in which they are tried.
    pub const ALL: [How; 3] = [How::Plain, How::Encoded, How::Measured];
}

/// A number as it is written.
fn decimal(bytes: &[u8], signed: bool) -> Vec<u8> {
    let number =
        bytes.iter().rev().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte));
    let is_negative = signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    match is_negative {
        false => number.to_string(),
        true => {
            let sign = if bytes.len() < 16 { u128::MAX << (8 * bytes.len()) } else { 0 };
            ((number | sign) as i128).to_string()
        }
    }
    .into_bytes()
}

/// Where the text that begins at a place ends that is decoded to a value; and whether something in it is encoded.
fn decoded(input: &[u8], value: &[u8]) -> Option<(usize, bool)> {
    let (mut at, mut encoded) = (0, false);
    let digit = |byte: u8| char::from(byte).to_digit(16);
    for wanted in value {
        let (byte, length) = match input[at..] {
            [b'%', high, low, ..] if let (Some(high), Some(low)) = (digit(high), digit(low)) => {
                ((high << 4 | low) as u8, 3)
            }
            [b'+', ..] => (b' ', 1),
            [byte, ..] => (byte, 1),
            [] => return None,
        };
        if byte != *wanted {
            return None;
        }
        encoded |= length == 3 || input[at] == b'+';
        at += length;
    }
    Some((at, encoded))
}

/// Letters that stand for a byte behind a backslash.
const LETTERS: [(u8, u8); 9] = [
    (b'n', b'\n'),
    (b't', b'\t'),
    (b'r', b'\r'),
    (b'0', 0),
    (b'b', 8),
    (b'f', 12),
    (b'a', 7),
    (b'v', 11),
    (b'e', 27),
];

/// Bytes that have a backslash, with what stands for them.
type Escapes<'i> = Vec<(u8, &'i [u8])>;

/// Where the text that begins at a place ends that is a value with backslashes; and each byte of ASCII that has one, with what stands for it. None if
/// there is no backslash.
fn unescaped<'i>(input: &'i [u8], value: &[u8]) -> Option<(usize, Escapes<'i>)> {
    let (mut at, mut rest, mut escapes, mut is_it) = (0, value, Escapes::new(), false);
    while let Some((wanted, behind)) = rest.split_first() {
        rest = behind;
        let length = match input.get(at..)? {
            [b'\\', b'u', digits @ ..] if let Some(text) = character(digits) => {
                // Characters of several bytes are written as they are.
                rest = rest.strip_prefix(&text.as_bytes()[1..])?;
                (text.as_bytes()[0] == *wanted).then_some(6)?
            }
            [b'\\', it, ..] if it == wanted || LETTERS.contains(&(*it, *wanted)) => 2,
            [it, ..] if it == wanted => 1,
            _ => return None,
        };
        is_it |= length > 1;
        if length > 1 && wanted.is_ascii() {
            escapes.push((*wanted, &input[at..at + length]));
        }
        at += length;
    }
    is_it.then_some((at, escapes))
}

/// The character that four hexadecimal digits are.
fn character(digits: &[u8]) -> Option<String> {
    let digits = str::from_utf8(digits.get(..4)?).ok()?;
    let is_digits = digits.bytes().all(|it| it.is_ascii_hexdigit());
    let number = is_digits.then(|| u32::from_str_radix(digits, 16).ok())??;
    char::from_u32(number).map(String::from)
}

/// Bytes as the text has them that stood for a value: what had a backslash has one, and so has what can't do without.
fn escaped(bytes: &[u8], text: &[u8], value: &[u8]) -> Vec<u8> {
    let (_, escapes) = unescaped(text, value).unwrap_or_default();
    let mut written = Vec::new();
    for byte in bytes {
        match escapes.iter().find(|it| it.0 == *byte) {
            Some((_, escape)) => written.extend(*escape),
            None => match LETTERS.iter().find(|it| it.1 == *byte) {
                Some((letter, _)) => written.extend([b'\\', *letter]),
                None if *byte == b'\\' => written.extend(b"\\\\"),
                None => written.push(*byte),
            },
        }
    }
    written
}

/// Where a value may stand in an input.
pub fn places(value: &Value, input: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    if value.bytes.is_empty() {
        return places;
    }
    within(value, input, None, &mut places);
    places.truncate(MOST);
    let mut decoded = Vec::new();
    for text in encoded_texts(input) {
        if let Some((bytes, _)) = from_base64(&input[text.clone()]) {
            within(value, &bytes, Some((text.start, text.end)), &mut decoded);
        }
        if decoded.len() >= MOST {
            break;
        }
    }
    places.extend(decoded.into_iter().take(MOST));
    places
}

/// Where it may stand in a text.
fn within(value: &Value, text: &[u8], within: Option<(usize, usize)>, places: &mut Vec<Place>) {
    if let Kind::Number { signed } = value.kind {
        let digits = decimal(&value.bytes, signed);
        for (begin, window) in text.windows(digits.len()).enumerate() {
            let end = begin + digits.len();
            if window == digits && is_number(text, begin, end) {
                places.push(Place { begin, end, form: Form::Decimal, within });
            }
        }
        return;
    }
    let mut others = Vec::new();
    for begin in 0..text.len() {
        let end = begin + value.bytes.len();
        let part = text.get(begin..end).unwrap_or_default();
        if part == value.bytes {
            places.push(Place { begin, end, form: Form::Raw, within });
        } else if part.eq_ignore_ascii_case(&value.bytes) {
            others.push(Place { begin, end, form: Form::Raw, within });
        } else if let Some((length, true)) = decoded(&text[begin..], &value.bytes) {
            places.push(Place { begin, end: begin + length, form: Form::Percent, within });
        } else if let Some((length, _)) = unescaped(&text[begin..], &value.bytes) {
            places.push(Place { begin, end: begin + length, form: Form::Escaped, within });
        }
        if places.len() >= MOST {
            break;
        }
    }
    // What is the same has the first turn.
    places.extend(others.into_iter().take(MOST));
}

/// Whether digits are all of a number.
fn is_number(text: &[u8], begin: usize, end: usize) -> bool {
    let is_digit =
        |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
    !is_digit(begin.checked_sub(1)) && !is_digit(Some(end))
}

fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

/// The parts of an input that may be base64.
fn encoded_texts(input: &[u8]) -> Vec<Range<usize>> {
    let (mut texts, mut at) = (Vec::new(), 0);
    while at < input.len() {
        let symbols = input[at..].iter().take_while(|byte| is_symbol(**byte)).count();
        let padding = input[at + symbols..].iter().take(2).take_while(|byte| **byte == b'=');
        let length = symbols + padding.count();
        if length >= LEAST {
            texts.push(at..at + length);
        }
        at += length.max(1);
    }
    texts
}

/// What a text is in base64, by either alphabet and with or without padding, and how to write it so.
fn from_base64(text: &[u8]) -> Option<(Vec<u8>, GeneralPurpose)> {
    let is_for_addresses = text.iter().any(|byte| b"-_".contains(byte));
    let alphabet = match is_for_addresses {
        true => &base64::alphabet::URL_SAFE,
        false => &base64::alphabet::STANDARD,
    };
    // One whose length says nothing is written with padding where that is.
    let pads = text.len().is_multiple_of(4);
    let config = GeneralPurposeConfig::new()
        .with_encode_padding(pads)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(alphabet, config);
    engine.decode(text).ok().map(|bytes| (bytes, engine))
}

/// A value of the same kind and length that is another one: letters and digits become the next ones.
pub fn another(value: &Value) -> Vec<u8> {
    let mut bytes = value.bytes.clone();
    if let Kind::Number { .. } = value.kind {
        // The number of digits stays mostly.
        if let Some(first) = bytes.first_mut() {
            *first ^= 1;
        }
        return bytes;
    }
    for byte in &mut bytes {
        *byte = match *byte {
            b'z' => b'a',
            b'Z' => b'A',
            b'9' => b'0',
            it if it.is_ascii_alphanumeric() => it + 1,
            it => it,
        };
    }
    if bytes == value.bytes {
        match bytes.iter_mut().rfind(|it| it.is_ascii()) {
            Some(last) => *last = b'a',
            // The last byte of a character of several, too, may be so.
            None => bytes.iter_mut().last().into_iter().for_each(|last| *last ^= 1),
        }
    }
    bytes
}

/// Parts of a text and what is to stand there.
type Parts = Vec<(Range<usize>, Vec<u8>)>;

/// The input with other values at these places. In a text of parts each line of a value has its mark. If the input is an HTTP request whose body is as long
/// as its header says, it says so again.
pub fn put(input: &[u8], new: &[(Place, &Value, &[u8])], how: How) -> Vec<u8> {
    let has_parts = input.starts_with(b"%parts\n");
    let mut parts = Parts::new();
    // How long was what changed, in each of the ways in which that may be said, and how long it is.
    let mut lengths: Vec<(usize, [(usize, usize); 2])> = Vec::new();
    let mut inner: Vec<(Range<usize>, Parts)> = Vec::new();
    for (place, value, bytes) in new {
        let range = place.begin..place.end;
        let written = match value.kind {
            Kind::Number { signed } => decimal(bytes, signed),
            _ if how == How::Encoded => encoded(bytes),
            _ if place.form == Form::Escaped => {
                let base = place.within.and_then(|(begin, end)| from_base64(&input[begin..end]));
                let text = base.as_ref().map_or(input, |(text, _)| text);
                escaped(bytes, &text[range.clone()], &value.bytes)
            }
            _ => bytes.to_vec(),
        };
        if place.within.is_some() {
            match inner.iter_mut().find(|it| it.0 == place.range()) {
                Some((_, all)) => all.push((range, written)),
                None => inner.push((place.range(), vec![(range, written)])),
            }
            continue;
        }
        lengths.push((place.begin, [(range.len(), written.len()); 2]));
        parts.push((range, if has_parts { marked(&written) } else { written }));
    }
    for (text, all) in inner {
        let Some((old, engine)) = from_base64(&input[text.clone()]) else { continue };
        let bytes = spliced(&old, all);
        let written = engine.encode(&bytes).into_bytes();
        lengths.push((text.start, [(old.len(), bytes.len()), (text.len(), written.len())]));
        parts.push((text, written));
    }
    if let Some((begin, end, body)) = length(input) {
        let of_body = parts.iter().filter(|(range, _)| range.start >= body);
        let of_body =
            of_body.map(|(range, bytes)| (range.start - body..range.end - body, bytes.clone()));
        let length = spliced(&input[body..], of_body.collect()).len();
        parts.push((begin..end, length.to_string().into_bytes()));
    } else if how == How::Measured {
        for (begin, all) in lengths {
            parts.extend(all.iter().find_map(|length| measured(&input[..begin], *length)));
        }
    }
    spliced(input, parts)
}

/// The last number before a part that is its length, if that is another one, and that as it is written.
fn measured(before: &[u8], (old, new): (usize, usize)) -> Option<(Range<usize>, Vec<u8>)> {
    let digits = old.to_string().into_bytes();
    let starts = (0..before.len().checked_sub(digits.len())? + 1).rev();
    let mut places = starts.map(|begin| begin..begin + digits.len());
    let place = places
        .find(|it| before[it.clone()] == digits[..] && is_number(before, it.start, it.end))?;
    (old != new).then(|| (place, new.to_string().into_bytes()))
}

/// A text with other parts. Where two are the same or overlap the first one is there.
fn spliced(text: &[u8], mut parts: Parts) -> Vec<u8> {
    parts.sort_by_key(|(range, _)| range.start);
    let (mut made, mut from) = (Vec::new(), 0);
    for (range, bytes) in parts {
        if range.start >= from {
            made.extend(&text[from..range.start]);
            made.extend(bytes);
            from = range.end;
        }
    }
    made.extend(&text[from..]);
    made
}

/// As it stands in a text of parts, where each line has a mark.
fn marked(bytes: &[u8]) -> Vec<u8> {
    let marked = |&byte: &u8| [Some(byte), (byte == b'\n').then_some(b'|')];
    bytes.iter().flat_map(marked).flatten().collect()
}

fn encoded(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for &byte in bytes {
        match byte {
            b'-' | b'.' | b'_' | b'~' => text.push(byte),
            _ if byte.is_ascii_alphanumeric() => text.push(byte),
            _ => text.extend(format!("%{byte:02X}").into_bytes()),
        }
    }
    text
}

/// Where the length of an HTTP request's body stands, from and to, and where the body begins; if it is right.
fn length(input: &[u8]) -> Option<(usize, usize, usize)> {
    let mut lines = input.split_inclusive(|&byte| byte == b'\n');
    let mut at = lines
        .next()
        .filter(|line| {
            line.trim_ascii_end()
                .rsplit(|&it| it == b' ')
                .next()
                .is_some_and(|it| it.starts_with(b"HTTP/1."))
        })?
        .len();
    let mut found = None;
    for line in lines {
        let begin = at;
        at += line.len();
        if line.trim_ascii().is_empty() {
            let (from, to, length) = found?;
            return (input.len() - at == length).then_some((from, to, at));
        }
        const NAME: &[u8] = b"content-length:";
        if let Some((name, value)) = line.split_at_checked(NAME.len())
            && name.eq_ignore_ascii_case(NAME)
        {
            let from = begin + NAME.len() + value.len() - value.trim_ascii_start().len();
            let digits = value.trim_ascii();
            found = Some((
                from,
                from + digits.len(),
                str::from_utf8(digits).ok()?.parse::<usize>().ok()?,
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &str =
        "POST /x HTTP/1.1\r\nHost: a\r\ncontent-length: 21\r\n\r\nuser=a%6Cice+b&n=-300";

    fn found(value: &Value, input: &str) -> Vec<(String, Form)> {
        let text = |place: &Place| (input[place.begin..place.end].to_owned(), place.form);
        places(value, input.as_bytes()).iter().map(text).collect()
    }

    #[test]
    fn values_are_found_as_they_are_decoded_and_as_digits() {
        assert_eq!(
            found(&Value::text("it", "alice b"), REQUEST),
            [("a%6Cice+b".into(), Form::Percent)]
        );
        assert_eq!(found(&Value::bytes("it", b"user"), REQUEST), [("user".into(), Form::Raw)]);
        assert_eq!(
            found(&Value::number("it", -300i16 as u128, 2, true), REQUEST),
            [("-300".into(), Form::Decimal)]
        );
        // Part of another number, and what ends within what is encoded.
        for (value, input) in [
            (Value::number("it", 30, 1, false), "300 130"),
            (Value::text("it", "a "), "a%2"),
            (Value::text("it", ""), "x"),
        ] {
            assert!(found(&value, input).is_empty(), "{value:?}");
        }
        assert_eq!(found(&Value::text("it", "x"), &"x".repeat(100)).len(), MOST);
        // What is the same comes before what is so in another case, and neither keeps what is in base64 away.
        let input = format!("{}id=1 aWQgaWQgaWQ=", "ID ".repeat(9));
        let all = places(&Value::text("it", "id"), input.as_bytes());
        assert_eq!((all[0].begin, all[0].within), (27, None));
        assert_eq!(all.iter().filter(|it| it.within.is_some()).count(), 3);
    }

    #[test]
    fn backslashes_are_found_and_put_where_they_were() {
        let put_into = |input: &str, value: &str, new: &str| {
            let value = Value::text("it", value);
            let all = places(&value, input.as_bytes());
            let [place] = all[..] else { panic!("{all:?}") };
            assert_eq!(place.form, Form::Escaped);
            let made = put(input.as_bytes(), &[(place, &value, new.as_bytes())], How::Plain);
            String::from_utf8(made).unwrap()
        };
        assert_eq!(put_into(r"s/a\(b*\)/c/", "a(b*)", "ab(c)*"), r"s/ab\(c\)*/c/");
        assert_eq!(put_into(r#""a\"\u00e9\t""#, "a\"é\t", "\té\"\n\\"), r#""\té\"\n\\""#);
        assert_eq!(put_into(r"a\\b", r"a\b", r"\"), r"\\");
        for (value, input) in [("a", r"\b"), ("a(", r"a\"), ("\u{e9}", r"\u00"), ("xé", r"x\u00+9")]
        {
            assert_eq!(places(&Value::text("it", value), input.as_bytes()), []);
        }
    }

    #[test]
    fn what_is_put_is_found_again_and_the_length_of_the_request_is_right() {
        let (name, number) =
            (Value::text("name", "alice b"), Value::number("n", -300i16 as u128, 2, true));
        let all = [places(&name, REQUEST.as_bytes())[0], places(&number, REQUEST.as_bytes())[0]];
        let new = [(all[0], &name, &b"K&=%\xff"[..]), (all[1], &number, &5i16.to_le_bytes()[..])];
        let request = |body: &str| {
            format!("POST /x HTTP/1.1\r\nHost: a\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        };
        let made = String::from_utf8(put(REQUEST.as_bytes(), &new, How::Encoded)).unwrap();
        assert_eq!(made, request("user=K%26%3D%25%FF&n=5"));
        let text = [(all[0], &name, &b"a much longer name"[..])];
        let made = String::from_utf8(put(REQUEST.as_bytes(), &text, How::Plain)).unwrap();
        assert_eq!(made, request("user=a much longer name&n=-300"));
        // Two values that are the same part: the first one is there, and counted.
        let twice = [(all[0], &name, &b"x"[..]), (all[0], &name, &b"yyy"[..])];
        let made = String::from_utf8(put(REQUEST.as_bytes(), &twice, How::Plain)).unwrap();
        assert_eq!(made, request("user=x&n=-300"));
        // A length that is wrong, and no request at all, stay.
        for old in [REQUEST.replace("21", "20"), REQUEST.replace("HTTP/1.1", "")] {
            let place = places(&name, old.as_bytes())[0];
            let made = String::from_utf8(put(old.as_bytes(), &[(place, &name, b"x")], How::Plain))
                .unwrap();
            assert_eq!(made, old.replace("a%6Cice+b", "x"));
        }
    }

    #[test]
    fn what_is_base64_is_looked_into_and_lengths_before_it_can_be_right_again() {
        // "the name is alice", of 17 bytes.
        for (input, longer) in [
            ("17:dGhlIG5hbWUgaXMgYWxpY2U=", "18:dGhlIG5hbWUgaXMgQm9iYmkx"),
            ("24 17 dGhlIG5hbWUgaXMgYWxpY2U=!", "24 18 dGhlIG5hbWUgaXMgQm9iYmkx!"),
            ("a 23 dGhlIG5hbWUgaXMgYWxpY2U", "a 24 dGhlIG5hbWUgaXMgQm9iYmkx"),
        ] {
            let value = Value::text("name", "ALICE");
            let all = places(&value, input.as_bytes());
            let [place] = all[..] else { panic!("{all:?}") };
            assert_eq!((place.begin, place.end, place.form), (12, 17, Form::Raw));
            assert!(input[place.range()].starts_with("dGhl"));
            let new = [(place, &value, &b"Bobbi1"[..])];
            let made = String::from_utf8(put(input.as_bytes(), &new, How::Measured)).unwrap();
            assert_eq!(made, longer);
            let made = String::from_utf8(put(input.as_bytes(), &new, How::Plain)).unwrap();
            assert!(made.starts_with(&input[..place.range().start]), "{made}");
        }
        // The alphabet for addresses, and a part that is its own length.
        let (input, value) = ("k=__8-YWxpY2U", Value::text("name", "alice"));
        let place = places(&value, input.as_bytes())[0];
        let made = put(input.as_bytes(), &[(place, &value, b"bob")], How::Plain);
        assert_eq!(String::from_utf8(made).unwrap(), "k=__8-Ym9i");
        let (input, value) = ("4:name5:alice", Value::text("name", "alice"));
        let place = places(&value, input.as_bytes())[0];
        let made = put(input.as_bytes(), &[(place, &value, b"a longer one")], How::Measured);
        assert_eq!(String::from_utf8(made).unwrap(), "4:name12:a longer one");
        assert!(places(&Value::text("it", "ok"), b"b2sgb2s$").is_empty(), "too short");
    }

    #[test]
    fn lines_of_parts_have_their_marks() {
        let input = "%parts\nargs\n|one\n|two\nstdin\n|text\n";
        let value = Value::text("it", "text");
        let place = places(&value, input.as_bytes())[0];
        let made = put(input.as_bytes(), &[(place, &value, b"a\nb\n")], How::Plain);
        assert_eq!(made, b"%parts\nargs\n|one\n|two\nstdin\n|a\n|b\n|\n");
    }

    #[test]
    fn another_value_is_another_one() {
        for value in [
            Value::text("it", "az9"),
            Value::text("it", "+"),
            Value::bytes("it", b"\xff-"),
            Value::bytes("it", b"\x80\xff"),
            Value::text("it", "日本"),
            Value::number("it", 9, 4, false),
        ] {
            let other = another(&value);
            assert!(other != value.bytes && other.len() == value.bytes.len(), "{value:?}");
            assert!(value.kind != Kind::Text || std::str::from_utf8(&other).is_ok(), "{value:?}");
        }
        assert!(another(&Value::text("it", "")).is_empty());
    }
}
