//! Trees whose nodes say how large their subtrees are, so that parts can be found and copied.

use super::{Node, Tree};
use crate::table::{SymbolKind, Table};

/// A tree and the size of each node's subtree.
///
/// What an editor needs beyond the tree: where a subtree ends is a look-up, and as sizes do not
/// depend on where a subtree stands, they are copied with it.
#[derive(Clone, Debug, Default)]
pub struct SizedTree {
    pub(crate) tree: Tree,
    /// For each node how many nodes its subtree has, itself included; 1 for layout.
    pub(crate) sizes: Vec<u32>,
}

impl SizedTree {
    /// An empty tree, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A copy of a tree of the table, with its sizes.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn of(table: &Table, tree: &Tree) -> Self {
        let mut sized = Self { tree: tree.clone(), sizes: Vec::new() };
        sized.measure(table);
        sized
    }

    /// The nodes and the text, without the sizes of subtrees.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The yield.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.tree.text
    }

    /// Whether there are no nodes: a text, if any, that is no sentence.
    pub fn is_empty(&self) -> bool {
        self.tree.nodes.is_empty()
    }

    /// How many nodes each node's subtree has, itself included.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The whole of it, to read.
    #[inline]
    pub fn as_ref(&self) -> TreeRef<'_> {
        TreeRef { nodes: &self.tree.nodes, sizes: &self.sizes, text: &self.tree.text }
    }

    /// The whole of it; none where there are no nodes.
    pub(crate) fn as_whole(&self) -> Option<TreeRef<'_>> {
        (!self.is_empty()).then(|| self.as_ref())
    }

    /// Empties the tree and keeps its memory.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.sizes.clear();
    }

    /// Makes this a copy of another tree, in the memory it has.
    pub fn copy_from(&mut self, other: TreeRef<'_>) {
        self.clear();
        self.tree.nodes.extend_from_slice(other.nodes);
        self.sizes.extend_from_slice(other.sizes);
        self.tree.text.extend_from_slice(other.text);
    }

    /// Computes the sizes for the nodes there are.
    ///
    /// From the last node to the first, with a stack of the subtrees that have no parent yet, by
    /// where they end: a node takes its children off, and ends where the last of them does.
    #[pleach_unhooked::unhooked]
    pub(crate) fn measure(&mut self, table: &Table) {
        let nodes = &self.tree.nodes;
        let count = nodes.len();
        self.sizes.clear();
        self.sizes.resize(2 * count + 1, 1);
        // The stack, from its second element on, has no more subtrees than there are nodes.
        let (sizes, ends) = self.sizes.split_at_mut(count);
        let mut top = 0_usize;
        for (index, (node, size)) in nodes.iter().zip(sizes).enumerate().rev() {
            let index = index as u32;
            let arity = match node.symbol.kind() {
                // It belongs to the subtree that it precedes, and no node ends with it.
                SymbolKind::Layout => continue,
                SymbolKind::Terminal(_) => 0,
                SymbolKind::Repetition(_) => node.choice,
                _ => table.arity(node.alternative()),
            };
            // No node has more children than there are subtrees on the stack. Its own takes the
            // place of the last of them, and with it that one's end; where there are none it ends
            // with itself. Which of the two is no branch.
            top = top.wrapping_add(1).wrapping_sub(arity as usize);
            let is_parent = arity.min(1).wrapping_neg();
            let end = &mut ends[top];
            *end = *end & is_parent | index.wrapping_add(1) & !is_parent;
            *size = end.wrapping_sub(index);
        }
        self.sizes.truncate(count);
    }
}

/// A [`SizedTree`] that belongs to someone else: the root and what follows, or any subtree.
#[derive(Clone, Copy, Debug)]
pub struct TreeRef<'a> {
    pub(crate) nodes: &'a [Node],
    pub(crate) sizes: &'a [u32],
    pub(crate) text: &'a [u8],
}

impl<'a> TreeRef<'a> {
    /// The nodes in preorder.
    pub fn nodes(self) -> &'a [Node] {
        self.nodes
    }

    /// The yield.
    #[inline]
    pub fn text(self) -> &'a [u8] {
        self.text
    }

    /// The end of a node's subtree.
    #[inline]
    pub(crate) fn end(self, node: usize) -> usize {
        node + self.sizes[node] as usize
    }

    /// Where in the text the nodes from an index on begin.
    #[inline]
    pub(crate) fn offset(self, node: usize) -> usize {
        width(&self.nodes[..node])
    }

    /// Puts the nodes from the root down to `node`, itself included, in place of what `path` holds;
    /// nothing for layout after the root's subtree.
    #[inline]
    pub(crate) fn descend(self, node: usize, path: &mut Vec<u32>) {
        path.clear();
        if node >= self.end(0) {
            return;
        }
        let sizes = &self.sizes[..=node];
        let mut at = 0;
        while at < sizes.len() {
            let size = sizes[at] as usize;
            if node - at < size {
                path.push(at as u32);
                at += 1;
            } else {
                at += size;
            }
        }
    }
}

/// How many bytes some nodes yield.
#[inline]
pub(crate) fn width(nodes: &[Node]) -> usize {
    // In 32 bits and without a branch, so that several nodes are added at a time.
    let of = |node: &Node| node.choice & node.symbol.leaf_mask();
    nodes.iter().map(of).fold(0, u32::wrapping_add) as usize
}
