//! Inputs by a grammar: trees of those that did something new, changed.

use std::sync::Arc;

use pleach::Seeded;
use pleach::bridge::system::{Broken, SystemTester};
use pleach::mutate::{Mutation, Options, Sources};
use pleach::parse::{Limits, Parser, Scratch};
use pleach::table::Table;
use pleach::tree::{SizedTree, Tree};

/// How many trees are kept to go on from.
const KEPT: usize = 1024;

/// Changes sentences of a grammar.
pub(crate) struct ByGrammar {
    table: Arc<Table>,
    limits: Limits,
    scratch: Scratch,
    kept: Vec<SizedTree>,
    words: Seeded,
    /// How many were made.
    made: usize,
    longest: usize,
}

impl ByGrammar {
    pub(crate) fn new(table: Arc<Table>, limits: Limits, seed: u64, longest: usize) -> Self {
        let (scratch, words) = (Scratch::new(), Seeded::new(seed));
        Self { table, limits, scratch, kept: Vec::new(), words, made: 0, longest }
    }
}

impl SystemTester for ByGrammar {
    fn next(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        let Some(base) = self.kept.get(self.made % self.kept.len().max(1)) else { return Ok(None) };
        self.made += 1;
        let Ok(mut mutation) = Mutation::new(&self.table, Options::new().breaking(0)) else {
            return Ok(None);
        };
        let mut mutant = SizedTree::new();
        let sources = Sources::default();
        let made =
            mutation.mutate(base.as_ref(), sources, self.longest, &mut self.words, &mut mutant);
        Ok(made.map(|_| mutant.text().to_vec()))
    }

    fn learn(&mut self, input: &[u8]) {
        let mut tree = Tree::new();
        let parser = Parser::new(&self.table).limits(self.limits.clone());
        if self.kept.len() < KEPT && parser.parse(input, &mut self.scratch, &mut tree).is_ok() {
            self.kept.push(SizedTree::of(&self.table, &tree));
        }
    }
}
