//! Editing: a new tree from runs of an old one and what is put between them.
//!
//! An edit goes through the old tree once, from left to right. Runs of nodes that stay are copied
//! as memory, with their text and sizes; nothing is derived again. Only the sizes of the nodes above
//! the place have to be corrected. Where two runs meet that were no neighbours is a seam, and where
//! the grammar has layout each seam is looked at when the tree is complete: a separator is put where
//! two tokens would fuse, and of two layouts that meet one goes.

use crate::table::{Symbol, Table, Token};
use crate::tree::{Node, SizedTree, TreeRef, width};

/// An edit that is being made.
pub(crate) struct Edit<'e> {
    base: TreeRef<'e>,
    out: &'e mut SizedTree,
    seams: &'e mut Vec<u32>,
    /// The next node of the base, and where its text begins.
    at: usize,
    offset: usize,
}

impl<'e> Edit<'e> {
    pub(crate) fn new(base: TreeRef<'e>, out: &'e mut SizedTree, seams: &'e mut Vec<u32>) -> Self {
        out.clear();
        seams.clear();
        Self { base, out, seams, at: 0, offset: 0 }
    }

    /// Where the text of the next node of the base begins.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// Copies the base from the next node up to another.
    #[inline]
    pub(crate) fn keep(&mut self, to: usize) {
        let end = self.offset_of(to);
        self.append(self.base, (self.at, to), (self.offset, end));
        (self.at, self.offset) = (to, end);
    }

    /// Leaves out the nodes of the base from the next up to another.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    pub(crate) fn skip(&mut self, to: usize) {
        self.offset = self.offset_of(to);
        self.at = to;
        self.seam();
    }

    /// Copies a run of a tree, whose text is given as well.
    #[inline]
    pub(crate) fn graft(&mut self, from: TreeRef<'_>, nodes: (usize, usize), text: (usize, usize)) {
        self.seam();
        self.append(from, nodes, text);
        self.seam();
    }

    /// Copies a subtree whose root is to stand for a symbol: another occurrence of the same rule.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    pub(crate) fn graft_as(
        &mut self,
        symbol: Symbol,
        from: TreeRef<'_>,
        node: usize,
        offset: usize,
    ) {
        let end = from.end(node);
        let root = self.out.tree.nodes.len();
        let bytes = width(&from.nodes[node..end]);
        self.graft(from, (node, end), (offset, offset + bytes));
        self.out.tree.nodes[root].symbol = symbol;
    }

    /// How many nodes are written.
    pub(crate) fn len(&self) -> usize {
        self.out.tree.nodes.len()
    }

    /// A node that is written already.
    pub(crate) fn node_mut(&mut self, node: usize) -> &mut Node {
        &mut self.out.tree.nodes[node]
    }

    /// Adds to the sizes of nodes that are written already.
    #[inline]
    pub(crate) fn resize(&mut self, nodes: &[u32], by: isize) {
        self.resize_from(nodes.iter().copied(), by);
    }

    /// As [`Edit::resize`].
    #[inline]
    pub(crate) fn resize_from(&mut self, nodes: impl Iterator<Item = u32>, by: isize) {
        for node in nodes {
            let size = &mut self.out.sizes[node as usize];
            *size = size.wrapping_add_signed(by as i32);
        }
    }

    /// Copies what is left of the base, and corrects the sizes of the nodes above the place.
    #[inline]
    pub(crate) fn finish(mut self, above: &[u32]) {
        self.keep(self.base.nodes.len());
        let by = self.out.tree.nodes.len() as isize - self.base.nodes.len() as isize;
        self.resize(above, by);
    }

    #[inline]
    fn offset_of(&self, to: usize) -> usize {
        if to == self.base.nodes.len() {
            self.base.text.len()
        } else {
            self.offset + width(&self.base.nodes[self.at..to])
        }
    }

    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    fn append(&mut self, tree: TreeRef<'_>, nodes: (usize, usize), text: (usize, usize)) {
        self.out.tree.nodes.extend_from_slice(&tree.nodes[nodes.0..nodes.1]);
        self.out.sizes.extend_from_slice(&tree.sizes[nodes.0..nodes.1]);
        self.out.tree.text.extend_from_slice(&tree.text[text.0..text.1]);
    }

    #[inline]
    fn seam(&mut self) {
        let at = self.out.tree.nodes.len() as u32;
        if self.seams.last() != Some(&at) {
            self.seams.push(at);
        }
    }
}

