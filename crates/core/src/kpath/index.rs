//! Dense ranks of k-paths, both ways.
//!
//! With W(j, v) the number of walks of j nodes from v, the walks of k nodes are ranked in the
//! order of their first node, then of their second, and so on: the rank of a walk is the sum, over
//! its nodes, of the walks that begin with an earlier node of the same body. Occurrences of a body
//! are consecutive, so these sums are differences of one array of prefix sums for each length.
//! Walks that share a beginning have consecutive ranks.

use std::fmt;

use super::count::WalkCounts;
use crate::table::{OccurrenceId, Table};

/// Which lengths of walks are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Scope {
    /// All lengths from 1 to k.
    #[default]
    UpTo,
    /// Length k alone.
    Exact,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UpTo => "up-to",
            Self::Exact => "exact",
        })
    }
}

/// Why the k-paths of a table cannot be indexed.
#[derive(Clone, PartialEq, Eq)]
pub struct KPathError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    TooMany { k: usize, count: String, limit: u64 },
    Length(usize),
}

impl KPathError {
    /// Whether the set is larger than the caller's limit.
    pub fn is_size_limit_exceeded(&self) -> bool {
        matches!(self.kind, Kind::TooMany { .. })
    }
}

impl fmt::Display for KPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::TooMany { k, count, limit } => write!(
                f,
                "the grammar has {count} k-paths for k = {k}, over the limit of {limit}; \
                 take a smaller k, or raise the limit"
            ),
            Kind::Length(k) => {
                write!(
                    f,
                    "k = {k} is no length of a k-path; it goes from 1 to {}",
                    PathIndex::LONGEST
                )
            }
        }
    }
}

crate::displayed::displayed!(KPathError);

impl std::error::Error for KPathError {}

/// Ranks of the walks of 1 to k nodes.
#[derive(Clone, Debug)]
pub struct PathIndex {
    k: usize,
    scope: Scope,
    /// `prefix[(j - 1) * (n + 1) + v]`: the walks of j nodes from occurrences below v.
    prefix: Vec<u32>,
    /// The number of occurrences.
    occurrences: usize,
    /// The first and the last occurrence after the body behind each occurrence.
    bodies: Vec<(u32, u32)>,
    /// Where the ranks of each length begin, from length 1 on; the last is their total.
    blocks: Vec<u32>,
}

impl PathIndex {
    /// The greatest k.
    pub const LONGEST: usize = 64;

    /// The limit of the command line: ranks are 32 bits, and the memory for this many is some hundred megabytes.
    pub const DEFAULT_LIMIT: u64 = 1 << 26;

    /// Indexes the k-paths of a table.
    ///
    /// # Errors
    ///
    /// Where there are more than `limit` (or 2^32 - 1) walks of 1 to k nodes, and where k is 0 or
    /// above [`PathIndex::LONGEST`].
    #[pleach_unhooked::unhooked]
    pub fn new(table: &Table, k: usize, scope: Scope, limit: u64) -> Result<Self, KPathError> {
        if k == 0 || k > Self::LONGEST {
            return Err(KPathError { kind: Kind::Length(k) });
        }
        let counts = WalkCounts::new(table, k);
        let all = counts.up_to(k);
        let limit = limit.min(u64::from(u32::MAX) - 1);
        if all.to_u64().is_none_or(|all| all > limit) {
            let count = all.to_string();
            return Err(KPathError { kind: Kind::TooMany { k, count, limit } });
        }
        let occurrences = table.occurrence_count();
        let mut bodies = Vec::with_capacity(occurrences);
        for occurrence in (0..occurrences as u32).map(OccurrenceId::new) {
            let body = table.target(occurrence).map_or(0..0, |rule| table.body_range(rule));
            bodies.push((body.start, body.end));
        }
        let stride = occurrences + 1;
        let mut prefix = vec![0_u32; k * stride];
        let mut blocks = vec![0];
        for length in 0..k {
            for occurrence in 0..occurrences {
                let walks = if length == 0 {
                    1
                } else {
                    let before = &prefix[(length - 1) * stride..length * stride];
                    let (start, end) = bodies[occurrence];
                    before[end as usize] - before[start as usize]
                };
                prefix[length * stride + occurrence + 1] =
                    prefix[length * stride + occurrence] + walks;
            }
            blocks.push(blocks[length] + prefix[length * stride + occurrences]);
        }
        Ok(Self { k, scope, prefix, occurrences, bodies, blocks })
    }

