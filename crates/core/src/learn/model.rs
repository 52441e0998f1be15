//! Counts as production draws from them: flat, and the same for the same counts.
//!
//! States are the contexts that are known, with all that begin or end them; a reference leads from one to the one
//! of the longest known end, as in an automaton of Aho and Corasick, and the *link* of a state leads to that
//! without its farthest reference. Rows of a state are sorted by point, entries of a row by choice, and an entry
//! has the sum of all counts up to it: all is looked up by bisection.

use std::collections::BTreeMap;

use super::PointId;
use super::counts::{Chain, Counts};
use crate::id::id;
use crate::table::{OccurrenceId, Table};

/// What is known of a corpus, to draw from.
///
/// Production takes it as an option.
#[derive(Clone, Debug)]
pub struct Model {
    /// Alternatives, repetitions and occurrences of the table.
    of: [usize; 3],
    /// By state: the state without the farthest reference.
    links: Vec<u32>,
    /// By state: where its steps begin, and the end of all.
    step_starts: Vec<u32>,
    steps: Vec<(OccurrenceId, u32)>,
    /// By state: where its rows begin, and the end of all.
    row_starts: Vec<u32>,
    rows: Vec<(PointId, u32)>,
    /// The choice, and the sum of the counts of its row up to it. Behind the last row is one entry more.
    entries: Vec<(u32, u32)>,
    /// The ends of texts in `text`.
    text_ends: Vec<u32>,
    text: Vec<u8>,
}

id! {
    /// A state of a model.
    StateId
}

impl StateId {
    /// Nothing is known of what stands above.
    pub(crate) const EMPTY: Self = Self::new(0);
}

/// What one context knows of one point: choices, each with the sum of counts up to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'m>(&'m [(u32, u32)]);

impl Row<'_> {
    fn index(self, choice: u32) -> usize {
        self.0.partition_point(|entry| entry.0 < choice)
    }

    fn before(self, index: usize) -> u64 {
        index.checked_sub(1).map_or(0, |last| self.0[last].1.into())
    }

    /// The sum of all counts.
    pub(crate) fn total(self) -> u64 {
        self.before(self.0.len())
    }

    /// How many choices were taken.
    pub(crate) fn len(self) -> u64 {
        self.0.len() as u64
    }

    /// How often a choice was taken.
    pub(crate) fn count(self, choice: u32) -> u64 {
        let index = self.index(choice);
        match self.0.get(index) {
            Some(entry) if entry.0 == choice => u64::from(entry.1) - self.before(index),
            _ => 0,
        }
    }

    /// How often a choice from this one on was taken, and how many such there are.
    pub(crate) fn from(self, choice: u32) -> (u64, u64) {
        let index = self.index(choice);
        (self.total() - self.before(index), (self.0.len() - index) as u64)
    }

    /// The choice of a number below the total.
    pub(crate) fn choice(self, number: u64) -> Option<u32> {
        let index = self.0.partition_point(|entry| u64::from(entry.1) <= number);
        self.0.get(index).map(|entry| entry.0)
    }

    /// The choice of a number below how many there are.
    pub(crate) fn nth(self, number: u64) -> Option<u32> {
        self.0.get(number as usize).map(|entry| entry.0)
    }
}

impl Model {
    /// A model of what was counted.
    pub fn new(counts: &Counts<'_>) -> Self {
        let sums = sums(counts);
        let ids: BTreeMap<&Chain, u32> = sums.keys().zip(0..).collect();
        let mut model = Self {
            of: shape(counts.table),
            links: Vec::with_capacity(sums.len()),
            step_starts: vec![0],
            steps: Vec::new(),
            row_starts: vec![0],
            rows: Vec::new(),
            entries: Vec::new(),
            text_ends: Vec::new(),
            text: Vec::new(),
        };
        let mut children: Vec<Vec<(OccurrenceId, u32)>> = vec![Vec::new(); sums.len()];
        for (chain, &id) in &ids {
            model.links.push(chain.get(1..).map_or(0, |shorter| ids[&shorter.to_vec()]));
            if let Some((&last, above)) = chain.split_last() {
                children[ids[&above.to_vec()] as usize].push((last, id));
            }
        }
        for (points, mut steps) in sums.values().zip(children) {
            steps.sort_unstable();
            model.steps.append(&mut steps);
            model.step_starts.push(model.steps.len() as u32);
            for (&point, choices) in points {
                model.rows.push((point, model.entries.len() as u32));
                model.push_row(choices);
            }
            model.row_starts.push(model.rows.len() as u32);
        }
        // The end of the last row, looked up as any other's.
        model.rows.push((PointId(u32::MAX), model.entries.len() as u32));
        for text in counts.texts.all() {
            model.text.extend_from_slice(text);
            model.text_ends.push(model.text.len() as u32);
        }
        model
    }

