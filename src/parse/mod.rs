//! Reading: a text back into a derivation tree.
//!
//! A [`Parser`] reads any text of its table's grammar, whatever the grammar is: left-recursive,
//! ambiguous, cyclic, with rules that derive the empty string. Memory is the caller's: a
//! [`Scratch`] that serves text after text.
//!
//! # The tree
//!
//! Of several derivations of a text the first in this order is taken. Two derivations are compared
//! at the first node, in preorder, where they differ:
//!
//! 1. the alternative that the grammar writes first;
//! 2. of a repetition the greater count, where no element beyond the least count is empty;
//! 3. the longer left child; layout belongs to the token that it precedes, and longer layout comes
//!    first.
//!
//! No rule derives itself over its own text.
//!
//! Layout may stand before the first token and after the last, too. It must stand between two
//! tokens that meet inside a word or number: `ifx` is one name, not `if` and `x`.
//!
//! # Examples
//!
//! ```
//! use pleach::grammar::Grammar;
//! use pleach::parse::{Parser, Scratch};
//! use pleach::table::Lowering;
//! use pleach::tree::Tree;
//!
//! let grammar = Grammar::parse(r#"sum = sum "+" number | number ; number = [0-9]+ ;"#)?;
//! let table = Lowering::new().lower(&grammar)?.table;
//! let parser = Parser::new(&table);
//! let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
//! parser.parse(b"1+20+3", &mut scratch, &mut tree)?;
//! tree.check(&table)?;
//! assert_eq!(tree.text(), b"1+20+3");
//! let error = parser.parse(b"1+", &mut scratch, &mut tree).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 1, column 3: the end of the text where number is expected"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chart;
mod compile;
mod error;
mod extract;
mod limits;
mod scan;
mod states;

use std::sync::Arc;

use chart::{Chart, Work};
use compile::Compiled;
use extract::{Extraction, Source};
use states::States;

pub use error::{Error, SyntaxError};
pub use limits::Limits;

use crate::table::Table;
use crate::tree::Tree;

/// Reads texts of one table.
///
/// Built once, `Send + Sync`, and shared between threads, each of which has its own [`Scratch`].
#[derive(Clone, Debug)]
pub struct Parser<'t> {
    table: &'t Table,
    grammar: Arc<Compiled>,
    limits: Limits,
}

/// The memory of parses: reused, so that the steady state does not allocate.
///
/// It also keeps what was learnt of the parser's grammar, so it is best kept with one parser.
/// Another parser may use it, and begins with what is empty.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The grammar that the states are of.
    grammar: Option<Arc<Compiled>>,
    states: States,
    chart: Chart,
    extraction: Extraction,
}

/// States that take more memory than this are forgotten before the next text.
const MOST_STATES: u64 = 64 << 20;

impl Scratch {
    /// No memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many items the last parse made: what [`Limits::items_per_byte`] bounds.
    pub fn items(&self) -> u64 {
        self.chart.spent
    }

    /// About how many bytes of memory the last parse needed, the tree not counted: what
    /// [`Limits::memory`] bounds.
    pub fn memory(&self) -> u64 {
        self.chart.memory() + self.states.memory()
    }

    fn states_of(&mut self, grammar: &Arc<Compiled>) {
        let same = self.grammar.as_ref().is_some_and(|known| Arc::ptr_eq(known, grammar));
        if !same || self.states.memory() > MOST_STATES {
            self.states.clear();
            self.grammar = Some(Arc::clone(grammar));
        }
    }
}

impl<'t> Parser<'t> {
    /// A parser with the default limits.
    pub fn new(table: &'t Table) -> Self {
        Self { table, grammar: Arc::new(Compiled::new(table)), limits: Limits::default() }
    }

    /// Sets the bounds on the work of each parse. The default is [`Limits::default`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The table whose texts it reads.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// Reads a text into a tree, which is emptied first. Its nodes are as a producer writes them,
    /// [`Tree::check`] holds, and [`Tree::text`] is the text.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] where the text is not of the grammar, and the others where that was not
    /// found out; the tree is empty then.
    pub fn parse(&self, text: &[u8], scratch: &mut Scratch, tree: &mut Tree) -> Result<(), Error> {
        tree.clear();
        scratch.states_of(&self.grammar);
        let work = Work::new(self.table, &self.grammar, &self.limits, text)?;
        let Scratch { states, chart, extraction, .. } = scratch;
        let root = chart.read::<true>(&work, states)?;
        let source = Source { work: &work, states };
        let result = extraction.tree(&source, chart, root, tree);
        if result.is_err() {
            tree.clear();
        }
        result
    }

    /// Tells whether a text is of the grammar: as [`Parser::parse`], without a tree.
    ///
    /// # Errors
    ///
    /// As for [`Parser::parse`].
    pub fn recognise(&self, text: &[u8], scratch: &mut Scratch) -> Result<(), Error> {
        scratch.states_of(&self.grammar);
        let work = Work::new(self.table, &self.grammar, &self.limits, text)?;
        scratch.chart.read::<false>(&work, &mut scratch.states).map(drop)
    }
}
