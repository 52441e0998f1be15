//! OpenJDK 8, `java.time.Duration.parse`: a length of time in ISO 8601's notation.
//!
//! Faulty: a fraction of a second has the sign of the seconds' value, and minus nothing is nothing, so half a
//! second less than nothing is half a second more (JDK-8054978). Its documentation: each number may have a sign
//! of its own, and the fraction has that of the seconds.

const SECOND: i128 = 1_000_000_000;

/// Nanoseconds.
pub fn parse(text: &str) -> Option<i128> {
    let mut rest = text.strip_prefix("PT")?;
    if rest.is_empty() {
        return None;
    }
    let mut total = 0;
    if let Some((hours, after)) = rest.split_once('H') {
        total += number(hours)? * 3600 * SECOND;
        rest = after;
    }
    if let Some((minutes, after)) = rest.split_once('M') {
        total += number(minutes)? * 60 * SECOND;
        rest = after;
    }
    if rest.is_empty() {
        return Some(total);
    }
    Some(total + seconds(rest.strip_suffix('S')?)?)
}

fn seconds(text: &str) -> Option<i128> {
    let Some((whole, fraction)) = text.split_once('.') else { return Some(number(text)? * SECOND) };
    let whole = number(whole)?;
    let sign = if whole < 0 { -1 } else { 1 };
    Some(whole * SECOND + sign * nanoseconds(fraction)?)
}

fn nanoseconds(fraction: &str) -> Option<i128> {
    if fraction.is_empty() || fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut value = 0;
    for place in 0..9 {
        let digit = fraction.as_bytes().get(place).map_or(0, |b| b - b'0');
        value = 10 * value + i128::from(digit);
    }
    Some(value)
}

fn number(text: &str) -> Option<i128> {
    text.parse::<i32>().ok().map(i128::from)
}
