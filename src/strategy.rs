//! Sentences of a grammar for properties, by [`proptest`]: they shrink by their trees.
//!
//! A sentence that a property fails on is made smaller as [`Reducer`] does it: subtrees go, give way to
//! the smallest of their rule or take the place of what they stand in, and elements of repetitions are
//! left out. Whatever a property is shown is a sentence, so what is reported is a small one.
//!
//! # Examples
//!
//! ```
//! use pleach::{produce::Options, strategy, table::Table};
//! use proptest::test_runner::{TestError, TestRunner};
//!
//! let table = Table::parse(include_str!("../grammars/json.pleach"))?;
//! let texts = strategy::texts(&table, Options::new().max_bytes(300))?;
//!
//! // In a test: `proptest!(|(text in texts)| { ... })`.
//! let result = TestRunner::deterministic().run(&texts, |text| {
//!     let value: serde_json::Value = serde_json::from_str(&text).unwrap();
//!     // A mistake to be found.
//!     proptest::prop_assert!(value.as_object().is_none_or(|object| object.len() < 2));
//!     Ok(())
//! });
//! let Err(TestError::Fail(_, smallest)) = result else { panic!("it has to fail") };
//! assert!(smallest.len() <= 15, "{smallest}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::{Mutex, PoisonError};

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::Seeded;
use crate::produce::{BudgetError, Options, Producer};
use crate::reduce::{self, Reducer, Ticket};
use crate::table::Table;
use crate::tree::Tree;

/// Sentences of a grammar in Unicode, as strings.
///
/// [`Options`] bound them; a property that is slow on long inputs wants [`Options::max_bytes`].
///
/// # Errors
///
/// Where no tree fits the limits.
pub fn texts(table: &Table, options: Options) -> Result<Sentences<'_, String>, BudgetError> {
    Sentences::new(table, options, |bytes| String::from_utf8(bytes).ok())
}

/// Sentences of a grammar, as bytes.
///
/// # Errors
///
/// As [`texts`].
pub fn bytes(table: &Table, options: Options) -> Result<Sentences<'_, Vec<u8>>, BudgetError> {
    Sentences::new(table, options, Some)
}

/// A strategy whose values are sentences of a grammar; made by [`texts`] and [`bytes`].
///
/// What is generated follows from the runner's seed. A sentence of a grammar in bytes that is not
/// UTF-8 is no text: [`texts`] rejects it.
pub struct Sentences<'t, V> {
    table: &'t Table,
    producer: Mutex<Producer<'t>>,
    value: fn(Vec<u8>) -> Option<V>,
}

impl<'t, V> Sentences<'t, V> {
    fn new(
        table: &'t Table,
        options: Options,
        value: fn(Vec<u8>) -> Option<V>,
    ) -> Result<Self, BudgetError> {
        let producer = Mutex::new(Producer::new(table, options.singly())?);
        Ok(Self { table, producer, value })
    }
}

impl<V> fmt::Debug for Sentences<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sentences").finish_non_exhaustive()
    }
}

impl<'t, V: fmt::Debug> Strategy for Sentences<'t, V> {
    type Tree = Shrinking<'t, V>;
    type Value = V;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = proptest::num::u64::ANY.new_tree(runner)?.current();
        let mut tree = Tree::new();
        let mut producer = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        producer.produce(&mut Seeded::new(seed), &mut tree);
        let current = tree.text().to_vec();
        if (self.value)(current.clone()).is_none() {
            return Err("a sentence is not UTF-8: take `strategy::bytes`".into());
        }
        let options = reduce::Options::new().tokens(true);
        let reducer = Reducer::new(self.table, tree, options)
            .map_err(|error| format!("a tree is none of the table: {error}"))?;
        Ok(Shrinking { reducer, open: None, current, value: self.value })
    }
}

/// A sentence and the smaller ones that can be made of it.
///
/// After [`ValueTree::simplify`] the sentence is the [`Reducer`]'s next candidate, and the one before it
/// was of interest. After [`ValueTree::complicate`] it is the candidate that follows where that one is
/// refused; when there is none left, it is the smallest sentence of interest once more.
pub struct Shrinking<'t, V> {
    reducer: Reducer<'t>,
    /// The candidate that is current, if any is.
    open: Option<Ticket>,
    current: Vec<u8>,
    value: fn(Vec<u8>) -> Option<V>,
}

impl<V> Shrinking<'_, V> {
    /// Makes the next candidate current; false where there is none.
    fn advance(&mut self) -> bool {
        while let Some(candidate) = self.reducer.propose() {
            if (self.value)(candidate.text.clone()).is_some() {
                self.open = Some(candidate.ticket);
                self.current = candidate.text;
                return true;
            }
            self.reducer.answer(candidate.ticket, false);
        }
        false
    }
}

impl<V: fmt::Debug> ValueTree for Shrinking<'_, V> {
    type Value = V;

    fn current(&self) -> V {
        (self.value)(self.current.clone()).expect("what is no value is never current")
    }

    fn simplify(&mut self) -> bool {
        if let Some(ticket) = self.open.take() {
            self.reducer.answer(ticket, true);
        }
        self.advance()
    }

    fn complicate(&mut self) -> bool {
        let Some(ticket) = self.open.take() else { return false };
        self.reducer.answer(ticket, false);
        if !self.advance() {
            self.current.clear();
            self.current.extend_from_slice(self.reducer.text());
        }
        true
    }
}

impl<V> Clone for Shrinking<'_, V> {
    fn clone(&self) -> Self {
        Self {
            reducer: self.reducer.clone(),
            open: self.open,
            current: self.current.clone(),
            value: self.value,
        }
    }
}

impl<V> fmt::Debug for Shrinking<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format_args!("{}", self.current.escape_ascii()).to_string();
        f.debug_struct("Shrinking").field("current", &text).finish_non_exhaustive()
    }
}
