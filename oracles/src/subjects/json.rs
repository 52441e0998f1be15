//! JSON, judged by serde_json.
//!
//! A raw value is read by syntax alone, so nothing is excused. A `Value` is read as well, and must
//! be refused by right of two clauses alone: numbers out of range, and lone surrogates.

use std::sync::LazyLock;

use pleach::produce::Options;
use regex::Regex;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "json",
    standard: "RFC 8259",
    k: 3,
    // Two edges a level, and serde_json reads 127 levels.
    options: || Options::new().max_depth(200),
    oracles: &[Oracle {
        name: "serde_json 1",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "1e308",
            "1e309",
            "[-1E999]",
            r#""\\ud800""#,
            r#""\uD834\uDD1E""#,
            r#""\ud800""#,
            r#""\uDD1E\uD834""#,
            r#""\ud800\ud800""#,
            r#""1e999""#,
            r#""\"1e999""#,
        ],
        refused: &["", "[1,]", "01", "\"\u{1}\"", "nul", "{\"a\" 1}", "[1] 2", "\"\\x\""],
    }],
};

/// RFC 8259, section 6: the specification "allows implementations to set limits on the range and
/// precision of numbers accepted". serde_json's limit is the range of a double.
fn has_number_out_of_range(text: &str) -> bool {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""(?:[^"\\]|\\.)*"|(-?[0-9][0-9.eE+-]*)"#).expect("a valid pattern")
    });
    TOKEN.captures_iter(text).filter_map(|token| token.get(1)).any(|number| {
        number.as_str().parse::<f64>().expect("a number of JSON is one of Rust").is_infinite()
    })
}

/// RFC 8259, section 8.2: the grammar "allows member names and string values to contain bit
/// sequences that cannot encode Unicode characters".
fn has_lone_surrogate(text: &str) -> bool {
    static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
        let pair = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}";
        let lone = r"(\\u[dD][89a-fA-F][0-9a-fA-F]{2})";
        Regex::new(&format!(r"{pair}|{lone}|\\.")).expect("a valid pattern")
    });
    ESCAPE.captures_iter(text).any(|escape| escape.get(1).is_some())
}

fn read(text: &[u8]) -> Result<(), String> {
    serde_json::from_slice::<&serde_json::value::RawValue>(text)
        .map_err(|error| error.to_string())?;
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let excused = has_number_out_of_range(text) || has_lone_surrogate(text);
    match (serde_json::from_str::<serde_json::Value>(text), excused) {
        (Ok(_), false) | (Err(_), true) => Ok(()),
        (Err(error), false) => Err(error.to_string()),
        (Ok(_), true) => Err("read as a value in spite of a clause".into()),
    }
}
