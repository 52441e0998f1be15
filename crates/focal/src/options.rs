//! How a campaign goes.

use pleach_bridge::carve::{ContextLimits, Sampling};

use crate::refine::Refining;

/// What is done in another way, to compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Nothing.
    #[default]
    Whole,
    /// No interpolants: callers are explored for all rounds without them.
    I,
    /// No extended units: of a unit's branches only those of its function are negated, and of the program's those of its entry.
    E,
    /// Extended units are drawn at random from what a function calls, as large as they would be.
    R,
    /// No composition: the whole program is explored towards the targets, as KATCH does.
    W,
    /// No summaries: of each caller, backwards, it is looked for an input with which it comes to the target, as Mix-CCBSE does.
    M,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 6] =
        [Variant::Whole, Variant::I, Variant::E, Variant::R, Variant::W, Variant::M];

    /// By its letter, which [`Variant::Whole`] does not have.
    pub fn named(letter: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|it| it.letter() == Some(letter))
    }

    /// The letter by which the command line names it; none for the whole approach.
    pub fn letter(self) -> Option<&'static str> {
        match self {
            Variant::Whole => None,
            Variant::I => Some("I"),
            Variant::E => Some("E"),
            Variant::R => Some("R"),
            Variant::W => Some("W"),
            Variant::M => Some("M"),
        }
    }
}

/// The settings of a [`Campaign`](crate::campaign::Campaign): seed, variant, and budgets of steps for each phase.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) variant: Variant,
    pub(crate) seed: u64,
    pub(crate) fuzz: u32,
    pub(crate) max_length: usize,
    pub(crate) percent: u32,
    pub(crate) reach: u32,
    pub(crate) units: usize,
    pub(crate) slice: u32,
    pub(crate) program: u32,
    pub(crate) rounds: u32,
    pub(crate) attempts: u32,
    pub(crate) refinement: Refining,
    pub(crate) sampling: Sampling,
    pub(crate) solver: pleach_solver::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            variant: Variant::Whole,
            seed: 0,
            fuzz: 256,
            max_length: 4096,
            percent: 20,
            reach: 256,
            units: 256,
            slice: 64,
            program: 64,
            rounds: 32,
            attempts: 256,
            refinement: Refining::default(),
            sampling: Sampling::new().calls(2).limits(ContextLimits::new().parameters(1024)),
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

    /// What is done in another way. The default is nothing.
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// What its random choices are made of. The default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many inputs are made of the seeds, at random, before calls are profiled; less if their runs take more than 30 million
    /// instructions. The default is 256.
    #[must_use]
    pub fn fuzz(mut self, inputs: u32) -> Self {
        self.fuzz = inputs;
        self
    }

    /// How long these may get, in bytes. The default is 4,096.
    #[must_use]
    pub fn max_length(mut self, bytes: usize) -> Self {
        self.max_length = bytes;
        self
    }

    /// How many of 100 pairs of functions are relevant; more than 100 are all. The default is 20.
    #[must_use]
    pub fn percent(mut self, pairs: u32) -> Self {
        self.percent = pairs;
        self
    }

    /// For how many steps the program is explored towards functions that no run calls. The default is 256.
    #[must_use]
    pub fn reach(mut self, steps: u32) -> Self {
        self.reach = steps;
        self
    }

    /// How many units there are, at most: the more, the less room each has. The default is 256.
    #[must_use]
    pub fn units(mut self, units: usize) -> Self {
        self.units = units;
        self
    }

    /// For how many steps of a search a unit is tested at a time. The default is 64.
    #[must_use]
    pub fn slice(mut self, steps: u32) -> Self {
        self.slice = steps;
        self
    }

    /// For how many steps the program itself is searched for each test of a unit, and goes on once these are over; for four times as many after each
    /// new edge; and before there are units until four times as many take none, or for 32 times as many; 0 for no search of its own. The default is 64.
    #[must_use]
    pub fn program(mut self, steps: u32) -> Self {
        self.program = steps;
        self
    }

    /// How often each unit is, at most. The default is 32.
    #[must_use]
    pub fn rounds(mut self, times: u32) -> Self {
        self.rounds = times;
        self
    }

    /// How many paths of callers a failure is combined with at a time: after each sixteen units, and after each round. The default is 256.
    #[must_use]
    pub fn attempts(mut self, paths: u32) -> Self {
        self.attempts = paths;
        self
    }

    /// How callers are explored whose known paths exclude a failure. The default is [`Refining::new`].
    #[must_use]
    pub fn refinement(mut self, refining: Refining) -> Self {
        self.refinement = refining;
        self
    }

    /// Which calls become units. The default is [`Sampling::new`] with 2 calls and 1,024 bytes of a context free.
    #[must_use]
    pub fn sampling(mut self, sampling: Sampling) -> Self {
        self.sampling = sampling;
        self
    }

    /// What the solver may use for one question. The default is 10,000 conflicts, 1,000,000 decisions and a circuit of 400,000
    /// variables.
    #[must_use]
    pub fn solver(mut self, options: pleach_solver::Options) -> Self {
        self.solver = options;
        self
    }
}
