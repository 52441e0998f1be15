//! What is run.

use std::fmt;

use clap::ValueEnum;
use experiment::Made;
use pleach_fuzz_compare::{TARGETS, Target};

/// A way to fuzz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Fuzzer {
    /// libFuzzer with its own mutators.
    Plain,
    /// libFuzzer with pleach's.
    Pleach,
    /// LibAFL with its Nautilus stages, over the same grammar. It begins with nothing.
    Nautilus,
}

impl Fuzzer {
    /// Whether there are such runs: Nautilus cannot read texts, and has an executable for some targets.
    pub fn runs(self, target: &Target, start: Start) -> bool {
        self != Self::Nautilus || (target.nautilus && start == Start::Empty)
    }
}

/// What a corpus begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// Nothing.
    Empty,
    /// The files of `oracles/texts`: a few texts as people write them.
    Texts,
    /// What the target's grammar makes.
    Made(Made),
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Budget {
    /// After so much CPU time of the process, that of the system for it included.
    Seconds(u64),
    /// After so many executions of the body.
    Executions(u64),
}

/// A run.
#[derive(Clone, Copy)]
pub struct Job {
    /// What is run.
    pub target: &'static Target,
    /// When it ends.
    pub budget: Budget,
    /// What it begins with.
    pub start: Start,
    /// By which fuzzer.
    pub fuzzer: Fuzzer,
    /// The engine's seed.
    pub seed: u32,
}

/// The beginning of a name.
pub fn start(name: &str) -> Result<Start, String> {
    match name {
        "empty" => Ok(Start::Empty),
        "texts" => Ok(Start::Texts),
        made => match made.parse() {
            Ok(made) => Ok(Start::Made(made)),
            Err(error) => Err(format!("{error}, `empty` or `texts`")),
        },
    }
}

/// The target of a name.
pub fn target(name: &str) -> Result<&'static Target, String> {
    TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        format!("there is no such target; there are {}", names.join(", "))
    })
}

impl fmt::Display for Fuzzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "libFuzzer",
            Self::Pleach => "pleach",
            Self::Nautilus => "Nautilus",
        })
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing",
            Self::Texts => "texts",
            Self::Made(made) => return made.fmt(f),
        })
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::Executions(executions) => write!(f, "{executions} executions"),
        }
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, budget, start, fuzzer, seed } = self;
        write!(f, "{} from {start}, {budget}, {fuzzer}, seed {seed}", target.name)
    }
}
