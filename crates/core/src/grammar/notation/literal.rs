//! What the literals of the notation stand for.

use crate::grammar::{Diagnostic, Encoding, Span};

/// Decodes what stands between the quotes.
///
/// `offset` is where it begins in its file. Mistakes are added to `found`, and decoding goes on
/// after them, so that all of a literal's are reported at once.
pub(super) fn decode(
    inner: &str,
    file: u32,
    offset: usize,
    encoding: Encoding,
    found: &mut Vec<Diagnostic>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(inner.len());
    let mut at = 0;
    while let Some(symbol) = inner[at..].chars().next() {
        let rest = &inner[at + symbol.len_utf8()..];
        let (length, decoded) = if symbol == '\\' {
            let (length, decoded) = escape(rest, encoding);
            (1 + length, decoded)
        } else {
            (symbol.len_utf8(), plain(symbol, encoding))
        };
        match decoded {
            Ok(Symbol::Byte(byte)) => bytes.push(byte),
            Ok(Symbol::Character(symbol)) => {
                bytes.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Err((message, help)) => {
                let start = (offset + at) as u32;
                let span = Span { file, start, end: start + length as u32 };
                found.push(Diagnostic::error(span, message).help(help));
            }
        }
        at += length;
    }
    bytes
}

enum Symbol {
    Byte(u8),
    Character(char),
}

/// A symbol, or what is wrong and how to mend it.
type Decoded = Result<Symbol, (String, String)>;

fn plain(symbol: char, encoding: Encoding) -> Decoded {
    if encoding == Encoding::Bytes && !symbol.is_ascii() {
        return Err((
            format!("`{symbol}` is not a byte"),
            format!("write the bytes it is meant to be: `{}` in UTF-8", utf8(symbol)),
        ));
    }
    Ok(Symbol::Character(symbol))
}

/// Decodes what follows a backslash; gives its length besides.
fn escape(rest: &str, encoding: Encoding) -> (usize, Decoded) {
    let Some(letter) = rest.chars().next() else {
        // Tokens end at an unescaped quote, so a backslash is never the last.
        return (0, Err(("nothing follows the backslash".into(), "write `\\\\`".into())));
    };
    let simple = match letter {
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        '0' => 0,
        '\\' | '"' | '\'' => letter as u8,
        'x' => return hexadecimal(&rest[1..], encoding),
        'u' => return scalar(&rest[1..], encoding),
        _ => {
            let help = match letter {
                'd' | 'w' | 's' | 'p' | 'D' | 'W' | 'S' | 'P' | 'b' => {
                    format!("a literal holds plain text: write the class `[\\{letter}]` or a regex")
                }
                'a'..='z' | 'A'..='Z' | '1'..='9' => {
                    "the escapes are `\\n \\r \\t \\0 \\\\ \\\" \\' \\xHH \\u{H...}`".into()
                }
                _ => format!("`{letter}` needs no backslash; a backslash itself is written `\\\\`"),
            };
            return (letter.len_utf8(), Err((format!("unknown escape `\\{letter}`"), help)));
        }
    };
    (1, Ok(Symbol::Byte(simple)))
}

/// What follows `\x`.
fn hexadecimal(rest: &str, encoding: Encoding) -> (usize, Decoded) {
    let length = rest.bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
    let decoded = match u8::from_str_radix(&rest[..length], 16) {
        Ok(byte) if length == 2 => {
            if encoding == Encoding::Unicode && byte > 0x7F {
                Err((
                    format!("`\\x{byte:02X}` in a Unicode grammar"),
                    format!(
                        "write `\\u{{{byte:X}}}` for the character, or say `%encoding bytes;` if \
                         a byte is meant"
                    ),
                ))
            } else {
                Ok(Symbol::Byte(byte))
            }
        }
        _ => Err((
            "`\\x` without two hexadecimal digits".into(),
            "write both digits, as in `\\x0A`".into(),
        )),
    };
    (1 + length, decoded)
}

/// What follows `\u`.
fn scalar(rest: &str, encoding: Encoding) -> (usize, Decoded) {
    let digits = rest
        .strip_prefix('{')
        .map(|rest| &rest[..rest.bytes().take_while(u8::is_ascii_hexdigit).count()])
        .filter(|digits| !digits.is_empty() && rest[1 + digits.len()..].starts_with('}'));
    let Some(digits) = digits else {
        return (
            1,
            Err((
                "`\\u` without a number in braces".into(),
                "write the character's number in hexadecimal, as in `\\u{20AC}`".into(),
            )),
        );
    };
    // Too many digits for the integer are too many for a character.
    let number = u32::from_str_radix(digits.trim_start_matches('0'), 16);
    let number = if digits.bytes().all(|digit| digit == b'0') { Ok(0) } else { number };
    let decoded = match number.ok().map(|number| (number, char::from_u32(number))) {
        Some((_, Some(symbol))) if encoding == Encoding::Bytes && !symbol.is_ascii() => Err((
            format!("`\\u{{{digits}}}` is not a byte"),
            format!("write the bytes it is meant to be: `{}` in UTF-8", utf8(symbol)),
        )),
        Some((_, Some(symbol))) => Ok(Symbol::Character(symbol)),
        Some((0xD800..=0xDFFF, None)) => Err((
            format!("`\\u{{{digits}}}` is a surrogate, not a character"),
            "a character beyond `\\u{FFFF}` is written as one number, as in `\\u{1F600}`".into(),
        )),
        _ => Err((
            format!("`\\u{{{digits}}}` is not a character"),
            "the greatest is `\\u{10FFFF}`".into(),
        )),
    };
    (digits.len() + 3, decoded)
}

/// The escapes of a character's bytes.
fn utf8(symbol: char) -> String {
    let mut buffer = [0; 4];
    symbol.encode_utf8(&mut buffer).bytes().map(|byte| format!("\\x{byte:02X}")).collect()
}
