//! A message with a time is read: since 0.8.0 the conversion may fail, which the row's driver does not know.

/// Reads one input.
pub fn run(data: &[u8]) {
    if let Ok(timestamp) = <prost_types::Timestamp as prost::Message>::decode(data) {
        let _ = std::time::SystemTime::try_from(timestamp);
    }
}
