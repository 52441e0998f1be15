//! New trees from pieces of an old one.
//!
//! A candidate is a list of pieces in the order of the text. Mostly they are long runs of nodes that
//! are copied as memory; layout has to be looked at only where two pieces meet.

use super::shape::{Shape, token_at};
use crate::table::{Objective, Symbol, SymbolKind, Table, Token};
use crate::tree::{Node, Tree};

/// No token begins here.
pub(super) const NO_TOKEN: u32 = u32::MAX;

/// A part of a new tree.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// The old nodes from one index up to another.
    Copy(u32, u32),
    /// The old node of this index, without what is under it, with another choice.
    Node(u32, u32),
    /// A symbol with the choice and the content of the old node of this index.
    As { symbol: Symbol, content: u32, inside: bool },
    /// A symbol that was not there, with an alternative; its items follow. It has the identity of
    /// an old node if it stands for one.
    Choice { symbol: Symbol, id: Option<u32>, choice: u32, inside: bool },
    /// The cheapest subtree of a symbol.
    Close { symbol: Symbol, inside: bool },
    /// The old leaf of this index with another text.
    Leaf(u32, Box<[u8]>),
}

/// Puts pieces together: always the text, the nodes if they are wanted.
pub(super) struct Assembly<'s, 't> {
    shape: &'s Shape<'t>,
    pub(super) text: Vec<u8>,
    nodes: Option<(Vec<Node>, Vec<u32>)>,
    /// The identity of the next new node.
    fresh: u32,
    /// The last token, and whether layout stands after it.
    last: u32,
    separated: bool,
}

impl<'s, 't> Assembly<'s, 't> {
    /// The text alone.
    pub(super) fn text(shape: &'s Shape<'t>, pieces: &[Piece]) -> Vec<u8> {
        let mut assembly = Self::new(shape, None, 0);
        assembly.put_all(pieces);
        assembly.text
    }

    /// The tree, the identities of its nodes, and the first that is unused; new nodes have those
    /// from `fresh` on.
    pub(super) fn tree(
        shape: &'s Shape<'t>,
        pieces: &[Piece],
        fresh: u32,
    ) -> (Tree, Vec<u32>, u32) {
        let mut assembly = Self::new(shape, Some((Vec::new(), Vec::new())), fresh);
        assembly.put_all(pieces);
        let (nodes, ids) = assembly.nodes.unwrap_or_default();
        (Tree { nodes, text: assembly.text }, ids, assembly.fresh)
    }

    fn new(shape: &'s Shape<'t>, nodes: Option<(Vec<Node>, Vec<u32>)>, fresh: u32) -> Self {
        let text = Vec::with_capacity(shape.tree.text().len());
        Self { shape, text, nodes, fresh, last: NO_TOKEN, separated: false }
    }

