//! Trees by their bytes.
//!
//! An engine stacks several mutations on what the last call wrote, and takes the entries of its
//! corpus again and again; both are read once. A cached tree yields exactly the bytes that it is
//! found by: they are compared in full, whatever their hash.
//!
//! Entries stand one after the other in arrays that are filled round and round; what is in the way
//! of a new entry is forgotten, the oldest first. So memory is bounded, there are no holes, and once
//! the arrays have reached their size nothing is allocated. Mutants come by the hundred thousand and
//! are mostly never seen again, so they have arrays of their own: what was worth parsing is kept.

use std::hash::Hasher;

use crate::mutate::SplitMix64;
use crate::tree::{Node, TreeRef};

/// A cache of derivation trees by the texts that they yield, of at most so many bytes.
///
/// # Examples
///
/// ```
/// use pleach::fuzz::TreeCache;
/// use pleach::{parse::Parser, table::Table, tree::SizedTree};
///
/// let table = Table::parse("a = [0-9]+ ;")?;
/// let tree = Parser::new(&table).tree(b"123")?;
/// let mut cache = TreeCache::new(1 << 20);
/// cache.insert(SizedTree::of(&table, &tree).as_ref());
/// assert_eq!(cache.get(b"123").unwrap().text(), b"123");
/// assert!(cache.get(b"124").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeCache {
    kept: Ring,
    passing: Ring,
}

/// One part of the memory in so many is for mutants, and no more bytes than a processor's cache has:
/// what is written and read again at once is not to go by way of memory.
const PASSING: usize = 8;
const MOST_PASSING: usize = 1 << 20;

impl TreeCache {
    /// A cache of at most so many bytes of memory, which is taken as it is needed, and of 4 GB
    /// whatever is said.
    pub fn new(bytes: usize) -> Self {
        let passing = (bytes / PASSING).min(MOST_PASSING);
        Self { kept: Ring::new(bytes - passing), passing: Ring::new(passing) }
    }

    /// The tree that yields a text.
    pub fn get(&self, text: &[u8]) -> Option<TreeRef<'_>> {
        let hash = hash(text);
        self.passing.get(hash, text).or_else(|| self.kept.get(hash, text))
    }

    /// Keeps a copy of a tree that was read, unless it is larger than a quarter of the memory or
    /// yields nothing.
    pub fn insert(&mut self, tree: TreeRef<'_>) {
        self.kept.insert(hash(tree.text), tree);
    }

    /// Keeps a copy of a tree for a while, unless it is larger than a quarter of the memory for such: a large one would
    /// take the place of hundreds that were worth reading.
    #[pleach_unhooked::unhooked]
    pub fn insert_passing(&mut self, tree: TreeRef<'_>) {
        self.passing.insert(hash(tree.text), tree);
    }

    /// Keeps the tree of a text as those are that were read, if it was only kept for a while, and
    /// gives it then.
    pub(super) fn keep(&mut self, text: &[u8]) -> Option<TreeRef<'_>> {
        let hash = hash(text);
        if self.kept.get(hash, text).is_some() {
            return None;
        }
        let tree = self.passing.get(hash, text)?;
        self.kept.insert(hash, tree);
        Some(tree)
    }

    /// The tree with the shortest text of some that were read, each as likely.
    pub(super) fn shortest_of(&self, count: usize, random: &mut SplitMix64) -> Option<TreeRef<'_>> {
        (0..count).filter_map(|_| self.any(random)).min_by_key(|tree| tree.text.len())
    }

    /// A tree of those that were read, each as likely.
    pub(super) fn any(&self, random: &mut SplitMix64) -> Option<TreeRef<'_>> {
        let (oldest, next) = self.kept.alive;
        let number = oldest + random.index((next - oldest) as usize) as u64;
        (number < next).then(|| self.kept.tree(self.kept.entry(number)))
    }

    /// About how many bytes of memory are taken.
    pub fn memory(&self) -> usize {
        self.kept.memory() + self.passing.memory()
    }
}

pub(super) fn hash(text: &[u8]) -> u64 {
    let mut hasher = fxhash::FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

/// Texts that were read and are no sentences, by their hashes: a corpus has many, and an engine hands
/// them over as often as others. Of those with one place the last is remembered.
#[derive(Clone, Debug)]
pub(super) struct Refusals {
    /// With the last bit set, so that none is 0.
    hashes: Box<[u64]>,
}

impl Refusals {
    const MOST: usize = 1 << 13;

    /// Of a cache of so many bytes, 1 in 64 more.
    pub(super) fn new(bytes: usize) -> Self {
        let count = (bytes / 64 / size_of::<u64>()).min(Self::MOST);
        Self { hashes: vec![0; count].into() }
    }

    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.hashes.len() as u128) >> 64) as usize
    }

    pub(super) fn has(&self, text: &[u8]) -> bool {
        let hash = hash(text);
        self.hashes.get(self.place(hash)).is_some_and(|&one| one == hash | 1)
    }

    pub(super) fn insert(&mut self, text: &[u8]) {
        let hash = hash(text);
        let place = self.place(hash);
        if let Some(one) = self.hashes.get_mut(place) {
            *one = hash | 1;
        }
    }
}

