//! How likely alternatives and repetitions are in random production.

use crate::table::{AlternativeId, RepetitionId, Table};

/// How random production weighs its choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every alternative alike, and every repetition as likely to end as to go on.
    #[default]
    Uniform,
    /// By the grammar's weights.
    Weighted,
    /// By the inverse of the grammar's weights: what is rare becomes common. An alternative of
    /// weight 0 stays at 0.
    Inverted,
}

/// Weights of a table's choices in one mode.
///
/// All are integers over a common scale, so that no platform rounds them otherwise.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// By alternative.
    alternatives: Vec<u64>,
    /// Whether the weight of every alternative is 1.
    ones: bool,
    /// By repetition, the odds of going on: so many, to so many.
    repetitions: Vec<(u64, u64)>,
}

/// The weight that an inverse is taken of: divisible by all small weights.
const SCALE: u64 = 232_792_560;

impl Weights {
    pub(super) fn new(table: &Table, mode: Mode) -> Self {
        let alternatives: Vec<u64> = (0..table.alternative_count() as u32)
            .map(|alternative| match (mode, table.weight(AlternativeId::new(alternative))) {
                (Mode::Uniform, _) => 1,
                (_, 0) => 0,
                (Mode::Weighted, weight) => u64::from(weight),
                (Mode::Inverted, weight) => (SCALE / u64::from(weight)).max(1),
            })
            .collect();
        let repetitions = (0..table.repetition_count() as u32)
            .map(|repetition| {
                match (mode, u64::from(table.repetition(RepetitionId::new(repetition)).weight)) {
                    (Mode::Uniform, _) => (1, 1),
                    (_, 0) => (0, 1),
                    (Mode::Weighted, weight) => (weight, 1),
                    (Mode::Inverted, weight) => (1, weight),
                }
            })
            .collect();
        let ones = alternatives.iter().all(|&weight| weight == 1);
        Self { alternatives, ones, repetitions }
    }

    /// Whether the weight of every alternative is 1.
    #[inline]
    pub(super) fn are_ones(&self) -> bool {
        self.ones
    }

    #[inline]
    pub(super) fn alternative(&self, alternative: AlternativeId) -> u64 {
        self.alternatives[alternative.index()]
    }

    /// The odds that a repetition goes on: the first number to the second.
    #[inline]
    pub(super) fn going_on(&self, repetition: RepetitionId) -> (u64, u64) {
        self.repetitions[repetition.index()]
    }
}
