//! Arithmetic, judged by a reader of the Common Expression Language.

use std::sync::LazyLock;

use pleach::produce::Options;
use regex::Regex;

use crate::{Clause, Kind, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "expr",
    standard: "Common Expression Language, Language Definition",
    k: 3,
    // Five edges a level of parentheses; CEL asks of a reader for 32 levels, and for 32 operators
    // in a row, each of which is an edge. The more literals, the more exponents beyond 308.
    options: || Options::new().max_depth(40).max_nodes(40),
    oracles: &[Oracle {
        name: "cel 0.15",
        read: Reader::Text(read),
        clauses: &[Clause {
            name: "CEL, Numeric Values: 64-bit integers and doubles",
            kind: Kind::BeyondGrammar,
            applies: has_literal_out_of_range,
            witness: "9223372036854775809",
        }],
        accepted: &[
            "9223372036854775807",
            "18446744073709551615u",
            "x1e99",
            "1 //1e999\n",
            ".5e-1",
        ],
        refused: &["", "1+", "(1", "1 2", "*1", "+1", "1.", "2**3", "if", "0x", "a b", "1 /* */"],
    }],
};

/// CEL's Language Definition, Numeric Values: "CEL supports only 64-bit integers and 64-bit IEEE
/// double-precision floating-point".
fn has_literal_out_of_range(text: &[u8]) -> bool {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let (skipped, hex) = (r"//[^\n]*|[_a-zA-Z][_a-zA-Z0-9]*", r"0x([0-9a-fA-F]+)([uU])?");
        let integer = r"([0-9]+)([uU])?";
        let float = r"([0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)";
        Regex::new(&format!("{skipped}|{hex}|{float}|{integer}")).expect("a valid pattern")
    });
    let out = |digits: &str, radix, unsigned: bool| match u64::from_str_radix(digits, radix) {
        Ok(value) => !unsigned && i64::try_from(value).is_err(),
        Err(_) => true,
    };
    let Ok(text) = str::from_utf8(text) else { return false };
    TOKEN.captures_iter(text).any(|token| match (token.get(1), token.get(3), token.get(4)) {
        (Some(hex), _, _) => out(hex.as_str(), 16, token.get(2).is_some()),
        (_, Some(float), _) => {
            float.as_str().parse::<f64>().expect("a float of CEL is one of Rust").is_infinite()
        }
        (_, _, Some(integer)) => out(integer.as_str(), 10, token.get(5).is_some()),
        _ => false,
    })
}

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    cel::Program::compile(text).map(drop).map_err(|error| error.to_string())
}
