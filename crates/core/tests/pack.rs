//! Tables and their parsers as bytes: what is taken apart is what was put together.

use pleach_core::Seeded;
use pleach_core::grammar::{Files, Grammar};
use pleach_core::internal::{pack, unpack};
use pleach_core::parse::{Limits, Parser, Scratch};
use pleach_core::produce::{Options, Producer};
use pleach_core::table::{Lowering, Table};
use pleach_core::tree::Tree;
use pleach_testing::grammar_files;

/// The tables of the grammars that come with the project.
fn tables() -> Vec<(String, Table)> {
    let texts = grammar_files("grammars");
    let files = Files::new(texts.iter().cloned());
    let table = |(name, text): &(String, String)| {
        let grammar = Grammar::read(name, text, &files).unwrap();
        (name.clone(), Lowering::new().lower(&grammar).unwrap().table)
    };
    texts.iter().map(table).collect()
}

#[test]
fn every_table_is_the_same_afterwards() {
    let tables = tables();
    assert!(tables.len() > 20);
    for (name, table) in tables {
        let packed = pack(&table, ["left", "out"]);
        let (unpacked, left_out) = unpack(&packed).unwrap();
        assert!(format!("{unpacked:?}") == format!("{table:?}"), "{name}");
        assert_eq!(left_out, ["left", "out"]);
        assert_eq!(pack(&unpacked, ["left", "out"]), packed, "{name}");
    }
}

#[test]
fn other_bytes_are_no_table() {
    let grammar =
        Grammar::parse(r#"%layout ws; a = b{2,3} "x" [0-9]+ | "(" a ")"; b = [a-z]+; ws = " "*;"#)
            .unwrap();
    let packed = pack(&Lowering::new().lower(&grammar).unwrap().table, []);
    assert!(unpack(&packed).is_some());
    for end in 0..packed.len() {
        assert!(unpack(&packed[..end]).is_none(), "{end} bytes");
    }
    let longer = [&packed[..], b"\0"].concat();
    assert!(unpack(&longer).is_none());
    let version = env!("CARGO_PKG_VERSION");
    let at = packed.windows(version.len()).position(|here| here == version.as_bytes()).unwrap();
    let mut other = packed;
    other[at] ^= 1;
    assert!(unpack(&other).is_none());
}

/// A text, and others in which a byte is missing, doubled or another one, or that end early.
fn broken(text: &[u8], seed: usize) -> Vec<Vec<u8>> {
    let mut all = vec![text.to_vec()];
    if !text.is_empty() {
        let at = seed * 7919 % text.len();
        all.push([&text[..at], &text[at + 1..]].concat());
        all.push([&text[..=at], &text[at..]].concat());
        all.push([&text[..at], &text[at + 1..], b"\xFF"].concat());
        all.push([&text[..at], &[b"x(\"<0"[seed % 5]], &text[at + 1..]].concat());
        all.push(text[..at].to_vec());
    }
    all
}

#[test]
fn a_parser_made_ahead_reads_as_one_that_is_made_here() {
    let (mut read, mut refused) = (0, 0);
    for (name, table) in tables() {
        let (unpacked, _) = unpack(&pack(&table, [])).unwrap();
        let limits = Limits::new().items_per_byte(256);
        let here = Parser::new(&table).limits(limits.clone());
        let ahead = Parser::new(&unpacked).limits(limits);
        assert_eq!(here.is_predictive(), ahead.is_predictive(), "{name}");
        let mut producer = Producer::new(&table, Options::new().max_bytes(300)).unwrap();
        let [mut first, mut second]: [Scratch; 2] = Default::default();
        let [mut text, mut left, mut right]: [Tree; 3] = Default::default();
        for seed in 0..25 {
            producer.produce(&mut Seeded::new(seed), &mut text);
            for text in broken(text.text(), seed as usize) {
                let expected = here.parse(&text, &mut first, &mut left);
                let found = ahead.parse(&text, &mut second, &mut right);
                let place = || format!("{name}: {:?}", String::from_utf8_lossy(&text));
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{}", place());
                assert_eq!(right.nodes(), left.nodes(), "{}", place());
                assert_eq!(second.items(), first.items(), "{}", place());
                *if found.is_ok() { &mut read } else { &mut refused } += 1;
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}
