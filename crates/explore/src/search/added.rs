//! Inputs that others have found, such as the corpus of a fuzzer that runs beside the search.
//!
//! A fuzzer keeps thousands of inputs, many of them long, of which few take an edge that no other does, and a run with terms, and
//! all that is asked about it then, costs many times what one without does. So all that is done for them may take a part of the
//! instructions that the search executes, but for the first ones. An input is run without terms at first, the shortest before the
//! others, which tells its edges; then those with new edges get their paths, the cheapest first, and the others when no
//! input is left that was not run.

use super::{Event, Explorer, Reason, Waiting};
use crate::native::Judge;
use std::collections::{BTreeSet, VecDeque};

/// How many runs are made before any is made without terms.
const BEGINNING: u64 = 64;
/// Which part of all instructions is for inputs that were added behind these.
const PART: u64 = 4;
/// How many bytes the inputs may have together that were run and wait for their paths.
const BYTES: usize = 64 << 20;

/// What was added and has no path yet.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// Those that were not run, in the order in which they were added.
    fresh: VecDeque<Vec<u8>>,
    /// The same behind the first ones, by their lengths.
    unseen: BTreeSet<(usize, Vec<u8>)>,
    /// Those that were, in the order in which their paths are wanted.
    seen: BTreeSet<Seen>,
    /// How many bytes these have.
    bytes: usize,
    /// How many instructions were executed for what came behind the first ones.
    steps: u64,
}

/// An input that was run without terms.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    /// Whether it took no edge as the first.
    is_old: bool,
    steps: u64,
    input: Vec<u8>,
}

impl Added {
    pub(super) fn push(&mut self, input: Vec<u8>) {
        self.fresh.push_back(input);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.unseen.is_empty() && self.seen.is_empty()
    }

    /// Keeps an input for later; where there are too many, the last ones go.
    fn see(&mut self, seen: Seen) {
        self.bytes += seen.input.len();
        self.seen.insert(seen);
        while self.bytes > BYTES
            && let Some(last) = self.seen.pop_last()
        {
            self.bytes -= last.input.len();
        }
    }

    /// Takes out an input that was not run, if there is none that was and is to come before it.
    fn take_unseen(&mut self) -> Option<Vec<u8>> {
        self.unseen.extend(self.fresh.drain(..).map(|input| (input.len(), input)));
        match self.seen.first() {
            Some(Seen { is_old: false, .. }) => None,
            _ => self.unseen.pop_first().map(|(_, input)| input),
        }
    }

    /// Takes out the input whose path is wanted next.
    fn take_seen(&mut self) -> Option<Vec<u8>> {
        let first = self.seen.pop_first()?;
        self.bytes -= first.input.len();
        Some(first.input)
    }
}

impl Explorer {
    /// Whether it is only begun: what was added is run before anything is asked.
    pub(super) fn is_beginning(&self) -> bool {
        self.counts.runs < BEGINNING
    }

    /// Runs an input that was added, if there is one whose turn it is, or one at all where nothing else is left.
    pub(super) fn run_added(&mut self, is_idle: bool, judge: &mut dyn Judge) -> Option<Event> {
        if self.is_beginning() {
            let input = self.added.fresh.pop_front()?;
            return Some(self.execute(Waiting::new(input, Reason::Added), judge));
        }
        if !is_idle && self.added.steps > self.counts.steps / PART {
            return None;
        }
        let before = self.counts.steps;
        let event = match self.added.take_unseen() {
            Some(input) => self.look(input, judge),
            None => {
                let input = self.added.take_seen()?;
                self.execute(Waiting::new(input, Reason::Added), judge)
            }
        };
        self.added.steps += self.counts.steps - before;
        Some(event)
    }

    /// Runs an input without terms.
    fn look(&mut self, input: Vec<u8>, judge: &mut dyn Judge) -> Event {
        if self.sets(&input, None).is_err() {
            return Event::Ran { input, edges: 0, failure: None, fails: false, error: None };
        }
        let run = self.subject.run(&input, Some(&[]));
        self.counts.runs += 1;
        self.counts.steps += run.steps;
        let edges = self.note_edges(&input, &run).0;
        self.counts.inputs += u64::from(edges > 0);
        self.facts.add(&run);
        let ended = run.outcome.is_end();
        let (mut failure, mut fails, mut error) = (None, false, None);
        if edges > 0 || !ended {
            (failure, fails, error) = self.judge(&input, &run, judge);
        }
        self.facts.ended(&run.outcome);
        if edges > 0 {
            self.note_shape(&input, edges);
        }
        self.added.see(Seen { is_old: edges == 0, steps: run.steps, input: input.clone() });
        Event::Ran { input, edges, failure, fails, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(is_old: bool, steps: u64, input: &[u8]) -> Seen {
        Seen { is_old, steps, input: input.to_vec() }
    }

    #[test]
    fn what_is_new_comes_first_and_then_what_is_cheap() {
        let mut added = Added::default();
        for it in
            [seen(true, 1, b"d"), seen(false, 9, b"b"), seen(false, 9, b"a"), seen(true, 2, b"e")]
        {
            added.see(it);
        }
        added.see(seen(false, 3, b"c"));
        let order: Vec<Vec<u8>> = std::iter::from_fn(|| added.take_seen()).collect();
        assert_eq!(order, [b"c", b"a", b"b", b"d", b"e"]);
        assert!(added.is_empty());
        assert_eq!(added.bytes, 0);
    }

    #[test]
    fn there_are_no_more_than_so_many_bytes() {
        let mut added = Added::default();
        for steps in 0..5 {
            added.see(Seen { is_old: true, steps, input: vec![0; BYTES / 4] });
        }
        assert_eq!((added.seen.len(), added.bytes), (4, BYTES));
        assert!(added.seen.iter().all(|it| it.steps < 4));
    }
}
