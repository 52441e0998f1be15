//! Characters: escapes, sets in brackets, Unicode properties, and letters in either case.

use crate::import::ranges::{LAST, Ranges, complement};
use pleach_core::regular::{Alphabet, class_ranges};

/// What is wrong with a literal or a set, and how to mend it.
pub(super) struct Fault(pub(super) String, pub(super) &'static str);

/// One element of a literal or a set.
enum Item {
    One(u32),
    Many(Ranges),
}

/// The characters of a literal, without its quotes. A pair of surrogates is the character that UTF-16
/// means by it.
pub(super) fn literal(text: &str) -> Result<Vec<u32>, Fault> {
    let mut rest = text;
    let mut out: Vec<u32> = Vec::new();
    while !rest.is_empty() {
        match next(&mut rest, false)? {
            Item::One(low @ 0xDC00..=0xDFFF) => match out.last_mut() {
                Some(high @ 0xD800..=0xDBFF) => {
                    *high = 0x1_0000 + ((*high - 0xD800) << 10) + (low - 0xDC00);
                }
                _ => out.push(low),
            },
            Item::One(one) => out.push(one),
            Item::Many(_) => {
                let help = "write a set in brackets";
                return Err(Fault("a literal has no properties".into(), help));
            }
        }
    }
    Ok(out)
}

/// The characters of a set, without its brackets.
pub(super) fn set(text: &str) -> Result<Ranges, Fault> {
    let mut rest = text;
    let mut out = Vec::new();
    while !rest.is_empty() {
        let low = match next(&mut rest, true)? {
            Item::One(low) => low,
            Item::Many(ranges) => {
                out.extend(ranges);
                continue;
            }
        };
        let after = rest.strip_prefix('-').filter(|after| !after.is_empty());
        let Some(after) = after else {
            out.push((low, low));
            continue;
        };
        rest = after;
        let Item::One(high) = next(&mut rest, true)? else {
            let help = "put the `-` first or last, or write `\\-`";
            return Err(Fault("a property ends no range".into(), help));
        };
        if high < low {
            return Err(Fault("a range of this set ends before it begins".into(), "turn it round"));
        }
        out.push((low, high));
    }
    Ok(out)
}

/// The next element, which is taken off.
fn next(rest: &mut &str, in_set: bool) -> Result<Item, Fault> {
    let mut chars = rest.chars();
    let first = chars.next().map_or(0, u32::from);
    *rest = chars.as_str();
    if first != u32::from('\\') {
        return Ok(Item::One(first));
    }
    let escape = chars.next();
    *rest = chars.as_str();
    Ok(Item::One(match escape {
        Some('n') => 0x0A,
        Some('r') => 0x0D,
        Some('t') => 0x09,
        Some('b') => 0x08,
        Some('f') => 0x0C,
        Some(itself @ ('\\' | '\'' | '"')) => u32::from(itself),
        Some(itself @ (']' | '-' | '[')) if in_set => u32::from(itself),
        Some('u') => code(rest)?,
        Some(kind @ ('p' | 'P')) if in_set => return property(rest, kind == 'P').map(Item::Many),
        other => {
            let what = other.map(String::from).unwrap_or_default();
            let help = "there are \\n, \\r, \\t, \\b, \\f, \\\\, \\', \\uXXXX and \\u{X}, and in sets \\], \\- and \\p{...}";
            return Err(Fault(format!("`\\{what}` is no escape"), help));
        }
    }))
}

/// The number of a character after `\u`.
fn code(rest: &mut &str) -> Result<u32, Fault> {
    let digits = match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        Some((digits, after)) => {
            *rest = after;
            digits
        }
        None => {
            let end = rest.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
            let (digits, after) = rest.split_at(end);
            *rest = after;
            if end < 4 { "" } else { digits }
        }
    };
    let code = Some(digits)
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.filter(|&code| code <= LAST).ok_or_else(|| {
        let help = "write four hexadecimal digits, or up to 10FFFF in braces";
        Fault("there is no such character".into(), help)
    })
}

/// The characters of a property after `\p` or `\P`.
fn property(rest: &mut &str, negated: bool) -> Result<Ranges, Fault> {
    let Some((name, after)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) else {
        return Err(Fault("a property stands in braces".into(), "write \\p{Name}"));
    };
    *rest = after;
    let plain = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'=' | b'-' | b' '))
    };
    let found = match plain(name) && !name.is_empty() {
        true => {
            class_ranges(&format!("[\\p{{{}}}]", name.replace('-', "_")), Alphabet::Unicode).ok()
        }
        false => None,
    };
    let Some(ranges) = found else {
        let help = "categories, scripts and binary properties are known; write what else there is (blocks, say) as ranges";
        return Err(Fault(format!("no property `{name}` is known"), help));
    };
    Ok(if negated { complement(ranges, LAST) } else { ranges })
}

/// A character's lower and upper form, where that is one character.
fn forms(one: u32) -> (u32, u32) {
    let Some(char) = char::from_u32(one) else { return (one, one) };
    let single = |mut form: Box<dyn Iterator<Item = char>>| match (form.next(), form.next()) {
        (Some(form), None) => u32::from(form),
        _ => one,
    };
    (single(Box::new(char.to_lowercase())), single(Box::new(char.to_uppercase())))
}

/// Adds the other case of each range whose ends have one, as ANTLR does: a range whose forms are not of one
/// length, or of which one end is a small letter and the other a capital one, stays as it is.
pub(super) fn fold(ranges: &mut Ranges) {
    let mut more = Vec::new();
    for &(low, high) in ranges.iter() {
        let ((lower_low, upper_low), (lower_high, upper_high)) = (forms(low), forms(high));
        let mixed = (lower_low == low) != (lower_high == high);
        let alike = lower_high.wrapping_sub(lower_low) == upper_high.wrapping_sub(upper_low);
        if !mixed && alike && lower_low <= lower_high {
            more.extend([(lower_low, lower_high), (upper_low, upper_high)]);
        }
    }
    ranges.append(&mut more);
    ranges.sort_unstable();
    ranges.dedup();
}

/// A character in both cases.
pub(super) fn both(one: u32) -> Ranges {
    let mut ranges = vec![(one, one)];
    fold(&mut ranges);
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements() {
        let of = |text| set(text).ok();
        assert_eq!(of("a-c-"), Some(vec![(97, 99), (45, 45)]));
        assert_eq!(of("\\]\\-\\u0041-\\u{43}"), Some(vec![(93, 93), (45, 45), (0x41, 0x43)]));
        assert_eq!(of("\\P{ASCII}").map(|all| all[0]), Some((0x80, LAST)));
        assert_eq!(of("b-a"), None);
        assert_eq!(of("\\q"), None);
        assert_eq!(of("\\p{Nothing}"), None);
        assert_eq!(of("\\u{110000}"), None);
        assert_eq!(literal("\\uD83D\\uDE00").ok(), Some(vec![0x1F600]));
    }

    #[test]
    fn cases() {
        assert_eq!(both(0x61), [(0x41, 0x41), (0x61, 0x61)]);
        assert_eq!(both(0x31), [(0x31, 0x31)]);
        let folded = |mut ranges: Ranges| {
            fold(&mut ranges);
            ranges
        };
        assert_eq!(folded(vec![(0x61, 0x7A)]), [(0x41, 0x5A), (0x61, 0x7A)]);
        // The capital form of the last one is far from those of the others.
        assert_eq!(folded(vec![(0xF8, 0xFF)]), [(0xF8, 0xFF)]);
    }
}
