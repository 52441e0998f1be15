//! pleach itself, by its own invariants.

use std::cell::RefCell;
use std::sync::OnceLock;

use pleach::Seeded;
use pleach::grammar::{Grammar, NoIncludes};
use pleach::mutate::{self, Mutation, Sources};
use pleach::parse::{Parser, Scratch};
use pleach::produce::{Characters, Cover, CoverOptions, Options, Producer, TreeLimits};
use pleach::reduce::{self, Reducer};
use pleach::regular;
use pleach::table::{Lowering, Table};
use pleach::tree::{SizedTree, Tree};

pub use crate::calls::fuzzer;

/// The notation: no text panics, and a grammar that is written is read as the same.
pub fn notation(text: &str) {
    let Ok(grammar) = Grammar::read("fuzz.pleach", text, &NoIncludes) else { return };
    let written = grammar.to_string();
    let again = Grammar::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert!(grammar.same_rules(&again), "{written}");
}

/// A table of a small grammar, within budgets that a fuzzer has the time for.
fn lower(text: &str) -> Option<Table> {
    lower_grammar(&Grammar::read("fuzz.pleach", text, &NoIncludes).ok()?)
}

/// The table of a grammar, within the same budgets.
pub(crate) fn lower_grammar(grammar: &Grammar) -> Option<Table> {
    let automata =
        regular::AutomatonLimits::new().states(1 << 10).cells(1 << 16).nfa(1 << 14).steps(1 << 20);
    let lowering = Lowering::new().max_parts(1 << 12).automaton_limits(automata);
    lowering.lower(grammar).ok().map(|lowered| lowered.table)
}

/// Lowering, production and parsing of any grammar: what is produced is a tree of the grammar within
/// its budgets, and is read back.
pub fn grammar(text: &str) {
    let Some(table) = lower(text) else { return };
    let limits = TreeLimits::new().max_nodes(1 << 10).max_bytes(1 << 10);
    let (parser, mut tree) = (Parser::new(&table), Tree::new());
    let options = Options::new().characters(Characters::Mixed).limits(limits);
    if let Ok(mut producer) = Producer::new(&table, options) {
        for seed in 0..4 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            check(&parser, &tree);
        }
    }
    if let Ok(mut cover) = Cover::new(&table, CoverOptions::new(2).limits(limits).limit(1 << 12)) {
        let mut seed = Seeded::new(0);
        for _ in 0..8 {
            if !cover.next_tree(&mut seed, &mut tree) {
                break;
            }
            check(&parser, &tree);
        }
    }
}

fn check(parser: &Parser<'_>, tree: &Tree) {
    assert!(tree.text().len() <= 1 << 10 && tree.nodes().len() <= 1 << 10);
    tree.check(parser.table()).unwrap_or_else(|error| panic!("{error}"));
    let found = read(parser, tree.text());
    let syntax = matches!(&found, Err(pleach::parse::Error::Syntax(_)));
    assert!(!syntax, "produced, and not read: {:?}: {found:?}", tree.text());
}

/// Parses and recognises; the two agree, and a tree yields its text.
fn read(parser: &Parser<'_>, text: &[u8]) -> Result<(), pleach::parse::Error> {
    let table = parser.table();
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let parsed = parser.parse(text, &mut scratch, &mut tree);
    let recognised = parser.recognise(text, &mut scratch);
    match (&parsed, &recognised) {
        (Ok(()), Ok(())) => {
            assert_eq!(tree.text(), text);
            tree.check(table).unwrap_or_else(|error| panic!("{error}"));
        }
        // A budget is spent sooner where there is a tree to be made.
        (Err(_), _) => {}
        (Ok(()), Err(error)) => panic!("read, and not recognised: {error}"),
    }
    parsed
}

/// A parser of a grammar of the repository, made once.
fn parser_of(once: &'static OnceLock<Parser<'static>>, text: &str) -> &'static Parser<'static> {
    once.get_or_init(|| {
        let grammar = Grammar::parse(text).expect("a grammar of the repository");
        let lowered = Lowering::new().lower(&grammar).expect("a grammar of the repository");
        Parser::new(Box::leak(Box::new(lowered.table)))
    })
}

/// The parser on its hardest grammar.
pub fn parser(text: &[u8]) {
    static PARSER: OnceLock<Parser<'static>> = OnceLock::new();
    let grammar = include_str!("../../grammars/javascript.pleach");
    let _ = read(parser_of(&PARSER, grammar), text);
}

