//! What is run.

use std::fmt;

use clap::ValueEnum;
use experiment::Made;
use serde::{Deserialize, Serialize};

use crate::programs::Program;
use crate::row::Row;

/// The rows of the short form: small crates whose faults are near the surface, or planted.
pub const QUICK: [&str; 3] = ["csscolorparser", "planted-csv-count", "tinytemplate"];

/// The rows that Nautilus has too: text, by a grammar in Unicode without includes.
pub const NAUTILUS: [&str; 5] =
    ["cron", "hjson-comment", "markdown-item", "planted-json-ancestor", "regex-flags"];

/// A way to fuzz.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lower")]
pub enum Method {
    /// libFuzzer with its own mutators.
    LibFuzzer,
    /// libFuzzer with pleach's, at its defaults.
    Pleach,
    /// LibAFL with its Nautilus stages, over the same grammar. It begins with nothing.
    Nautilus,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::LibFuzzer, Self::Pleach, Self::Nautilus];

    /// Whether there are such runs of a row.
    pub fn runs(self, row: &Row) -> bool {
        match self {
            Self::LibFuzzer => true,
            Self::Pleach => row.grammar().is_some(),
            Self::Nautilus => NAUTILUS.contains(&row.name.as_str()),
        }
    }

    /// The program that fuzzes.
    pub fn program(self) -> Program {
        match self {
            Self::LibFuzzer => Program::LibFuzzer,
            Self::Pleach => Program::Pleach,
            Self::Nautilus => Program::Nautilus,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LibFuzzer => "libFuzzer",
            Self::Pleach => "pleach",
            Self::Nautilus => "Nautilus",
        })
    }
}

/// What a run begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Corpus {
    /// The row's own seeds.
    Row,
    /// No file.
    Nothing,
    /// What the row's grammar makes.
    Made(Made),
}

impl fmt::Display for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row => f.write_str("seeds"),
            Self::Nothing => f.write_str("nothing"),
            Self::Made(made) => made.fmt(f),
        }
    }
}

/// A run.
#[derive(Clone, Copy)]
pub struct Job<'r> {
    /// What is run.
    pub row: &'r Row,
    /// By which method.
    pub method: Method,
    /// What it begins with.
    pub corpus: Corpus,
    /// The engine's seed.
    pub seed: u32,
    /// The limit, in seconds of CPU time of the process, that of the system for it included.
    pub seconds: u64,
}

impl fmt::Display for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, method, corpus, seed, seconds } = self;
        write!(f, "{}, {method}, {corpus}, seed {seed}, {seconds} s", row.name)
    }
}
