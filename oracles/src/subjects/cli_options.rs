//! Command lines of GNU grep, run, and read by a model of its options.

use std::path::Path;
use std::sync::OnceLock;

use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

#[allow(dead_code)] // The example uses the rest.
#[path = "../../../examples/cli_options/grep.rs"]
mod grep;

pub const SUBJECT: Subject = Subject {
    grammar: "cli-options",
    standard: "GNU Grep manual, section 2",
    // For k = 3 there are 82,000 lines.
    k: 2,
    options: Options::new,
    oracles: &[
        Oracle {
            name: "GNU grep",
            read: Reader::Text(run),
            clauses: &[],
            accepted: ACCEPTED,
            refused: &[
                "grep",
                "grep -i",
                "grep the nofile",
                "grep -E -F the",
                "grep the -e x",
                "grep -f nofile",
                "grep --nope the",
                "grep --count=1 the",
                "grep -A the",
                "grep -m x the",
                "grep -A-1 the",
                "grep -d jump the",
                "grep --color=maybe the",
                "grep --binary-files=all the",
                "grep --exclude-from=nofile the",
                "grep -- -i the",
                "sort text",
            ],
        },
        Oracle {
            name: "a model of its options",
            read: Reader::Text(read),
            clauses: &[],
            accepted: ACCEPTED,
            refused: &[
                "grep",
                "grep -i",
                "grep -E -F the",
                "grep -GE the",
                "grep the -e x",
                "grep the -f patterns",
                "grep --nope the",
                "grep --count=1 the",
                "grep -j the",
                "grep the -A",
                "grep -A the",
                "grep the --label",
                "grep  the",
                "sort text",
            ],
        },
    ],
};

const ACCEPTED: &[&str] = &[
    "grep the",
    "grep the text -in -A1 more -",
    "grep -e the -fpatterns --color -- text",
    "grep -E -E --extended-regexp the",
    "grep --regexp -x text",
    "grep -rdskip -2 -12c the",
    "grep --no-ignore-case --exclude-from patterns --label=a=b the",
];

fn words(text: &[u8]) -> Result<Vec<&str>, String> {
    grep::words(str::from_utf8(text).map_err(|error| error.to_string())?)
}

/// Not every system's grep is GNU's.
fn run(text: &[u8]) -> Result<(), String> {
    static VERSION: OnceLock<Result<String, String>> = OnceLock::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/cli_options/data");
    VERSION.get_or_init(|| grep::version(&folder)).as_ref().map_err(Clone::clone)?;
    grep::run(&folder, &words(text)?).map(drop)
}

fn read(text: &[u8]) -> Result<(), String> {
    grep::read(&words(text)?).map(drop)
}
