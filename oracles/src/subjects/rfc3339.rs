//! Timestamps, judged by time.
//!
//! `time` takes any character for "T", by the note of section 5.6; in all else it is as strict as
//! the standard, leap seconds included.

use pleach::produce::Options;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "rfc3339",
    standard: "RFC 3339, section 5.6",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "time 0.3",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "1985-04-12T23:20:50.52Z",
            "1996-12-19t16:39:57-08:00",
            "1990-12-31T15:59:60-08:00",
            "1991-01-01T05:29:60.5+05:30",
            "2000-02-29T00:00:00-00:00",
            "9999-12-31T23:59:59.9999999999999999999999z",
        ],
        refused: &[
            "",
            "2024-02-30T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2023-04-31T00:00:00Z",
            "2023-00-01T00:00:00Z",
            "2023-01-00T00:00:00Z",
            "2023-01-01T24:00:00Z",
            "2023-01-01T23:60:00Z",
            "2023-01-01T23:59:60Z",
            "1991-01-01T05:59:60+05:30",
            "2023-01-01T00:00:00",
            "2023-01-01T00:00:00.Z",
            "2023-01-01T00:00Z",
            "2023-01-01T00:00:00+24:00",
            "2023-01-01T00:00:00+0100",
            "2023-1-1T00:00:00Z",
            "20230101T000000Z",
            "2023-01-01T00:00:00Z ",
            "+2023-01-01T00:00:00Z",
        ],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    OffsetDateTime::parse(text, &Rfc3339).map(drop).map_err(|error| error.to_string())
}
