//! What is inside tokens, when a tree is wanted.
//!
//! A token's text is read by prediction where its grammar allows. Elsewhere the parts of its
//! productions are tokens once more, so that the chart is about how they share the text, and what
//! is inside them is read next. No token leads to itself, so that ends; it is done level by level,
//! for grammars may be deep.

use fxhash::FxHashMap;

use super::chart::{Chart, Work};
use super::compile::{Compiled, Kind, NONE, TokenScanners};
use super::error::Error;
use super::extract::{Extraction, Source};
use super::limits::Limits;
use super::predict::{Program, Stack};
use super::states::States;
use super::token;
use crate::table::{Symbol, Table};
use crate::tree::{Node, Tree};

/// What is inside a token.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// Its grammar, symbol by symbol.
    pub(super) grammar: Compiled,
    pub(super) program: Option<Program>,
    /// Where there is no program and texts may be long, its grammar by tokens, and which those are.
    pub(super) parts: Option<(Compiled, Vec<u32>)>,
}

/// What is inside tokens, and inside their parts.
pub(super) fn insides(
    table: &Table,
    grammar: &Compiled,
    scanners: &mut TokenScanners,
) -> Vec<Inside> {
    let mut kinds = grammar.tokens.clone();
    let mut known: FxHashMap<Kind, u32> = kinds.iter().copied().zip(0..).collect();
    let mut insides = Vec::new();
    while let Some(&kind) = kinds.get(insides.len()) {
        let flat = grammar.inside(table, kind);
        let program = Program::new(table, &flat);
        let mut parts = None;
        if program.is_none() && may_be_long(table, &flat) {
            let within = grammar.within(table, kind, scanners);
            let tokens = within.tokens.iter().map(|&part| {
                *known.entry(part).or_insert_with(|| {
                    kinds.push(part);
                    kinds.len() as u32 - 1
                })
            });
            let tokens = tokens.collect();
            parts = Some((within, tokens));
        }
        insides.push(Inside { grammar: flat, program, parts });
    }
    insides
}

/// Whether a grammar has texts of any length.
fn may_be_long(table: &Table, grammar: &Compiled) -> bool {
    let unbounded = crate::table::Repetition::UNBOUNDED;
    let is_long = |kind| match kind {
        Kind::Repetition(repetition) => table.repetition(repetition).max == unbounded,
        _ => false,
    };
    let symbols = grammar.positions.iter().map(|position| position.symbol);
    let mut terminals = symbols.filter(|&s| s != NONE).filter_map(|s| grammar.terminal(s));
    grammar.nonterminals.iter().any(|nonterminal| is_long(nonterminal.kind))
        || terminals.any(|terminal| grammar.scanner(terminal).is_some())
}

/// The memory for what is inside tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct TokenScratch {
    /// The states of each token's grammar.
    pub(super) states: Vec<States>,
    chart: Chart,
    extraction: Extraction,
    stack: Stack,
    parts: Vec<Part>,
    /// An empty list, for the parts of the next level.
    spare: Vec<Part>,
    nodes: Vec<Node>,
}

/// A token that is to be read: its node holds its length.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: usize,
    token: u32,
    from: usize,
    to: usize,
}

/// What stays the same for all tokens of a text.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'p> {
    pub(super) table: &'p Table,
    pub(super) insides: &'p [Inside],
    pub(super) limits: &'p Limits,
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
        token: u32,
        (from, to): (usize, usize),
    ) -> Result<(), Error> {
        let base = tree.nodes.len();
        scratch.parts.clear();
        self.level(scratch, tree, item, token, (from, to))?;
        while !scratch.parts.is_empty() {
            self.next_level(scratch, tree, base)?;
        }
        Ok(())
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
        nodes.extend(tree.nodes.drain(base..));
        let mut next = 0;
        for Part { node, token, from, to } in parts.drain(..) {
            let node = node - base;
            tree.nodes.extend_from_slice(&nodes[next..node]);
            self.level(scratch, tree, nodes[node].symbol, token, (from, to))?;
            next = node + 1;
        }
        tree.nodes.extend_from_slice(&nodes[next..]);
        scratch.nodes = nodes;
        scratch.spare = parts;
        Ok(())
    }

    /// Appends the nodes of a token down to its parts.
    fn level(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        token: u32,
        (from, to): (usize, usize),
    ) -> Result<(), Error> {
        let Inside { grammar, program, parts: deeper } = &self.insides[token as usize];
        let text = &self.text[from..to];
        let base = tree.nodes.len();
        let TokenScratch { states, chart, extraction, stack, parts, .. } = scratch;
        if program.is_none() && token::single(self.table, grammar, text, tree) {
            tree.nodes[base].symbol = item;
            return Ok(());
        }
        let read = program.as_ref().is_some_and(|program| {
            let none = |_: &mut Tree, _, _, _| false;
            let grammar = (grammar, self.table);
            program.read::<true>(grammar, text, stack, tree, none, || true).is_ok()
        });
        if !read {
            tree.nodes.truncate(base);
            let (grammar, tokens) = match deeper {
                Some((grammar, tokens)) => (grammar, &tokens[..]),
                None => (grammar, &[][..]),
            };
            let inside = Work::new(self.table, (grammar, &[]), self.limits, text)?;
            let states = &mut states[token as usize];
            let root = chart.read::<true>(&inside, states)?;
            let source = Source { work: &inside, states };
            extraction.tree(&source, chart, root, tree, |tree, item, part, (begin, end)| {
                let token = tokens[part as usize];
                let node = tree.nodes.len();
                parts.push(Part { node, token, from: from + begin, to: from + end });
                tree.nodes.push(Node { symbol: item, choice: (end - begin) as u32 });
                Ok(())
            })?;
        }
        tree.nodes[base].symbol = item;
        Ok(())
    }
}
