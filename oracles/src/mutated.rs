//! What the grammars do not derive: mutated sentences, judged by pleach's parser and by the oracles.
//!
//! Every disagreement is explained by a predicate over the text alone, or it is a failure. The
//! grammars here are those that say all that their standards say of a text; `tests/mutated.rs` of
//! the library does the same for JSON.

use pleach::parse::{Parser, Scratch};
use pleach::produce::Producer;
use pleach::tree::Tree;
use pleach::{Entropy as _, Seeded};

use crate::{Reader, SUBJECTS, table};

/// Documents by default; `PLEACH_MUTATED=200000` takes more.
const DOCUMENTS: u64 = 20_000;

/// A grammar whose mutated sentences are judged.
struct Mutated {
    grammar: &'static str,
    /// What is written over or into a sentence.
    pieces: &'static [&'static str],
    /// Why an oracle may accept what the grammar refuses.
    lenient: &'static [Lenience],
}

/// An excuse for accepting.
struct Lenience {
    /// The clause of the standard, or where the oracle deviates.
    name: &'static str,
    applies: fn(&str) -> bool,
    /// A text that the oracle accepts and the grammar refuses under this excuse.
    witness: &'static str,
}

const MUTATED: &[Mutated] = &[
    Mutated {
        grammar: "ip",
        pieces: &["0", "1", "2", "25", "256", "f", "F", "g", ":", "::", ".", "1.2.3.4", "]", "%"],
        lenient: &[],
    },
    Mutated {
        grammar: "rfc3339",
        pieces: &[
            "0", "1", "2", "3", "9", "60", "-", "+", ":", ".", "T", "t", "Z", "z", " ", "_", "02-29",
            "23:59:60", "é",
        ],
        lenient: &[Lenience {
            name: "section 5.6: an application may use another character than T",
            applies: has_other_separator,
            witness: "1985-04-12 23:20:50.52Z",
        }],
    },
    Mutated {
        grammar: "semver",
        pieces: &["0", "1", "01", "10", ".", "-", "+", "a", "Z", "_", " ", "v", "-0", "é"],
        lenient: &[],
    },
    Mutated {
        grammar: "uri",
        pieces: &[
            "a", "Z", "0", "9", ":", "/", "//", "?", "#", "[", "]", "@", "!", "%", "%4", "%4a", "[::1]",
            "[v1.a]", ".", "-", "~", "^", "|", " ", "\\", "é",
        ],
        lenient: &[],
    },
];

/// Whether the date and the time have anything but T between them, and would be right with it.
fn has_other_separator(text: &str) -> bool {
    let Some(other) = text.get(10..).and_then(|rest| rest.chars().next()) else { return false };
    !other.eq_ignore_ascii_case(&'T')
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

fn check(Mutated { grammar, pieces, lenient }: &Mutated) {
    let count = std::env::var("PLEACH_MUTATED").ok().and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(DOCUMENTS);
    let subject = SUBJECTS.iter().find(|subject| subject.grammar == *grammar);
    let subject = subject.expect("the grammar is a subject");
    let table = table(grammar);
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let mut producer = Producer::new(&table, (subject.options)()).expect("its sentences fit");
    let oracles = || {
        subject.oracles.iter().filter_map(|oracle| match oracle.read {
            Reader::Text(read) => Some((oracle, read)),
            _ => None,
        })
    };
    assert!(oracles().next().is_some(), "{grammar} has no oracle that reads every text");
    for Lenience { name, applies, witness } in *lenient {
        assert!(applies(witness), "{grammar}: {name}");
        assert!(parser.recognise(witness.as_bytes(), &mut scratch).is_err(), "{grammar}: {name}");
        let accepts = |(_, read): (_, fn(&[u8]) -> _)| {
            let answer: Result<(), String> = read(witness.as_bytes());
            answer.is_ok()
        };
        assert!(oracles().any(accepts), "{grammar}: drop {name}");
    }
    let (mut words, mut valid, mut excused) = (Seeded::new(1), 0, 0);
    let mut unexplained = Vec::new();
    for seed in 0..count {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        let mut text = tree.text().to_vec();
        for _ in 0..words.below(3) {
            edit(&mut words, pieces, &mut text);
        }
        let found = parser.parse(&text, &mut scratch, &mut tree);
        if found.is_ok() {
            valid += 1;
            tree.check(&table).unwrap_or_else(|error| panic!("{grammar}: {error}"));
        }
        for (oracle, read) in oracles() {
            let answer = read(&text);
            let explained = match (found.is_ok(), answer.is_ok()) {
                (true, false) => oracle.clauses.iter().any(|clause| (clause.applies)(&text)),
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
    let share = valid as f64 / count as f64;
    println!("{grammar}: {count} texts, {:.0}% valid, {excused} excused", 100.0 * share);
    unexplained.truncate(20);
    assert!(unexplained.is_empty(), "{grammar}:\n{}", unexplained.join("\n"));
    assert!((0.2..=0.8).contains(&share), "{grammar}: {share}");
}

#[test]
fn mutated_sentences_are_judged_alike() {
    MUTATED.iter().for_each(check);
}
