//! Runs: elements of a repetition that are one ASCII symbol each. Strings are mostly such.

use super::budget::Budget;
use super::error::Error;
use crate::pack::{Pack, packed};
#[cfg(feature = "front")]
use crate::table::Symbol;
use crate::tree::Node;

/// Bytes that are looked at together, without a branch.
const BLOCK: usize = 8;

/// What the elements of a repetition are that are one ASCII symbol.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// How many nodes each has.
    width: usize,
    /// Which bytes are such elements.
    is_element: [bool; 256],
    /// The nodes of each ASCII symbol, `width` of them.
    nodes: Vec<Node>,
}

impl Run {
    /// From the nodes of each symbol, none where it is no element; nothing where none is one.
    #[cfg(feature = "front")]
    pub(super) fn new(elements: &[Vec<Node>; 128]) -> Option<Self> {
        // Of the widths that there are, the one of most symbols.
        let count = |width: usize| elements.iter().filter(|nodes| nodes.len() == width).count();
        let width = (1..=16).max_by_key(|&width| count(width)).filter(|&width| count(width) > 0)?;
        let nothing = vec![Node { symbol: Symbol::LAYOUT, choice: 0 }; width];
        let nodes =
            elements.iter().map(|nodes| if nodes.len() == width { nodes } else { &nothing });
        let is_element = |byte: usize| elements.get(byte).is_some_and(|of| of.len() == width);
        Some(Self {
            width,
            is_element: std::array::from_fn(is_element),
            nodes: nodes.flatten().copied().collect(),
        })
    }

    /// Appends the nodes of the elements at the beginning of a text; gives how many they are.
    #[pleach_unhooked::unhooked]
    pub(super) fn write(
        &self,
        budget: &Budget<'_>,
        text: &[u8],
        nodes: &mut Vec<Node>,
    ) -> Result<usize, Error> {
        let count = self.count(text);
        let text = &text[..count];
        budget.room(nodes, text.len() * self.width)?;
        match self.width {
            1 => append::<1>(&self.nodes, text, nodes),
            2 => append::<2>(&self.nodes, text, nodes),
            3 => append::<3>(&self.nodes, text, nodes),
            width => {
                for &byte in text {
                    let first = usize::from(byte) * width;
                    nodes.extend_from_slice(&self.nodes[first..first + width]);
                }
            }
        }
        Ok(count)
    }

    /// How many elements there are at the beginning of a text.
    fn count(&self, text: &[u8]) -> usize {
        let (blocks, rest) = text.as_chunks();
        let mut count = 0;
        for block in blocks {
            let here = self.count_in(block);
            count += here;
            if here < BLOCK {
                return count;
            }
        }
        // What is no symbol of ASCII is no element.
        let mut last = [u8::MAX; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        count + self.count_in(&last)
    }

    #[inline]
    fn count_in(&self, block: &[u8; BLOCK]) -> usize {
        let is_element =
            |(index, &byte): (usize, &u8)| u8::from(self.is_element[usize::from(byte)]) << index;
        let elements = block.iter().enumerate().map(is_element).fold(0, |all, one| all | one);
        elements.trailing_ones() as usize
    }
}

/// Rows of nodes: as often as each comes, and what comes.
impl Pack for Run {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        (self.width as u32).pack(out);
        self.is_element.pack(out);
        let rows: Vec<&[Node]> = self.nodes.chunks_exact(self.width).collect();
        for run in rows.chunk_by(|left, right| left == right) {
            (run.len() as u32).pack(out);
            run[0].iter().for_each(|node| node.pack(out));
        }
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        let width = u32::unpack(from)? as usize;
        let is_element = Pack::unpack(from)?;
        let mut nodes = Vec::new();
        while nodes.len() < 128 * width {
            let count = u32::unpack(from)?;
            let row = nodes.len();
            for _ in 0..width {
                nodes.push(Node::unpack(from)?);
            }
            for _ in 1..count {
                nodes.extend_from_within(row..row + width);
            }
        }
        Some(Self { width, is_element, nodes })
    }
}

packed!(struct Node { symbol, choice });

/// Appends the nodes of each byte: with a width that the compiler knows, a few moves.
fn append<const WIDTH: usize>(of: &[Node], text: &[u8], nodes: &mut Vec<Node>) {
    let Some(of) = of.as_chunks::<WIDTH>().0.first_chunk::<128>() else { return };
    let of = |byte: u8| of[usize::from(byte & 127)];
    let (blocks, rest) = text.as_chunks::<4>();
    for block in blocks {
        nodes.extend_from_slice(block.map(of).as_flattened());
    }
    for &byte in rest {
        nodes.extend_from_slice(&of(byte));
    }
}
