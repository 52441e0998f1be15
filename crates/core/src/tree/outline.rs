//! Sizes of subtrees, spans in the text and depths, for all nodes at once.

use super::{Node, Tree};
use crate::table::{SymbolKind, Table};

/// What a tree's nodes do not say by themselves, in arrays as long as the nodes.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    sizes: Vec<u32>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    depths: Vec<u32>,
    height: u32,
    /// Open nodes: index, children to come, depth of their occurrences.
    open: Vec<(u32, u32, u32)>,
}

impl Outline {
    /// The outline of a tree of the table.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn new(table: &Table, tree: &Tree) -> Self {
        let mut outline = Self::default();
        outline.fill(table, tree);
        outline.open = Vec::new();
        outline
    }

    /// Makes this the outline of another tree of the table, in the memory it has.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`] tells.
    pub fn fill(&mut self, table: &Table, tree: &Tree) {
        let count = tree.nodes().len();
        for array in [&mut self.sizes, &mut self.starts, &mut self.ends, &mut self.depths] {
            array.clear();
            array.resize(count, 0);
        }
        self.open.clear();
        self.height = 0;
        let mut offset = 0_u32;
        for (index, &node) in tree.nodes().iter().enumerate() {
            let above = self.open.last().map_or(0, |&(_, _, depth)| depth);
            self.starts[index] = offset;
            self.ends[index] = offset;
            self.sizes[index] = 1;
            self.depths[index] = above;
            if node.symbol.occurrence().is_some() {
                self.height = self.height.max(above);
            }
            let below = self.depth_below(node, above);
            match node.arity(table) {
                0 => {
                    if node.symbol.is_leaf() {
                        offset += node.choice;
                    }
                    self.ends[index] = offset;
                    if !matches!(node.symbol.kind(), SymbolKind::Layout) {
                        self.close(index as u32, offset);
                    }
                }
                children => self.open.push((index as u32, children, below)),
            }
        }
    }

    /// The depth of occurrences directly under a node.
    fn depth_below(&self, node: Node, above: u32) -> u32 {
        match node.symbol.kind() {
            SymbolKind::Reference(_) | SymbolKind::Root(_) => above + 1,
            _ => above,
        }
    }

    /// Ends every node whose last child ends with the node at `index`.
    fn close(&mut self, index: u32, offset: u32) {
        while let Some((parent, children, _)) = self.open.last_mut() {
            *children -= 1;
            if *children > 0 {
                return;
            }
            self.sizes[*parent as usize] = index + 1 - *parent;
            self.ends[*parent as usize] = offset;
            self.open.pop();
        }
    }

    /// How many nodes the subtree of a node has, itself included.
    ///
    /// # Panics
    ///
    /// Where the node is not below the number of nodes of the tree that was outlined.
    #[inline]
    pub fn size(&self, node: usize) -> u32 {
        self.sizes[node]
    }

    /// The bytes that a node yields.
    ///
    /// # Panics
    ///
    /// Where the node is not below the number of nodes of the tree that was outlined.
    #[inline]
    pub fn span(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.ends[node] as usize
    }

    /// The depth of a node: occurrences above it, itself included; the root has 0, and a group or
    /// repetition has the depth of the occurrences in it.
    ///
    /// # Panics
    ///
    /// Where the node is not below the number of nodes of the tree that was outlined.
    #[inline]
    pub fn depth(&self, node: usize) -> u32 {
        self.depths[node]
    }

    /// The greatest depth of an occurrence: a group or repetition that holds none adds nothing.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The nodes directly under a node, layout included.
    ///
    /// # Panics
    ///
    /// Where the node is not below the number of nodes of the tree that was outlined.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = node + self.sizes[node] as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next += self.sizes[child] as usize;
                child
            })
        })
    }
}
