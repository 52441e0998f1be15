//! How a campaign goes.

use pleach_bridge::carve::{Limits, Sampling};

use crate::refine::Refining;

/// What is done in another way, to compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Nothing.
    #[default]
    Whole,
    /// No interpolants: callers are explored for all rounds without them.
    I,
    /// No extended units: of a unit's branches only those of its function are negated.
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

/// The settings of a campaign: seed, variant, and budgets of steps for each phase.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is done in another way. Default: nothing.
    pub variant: Variant,
    /// What its random choices are made of. Default: 0.
    pub seed: u64,
    /// How many inputs are made of the seeds, at random, before calls are profiled. Default: 256.
    pub fuzz: u32,
    /// How long these may get, in bytes. Default: 4,096.
    pub max_length: usize,
    /// How many of 100 pairs of functions are relevant. Default: 20.
    pub percent: u32,
    /// For how many steps the program is explored towards functions that no run calls. Default: 256.
    pub reach: u32,
    /// For how many steps of a search a unit is tested at a time. Default: 64.
    pub slice: u32,
    /// How often each unit is, at most. Default: 32.
    pub rounds: u32,
    /// How many paths of callers a failure is combined with after each round. Default: 256.
    pub attempts: u32,
    /// How callers are explored whose known paths exclude a failure.
    pub refinement: Refining,
    /// Which calls become units.
    pub sampling: Sampling,
    /// What the solver may use for one question. Default: 10,000 conflicts, 1,000,000 decisions and a circuit of 400,000 variables.
    pub solver: pleach_solver::Options,
}

impl Default for Options {
    fn default() -> Options {
        let limits = Limits { parameters: 1024, ..Limits::default() };
        Options {
            variant: Variant::Whole,
            seed: 0,
            fuzz: 256,
            max_length: 4096,
            percent: 20,
            reach: 256,
            slice: 64,
            rounds: 32,
            attempts: 256,
            refinement: Refining::default(),
            sampling: Sampling { calls: 2, limits, ..Sampling::default() },
            solver: pleach_solver::Options::new()
                .conflicts(10_000)
                .decisions(1_000_000)
                .circuit(400_000),
        }
    }
}