/// An entry.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    /// Where its nodes and its text begin, and how many there are.
    nodes: (u32, u32),
    text: (u32, u32),
}

/// Entries in arrays that are filled round and round.
#[derive(Clone, Debug)]
struct Ring {
    nodes: Vec<Node>,
    sizes: Vec<u32>,
    text: Vec<u8>,
    /// The most nodes and bytes of all entries.
    most: (usize, usize),
    /// Where the next entry begins.
    next: (usize, usize),
    /// By number, as far as entries are alive; the place is the number's low bits.
    entries: Vec<Entry>,
    /// The numbers of the oldest entry and of the next one.
    alive: (u64, u64),
    /// By the low bits of a hash, the number of an entry and one, modulo 2^32; 0 for none.
    index: Vec<u32>,
}

/// What an entry takes beside its nodes and bytes: itself, and its places in the index.
const OVERHEAD: usize = size_of::<Entry>() + 2 * size_of::<u32>();
const NODE: usize = size_of::<Node>() + size_of::<u32>();

/// For so many bytes of memory there is an entry, an eighth of which is for text: texts of 100 bytes
/// with 80 nodes fill all arrays alike.
const MEAN: usize = 1 << 10;

impl Ring {
    fn new(bytes: usize) -> Self {
        // Entries name their places in 32 bits.
        let bytes = bytes.min(u32::MAX as usize);
        let count = (bytes / MEAN).next_power_of_two().max(4) / 2;
        let bytes = bytes.saturating_sub(count * OVERHEAD);
        let none = Entry { hash: 0, nodes: (0, 0), text: (0, 0) };
        Self {
            nodes: Vec::new(),
            sizes: Vec::new(),
            text: Vec::new(),
            most: ((bytes - bytes / 8) / NODE, bytes / 8),
            next: (0, 0),
            entries: vec![none; count],
            alive: (0, 0),
            index: vec![0; 2 * count],
        }
    }

    fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.sizes.capacity() * size_of::<u32>()
            + self.text.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.index.capacity() * size_of::<u32>()
    }

    fn slot(&self, hash: u64) -> usize {
        // The high bits are the best of this hash.
        (hash >> 32) as usize & (self.index.len() - 1)
    }

    fn entry(&self, number: u64) -> &Entry {
        &self.entries[number as usize & (self.entries.len() - 1)]
    }

    #[pleach_unhooked::unhooked]
    fn get(&self, hash: u64, text: &[u8]) -> Option<TreeRef<'_>> {
        let short = self.index[self.slot(hash)].checked_sub(1)?;
        // The number of that entry, if it is alive: the one nearest to the oldest.
        let number = self.alive.0 + u64::from(short.wrapping_sub(self.alive.0 as u32));
        if number >= self.alive.1 {
            return None;
        }
        let entry = self.entry(number);
        let tree = self.tree(entry);
        (entry.hash == hash && tree.text == text).then_some(tree)
    }

    #[pleach_unhooked::unhooked]
    fn tree(&self, entry: &Entry) -> TreeRef<'_> {
        let of = |(from, count): (u32, u32)| from as usize..(from + count) as usize;
        TreeRef {
            nodes: &self.nodes[of(entry.nodes)],
            sizes: &self.sizes[of(entry.nodes)],
            text: &self.text[of(entry.text)],
        }
    }

    /// Whether a tree is small enough to be an entry.
    fn holds(&self, tree: TreeRef<'_>) -> bool {
        tree.nodes.len() <= self.most.0 / 4 && tree.text.len() <= self.most.1 / 4
    }

    #[pleach_unhooked::unhooked]
    fn insert(&mut self, hash: u64, tree: TreeRef<'_>) {
        let (nodes, bytes) = (tree.nodes.len(), tree.text.len());
        if nodes == 0 || bytes == 0 || !self.holds(tree) || self.get(hash, tree.text).is_some() {
            return;
        }
        let wrap = |next: usize, length: usize, most: usize| {
            if next + length > most { 0 } else { next }
        };
        let from = (wrap(self.next.0, nodes, self.most.0), wrap(self.next.1, bytes, self.most.1));
        self.make_way(from, (nodes, bytes));
        write(&mut self.nodes, from.0, tree.nodes, self.most.0);
        write(&mut self.sizes, from.0, tree.sizes, self.most.0);
        write(&mut self.text, from.1, tree.text, self.most.1);
        self.next = (from.0 + nodes, from.1 + bytes);
        let entry = Entry {
            hash,
            nodes: (from.0 as u32, nodes as u32),
            text: (from.1 as u32, bytes as u32),
        };
        let (number, slot) = (self.alive.1, self.slot(hash));
        let place = number as usize & (self.entries.len() - 1);
        self.entries[place] = entry;
        self.index[slot] = (number as u32).wrapping_add(1);
        self.alive.1 += 1;
    }

    /// Forgets the oldest entries until none stands where a new one will.
    ///
    /// The oldest entries are the first that the arrays have after the newest, so no other is met;
    /// where writing begins anew at the front, those behind are older than those there.
    fn make_way(&mut self, from: (usize, usize), length: (usize, usize)) {
        let wraps = from.0 < self.next.0 || from.1 < self.next.1;
        while self.alive.0 < self.alive.1 {
            let entry = *self.entry(self.alive.0);
            let meets = |(at, of): (u32, u32), from: usize, length: usize| {
                (at as usize) < from + length && from < (at + of) as usize
            };
            let full = self.alive.1 - self.alive.0 == self.entries.len() as u64;
            let behind = (from.0 < self.next.0 && entry.nodes.0 as usize >= self.next.0)
                || (from.1 < self.next.1 && entry.text.0 as usize >= self.next.1);
            if full
                || meets(entry.nodes, from.0, length.0)
                || meets(entry.text, from.1, length.1)
                || (wraps && behind)
            {
                self.alive.0 += 1;
            } else {
                break;
            }
        }
    }
}

