//! serde_json under cargo-afl: a value is written and read again.
//!
//! The target is as it would be without pleach; the mutator is loaded by `afl-fuzz`.

fn main() {
    afl::fuzz!(|data: &[u8]| {
        if let Ok(value) = serde_json::from_slice::<serde_json::Value>(data) {
            let written = value.to_string();
            assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok());
        }
    });
}
