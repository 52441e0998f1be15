//! Versions, judged by semver.

use pleach::produce::Options;

use crate::{Clause, Kind, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "semver",
    standard: "Semantic Versioning 2.0.0",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "semver 1",
        read: Reader::Text(read),
        clauses: &[Clause {
            name: "item 2: version numbers have no upper bound, semver's have 64 bits",
            kind: Kind::Deviation,
            applies: has_number_out_of_range,
            witness: "18446744073709551616.0.0",
        }],
        accepted: &[
            "0.0.0",
            "18446744073709551615.1.10",
            "1.0.0-99999999999999999999999",
            "1.0.0-alpha.1",
            "1.0.0---RC.0a.-+000.-1.--",
            "1.0.0+099999999999999999999999",
        ],
        refused: &[
            "",
            "1",
            "1.2",
            "01.2.3",
            "1.2.03",
            "1.2.3-",
            "1.2.3-01",
            "1.2.3-a..b",
            "1.2.3+",
            "1.2.3+a+b",
            "1.2.3-é",
            "v1.2.3",
            "1.2.3.4",
            " 1.2.3",
            "1.2.3-a_b",
            "1.-2.3",
            "1.2.3+a.",
            "99999999999999999999.0",
            "99999999999999999999.0.0-",
        ],
    }],
};

/// Item 2: a version is three non-negative integers, of which none has an upper bound.
fn has_number_out_of_range(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let (version, tail) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
    let numbers: Vec<&str> = version.split('.').collect();
    let digits = |number: &&str| {
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && !(number.len() > 1 && number.starts_with('0'))
    };
    // The rest is the reader's to judge, so it judges it behind numbers in range.
    numbers.len() == 3
        && numbers.iter().all(digits)
        && numbers.iter().any(|number| number.parse::<u64>().is_err())
        && read(format!("0.0.0{tail}").as_bytes()).is_ok()
}

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    semver::Version::parse(text).map(drop).map_err(|error| error.to_string())
}
