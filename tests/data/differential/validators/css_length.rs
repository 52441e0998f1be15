//! A length of CSS: digits, a fraction if wanted, and a unit.

const UNITS: [&str; 4] = ["px", "em", "rem", "%"];

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

fn is_number(text: &str) -> bool {
    match text.split_once('.') {
        Some((whole, fraction)) => (whole.is_empty() || is_digits(whole)) && is_digits(fraction),
        None => is_digits(text),
    }
}

/// Whether a text is a length.
pub fn is_length(text: &str) -> bool {
    UNITS.iter().any(|unit| text.strip_suffix(unit).is_some_and(is_number))
}
