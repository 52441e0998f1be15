//! What is still to be covered, and how much of it lies behind each beginning of a walk.
//!
//! The walks of 1 to k nodes form a trie: rank order is the order of its leaves, so the children
//! of a walk have consecutive ranks, and one number a walk, the rank of its first child, is the
//! whole trie. A counter for each inner node says how many goals below it are still wanted; it is
//! counted down when one of them is first covered.

use super::index::PathIndex;
use crate::table::{OccurrenceId, Table};

/// The goals that are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    index: PathIndex,
    /// A bit for each rank: a goal that is not covered yet.
    wanted: Vec<u64>,
    /// For each walk of fewer than k nodes, how many wanted goals it begins, itself not counted.
    below: Vec<u32>,
    /// For each walk of fewer than k nodes, the rank of its first extension.
    children: Vec<u32>,
    /// For each walk of fewer than k nodes, the height that the rule around its last node needs for
    /// some wanted goal that the walk begins, itself not counted; [`NONE`] where there is none.
    least: Vec<u32>,
    /// The last node of each walk of fewer than k nodes.
    lasts: Vec<OccurrenceId>,
    /// The height that the rule around an occurrence needs to contain it.
    needs: Vec<u32>,
    /// How many goals are wanted.
    left: u64,
    /// A bit for each rank: a goal that was given up; empty before the first is.
    given_up: Vec<u64>,
    /// Goals that were given up and have been covered after all, since they were last taken.
    regained: Vec<u32>,
    /// Where the search for a wanted goal goes on.
    cursor: u32,
    walk: Vec<OccurrenceId>,
    beginnings: Vec<u32>,
}

/// No goal.
const NONE: u32 = u32::MAX;

impl Goals {
    /// All ranks in `goals` for which `wants` is true; the others among them are given up.
    pub(crate) fn new(
        table: &Table,
        index: PathIndex,
        needs: &[u32],
        goals: std::ops::Range<u32>,
        mut wants: impl FnMut(&[OccurrenceId]) -> bool,
    ) -> Self {
        let inner = match index.k() {
            1 => 0,
            k => index.block(k - 1).end as usize,
        };
        let (children, lasts) = trie(table, &index, inner);
        let mut found = Self {
            wanted: vec![0; (index.len() as usize).div_ceil(64)],
            below: vec![0; inner],
            least: vec![NONE; inner],
            needs: needs.to_vec(),
            children,
            lasts,
            left: 0,
            given_up: Vec::new(),
            regained: Vec::new(),
            cursor: goals.start,
            walk: Vec::new(),
            beginnings: Vec::new(),
            index,
        };
        let mut walk = Vec::new();
        let mut prefixes = Vec::new();
        for rank in goals {
            found.index.walk(rank, &mut walk);
            if !wants(&walk) {
                found.note_given_up(rank);
                continue;
            }
            found.wanted[rank as usize / 64] |= 1 << (rank % 64);
            found.left += 1;
            found.prefixes(&walk, &mut prefixes);
            for &prefix in &prefixes {
                found.below[prefix as usize] += 1;
            }
        }
        for prefix in (0..inner as u32).rev() {
            found.least[prefix as usize] = found.least_below(prefix, 0, None);
        }
        found
    }

    /// What [`Goals::least`] is for a walk, from its extensions.
    ///
    /// What an extension needs only rises as goals are covered, so the search ends where one needs
    /// no more than was the least before; it begins at the extension that `from` says, for the
    /// goals of a body are mostly covered one after the other.
    fn least_below(&self, prefix: u32, from: u32, before: Option<u32>) -> u32 {
        if self.below[prefix as usize] == 0 {
            return NONE;
        }
        let (start, end) = self.index.body(self.lasts[prefix as usize]);
        let first = self.children[prefix as usize];
        let mut least = NONE;
        for node in (start + from..end).chain(start..start + from) {
            let child = first + (node - start);
            let need = self.needs[node as usize];
            let need = match self.is_wanted(child) {
                true => need,
                false => need.max(self.least.get(child as usize).copied().unwrap_or(NONE)),
            };
            least = least.min(need);
            if before == Some(least.saturating_add(1)) {
                break;
            }
        }
        least.saturating_add(1)
    }

    /// The height that the rule around an occurrence needs to contain it.
    #[inline]
    pub(crate) fn need(&self, occurrence: u32) -> u32 {
        self.needs[occurrence as usize]
    }

    /// The height that the rule around the last node of a walk of fewer than k nodes needs for
    /// some wanted goal that the walk begins, itself not counted.
    #[inline]
    pub(crate) fn least(&self, rank: u32) -> u32 {
        self.least[rank as usize]
    }

    pub(crate) fn index(&self) -> &PathIndex {
        &self.index
    }

    /// How many goals are wanted.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    #[inline]
    pub(crate) fn is_wanted(&self, rank: u32) -> bool {
        self.wanted[rank as usize / 64] >> (rank % 64) & 1 == 1
    }

    /// How many wanted goals a walk of fewer than k nodes begins, itself not counted.
    #[inline]
    pub(crate) fn below(&self, rank: u32) -> u32 {
        self.below[rank as usize]
    }

    /// The rank of the first extension of a walk of fewer than k nodes.
    #[inline]
    pub(crate) fn first_child(&self, rank: u32) -> u32 {
        self.children[rank as usize]
    }

