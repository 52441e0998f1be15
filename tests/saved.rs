//! Grammars that are saved and read back, and saved ones that somebody tampered with.
#![cfg(all(feature = "build", feature = "serde"))]

use std::path::Path;

use pleach::Seeded;
use pleach::build::FileSystem;
use pleach::grammar::{Alternative, Expr, ExprId, Grammar, Mark};
use pleach::kpath::WalkCounts;
use pleach::produce::{Options, Producer};
use pleach::table::Lowering;
use pleach::tree::Tree;
use proptest::prelude::*;

fn read(path: &str) -> Grammar {
    let files = FileSystem::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let main = files.read(&path).unwrap();
    Grammar::read(&main.name, &main.text, &files).unwrap()
}

#[test]
fn a_saved_grammar_is_the_grammar() {
    let grammars =
        ["grammars/json", "grammars/uri", "grammars/expr", "tests/data/notation/ok/bindings"];
    for name in grammars {
        let grammar = read(&format!("{name}.pleach"));
        let saved = serde_json::to_vec(&grammar).unwrap();
        let back: Grammar = serde_json::from_slice(&saved).unwrap();
        assert_eq!(back, grammar);
        let (one, two) = (
            Lowering::new().lower(&grammar).unwrap().table,
            Lowering::new().lower(&back).unwrap().table,
        );
        assert_eq!(one.occurrence_count(), two.occurrence_count());
        assert_eq!(WalkCounts::new(&one, 5).up_to(5), WalkCounts::new(&two, 5).up_to(5),);
    }
}

/// Something that no text gives: indices out of range, circles, lists of other lengths.
#[derive(Clone, Debug)]
enum Damage {
    Body(usize, u32),
    Child(usize, u32),
    Swap(usize, usize),
    Truncate(usize),
    Spans(usize),
    File(usize, u32),
    Range(usize, u32, u32),
    Counts(usize, u32, Option<u32>),
    Files,
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = || 0..200_usize;
    let id = || prop_oneof![0..200_u32, Just(u32::MAX), any::<u32>()];
    prop_oneof![
        (at(), id()).prop_map(|(rule, id)| Damage::Body(rule, id)),
        (at(), id()).prop_map(|(expr, id)| Damage::Child(expr, id)),
        (at(), at()).prop_map(|(one, two)| Damage::Swap(one, two)),
        at().prop_map(Damage::Truncate),
        at().prop_map(Damage::Spans),
        (at(), id()).prop_map(|(span, file)| Damage::File(span, file)),
        (at(), id(), id()).prop_map(|(expr, low, high)| Damage::Range(expr, low, high)),
        (at(), id(), proptest::option::of(id()))
            .prop_map(|(e, min, max)| Damage::Counts(e, min, max)),
        Just(Damage::Files),
    ]
}

fn apply(grammar: &mut Grammar, damage: &Damage) {
    let (rules, exprs) = (grammar.rules.len(), grammar.exprs.len().max(1));
    match *damage {
        Damage::Body(rule, id) => grammar.rules[rule % rules].body = ExprId(id),
        Damage::Child(at, id) => {
            let Some(expr) = grammar.exprs.get_mut(at % exprs) else { return };
            match expr {
                Expr::Sequence(items) => items.push(ExprId(id)),
                Expr::Choice(items) => items.push(Alternative {
                    mark: Some(Mark::Weight(id)),
                    ..Alternative::plain(ExprId(id))
                }),
                Expr::Repeat { expr, .. } => *expr = ExprId(id),
                Expr::Except { minus, .. } => *minus = ExprId(id),
                other => *other = Expr::Sequence(vec![ExprId(id)]),
            }
        }
        Damage::Swap(one, two) if !grammar.exprs.is_empty() => {
            grammar.exprs.swap(one % exprs, two % exprs);
        }
        Damage::Swap(..) => {}
        Damage::Truncate(length) => grammar.exprs.truncate(length),
        Damage::Spans(length) => grammar.spans.truncate(length),
        Damage::File(at, file) => {
            if let Some(span) = grammar.spans.get_mut(at) {
                span.file = file;
                span.end = 0;
            }
        }
        Damage::Range(at, low, high) => {
            if let Some(expr) = grammar.exprs.get_mut(at) {
                *expr = Expr::Class(vec![(1, 2), (low, high)]);
            }
        }
        Damage::Counts(at, min, max) => {
            if let Some(expr) = grammar.exprs.get_mut(at) {
                *expr = Expr::Repeat { expr: ExprId(0), min, max, weight: max };
            }
        }
        Damage::Files => grammar.files.clear(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tampered_grammars_are_refused_or_used(wounds in proptest::collection::vec(damage(), 1..4)) {
        let mut grammar = Grammar::parse(TEXT).unwrap();
        wounds.iter().for_each(|wound| apply(&mut grammar, wound));
        let saved = serde_json::to_vec(&grammar).unwrap();
        let back: Grammar = serde_json::from_slice(&saved).unwrap();
        match Lowering::new().lower(&back) {
            // Rendering must bear places outside of the text as well.
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(lowered) => {
                let options = Options::new().max_nodes(100_000);
                if let Ok(mut producer) = Producer::new(&lowered.table, options) {
                    producer.produce(&mut Seeded::new(1), &mut Tree::new());
                }
            }
        }
    }
}

const TEXT: &str = r#"
    %layout space; %lexical name;
    list = "[" ( item ("," item)*@2 )? "]" ;
    item = @3 name | number | list | i"nil" {2,5} ;
    name = /[a-z]+/ except "nil" ;
    number = [0-9]+ ;
    space = " "* ;
"#;