/// What stands on one side of a seam.
#[derive(Clone, Copy, Debug)]
enum Side {
    Layout(usize),
    /// A token and the node, beside or in the token, before which layout would stand.
    Token(Token, usize),
    Nothing,
}

/// Mends the seams of a complete tree. Marks are nodes, and are the same ones after it.
#[pleach_unhooked::unhooked]
pub(crate) fn mend(
    table: &Table,
    tree: &mut SizedTree,
    seams: &[u32],
    path: &mut Vec<u32>,
    marks: &mut [usize],
) {
    let Some(layout) = table.layout() else { return };
    if tree.is_empty() || layout.is_lexical(table.start()) {
        return;
    }
    // From the last to the first, so that what is put or taken away moves no seam to come.
    for &seam in seams.iter().rev() {
        let seam = seam as usize;
        if is_inside(table, tree.as_ref(), seam, path) {
            continue;
        }
        match (before(table, tree.as_ref(), seam, path), after(table, tree.as_ref(), seam)) {
            (Side::Layout(_), Side::Layout(node)) => {
                remove_layout(tree, node, path);
                marks.iter_mut().filter(|mark| **mark > node).for_each(|mark| *mark -= 1);
            }
            (Side::Token(left, _), Side::Token(right, node)) => {
                if let Some(separator) = layout.between_tokens(left, right) {
                    insert_layout(tree, node, separator, path);
                    marks.iter_mut().filter(|mark| **mark >= node).for_each(|mark| *mark += 1);
                }
            }
            _ => {}
        }
    }
}

/// Whether a node stands inside a token.
fn is_inside(table: &Table, tree: TreeRef<'_>, node: usize, path: &mut Vec<u32>) -> bool {
    if node >= tree.nodes.len() {
        return false;
    }
    tree.descend(node, path);
    let above = path.split_last().map_or(&[][..], |(_, above)| above);
    above.iter().any(|&node| table.token_at(tree.nodes[node as usize].symbol).is_some())
}

/// The first layout or token at or after a node outside tokens.
fn after(table: &Table, tree: TreeRef<'_>, node: usize) -> Side {
    for (index, at) in tree.nodes.iter().enumerate().skip(node) {
        if at.symbol == Symbol::LAYOUT {
            return Side::Layout(index);
        }
        if let Some(token) = table.token_at(at.symbol) {
            return Side::Token(token, index);
        }
    }
    Side::Nothing
}

/// The last layout or token before a node outside tokens.
fn before(table: &Table, tree: TreeRef<'_>, node: usize, path: &mut Vec<u32>) -> Side {
    for index in (0..node).rev() {
        let symbol = tree.nodes[index].symbol;
        if symbol == Symbol::LAYOUT {
            return Side::Layout(index);
        }
        if table.token_at(symbol).is_none() {
            continue;
        }
        // It may be a part of a token; the outermost is the one.
        tree.descend(index, path);
        let token = path.iter().find_map(|&node| {
            Some((table.token_at(tree.nodes[node as usize].symbol)?, node as usize))
        });
        return token.map_or(Side::Nothing, |(token, node)| Side::Token(token, node));
    }
    Side::Nothing
}

fn insert_layout(tree: &mut SizedTree, node: usize, text: &[u8], path: &mut Vec<u32>) {
    let offset = tree.as_ref().offset(node);
    tree.as_ref().descend(node, path);
    path.pop();
    let leaf = Node { symbol: Symbol::LAYOUT, choice: text.len() as u32 };
    tree.tree.nodes.insert(node, leaf);
    tree.sizes.insert(node, 1);
    let bytes = &mut tree.tree.text;
    let end = bytes.len();
    bytes.extend_from_slice(text);
    bytes[offset..].rotate_right(text.len());
    debug_assert!(offset <= end);
    for &above in path.iter() {
        tree.sizes[above as usize] += 1;
    }
}

fn remove_layout(tree: &mut SizedTree, node: usize, path: &mut Vec<u32>) {
    let offset = tree.as_ref().offset(node);
    tree.as_ref().descend(node, path);
    path.pop();
    let length = tree.tree.nodes.remove(node).choice as usize;
    tree.sizes.remove(node);
    tree.tree.text.drain(offset..offset + length);
    for &above in path.iter() {
        tree.sizes[above as usize] -= 1;
    }
}
