//! What a mutator works with, and what several of them do.

use super::Bytes;
use super::capabilities::{Capabilities, Mask};
use super::edit::Edit;
use super::pool::Pool;
use super::recursions::Recursions;
use super::splitmix::SplitMix64;
use crate::entropy::Entropy;
use crate::kpath::{Coverage, Feasibility};
use crate::produce::{Request, SubtreeGenerator};
use crate::table::{Cost, OccurrenceId, RuleId, Symbol, SymbolKind, Table};
use crate::tree::{Node, SizedTree, TreeRef, width};

/// Bounds that a mutant keeps. What the base exceeds already it may exceed as far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) bytes: usize,
    pub(crate) nodes: usize,
    pub(crate) depth: u32,
}

/// Memory that mutations share and keep.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    /// The nodes from the root to the picked one.
    pub(crate) path: Vec<u32>,
    /// Another such path.
    pub(crate) other: Vec<u32>,
    /// A subtree that was grown, or the text of a leaf.
    pub(crate) fresh: SizedTree,
    /// A base with a recursion a few times around a node.
    pub(crate) few: SizedTree,
    /// Where the elements of a repetition begin; the end of the last is last.
    pub(crate) elements: Vec<u32>,
    pub(crate) seams: Vec<u32>,
    /// A chain of occurrences.
    pub(crate) chain: Vec<OccurrenceId>,
    pub(crate) walk: Vec<OccurrenceId>,
    /// Ends of open references.
    pub(crate) ends: Vec<u32>,
    pub(crate) recursions: Option<Recursions>,
}

/// One mutation: its base, its sources and where it is written.
pub(crate) struct Work<'w, 't> {
    pub(crate) table: &'t Table,
    pub(crate) capabilities: &'w Capabilities,
    pub(crate) base: TreeRef<'w>,
    pub(crate) room: Room,
    /// All the room that there is.
    pub(crate) far: Room,
    pub(crate) random: &'w mut SplitMix64,
    pub(crate) generator: &'w mut SubtreeGenerator<'t>,
    pub(crate) pool: &'w Pool,
    pub(crate) dictionary: &'w [Box<[u8]>],
    /// Texts for what some rules derive; at least one for each.
    pub(crate) implants: &'w [(RuleId, Vec<Box<[u8]>>)],
    pub(crate) donor: Option<TreeRef<'w>>,
    pub(crate) coverage: Option<&'w Coverage>,
    pub(crate) feasibility: &'w mut Option<Feasibility>,
    pub(crate) bytes: Option<&'w mut dyn Bytes>,
    pub(crate) memory: &'w mut Memory,
    pub(crate) out: &'w mut SizedTree,
}

