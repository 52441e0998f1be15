//! What a grammar produces it reads back; and two grammars of one language accept the same texts.

use pleach::kpath::Scope;
use pleach::mutate::{Mutation, Sources};
use pleach::parse::{Limits, Parser, Scratch};
use pleach::produce::{Cover, CoverOptions, Mode, Options, Producer};
use pleach::table::Table;
use pleach::tree::{SizedTree, Tree};
use pleach::{Entropy, Seeded};

/// Sentences that are produced at random, besides those that cover all 2-paths.
const RANDOM: usize = 200;

/// Texts on which two grammars are to agree.
const TEXTS: usize = 10_000;

/// Items of the chart for each byte: grammars are read as they are, however ambiguous.
const ITEMS: u32 = 1 << 16;

/// Asserts that produced sentences parse: those that cover the 2-paths, and random ones.
#[track_caller]
pub fn reads_back(table: &Table, name: &str) {
    let parser = Parser::new(table).limits(Limits::new().items_per_byte(ITEMS));
    let mut scratch = Scratch::new();
    let (mut seed, mut tree) = (Seeded::new(1), Tree::new());
    let mut check = |tree: &Tree| {
        if let Err(error) = parser.recognise(tree.text(), &mut scratch) {
            panic!("{name}: {error}: {}", String::from_utf8_lossy(tree.text()));
        }
    };
    let mut cover = Cover::new(table, CoverOptions::new(2).scope(Scope::UpTo)).unwrap();
    while cover.next_tree(&mut seed, &mut tree) {
        check(&tree);
    }
    let summary = cover.summary();
    assert_eq!(summary.covered, summary.total, "{name}: not all 2-paths are covered");
    let mut producer = Producer::new(table, Options::new().size(200)).unwrap();
    for _ in 0..RANDOM {
        producer.produce(&mut seed, &mut tree);
        check(&tree);
    }
}

/// Asserts that two grammars accept the same of 10,000 texts: produced by the one and by the other, and
/// half of them changed.
#[track_caller]
pub fn accept_the_same(one: &Table, other: &Table, name: &str) {
    let accepted = compare(one, other).unwrap_or_else(|(text, by_one)| {
        let which = if by_one { "the first" } else { "the second" };
        panic!("{name}: only {which} accepts {text:?}")
    });
    // Of what is produced all is accepted, and of what is changed some is not.
    assert!(accepted[1] >= TEXTS / 2 && accepted[0] >= TEXTS / 100, "{name}: {accepted:?}");
}

/// How many texts two grammars refuse and accept; or one that only one of them accepts, and whether that is the
/// first.
pub fn compare(one: &Table, other: &Table) -> Result<[usize; 2], (String, bool)> {
    let mut seed = Seeded::new(1);
    let parsers = [Parser::new(one), Parser::new(other)];
    let mut scratches = [Scratch::new(), Scratch::new()];
    let mut accepted = [0, 0];
    for table in [one, other] {
        let options = Options::new().mode(Mode::Uniform).size(60);
        let mut producer = Producer::new(table, options).unwrap();
        let mut mutation = Mutation::new(table, pleach::mutate::Options::new()).unwrap();
        let (mut tree, mut mutant) = (Tree::new(), SizedTree::new());
        for index in 0..TEXTS / 2 {
            producer.produce(&mut seed, &mut tree);
            let mut text = tree.text().to_vec();
            if index % 2 == 1 {
                let base = SizedTree::of(table, &tree);
                let sources = Sources::default();
                let most = text.len() + 100;
                if mutation.mutate(base.as_ref(), sources, most, &mut seed, &mut mutant).is_some() {
                    text = mutant.text().to_vec();
                }
                if index % 4 == 3 {
                    alter(&mut text, &mut seed);
                }
            }
            let verdicts: Vec<bool> = parsers
                .iter()
                .zip(&mut scratches)
                .map(|(parser, scratch)| parser.recognise(&text, scratch).is_ok())
                .collect();
            if verdicts[0] != verdicts[1] {
                return Err((String::from_utf8_lossy(&text).into_owned(), verdicts[0]));
            }
            accepted[usize::from(verdicts[0])] += 1;
        }
    }
    Ok(accepted)
}

/// Changes a byte or two: one goes, comes twice, or becomes another of the text.
fn alter(text: &mut Vec<u8>, seed: &mut Seeded) {
    if text.is_empty() {
        return;
    }
    let mut draw = |bound: usize| seed.below(bound as u64) as usize;
    let (at, from) = (draw(text.len()), draw(text.len()));
    match draw(3) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, text[from]),
        _ => text[at] = text[from],
    }
}
