//! Day.js: the time of a date without an offset.
//!
//! Faulty: the first digits of the fraction, three at most, are a number of milliseconds, so half a second is
//! five of them (issue 1923). RFC 3339, section 5.6, and ISO 8601: they are a decimal fraction of a second.

/// Milliseconds since midnight.
pub fn milliseconds(time: &str) -> Option<u32> {
    let (time, fraction) = match time.split_once('.') {
        Some((time, fraction)) => (time, count(fraction)?),
        None => (time, 0),
    };
    let (hour, rest) = time.split_once(':')?;
    let (minute, second) = rest.split_once(':')?;
    let seconds =
        (two_digits(hour, 23)? * 60 + two_digits(minute, 59)?) * 60 + two_digits(second, 59)?;
    Some(seconds * 1000 + fraction)
}

fn count(fraction: &str) -> Option<u32> {
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = &fraction[..fraction.len().min(3)];
    digits.parse().ok()
}

fn two_digits(text: &str, most: u32) -> Option<u32> {
    if text.len() != 2 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|&number| number <= most)
}
