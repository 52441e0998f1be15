//! Sets of variables, shared among terms.

use fxhash::FxHashMap;

/// A set of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(u32);

/// All sets, each a sorted row.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    items: Vec<u32>,
    /// Where each set begins in `items`, and where the last one ends.
    starts: Vec<u32>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Sets {
    pub(super) const EMPTY: SetId = SetId(0);

    pub(super) fn new() -> Sets {
        Sets { items: Vec::new(), starts: vec![0, 0], unions: FxHashMap::default() }
    }

    pub(super) fn get(&self, set: SetId) -> &[u32] {
        let at = set.0 as usize;
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// How many numbers all sets have together.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn single(&mut self, variable: u32) -> SetId {
        self.items.push(variable);
        self.close()
    }

    fn close(&mut self) -> SetId {
        let set = SetId(self.starts.len() as u32 - 1);
        self.starts.push(u32::try_from(self.items.len()).expect("the terms' limit bounds it"));
        set
    }

    /// The set that has all of both.
    pub(super) fn union(&mut self, a: SetId, b: SetId) -> SetId {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == Sets::EMPTY {
            return b;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let from = self.items.len();
        self.merge(a, b);
        let (size, of_a, of_b) = (self.items.len() - from, self.get(a).len(), self.get(b).len());
        let union = if size == of_a || size == of_b {
            self.items.truncate(from);
            if size == of_a { a } else { b }
        } else {
            self.close()
        };
        self.unions.insert((a, b), union);
        union
    }

    /// Appends what is in either set, in order.
    fn merge(&mut self, a: SetId, b: SetId) {
        let ends = |set: SetId| {
            (self.starts[set.0 as usize] as usize, self.starts[set.0 as usize + 1] as usize)
        };
        let ((mut i, end_a), (mut j, end_b)) = (ends(a), ends(b));
        while i < end_a || j < end_b {
            let x = if i < end_a { self.items[i] } else { u32::MAX };
            let y = if j < end_b { self.items[j] } else { u32::MAX };
            let least = x.min(y);
            i += usize::from(i < end_a && x == least);
            j += usize::from(j < end_b && y == least);
            self.items.push(least);
        }
    }
}
