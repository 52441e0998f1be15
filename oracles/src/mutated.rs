//! What the grammars do not derive: mutated sentences, judged by pleach's parser and by the oracles.
//!
//! Every disagreement is explained by a predicate over the text alone, or it is a failure. The
//! grammars here are those that say all that their standards say of a text, or of a part of it;
//! `tests/mutated.rs` of the library does the same for JSON.

use std::collections::HashSet;

use pleach::parse::{Parser, Scratch};
use pleach::produce::{Characters, Producer};
use pleach::table::Lowering;
use pleach::tree::Tree;
use pleach::{Entropy as _, Seeded};

use crate::{Reader, SUBJECTS, table};

/// Documents by default; `PLEACH_MUTATED=200000` takes more.
const DOCUMENTS: u64 = 20_000;

/// A grammar whose mutated sentences are judged.
struct Mutated {
    grammar: &'static str,
    /// The rule whose sentences are mutated, and what stands before them; the whole grammar's
    /// where that says all of its standard.
    part: Option<(&'static str, &'static str)>,
    /// What is written over or into a sentence.
    pieces: &'static [&'static str],
    /// Why an oracle may accept what the grammar refuses.
    lenient: &'static [Excuse],
    /// Why an oracle may refuse what the grammar reads, beside its clauses.
    strict: &'static [Excuse],
}

/// Why an oracle may answer otherwise than the grammar.
struct Excuse {
    /// The clause of the standard, or where the oracle deviates.
    name: &'static str,
    applies: fn(&str) -> bool,
    /// A text that the two disagree about under this excuse.
    witness: &'static str,
}

const MUTATED: &[Mutated] = &[
    Mutated {
        grammar: "ip",
        part: None,
        pieces: &["0", "1", "2", "25", "256", "f", "F", "g", ":", "::", ".", "1.2.3.4", "]", "%"],
        lenient: &[],
        strict: &[],
    },
    Mutated {
        grammar: "rfc3339",
        part: None,
        pieces: &[
            "0", "1", "2", "3", "9", "60", "-", "+", ":", ".", "T", "t", "Z", "z", " ", "_",
            "02-29", "23:59:60", "é",
        ],
        lenient: &[Excuse {
            name: "section 5.6: an application may use another character than T",
            applies: has_other_separator,
            witness: "1985-04-12 23:20:50.52Z",
        }],
        strict: &[],
    },
    Mutated {
        grammar: "semver",
        part: None,
        pieces: &["0", "1", "01", "10", ".", "-", "+", "a", "Z", "_", " ", "v", "-0", "é"],
        lenient: &[],
        strict: &[],
    },
    Mutated {
        grammar: "toml",
        // Whole documents repeat names, and whether they may is said by no grammar.
        part: Some(("val", "mutated = ")),
        pieces: &[
            "0",
            "1",
            "_",
            "-",
            "+",
            ".",
            "e",
            "E",
            "0x",
            "0o7",
            "0b1",
            "inf",
            "nan",
            "true",
            "[",
            "]",
            ",",
            "#",
            " ",
            "\t",
            "\n",
            "\r\n",
            "\r",
            "\"",
            "'",
            "\"\"\"",
            "'''",
            "\\",
            "\\u00e9",
            "\\U0001F600",
            "\\n",
            "\\q",
            "1979-05-27",
            "T",
            "07:32:00",
            ":",
            "Z",
            "-07:00",
            "é",
            "\u{7F}",
            "\u{0}",
        ],
        lenient: &[
            Excuse {
                name: "TOML 1.1, section String: \\e and \\x are escapes",
                applies: |text| text.contains("\\e") || text.contains("\\x"),
                witness: "mutated = \"\\e\"",
            },
            Excuse {
                name: "TOML 1.1, section Local Time: seconds may be left out",
                applies: has_no_seconds,
                witness: "mutated = 07:32",
            },
            Excuse {
                name: "TOML 1.1, section Inline Table: lines may end in it, and a comma may be last",
                applies: has_lines_in_braces,
                witness: "mutated = {\n a = 1,\n}",
            },
        ],
        strict: &[Excuse {
            name: "section Keys: defining a key multiple times is invalid",
            applies: repeats_a_key,
            witness: "mutated = {a.b = 1, a = 2}",
        }],
    },
    Mutated {
        grammar: "uri",
        part: None,
        pieces: &[
            "a", "Z", "0", "9", ":", "/", "//", "?", "#", "[", "]", "@", "!", "%", "%4", "%4a",
            "[::1]", "[v1.a]", ".", "-", "~", "^", "|", " ", "\\", "é",
        ],
        lenient: &[],
        strict: &[],
    },
];

/// Whether a line ends somewhere behind a brace, or a comma stands before a closing one.
fn has_lines_in_braces(text: &str) -> bool {
    let Some((_, inside)) = text.split_once('{') else { return false };
    inside.contains('\n')
        || inside.split('}').any(|part| part.trim_end_matches([' ', '\t']).ends_with(','))
}

/// Whether a part of a key, before `=`, stands in the text twice.
fn repeats_a_key(text: &str) -> bool {
    let (mut seen, mut chain, mut rest) = (HashSet::new(), Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        // A comment, a string of several lines, a string, a bare word, or another character.
        let (length, part) = if first == '#' {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|it| rest.starts_with(it)) {
            (rest[3..].find(quotes).map_or(rest.len(), |end| end + 6), None)
        } else if first == '"' || first == '\'' {
            let escaped = |at: usize| first == '"' && rest[..at].ends_with('\\');
            let end = rest.match_indices(first).map(|it| it.0).find(|&at| at > 0 && !escaped(at));
            let end = end.unwrap_or(rest.len() - 1);
            (end + 1, Some(rest.get(1..end).unwrap_or_default()))
        } else if bare(first) {
            let end = rest.find(|c| !bare(c)).unwrap_or(rest.len());
            (end, Some(&rest[..end]))
        } else {
            (first.len_utf8(), None)
        };
        match (part, first) {
            (Some(part), _) => chain.push(part),
            (None, '=') => {
                if chain.drain(..).any(|part| !seen.insert(part)) {
                    return true;
                }
            }
            (None, '.' | ' ' | '\t') => {}
            _ => chain.clear(),
        }
        rest = &rest[length..];
    }
    false
}

