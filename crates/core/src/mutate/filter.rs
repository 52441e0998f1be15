//! Searches over the nodes of trees, sixteen at a time.
//!
//! What can be done at a node, and the rule behind it, follow from its symbol; most mutators begin by
//! looking for a node that has one of these. Symbols are hashed into a table of bits of constant
//! length. The bits of sixteen nodes are gathered without a comparison, and only where a bit is set
//! the node itself is looked at: a comparison a node costs little in a plain build, and most of the
//! time where a fuzzing engine has put a hook at each.

use crate::table::Symbol;
use crate::tree::Node;

/// Bits by symbol. Symbols may share their bits with others, so a bit that is set has to be confirmed;
/// one that is not set is so for sure.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    bits: Box<[u64; SLOTS]>,
}

/// As many that the symbols of all but the largest grammars have bits of their own.
const SLOTS: usize = 1 << 12;

/// Nodes that are looked at together.
const BLOCK: usize = 16;

/// Where the symbols of each kind begin: occurrences of rules and of terminals are numbered through,
/// and so are the rules of groups and roots.
const STARTS: [usize; 8] = {
    let (rules, repetitions, layout) = (SLOTS / 8 * 5, SLOTS / 8 * 7, SLOTS - 1);
    [0, 0, rules, repetitions, rules, layout, layout, layout]
};

/// The place of a symbol.
#[inline]
fn place(symbol: Symbol) -> usize {
    let (kind, id) = symbol.parts();
    id.wrapping_add(STARTS[kind & 7]) & (SLOTS - 1)
}

impl Filter {
    /// Without a bit.
    pub(crate) fn new() -> Self {
        Self { bits: Box::new([0; SLOTS]) }
    }

    /// Sets bits of a symbol.
    pub(crate) fn add(&mut self, symbol: Symbol, bits: u64) {
        self.bits[place(symbol)] |= bits;
    }

    /// All bits of some nodes.
    pub(crate) fn union(&self, nodes: &[Node]) -> u64 {
        let (blocks, rest) = nodes.as_chunks::<BLOCK>();
        let of = |all: u64, node: &Node| all | self.bits[place(node.symbol)];
        let all = blocks.iter().fold(0, |all, block| block.iter().fold(all, of));
        rest.iter().fold(all, of)
    }

    /// The first node from an index on, or else from the first, that has the bit with a number, and
    /// is confirmed to be one.
    pub(crate) fn find_from(
        &self,
        nodes: &[Node],
        start: usize,
        bit: u32,
        is_one: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (sooner, later) = nodes.split_at(start.min(nodes.len()));
        self.find(later, bit, |at| is_one(sooner.len() + at))
            .map(|at| sooner.len() + at)
            .or_else(|| self.find(sooner, bit, is_one))
    }

    fn find(&self, nodes: &[Node], bit: u32, is_one: impl Fn(usize) -> bool) -> Option<usize> {
        let (blocks, rest) = nodes.as_chunks::<BLOCK>();
        for (index, block) in blocks.iter().enumerate() {
            let mut found = 0;
            for (at, node) in block.iter().enumerate() {
                found |= ((self.bits[place(node.symbol)] >> (bit & 63)) as u32 & 1) << at;
            }
            while found != 0 {
                let at = index * BLOCK + found.trailing_zeros() as usize;
                if is_one(at) {
                    return Some(at);
                }
                found &= found - 1;
            }
        }
        let behind = blocks.len() * BLOCK;
        let has = |node: &Node| self.bits[place(node.symbol)] >> (bit & 63) & 1 != 0;
        (0..rest.len()).find(|&at| has(&rest[at]) && is_one(behind + at)).map(|at| behind + at)
    }
}
