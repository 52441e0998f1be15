//! IP addresses, judged by the standard library.

use std::net::{Ipv4Addr, Ipv6Addr};

use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "ip",
    standard: "RFC 3986, section 3.2.2",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "std::net",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &["0.0.0.0", "255.255.255.255", "::", "::1.2.3.4", "1:2:3:4:5:6:7:8"],
        refused: &[
            "256.0.0.1",
            "01.2.3.4",
            "1.2.3",
            "::1::",
            "1:2:3:4:5:6:7",
            "12345::",
            "::1.2.3",
        ],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    match (text.parse::<Ipv4Addr>(), text.parse::<Ipv6Addr>()) {
        (Err(v4), Err(v6)) => Err(format!("{v4}; {v6}")),
        _ => Ok(()),
    }
}