/// Whether anything but T stands between the date and the time.
fn has_other_separator(text: &str) -> bool {
    let Some(other) = text.get(10..).and_then(|rest| rest.chars().next()) else { return false };
    !other.eq_ignore_ascii_case(&'T')
}

/// Whether minutes are not followed by seconds anywhere.
fn has_no_seconds(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(5).enumerate().any(|(at, time)| {
        let digit = |index: usize| time[index].is_ascii_digit();
        let minutes = digit(0) && digit(1) && time[2] == b':' && digit(3) && digit(4);
        minutes && bytes.get(at + 5) != Some(&b':')
    })
}

/// Edits a sentence once.
fn edit(words: &mut Seeded, pieces: &[&str], text: &mut Vec<u8>) {
    let from = words.below(text.len() as u64 + 1) as usize;
    let to = (from + words.below(3) as usize).min(text.len());
    let piece = pieces[words.below(pieces.len() as u64) as usize].bytes();
    match words.below(4) {
        0 => drop(text.drain(from..to)),
        1 => drop(text.splice(from..from, piece)),
        2 => drop(text.splice(from..to, piece)),
        _ => {
            let copy = text[from..to].to_vec();
            let at = words.below(text.len() as u64 + 1) as usize;
            text.splice(at..at, copy);
        }
    }
}

fn check(Mutated { grammar, part, pieces, lenient, strict }: &Mutated) {
    let count = std::env::var("PLEACH_MUTATED").ok().and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(DOCUMENTS);
    let subject = SUBJECTS.iter().find(|subject| subject.grammar == *grammar);
    let subject = subject.expect("the grammar is a subject");
    let table = table(grammar);
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let part_table = part.map(|(rule, _)| {
        let lowered = Lowering::new().start(rule).lower(&crate::grammar(grammar));
        lowered.unwrap_or_else(|error| panic!("{grammar}: {error}")).table
    });
    let produced = part_table.as_ref().unwrap_or(&table);
    let before = part.map_or("", |(_, before)| before);
    let mut producer = Producer::new(produced, (subject.options)().characters(Characters::Mixed))
        .expect("its sentences fit");
    let oracles = || {
        subject.oracles.iter().filter_map(|oracle| match oracle.read {
            Reader::Text(read) => Some((oracle, read)),
            _ => None,
        })
    };
    assert!(oracles().next().is_some(), "{grammar} has no oracle that reads every text");
    for Excuse { name, applies, witness } in *lenient {
        assert!(applies(witness), "{grammar}: {name}");
        assert!(parser.recognise(witness.as_bytes(), &mut scratch).is_err(), "{grammar}: {name}");
        let accepts = |(_, read): (_, fn(&[u8]) -> _)| {
            let answer: Result<(), String> = read(witness.as_bytes());
            answer.is_ok()
        };
        assert!(oracles().any(accepts), "{grammar}: drop {name}");
    }
    for Excuse { name, applies, witness } in *strict {
        assert!(applies(witness), "{grammar}: {name}");
        assert!(parser.recognise(witness.as_bytes(), &mut scratch).is_ok(), "{grammar}: {name}");
        let refuses = oracles().any(|(_, read)| read(witness.as_bytes()).is_err());
        assert!(refuses, "{grammar}: drop {name}");
    }
    let (mut words, mut judged, mut valid, mut excused) = (Seeded::new(1), 0_u64, 0, 0);
    let mut unexplained = Vec::new();
    for seed in 0..count {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        let mut text = tree.text().to_vec();
        for _ in 0..words.below(3) {
            edit(&mut words, pieces, &mut text);
        }
        text.splice(0..0, before.bytes());
        judged += 1;
        let found = parser.parse(&text, &mut scratch, &mut tree);
        if found.is_ok() {
            valid += 1;
            tree.check(&table).unwrap_or_else(|error| panic!("{grammar}: {error}"));
        }
        for (oracle, read) in oracles() {
            let answer = read(&text);
            let explained = match (found.is_ok(), answer.is_ok()) {
                (true, false) => {
                    oracle.clauses.iter().any(|clause| (clause.applies)(&text))
                        || std::str::from_utf8(&text)
                            .is_ok_and(|text| strict.iter().any(|excuse| (excuse.applies)(text)))
                }
                (false, true) => std::str::from_utf8(&text)
                    .is_ok_and(|text| lenient.iter().any(|lenience| (lenience.applies)(text))),
                _ => continue,
            };
            if explained {
                excused += 1;
            } else {
                let text = String::from_utf8_lossy(&text).into_owned();
                unexplained.push(format!("{text:?}: pleach {found:?}, {} {answer:?}", oracle.name));
            }
        }
    }
    let share = valid as f64 / judged as f64;
    println!("{grammar}: {judged} texts, {:.0}% valid, {excused} excused", 100.0 * share);
    unexplained.truncate(20);
    assert!(unexplained.is_empty(), "{grammar}:\n{}", unexplained.join("\n"));
    assert!((0.2..=0.8).contains(&share), "{grammar}: {share}");
}

#[test]
fn mutated_sentences_are_judged_alike() {
    MUTATED.iter().for_each(check);
}