    fn put_all(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.put(piece);
        }
    }

    fn put(&mut self, piece: &Piece) {
        let shape = self.shape;
        match *piece {
            Piece::Copy(from, to) => self.copy(from as usize, to as usize),
            Piece::Node(index, choice) => {
                let index = index as usize;
                self.separate(shape.tokens[index]);
                let node = Node { symbol: shape.symbol(index), choice };
                self.push(node, shape.ids[index], &[]);
            }
            Piece::As { symbol, content, inside } => {
                let content = content as usize;
                self.separate(token_at(shape.table, symbol, inside));
                let node = Node { symbol, choice: shape.tree.nodes()[content].choice };
                if symbol.is_leaf() {
                    self.push(node, shape.ids[content], shape.text(content));
                } else {
                    self.push(node, shape.ids[content], &[]);
                    self.copy(content + 1, shape.end(content));
                }
            }
            Piece::Choice { symbol, id, choice, inside } => {
                self.separate(token_at(shape.table, symbol, inside));
                match id {
                    Some(id) => self.push(Node { symbol, choice }, id, &[]),
                    None => self.push_new(Node { symbol, choice }, &[]),
                }
            }
            Piece::Close { symbol, inside } => self.close(symbol, inside),
            Piece::Leaf(index, ref text) => {
                let index = index as usize;
                let symbol = shape.symbol(index);
                if symbol == Symbol::LAYOUT {
                    self.separated = true;
                } else {
                    self.separate(shape.tokens[index]);
                }
                let node = Node { symbol, choice: text.len() as u32 };
                self.push(node, shape.ids[index], text);
            }
        }
    }

    /// Copies old nodes; before the first token among them layout may have to be put.
    fn copy(&mut self, from: usize, to: usize) {
        let shape = self.shape;
        if shape.table.layout().is_none() {
            return self.append(from, to);
        }
        let leads = |&index: &usize| {
            shape.tokens[index] != NO_TOKEN || shape.symbol(index) == Symbol::LAYOUT
        };
        let Some(first) = (from..to).find(leads) else { return self.append(from, to) };
        self.append(from, first);
        self.separate(shape.tokens[first]);
        self.append(first, to);
        // The last token, and whether there is layout after it.
        for index in (first..to).rev() {
            if shape.symbol(index) == Symbol::LAYOUT {
                self.separated = true;
            } else if shape.tokens[index] != NO_TOKEN {
                self.last = shape.tokens[index];
                let layout = (index..to).any(|after| shape.symbol(after) == Symbol::LAYOUT);
                self.separated = layout;
                break;
            }
        }
    }

    fn append(&mut self, from: usize, to: usize) {
        if let Some((nodes, ids)) = &mut self.nodes {
            nodes.extend_from_slice(&self.shape.tree.nodes()[from..to]);
            ids.extend_from_slice(&self.shape.ids[from..to]);
        }
        let text = self.shape.offset(from)..self.shape.offset(to);
        self.text.extend_from_slice(&self.shape.tree.text()[text]);
    }

    fn push(&mut self, node: Node, id: u32, text: &[u8]) {
        if let Some((nodes, ids)) = &mut self.nodes {
            nodes.push(node);
            ids.push(id);
        }
        self.text.extend_from_slice(text);
    }

    fn push_new(&mut self, node: Node, text: &[u8]) {
        self.push(node, self.fresh, text);
        self.fresh += 1;
    }

    /// Puts layout before a token that would fuse with the last one, unless there is some.
    fn separate(&mut self, token: u32) {
        let Some(layout) = self.shape.table.layout() else { return };
        if token == NO_TOKEN {
            return;
        }
        if self.last != NO_TOKEN
            && !self.separated
            && let Some(separator) = layout.between_tokens(Token(self.last), Token(token))
        {
            let node = Node { symbol: Symbol::LAYOUT, choice: separator.len() as u32 };
            self.push_new(node, separator);
        }
        self.last = token;
        self.separated = false;
    }

    /// Writes the cheapest subtree of a symbol, by the table's steps: each step's alternative
    /// closes its items by steps of smaller height, so this ends.
    fn close(&mut self, symbol: Symbol, inside: bool) {
        let table = self.shape.table;
        // Symbols to come, the next one last: how many, with which height, inside a token or not.
        let mut pending = vec![(symbol, 1_u32, u32::MAX, inside)];
        while let Some((symbol, count, height, inside)) = pending.pop() {
            if count > 1 {
                pending.push((symbol, count - 1, height, inside));
            }
            let token = token_at(table, symbol, inside);
            self.separate(token);
            let inside = inside || token != NO_TOKEN;
            match symbol.kind() {
                SymbolKind::Terminal(occurrence) => {
                    let text =
                        table.terminal_at(occurrence).map_or(&[][..], |id| table.shortest(id));
                    self.push_new(Node { symbol, choice: text.len() as u32 }, text);
                }
                SymbolKind::Repetition(id) => {
                    let repetition = table.repetition(id);
                    self.push_new(Node { symbol, choice: repetition.min }, &[]);
                    if repetition.min > 0 {
                        pending.push((repetition.element, repetition.min, height, inside));
                    }
                }
                SymbolKind::Layout => {}
                SymbolKind::Reference(_) | SymbolKind::Group(_) | SymbolKind::Root(_) => {
                    let height = height.saturating_sub(u32::from(symbol.occurrence().is_some()));
                    let step = table
                        .rule_behind(symbol)
                        .and_then(|rule| table.minima().closing(Objective::Bytes, rule, height))
                        .expect("every rule of a table closes, and steps leave enough height");
                    let choice = step.alternative.get();
                    self.push_new(Node { symbol, choice }, &[]);
                    let items = table.items(step.alternative).iter().rev();
                    pending.extend(items.map(|&item| (item, 1, step.height, inside)));
                }
            }
        }
    }
}

/// The most nodes of a subtree that is made anew: some grammars' smallest texts are huge.
const MOST_NODES: u64 = 1 << 16;

/// Whether the cheapest subtree of a symbol is small enough to be made.
pub(super) fn closes_small(table: &Table, symbol: Symbol) -> bool {
    let cost = table.minima().symbol_cost(table, Objective::Bytes, symbol, u32::MAX);
    cost.is_some_and(|cost| cost.nodes <= MOST_NODES && cost.bytes <= MOST_NODES)
}

/// How many bytes pieces have at the least: layout between them is not counted.
pub(super) fn least_bytes(shape: &Shape<'_>, pieces: &[Piece]) -> usize {
    let of = |piece: &Piece| match *piece {
        Piece::Copy(from, to) => shape.offset(to as usize) - shape.offset(from as usize),
        Piece::As { content, .. } => shape.width(content as usize),
        Piece::Leaf(_, ref text) => text.len(),
        Piece::Node(..) | Piece::Choice { .. } | Piece::Close { .. } => 0,
    };
    pieces.iter().map(of).sum()
}
