//! Pools: derivations drawn beforehand, of which a sentence takes most of its small subtrees.
//!
//! A prefix is likely, and therefore small. An entry of a pool is drawn, and so may be as large
//! as a buffer: a leftmost derivation from a choice's symbol, cut where the buffer is full, with
//! what it leaves pending. Whatever it leaves is expanded like anything else, so a sentence has
//! the same probability as without a pool, taken over all pools; within one pool the same
//! subtrees come again. That is why a pool is asked for, and why a share of all draws goes past it.
//!
//! Most entries leave nothing pending. Then what comes next is known before the entry is, and the
//! processor need not wait for one draw to begin the next.

use super::costs::Dearest;
use super::expand::Expansion;
use super::leaf;
use super::prefix::{BYTES_A_NODE, NO_NODE, Pending, Prefixes, TAIL, visits};
use super::sampler::{Sampler, Setting, Size};
use crate::entropy::Seeded;
use crate::table::{Cost, SymbolKind, Table, TerminalId};
use crate::tree::Node;

/// The text and the nodes of an entry, about: it is cut after the draw that passes one of them, or
/// after the leaf.
const TEXT: usize = 128;
const NODES: usize = 512;

/// An entry is cut before a draw that could leave more than this pending.
const PENDING: usize = 512;

/// An entry is cut before a leaf that could have more bytes than this; which leaves these are must
/// not depend on what is drawn, or entries would have the short ones more often.
const LONGEST: u64 = 1 << 10;

/// Entries of all choices together, about.
const ENTRIES: usize = 1 << 12;

/// The fewest entries of a choice that has any.
const FEWEST: usize = 1 << 5;

/// So many are drawn to learn whether most are complete.
const PROBES: usize = 16;

/// How much height an entry may need beyond what a prefix of its choice needs at most.
const HEIGHT: u32 = 96;

/// One draw in so many, a power of two, goes past the pool.
const FRESH: u64 = 8;

/// Text and nodes are copied in pieces of so many.
pub(super) const TEXT_PIECE: usize = 16;
pub(super) const NODE_PIECE: usize = 8;

/// A derivation drawn beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where its text, its nodes and what it leaves pending begin, the last pending first.
    pub(super) text: u32,
    pub(super) nodes: u32,
    pub(super) pending: u32,
    pub(super) text_len: u32,
    pub(super) node_len: u32,
    pub(super) pending_len: u32,
    /// As [`Choice::growth`](super::prefix::Choice), of this entry.
    pub(super) growth: u32,
}

/// The entries of a choice.
#[derive(Clone, Copy, Debug, Default)]
struct Entries {
    start: u32,
    /// One less than how many there are, which is a power of two; 0 for none.
    mask: u32,
    /// With this height left, every entry can be taken and what it leaves can be closed.
    height: u32,
    /// The most that an entry adds.
    growth: u32,
}

/// Derivations drawn beforehand, by choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    choices: Vec<Entries>,
    entries: Vec<Entry>,
    pub(super) text: Vec<u8>,
    pub(super) nodes: Vec<Node>,
    pub(super) pending: Vec<Pending>,
    /// The most text and nodes that copying an entry writes, the end of the last piece included,
    /// and the most that an entry leaves pending.
    pub(super) most_text: usize,
    pub(super) most_nodes: usize,
    pub(super) most_pending: usize,
}

