//! A time of day, `HH:MM`.

fn two_digits(text: &str) -> Option<u8> {
    if text.len() != 2 || !text.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Hours and minutes.
pub fn parse_time(text: &str) -> Option<(u8, u8)> {
    let (hours, minutes) = text.split_once(':')?;
    let hours = two_digits(hours).filter(|&hours| hours < 24)?;
    let minutes = two_digits(minutes).filter(|&minutes| minutes < 60)?;
    Some((hours, minutes))
}
