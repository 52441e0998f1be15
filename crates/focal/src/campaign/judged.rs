//! The program's own word, which counts.

use pleach_concolic::ir::is_of_std;
use pleach_concolic::vm::Outcome;
use pleach_explore::native::{Fault, Judge, Verdict};
use pleach_explore::subject::Run;
use std::path::Path;

use super::{Campaign, Event};

/// The program's own word about an input.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) fails: bool,
    /// Whether it fails as the machine says.
    pub(super) is_same: bool,
    /// The failure, if it is new or the input is the smallest so far.
    pub(super) failure: Option<usize>,
    /// Why it could not be run.
    pub(super) error: Option<String>,
}

impl Judged {
    /// What is told of an input.
    pub(super) fn event(self, input: Vec<u8>, edges: u64) -> Event {
        let Judged { fails, failure, error, .. } = self;
        Event::Ran { input, edges, failure, fails, error }
    }
}

impl Campaign {
    /// Runs the program itself where the machine says that it fails, or does not know how it ends.
    pub(super) fn judge(&mut self, input: &[u8], run: &Run, judge: &mut dyn Judge) -> Judged {
        let mut judged = Judged::default();
        if run.outcome.is_end() || !self.failures.asks(run) {
            return judged;
        }
        self.counts.native += 1;
        match judge.judge(input, Some(run)) {
            Verdict::Failed(fault) => {
                (judged.fails, judged.is_same) = (true, is_same(&fault, run));
                judged.failure = self.failures.note(input, fault, run);
            }
            Verdict::Passed => {}
            Verdict::Unknown(error) => judged.error = Some(error),
        }
        judged
    }
}

/// Whether the program itself fails as a run in the machine does: it panics at the same place, or ends in the same other way, in which both
/// have no place.
pub(super) fn is_same(fault: &Fault, run: &Run) -> bool {
    match (&run.outcome, &fault.location) {
        (Outcome::Panic(panic), Some((file, line, column))) => {
            let Some(there) = &panic.location else { return false };
            // Of what panics within the standard library the program tells where its own code has called it.
            let site = run.place.as_ref().filter(|_| is_of_std(&there.file));
            (&there.file, there.line, there.column) == (file, *line, *column)
                || site.is_some_and(|site| {
                    Path::new(&site.file).ends_with(file)
                        && (site.line, site.column) == (*line, *column)
                })
        }
        (Outcome::Panic(_), None) | (_, Some(_)) => false,
        (Outcome::StackOverflow, None) => fault.kind == "stack overflow",
        (Outcome::Abort, None) => fault.kind == "abort",
        (outcome, None) => {
            outcome.is_crash() && !matches!(&*fault.kind, "stack overflow" | "abort" | "timeout")
        }
    }
}