impl<'w> Work<'w, '_> {
    /// Picks a node where one of these can be done, and leaves the way to it in the path: a place is
    /// drawn, the next such node taken, and with one chance in two the nearest above it, and so on.
    /// So small subtrees are picked most, and large ones often enough.
    #[pleach_unhooked::unhooked]
    pub(crate) fn pick(&mut self, mask: Mask) -> Option<usize> {
        self.pick_where(mask, |_| true)
    }

    /// As [`Work::pick`], of the nodes that also fit.
    pub(crate) fn pick_where(&mut self, mask: Mask, fits: impl Fn(Node) -> bool) -> Option<usize> {
        let base = self.base;
        let start = self.random.index(base.end(0));
        let found = self.capabilities.find(base, start, mask, &fits)?;
        let path = &mut self.memory.path;
        base.descend(found, path);
        let mut coins = self.random.next_u64();
        while coins & 1 == 1 && path.len() > 1 {
            let above = &path[1..path.len() - 1];
            let is_one = |node: Node| self.capabilities.of(node.symbol) & mask != 0 && fits(node);
            match above.iter().rposition(|&at| is_one(base.nodes[at as usize])) {
                Some(at) => path.truncate(at + 2),
                None => break,
            }
            coins >>= 1;
        }
        path.last().map(|&at| at as usize)
    }

    /// The rule behind a node of the base.
    pub(crate) fn rule(&self, node: usize) -> Option<RuleId> {
        self.table.rule_behind(self.base.nodes[node].symbol)
    }

    /// Two nodes of one rule above each other, as places in the path: a random node's way is
    /// searched from a random place on, then others.
    #[pleach_unhooked::unhooked]
    pub(crate) fn pick_nested(&mut self, mask: Mask) -> Option<(usize, usize)> {
        const TRIES: usize = 4;
        for _ in 0..TRIES {
            let nodes = &self.base.nodes[..self.base.end(0)];
            let start = self.random.index(nodes.len());
            let found = self.capabilities.find(self.base, start, mask, |_| true)?;
            self.base.descend(found, &mut self.memory.path);
            let length = self.memory.path.len();
            let start = self.random.index(length);
            for lower in (0..length).map(|at| (start + length - at) % length) {
                let node = self.memory.path[lower] as usize;
                if self.capabilities.of(nodes[node].symbol) & mask == 0 {
                    continue;
                }
                let rule = self.capabilities.rule(nodes[node].symbol);
                let alike = |at: &u32| self.capabilities.rule(nodes[*at as usize].symbol) == rule;
                let path = &self.memory.path;
                let upper = path[..lower].iter().rposition(alike);
                let Some(mut upper) = upper else { continue };
                // Sometimes the one above that, and so on.
                while self.random.once_in(2) {
                    match self.memory.path[..upper].iter().rposition(alike) {
                        Some(above) => upper = above,
                        None => break,
                    }
                }
                return Some((upper, lower));
            }
        }
        None
    }

    /// The height that is left for the rule in which the last node of the path stands.
    pub(crate) fn height(&self) -> u32 {
        let path = &self.memory.path;
        let above = path.split_last().map_or(&[][..], |(_, above)| above);
        let is_reference = |&&at: &&u32| {
            matches!(self.base.nodes[at as usize].symbol.kind(), SymbolKind::Reference(_))
        };
        self.room.depth.saturating_sub(above.iter().filter(is_reference).count() as u32)
    }

    /// Whether the last node of the path stands inside a token; true where there is no layout.
    pub(crate) fn is_inside(&self) -> bool {
        let Some(layout) = self.table.layout() else { return true };
        let Some((_, above)) = self.memory.path.split_last() else { return false };
        layout.is_lexical(self.table.start())
            || above
                .iter()
                .any(|&at| self.table.token_at(self.base.nodes[at as usize].symbol).is_some())
    }

    /// Whether a subtree fits a height that is left for the rule it is to stand in.
    #[pleach_unhooked::unhooked]
    pub(crate) fn fits_height(&mut self, tree: TreeRef<'_>, node: usize, height: u32) -> bool {
        let end = tree.end(node);
        let ends = &mut self.memory.ends;
        ends.clear();
        let mut at = node;
        while at < end {
            while ends.last().is_some_and(|&end| end as usize <= at) {
                ends.pop();
            }
            let left = height as usize - ends.len();
            let size = tree.sizes[at] as usize;
            // Each level has a node, so what has few nodes fits.
            if size <= left {
                at += size;
                continue;
            }
            match tree.nodes[at].symbol.kind() {
                SymbolKind::Reference(_) | SymbolKind::Terminal(_) if left == 0 => return false,
                SymbolKind::Reference(_) => ends.push((at + size) as u32),
                _ => {}
            }
            at += 1;
        }
        true
    }

    /// Whether a mutant may have so many nodes and bytes more than the base, less those that go.
    pub(crate) fn fits(&self, more: (usize, usize), less: (usize, usize)) -> bool {
        let nodes = self.base.nodes.len() - less.0;
        let bytes = self.base.text.len() - less.1;
        more.0 <= self.room.nodes.saturating_sub(nodes)
            && more.1 <= self.room.bytes.saturating_sub(bytes)
    }

    /// What a subtree may cost that stands instead of so many nodes and bytes.
    pub(crate) fn most_instead(&self, less: (usize, usize)) -> Cost {
        let nodes = self.base.nodes.len() - less.0;
        let bytes = self.base.text.len() - less.1;
        Cost {
            nodes: self.room.nodes.saturating_sub(nodes) as u64,
            bytes: self.room.bytes.saturating_sub(bytes) as u64,
        }
    }

    /// The nodes and bytes of a subtree of the base.
    pub(crate) fn cost(&self, node: usize) -> (usize, usize) {
        let end = self.base.end(node);
        (end - node, width(&self.base.nodes[node..end]))
    }

    /// Where a subtree is to grow in the place of the last node of the path.
    #[pleach_unhooked::unhooked]
    pub(crate) fn request(&self, node: usize, nodes: u64) -> Request {
        Request {
            symbol: self.base.nodes[node].symbol,
            height: self.height(),
            inside: self.is_inside(),
            most: self.most_instead(self.cost(node)),
            nodes,
        }
    }

    /// Grows a fresh tree by a request; false where none fits.
    #[pleach_unhooked::unhooked]
    pub(crate) fn grow(&mut self, request: &Request) -> bool {
        self.generator.grow(request, self.random, &mut self.memory.fresh.tree)
    }

    /// Puts the fresh subtree in the place of the last node of the path; false where that has the
    /// same text.
    #[pleach_unhooked::unhooked]
    pub(crate) fn plant(&mut self, node: usize) -> bool {
        let Memory { path, fresh, seams, .. } = &mut *self.memory;
        fresh.measure(self.table);
        let end = self.base.end(node);
        let mut edit = Edit::new(self.base, self.out, seams);
        edit.keep(node);
        let offset = edit.offset();
        edit.graft(fresh.as_ref(), (0, fresh.sizes.len()), (0, fresh.text().len()));
        edit.skip(end);
        let old = &self.base.text[offset..edit.offset()];
        let changes = old != fresh.text();
        if changes {
            edit.finish(path.split_last().map_or(&[], |(_, above)| above));
        }
        changes
    }

    /// Gives the last node of the path, a leaf, the fresh text; false where it has it.
    pub(crate) fn retell(&mut self, node: usize) -> bool {
        let Memory { fresh, .. } = &mut *self.memory;
        let length = fresh.text().len();
        let symbol = self.base.nodes[node].symbol;
        fresh.tree.nodes.clear();
        fresh.tree.nodes.push(Node { symbol, choice: length as u32 });
        let old = self.base.nodes[node].choice as usize;
        self.fits((1, length), (1, old)) && self.plant(node)
    }

    /// The text of a leaf of the base.
    pub(crate) fn leaf(&self, node: usize) -> &'w [u8] {
        let start = self.base.offset(node);
        &self.base.text[start..start + self.base.nodes[node].choice as usize]
    }

    /// Finds where the elements of a repetition begin and end. Layout before an element belongs to
    /// it.
    #[pleach_unhooked::unhooked]
    pub(crate) fn list(&mut self, repetition: usize) {
        let elements = &mut self.memory.elements;
        elements.clear();
        let nodes = self.base.nodes;
        let mut at = repetition + 1;
        elements.push(at as u32);
        for _ in 0..nodes[repetition].choice {
            while nodes[at].symbol == Symbol::LAYOUT {
                at += 1;
            }
            at = self.base.end(at);
            elements.push(at as u32);
        }
    }

    /// The nodes and the text of elements from one up to another, which [`Work::list`] has found.
    #[pleach_unhooked::unhooked]
    pub(crate) fn run(&self, from: usize, to: usize) -> Run {
        let nodes = (self.memory.elements[from] as usize, self.memory.elements[to] as usize);
        let start = self.base.offset(nodes.0);
        Run { nodes, text: (start, start + width(&self.base.nodes[nodes.0..nodes.1])) }
    }
}

/// Some nodes that stand side by side, and their text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) nodes: (usize, usize),
    pub(crate) text: (usize, usize),
}

impl Run {
    /// How many nodes and bytes.
    pub(crate) fn cost(self) -> (usize, usize) {
        (self.nodes.1 - self.nodes.0, self.text.1 - self.text.0)
    }
}
