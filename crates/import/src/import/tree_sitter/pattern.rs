//! Patterns of tree-sitter as regular expressions of the `regex` crate.
//!
//! A pattern is written as JavaScript writes it and read by tree-sitter as that crate reads it, but for its own
//! sense of `\d`, `\s` and `\w`, which are ASCII. What is negated and what `.` stands for has no NUL, which ends
//! the text for the lexers that tree-sitter generates.

use std::fmt::Write as _;

/// The inner part of a class.
fn shorthand(symbol: char) -> Option<&'static str> {
    match symbol.to_ascii_lowercase() {
        'd' => Some("0-9"),
        's' => Some("\\t-\\r\\x20"),
        'w' => Some("0-9A-Z_a-z"),
        _ => None,
    }
}

/// Reads a pattern with its flags; the second part names flags that mean nothing here.
pub(super) fn translate(pattern: &str, flags: &str) -> (String, String) {
    let mut out = String::with_capacity(pattern.len() + 8);
    if flags.contains('i') {
        out.push_str("(?i)");
    }
    let dot = if flags.contains('s') { "[^\\x00]" } else { "[^\\n\\x00]" };
    let mut rest = pattern;
    while let Some(symbol) = rest.chars().next() {
        let after = &rest[symbol.len_utf8()..];
        rest = match symbol {
            '\\' => escape(after, &mut out, false),
            '[' => class(after, &mut out),
            '.' => {
                out.push_str(dot);
                after
            }
            '{' => {
                let length = count(after);
                if length == 0 {
                    out.push_str("\\{");
                } else {
                    out.push('{');
                    out.push_str(&after[..length]);
                }
                &after[length..]
            }
            '}' => {
                out.push_str("\\}");
                after
            }
            _ => {
                out.push(symbol);
                after
            }
        };
    }
    let unknown = flags.chars().filter(|flag| !"dgimsuvy".contains(*flag)).collect();
    (out, unknown)
}

/// How long a count is, from behind its `{` to behind its `}`; 0 where there is none.
fn count(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(text);
    let mut at = first;
    if text[at..].starts_with(',') {
        at += 1;
        at += digits(&text[at..]);
    }
    if first > 0 && text[at..].starts_with('}') { at + 1 } else { 0 }
}

/// Writes a symbol for itself.
fn literal(symbol: char, out: &mut String) {
    match symbol {
        '\\' | '^' | '$' | '.' | '|' | '?' | '*' | '+' | '(' | ')' | '[' | ']' | '{' | '}'
        | '-' | '&' | '~' | '#' => {
            out.push('\\');
            out.push(symbol);
        }
        ' '..='~' => out.push(symbol),
        _ if symbol.is_alphanumeric() => out.push(symbol),
        // Writing to a string does not fail.
        _ => drop(write!(out, "\\x{{{:X}}}", u32::from(symbol))),
    }
}

/// What follows a backslash, in a class or outside; the rest of the text.
fn escape<'t>(text: &'t str, out: &mut String, in_class: bool) -> &'t str {
    let Some(symbol) = text.chars().next() else {
        out.push_str("\\\\");
        return text;
    };
    let after = &text[symbol.len_utf8()..];
    match symbol {
        'd' | 's' | 'w' => {
            let inner = shorthand(symbol).unwrap_or_default();
            let (open, close) = if in_class { ("", "") } else { ("[", "]") };
            out.extend([open, inner, close]);
            after
        }
        'D' | 'S' | 'W' => {
            out.extend(["[^\\x00", shorthand(symbol).unwrap_or_default(), "]"]);
            after
        }
        'p' | 'P' => {
            let length = match after.strip_prefix('{') {
                Some(name) => name.find('}').map_or(after.len(), |end| end + 2),
                None => after.chars().next().map_or(0, char::len_utf8),
            };
            out.push('\\');
            out.push(symbol);
            out.push_str(&after[..length]);
            &after[length..]
        }
        'B' | 'b' if !in_class => {
            out.push('\\');
            out.push(symbol);
            after
        }
        _ => match code(text) {
            Some((symbol, rest)) => {
                literal(symbol, out);
                rest
            }
            // What is no character at all is for the reader of the regular expression to refuse.
            None => {
                out.push('\\');
                out.push(symbol);
                after
            }
        },
    }
}

