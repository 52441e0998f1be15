//! Cuts of a text into units, of which runs are left out: the largest first, from the end on.
//!
//! This is Zeller and Hildebrandt's ddmin ("Simplifying and Isolating Failure-Inducing Input", 2002), of
//! which only the complements are tried, as for elements of repetitions.

use std::ops::Range;

/// A run of units that goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// How many units, unless there are fewer before the end.
    size: usize,
    /// The unit after the last.
    end: usize,
    /// Whether anything went since runs of this length began.
    gained: bool,
}

/// The units of a text, and the next run of them.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    /// Where the units begin, and where the last ends.
    bounds: Vec<u32>,
    next: Option<Cut>,
}

impl Cuts {
    /// Where some units begin, and where the last ends.
    pub(super) fn new(bounds: Vec<u32>) -> Self {
        let mut cuts = Self { bounds, next: None };
        cuts.next = cuts.pass(cuts.count());
        cuts
    }

    fn count(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// The first run of so many units.
    fn pass(&self, size: usize) -> Option<Cut> {
        let end = self.count();
        (end > 0).then(|| Cut { size: size.clamp(1, end), end, gained: false })
    }

    /// The run that follows one that was tried.
    fn after(&self, cut: Cut, start: usize) -> Option<Cut> {
        match cut.size {
            _ if start > 0 => Some(Cut { end: start, ..cut }),
            // What a single unit needed may have gone after it.
            1 if cut.gained => self.pass(1),
            1 => None,
            size => self.pass(size.div_ceil(2)),
        }
    }

    /// The next run, if all before it have to stay.
    pub(super) fn advance(&mut self) -> Option<Cut> {
        let cut = self.next?;
        self.next = self.after(cut, cut.end.saturating_sub(cut.size));
        Some(cut)
    }

    /// What a run yields.
    pub(super) fn range(&self, cut: Cut) -> Range<usize> {
        let start = cut.end.saturating_sub(cut.size);
        self.bounds[start] as usize..self.bounds[cut.end] as usize
    }

    /// Leaves a run out, and goes on before it.
    pub(super) fn take(&mut self, cut: Cut) {
        let start = cut.end.saturating_sub(cut.size);
        let bytes = self.bounds[cut.end] - self.bounds[start];
        self.bounds.drain(start..cut.end);
        for bound in &mut self.bounds[start..] {
            *bound -= bytes;
        }
        self.next = self.after(Cut { gained: true, ..cut }, start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, keeps: impl Fn(&str) -> bool) -> (String, usize) {
        let mut text = text.to_owned();
        let mut cuts = Cuts::new((0..=text.len() as u32).collect());
        let mut tried = 0;
        while let Some(cut) = cuts.advance() {
            tried += 1;
            let mut without = text.clone();
            without.replace_range(cuts.range(cut), "");
            if keeps(&without) {
                text = without;
                cuts.take(cut);
            }
        }
        (text, tried)
    }

    #[test]
    fn no_single_unit_can_go_at_the_end() {
        let (text, tried) = left(&"abcdefgh".repeat(100), |text| text.contains('c'));
        assert_eq!(text, "c");
        assert!(tried < 30, "{tried}");
        // Each bracket goes only once what is inside it is gone.
        let balanced = |text: &str| {
            let depths = text.chars().scan(0, |depth, c| {
                *depth += if c == '(' { 1 } else { -1 };
                Some(*depth)
            });
            let depths: Vec<i32> = depths.collect();
            depths.iter().all(|&depth| depth >= 0) && text.matches('(').count() >= 2
        };
        assert_eq!(left("(((())))", balanced).0, "((");
        assert_eq!(left("", |_| true), (String::new(), 0));
        assert_eq!(left("xyz", |_| true), (String::new(), 1));
    }
}
