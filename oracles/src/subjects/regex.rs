//! Regular expressions, judged by the parser of Rust's `regex` crate.

use std::collections::HashSet;
use std::sync::LazyLock;

use pleach::produce::Options;
use regex::Regex;

use crate::{Clause, Kind, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "regex",
    standard: "documentation of the regex crate 1, Syntax",
    k: 3,
    options: || Options::new().max_depth(100).max_nodes(300),
    oracles: &[Oracle {
        name: "regex-syntax 0.8",
        read: Reader::Text(read),
        clauses: &[
            Clause {
                name: "Grouping and flags: capture names differ",
                kind: Kind::BeyondGrammar,
                applies: repeats_a_name,
                witness: "(?<Straße>a)|(?P<Straße>b)",
            },
            Clause {
                name: "Grouping and flags: verbose mode ignores comments within classes",
                kind: Kind::Deviation,
                applies: has_comment_after_hyphen,
                witness: "(?x)[a-#b\n]",
            },
        ],
        accepted: &[
            "",
            "a|b|",
            "(?i-m:a)(?x) b # c\n",
            r"[\pL--\p{Greek}&&\p{Uppercase}]",
            "[]a]",
            r"\b{start-half}\<",
            "(?-u:[a-z])",
            "a{2,3}?{4}",
            "(?<n>(?P<m>))",
        ],
        refused: &[
            "(",
            "a)",
            "*",
            "a{3,2}",
            "[z-a]",
            "[]",
            r"\p{Klingon}",
            r"\e",
            r"\u{D800}",
            "(?ii)",
            "(?i-)",
            "(?-u:.)",
            "(?<1>a)",
            "(?=a)",
            r"\1",
            r"[\b]",
        ],
    }],
};

/// Whether two groups have one name. Names after an escaped parenthesis, in a class or in a comment
/// count as well: no pattern holds so long a name twice by accident.
fn repeats_a_name(text: &[u8]) -> bool {
    static NAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\?P?<([^>]+)>").expect("a valid pattern"));
    let Ok(text) = str::from_utf8(text) else { return false };
    let mut names = HashSet::new();
    NAME.captures_iter(text).any(|name| !names.insert(name.extract::<1>().1[0].to_owned()))
}

/// To tell a literal hyphen at the end of a class from a range, the parser looks for `]` behind what
/// verbose mode ignores, and stops inside the first comment that is not empty.
fn has_comment_after_hyphen(text: &[u8]) -> bool {
    static HYPHEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"-\s*#[^\n]*\n(?:\s|#[^\n]*\n)*\]").expect("a valid pattern"));
    str::from_utf8(text).is_ok_and(|text| text.contains("(?") && HYPHEN.is_match(text))
}

/// As `Regex::new` reads a pattern, before it compiles it.
fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    regex_syntax::parse(text).map(drop).map_err(|error| error.to_string().replace('\n', " "))
}