/// The character that an escape means, behind its backslash, and the rest of the text.
fn code(text: &str) -> Option<(char, &str)> {
    let symbol = text.chars().next()?;
    let after = &text[symbol.len_utf8()..];
    let hex = |digits: usize| {
        let digits = after.get(..digits)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let found = match symbol {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'f' => '\u{C}',
        'v' => '\u{B}',
        'b' => '\u{8}',
        '0' => '\0',
        'c' => {
            let letter = after.chars().next().filter(char::is_ascii_alphabetic)?;
            return Some((char::from(letter as u8 & 31), &after[1..]));
        }
        'x' if !after.starts_with('{') => return Some((char::from_u32(hex(2)?)?, &after[2..])),
        'x' | 'u' if after.starts_with('{') => {
            let end = after.find('}')?;
            let code = u32::from_str_radix(&after[1..end], 16).ok()?;
            return Some((char::from_u32(code)?, &after[end + 1..]));
        }
        'u' => {
            let high = hex(4)?;
            let rest = &after[4..];
            if let 0xD800..=0xDBFF = high {
                let low = rest.strip_prefix("\\u")?.get(..4)?;
                let low = u32::from_str_radix(low, 16).ok()?.checked_sub(0xDC00)?;
                let code = 0x1_0000 + ((high - 0xD800) << 10) + low;
                return Some((char::from_u32(code)?, &rest[6..]));
            }
            return Some((char::from_u32(high)?, rest));
        }
        _ => symbol,
    };
    Some((found, after))
}

/// A class behind its `[`; the rest of the text.
fn class<'t>(text: &'t str, out: &mut String) -> &'t str {
    out.push('[');
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('^') {
        rest = after;
        out.push_str("^\\x00");
    }
    let mut is_first = true;
    while let Some(symbol) = rest.chars().next() {
        let after = &rest[symbol.len_utf8()..];
        match symbol {
            ']' if !is_first => {
                out.push(']');
                return after;
            }
            '\\' => rest = escape(after, out, true),
            // Between two ends a range, at either end of the class itself.
            '-' if !is_first && !after.starts_with(']') => {
                out.push('-');
                rest = after;
            }
            _ => {
                literal(symbol, out);
                rest = after;
            }
        }
        is_first = false;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_the_regex_crate() {
        for (pattern, flags, regex) in [
            (r"\d+(\.\d+)?", "", r"[0-9]+(\.[0-9]+)?"),
            (r"[^\\'\n]+", "", r"[^\x00\\'\x{A}]+"),
            (r"[\w$-]", "", r"[0-9A-Z_a-z\$\-]"),
            (r"[a-fA-F_\-]", "", r"[a-fA-F_\-]"),
            (r"\s\S", "", r"[\t-\r\x20][^\x00\t-\r\x20]"),
            (r"//.*", "", r"//[^\n\x00]*"),
            (r".", "s", r"[^\x00]"),
            (r"\/\*\<", "i", r"(?i)/\*<"),
            (r"a{2}{b}x{1,}{,3}", "u", r"a{2}\{b\}x{1,}\{,3\}"),
            (r"\u00e9\u{1F600}\uD83D\uDE00\x41\cJ", "", r"é\x{1F600}\x{1F600}A\x{A}"),
            (r"[\p{L}\P{Lu}]\pN", "", r"[\p{L}\P{Lu}]\pN"),
            (r"[[&&~]", "", r"[\[\&\&\~]"),
            (r"[]a]", "", r"[\]a]"),
            (r"[^\]]", "", r"[^\x00\]]"),
        ] {
            let (out, unknown) = translate(pattern, flags);
            assert_eq!((out.as_str(), unknown.as_str()), (regex, ""), "{pattern}");
            regex_syntax::parse(regex).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        }
        assert_eq!(translate("a", "iz").1, "z");
    }
}
