//! Unreserved characters of URIs, all others percent-encoded.

/// Why a text is not encoded.
#[derive(Debug)]
pub enum EncodingError {
    Unescaped(char),
    Truncated,
    NotHexadecimal(char),
}

fn hex_digit(c: Option<char>) -> Result<u8, EncodingError> {
    let c = c.ok_or(EncodingError::Truncated)?;
    let value = c.to_digit(16).ok_or(EncodingError::NotHexadecimal(c))?;
    Ok(value as u8)
}

/// The bytes that a text stands for.
pub fn decode(text: &str) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => {
                let high = hex_digit(chars.next())?;
                let low = hex_digit(chars.next())?;
                bytes.push(high << 4 | low);
            }
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' => bytes.push(c as u8),
            other => return Err(EncodingError::Unescaped(other)),
        }
    }
    Ok(bytes)
}
