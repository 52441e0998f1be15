//! A query is formatted.

use sqlformat::{FormatOptions, QueryParams};

/// Reads one input.
pub fn run(text: &str) {
    let _ = sqlformat::format(text, &QueryParams::None, FormatOptions::default());
}