    /// Wants a goal no more, for it is covered, and tells whether it was wanted, or given up
    /// before.
    #[inline]
    pub(crate) fn settle(&mut self, rank: u32) -> bool {
        if self.is_wanted(rank) {
            self.remove(rank);
            return true;
        }
        !self.given_up.is_empty() && self.regain(rank)
    }

    /// Wants a goal no more, though it is not covered.
    pub(crate) fn give_up(&mut self, rank: u32) {
        if self.is_wanted(rank) {
            self.remove(rank);
            self.note_given_up(rank);
        }
    }

    fn note_given_up(&mut self, rank: u32) {
        self.given_up.resize(self.wanted.len(), 0);
        self.given_up[rank as usize / 64] |= 1 << (rank % 64);
    }

    /// Notes that a goal that was given up is covered, and tells whether it was.
    #[cold]
    fn regain(&mut self, rank: u32) -> bool {
        let (word, bit) = (&mut self.given_up[rank as usize / 64], 1 << (rank % 64));
        let found = *word & bit != 0;
        if found {
            *word &= !bit;
            self.regained.push(rank);
        }
        found
    }

    /// Goals that were given up and have been covered after all, since this was last asked.
    pub(crate) fn regained(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.regained)
    }

    /// Wants a goal again that was given up.
    pub(crate) fn restore(&mut self, rank: u32) {
        if self.given_up.is_empty() || !self.regain(rank) {
            return;
        }
        self.regained.pop();
        self.wanted[rank as usize / 64] |= 1 << (rank % 64);
        self.left += 1;
        self.beginnings_of(rank);
        for index in (0..self.beginnings.len()).rev() {
            let prefix = self.beginnings[index];
            self.below[prefix as usize] += 1;
            self.least[prefix as usize] = self.least_below(prefix, 0, None);
        }
    }

    fn remove(&mut self, rank: u32) {
        self.wanted[rank as usize / 64] &= !(1 << (rank % 64));
        self.left -= 1;
        self.beginnings_of(rank);
        for &prefix in &self.beginnings {
            self.below[prefix as usize] -= 1;
        }
        let mut below = rank;
        for index in (0..self.beginnings.len()).rev() {
            let prefix = self.beginnings[index];
            let from = below - self.children[prefix as usize];
            let before = self.least[prefix as usize];
            let least = self.least_below(prefix, from, Some(before));
            below = prefix;
            self.least[prefix as usize] = least;
            if least == before {
                break;
            }
        }
    }

    /// Finds the beginnings of the walk of a rank, itself not counted.
    fn beginnings_of(&mut self, rank: u32) {
        let mut walk = std::mem::take(&mut self.walk);
        self.index.walk(rank, &mut walk);
        let mut prefixes = std::mem::take(&mut self.beginnings);
        self.prefixes(&walk, &mut prefixes);
        self.beginnings = prefixes;
        self.walk = walk;
    }

    /// A wanted goal: the next in rank order from where the last search ended, longest length
    /// first where all lengths are goals, for what covers a long walk covers its parts.
    pub(crate) fn next_wanted(&mut self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        let last = self.index.block(self.index.k());
        if !last.contains(&self.cursor) {
            self.cursor = last.start;
        }
        let found = self
            .find(self.cursor..last.end)
            .or_else(|| self.find(last.start..self.cursor))
            .or_else(|| self.find(0..last.start))?;
        self.cursor = if last.contains(&found) { found } else { last.start };
        Some(found)
    }

    /// The first wanted rank of a range, a word at a time.
    fn find(&self, range: std::ops::Range<u32>) -> Option<u32> {
        let mut rank = range.start;
        while rank < range.end {
            let word = self.wanted[rank as usize / 64] >> (rank % 64);
            if word != 0 {
                let found = rank + word.trailing_zeros();
                return (found < range.end).then_some(found);
            }
            rank = (rank / 64 + 1).saturating_mul(64);
        }
        None
    }

    /// The ranks of the beginnings of a walk, itself not counted.
    fn prefixes(&self, walk: &[OccurrenceId], prefixes: &mut Vec<u32>) {
        prefixes.clear();
        let mut prefix = walk[0].get();
        for pair in walk.windows(2) {
            prefixes.push(prefix);
            let start = self.index.body(pair[0]).0;
            prefix = self.children[prefix as usize] + (pair[1].get() - start);
        }
    }
}

/// For each walk of fewer than k nodes, in rank order, the rank of its first extension and its last
/// node.
fn trie(table: &Table, index: &PathIndex, inner: usize) -> (Vec<u32>, Vec<OccurrenceId>) {
    let mut children = Vec::with_capacity(inner);
    let mut lasts: Vec<OccurrenceId> = Vec::with_capacity(inner);
    if inner > 0 {
        lasts.extend((0..table.occurrence_count() as u32).map(OccurrenceId::new));
    }
    for length in 1..index.k() {
        let mut next = index.block(length + 1).start;
        for walk in index.block(length) {
            children.push(next);
            let (start, end) = index.body(lasts[walk as usize]);
            next += end - start;
            if length + 1 < index.k() {
                lasts.extend((start..end).map(OccurrenceId::new));
            }
        }
    }
    (children, lasts)
}
