//! Inputs, both reducers, and what each reaches.

use std::fmt;

use pleach::Seeded;
use pleach::parse::{Parser, Scratch};
use pleach::produce::Producer;
use pleach::reduce::{Options, Reducer};
use pleach::table::Table;
use pleach::tree::Tree;

use super::bytes::reduce_bytes;
use super::planted::Planted;

/// The seed of all inputs.
const SEED: u64 = 1;
/// Inputs have at least so many bytes.
const LEAST_BYTES: usize = 1500;
/// How many are generated, at the most, until one fails.
const MOST_INPUTS: usize = 200_000;

/// The size that a reducer reached, and how often it ran the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Bytes.
    pub bytes: usize,
    /// Runs of the parser.
    pub runs: u64,
}

/// What both reducers make of one input.
#[derive(Clone, Debug)]
pub struct Comparison {
    planted: &'static Planted,
    /// The bytes that both begin with.
    pub start: usize,
    /// The tree-aware reducer.
    pub tree: Reached,
    /// The same, with the texts of tokens.
    pub tokens: Reached,
    /// Bytes, with the runs that `tree` took.
    pub same_runs: Reached,
    /// Bytes, to the end.
    pub bytes: Reached,
    /// What `tokens` left.
    pub left: String,
}

/// The head of the table whose rows comparisons are.
pub const HEAD: &str = "\
| failure | parser | start | tree-aware | runs | with --tokens | runs | bytes, as many runs | bytes, to the end | runs |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { planted, start, tree, tokens, same_runs, bytes, .. } = self;
        write!(
            f,
            "| {} | {} | {start} | {} | {} | {} | {} | {} | {} | {} |",
            planted.failure,
            planted.parser,
            tree.bytes,
            tree.runs,
            tokens.bytes,
            tokens.runs,
            same_runs.bytes,
            bytes.bytes,
            bytes.runs
        )
    }
}

/// The first generated input that is long enough and fails.
///
/// # Panics
///
/// Where there is none.
pub fn input(planted: &Planted, table: &Table) -> Vec<u8> {
    let mut producer = Producer::new(table, (planted.options)()).expect("the budgets are ample");
    let (mut seed, mut text) = (Seeded::new(SEED), Vec::new());
    for _ in 0..MOST_INPUTS {
        text.clear();
        match &planted.join {
            Some(join) => {
                let [before, between, after] = join.around;
                text.extend_from_slice(before.as_bytes());
                for number in 0..join.count {
                    if number > 0 {
                        text.extend_from_slice(between.as_bytes());
                    }
                    producer.write(&mut seed, &mut text);
                }
                text.extend_from_slice(after.as_bytes());
            }
            None => producer.write(&mut seed, &mut text),
        }
        if text.len() >= LEAST_BYTES && (planted.fails)(&text) {
            return text;
        }
    }
    panic!("no input of {} fails", planted.grammar);
}

impl Comparison {
    /// Reduces the planted failure's input in each way.
    ///
    /// # Panics
    ///
    /// Where no input fails, or what is left does not.
    pub fn of(planted: &'static Planted) -> Self {
        let table = crate::table(planted.grammar);
        let text = input(planted, &table);
        let mut tree = Tree::new();
        let parser = Parser::new(&table);
        let parsed = parser.parse(&text, &mut Scratch::new(), &mut tree);
        parsed.unwrap_or_else(|error| panic!("{}: {error}", planted.grammar));
        let by_tree = |options: Options| {
            let reducer = Reducer::new(&table, tree.clone(), options);
            let mut reducer = reducer.expect("the parser's trees are derivations");
            while let Some(candidate) = reducer.propose() {
                reducer.answer(candidate.ticket, (planted.fails)(&candidate.text));
            }
            assert!((planted.fails)(reducer.text()), "{}", planted.failure);
            let reached = Reached { bytes: reducer.text().len(), runs: reducer.tried() };
            (reached, String::from_utf8_lossy(reducer.text()).into_owned())
        };
        let by_bytes = |most| {
            let (left, runs) = reduce_bytes(&text, most, planted.fails);
            assert!((planted.fails)(&left), "{}", planted.failure);
            Reached { bytes: left.len(), runs }
        };
        let (tree, _) = by_tree(Options::new());
        let (tokens, left) = by_tree(Options::new().tokens(true));
        Self {
            planted,
            start: text.len(),
            tree,
            tokens,
            same_runs: by_bytes(tree.runs),
            bytes: by_bytes(u64::MAX),
            left,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduction::PLANTED;

    #[test]
    fn the_tree_aware_reducer_reaches_less_with_as_many_runs() {
        assert_eq!(PLANTED.len(), 5);
        let mut total = (0, 0);
        for planted in PLANTED {
            let found = Comparison::of(planted);
            println!("{found}\n    {:?}", found.left);
            assert!(found.start >= LEAST_BYTES);
            assert!(found.tree.bytes < found.same_runs.bytes, "{found}");
            assert!(found.tree.runs < found.bytes.runs, "{found}");
            total.0 += found.tree.bytes;
            total.1 += found.bytes.bytes;
        }
        // To the end, bytes may win where the grammar demands what the failure does not need.
        assert!(total.0 < total.1, "{total:?}");
    }
}
