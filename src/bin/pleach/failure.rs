//! How a command ends other than well, and what it says on standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is "no".
    No(String),
    /// Usage, a bad grammar, a file that cannot be read or written.
    Input(String),
    /// A work budget was spent before the answer was known.
    Budget(String),
    /// Whoever read standard output reads no more: nothing is wrong.
    Closed,
}

impl Failure {
    /// Bad input, in words that name the file and the fix.
    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Self::Input(message.to_string())
    }

    /// A failed write to standard output.
    pub(crate) fn stdout(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Input(format!("error: standard output: {error}")),
        }
    }

    /// Says what is wrong, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::No(message) => {
                talk(message);
                ExitCode::from(1)
            }
            Self::Input(message) => {
                talk(message);
                ExitCode::from(2)
            }
            Self::Budget(message) => {
                talk(message);
                ExitCode::from(3)
            }
        }
    }
}

/// Writes a line to standard error; where nobody listens, nothing is lost.
pub(crate) fn talk(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Writes all of some data to standard output.
pub(crate) fn print(data: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(data).and_then(|()| out.flush()).map_err(Failure::stdout)
}
