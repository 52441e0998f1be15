//! Addresses of mail, judged by addr-spec.
//!
//! The crate reads RFC 6532's addresses, which have characters beyond ASCII as well.

use addr_spec::AddrSpec;
use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "addr-spec",
    standard: "RFC 5322, section 3.4.1",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "addr-spec 0.10",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "a@b",
            "a.b+c@d.-e",
            "\"\"@[]",
            "\"a \\\" (b\"@[1:2::3]",
            " (a(b\\))\r\n c) \"d\" (e) @ (f) g\t(h)",
            "(()) a@\r\n [\r\n b ]",
        ],
        refused: &[
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@b.",
            "a b@c",
            "(a@b",
            "a)@b",
            "\"a@b",
            "a\"b\"@c",
            "\"a\"b@c",
            "a@[b",
            "a@[b[]",
            "a@b[c]",
            "a\\ b@c",
            "a\r@b",
            "a\n@b",
            "<a@b>",
            "a,b@c",
            "(\u{1})a@b",
            "\"\u{7F}\"@b",
            "\"a\".b@c",
            "a@[\r\n \r\n b]",
        ],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    text.parse::<AddrSpec>().map(drop).map_err(|error| error.to_string())
}