impl Pool {
    /// Whether there are no entries.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Draws a pool for the choices of some prefixes.
    pub(super) fn new(setting: &Setting<'_, '_>, seed: u64) -> Self {
        let prefixes = setting.prefixes;
        let dearest = Dearest::new(setting.costs.table, setting.costs.objective);
        let table = setting.costs.table;
        let terminals = (0..table.terminal_count() as u32).map(TerminalId::new);
        let mut drawing = Drawing {
            setting,
            short: terminals.map(|terminal| leaf::longest(table, terminal) <= LONGEST).collect(),
            words: Seeded::new(seed),
            sampler: Sampler::default(),
            expansion: Expansion::default(),
        };
        let choices = prefixes.choices.len();
        // What prefixes always complete has no use for a pool, nor has what is mostly cut.
        let sizes: Vec<usize> = (0..choices).map(|choice| drawing.probe(choice)).collect();
        let share = |from: u32| if sizes[from as usize] > 0 { 1.0 / FRESH as f64 } else { 1.0 };
        let mut visits = visits(choices, &prefixes.leads, share);
        for (visits, size) in visits.iter_mut().zip(sizes) {
            *visits *= size as f64;
        }
        let total: f64 = visits.iter().sum();
        let mut pool = Self::default();
        for (choice, visits) in visits.into_iter().enumerate() {
            let share = (visits / total * ENTRIES as f64) as usize;
            let mut entries = Entries { start: pool.entries.len() as u32, ..Entries::default() };
            if share >= FEWEST {
                let count = share.next_power_of_two();
                entries.mask = count as u32 - 1;
                entries.height = drawing.height(choice);
                for _ in 0..count {
                    drawing.draw(choice);
                    let growth = pool.store(setting, &dearest, &drawing.sampler, entries.height);
                    entries.growth = entries.growth.max(growth);
                }
            }
            pool.choices.push(entries);
        }
        // So that the last pieces can be read whole.
        pool.text.extend([0; TEXT_PIECE]);
        pool.nodes.extend([NO_NODE; NODE_PIECE]);
        pool
    }

    /// Keeps what a sampler has drawn, and gives what it adds at most.
    fn store(
        &mut self,
        setting: &Setting<'_, '_>,
        dearest: &Dearest,
        sampler: &Sampler,
        height: u32,
    ) -> u32 {
        let (text, nodes, pending) = sampler.drawn();
        let mut cost = Cost { bytes: text.len() as u64, nodes: nodes.len() as u64 };
        for &pending in pending {
            cost = cost.plus(closing(setting.prefixes, setting.costs.table, dearest, pending));
        }
        let growth = cost.nodes.max(cost.bytes.div_ceil(BYTES_A_NODE));
        let growth = u32::try_from(growth).unwrap_or(u32::MAX);
        self.most_text = self.most_text.max(text.len() + TEXT_PIECE);
        self.most_nodes = self.most_nodes.max(nodes.len() + NODE_PIECE);
        self.most_pending = self.most_pending.max(pending.len());
        self.entries.push(Entry {
            text: self.text.len() as u32,
            nodes: self.nodes.len() as u32,
            pending: self.pending.len() as u32,
            text_len: text.len() as u32,
            node_len: nodes.len() as u32,
            pending_len: pending.len() as u32,
            growth,
        });
        self.text.extend_from_slice(text);
        self.nodes.extend_from_slice(nodes);
        let relative = 0_u32.wrapping_sub(height);
        self.pending.extend(pending.iter().map(|pending| pending.within(relative)));
        growth
    }

    /// An entry for a choice, as a word means it; none where it means a fresh draw, and where the
    /// height or the slack does not allow every entry.
    #[inline]
    pub(super) fn entry(&self, choice: u32, word: u64, height: u32, slack: u32) -> Option<&Entry> {
        let entries = self.choices.get(choice as usize)?;
        if entries.mask == 0
            || word.is_multiple_of(FRESH)
            || height < entries.height
            || slack < entries.growth
        {
            return None;
        }
        let index = (word / FRESH) as u32 & entries.mask;
        self.entries.get((entries.start + index) as usize)
    }
}

/// What a pool is drawn with.
struct Drawing<'a, 'p, 't> {
    setting: &'a Setting<'p, 't>,
    /// The terminals of which entries have leaves.
    short: Vec<bool>,
    words: Seeded,
    sampler: Sampler,
    expansion: Expansion,
}

