//! A document in DER is read.

/// Reads one input.
pub fn run(data: &[u8]) {
    let _ = simple_asn1::from_der(data);
}
