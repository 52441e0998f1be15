//! How many k-paths there are.

use std::fmt;

use crate::table::{RuleId, Table};

/// A count that says when it is larger than it can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathCount(u128);

impl PathCount {
    /// The count, where it is below 2^128 - 1.
    pub fn exact(self) -> Option<u128> {
        (self.0 != u128::MAX).then_some(self.0)
    }

    /// The count where it fits 64 bits.
    pub fn to_u64(self) -> Option<u64> {
        u64::try_from(self.0).ok()
    }

    /// The sum, saturating.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl From<u64> for PathCount {
    fn from(count: u64) -> Self {
        Self(count.into())
    }
}

/// In decimal; a count of 2^128 - 1 or more as `2^128 or more`.
impl fmt::Display for PathCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(count) => count.fmt(f),
            None => f.write_str("2^128 or more"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for PathCount {
    /// As a number where it fits 64 bits, else as a string.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_u64() {
            Some(count) => serializer.serialize_u64(count),
            None => serializer.collect_str(self),
        }
    }
}

/// The numbers of walks of exactly 1, 2, ... nodes in a table's graph of occurrences.
#[derive(Clone, Debug)]
pub struct WalkCounts {
    totals: Vec<PathCount>,
}

impl WalkCounts {
    /// Counts the k-paths of a table for each k from 1 to `longest`.
    ///
    /// With W(j, v) the walks of j nodes from v, W(1, v) = 1 and W(j, v) is the sum of W(j - 1, u)
    /// over the body of the rule behind v: one number a rule and length, and one addition an
    /// occurrence and length.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::{kpath::WalkCounts, table::Table};
    ///
    /// let table = Table::parse(r#"E = E "+" T | T ; T = "1" ;"#)?;
    /// let counts = WalkCounts::new(&table, 3);
    /// assert_eq!(counts.exact(1).to_u64(), Some(5));
    /// assert_eq!(counts.up_to(3).to_u64(), Some(5 + 6 + 6));
    /// # Ok::<(), pleach::grammar::GrammarError>(())
    /// ```
    #[pleach_unhooked::unhooked]
    pub fn new(table: &Table, longest: usize) -> Self {
        let rules = table.named_rule_count();
        let mut totals = Vec::with_capacity(longest);
        // The walks of the length before, from all occurrences of each rule's body together.
        let mut before: Vec<PathCount> = Vec::new();
        for length in 1..=longest {
            let mut total = PathCount::default();
            let mut sums = Vec::with_capacity(rules);
            for rule in (0..rules as u32).map(RuleId::new) {
                let mut sum = PathCount::default();
                if length == 1 {
                    sum = PathCount::from(table.body(rule).len() as u64);
                } else {
                    for occurrence in table.body(rule) {
                        if let Some(target) = table.target(occurrence) {
                            sum = sum.plus(before[target.index()]);
                        }
                    }
                }
                total = total.plus(sum);
                sums.push(sum);
            }
            totals.push(total);
            before = sums;
        }
        Self { totals }
    }

    /// The walks of exactly `k` nodes; none for a length that was not counted.
    pub fn exact(&self, k: usize) -> PathCount {
        k.checked_sub(1).and_then(|index| self.totals.get(index)).copied().unwrap_or_default()
    }

    /// The walks of 1 to `k` nodes.
    pub fn up_to(&self, k: usize) -> PathCount {
        self.totals.iter().take(k).fold(PathCount::default(), |sum, &count| sum.plus(count))
    }
}
