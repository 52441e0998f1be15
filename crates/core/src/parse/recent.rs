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
    /// Of a part of a text; none where the part is too long.
    #[inline]
    pub(super) fn new(item: Symbol, text: &[u8], (from, to): (usize, usize)) -> Option<Self> {
        let length = to.wrapping_sub(from);
        if length > MOST_BYTES {
            return None;
        }
        // A whole word is read and what is behind the part masked, where the text has so much: to write single bytes and
        // then to read them as a word makes a processor wait.
        let bytes = match text.get(from..).and_then(|text| text.first_chunk()) {
            Some(&word) => u128::from_le_bytes(word) & ((1 << (8 * length)) - 1),
            None => {
                let mut word = [0; 16];
                word[..length].copy_from_slice(&text[from..to]);
                u128::from_le_bytes(word)
            }
        };
        let length = u128::from(0x80 | length as u8) << (8 * MOST_BYTES);
        Some(Self(bytes | length | u128::from(item.to_bits()) << 96))
    }

    #[inline]
    fn slot(self) -> u8 {
        let folded = self.0 as u64 ^ (self.0 >> 64) as u64;
        (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
    }
}

/// What is kept: keys apart, so that looking for one that is not there touches nothing else.
#[derive(Clone, Debug)]
struct Slots {
    /// 0 where there is nothing; no token's is.
    keys: [u128; SLOTS],
    counts: [u8; SLOTS],
    nodes: [[Node; MOST_NODES]; SLOTS],
}

/// The nodes of tokens, by their keys. What comes later takes the place of what was there.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    /// Made when the first token is kept.
    slots: Option<Box<Slots>>,
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
        let slot = usize::from(key.slot());
        let is_known = slots.keys[slot] == key.0;
        if is_known {
            let count = usize::from(slots.counts[slot]);
            budget.room(nodes, count)?;
            nodes.extend_from_slice(&slots.nodes[slot][..count]);
        }
        Ok(is_known)
    }

    /// Keeps the nodes of a token, unless they are many.
    #[inline]
    pub(super) fn keep(&mut self, key: Key, nodes: &[Node]) {
        if nodes.len() > MOST_NODES {
            return;
        }
        let slots = self.slots.get_or_insert_with(|| {
            let nothing = Node { symbol: Symbol::LAYOUT, choice: 0 };
            let nodes = [[nothing; MOST_NODES]; SLOTS];
            Box::new(Slots { keys: [0; SLOTS], counts: [0; SLOTS], nodes })
        });
        let slot = usize::from(key.slot());
        slots.nodes[slot][..nodes.len()].copy_from_slice(nodes);
        (slots.keys[slot], slots.counts[slot]) = (key.0, nodes.len() as u8);
    }
}
