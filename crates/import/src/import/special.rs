//! Characters by words and numbers, where a notation leaves them to prose: ISO's special sequences, `? ... ?`, and
//! names that a text in BNF uses and does not define.

/// The symbols that some words stand for; none where its words are not known.
///
/// `last` is the last symbol there is. Known are the names of the control characters of ISO/IEC 6429, as ISO/IEC 14977 writes them
/// (`ISO 6429 character Horizontal Tabulation`), numbers of characters and ranges of them (`U+41`,
/// `U+0041-U+005A`, `#x41`), and a few phrases.
pub(super) fn symbols(words: &str, last: u32) -> Option<Vec<(u32, u32)>> {
    let words = words.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = words.join(" ");
    let mut rest = words.as_str();
    for prefix in ["iso 6429 character ", "iso/iec 6429 character ", "the ", "ascii character "] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    let one = |symbol: u32| Some(vec![(symbol, symbol)]);
    match rest {
        "any unicode character"
        | "any character"
        | "any unicode scalar value"
        | "all characters" => Some(vec![(0, last)]),
        "any byte" | "any octet" => Some(vec![(0, 0xFF)]),
        "any ascii character" => Some(vec![(0, 0x7F)]),
        "any visible character" | "all visible characters" | "any printable ascii character" => {
            Some(vec![(0x20, 0x7E)])
        }
        "any letter" | "any ascii letter" => Some(vec![(0x41, 0x5A), (0x61, 0x7A)]),
        "any digit" | "any decimal digit" => Some(vec![(0x30, 0x39)]),
        "white space characters" | "any white space character" => {
            Some(vec![(0x09, 0x0D), (0x20, 0x20)])
        }
        "null" | "nul" => one(0x00),
        "backspace" => one(0x08),
        "horizontal tabulation" | "horizontal tab" | "tabulation" | "tab" => one(0x09),
        "line feed" | "newline" | "new line" | "lf" => one(0x0A),
        "vertical tabulation" | "vertical tab" => one(0x0B),
        "form feed" => one(0x0C),
        "carriage return" | "cr" => one(0x0D),
        "escape" => one(0x1B),
        "space" => one(0x20),
        "quotation mark" => one(0x22),
        "apostrophe" => one(0x27),
        "delete" => one(0x7F),
        "no-break space" => one(0xA0),
        _ => range(rest),
    }
}

/// Characters by their numbers: `u+41`, `#x41`, `0x41` or `u+41-u+5a`.
fn range(text: &str) -> Option<Vec<(u32, u32)>> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = ["u+", "#x", "0x"].iter().find_map(|prefix| text.strip_prefix(prefix))?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        char::from_u32(number).map(u32::from)
    };
    let (low, high) =
        text.split_once('-').or_else(|| text.split_once("..")).unwrap_or((text, text));
    let (low, high) = (number(low)?, number(high)?);
    (low <= high).then(|| vec![(low, high)])
}

/// A name for what a special sequence stands for, as the native notation takes names.
pub(super) fn name(words: &str) -> String {
    let mut out = String::new();
    for symbol in words.trim().chars() {
        let shown = if symbol.is_ascii_alphanumeric() { symbol } else { '_' };
        if shown != '_' || !out.ends_with('_') {
            out.push(shown);
        }
    }
    let out = out.trim_matches('_');
    if out.starts_with(|first: char| first.is_ascii_alphabetic()) {
        out.to_owned()
    } else {
        format!("special_{out}")
    }
}
