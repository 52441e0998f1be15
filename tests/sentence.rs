//! Sentences from a fuzzer's bytes.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use pleach::parse::{Parser, Scratch};
use pleach::sentence::{Sentence, SentenceLanguage};
use proptest::prelude::*;

pleach::language!(struct Json: "../grammars/json.pleach");
pleach::language!(struct Sql: ["../grammars/sql.pleach"], max_depth: 60, max_bytes: 200);
pleach::language!(
    /// One rule of it.
    struct Number: "../grammars/json.pleach", start: "number"
);

#[derive(Debug, Arbitrary, PartialEq)]
struct Input {
    first: Sentence<Json>,
    number: u32,
    more: Vec<Sentence<Number>>,
    query: Sentence<Sql>,
}

thread_local! {
    static PARSERS: [Parser<'static>; 3] =
        [Json::table(), Sql::table(), Number::table()].map(Parser::new);
}

fn is_sentence<L: SentenceLanguage>(sentence: &Sentence<L>) -> bool {
    PARSERS.with(|parsers| {
        let own = parsers.iter().find(|parser| std::ptr::eq(parser.table(), L::table())).unwrap();
        own.recognise(sentence.as_bytes(), &mut Scratch::new()).is_ok()
    })
}

fn whole<L: SentenceLanguage>(bytes: &[u8]) -> Sentence<L> {
    Sentence::arbitrary_take_rest(Unstructured::new(bytes)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_a_sentence(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        for sentence in [whole::<Json>(&bytes), Sentence::arbitrary(&mut Unstructured::new(&bytes)).unwrap()] {
            prop_assert!(is_sentence(&sentence), "{sentence:?}");
            prop_assert!(sentence.as_bytes().len() <= 4096);
        }
        prop_assert_eq!(whole::<Json>(&bytes), whole::<Json>(&bytes));
        let query = whole::<Sql>(&bytes);
        prop_assert!(query.as_bytes().len() <= 200);
        prop_assert!(is_sentence(&query), "{:?}", query);
    }

    #[test]
    fn fields_share_what_there_is(bytes in proptest::collection::vec(any::<u8>(), 0..500)) {
        let input = Input::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
        prop_assert!(is_sentence(&input.first) && is_sentence(&input.query));
        prop_assert!(input.more.iter().all(is_sentence));
        // No more elements than there are bytes.
        prop_assert!(input.more.len() <= bytes.len());
        prop_assert_eq!(input, Input::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap());
    }

    #[test]
    fn what_follows_is_left(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut source = Unstructured::new(&bytes);
        let sentence = Sentence::<Json>::arbitrary(&mut source).unwrap();
        let taken = bytes.len() - source.len();
        // What a vector of bytes takes.
        let mut same = Unstructured::new(&bytes);
        let length = same.arbitrary_len::<u8>().unwrap();
        same.bytes(length).unwrap();
        prop_assert_eq!(taken, bytes.len() - same.len());
        prop_assert!(is_sentence(&sentence));
    }
}

#[test]
fn without_bytes_it_is_the_shortest() {
    assert_eq!(whole::<Json>(b"").as_bytes().len(), 1);
    assert_eq!(whole::<Number>(b"").as_bytes().len(), 1);
    let shortest = whole::<Sql>(b"");
    assert!(is_sentence(&shortest) && shortest.as_bytes().len() < 20, "{shortest:?}");
    assert_eq!(Sentence::<Json>::size_hint(0), (0, None));
    let input = Input::arbitrary(&mut Unstructured::new(b"")).unwrap();
    assert_eq!(input.first, whole(b""));
}

#[test]
fn more_bytes_are_more_varied() {
    let different = |length: usize| {
        let mut word = 1_u64;
        let mut next = || {
            word = word.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (word >> 56) as u8
        };
        let sentences = (0..300).map(|_| {
            let bytes: Vec<u8> = (0..length).map(|_| next()).collect();
            whole::<Json>(&bytes).into_bytes()
        });
        sentences.collect::<BTreeSet<_>>().len()
    };
    let counts = [0, 1, 2, 4, 16].map(different);
    assert!(counts.is_sorted() && counts[0] == 1 && counts[4] > 150, "{counts:?}");
}

#[test]
fn a_sentence_shows_its_text() {
    let sentence = whole::<Json>(b"");
    assert_eq!(format!("{sentence:?}"), format!("{:?}", sentence.as_str().unwrap()));
}
