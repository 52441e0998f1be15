//! Tokens that were read lately, and the nodes inside them.
//!
//! Brackets, commas, names and small numbers come again and again in a text, and in one text after the
//! other. What is inside a token depends on what the tree calls it and on its text alone, so the nodes
//! of short ones are kept: to copy them takes less than to read their text once more, by far where
//! each comparison has a hook.

use super::budget::Budget;
use super::error::Error;
use crate::table::Symbol;
use crate::tree::Node;

/// The longest text that is kept, so that a key is one word.
const MOST_BYTES: usize = 11;
/// The most nodes that are kept.
const MOST_NODES: usize = 24;
/// A token has one place, by a byte of its hash.
const SLOTS: usize = 1 << 8;

/// A token: its text, the length of that with the high bit set, and what the tree calls it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key(u128);

impl Key {
    /// None where the text is too long.
    #[inline]
    pub(super) fn new(item: Symbol, text: &[u8]) -> Option<Self> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text);
        bytes[MOST_BYTES] = 0x80 | text.len() as u8;
        Some(Self(u128::from_le_bytes(bytes) | u128::from(item.to_bits()) << 96))
    }

    #[inline]
    fn slot(self) -> u8 {
        let folded = self.0 as u64 ^ (self.0 >> 64) as u64;
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// 0 where there is nothing; no token's is.
    key: u128,
    count: u32,
    nodes: [Node; MOST_NODES],
}

/// The nodes of tokens, by their keys. What comes later takes the place of what was there.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    /// Made when the first token is kept.
    slots: Option<Box<[Slot; SLOTS]>>,
}

impl Recent {
    /// Appends the nodes of a token, if they are known.
    #[inline]
    pub(super) fn append(
        &self,
        key: Key,
        budget: &Budget<'_>,
        nodes: &mut Vec<Node>,
    ) -> Result<bool, Error> {
        let Some(slots) = &self.slots else { return Ok(false) };
        let slot = &slots[usize::from(key.slot())];
        let is_known = slot.key == key.0;
        if is_known {
            budget.room(nodes, slot.count as usize)?;
            nodes.extend_from_slice(&slot.nodes[..slot.count as usize]);
        }
        Ok(is_known)
    }

    /// Keeps the nodes of a token, unless they are many.
    #[inline]
    pub(super) fn keep(&mut self, key: Key, nodes: &[Node]) {
        if nodes.len() > MOST_NODES {
            return;
        }
        let blank = Node { symbol: Symbol::LAYOUT, choice: 0 };
        let empty = Slot { key: 0, count: 0, nodes: [blank; MOST_NODES] };
        let slots = self.slots.get_or_insert_with(|| Box::new([empty; SLOTS]));
        let slot = &mut slots[usize::from(key.slot())];
        slot.nodes[..nodes.len()].copy_from_slice(nodes);
        (slot.key, slot.count) = (key.0, nodes.len() as u32);
    }
}
