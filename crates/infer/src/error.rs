//! Why nothing could be inferred.

use std::fmt;

use super::stop::Stop;
use pleach_core::regular::RegularError;

/// Why the language of a function could not be inferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A file is not Rust.
    Syntax { file: String, line: usize, column: usize, message: String },
    /// A file nests too deep.
    Depth { file: String, line: usize, column: usize, limit: usize },
    /// There is no such function or parameter.
    Missing(String),
    /// A line of a table of functions cannot be read.
    Table { name: String, line: usize, message: String },
    /// A bound was passed.
    Budget { what: &'static str, limit: u64 },
    /// An automaton could not be built.
    Regular(RegularError),
    /// The analysis ended in a way that it must not.
    Internal(String),
}

impl InferError {
    pub(super) fn syntax(file: &str, line: usize, column: usize, message: String) -> Self {
        let kind = Kind::Syntax { file: file.into(), line, column, message };
        Self { kind }
    }

    pub(super) fn depth(file: &str, line: usize, column: usize, limit: usize) -> Self {
        Self { kind: Kind::Depth { file: file.into(), line, column, limit } }
    }

    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self { kind: Kind::Missing(message.into()) }
    }

    pub(super) fn table(name: &str, line: usize, message: impl Into<String>) -> Self {
        Self { kind: Kind::Table { name: name.into(), line, message: message.into() } }
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self { kind: Kind::Internal(message.into()) }
    }

    /// Whether a bound on work or memory was passed.
    pub fn is_budget_exceeded(&self) -> bool {
        match &self.kind {
            Kind::Budget { .. } => true,
            Kind::Regular(error) => error.is_size_limit_exceeded(),
            _ => false,
        }
    }

    /// Whether source nests deeper than is read.
    pub fn is_too_deep(&self) -> bool {
        matches!(self.kind, Kind::Depth { .. })
    }

    /// Whether there is no such function, or no such parameter of it.
    pub fn is_missing(&self) -> bool {
        matches!(self.kind, Kind::Missing(_))
    }
}

impl From<Stop> for InferError {
    fn from(stop: Stop) -> Self {
        let kind = match stop {
            Stop::Budget(what, limit) => Kind::Budget { what, limit },
            Stop::Regular(error) => Kind::Regular(error),
            Stop::Refine | Stop::Long => Kind::Internal("a loop was left while it was read".into()),
        };
        Self { kind }
    }
}

impl From<RegularError> for InferError {
    fn from(error: RegularError) -> Self {
        Self { kind: Kind::Regular(error) }
    }
}

impl fmt::Display for InferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Syntax { file, line, column, message } => {
                write!(f, "{file}:{line}:{column}: not Rust: {message}")
            }
            Kind::Depth { file, line, column, limit } => write!(
                f,
                "{file}:{line}:{column}: nests deeper than {limit} levels: divide the expression, or \
                 leave the file out"
            ),
            Kind::Missing(message) | Kind::Internal(message) => f.write_str(message),
            Kind::Table { name, line, message } => write!(f, "{name}:{line}: {message}"),
            Kind::Budget { what, limit } => write!(
                f,
                "the analysis needs more than {limit} {what}: analyse a function that it calls \
                 instead"
            ),
            Kind::Regular(error) => match error.limit() {
                Some((what, limit)) => write!(
                    f,
                    "the analysis needs an automaton of more than {limit} {what}: analyse a function \
                     that it calls instead"
                ),
                None => error.fmt(f),
            },
        }
    }
}

impl std::error::Error for InferError {}
