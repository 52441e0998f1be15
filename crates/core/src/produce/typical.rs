//! The sizes of texts as people write them, where nothing else bounds these.
//!
//! By static weights, sizes are either close to the least, or, where a grammar's rules have more than one of
//! themselves below them on average, as large as the budget. So each text has a node budget of its own, whose
//! logarithm is drawn alike. What is closed in haste for want of budget is not what people write, so such a
//! text is drawn again, a few times; and so is a text that is smaller than documents are, more often
//! where a grammar says by no weight which sizes are meant.

use super::random::recursive;
use super::weights::is_unweighted;
use crate::entropy::Entropy;
use crate::table::Table;

/// The least and the greatest node budget of a text, in octaves.
const NODES: u64 = 1 << 9;
const OCTAVES: u64 = 2;

/// A text that spends so much of its budget, in eighths, is drawn again, so many times at most.
const SPENT: u64 = 7;
const LARGE: u32 = 4;

/// A text of fewer bytes is drawn again, so many times at most, of a grammar without weights.
const BYTES: usize = 64;
const SMALL: u32 = 128;

/// The same of a grammar with weights, which may mean its small texts.
const WEIGHTED_BYTES: usize = 32;
const WEIGHTED_SMALL: u32 = 4;

/// The sizes of texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typical {
    /// The nodes of the smallest tree.
    least: u64,
    /// Texts of fewer bytes are drawn again, so many times at most.
    bytes: usize,
    small: u32,
}

impl Typical {
    /// Where something was learnt, small texts are meant.
    pub(super) fn new(table: &Table, least: u64, is_learnt: bool) -> Self {
        let (bytes, small) = match (recursive(table).contains(&true), is_unweighted(table)) {
            _ if is_learnt => (0, 0),
            // Words and lists have the sizes that they have.
            (false, _) => (0, 0),
            (true, true) => (BYTES, SMALL),
            (true, false) => (WEIGHTED_BYTES, WEIGHTED_SMALL),
        };
        Self { least, bytes, small }
    }

    /// The most nodes of the next text.
    pub(super) fn nodes(&self, entropy: &mut impl Entropy) -> u64 {
        let word = entropy.bits(16) & 0xFFFF;
        let nodes = NODES << (((word >> 8) * OCTAVES) >> 8);
        self.least.max(nodes + nodes * (word & 0xFF) / 256)
    }

    /// Whether a text of so many nodes and bytes is kept, made within so many nodes after so many draws.
    pub(super) fn keeps(&self, (nodes, bytes): (usize, usize), most: u64, draws: u32) -> bool {
        let spent = 8 * nodes as u64 >= SPENT * most && most > self.least;
        (bytes >= self.bytes || draws > self.small) && (!spent || draws > LARGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Seeded;

    fn typical(text: &str, least: u64) -> Typical {
        let table = Table::parse(text).unwrap();
        Typical::new(&table, least, false)
    }

    #[test]
    fn budgets_are_of_all_octaves_and_hold_the_smallest_tree() {
        let (few, many) = (typical("s = s s | \"a\" ;", 3), typical("s = \"a\" ;", 5000));
        let mut entropy = Seeded::new(1);
        let mut octaves = [0; 2];
        for _ in 0..3000 {
            let nodes = few.nodes(&mut entropy);
            octaves[(nodes / NODES).ilog2() as usize] += 1;
            assert_eq!(many.nodes(&mut entropy), 5000);
        }
        assert!(octaves.iter().all(|&count| count > 900), "{octaves:?}");
    }

    #[test]
    fn small_texts_are_drawn_again_where_a_grammar_nests() {
        for (text, bytes) in [
            ("s = s s | \"a\" ;", BYTES),
            ("s = @2 s s | \"a\" ;", WEIGHTED_BYTES),
            ("s = ( \"(\" s \")\" )*@3 | \"a\" ;", WEIGHTED_BYTES),
            ("s = \"a\"* \"b\" ;", 0),
        ] {
            assert_eq!(typical(text, 1).bytes, bytes, "{text}");
        }
    }
}
