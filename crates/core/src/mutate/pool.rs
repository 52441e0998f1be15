//! Subtrees to be put in the place of others, the rare ones as often as the common.

use super::splitmix::mix;
use crate::entropy::Entropy;
use crate::table::{RuleId, SymbolKind, Table};
use crate::tree::{SizedTree, TreeRef, width};

/// The most subtrees of one alternative.
const DEPTH: usize = 8;

/// The most nodes of a subtree, and of all.
const MOST_NODES: usize = 256;
const ALL_NODES: usize = 1 << 18;

/// The most bytes of a subtree.
const MOST_BYTES: usize = 1 << 10;

/// Subtrees by the rule and the alternative of their roots.
///
/// A rule's alternatives are drawn alike, however often trees have each of them; so what is rare
/// in the trees that were added is as likely as what is in all of them.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    trees: SizedTree,
    entries: Vec<Entry>,
    /// By alternative: how many subtrees were offered, and the entries of those that are kept.
    slots: Vec<(u32, [u32; DEPTH])>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    nodes: (u32, u32),
    text: (u32, u32),
}

impl Pool {
    /// An empty pool for a table.
    pub fn new(table: &Table) -> Self {
        Self { slots: vec![(0, [0; DEPTH]); table.alternative_count()], ..Self::default() }
    }

    /// How many subtrees there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no subtrees.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Offers the subtrees of a tree of the table. Of each alternative some are kept, any of those
    /// that were offered as likely as any other, until the pool is full; then nothing changes.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table; [`Tree::check`](crate::tree::Tree::check) tells.
    #[pleach_unhooked::unhooked]
    pub fn add(&mut self, tree: TreeRef<'_>) {
        let mut offset = 0;
        for (index, node) in tree.nodes.iter().enumerate() {
            if node.symbol.is_leaf() {
                offset += node.choice as usize;
                continue;
            }
            if !matches!(node.symbol.kind(), SymbolKind::Reference(_) | SymbolKind::Group(_)) {
                continue;
            }
            let end = tree.end(index);
            if end - index > MOST_NODES {
                continue;
            }
            let bytes = width(&tree.nodes[index..end]);
            if bytes > MOST_BYTES || self.trees.sizes.len() + (end - index) > ALL_NODES {
                continue;
            }
            let (offered, kept) = &mut self.slots[node.choice as usize];
            let slot = match *offered as usize {
                few if few < DEPTH => few,
                // By the count, so that the same trees make the same pool.
                many => (mix(many as u64) % (many as u64 + 1)) as usize,
            };
            *offered = offered.saturating_add(1);
            if slot >= DEPTH {
                continue;
            }
            let text = self.trees.tree.text.len() as u32;
            let nodes = self.trees.sizes.len() as u32;
            kept[slot] = self.entries.len() as u32;
            self.entries.push(Entry {
                nodes: (nodes, nodes + (end - index) as u32),
                text: (text, text + bytes as u32),
            });
            self.trees.tree.nodes.extend_from_slice(&tree.nodes[index..end]);
            self.trees.sizes.extend_from_slice(&tree.sizes[index..end]);
            self.trees.tree.text.extend_from_slice(&tree.text[offset..offset + bytes]);
        }
    }

    /// A subtree of a rule.
    pub(crate) fn draw(
        &self,
        table: &Table,
        rule: RuleId,
        random: &mut impl Entropy,
    ) -> Option<TreeRef<'_>> {
        let range = table.alternative_range(rule);
        let alternatives = self.slots.get(range.start as usize..range.end as usize)?;
        let start = random.below(alternatives.len() as u64) as usize;
        let (sooner, later) = alternatives.split_at(start);
        let &(offered, kept) = later.iter().chain(sooner).find(|(offered, _)| *offered > 0)?;
        let count = (offered as usize).min(DEPTH);
        let entry = self.entries[kept[random.below(count as u64) as usize] as usize];
        Some(TreeRef {
            nodes: &self.trees.tree.nodes[entry.nodes.0 as usize..entry.nodes.1 as usize],
            sizes: &self.trees.sizes[entry.nodes.0 as usize..entry.nodes.1 as usize],
            text: &self.trees.tree.text[entry.text.0 as usize..entry.text.1 as usize],
        })
    }
}
