//! Grammars of 5,000 lines, one in each notation, and a lexer of as many: what importing them takes is measured
//! (`benches/importing.rs`), and what becomes of them tested (`tests/import/size.rs`).

use std::fmt::Write as _;

/// The lines of each grammar, but for a few.
pub const LINES: usize = 5_000;

/// The notations, each with a grammar in it.
pub fn grammars() -> Vec<(&'static str, String)> {
    vec![
        ("abnf", lines("", "", |at, a, b| format!("r{at} = r{a} r{b} / \"k{at}\" / 1*%x61-7A\n"))),
        (
            "antlr",
            lines("grammar large;\n", "ID : [a-z]+ ;\n", |at, a, b| {
                format!("r{at} : r{a} r{b} | 'k{at}' | ID ;\n")
            }),
        ),
        ("bnf", lines("", "", |at, a, b| format!("<r{at}> ::= <r{a}> <r{b}> | k{at} | x\n"))),
        (
            "fuzzingbook",
            lines("{\"<start>\": [\"<r0>\"]", "}", |at, a, b| {
                format!(",\n\"<r{at}>\": [\"<r{a}><r{b}>\", \"k{at}\", \"<r{b}>?x\"]")
            }),
        ),
        (
            "gbnf",
            lines("root ::= r0\n", "", |at, a, b| {
                format!("r{at} ::= r{a} r{b} | \"k{at}\" | [a-z]+\n")
            }),
        ),
        ("iso", lines("", "", |at, a, b| format!("r{at} = r{a}, r{b} | 'k{at}' | {{ 'x' }};\n"))),
        (
            "nautilus",
            lines("[[\"START\", \"{R0}\"]", "]", |at, a, b| {
                format!(",\n[\"R{at}\", \"{{R{a}}}{{R{b}}}\"], [\"R{at}\", \"k{at}\"]")
            }),
        ),
        (
            "pest",
            lines("", "", |at, a, b| {
                format!("r{at} = {{ r{a} ~ r{b} | \"k{at}\" | '0'..'9'+ }}\n")
            }),
        ),
        (
            "tree-sitter",
            lines(
                "{\"name\": \"large\", \"rules\": {\"start\": {\"type\": \"SYMBOL\", \"name\": \"r0\"}",
                "}}",
                |at, a, b| {
                    format!(
                        ",\n\"r{at}\": {{\"type\": \"CHOICE\", \"members\": [{{\"type\": \"SEQ\", \"members\": [\
                 {{\"type\": \"SYMBOL\", \"name\": \"r{a}\"}}, {{\"type\": \"SYMBOL\", \"name\": \"r{b}\"}}]}}, \
                 {{\"type\": \"STRING\", \"value\": \"k{at}\"}}]}}"
                    )
                },
            ),
        ),
        (
            "tribble",
            lines("S = R0 ;\n", "", |at, a, b| {
                format!("R{at} = R{a} R{b} | \"k{at}\" | /[a-z]+/ ;\n")
            }),
        ),
        ("w3c", lines("", "", |at, a, b| format!("r{at} ::= r{a} r{b} | 'k{at}' | [a-z]+\n"))),
    ]
}

/// A line for each rule, which is given its number and those of two rules that it refers to: further ones, but
/// for the last.
fn lines(head: &str, foot: &str, line: impl Fn(usize, usize, usize) -> String) -> String {
    let mut text = head.to_owned();
    for at in 0..LINES {
        let next = |by: usize| (at + by).min(LINES - 1);
        text.push_str(&line(at, next(1), next(at % 7 + 2)));
    }
    text.push_str(foot);
    text
}

/// Tokens of ANTLR that are no plain texts, on two lines each, and a last one that matches what begins most of
/// them.
pub fn lexer() -> String {
    let mut text = String::from("grammar lexer;\ns : .* EOF ;\n");
    for at in 0..LINES / 2 {
        let _ = writeln!(text, "KW{at}\n  : 'kw{at}' [a-z]* ('x' | [0-9]+ '.' [0-9]*)? ;");
    }
    text.push_str("ID : [a-z] [a-z0-9]* ;\nWS : [ \\n]+ -> skip ;\n");
    text
}
