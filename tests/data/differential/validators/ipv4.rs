//! An IPv4 address of four numbers without leading zeros.

use std::fmt;

#[derive(Debug)]
pub struct AddressError;

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an IPv4 address")
    }
}

fn parse_octet(text: &str) -> Result<u8, AddressError> {
    match text.as_bytes() {
        [b'0'] => Ok(0),
        [b'1'..=b'9', ..] => text.parse().map_err(|_| AddressError),
        _ => Err(AddressError),
    }
}

/// The four bytes.
pub fn parse_address(text: &str) -> Result<[u8; 4], AddressError> {
    let mut octets = text.split('.');
    let mut address = [0; 4];
    for octet in &mut address {
        *octet = parse_octet(octets.next().ok_or(AddressError)?)?;
    }
    match octets.next() {
        None => Ok(address),
        Some(_) => Err(AddressError),
    }
}
