//! Where the values of a native call stand in the program's input, and the input with others there.
//!
//! Natively there is no term that says how a value is computed: what is equal to a part of the input, after decoding or as a decimal number, may come of it
//! (the paper's mapping, with percent-encoding beside). Whether it does is seen by changing that part and running the program.

use pleach_unit::wire::{Kind, Value};

/// At how many places a value is looked for.
const MOST: usize = 8;

/// The encoding in which a value of a call stands in the program's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Raw,
    /// As forms and addresses have it: `%41` for a byte, and `+` for a space.
    Percent,
    /// As the digits of a number.
    Decimal,
}

impl Form {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Raw => "raw",
            Form::Percent => "percent",
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

/// Where a value may stand in an input.
pub fn places(value: &Value, input: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    if value.bytes.is_empty() {
        return places;
    }
    if let Kind::Number { signed } = value.kind {
        let digits = decimal(&value.bytes, signed);
        for (begin, window) in input.windows(digits.len()).enumerate() {
            let end = begin + digits.len();
            let is_digit =
                |at: Option<usize>| at.and_then(|at| input.get(at)).is_some_and(u8::is_ascii_digit);
            if window == digits && !is_digit(begin.checked_sub(1)) && !is_digit(Some(end)) {
                places.push(Place { begin, end, form: Form::Decimal });
            }
        }
    } else {
        for begin in 0..input.len() {
            let is_raw = input[begin..].starts_with(&value.bytes);
            if is_raw {
                places.push(Place { begin, end: begin + value.bytes.len(), form: Form::Raw });
            } else if let Some((length, true)) = decoded(&input[begin..], &value.bytes) {
                places.push(Place { begin, end: begin + length, form: Form::Percent });
            }
            if places.len() >= MOST {
                break;
            }
        }
    }
    places.truncate(MOST);
    places
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
    if bytes == value.bytes
        && let Some(last) = bytes.iter_mut().rfind(|it| it.is_ascii())
    {
        *last = b'a';
    }
    bytes
}

/// The input with other values at these places. With `encodes` bytes are percent-encoded where they are no letters, digits or
/// one of `-._~`. In a text of parts each line of a value has its mark. If the input is an HTTP request whose body is as long as its header says, it says so again.
pub fn put(input: &[u8], new: &[(Place, &Value, &[u8])], encodes: bool) -> Vec<u8> {
    let has_parts = input.starts_with(b"%parts\n");
    let mut new: Vec<(Place, Vec<u8>)> = new
        .iter()
        .map(|(place, value, bytes)| {
            let bytes = match value.kind {
                Kind::Number { signed } => decimal(bytes, signed),
                _ if encodes => encoded(bytes),
                _ => bytes.to_vec(),
            };
            (*place, if has_parts { marked(&bytes) } else { bytes })
        })
        .collect();
    if let Some((begin, end, body)) = length(input) {
        let mut length = input.len() - body;
        for (place, bytes) in new.iter().filter(|(place, _)| place.begin >= body) {
            length = length + bytes.len() - (place.end - place.begin);
        }
        new.push((Place { begin, end, form: Form::Decimal }, length.to_string().into_bytes()));
    }
    new.sort_by_key(|(place, _)| place.begin);
    let (mut made, mut from) = (Vec::new(), 0);
    for (place, bytes) in new {
        // Two values may be the same part.
        if place.begin >= from {
            made.extend(&input[from..place.begin]);
            made.extend(bytes);
            from = place.end;
        }
    }
    made.extend(&input[from..]);
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
        let made = String::from_utf8(put(REQUEST.as_bytes(), &new, true)).unwrap();
        assert_eq!(made, request("user=K%26%3D%25%FF&n=5"));
        let text = [(all[0], &name, &b"a much longer name"[..])];
        let made = String::from_utf8(put(REQUEST.as_bytes(), &text, false)).unwrap();
        assert_eq!(made, request("user=a much longer name&n=-300"));
        // A length that is wrong, and no request at all, stay.
        for old in [REQUEST.replace("21", "20"), REQUEST.replace("HTTP/1.1", "")] {
            let place = places(&name, old.as_bytes())[0];
            let made =
                String::from_utf8(put(old.as_bytes(), &[(place, &name, b"x")], false)).unwrap();
            assert_eq!(made, old.replace("a%6Cice+b", "x"));
        }
    }

    #[test]
    fn lines_of_parts_have_their_marks() {
        let input = "%parts\nargs\n|one\n|two\nstdin\n|text\n";
        let value = Value::text("it", "text");
        let place = places(&value, input.as_bytes())[0];
        let made = put(input.as_bytes(), &[(place, &value, b"a\nb\n")], false);
        assert_eq!(made, b"%parts\nargs\n|one\n|two\nstdin\n|a\n|b\n|\n");
    }

    #[test]
    fn another_value_is_another_one() {
        for value in [
            Value::text("it", "az9"),
            Value::text("it", "+"),
            Value::bytes("it", b"\xff-"),
            Value::number("it", 9, 4, false),
        ] {
            let other = another(&value);
            assert!(other != value.bytes && other.len() == value.bytes.len(), "{value:?}");
        }
        assert!(another(&Value::text("it", "")).is_empty());
    }
}
