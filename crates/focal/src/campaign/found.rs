//! What a campaign has come to.

use pleach_explore::subject::Site;
use std::fmt;

use crate::formula::Combined;

/// A failure of a unit, by its place: what the program is to be made to do.
#[derive(Clone, Debug)]
pub struct Target {
    /// The place of the program's own code.
    pub site: Site,
    /// How it fails, in the machine's words.
    pub message: String,
    /// The function of the unit that failed first.
    pub function: Site,
    /// How often one of its failing paths was followed backwards.
    pub followed: u64,
    /// How formulas of it were combined with paths of callers on the way.
    pub combined: Combined,
    /// How many formulas came to the program's entry.
    pub formulas: u64,
    /// On how many of their inputs the program failed so.
    pub validating: u64,
    /// What was found, once it was.
    pub found: Option<Found>,
}

impl Target {
    /// Why the program was not made to fail there, as far as that is known, if it was not.
    pub fn open(&self) -> Option<Open> {
        let Combined { satisfiable, conflicts, unknown } = self.combined;
        Some(match (self.followed, self.formulas) {
            _ if self.found.is_some() => return None,
            (0, _) => Open::NotFollowed,
            (_, 1..) => Open::Otherwise,
            _ if satisfiable + conflicts + unknown == 0 => Open::NoCall,
            _ if unknown > 0 => Open::Unknown,
            _ if satisfiable == 0 => Open::Excluded,
            _ => Open::ExcludedFurther,
        })
    }
}

/// Why the program was not made to fail at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// There was no time to follow its paths backwards, or the variant does not.
    NotFollowed,
    /// No known path of a caller makes the call with what the unit was carved with; or the variant combines none.
    NoCall,
    /// It is in conflict with the paths of its callers that it was combined with.
    Excluded,
    /// Paths of callers go together with it, and what comes of that is in conflict with the paths of theirs that it was combined with.
    ExcludedFurther,
    /// Questions about some paths took too much, and no other one leads to the entry.
    Unknown,
    /// What was composed does not make the program fail there.
    Otherwise,
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Open::NotFollowed => "was not followed backwards",
            Open::NoCall => "no path of a caller could be combined with it",
            Open::Excluded => "each path of its callers that was tried excludes it",
            Open::ExcludedFurther => "each path to its callers that was tried excludes it",
            Open::Unknown => {
                "the solver gave up on some paths of callers, and no other one leads to the entry"
            }
            Open::Otherwise => "the program does otherwise with what was composed",
        })
    }
}

/// The input for a target, and how it was composed.
#[derive(Clone, Debug)]
pub struct Found {
    /// The failure of the program itself, by its place among all; none if it was known before by a smaller input.
    pub failure: Option<usize>,
    /// The functions whose paths were combined, the outermost one first; none if the program failed while it was explored.
    pub chain: Vec<Site>,
    /// The input that was composed.
    pub composed: Vec<u8>,
    /// The bytes of it that are others than in the input that it was made of: that of the path which was combined last, or where a search
    /// has made it the most similar one of as many bytes that the campaign began with.
    pub changes: Vec<Change>,
}

/// A byte of an input that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it is.
    pub at: usize,
    /// What it was.
    pub old: u8,
    /// What it is.
    pub new: u8,
    /// The places that decide otherwise for it, those nearest to the failure first.
    pub why: Vec<Site>,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs of the program in the machine.
    pub runs: u64,
    /// Runs of the program itself.
    pub native: u64,
    /// Edges of the control flow that runs of the program took.
    pub edges: u64,
    /// Functions that profiles have.
    pub called: u64,
    /// Functions of the program's own that no run has called: they have no context.
    pub without_context: u64,
    /// Those of which a unit was carved.
    pub functions: u64,
    /// Units.
    pub units: u64,
    /// Those of them, and the program itself, whose summaries had no room for another path.
    pub full: u64,
    /// Runs of units.
    pub unit_runs: u64,
    /// Paths through units, and through the program, to calls of units.
    pub slices: u64,
    /// Places at which units fail.
    pub targets: u64,
    /// Those at which the program was made to fail, too.
    pub validated: u64,
    /// Formulas that came to the program's entry.
    pub formulas: u64,
    /// Those on whose input the program failed so.
    pub validating: u64,
    /// How formulas were combined.
    pub combined: Combined,
}
