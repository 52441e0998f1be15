//! Who says of a text whether it is of a language.

use serde_json::value::RawValue;

/// Whether a text is JSON by its syntax alone: a value would need its surrogates in pairs, and its numbers to fit.
pub fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<Box<RawValue>>(text).is_ok()
}
