//! What a campaign has done and found, in numbers and records.

use crate::carve::Refused;
use crate::lift::Way;
use crate::tester::Failing;
use pleach_explore::subject::Site;

/// Counts of what became of the unit inputs that were lifted to the program in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Lifted {
    /// Inputs that were made so and run.
    pub inputs: u64,
    /// Those that did what the unit had done: took the edge, or failed there.
    pub predicted: u64,
    /// Those that took another new edge, or failed elsewhere.
    pub other: u64,
    /// Questions to which there is no input.
    pub unsatisfiable: u64,
    /// Questions that took too much.
    pub unknown: u64,
}

/// How the call came with the lifted values, as the paper counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Outcomes {
    /// The call was not reached.
    pub never: u64,
    /// It was, with the new values.
    pub new: u64,
    /// It was, with the old ones.
    pub old: u64,
    /// It was, with others.
    pub another: u64,
}

/// Why what was found in a unit is not what the program does, of findings of which nothing came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Causes {
    /// No input has such values at the call.
    pub unliftable: u64,
    /// The program did not call the unit with the values.
    pub mapping: u64,
    /// It did, and did something else: the context was not the same.
    pub context: u64,
    /// The program did it in the machine, and not by itself.
    pub nondeterminism: u64,
    /// It was not tried, as failures of the same function at the same place had come to nothing too often.
    pub repeated: u64,
}

/// What a campaign has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Functions of which calls were met.
    pub called: u64,
    /// Functions with a unit.
    pub carved: u64,
    /// Units.
    pub units: u64,
    /// Free bytes of all units.
    pub mapped: u64,
    /// Functions of which a unit was tested.
    pub tested: u64,
    /// Runs of units.
    pub unit_runs: u64,
    /// Values with which a unit did something new.
    pub found: u64,
    /// Functions of which something was lifted, and of which something that was predicted came.
    pub lifted: u64,
    /// Functions of which something that was predicted came.
    pub effective: u64,
    /// Inputs that made a call otherwise so that values can be lifted.
    pub detours: u64,
    /// Runs of the program in the machine.
    pub runs: u64,
    /// Runs of the program itself.
    pub native: u64,
    /// Inputs that took an edge that none before them had.
    pub inputs: u64,
    /// Edges of the control flow that runs of the program took.
    pub edges: u64,
    /// Those that came by lifting.
    pub edges_lifted: u64,
    /// How often the terms were too many, and all began anew from the inputs there were.
    pub forgotten: u64,
    /// How lifted calls came.
    pub outcomes: Outcomes,
    /// Why nothing came of findings.
    pub causes: Causes,
    /// What was not carved.
    pub refused: Refused,
}

/// Bytes of a unit's context and the bytes of the input that they came from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Mapped {
    /// Where the bytes lie, in words.
    pub place: String,
    /// The input's bytes from which they are computed: the first and the last one.
    pub from: (u32, u32),
    /// Whether they are these bytes as they are.
    pub copy: bool,
    /// What they were.
    pub old: Vec<u8>,
    /// What they are where the unit fails.
    pub new: Vec<u8>,
}

/// A failure of the program that was found in a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// Which failure of the program: its place in [`failures`](super::Campaign::failures).
    pub failure: usize,
    /// The unit.
    pub unit: Site,
    /// How it was lifted; nothing if it was met on the way to that.
    pub way: Option<Way>,
    /// What was other in the unit's context.
    pub mapping: Vec<Mapped>,
}

/// A failure of units that the program did not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// The unit that was first.
    pub unit: Site,
    /// How and where it fails.
    pub failing: Failing,
    /// What was other in the unit's context.
    pub mapping: Vec<Mapped>,
    /// In how many findings.
    pub count: u64,
}
