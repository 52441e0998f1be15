//! What a recursion puts around itself, once or many times around a node.

use super::edit::Edit;
use super::work::{Memory, Work};
use crate::table::SymbolKind;
use crate::tree::{SizedTree, TreeRef, width};

/// What stands in a tree between a node and one of the same rule inside it.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'f> {
    pub(crate) tree: TreeRef<'f>,
    pub(crate) outer: usize,
    pub(crate) inner: usize,
}

impl Frame<'_> {
    /// How many nodes and bytes it adds.
    pub(crate) fn cost(self) -> (usize, usize) {
        let Self { tree, outer, inner } = self;
        let (before, after) = ((outer, inner), (tree.end(inner), tree.end(outer)));
        let bytes = |(from, to): (usize, usize)| width(&tree.nodes[from..to]);
        (inner - outer + after.1 - after.0, bytes(before) + bytes(after))
    }

    /// Puts the nodes from the outer one down to the inner one, itself included, in place of what `path` holds.
    fn descend(self, path: &mut Vec<u32>) {
        self.tree.descend(self.inner, path);
        path.drain(..path.partition_point(|&at| (at as usize) < self.outer));
    }

    /// How much deeper it puts what stands in it; the path is scratch memory.
    pub(crate) fn levels(self, path: &mut Vec<u32>) -> u32 {
        self.descend(path);
        let is_reference = |&&at: &&u32| {
            matches!(self.tree.nodes[at as usize].symbol.kind(), SymbolKind::Reference(_))
        };
        path[1..].iter().filter(is_reference).count() as u32
    }
}

impl<'w> Work<'w, '_> {
    /// What stands between two nodes of the path, the lower of which is its last one from then on.
    pub(crate) fn frame(&mut self, upper: usize, lower: usize) -> Frame<'w> {
        let path = &mut self.memory.path;
        path.truncate(lower + 1);
        Frame { tree: self.base, outer: path[upper] as usize, inner: path[lower] as usize }
    }

    /// Whether there is room for so many frames, at least one, around the last node of the path.
    #[pleach_unhooked::unhooked]
    pub(crate) fn fits_wrapped(&mut self, frame: Frame<'_>, copies: usize) -> bool {
        let (nodes, bytes) = frame.cost();
        let levels = frame.levels(&mut self.memory.other);
        let higher = levels.saturating_mul(copies as u32);
        let Some(&node) = self.memory.path.last() else { return false };
        let height = self.height();
        bytes > 0
            && self.fits((nodes.saturating_mul(copies), bytes.saturating_mul(copies)), (0, 0))
            && higher <= height
            && self.fits_height(frame.tree, frame.outer, height - (higher - levels))
            && self.fits_height(self.base, node as usize, height - higher)
    }
}

/// Writes a tree with so many frames, at least one, around the last node of the path, in time by the length of what is
/// written.
#[pleach_unhooked::unhooked]
pub(crate) fn wrap(
    base: TreeRef<'_>,
    frame: Frame<'_>,
    copies: usize,
    memory: &mut Memory,
    out: &mut SizedTree,
) {
    let Memory { path, other, seams, .. } = memory;
    let Some((&node, above)) = path.split_last() else { return };
    frame.descend(other);
    other.pop();
    let Frame { tree, outer, inner } = frame;
    let (inner_end, outer_end) = (tree.end(inner), tree.end(outer));
    let start = tree.offset(outer);
    let middle = start + width(&tree.nodes[outer..inner]);
    let after = middle + width(&tree.nodes[inner..inner_end]);
    let end = after + width(&tree.nodes[inner_end..outer_end]);
    let node = node as usize;
    let (within, more) = (base.end(node) - node, frame.cost().0);
    let mut edit = Edit::new(base, out, seams);
    edit.keep(node);
    for copy in 1..=copies {
        let root = edit.len();
        edit.graft(tree, (outer, inner), (start, middle));
        if copy == 1 {
            edit.node_mut(root).symbol = base.nodes[node].symbol;
        } else {
            edit.node_mut(root).symbol = tree.nodes[inner].symbol;
        }
        let by = (within + more * (copies - copy)) as isize - (inner_end - inner) as isize;
        edit.resize_from(other.iter().map(|at| at + (root - outer) as u32), by);
    }
    edit.graft_as(tree.nodes[inner].symbol, base, node, edit.offset());
    for _ in 0..copies {
        edit.graft(tree, (inner_end, outer_end), (after, end));
    }
    edit.skip(base.end(node));
    edit.finish(above);
}
