//! A port number, leading zeros allowed.

use std::num::ParseIntError;

/// Why a text is no port.
#[derive(Debug)]
pub enum PortError {
    Sign,
    Number(ParseIntError),
}

impl From<ParseIntError> for PortError {
    fn from(error: ParseIntError) -> Self {
        Self::Number(error)
    }
}

/// The number.
pub fn parse_port(text: &str) -> Result<u16, PortError> {
    if text.starts_with('+') {
        return Err(PortError::Sign);
    }
    let port = text.parse::<u16>()?;
    Ok(port)
}
