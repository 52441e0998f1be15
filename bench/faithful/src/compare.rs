//! One input, natively and in the machine: whether they say the same.

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pleach_concolic::build::{Built, End, Input, Native, Ran};
use pleach_concolic::ir::Module;
use pleach_concolic::vm::{Machine, Options, Outcome, Plain};

/// A program in both forms.
pub(crate) struct Both {
    native: Native,
    module: Arc<Module>,
    /// How many instructions a run in the machine may execute.
    steps: u64,
}

/// What came of one input.
pub(crate) struct Judged {
    /// Whether it panicked natively.
    pub(crate) panicked: bool,
    /// How many instructions the machine executed.
    pub(crate) steps: u64,
    /// How long that took, by the clock.
    pub(crate) taken: Duration,
    /// What differs, if anything does.
    pub(crate) difference: Option<Difference>,
}

/// A disagreement.
#[derive(Debug)]
pub(crate) struct Difference {
    /// Whether the machine said that it can't go on, and did nothing wrong so far.
    pub(crate) gave_up: bool,
    /// What both said.
    pub(crate) text: String,
}

impl Both {
    /// Reads the text of a program that was built.
    pub(crate) fn new(built: &Built, steps: u64) -> io::Result<Self> {
        let text = fs::read_to_string(&built.ir)?;
        let module = Module::read(&text).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { native: built.native.clone(), module: Arc::new(module), steps })
    }

    /// Runs `main` in both on arguments and standard input.
    pub(crate) fn judge(&self, input: &Input) -> io::Result<Judged> {
        let ran = self.native.run(input)?;
        let arguments = [b"program".to_vec()].into_iter().chain(input.arguments.iter().cloned());
        let options = Options::new()
            .steps(self.steps)
            .arguments(arguments)
            .environment([(b"RUST_BACKTRACE".to_vec(), b"0".to_vec())])
            .input(&input.bytes[..]);
        let machine = Machine::new(self.module.clone(), Plain, options);
        let (outcome, output, steps, taken) =
            match machine.and_then(|mut it| it.start().map(|()| it)) {
                Ok(mut machine) => {
                    let began = Instant::now();
                    let outcome = machine.run();
                    (outcome, machine.output().to_owned(), machine.steps(), began.elapsed())
                }
                Err(outcome) => (outcome, Vec::new(), 0, Duration::ZERO),
            };
        let difference = differs(&ran, &outcome, &output).map(|what| Difference {
            gave_up: matches!(
                outcome,
                Outcome::Unsupported { .. }
                    | Outcome::Budget
                    | Outcome::Thread
                    | Outcome::Socket
                    | Outcome::OutOfMemory
            ),
            text: what,
        });
        Ok(Judged { panicked: ran.panic.is_some(), steps, taken, difference })
    }
}

/// What differs between a native run and an outcome.
fn differs(ran: &Ran, outcome: &Outcome, output: &[u8]) -> Option<String> {
    let same_end = match (outcome, &ran.panic) {
        (Outcome::Panic(inside), Some(outside)) => {
            let place = inside.location.as_ref().map(|it| (&it.file, it.line, it.column));
            inside.message == outside.message
                && place == Some((&outside.file, outside.line, outside.column))
        }
        (_, Some(_)) => false,
        (Outcome::Exit(status), None) => ran.end == End::Exited(*status),
        (Outcome::StackOverflow, None) => ran.stack_overflow,
        (Outcome::Abort, None) => ran.end == End::Killed(6) && !ran.stack_overflow,
        (Outcome::Trap | Outcome::Unreachable, None) => ran.end == End::Killed(4),
        (Outcome::Division, None) => ran.end == End::Killed(8),
        (Outcome::Memory { .. }, None) => ran.end == End::Killed(11),
        _ => false,
    };
    if !same_end {
        let panic = ran.panic.as_ref().map_or(String::new(), |it| {
            format!(", panic at {}:{}:{}: {}", it.file, it.line, it.column, it.message)
        });
        return Some(format!("natively {:?}{panic}; in the machine {outcome}", ran.end));
    }
    let same_output = ran.stdout == output;
    (!same_output).then(|| {
        let same = ran.stdout.iter().zip(output).take_while(|(a, b)| a == b).count();
        let from = same.saturating_sub(20);
        let near = |bytes: &[u8]| {
            let end = bytes.len().min(same + 60);
            String::from_utf8_lossy(bytes.get(from..end).unwrap_or_default()).into_owned()
        };
        format!(
            "standard output differs at {same}: natively {:?}; in the machine {:?}",
            near(&ran.stdout),
            near(output)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_concolic::build::Panic;

    fn ran(end: End, panic: Option<(&str, u32)>) -> Ran {
        let panic = panic.map(|(message, line)| Panic {
            message: message.to_owned(),
            file: "a.rs".to_owned(),
            line,
            column: 1,
        });
        Ran { end, panic, stack_overflow: false, stdout: b"said".to_vec(), stderr: Vec::new() }
    }

    #[test]
    fn every_way_to_differ_is_seen() {
        let exit = ran(End::Exited(0), None);
        assert_eq!(differs(&exit, &Outcome::Exit(0), b"said"), None);
        assert!(
            differs(&exit, &Outcome::Exit(0), b"sad").is_some_and(|it| it.contains("differs at 2"))
        );
        for outcome in
            [Outcome::Exit(1), Outcome::Abort, Outcome::Returned(vec![]), Outcome::Budget]
        {
            assert!(differs(&exit, &outcome, b"said").is_some(), "{outcome}");
        }
        let panicked = ran(End::Killed(6), Some(("m", 3)));
        assert!(differs(&panicked, &Outcome::Abort, b"said").is_some());
        let outcome = |message: &str, line| {
            let location =
                pleach_concolic::vm::Location { file: "a.rs".to_owned(), line, column: 1 };
            Outcome::Panic(pleach_concolic::vm::Panic {
                message: message.to_owned(),
                location: Some(location),
                trace: Vec::new(),
            })
        };
        assert_eq!(differs(&panicked, &outcome("m", 3), b"said"), None);
        assert!(differs(&panicked, &outcome("n", 3), b"said").is_some());
        assert!(differs(&panicked, &outcome("m", 4), b"said").is_some());
        assert!(differs(&exit, &outcome("m", 3), b"said").is_some());
    }
}
