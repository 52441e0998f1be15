//! ECMAScript 5.1, judged by the parser of the Boa engine.

use std::sync::LazyLock;

use boa_ast::scope::Scope;
use boa_interner::Interner;
use boa_parser::{Parser, Source};
use pleach::produce::Options;
use regex::Regex;

use crate::{Clause, Kind, Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "javascript",
    standard: "ECMA-262, edition 5.1",
    k: 3,
    // Some twenty edges a level of parentheses, and Boa's parser recurses as often.
    options: || Options::new().max_depth(150).max_nodes(600),
    oracles: &[Oracle {
        name: "boa_parser 0.22",
        read: Reader::Text(read),
        clauses: &[
            Clause {
                name: "section 12.12: a label is not within a statement of the same label",
                kind: Kind::BeyondGrammar,
                applies: repeats_a_label,
                witness: "nested: nested: ;",
            },
            Clause {
                name: "section 7.4: <!-- begins no comment",
                kind: Kind::Deviation,
                applies: has_html_comment,
                witness: "a(b<!--c)",
            },
            Clause {
                name: "section 7.6: async is a name like others",
                kind: Kind::Deviation,
                applies: takes_async_for_a_keyword,
                witness: "async(a)",
            },
            Clause {
                name: "section 7.9.1: a semicolon that may stand after a line end ends the statement",
                kind: Kind::Deviation,
                applies: ends_late_before_while,
                witness: "do var a\n; while (b)",
            },
            Clause {
                name: "section 13: let may name a function expression",
                kind: Kind::Deviation,
                applies: names_a_function_let,
                witness: "(function let() {})",
            },
            Clause {
                name: "section 12.4: an expression statement may begin with let [",
                kind: Kind::Deviation,
                applies: indexes_let,
                witness: "let[a](b)",
            },
        ],
        accepted: &[
            "",
            "a\n++b",
            "do ; while (0) x",
            "yield = get + of",
            "block: loop: for (;;) continue block",
            "({get a() {}, set a(b) {}, if: 1})",
            "function f() { return\na }",
            "var \\u0041 = /[/]*?/g.test('\\\n')",
        ],
        refused: &[
            "break",
            "continue",
            "return 1",
            "throw\na",
            "a\n++",
            "1 = 2",
            "var if",
            "a b",
            "if (a) else b",
            "switch (a) { default: default: }",
            "block: { continue block }",
            "while (1) break loop",
            "/(/",
            "/a/gg",
            "3in []",
            "'\n'",
            "{a: 1, b: 2}",
            "function () {}",
            "try {}",
            "for (var a, b in c) ;",
        ],
    }],
};

/// Whether two words before a colon are one, both long enough for a label of the grammar. A property
/// or the middle of a conditional counts as well.
fn repeats_a_label(text: &[u8]) -> bool {
    static LABEL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b([a-z][a-z0-9]{5,})\b").expect("a valid pattern"));
    let space = |symbol: char| symbol.is_whitespace() || symbol == '\u{FEFF}';
    let Ok(text) = str::from_utf8(text) else { return false };
    let mut labels: Vec<&str> = LABEL
        .find_iter(text)
        .filter(|name| text[name.end()..].trim_start_matches(space).starts_with([':', '/']))
        .map(|name| name.as_str())
        .filter(|&name| name != "default")
        .collect();
    labels.sort_unstable();
    labels.windows(2).any(|pair| pair[0] == pair[1])
}

/// Annex B.1.3 of later editions: `<!--` begins a comment. In edition 5.1 it is three operators.
fn has_html_comment(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| text.contains("<!--"))
}

/// White space, line ends and comments.
const LAYOUT: &str = r"(?:[\s\u{FEFF}]|/\*(?s:.)*?\*/|//[^\n\r\u{2028}\u{2029}]*)*";

/// Later editions have async arrow functions; Boa takes every call for one, and a division after the
/// name for a regular expression, and misses what follows at the end of the text.
fn takes_async_for_a_keyword(text: &[u8]) -> bool {
    static CALL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(r"\basync{LAYOUT}(?:\(|/[^*/]|$)")).expect("a valid pattern")
    });
    str::from_utf8(text).is_ok_and(|text| CALL.is_match(text))
}

/// A line end before the semicolon: Boa inserts one there and then misses `while`.
fn ends_late_before_while(text: &[u8]) -> bool {
    static END: LazyLock<Regex> = LazyLock::new(|| {
        let line = r"[\n\r\u{2028}\u{2029}]";
        Regex::new(&format!(r"\bdo\b(?s:.)*{line}{LAYOUT};{LAYOUT}while\b"))
            .expect("a valid pattern")
    });
    str::from_utf8(text).is_ok_and(|text| END.is_match(text))
}

/// A name in all editions where code is not strict.
fn names_a_function_let(text: &[u8]) -> bool {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(r"\bfunction{LAYOUT}let\b")).expect("a valid pattern")
    });
    str::from_utf8(text).is_ok_and(|text| NAME.is_match(text))
}

/// A declaration since edition 6.
fn indexes_let(text: &[u8]) -> bool {
    static INDEX: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!(r"\blet{LAYOUT}\[")).expect("a valid pattern"));
    str::from_utf8(text).is_ok_and(|text| INDEX.is_match(text))
}

fn read(text: &[u8]) -> Result<(), String> {
    str::from_utf8(text).map_err(|error| error.to_string())?;
    let mut parser = Parser::new(Source::from_bytes(text));
    parser
        .parse_script(&Scope::new_global(), &mut Interner::default())
        .map(drop)
        .map_err(|error| error.to_string())
}
