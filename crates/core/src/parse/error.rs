//! Why a text was not read.

use std::fmt;

use super::limits::LONGEST;

/// Why a text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text is not of the grammar.
    Syntax(SyntaxError),
    /// The bounds of [`Limits`](super::Limits) were reached before the answer was known.
    Budget {
        /// The offset in bytes up to which the text had been read.
        at: usize,
    },
    /// The memory of [`Limits::memory`](super::Limits::memory) would not do, or there is no more.
    Memory {
        /// The bytes that the parse could reserve.
        most: u64,
    },
    /// The flag of [`Limits::cancel`](super::Limits::cancel) was set.
    Cancelled,
    /// The text is longer than can be told of any text by offsets, or of this grammar's by counts: a
    /// repetition is not counted to the end where its bounds are millions.
    TooLong {
        /// The bytes that a text of this grammar may have.
        most: usize,
    },
}

/// Where a text leaves the grammar, and what was expected there.
#[derive(Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) found: Option<String>,
    pub(super) expected: Vec<String>,
}

impl SyntaxError {
    /// The offset of the furthest byte reached: no text of the grammar begins with the bytes up to
    /// this one and it.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The line of that byte, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of that byte in its line, from 1, in characters where the line is UTF-8.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What could stand there: names of rules, and terminals as the notation writes them. May be
    /// empty where only the end of the text could.
    pub fn expected(&self) -> &[String] {
        &self.expected
    }

    /// For a caller that only asks whether a text is of the grammar.
    pub(super) fn unexplained(at: usize) -> Self {
        Self { at, line: 0, column: 0, found: None, expected: Vec::new() }
    }

    #[pleach_unhooked::unhooked]
    pub(super) fn new(text: &[u8], at: usize, expected: Vec<String>) -> Self {
        let before = &text[..at];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
        let is_start = |byte: &&u8| **byte & 0xC0 != 0x80;
        let column = 1 + before[start..].iter().filter(is_start).count();
        let found = text.get(at).map(|_| {
            let end = (at + 4).min(text.len());
            let piece = (at + 1..=end).find_map(|end| std::str::from_utf8(&text[at..end]).ok());
            piece.map_or_else(|| format!("byte 0x{:02X}", text[at]), |c| format!("{c:?}"))
        });
        Self { at, line, column, found, expected }
    }
}

/// More expected things than this are counted, not named.
const MOST_NAMED: usize = 8;

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match &self.found {
            Some(found) => write!(f, "{found}")?,
            None => write!(f, "the end of the text")?,
        }
        match &self.expected[..] {
            [] => write!(f, " is not expected here"),
            [only] => write!(f, " where {only} is expected"),
            several => {
                write!(f, " where one of these is expected: ")?;
                let named = &several[..several.len().min(MOST_NAMED)];
                write!(f, "{}", named.join(", "))?;
                match several.len() - named.len() {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Budget { at } => write!(
                f,
                "the budget of work was spent at byte {at}: the grammar derives this text in very \
                 many ways, or the budget is too small"
            ),
            Self::Memory { most } => write!(
                f,
                "reading takes more than the {most} bytes of memory that it may reserve: allow it \
                 more, or divide the text"
            ),
            Self::Cancelled => write!(f, "the parse was cancelled"),
            Self::TooLong { most: LONGEST } => {
                write!(f, "the text has 2 GiB or more")
            }
            Self::TooLong { most } => write!(
                f,
                "the text has more than {most} bytes, and how often its repetitions repeat is \
                 counted no further in this grammar: give them smaller bounds, or none"
            ),
        }
    }
}

crate::displayed::displayed!(SyntaxError);

impl std::error::Error for SyntaxError {}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            _ => None,
        }
    }
}