    /// The greatest length.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Whether all lengths are goals or the greatest alone.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// How many walks of 1 to k nodes there are: ranks are below this.
    pub fn len(&self) -> u32 {
        self.blocks[self.k]
    }

    /// Whether there is no walk at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ranks that the scope means; those of the walks of exactly j nodes stand together, and
    /// shorter walks before longer ones.
    pub fn goals(&self) -> std::ops::Range<u32> {
        match self.scope {
            Scope::UpTo => 0..self.len(),
            Scope::Exact => self.block(self.k),
        }
    }

    /// The ranks of the walks of exactly `length` nodes, from 1 to k.
    ///
    /// # Panics
    ///
    /// Where the length is 0 or greater than k.
    pub fn block(&self, length: usize) -> std::ops::Range<u32> {
        self.blocks[length - 1]..self.blocks[length]
    }

    /// How many nodes the walk of a rank has; the rank must be below [`PathIndex::len`].
    #[inline]
    pub fn length(&self, rank: u32) -> usize {
        self.blocks.partition_point(|&start| start <= rank)
    }

    /// The rank of a walk; none where it is no walk of 1 to k nodes.
    ///
    /// # Panics
    ///
    /// Where an occurrence is of another table that has more of them.
    #[pleach_unhooked::unhooked]
    pub fn rank(&self, walk: &[OccurrenceId]) -> Option<u32> {
        if walk.is_empty() || walk.len() > self.k || walk[0].index() >= self.occurrences {
            return None;
        }
        for pair in walk.windows(2) {
            let (start, end) = self.bodies[pair[0].index()];
            if !(start..end).contains(&pair[1].get()) {
                return None;
            }
        }
        let last = walk[walk.len() - 1].get();
        let parent = &walk[..walk.len() - 1];
        Some(match parent.last() {
            None => last,
            Some(&above) => self.base(parent) + (last - self.bodies[above.index()].0),
        })
    }

    /// The rank of the first walk one node longer than this one: what ends in the n-th occurrence
    /// of the body behind the last node has the n-th rank from here.
    #[inline]
    pub(crate) fn base(&self, walk: &[OccurrenceId]) -> u32 {
        let stride = self.occurrences + 1;
        let length = walk.len() + 1;
        let mut rank = self.blocks[length - 1];
        let mut row = (length - 1) * stride;
        let mut start = 0;
        for &node in walk {
            rank += self.prefix[row + node.index()] - self.prefix[row + start as usize];
            start = self.bodies[node.index()].0;
            row -= stride;
        }
        rank
    }

    /// The first occurrence and the end of the body behind an occurrence.
    #[inline]
    pub(crate) fn body(&self, occurrence: OccurrenceId) -> (u32, u32) {
        self.bodies[occurrence.index()]
    }

    /// Writes the walk of a rank, from the root's side; the rank must be below [`PathIndex::len`].
    #[pleach_unhooked::unhooked]
    pub fn walk(&self, rank: u32, walk: &mut Vec<OccurrenceId>) {
        walk.clear();
        if rank >= self.len() {
            return;
        }
        let length = self.length(rank);
        let mut rest = rank - self.blocks[length - 1];
        let stride = self.occurrences + 1;
        let (mut start, mut end) = (0, self.occurrences as u32);
        for left in (0..length).rev() {
            let row = &self.prefix[left * stride..(left + 1) * stride];
            let from = row[start as usize];
            // The last occurrence before which at most `rest` walks begin.
            let within = &row[start as usize..end as usize];
            let index = within.partition_point(|&sum| sum - from <= rest) - 1;
            rest -= within[index] - from;
            let node = start + index as u32;
            walk.push(OccurrenceId::new(node));
            (start, end) = self.bodies[node as usize];
        }
    }
}
