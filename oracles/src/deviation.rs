//! Where released parsers deviate from their standards.
//!
//! The deviations by which a parser refuses what a grammar derives are clauses of its oracle. Those
//! below are the others that came to light: what a parser accepts or takes otherwise, and what it
//! refuses that its reader here puts in other words. Each is shown by running the parser, so that
//! one which is mended is noticed.

use std::fmt::Write;

use crate::oracle::{Kind, Reader};
use crate::subjects::SUBJECTS;

/// What a parser does otherwise than its standard says.
struct Deviation {
    /// The crate and its version.
    oracle: &'static str,
    clause: &'static str,
    witness: &'static str,
    /// What the crate does.
    does: &'static str,
    /// Whether it does so with the witness.
    #[cfg_attr(not(test), expect(dead_code, reason = "the table only prints"))]
    shown: fn(&str) -> bool,
}

const DEVIATIONS: &[Deviation] = &[
    Deviation {
        oracle: "addr-spec 0.10",
        clause: "RFC 5322, section 3.2.2: folding is CRLF and white space",
        witness: "a@b\r\n",
        does: "accepts a CRLF with nothing after it",
        shown: |witness| witness.parse::<addr_spec::AddrSpec>().is_ok(),
    },
    Deviation {
        oracle: "apollo-parser 0.8",
        clause: "GraphQL, June 2018, section 2.9.4: no line terminator in a quoted string",
        witness: "{a(b: \"\n\")}",
        does: "accepts it",
        shown: |witness| apollo_parser::Parser::new(witness).parse().errors().len() == 0,
    },
    Deviation {
        oracle: "apollo-parser 0.8",
        clause: "GraphQL, June 2018, section 2.1.7: any ignored tokens stand between two others",
        witness: "{a , #\n :b}",
        does: "does not look past two of them before a colon, after `...`, `extend` or a description",
        shown: |witness| apollo_parser::Parser::new(witness).parse().errors().len() > 0,
    },
    Deviation {
        oracle: "pulldown-cmark 0.13",
        clause: "CommonMark 0.31.2, section 4.6: an HTML block ends at </pre> in either case",
        witness: "<pre>a</PRE>\n\n*b*",
        does: "goes on with the block to the end",
        shown: |witness| !is_emphasized(witness),
    },
    Deviation {
        oracle: "pulldown-cmark 0.13",
        clause: "CommonMark 0.31.2, section 4.6: an HTML block ends at the end tag of another name",
        witness: "<pre>a</style>\n\n*b*",
        does: "goes on with the block to the end",
        shown: |witness| !is_emphasized(witness),
    },
    Deviation {
        oracle: "pulldown-cmark 0.13",
        clause: "CommonMark 0.31.2, section 6.6: a CDATA section ends at ]]>",
        witness: "a <![CDATA[b]c]]>",
        does: "reads text, no raw HTML",
        shown: |witness| {
            let mut events = pulldown_cmark::Parser::new(witness);
            !events.any(|event| matches!(event, pulldown_cmark::Event::InlineHtml(_)))
        },
    },
    Deviation {
        oracle: "roxmltree 0.21",
        clause: "XML 1.0, section 3.1: no < in attribute values",
        witness: "<!DOCTYPE a [<!ENTITY b '<c/>'>]><a d='&b;'/>",
        does: "accepts one that comes by an entity",
        shown: |witness| {
            let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
            roxmltree::Document::parse_with_options(witness, options).is_ok()
        },
    },
    Deviation {
        oracle: "smtp-proto 0.2",
        clause: "RFC 5321, section 4.1.3: an address literal may stand in a path",
        witness: "MAIL FROM:<a@[1.2.3.4]>\r\n",
        does: "refuses it",
        shown: is_refused_by_smtp_proto,
    },
    Deviation {
        oracle: "smtp-proto 0.2",
        clause: "RFC 5321, section 4.1.2: a quoted string may be empty",
        witness: "VRFY \"\"\r\n",
        does: "refuses it",
        shown: is_refused_by_smtp_proto,
    },
    Deviation {
        oracle: "time 0.3",
        clause: "RFC 3339, section 5.6: \"T\" between date and time",
        witness: "2000-01-01x00:00:00Z",
        does: "accepts any character",
        shown: |witness| {
            let format = &time::format_description::well_known::Rfc3339;
            time::OffsetDateTime::parse(witness, format).is_ok()
        },
    },
];

fn is_emphasized(text: &str) -> bool {
    let emphasis = pulldown_cmark::Event::Start(pulldown_cmark::Tag::Emphasis);
    pulldown_cmark::Parser::new(text).any(|event| event == emphasis)
}

fn is_refused_by_smtp_proto(line: &str) -> bool {
    smtp_proto::Request::parse(&mut line.as_bytes().iter()).is_err()
}

/// The table of `grammars/DEVIATIONS.md`: a parser's name, the clause, a witness as a string of
/// Rust, and what the parser does.
pub fn deviations() -> String {
    let mut rows: Vec<(&str, String, &str, &str)> = Vec::new();
    for subject in SUBJECTS {
        for oracle in subject.oracles {
            let of = |name: &str| format!("{}: {name}", subject.standard);
            let clauses = oracle.clauses.iter().filter(|clause| clause.kind == Kind::Deviation);
            rows.extend(clauses.map(|it| (oracle.name, of(it.name), it.witness, "refuses it")));
            if let Reader::Part(_, beyond) = oracle.read {
                rows.extend(
                    beyond.iter().map(|it| (oracle.name, of(it.rule), it.witness, it.reason)),
                );
            }
        }
    }
    let others = DEVIATIONS.iter();
    rows.extend(others.map(|it| (it.oracle, it.clause.to_owned(), it.witness, it.does)));
    rows.sort();
    let mut table = String::from("| parser | clause | witness | what it does |\n");
    table.push_str("| --- | --- | --- | --- |\n");
    for (oracle, clause, witness, does) in rows {
        let [clause, does] =
            [clause.as_str(), does].map(|text: &str| text.replace('|', "\\|").replace('<', "\\<"));
        let witness = format!("{witness:?}").replace('|', "\\|");
        writeln!(table, "| {oracle} | {clause} | `` {witness} `` | {does} |")
            .expect("a string takes everything");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parser_still_deviates() {
        for deviation in DEVIATIONS {
            let Deviation { oracle, witness, .. } = deviation;
            assert!((deviation.shown)(witness), "{oracle}: {witness:?}: drop the deviation");
        }
    }

    #[test]
    fn the_list_is_the_committed_one() {
        let path = crate::folder().join("DEVIATIONS.md");
        let file = std::fs::read_to_string(&path).expect("the list is committed");
        assert!(
            file.ends_with(&deviations()),
            "write {} anew: cargo run --release -p pleach-oracles --bin deviations",
            path.display()
        );
    }
}
