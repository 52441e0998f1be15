//! libphonenumber, `PhoneNumberUtil.parse`: the digits of an international phone number.
//!
//! Faulty: a number must have 3 to 17 digits, where the RFC that its documentation refers to has one or
//! more. RFC 3966, section 3: `global-number-digits = "+" *phonedigit DIGIT *phonedigit`.

const MIN_DIGITS: usize = 3;
const MAX_DIGITS: usize = 17;

/// Why a number cannot be parsed.
#[derive(Debug, PartialEq)]
pub enum ParseError {
    /// No plus sign is in front.
    InvalidCountryCode,
    /// Something is neither a digit nor a visual separator.
    NotANumber(char),
    TooShort,
    TooLong,
}

/// The digits of a number.
pub fn parse(number: &str) -> Result<String, ParseError> {
    let subscriber = number.strip_prefix('+').ok_or(ParseError::InvalidCountryCode)?;
    let digits = normalize(subscriber)?;
    match digits.len() {
        length if length < MIN_DIGITS => Err(ParseError::TooShort),
        length if length > MAX_DIGITS => Err(ParseError::TooLong),
        _ => Ok(digits),
    }
}

fn normalize(number: &str) -> Result<String, ParseError> {
    let mut digits = String::with_capacity(number.len());
    for c in number.chars() {
        match c {
            '0'..='9' => digits.push(c),
            '(' | ')' | '.' | '-' => {}
            other => return Err(ParseError::NotANumber(other)),
        }
    }
    Ok(digits)
}