    /// Appends the entries of a row, with counts made smaller where their sum has more than 31 bits.
    fn push_row(&mut self, choices: &BTreeMap<u32, u64>) {
        let total: u128 = choices.values().map(|&count| u128::from(count)).sum();
        let shift = (128 - total.leading_zeros()).saturating_sub(31);
        let mut sum = 0_u32;
        for (&choice, &count) in choices {
            // At most 2^22 entries are raised to 1.
            sum += (u128::from(count) >> shift).max(1) as u32;
            self.entries.push((choice, sum));
        }
    }

    /// Whether a model is of a table of this shape.
    pub(crate) fn is_of(&self, table: &Table) -> bool {
        self.of == shape(table)
    }

    /// The state below a reference.
    #[inline]
    pub(crate) fn step(&self, state: StateId, occurrence: OccurrenceId) -> StateId {
        let mut from = state;
        loop {
            let index = from.index();
            let steps =
                &self.steps[self.step_starts[index] as usize..self.step_starts[index + 1] as usize];
            if let Ok(found) = steps.binary_search_by_key(&occurrence, |step| step.0) {
                return StateId::new(steps[found].1);
            }
            match self.shorter(from) {
                Some(shorter) => from = shorter,
                None => return StateId::EMPTY,
            }
        }
    }

    /// The state that knows less of what stands above; none where that is nothing.
    #[inline]
    pub(crate) fn shorter(&self, state: StateId) -> Option<StateId> {
        (state != StateId::EMPTY).then(|| StateId::new(self.links[state.index()]))
    }

    /// What a state knows of a point, if something.
    #[inline]
    pub(crate) fn row(&self, state: StateId, point: PointId) -> Option<Row<'_>> {
        let start = self.row_starts[state.index()] as usize;
        let rows = &self.rows[start..self.row_starts[state.index() + 1] as usize];
        let found = start + rows.binary_search_by_key(&point, |row| row.0).ok()?;
        Some(Row(&self.entries[self.rows[found].1 as usize..self.rows[found + 1].1 as usize]))
    }

    /// A text of a terminal.
    pub(crate) fn text(&self, text: u32) -> &[u8] {
        let start = (text as usize).checked_sub(1).map_or(0, |last| self.text_ends[last] as usize);
        &self.text[start..self.text_ends[text as usize] as usize]
    }
}

fn shape(table: &Table) -> [usize; 3] {
    [table.alternative_count(), table.repetition_count(), table.all_occurrence_count()]
}

/// Counts by point and choice.
type Rows = BTreeMap<PointId, BTreeMap<u32, u64>>;

/// Counts of each context and of all that are its ends; contexts that only begin one have none.
fn sums(counts: &Counts<'_>) -> BTreeMap<Chain, Rows> {
    let mut sums: BTreeMap<Chain, Rows> = BTreeMap::new();
    sums.entry(Chain::new()).or_default();
    for (&(context, point, choice), &count) in &counts.cells {
        let chain = &counts.contexts.chains[context as usize];
        for start in 0..=chain.len() {
            let rows = sums.entry(chain[start..].to_vec()).or_default();
            let sum = rows.entry(point).or_default().entry(choice).or_default();
            *sum = sum.saturating_add(count);
        }
    }
    let known: Vec<Chain> = sums.keys().cloned().collect();
    for chain in known {
        for end in 0..chain.len() {
            for start in 0..=end {
                sums.entry(chain[start..end].to_vec()).or_default();
            }
        }
    }
    sums
}
