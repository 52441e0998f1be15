//! Text that is safe to show: on one line, without control characters, in XML and HTML.

use std::fmt::Write;

/// Bytes as text that can be read and told apart: what is no UTF-8 or does not print is escaped as
/// in a literal of the notation, and so is the backslash.
///
/// # Examples
///
/// ```
/// use pleach::report::visible;
///
/// assert_eq!(visible(b"a\t\\\xFF\xC3\xA9\xE2\x80\xAE"), r"a\t\\\xFFé\u{202E}");
/// ```
pub fn visible(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for symbol in chunk.valid().chars() {
            match symbol {
                '\\' => out.push_str("\\\\"),
                _ => push(symbol, &mut out),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
    out
}

/// Text on one line, with what does not print escaped; the rest, backslashes too, stays as it is.
///
/// # Examples
///
/// ```
/// assert_eq!(pleach::report::on_one_line("a\\b\nc\u{1B}[1m"), "a\\b\\nc\\x1B[1m");
/// ```
pub fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|symbol| push(symbol, &mut out));
    out
}

fn push(symbol: char, out: &mut String) {
    let _ = match symbol {
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        '\0'..='\x1F' | '\x7F' => write!(out, "\\x{:02X}", u32::from(symbol)),
        _ if is_unseen(symbol) => write!(out, "\\u{{{:X}}}", u32::from(symbol)),
        _ => {
            out.push(symbol);
            Ok(())
        }
    };
}

/// Whether a character shows nothing by itself, or changes how its neighbours show: controls,
/// separators of lines, marks of direction, what has no width, what XML does not allow, and private
/// use.
fn is_unseen(symbol: char) -> bool {
    matches!(symbol,
        '\u{80}'..='\u{A0}' | '\u{AD}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202F}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{10FFFF}')
        || u32::from(symbol) & 0xFFFE == 0xFFFE
}

/// Appends text for XML and HTML, as content or in a quoted attribute. Characters that XML does not
/// allow are written as U+FFFD.
pub(super) fn markup(text: &str, out: &mut String) {
    for symbol in text.chars() {
        match symbol {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(symbol),
            '\r' => out.push_str("&#13;"),
            '\0'..='\x1F' | '\x7F'..='\u{9F}' => out.push('\u{FFFD}'),
            _ if u32::from(symbol) & 0xFFFE == 0xFFFE => out.push('\u{FFFD}'),
            _ => out.push(symbol),
        }
    }
}

/// As [`markup`], in a string of its own.
pub(super) fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    markup(text, &mut out);
    out
}

/// At most so many characters, the last an ellipsis where some are left out.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A number with its thousands set apart.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// A share in percent with one decimal, rounded down: only all of it is 100.
///
/// # Examples
///
/// ```
/// use pleach::report::percent;
///
/// assert_eq!([percent(999_999, 1_000_000), percent(5, 5)], ["99.9", "100"]);
/// ```
pub fn percent(covered: u64, total: u64) -> String {
    if covered >= total {
        return "100".into();
    }
    let tenths = u128::from(covered) * 1000 / u128::from(total);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// How many cells of a fixed pitch a text takes, wide characters two.
pub(super) fn cells(text: &str) -> usize {
    text.chars()
        .map(|symbol| match symbol {
            '\u{1100}'..='\u{115F}'
            | '\u{2E80}'..='\u{A4CF}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FE30}'..='\u{FE6F}'
            | '\u{FF00}'..='\u{FF60}'
            | '\u{FFE0}'..='\u{FFE6}'
            | '\u{1F000}'.. => 2,
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_shown_on_one_line_and_allowed_in_xml() {
        for symbol in '\0'..=char::MAX {
            let text = symbol.to_string();
            for shown in [visible(text.as_bytes()), on_one_line(&text)] {
                let good =
                    |c: char| c == ' ' || !(c.is_control() || c.is_whitespace()) || !is_unseen(c);
                assert!(!shown.is_empty() && shown.chars().all(good), "{symbol:?} {shown:?}");
                assert!(!shown.contains(['\n', '\r', '\u{1B}', '\u{202E}', '\u{2028}']));
            }
            let marked = marked(&text);
            let allowed = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
            assert!(marked.chars().all(allowed), "{symbol:?}");
            assert!(!marked.contains(['<', '>', '"', '\'']), "{symbol:?}");
        }
    }

    #[test]
    fn different_bytes_are_shown_differently() {
        let mut seen = std::collections::HashSet::new();
        for first in 0..=255_u8 {
            assert!(seen.insert(visible(&[first])));
            for second in 0..=255_u8 {
                assert!(seen.insert(visible(&[first, second])), "{first} {second}");
            }
        }
        assert_eq!(visible(b"\\n"), "\\\\n");
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        let plain = |number| grouped(number).replace('\u{2009}', ",");
        assert_eq!([0, 999, 1000, 1_234_567].map(plain), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äö…");
    }
}
