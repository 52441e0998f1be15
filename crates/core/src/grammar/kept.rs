//! What a table keeps of the grammar that it is made of.

use crate::pack::packed;
use crate::regular::Alphabet;

/// Whether the symbols of a grammar are bytes or Unicode scalar values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Encoding {
    /// Symbols are Unicode scalar values, written as UTF-8.
    #[default]
    Unicode,
    /// Symbols are bytes.
    Bytes,
}

impl Encoding {
    /// Its symbols.
    #[doc(hidden)]
    pub fn alphabet(self) -> Alphabet {
        match self {
            Self::Unicode => Alphabet::Unicode,
            Self::Bytes => Alphabet::Bytes,
        }
    }

    /// Its greatest symbol.
    #[doc(hidden)]
    pub fn last_symbol(self) -> u32 {
        match self {
            Self::Unicode => u32::from(char::MAX),
            Self::Bytes => u32::from(u8::MAX),
        }
    }
}

/// A range of bytes in one of a grammar's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// Index into [`Grammar::files`](super::Grammar::files).
    pub file: u32,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

/// How tightly an alternative that begins or ends with its own rule binds its operands: it says how
/// a text with several operators is read, and nothing of what is produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Binding {
    /// The greater, the tighter. Levels are compared in the whole grammar.
    pub level: u32,
    /// What decides between two of one level.
    pub associativity: Associativity,
}

/// Which of two operators of one level is the operand of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Associativity {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// The other one of the two says it, or else the order of derivations.
    Unspecified,
}

packed!(enum Encoding { 0 => Unicode, 1 => Bytes });
packed!(struct Span { file, start, end });
packed!(struct Binding { level, associativity });
packed!(enum Associativity { 0 => Left, 1 => Right, 2 => Unspecified });