/// The mutators: every mutant is a tree of the grammar within its bounds, and is read back.
pub fn mutators(text: &[u8]) {
    static PARSER: OnceLock<Parser<'static>> = OnceLock::new();
    let parser = parser_of(&PARSER, include_str!("../../grammars/javascript.pleach"));
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    if parser.parse(text, &mut scratch, &mut tree).is_err() {
        return;
    }
    thread_local! {
        static MUTATION: RefCell<Option<Mutation<'static>>> = const { RefCell::new(None) };
    }
    MUTATION.with_borrow_mut(|mutation| {
        let table = parser.table();
        let mutation = mutation.get_or_insert_with(|| {
            Mutation::new(table, mutate::Options::new().breaking(0)).expect("the default mutators")
        });
        let base = SizedTree::of(table, &tree);
        let most = text.len() + 256;
        let mut mutant = SizedTree::new();
        for seed in 0..8 {
            let (mut seed, sources) = (Seeded::new(seed), Sources::default());
            let name = mutation.mutate(base.as_ref(), sources, most, &mut seed, &mut mutant);
            let Some(name) = name else { continue };
            assert!(mutant.text().len() <= most && mutant.text() != text, "{name}");
            mutant.tree().check(table).unwrap_or_else(|error| panic!("{name}: {error}"));
            let read = parser.parse(mutant.text(), &mut scratch, &mut tree);
            let syntax = matches!(&read, Err(pleach::parse::Error::Syntax(_)));
            assert!(!syntax, "{name}: {read:?}");
        }
    });
}

/// The reducer: each candidate is a sentence, and the end is no longer than the beginning.
pub fn reducer(text: &[u8]) {
    static PARSER: OnceLock<Parser<'static>> = OnceLock::new();
    let parser = parser_of(&PARSER, include_str!("../../grammars/json.pleach"));
    let table = parser.table();
    let mut tree = Tree::new();
    if text.len() > 1 << 10 || parser.parse(text, &mut Scratch::new(), &mut tree).is_err() {
        return;
    }
    // What is kept: the least byte that the text holds beyond blanks and brackets.
    let Some(&least) = text.iter().filter(|byte| !b" \t\r\n[]{},:".contains(byte)).min() else {
        return;
    };
    let mut reducer = Reducer::new(table, tree, reduce::Options::new().tokens(true))
        .expect("a tree of the table");
    for _ in 0..1 << 10 {
        let Some(candidate) = reducer.propose() else { break };
        let interesting = candidate.text.contains(&least);
        reducer.answer(candidate.ticket, interesting);
    }
    assert!(reducer.text().len() <= text.len() && reducer.text().contains(&least));
    reducer.tree().check(table).unwrap_or_else(|error| panic!("{error}"));
    assert!(read(parser, reducer.text()).is_ok());
}

#[cfg(test)]
mod tests {
    #[test]
    fn bodies_run() {
        let grammars = [
            "a = \"x\" | \"(\" a \")\" ;",
            "%layout s; a = \"x\"+ | @read [a-z]{2} ; s = \" \"* ;",
            include_str!("../grammars/notation.pleach"),
            "a = a ;",
            "a = ",
            "",
        ];
        for text in grammars {
            super::notation(text);
            super::grammar(text);
        }
        for text in ["var a = /x/g\nfor (;;) { a() }", "var", ""] {
            super::parser(text.as_bytes());
            super::mutators(text.as_bytes());
        }
        for text in [r#"{"a": [1, 2, {"b": "needle"}]}"#, "[]", "["] {
            super::reducer(text.as_bytes());
        }
        let calls = "\n%mutate 1 64 [1, a: [null]]\n%again 2 64\n%mark [ ]\n%again 3 5\n%mutate 4 64 [1\n%mark [1\
            \n%cross 5 64 [b, 2]\n%cross 6 256 [\n%again 7 0\n%mutate 8 3 \n%again 9 256";
        for options in ["", " faithful", " replayable", " novelty", " engine", " uncounted engine"]
        {
            for cache in [0, 500, 4096, 20_000, 1_000_000] {
                super::fuzzer(format!("%cache {cache}{options}{}", calls.repeat(4)).as_bytes());
            }
        }
        // Lists of all lengths, which fill the caches many times.
        for cache in [20_000, 1_000_000] {
            let mut calls = format!("%cache {cache} faithful");
            for seed in 1..64_u64 {
                let items: Vec<_> =
                    (0..seed * 7 % 31).map(|item| (item * seed).to_string()).collect();
                calls += &format!("\n%mutate {seed} 1024 [{}]", items.join(", "));
            }
            super::fuzzer(calls.as_bytes());
        }
        super::fuzzer(b"");
    }
}
