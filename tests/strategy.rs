//! Sentences for properties: values are sentences, and shrinking keeps proptest's contract and comes
//! to what the reducer comes to.

use pleach::parse::{Parser, Scratch};
use pleach::produce::{Characters, Options};
use pleach::reduce::{self, Reducer};
use pleach::strategy;
use pleach::table::Table;
use pleach::tree::Tree;
use proptest::strategy::{Strategy, ValueTree, check_strategy_sanity};
use proptest::test_runner::{Config, TestError, TestRunner};
use tables::{grammar, table};

mod tables;

type Fails = fn(&str) -> bool;

/// The value that simplification ends with, all of whose values on the way are sentences.
fn shrunk(table: &Table, tree: &mut impl ValueTree<Value = String>, fails: Fails) -> String {
    let parser = Parser::new(table);
    let mut more = tree.simplify();
    while more {
        let text = tree.current();
        assert!(parser.recognise(text.as_bytes(), &mut Scratch::new()).is_ok(), "{text:?}");
        more = if fails(&text) { tree.simplify() } else { tree.complicate() };
    }
    tree.current()
}

#[test]
fn what_fails_shrinks_as_by_the_reducer() {
    let table = grammar("json.pleach");
    let parser = Parser::new(&table);
    let cases: [(Fails, usize); 4] = [
        (|text| text.contains("[["), 4),
        (|text| text.contains("true"), 4),
        (|text| text.matches(':').count() > 1 && text.contains('}'), 12),
        (|text| text.contains('\\'), 8),
    ];
    let mut runner = TestRunner::deterministic();
    // Plain texts have few escapes.
    let options = Options::new().max_bytes(400).characters(Characters::Mixed);
    let texts = strategy::texts(&table, options).unwrap();
    for (fails, most) in cases {
        let mut found = 0;
        for _ in 0..3000 {
            let mut tree = texts.new_tree(&mut runner).unwrap();
            let text = tree.current();
            if !fails(&text) || text.len() < 20 {
                continue;
            }
            let small = shrunk(&table, &mut tree, fails);
            assert!(fails(&small) && small.len() <= most, "{text:?} became {small:?}");
            assert!(!tree.complicate() && tree.current() == small);

            let mut read = Tree::new();
            parser.parse(text.as_bytes(), &mut Scratch::new(), &mut read).unwrap();
            let options = reduce::Options::new().tokens(true);
            let mut reducer = Reducer::new(&table, read, options).unwrap();
            while let Some(candidate) = reducer.propose() {
                let text = std::str::from_utf8(&candidate.text).unwrap();
                reducer.answer(candidate.ticket, fails(text));
            }
            // A grammar with white space around brackets has several trees of a text.
            assert!(small.len() <= reducer.text().len() + 2, "{small:?}");
            found += 1;
            if found == 10 {
                break;
            }
        }
        assert!(found > 4, "{found}");
    }
}

#[test]
fn the_contract_of_simplification_is_kept() {
    let table = table(r#"list = "[" ( item ( "," item )* )? "]" ; item = /[a-z]{1,3}/ | list ;"#);
    let options = Options::new().max_bytes(24);
    check_strategy_sanity(strategy::texts(&table, options.clone()).unwrap(), None);
    check_strategy_sanity(strategy::bytes(&table, options).unwrap(), None);
}

#[test]
fn a_runner_reports_a_small_sentence() {
    let table = grammar("expr.pleach");
    let texts = strategy::texts(&table, Options::new().max_bytes(200)).unwrap();
    let run = || {
        let config = Config { failure_persistence: None, ..Config::default() };
        let rng = proptest::test_runner::TestRng::deterministic_rng(config.rng_algorithm);
        let mut runner = TestRunner::new_with_rng(config, rng);
        // With another value beside it.
        let result = runner.run(&(&texts, 0..100_u8), |(text, number)| {
            proptest::prop_assert!(text.matches('(').count() < 2 || number < 7);
            Ok(())
        });
        match result {
            Err(TestError::Fail(_, smallest)) => smallest,
            other => panic!("{other:?}"),
        }
    };
    let (text, number) = run();
    assert!(text.len() <= 7 && number == 7, "{text:?}, {number}");
    assert_eq!(run(), (text, number), "the same seed, the same report");
}

#[test]
fn what_is_no_text_is_bytes() {
    let table = table("%encoding bytes; s = [\\x80-\\xFF]+ ;");
    let mut runner = TestRunner::deterministic();
    assert!(strategy::texts(&table, Options::new()).unwrap().new_tree(&mut runner).is_err());
    let bytes = strategy::bytes(&table, Options::new()).unwrap();
    assert!(bytes.new_tree(&mut runner).unwrap().current().iter().all(|byte| *byte >= 0x80));
    let nothing = strategy::bytes(&table, Options::new().max_bytes(0));
    assert!(nothing.is_err());
}
