//! What can go wrong with a file of specifications.

use std::fmt;

/// Why a specification, or a file of them, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownError {
    pub(super) file: Option<String>,
    /// Line and column, from 1; the column counts characters.
    pub(super) place: Option<(usize, usize)>,
    pub(super) message: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The text or a pattern is malformed, or something is missing.
    Syntax,
    /// A bound on size was passed.
    TooLarge,
    /// There is no structure of a name.
    Missing,
    /// An example contradicts its specification.
    Example,
}

impl KnownError {
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { file: None, place: None, message: message.into(), kind }
    }

    pub(super) fn syntax(message: impl Into<String>) -> Self {
        Self::new(Kind::Syntax, message)
    }

    /// The same, at a byte of a file's text.
    pub(super) fn at(mut self, file: &str, text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line = before.rfind('\n').map_or(before, |newline| &before[newline + 1..]);
        self.place = Some((before.matches('\n').count() + 1, line.chars().count() + 1));
        self.file = Some(file.to_owned());
        self
    }

    /// Whether a bound on size, time or nesting was passed.
    pub fn is_size_limit_exceeded(&self) -> bool {
        self.kind == Kind::TooLarge
    }

    /// Whether no structure has the name that was asked for.
    pub fn is_missing(&self) -> bool {
        self.kind == Kind::Missing
    }

    /// Whether an example contradicts the specification that it is of.
    pub fn is_example(&self) -> bool {
        self.kind == Kind::Example
    }

    /// The line and the column of the fault, from 1, where there is a file; columns are characters.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

impl fmt::Display for KnownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for KnownError {}
