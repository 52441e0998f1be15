//! How a command ends other than well, and what it says on standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use pleach::grammar::GrammarError;
use pleach::report::on_one_line;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no.
    No(String),
    /// Usage, a bad grammar, a file that cannot be read or written.
    Input(String),
    /// A work budget was spent before the answer was known.
    Budget(String),
    /// Whoever read standard output reads no more, or has got what was asked for: nothing is wrong.
    Closed,
    /// Usage, of which all is said.
    Told,
    /// What was run ended with this status, and has said why.
    Status(i32),
}

impl Failure {
    /// Bad input, in words that name the file and the fix.
    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Self::Input(message.to_string())
    }

    /// A grammar that cannot be used, or of which that is not known.
    pub(crate) fn grammar(error: GrammarError) -> Self {
        match error.is_size_limit_exceeded() {
            true => Self::Budget(error.to_string()),
            false => Self::Input(error.to_string()),
        }
    }

    /// That no input is known to be a sentence of the grammar: of so many there is no answer, and so many were not read.
    pub(crate) fn no_sentence(unknown: usize, unread: usize) -> Self {
        match (unknown, unread) {
            (0, 0) => Self::No("error: no input is of the grammar".into()),
            (0, _) => Self::input("error: no input that could be read is of the grammar"),
            _ => Self::Budget(
                "error: no input is known to be of the grammar: the budget of work was spent"
                    .into(),
            ),
        }
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
            Self::Told => ExitCode::from(2),
            // Some systems have more statuses than a process may end with here.
            Self::Status(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
            Self::No(message) => {
                to_stderr(message.trim_end());
                ExitCode::from(1)
            }
            Self::Input(message) => {
                to_stderr(message);
                ExitCode::from(2)
            }
            Self::Budget(message) => {
                to_stderr(message);
                ExitCode::from(3)
            }
        }
    }
}

/// Writes a line to standard error, or several; where nobody listens, nothing is lost. Names and
/// arguments are in there as people gave them, so what would change how a terminal shows the rest is
/// escaped.
pub(crate) fn to_stderr(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", harmless(&message.to_string()));
}

/// A text without what a terminal takes for a command, and without marks of direction.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for symbol in text.chars() {
        let turns = matches!(symbol, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}');
        if turns || (symbol.is_control() && !matches!(symbol, '\n' | '\t')) {
            out.push_str(&on_one_line(symbol.encode_utf8(&mut [0; 4])));
        } else {
            out.push(symbol);
        }
    }
    out
}

/// A number of things.
pub(crate) fn many(count: u64, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// Writes all of some data to standard output.
pub(crate) fn print(data: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(data).and_then(|()| out.flush()).map_err(Failure::stdout)
}
