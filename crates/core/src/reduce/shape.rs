//! A tree with what the operators must know of each node.

use std::sync::Arc;

use super::assemble::NO_TOKEN;
use super::units::Units;
use crate::table::{RuleId, Symbol, SymbolKind, Table};
use crate::tree::{Outline, Tree};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A tree, and arrays as long as its nodes.
#[derive(Clone, Debug)]
pub(super) struct Shape<'t> {
    pub(super) table: &'t Table,
    pub(super) units: Arc<Units>,
    pub(super) tree: Tree,
    /// The rule that the tree derives.
    pub(super) root: RuleId,
    /// The identity of each node, which it keeps when others are changed.
    pub(super) ids: Vec<u32>,
    pub(super) outline: Outline,
    pub(super) parents: Vec<u32>,
    /// The nearest ancestor of the same rule or repetition.
    pub(super) above: Vec<u32>,
    /// The longest of the nodes whose nearest ancestor of the same kind this is.
    pub(super) below: Vec<u32>,
    /// The first node of the chain that each node is in, and how many links are between them: see
    /// [`Shape::chain`].
    pub(super) chains: Vec<(u32, u32)>,
    /// The token that begins at each node.
    pub(super) tokens: Vec<u32>,
    /// Whether each node stands inside a token, so that no layout stands before it.
    pub(super) inside: Vec<bool>,
    /// The leaves that are layout.
    pub(super) layout: Vec<u32>,
}

impl<'t> Shape<'t> {
    /// `ids` has one entry for each node.
    pub(super) fn new(table: &'t Table, units: Arc<Units>, tree: Tree, ids: Vec<u32>) -> Self {
        let mut shape = Self {
            table,
            units,
            outline: Outline::new(table, &tree),
            parents: vec![NONE; tree.nodes().len()],
            above: vec![NONE; tree.nodes().len()],
            below: vec![NONE; tree.nodes().len()],
            chains: Vec::with_capacity(tree.nodes().len()),
            tokens: vec![NO_TOKEN; tree.nodes().len()],
            inside: vec![false; tree.nodes().len()],
            layout: Vec::new(),
            root: tree.root_rule().unwrap_or(table.start()),
            tree,
            ids,
        };
        shape.relate();
        for index in 0..shape.ids.len() as u32 {
            let above = shape.above[index as usize];
            let goes_on = above != NONE && shape.below[above as usize] == index;
            let (head, links) = if goes_on { shape.chains[above as usize] } else { (index, 0) };
            shape.chains.push((head, links + u32::from(goes_on)));
        }
        shape.tokenize();
        shape
    }

    /// Fills in parents and nearest ancestors of the same kind.
    fn relate(&mut self) {
        let table = self.table;
        let mut nearest = vec![NONE; table.rule_count() + table.repetition_count()];
        // Open nodes: index, kind, and the nearest of that kind before it.
        let mut open: Vec<(u32, Option<usize>, u32)> = Vec::new();
        for index in 0..self.tree.nodes().len() {
            while let Some(&(above, kind, before)) = open.last()
                && self.end(above as usize) <= index
            {
                open.pop();
                if let Some(kind) = kind {
                    nearest[kind] = before;
                }
            }
            self.parents[index] = open.last().map_or(NONE, |&(above, ..)| above);
            let symbol = self.symbol(index);
            if symbol == Symbol::LAYOUT {
                self.layout.push(index as u32);
            }
            if symbol.is_leaf() {
                continue;
            }
            let kind = match symbol.kind() {
                SymbolKind::Repetition(id) => Some(table.rule_count() + id.index()),
                _ => table.rule_behind(symbol).map(|rule| rule.index()),
            };
            if let Some(kind) = kind {
                let above = nearest[kind];
                self.above[index] = above;
                if above != NONE {
                    let below = self.below[above as usize];
                    if below == NONE || self.width(below as usize) < self.width(index) {
                        self.below[above as usize] = index as u32;
                    }
                }
                open.push((index as u32, Some(kind), nearest[kind]));
                nearest[kind] = index as u32;
            }
        }
    }

    /// Finds where tokens begin.
    fn tokenize(&mut self) {
        let mut inside_until = match self.table.layout() {
            None => self.tree.nodes().len(),
            Some(layout) if layout.is_lexical(self.root) => self.tree.nodes().len(),
            Some(_) => 0,
        };
        for index in 0..self.tree.nodes().len() {
            if index < inside_until {
                self.inside[index] = true;
                continue;
            }
            self.tokens[index] = token_at(self.table, self.symbol(index), false);
            if self.tokens[index] != NO_TOKEN {
                inside_until = self.end(index);
            }
        }
    }

    pub(super) fn symbol(&self, index: usize) -> Symbol {
        self.tree.nodes()[index].symbol
    }

    /// The end of a node's subtree.
    pub(super) fn end(&self, index: usize) -> usize {
        index + self.outline.size(index) as usize
    }

    /// How many bytes a node yields.
    pub(super) fn width(&self, index: usize) -> usize {
        self.outline.span(index).len()
    }

    /// What a node yields.
    pub(super) fn text(&self, index: usize) -> &[u8] {
        &self.tree.text()[self.outline.span(index)]
    }

    /// Where in the text the nodes of an index begin.
    pub(super) fn offset(&self, index: usize) -> usize {
        if index < self.tree.nodes().len() {
            self.outline.span(index).start
        } else {
            self.tree.text().len()
        }
    }

    /// The nodes directly under a node, without layout.
    pub(super) fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.outline.children(index).filter(|&child| self.symbol(child) != Symbol::LAYOUT)
    }

    /// The chain of nodes of one kind that begins at a node, each the longest of its kind under the
    /// one before: what a recursive rule makes of a list. Empty where the chain began further up.
    pub(super) fn chain(&self, index: usize) -> Vec<u32> {
        if self.chains[index].1 > 0 {
            return Vec::new();
        }
        let next = |&at: &u32| Some(self.below[at as usize]).filter(|&below| below != NONE);
        std::iter::successors(Some(index as u32), next).collect()
    }

    /// Where the elements of a repetition end, after where the first begins; layout before an
    /// element belongs to it.
    pub(super) fn bounds(&self, repetition: usize) -> Vec<u32> {
        let ends = self.children(repetition).map(|element| self.end(element) as u32);
        std::iter::once(repetition as u32 + 1).chain(ends).collect()
    }

    /// Whether two symbols derive the same: one rule, or one terminal.
    pub(super) fn alike(&self, left: Symbol, right: Symbol) -> bool {
        if let (SymbolKind::Terminal(left), SymbolKind::Terminal(right)) =
            (left.kind(), right.kind())
        {
            return self.table.terminal_at(left) == self.table.terminal_at(right);
        }
        let rule = self.table.rule_behind(left);
        rule.is_some() && rule == self.table.rule_behind(right)
    }

    /// The index of a node by its identity.
    pub(super) fn find(&self, id: u32) -> Option<usize> {
        self.ids.iter().position(|&of| of == id)
    }
}

/// The token that begins with a symbol.
pub(super) fn token_at(table: &Table, symbol: Symbol, inside: bool) -> u32 {
    table.token_at(symbol).filter(|_| !inside).map_or(NO_TOKEN, |token| token.0)
}