/// Writes items into an array at a place, which is at most its end. The array grows to `most` items,
/// and has memory for no more.
fn write<T: Copy>(array: &mut Vec<T>, at: usize, items: &[T], most: usize) {
    let end = at + items.len();
    if array.capacity() < end {
        let grown = (2 * end).min(most);
        array.reserve_exact(grown - array.len());
    }
    // What stands there already is written over, and what is beyond it appended.
    let over = (array.len() - at).min(items.len());
    array[at..at + over].copy_from_slice(&items[..over]);
    array.extend_from_slice(&items[over..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::{Entropy, Seeded};
    use crate::table::Symbol;
    use crate::tree::SizedTree;

    /// Trees of one leaf, and of as many as their text has bytes, in rings so small that they are
    /// filled many times over.
    #[test]
    fn what_is_found_yields_its_bytes() {
        let mut random = Seeded::new(1);
        for memory in [0, 100, 2_000, 20_000, 100_000] {
            let mut cache = TreeCache::new(memory);
            let mut texts: Vec<Vec<u8>> = Vec::new();
            let mut found = 0;
            for _ in 0..20_000 {
                if random.below(2) == 0 && !texts.is_empty() {
                    let back = random.below(texts.len().min(50) as u64) as usize;
                    let text = &texts[texts.len() - 1 - back];
                    let Some(tree) = cache.get(text) else { continue };
                    assert_eq!(tree.text(), text);
                    assert_eq!(tree.nodes.len(), tree.sizes.len());
                    assert_eq!(crate::tree::width(tree.nodes), text.len());
                    assert!(tree.sizes.iter().all(|&size| size as usize == text.len()));
                    found += 1;
                    continue;
                }
                let length = random.below(40) as usize;
                let text: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
                let mut tree = SizedTree::new();
                tree.tree.text.extend_from_slice(&text);
                if random.below(2) == 0 {
                    tree.tree.nodes = vec![Node { symbol: Symbol::LAYOUT, choice: 1 }; length];
                    tree.sizes = vec![length as u32; length];
                } else {
                    let node = Node { symbol: Symbol::LAYOUT, choice: length as u32 };
                    (tree.tree.nodes, tree.sizes) = (vec![node], vec![length as u32]);
                }
                if random.below(2) == 0 {
                    cache.insert(tree.as_ref());
                } else {
                    cache.insert_passing(tree.as_ref());
                }
                texts.push(text);
            }
            assert!(cache.memory() <= memory + 1000, "{} of {memory}", cache.memory());
            assert_eq!(found > 5_000, memory >= 100_000, "{found} of {memory}");
        }
    }

    #[test]
    fn a_cache_without_a_bound_aborts_nothing() {
        let mut cache = TreeCache::new(usize::MAX);
        assert!(cache.memory() < 128 << 20, "{} before any tree", cache.memory());
        let mut tree = SizedTree::new();
        tree.tree.text.push(b'x');
        tree.tree.nodes.push(Node { symbol: Symbol::LAYOUT, choice: 1 });
        tree.sizes.push(1);
        cache.insert(tree.as_ref());
        cache.insert_passing(tree.as_ref());
        assert_eq!(cache.get(b"x").map(|tree| tree.nodes.len()), Some(1));
    }
}
