//! Why an analysis breaks off: to begin anew with more precision, or for good.

use pleach_core::regular::RegularError;

/// What interrupts the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Something has to be told apart that was not: begin anew, with it noted down.
    Refine,
    /// A loop that may be given up goes on for too long.
    Long,
    /// A bound was passed.
    Budget(&'static str, u64),
    /// An automaton became too large, or a pattern is not regular.
    Regular(RegularError),
}

impl Stop {
    /// Whether a bound was passed, also that on attempts.
    pub(super) fn is_budget(&self) -> bool {
        match self {
            Self::Refine | Self::Long | Self::Budget(..) => true,
            Self::Regular(error) => error.is_size_limit_exceeded(),
        }
    }
}

impl From<RegularError> for Stop {
    fn from(error: RegularError) -> Self {
        Self::Regular(error)
    }
}

/// What a step of the interpreter gives.
pub(super) type Flow<T> = Result<T, Stop>;
