//! Failures by their places, the smallest input of each.

use crate::native::Fault;
use crate::subject::{Run, Site};
use pleach_concolic::ir::is_of_std;
use pleach_concolic::vm::Outcome;

/// A distinct failure of the program itself, with the smallest input that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The smallest input that fails so.
    pub input: Vec<u8>,
    /// How it fails, in a word or two.
    pub kind: String,
    /// Where: the panic's location, or, if that lies in the standard library or there is none, the innermost place of
    /// the program's own code.
    pub location: String,
    /// What the panic says.
    pub message: String,
    /// How many inputs failed so.
    pub count: u64,
}

/// The list of distinct failures, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    all: Vec<Failure>,
    /// How many runs were out of steps since the program was known to hang.
    hangs: u64,
}

impl Failures {
    /// In the order in which they were found.
    pub fn all(&self) -> &[Failure] {
        &self.all
    }

    /// Counts a run of which the program may be asked how it ends, and tells whether to ask. Once it is known to hang, it is asked of the
    /// first run that is out of steps, the second, the fourth and so on: each answer takes all of its patience, and is mostly that it hangs.
    pub fn asks(&mut self, run: &Run) -> bool {
        let is_known = self.all.iter().any(|failure| failure.kind == "timeout");
        if run.outcome != Outcome::Budget || !is_known {
            return true;
        }
        self.hangs += 1;
        self.hangs.is_power_of_two()
    }

    /// Notes a failure: its place among all, if it is new or its input is smaller than those before.
    pub fn note(&mut self, input: &[u8], fault: Fault, run: &Run) -> Option<usize> {
        let own = fault.location.as_ref().filter(|(file, ..)| !is_of_std(file));
        let location = match (own, &run.place) {
            (Some((file, line, column)), _) => format!("{file}:{line}:{column}"),
            (None, Some(site)) => Site::to_string(site),
            (None, None) => match &fault.location {
                Some((file, line, column)) => format!("{file}:{line}:{column}"),
                None => String::new(),
            },
        };
        let known = self.all.iter_mut().enumerate().find(|(_, known)| {
            known.location == location && (known.kind == fault.kind || !location.is_empty())
        });
        if let Some((at, known)) = known {
            known.count += 1;
            let smaller = (input.len(), input) < (known.input.len(), &known.input[..]);
            if smaller {
                known.input = input.to_vec();
                known.kind = fault.kind;
                known.message = fault.message;
            }
            return smaller.then_some(at);
        }
        self.all.push(Failure {
            input: input.to_vec(),
            kind: fault.kind,
            location,
            message: fault.message,
            count: 1,
        });
        Some(self.all.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Trail;

    #[test]
    fn failures_are_one_by_their_place_and_keep_the_smallest_input() {
        let run = |place: Option<u32>| Run {
            outcome: Outcome::Abort,
            steps: 0,
            trail: Trail::default(),
            place: place.map(|line| Site {
                file: "own.rs".into(),
                line,
                column: 1,
                function: "f".into(),
            }),
        };
        let fault = |file: &str| Fault {
            kind: "panic".into(),
            location: Some((file.into(), 5, 6)),
            message: String::new(),
        };
        let mut failures = Failures::default();
        assert_eq!(failures.note(b"long", fault("src/lib.rs"), &run(None)), Some(0));
        assert_eq!(failures.note(b"longer", fault("src/lib.rs"), &run(None)), None);
        assert_eq!(failures.note(b"s", fault("src/lib.rs"), &run(None)), Some(0));
        // Two callers of one function of std are two failures.
        let std = "/rustc/abc/library/core/src/str/mod.rs";
        assert_eq!(failures.note(b"x", fault(std), &run(Some(1))), Some(1));
        assert_eq!(failures.note(b"y", fault(std), &run(Some(2))), Some(2));
        let all = failures.all();
        assert_eq!((&all[0].input[..], all[0].count), (&b"s"[..], 3));
        assert_eq!(all[1].location, "own.rs:1:1");
    }

    #[test]
    fn a_program_that_hangs_is_asked_ever_more_seldom() {
        let run = |outcome| Run { outcome, steps: 0, trail: Trail::default(), place: None };
        let mut failures = Failures::default();
        let asked = |failures: &mut Failures| {
            (0..16).filter(|_| failures.asks(&run(Outcome::Budget))).count()
        };
        assert_eq!(asked(&mut failures), 16);
        let fault = Fault { kind: "timeout".into(), location: None, message: String::new() };
        failures.note(b"x", fault, &run(Outcome::Budget));
        assert_eq!(asked(&mut failures), 5);
        assert!(failures.asks(&run(Outcome::Abort)));
    }
}
