//! Reading inside tokens, when a tree is wanted.
//!
//! A token's text is read by prediction where its grammar allows. Elsewhere the parts of its
//! productions are tokens once more, so that the chart is about how they share the text, and what
//! is inside them is read next. No token leads to itself, so that ends; it is done level by level,
//! for grammars may be deep.

use super::budget::Budget;
use super::chart::{Chart, Source};
use super::compiled::{Compiled, Kind};
use super::error::Error;
use super::extract::Extraction;
use super::id_vec::IdVec;
use super::inside::{Inside, InsideId, Insides};
use super::predict::{Stack, Stop};
use super::recent::{Key, Recent};
use super::states::States;
use super::token;
use super::work::Work;
use crate::table::{Symbol, Table};
use crate::tree::{Node, Tree};

/// The memory for what is inside tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct TokenScratch {
    /// The states of the grammars inside tokens.
    states: IdVec<InsideId, Option<Box<States>>>,
    chart: Chart,
    extraction: Extraction,
    stack: Stack,
    recent: Recent,
    parts: Vec<Part>,
    /// An empty list, for the parts of the next level.
    spare: Vec<Part>,
    nodes: Vec<Node>,
}

impl TokenScratch {
    /// About how many bytes the states take.
    pub(super) fn states_memory(&self) -> u64 {
        self.states.iter().flatten().map(|states| states.memory()).sum()
    }
}

/// A token that is to be read: its node holds its length.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: usize,
    kind: Kind,
    from: usize,
    to: usize,
}

/// What stays the same for all tokens of a text.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'p> {
    pub(super) table: &'p Table,
    pub(super) grammar: &'p Compiled,
    pub(super) insides: &'p Insides,
    pub(super) budget: &'p Budget<'p>,
    pub(super) text: &'p [u8],
}

impl Tokens<'_> {
    /// Appends the nodes of a token.
    #[inline]
    pub(super) fn read(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        kind: Kind,
        (from, to): (usize, usize),
    ) -> Result<(), Error> {
        if self.recall(scratch, tree, item, (from, to))? {
            return Ok(());
        }
        let base = tree.nodes.len();
        scratch.parts.clear();
        self.level(scratch, tree, item, kind, (from, to))?;
        while !scratch.parts.is_empty() {
            self.next_level(scratch, tree, base)?;
        }
        Ok(())
    }

    /// Appends the nodes of a token, if they are known.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    fn recall(
        &self,
        scratch: &TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        (from, to): (usize, usize),
    ) -> Result<bool, Error> {
        let Some(key) = Key::new(item, self.text, (from, to)) else { return Ok(false) };
        let base = tree.nodes.len();
        let is_known = scratch.recent.append(key, self.budget, &mut tree.nodes)?;
        self.count(tree, base, to)?;
        Ok(is_known)
    }

    /// Counts the nodes of a token that took no other work: as many whether it was known or not.
    fn count(&self, tree: &Tree, base: usize, at: usize) -> Result<(), Error> {
        self.budget.spend(at, (tree.nodes.len() - base) as u64)
    }

    /// Puts the nodes of all parts in their places.
    fn next_level(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        base: usize,
    ) -> Result<(), Error> {
        let mut nodes = std::mem::take(&mut scratch.nodes);
        let spare = std::mem::take(&mut scratch.spare);
        let mut parts = std::mem::replace(&mut scratch.parts, spare);
        nodes.clear();
        self.budget.room(&mut nodes, tree.nodes.len() - base)?;
        nodes.extend(tree.nodes.drain(base..));
        let mut next = 0;
        for Part { node, kind, from, to } in parts.drain(..) {
            let node = node - base;
            self.budget.room(&mut tree.nodes, node - next)?;
            tree.nodes.extend_from_slice(&nodes[next..node]);
            let item = nodes[node].symbol;
            if !self.recall(scratch, tree, item, (from, to))? {
                self.level(scratch, tree, item, kind, (from, to))?;
            }
            next = node + 1;
        }
        self.budget.room(&mut tree.nodes, nodes.len() - next)?;
        tree.nodes.extend_from_slice(&nodes[next..]);
        scratch.nodes = nodes;
        scratch.spare = parts;
        Ok(())
    }

    /// Appends the nodes of a token down to its parts.
    #[pleach_unhooked::unhooked]
    fn level(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        kind: Kind,
        (from, to): (usize, usize),
    ) -> Result<(), Error> {
        let text = &self.text[from..to];
        let inside = self.insides.get(self.table, self.grammar, kind);
        let Inside { grammar, program, parts: deeper } = inside;
        let base = tree.nodes.len();
        let TokenScratch { states, chart, extraction, stack, recent, parts, .. } = scratch;
        let read = match program {
            None => token::single(self.table, grammar, self.budget, text, tree)?,
            Some(program) => {
                let none = |_: &mut Tree, _, _, _| unreachable!("a token has none inside");
                let grammar = (grammar, self.table);
                match program.read::<true>(grammar, self.budget, text, stack, tree, none) {
                    Ok(_) => true,
                    Err(Stop::Left { .. }) => false,
                    Err(Stop::Spent(error)) => return Err(error),
                }
            }
        };
        // What is known by the next time counts as much then.
        self.count(tree, base, to)?;
        if read {
            tree.nodes[base].symbol = item;
            if let Some(key) = Key::new(item, self.text, (from, to)) {
                recent.keep(key, &tree.nodes[base..]);
            }
        } else {
            tree.nodes.truncate(base);
            let grammar = deeper.as_ref().unwrap_or(grammar);
            let inside = Work::new(self.table, (grammar, None), self.budget, text)?;
            if states.is_empty() {
                states.resize_with(self.insides.len(), || None);
            }
            let states = &mut **states[self.insides.id(kind)].get_or_insert_default();
            let root = chart.read::<true>(&inside, states)?;
            let source = Source { work: &inside, states };
            extraction.tree(&source, chart, root, tree, |tree, item, part, (begin, end)| {
                let kind = grammar.tokens[part];
                let node = tree.nodes.len();
                self.budget.room(parts, 1)?;
                self.budget.room(&mut tree.nodes, 1)?;
                parts.push(Part { node, kind, from: from + begin, to: from + end });
                tree.nodes.push(Node { symbol: item, choice: (end - begin) as u32 });
                Ok(())
            })?;
            tree.nodes[base].symbol = item;
        }
        Ok(())
    }
}
