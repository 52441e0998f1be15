//! The judge: the program itself, run natively.

use crate::parts;
use crate::subject::Run;
use pleach_concolic::build::{End, Input, Native, Ran};

/// The result of running the program itself, natively, on an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It ended as it should.
    Passed,
    /// It failed.
    Failed(Fault),
    /// It could not be run, or not to its end.
    Unknown(String),
}

/// The kind, location and message of a native failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In a word: `panic`, `abort`, `segmentation fault`, `stack overflow`, `timeout` and the like.
    pub kind: String,
    /// File, line and column of a panic.
    pub location: Option<(String, u32, u32)>,
    /// What the panic says.
    pub message: String,
}

/// A judge of inputs: the seam between a search and the program itself, whose word counts.
pub trait Judge {
    /// What the program does with an input, and the run that the machine has made of it, where it has.
    fn judge(&mut self, input: &[u8], run: Option<&Run>) -> Verdict;
}

impl Judge for Native {
    fn judge(&mut self, input: &[u8], _: Option<&Run>) -> Verdict {
        let input = match self.takes_all() {
            true => parts::input(input),
            false => Input::bytes(input),
        };
        match Native::run(self, &input) {
            Ok(ran) => verdict(ran),
            Err(error) => Verdict::Unknown(error.to_string()),
        }
    }
}

fn verdict(ran: Ran) -> Verdict {
    let kind = match ran.end {
        End::TimedOut => "timeout".to_owned(),
        _ if ran.stack_overflow => "stack overflow".to_owned(),
        _ if ran.panic.is_some() => "panic".to_owned(),
        End::Exited(_) => return Verdict::Passed,
        // The terminal's Ctrl-C goes to the program too.
        End::Killed(1 | 2 | 15) => {
            return Verdict::Unknown("a signal from outside ended it".into());
        }
        End::Killed(4) => "illegal instruction".to_owned(),
        End::Killed(6) => "abort".to_owned(),
        End::Killed(8) => "division".to_owned(),
        End::Killed(11) => "segmentation fault".to_owned(),
        End::Killed(signal) => format!("signal {signal}"),
    };
    let (location, message) = match ran.panic {
        Some(panic) => (Some((panic.file, panic.line, panic.column)), panic.message),
        None => (None, String::new()),
    };
    Verdict::Failed(Fault { kind, location, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_ends_is_no_failure() {
        let ended = |signal| Ran {
            end: End::Killed(signal),
            panic: None,
            stack_overflow: false,
            stdout: Vec::new(),
            stderr: Vec::new(),
        };
        for signal in [1, 2, 15] {
            assert!(matches!(verdict(ended(signal)), Verdict::Unknown(_)), "{signal}");
        }
        let Verdict::Failed(fault) = verdict(ended(6)) else { panic!("it aborted") };
        assert_eq!(fault.kind, "abort");
    }
}
