//! The parser: prediction where a grammar allows it, and else the chart.

use std::sync::Arc;

use super::budget::Budget;
use super::chart::{Chart, Source};
use super::error::{Error, SyntaxError};
use super::extract::Extraction;
use super::id::TokenId;
use super::limits::Limits;
use super::predict::{Stack, Stop};
use super::prepared::Prepared;
use super::states::States;
use super::tokens::{TokenScratch, Tokens};
use super::work::Work;
use crate::table::{Symbol, Table};
use crate::tree::{Node, Tree};

/// Reads texts of one table.
///
/// Built once, `Send + Sync`, and shared between threads, each of which has its own [`Scratch`].
#[derive(Clone, Debug)]
pub struct Parser<'t> {
    pub(super) table: &'t Table,
    pub(super) prepared: Arc<Prepared>,
    pub(super) limits: Limits,
}

/// The memory of parses: reused, so that the steady state does not allocate.
///
/// It also keeps what was learnt of the parser's grammar, so it is best kept with one parser.
/// Another parser may use it, and begins with what is empty.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The grammar that the states are of.
    prepared: Option<Arc<Prepared>>,
    pub(super) states: States,
    pub(super) chart: Chart,
    extraction: Extraction,
    stack: Stack,
    tokens: TokenScratch,
    /// The items that the last parse spent.
    items: u64,
    /// The bytes of memory that all of this has reserved.
    reserved: u64,
}

/// Memory that is given back before the next text, where there is more.
const MOST_RESERVED: u64 = 1 << 30;

/// States that take more memory than this are forgotten before the next text.
const MOST_STATES: u64 = 256 << 20;

impl Scratch {
    /// No memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many items the last parse made: what [`Limits::items_per_byte`] bounds.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// About how many bytes of memory the last parse needed, the tree not counted. It had as much again
    /// reserved, at most: [`Limits::memory`] bounds that, and the tree's.
    pub fn memory(&self) -> u64 {
        self.chart.memory() + self.states_memory() + self.stack.memory()
    }

    fn states_memory(&self) -> u64 {
        self.states.memory() + self.tokens.states_memory()
    }

    #[pleach_unhooked::unhooked]
    fn prepare(&mut self, prepared: &Arc<Prepared>) {
        let same = self.prepared.as_ref().is_some_and(|known| Arc::ptr_eq(known, prepared));
        let is_large = self.states_memory() > MOST_STATES || self.reserved > MOST_RESERVED;
        if !same || is_large {
            *self = Self { prepared: Some(Arc::clone(prepared)), ..Self::default() };
        }
        self.chart.forget();
        self.items = 0;
    }
}

