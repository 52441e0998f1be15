//! A message with a time is read.

/// Reads one input.
pub fn run(data: &[u8]) {
    if let Ok(timestamp) = <prost_types::Timestamp as prost::Message>::decode(data) {
        let _ = std::time::SystemTime::from(timestamp);
    }
}
