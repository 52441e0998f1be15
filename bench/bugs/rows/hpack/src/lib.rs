//! A block of headers is decoded.

/// Reads one input.
pub fn run(data: &[u8]) {
    let _ = hpack::Decoder::new().decode(data);
}
