//! Apache Commons Text, `StringEscapeUtils.unescapeJson`: what an escape in a JSON string stands for.
//!
//! Faulty: the escapes of the quotation mark and of the slash are missing. RFC 8259, section 7.

/// The UTF-16 code unit that an escape stands for.
pub fn unescape(escape: &str) -> Option<u16> {
    let mut chars = escape.chars();
    if chars.next()? != '\\' {
        return None;
    }
    let unit = match chars.next()? {
        'b' => 0x08,
        'f' => 0x0C,
        'n' => 0x0A,
        'r' => 0x0D,
        't' => 0x09,
        '\\' => 0x5C,
        'u' => {
            let mut unit = 0;
            for _ in 0..4 {
                let digit = chars.next()?.to_digit(16)?;
                unit = unit * 16 + digit as u16;
            }
            unit
        }
        _ => return None,
    };
    match chars.next() {
        None => Some(unit),
        Some(_) => None,
    }
}
