//! What is not JSON: mutated documents, judged here and by `serde_json`.
//!
//! `serde_json` reads into a `RawValue`, which leaves out what section 6 and 8.2 of RFC 8259 leave
//! to a reader: ranges of numbers and halves of surrogate pairs. Nothing is left to disagree about.

use pleach::parse::{Parser, Scratch};
use pleach::produce::{Options, Producer};
use pleach::table::Table;
use pleach::tree::Tree;
use pleach::{Entropy as _, Seeded};
use serde_json::value::RawValue;

/// Documents by default; `PLEACH_MUTATED=200000 cargo test --release --test mutated` takes more.
const DOCUMENTS: u64 = 20_000;

/// What is written over or into a document: what JSON is made of, and what it is not.
const PIECES: [&[u8]; 40] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b" ",
    b"\n",
    b"\t",
    b"\r",
    b"0",
    b"1",
    b"9",
    b"-",
    b"+",
    b".",
    b"e",
    b"E",
    b"true",
    b"false",
    b"null",
    b"nul",
    b"\\u",
    b"\\uD8",
    b"\\n",
    b"00",
    b"0.",
    b"1e5",
    b"\x00",
    b"\x1F",
    b"\x7F",
    b"\xC3\xA9",
    b"\xE9",
    b"\xED\xA0\x80",
    b"\xEF\xBB\xBF",
    b"a",
    b"\"a\":",
    b"[]",
];

/// Edits a document once.
fn edit(words: &mut Seeded, text: &mut Vec<u8>) {
    let place = |words: &mut Seeded, text: &[u8]| words.below(text.len() as u64 + 1) as usize;
    let from = place(words, text);
    let to = (from + words.below(4) as usize).min(text.len());
    match words.below(8) {
        0 => drop(text.drain(from..to)),
        1..=3 => {
            let piece = PIECES[words.below(PIECES.len() as u64) as usize];
            text.splice(from..from, piece.iter().copied());
        }
        4 => {
            let piece = PIECES[words.below(PIECES.len() as u64) as usize];
            text.splice(from..to, piece.iter().copied());
        }
        // Space is free between tokens, and not in them.
        5 | 6 => text.insert(from, b" \t\n\r"[words.below(4) as usize]),
        _ => {
            let copy = text[from..to].to_vec();
            let at = place(words, text);
            text.splice(at..at, copy);
        }
    }
}

#[test]
fn json_and_what_is_not_json_are_told_apart_as_serde_json_does() {
    let count = std::env::var("PLEACH_MUTATED").ok().and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(DOCUMENTS);
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/grammars/json.pleach"));
    let table = Table::parse(&text.expect("the grammar is there")).expect("it is one");
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let mut producer = Producer::new(&table, Options::new().max_bytes(120)).expect("they fit");
    let (mut words, mut valid) = (Seeded::new(1), 0);
    for seed in 0..count {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        let mut text = tree.text().to_vec();
        for _ in 0..words.below(3) {
            edit(&mut words, &mut text);
        }
        let expected = serde_json::from_slice::<Box<RawValue>>(&text);
        let found = parser.recognise(&text, &mut scratch);
        let show = String::from_utf8_lossy(&text);
        assert_eq!(
            found.is_ok(),
            expected.is_ok(),
            "seed {seed}: {show:?}\n{found:?} {expected:?}"
        );
        assert_eq!(parser.parse(&text, &mut scratch, &mut tree), found, "seed {seed}: {show:?}");
        if found.is_ok() {
            tree.check(&table).unwrap_or_else(|error| panic!("seed {seed}: {error}: {show:?}"));
            assert_eq!(tree.text(), text, "seed {seed}");
            valid += 1;
        }
    }
    let share = valid as f64 / count as f64;
    println!("{count} documents, {:.0}% valid", 100.0 * share);
    assert!((0.2..=0.8).contains(&share), "{share}");
}