impl<'t> Parser<'t> {
    /// A parser with the default limits.
    #[pleach_unhooked::unhooked]
    pub fn new(table: &'t Table) -> Self {
        Self { table, prepared: Arc::new(Prepared::new(table)), limits: Limits::default() }
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

    /// Whether the next token decides every choice of the grammar, so that texts are read without
    /// a chart.
    pub fn is_predictive(&self) -> bool {
        self.prepared.program.is_some()
    }

    fn work<'p>(&'p self, budget: &'p Budget<'p>, text: &'p [u8]) -> Result<Work<'p>, Error> {
        let Prepared { grammar, insides, .. } = &*self.prepared;
        if self.limits.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Work::new(self.table, (grammar, Some(insides)), budget, text)
    }

    /// Begins a parse, which is given its work and has to be over when this is. What is reserved for earlier
    /// texts counts; where memory was spent with it, all is done again without, so that the answer is the
    /// same whatever was read before.
    pub(super) fn bounded(
        &self,
        text: &[u8],
        scratch: &mut Scratch,
        tree: &mut Tree,
        mut read: impl FnMut(Work<'_>, &mut Scratch, &mut Tree) -> Result<(), Error>,
    ) -> Result<(), Error> {
        loop {
            tree.clear();
            scratch.prepare(&self.prepared);
            let of_tree = |tree: &Tree| {
                (tree.nodes.capacity() * size_of::<Node>() + tree.text.capacity()) as u64
            };
            let before = scratch.reserved + of_tree(tree);
            let budget = Budget::new(&self.limits, text.len(), before);
            let result = self.work(&budget, text).and_then(|work| read(work, scratch, tree));
            scratch.items = budget.spent();
            scratch.reserved = budget.reserved().saturating_sub(of_tree(tree));
            if result.is_err() {
                tree.clear();
            }
            if !matches!(result, Err(Error::Memory { .. })) || before == 0 {
                return result;
            }
            *scratch = Scratch::new();
            *tree = Tree::new();
        }
    }

    /// Reads a text into a tree, which is emptied first. Its nodes are as a producer writes them,
    /// [`Tree::check`] holds, and [`Tree::text`] is the text.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] where the text is not of the grammar, and the others where that was not
    /// found out; the tree is empty then.
    pub fn parse(&self, text: &[u8], scratch: &mut Scratch, tree: &mut Tree) -> Result<(), Error> {
        self.bounded(text, scratch, tree, |work, scratch, tree| self.read(&work, scratch, tree))
    }

    /// Reads one text into a tree of its own; for many, [`Parser::parse`] keeps the memory and what was learnt of the
    /// grammar.
    ///
    /// # Errors
    ///
    /// As [`Parser::parse`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::parse::Parser;
    /// use pleach::table::Table;
    ///
    /// let table = Table::parse(r#"sum = sum "+" number | number ; number = [0-9]+ ;"#)?;
    /// let tree = Parser::new(&table).tree(b"1+20+3")?;
    /// assert_eq!(tree.text(), b"1+20+3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tree(&self, text: &[u8]) -> Result<Tree, Error> {
        let mut tree = Tree::new();
        self.parse(text, &mut Scratch::new(), &mut tree)?;
        Ok(tree)
    }

    fn read(&self, work: &Work<'_>, scratch: &mut Scratch, tree: &mut Tree) -> Result<(), Error> {
        work.budget.room_exactly(&mut tree.text, work.text.len())?;
        self.nodes(work, scratch, tree)?;
        tree.text.extend_from_slice(work.text);
        Ok(())
    }

    /// As [`Parser::parse`], and tells only whether there is a tree: where many texts are of no
    /// grammar, most of the work would be to say what was expected.
    #[pleach_unhooked::unhooked]
    pub(crate) fn try_parse(&self, text: &[u8], scratch: &mut Scratch, tree: &mut Tree) -> bool {
        self.bounded(text, scratch, tree, |work, scratch, tree| {
            self.read(&Work { explains: false, ..work }, scratch, tree)
        })
        .is_ok()
    }

    #[pleach_unhooked::unhooked]
    fn nodes(&self, work: &Work<'_>, scratch: &mut Scratch, tree: &mut Tree) -> Result<(), Error> {
        let Scratch { states, chart, extraction, stack, tokens, .. } = scratch;
        let failed = self.predict::<true>(work, stack, tokens, tree)?;
        match failed {
            Some(at) if at > work.text.len() => return Ok(()),
            // Prediction leaves no text out.
            Some(at) if !work.explains => return Err(Error::Syntax(SyntaxError::unexplained(at))),
            _ => tree.clear(),
        }
        let read = chart.read::<true>(work, states);
        let root = read.map_err(|error| explained(error, work, failed))?;
        let source = Source { work, states };
        extraction.tree(&source, chart, root, tree, |tree, item, token, span| {
            self.inside(work, tokens, tree, item, token, span)
        })
    }

    /// Reads a text by prediction, where the grammar is read so. Gives more than the length
    /// of the text, or where it leaves the grammar.
    fn predict<const TREE: bool>(
        &self,
        work: &Work<'_>,
        stack: &mut Stack,
        tokens: &mut TokenScratch,
        tree: &mut Tree,
    ) -> Result<Option<usize>, Error> {
        let Some(program) = &self.prepared.program else { return Ok(None) };
        let inside =
            |tree: &mut Tree, item, token, span| self.inside(work, tokens, tree, item, token, span);
        let grammar = (work.grammar, self.table);
        match program.read::<TREE>(grammar, work.budget, work.text, stack, tree, inside) {
            Ok(nodes) => {
                work.budget.spend(work.text.len(), nodes)?;
                Ok(Some(work.text.len() + 1))
            }
            Err(Stop::Left { at }) => Ok(Some(at)),
            Err(Stop::Spent(error)) => Err(error),
        }
    }

    /// Appends the nodes of a token.
    #[pleach_unhooked::unhooked]
    fn inside(
        &self,
        work: &Work<'_>,
        tokens: &mut TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        token: TokenId,
        span: (usize, usize),
    ) -> Result<(), Error> {
        let Prepared { grammar, insides, .. } = &*self.prepared;
        let kind = grammar.tokens[token];
        let Work { table, budget, text, .. } = *work;
        let all = Tokens { table, grammar, insides, budget, text };
        all.read(tokens, tree, item, kind, span)
    }

    /// Tells whether a text is of the grammar: as [`Parser::parse`], without a tree.
    ///
    /// # Errors
    ///
    /// As for [`Parser::parse`].
    pub fn recognise(&self, text: &[u8], scratch: &mut Scratch) -> Result<(), Error> {
        self.bounded(text, scratch, &mut Tree::new(), |work, scratch, tree| {
            let Scratch { states, chart, stack, tokens, .. } = scratch;
            let failed = self.predict::<false>(&work, stack, tokens, tree)?;
            if failed.is_some_and(|at| at > text.len()) {
                return Ok(());
            }
            let read = chart.read::<false>(&work, states);
            read.map(drop).map_err(|error| explained(error, &work, failed))
        })
    }
}

/// Where prediction failed the text is not of the grammar. The chart says what was expected, unless
/// that is too much work.
fn explained(error: Error, work: &Work<'_>, failed: Option<usize>) -> Error {
    match (error, failed) {
        (Error::Budget { .. } | Error::Memory { .. }, Some(at)) => {
            Error::Syntax(SyntaxError::new(work.text, at, Vec::new()))
        }
        (error, _) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::super::compiled::Compiled;
    use super::super::inside::Insides;
    use super::*;
    use crate::entropy::Seeded;
    use crate::grammar::{Files, Grammar};
    use crate::produce::{Options, Producer};
    use crate::table::Lowering;

    /// Files of the grammars that are read by prediction, and of one that is not.
    const GRAMMARS: [&str; 7] = ["csv", "ip", "json", "lua", "rfc3339", "semver", "smtp-session"];

    #[test]
    fn all_ways_to_read_give_one_tree() {
        let file = |name: &str| {
            let path = format!("{}/../../grammars/{name}.pleach", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).expect("the grammar is there")
        };
        let files = Files::new([("ip.pleach", file("ip"))]);
        for name in GRAMMARS {
            let grammar = Grammar::read(name, &file(name), &files).expect("it reads");
            let table = Lowering::new().lower(&grammar).expect("it lowers").table;
            let fast = Parser::new(&table);
            assert_eq!(fast.is_predictive(), name != "lua", "{name}");
            let mut prepared = (*fast.prepared).clone();
            prepared.program = None;
            prepared.insides = Insides::new(&table);
            prepared.insides.is_plain = true;
            let charted = Parser { prepared: Arc::new(prepared), ..fast.clone() };
            // Symbol by symbol there is no layout to step over.
            let has_layout = table.layout().is_some();
            let grammar = Compiled::without_tokens(&table);
            let insides = Insides::new(&table);
            let plain = Prepared { grammar, insides, program: None };
            let plain = Parser { prepared: Arc::new(plain), ..fast.clone() };
            let mut producer =
                Producer::new(&table, Options::new().max_bytes(200)).expect("they fit");
            let mut scratches: [Scratch; 3] = Default::default();
            let mut trees: [Tree; 3] = Default::default();
            let mut text = Tree::new();
            for seed in 0..100 {
                producer.produce(&mut Seeded::new(seed), &mut text);
                let last = if has_layout { &charted } else { &plain };
                let parsers = [&fast, &charted, last].into_iter();
                for ((parser, scratch), tree) in parsers.zip(&mut scratches).zip(&mut trees) {
                    parser.parse(text.text(), scratch, tree).expect("it was produced");
                }
                assert_eq!(trees[0], trees[1], "{name}, seed {seed}");
                assert_eq!(trees[0], trees[2], "{name}, seed {seed}");
            }
        }
    }
}