impl Drawing<'_, '_, '_> {
    /// The height within which entries of a choice are drawn.
    fn height(&self, choice: usize) -> u32 {
        self.setting.prefixes.choices[choice].height.saturating_add(HEIGHT)
    }

    /// The nodes of some entries of a choice; 0 if it is to have none.
    fn probe(&mut self, choice: usize) -> usize {
        if !self.setting.prefixes.leaves_pending(choice) {
            return 0;
        }
        let (mut complete, mut nodes) = (0, 0);
        for _ in 0..PROBES {
            complete += usize::from(self.draw(choice));
            nodes += self.sampler.drawn().1.len();
        }
        if 2 * complete < PROBES { 0 } else { nodes }
    }

    /// Draws an entry of a choice; tells whether it is complete.
    fn draw(&mut self, choice: usize) -> bool {
        let root = self.setting.prefixes.root(choice, self.height(choice));
        let size = Size { bytes: TEXT, nodes: NODES, pending: PENDING, short: &self.short };
        self.sampler.derive(self.setting, &mut self.expansion, &mut self.words, root, size);
        self.sampler.drawn().2.is_empty()
    }
}

/// What closing a pending symbol costs at most, as often as it is pending, with the literals after
/// it.
fn closing(prefixes: &Prefixes, table: &Table, dearest: &Dearest, pending: Pending) -> Cost {
    let symbol = match (pending.choice(), pending.symbol().kind()) {
        (TAIL, SymbolKind::Repetition(id)) => table.repetition(id).element,
        _ => pending.symbol(),
    };
    let cost = dearest.symbol(table, symbol).times(pending.count());
    let literals = prefixes.literals.get(pending.choice() as usize).into_iter().flatten();
    literals.fold(cost, |sum, &literal| sum.plus(dearest.symbol(table, literal)))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::produce::costs::SymbolCosts;
    use crate::produce::weights::{Mode, Weights};
    use crate::produce::{Budget, Characters};
    use crate::table::Objective;

    fn pool(text: &str) -> Pool {
        let table = Table::parse(text).unwrap();
        let weights = Weights::new(&table, Mode::Uniform, false);
        let (characters, objective) = (Characters::Mixed, Objective::Bytes);
        let budget = Budget { depth: 1 << 10, nodes: 1 << 20, bytes: u64::MAX };
        let prefixes = Prefixes::new(&table, &weights, characters, objective);
        let costs = SymbolCosts::new(&table, budget, objective, characters);
        let none = &Pool::default();
        let setting = Setting { costs: &costs, prefixes: &prefixes, weights: &weights, pool: none };
        Pool::new(&setting, 1)
    }

    /// Each of thousands of entries had a copy of a long literal, or of a long alternative.
    #[test]
    fn memory_is_bounded_whatever_the_grammar() {
        let long = "x".repeat(1 << 14);
        for (text, is_empty) in [
            ("s = a s | a ; a = \"x\" b | \"y\" ; b = \"z\" | a ;".to_owned(), false),
            (format!("s = a s | a ; a = \"{long}\" b | \"y\" | \"z\" ; b = \"w\" | a ;"), false),
            ("s = a s | a ; a = /[ab]{2000}/ b | \"y\" | \"z\" ; b = \"w\" | a ;".into(), false),
            (format!("s = a s | a ; a = {} | \"y\" | \"z\" ;", "s ".repeat(1 << 12)), true),
        ] {
            let pool = pool(&text);
            assert_eq!(pool.is_empty(), is_empty, "{}", &text[..40]);
            let most = TEXT + LONGEST as usize;
            assert!(pool.most_text <= most + 2 * TEXT_PIECE, "{}", pool.most_text);
            assert!(pool.entries.iter().all(|entry| entry.text_len as usize <= most + TEXT_PIECE));
            assert!(pool.most_pending <= PENDING, "{}", pool.most_pending);
            assert!(pool.entries.len() <= 2 * ENTRIES);
        }
    }
}
