//! A message is decoded.

/// Reads one input.
pub fn run(data: &[u8]) {
    let _ = adsb::parse_binary(data);
}
