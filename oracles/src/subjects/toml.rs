//! TOML, judged by toml.
//!
//! The crate reads TOML 1.1, which has all that TOML 1.0 has. A `DeTable` keeps numbers as text, so
//! nothing is excused. A `Table` is read as well, and must be refused by right of one clause alone:
//! numbers out of range.

use std::num::IntErrorKind;

use pleach::produce::Options;

use toml::de::{DeTable, DeValue};

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "toml",
    standard: "TOML 1.0.0",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "toml 1",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "",
            "a = 1\r\n[b] # c\n[[c]]\n[[c]]",
            "a = [1e999, -9223372036854775808, 0xffffffffffffffffff]",
            "a.b = 1\na.c = 2\n'' = {}",
            "[a]\nb.c = 1\n[a.b.d]",
            "[a.b]\n[a]\nc = inf\n[a.d]",
            "a = \"\"\"\"\"\\\n\n \"\"\"\"",
            "a = [ # b\n 1, \n]",
            "a = 1990-12-31 23:59:60Z",
            "a = 1990-12-31\nb = 07:59:60.5",
        ],
        refused: &[
            "a",
            "a = ",
            "= 1",
            "a = 1 b = 2",
            "a = 01",
            "a = 1__0",
            "a = 1.",
            "a = .5",
            "a = 0XFF",
            "a = 0x",
            "a = 8a",
            "a = 'b",
            "a = \"\\ud800\"",
            "a = \"\\q\"",
            "a = 2023-02-29",
            "a = 24:00:00",
            "a = True",
            "a = [1 2]",
            "a = {b = 1",
            "a = 1\na = 2",
            "[a]\n[a]",
            "a.b = 1\na.b.c = 2",
            "[a",
            "[[a]",
            "[]",
            "a = \"\n\"",
            "# \u{7F}",
            "a = 1\r",
        ],
    }],
};

/// Section Integer: "64-bit signed integers should be accepted and handled losslessly", and what
/// cannot be so represented is an error. Section Float: "Floats should be implemented as IEEE 754
/// binary64 values".
fn has_number_out_of_range(table: &DeTable<'_>) -> bool {
    // The crate reads 80 levels, so this is bounded.
    table.values().any(|value| is_out_of_range(value.get_ref()))
}

fn is_out_of_range(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Integer(integer) => {
            // What is no number is refused for that.
            let read = i64::from_str_radix(integer.as_str(), integer.radix());
            read.is_err_and(|error| {
                matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow)
            })
        }
        DeValue::Float(float) => {
            let written_so = float.as_str().contains("inf");
            !written_so && float.as_str().parse::<f64>().is_ok_and(f64::is_infinite)
        }
        DeValue::Array(array) => array.iter().any(|value| is_out_of_range(value.get_ref())),
        DeValue::Table(table) => has_number_out_of_range(table),
        DeValue::String(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => false,
    }
}

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    let excused = has_number_out_of_range(table.get_ref());
    match (toml::from_str::<toml::Table>(text), excused) {
        (Ok(_), false) | (Err(_), true) => Ok(()),
        (Err(error), false) => Err(error.to_string()),
        (Ok(_), true) => Err("read as a table in spite of the clause".into()),
    }
}
