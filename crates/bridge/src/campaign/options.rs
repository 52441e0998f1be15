//! How a campaign goes.

use super::Units;
use crate::carve::Sampling;

/// The settings of a [`Campaign`](super::Campaign): seed, budgets of steps, and sizes of what is kept.
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) seed: u64,
    pub(super) units: Units,
    pub(super) sampling: Sampling,
    pub(super) slice: u32,
    pub(super) testers: usize,
    pub(super) system: u32,
    pub(super) solver: pleach_solver::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            units: Units::Concolic,
            sampling: Sampling::default(),
            slice: 128,
            testers: 48,
            system: 4,
            solver: pleach_solver::Options::new()
                .conflicts(10_000)
                .decisions(1_000_000)
                .circuit(400_000),
        }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// What its random choices are made of. The default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// What tests the units, unless [`Campaign::with_unit_testers`] says it. The default is the concolic engine.
    ///
    /// [`Campaign::with_unit_testers`]: super::Campaign::with_unit_testers
    #[must_use]
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Which calls become units. The default is [`Sampling::new`].
    #[must_use]
    pub fn sampling(mut self, sampling: Sampling) -> Self {
        self.sampling = sampling;
        self
    }

    /// How many steps a unit is tested before another one has its turn. The default is 128.
    #[must_use]
    pub fn slice(mut self, steps: u32) -> Self {
        self.slice = steps;
        self
    }

    /// How many units are tested by turns. The default is 48.
    #[must_use]
    pub fn testers(mut self, units: usize) -> Self {
        self.testers = units;
        self
    }

    /// How many inputs the system tester makes before a unit has its turn. The default is 4.
    #[must_use]
    pub fn system(mut self, inputs: u32) -> Self {
        self.system = inputs;
        self
    }

    /// What the solver may use to lift. The default is 10,000 conflicts, 1,000,000 decisions and a circuit of 400,000 variables.
    #[must_use]
    pub fn solver(mut self, options: pleach_solver::Options) -> Self {
        self.solver = options;
        self
    }

    /// The seed.
    pub fn get_seed(&self) -> u64 {
        self.seed
    }
}
