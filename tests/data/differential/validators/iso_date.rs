//! The shape of a calendar date of ISO 8601, `YYYY-MM-DD`; which days there are is not its concern.

/// The year, month and day of a date, as they are written.
pub fn date_parts(text: &str) -> Option<(&str, &str, &str)> {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return None };
    (is_number(year, 4) && is_number(month, 2) && is_number(day, 2)).then_some((year, month, day))
}

fn is_number(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|b| b.is_ascii_digit())
}
