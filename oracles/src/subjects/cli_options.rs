//! Calls of GNU grep, run, and read by a model of its options.

use std::sync::OnceLock;

use pleach::parts::Parts;
use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

#[allow(dead_code)] // The example uses the rest.
#[path = "../../../examples/cli_options/grep.rs"]
mod grep;

/// A call with these arguments, with all files and standard input.
macro_rules! call {
    ($($word:literal)*) => {
        concat!(
            "%parts\nargs\n", $("|", $word, "\n",)* "|\n",
            "file text\n|the\n|\nfile more\n|\nfile patterns\n|the\n|\nstdin\n|the\n|\n"
        )
    };
}
pub const SUBJECT: Subject = Subject {
    grammar: "cli-options",
    standard: "GNU Grep manual, section 2",
    // For k = 3 there are 82,000 inputs.
    k: 2,
    options: Options::new,
    oracles: &[
        Oracle {
            name: "GNU grep",
            read: Reader::Text(run),
            clauses: &[],
            accepted: ACCEPTED,
            refused: &[
                call!(),
                call!("-i"),
                call!("the" "nofile"),
                call!("-E" "-F" "the"),
                call!("the" "-e" "x"),
                call!("-f" "nofile"),
                call!("--nope" "the"),
                call!("--count=1" "the"),
                call!("-A" "the"),
                call!("-m" "x" "the"),
                call!("-A-1" "the"),
                call!("-d" "jump" "the"),
                call!("--color=maybe" "the"),
                call!("--binary-files=all" "the"),
                call!("--exclude-from=nofile" "the"),
                call!("--" "-i" "the"),
            ],
        },
        Oracle {
            name: "a model of its options",
            read: Reader::Text(read),
            clauses: &[],
            accepted: ACCEPTED,
            refused: &[
                call!(),
                call!("-i"),
                call!("-E" "-F" "the"),
                call!("-GE" "the"),
                call!("the" "-e" "x"),
                call!("the" "-f" "patterns"),
                call!("--nope" "the"),
                call!("--count=1" "the"),
                call!("-j" "the"),
                call!("the" "-A"),
                call!("-A" "the"),
                call!("the" "--label"),
            ],
        },
    ],
};

const ACCEPTED: &[&str] = &[
    call!("the"),
    call!("the" "text" "-in" "-A1" "more" "-"),
    call!("-e" "the" "-fpatterns" "--color" "--" "text"),
    call!("-E" "-E" "--extended-regexp" "the"),
    call!("--regexp" "-x" "text"),
    call!("-rdskip" "-2" "-12c" "the"),
    call!("--no-ignore-case" "--exclude-from" "patterns" "--label=a=b" "the"),
];

fn parts(text: &[u8]) -> Result<Parts, String> {
    Parts::read(text).map_err(|error| error.to_string())
}

/// Not every system's grep is GNU's.
fn run(text: &[u8]) -> Result<(), String> {
    static VERSION: OnceLock<Result<String, String>> = OnceLock::new();
    VERSION.get_or_init(grep::version).as_ref().map_err(Clone::clone)?;
    grep::run(&parts(text)?).map(drop)
}

fn read(text: &[u8]) -> Result<(), String> {
    grep::read(&grep::words(&parts(text)?)?).map(drop)
}
