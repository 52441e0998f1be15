//! URI references, judged by fluent-uri.

use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "uri",
    standard: "RFC 3986, appendix A",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "fluent-uri 0.4",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &["", "a:", "//[v1.a]:", "http://u:p@[::1]:80/a;b?c#d", "%41"],
        refused: &["1:a", "http://[::1", "http://[v.a]", "%4", "a b", "http://a:b", "é", "a^"],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    fluent_uri::UriRef::parse(text).map(drop).map_err(|error| error.to_string())
}
