//! Sets of input bytes, each kept once, so that a value's set is a number.
//!
//! A set is a row of ranges, and the union of two is remembered: what a loop adds up byte by byte
//! makes as many sets as it has rounds, each of one range.

use crate::vm::Source;
use fxhash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of an interned set of input bytes in [`ByteSets`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteSet(u32);

impl ByteSet {
    /// No byte.
    pub const EMPTY: ByteSet = ByteSet(0);
    /// Any bytes: sets became too many to be told apart.
    pub const ANY: ByteSet = ByteSet(1);
}

/// Positions of one source follow each other; sources are this far apart.
const SOURCE: u64 = 1 << 40;

/// The interned sets of input bytes of one run, with their unions remembered.
#[derive(Clone, Debug)]
pub struct ByteSets {
    rows: Vec<Arc<[Range<u64>]>>,
    known: FxHashMap<Arc<[Range<u64>]>, ByteSet>,
    unions: FxHashMap<(ByteSet, ByteSet), ByteSet>,
    sources: Vec<Source>,
    ranges: usize,
    limit: usize,
}

impl Default for ByteSets {
    fn default() -> ByteSets {
        ByteSets::new(1 << 22)
    }
}

impl ByteSets {
    /// No sets yet; those of more than `limit` ranges together are [`ByteSet::ANY`].
    pub fn new(limit: usize) -> ByteSets {
        let empty: Arc<[Range<u64>]> = Arc::from([]);
        let mut known = FxHashMap::default();
        known.insert(Arc::clone(&empty), ByteSet::EMPTY);
        ByteSets {
            // Any bytes have no row of their own.
            rows: vec![Arc::clone(&empty), empty],
            known,
            unions: FxHashMap::default(),
            sources: Vec::new(),
            ranges: 0,
            limit,
        }
    }

    /// The set of one byte.
    pub fn byte(&mut self, source: Source, offset: u64) -> ByteSet {
        let index = self.sources.iter().position(|&known| known == source).unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        });
        let at = index as u64 * SOURCE + offset.min(SOURCE - 2);
        let end = at + 1;
        self.intern(std::iter::once(at..end).collect())
    }

    fn intern(&mut self, row: Vec<Range<u64>>) -> ByteSet {
        if let Some(&set) = self.known.get(&row[..]) {
            return set;
        }
        self.ranges += row.len();
        if self.ranges > self.limit {
            return ByteSet::ANY;
        }
        let row: Arc<[Range<u64>]> = Arc::from(row);
        let set = ByteSet(self.rows.len() as u32);
        self.rows.push(Arc::clone(&row));
        self.known.insert(row, set);
        set
    }

    /// What is in one of two sets.
    ///
    /// # Panics
    ///
    /// May panic where a set is of other [`ByteSets`].
    pub fn union(&mut self, a: ByteSet, b: ByteSet) -> ByteSet {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == ByteSet::EMPTY {
            return b;
        }
        if a == ByteSet::ANY {
            return a;
        }
        if let Some(&set) = self.unions.get(&(a, b)) {
            return set;
        }
        let row = merge(&self.rows[a.0 as usize], &self.rows[b.0 as usize]);
        let set = self.intern(row);
        if self.unions.len() < self.limit {
            self.unions.insert((a, b), set);
        }
        set
    }

    /// The ranges of a set, each within one source; `None` if it is [`ByteSet::ANY`].
    ///
    /// # Panics
    ///
    /// May panic where a set is of other [`ByteSets`].
    pub fn ranges(&self, set: ByteSet) -> Option<Vec<(Source, Range<u64>)>> {
        if set == ByteSet::ANY {
            return None;
        }
        let row = &self.rows[set.0 as usize];
        let source = |range: &Range<u64>| {
            let index = range.start / SOURCE;
            let begin = index * SOURCE;
            (self.sources[index as usize], range.start - begin..range.end - begin)
        };
        Some(row.iter().map(source).collect())
    }
}

impl ByteSets {
    /// A set in words: `input 0..3, 5; file 1 0..2`.
    pub fn describe(&self, set: ByteSet) -> String {
        let Some(ranges) = self.ranges(set) else {
            return "any bytes".into();
        };
        let mut text = String::new();
        let mut last = None;
        for (source, range) in ranges {
            if last == Some(source) {
                text += ", ";
            } else {
                text += if last.is_some() { "; " } else { "" };
                text += &match source {
                    Source::Input => "input ".to_owned(),
                    Source::File(number) => format!("file {number} "),
                    Source::Argument(number) => format!("argument {number} "),
                };
            }
            last = Some(source);
            text += &match range.end - range.start {
                1 => range.start.to_string(),
                _ => format!("{}..{}", range.start, range.end),
            };
        }
        if text.is_empty() { "nothing".into() } else { text }
    }
}

fn merge(a: &[Range<u64>], b: &[Range<u64>]) -> Vec<Range<u64>> {
    let (mut i, mut j) = (0, 0);
    let mut row: Vec<Range<u64>> = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || j < b.len() {
        let first = j >= b.len() || (i < a.len() && a[i].start <= b[j].start);
        let next = if first { &a[i] } else { &b[j] };
        i += usize::from(first);
        j += usize::from(!first);
        match row.last_mut() {
            Some(last) if last.end >= next.start => last.end = last.end.max(next.end),
            _ => row.push(next.clone()),
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_join_neighbours_and_keep_sources_apart() {
        let mut sets = ByteSets::default();
        let mut all = ByteSet::EMPTY;
        for offset in [4, 0, 2, 1] {
            let byte = sets.byte(Source::Input, offset);
            all = sets.union(all, byte);
        }
        let file = sets.byte(Source::File(2), 7);
        all = sets.union(file, all);
        let expected = vec![(Source::Input, 0..3), (Source::Input, 4..5), (Source::File(2), 7..8)];
        assert_eq!(sets.ranges(all), Some(expected));
        assert_eq!(sets.describe(all), "input 0..3, 4; file 2 7");
        assert_eq!(sets.describe(ByteSet::EMPTY), "nothing");
        assert_eq!(sets.union(all, file), all);
    }

    #[test]
    fn too_many_sets_become_any() {
        let mut sets = ByteSets::new(10);
        let bytes: Vec<ByteSet> = (0..20).map(|i| sets.byte(Source::Input, 2 * i)).collect();
        assert_eq!(bytes[19], ByteSet::ANY);
        assert_eq!(sets.ranges(ByteSet::ANY), None);
        assert_eq!(sets.union(bytes[0], ByteSet::ANY), ByteSet::ANY);
    }
}
