//! Characters that an implementation is likely to treat alike.

use super::cases::LOOK_ALIKES;

/// Symbols that an implementation is likely to treat alike: an automaton's classes may be coarser, as
/// where capital and small letters mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kin {
    Digit,
    Small,
    Capital,
    /// Each by itself: punctuation, controls, and what looks like something else.
    One(u32),
    /// All others.
    Wide,
}

/// What kins are like each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sort {
    Digit,
    Letter,
    White,
    Mark,
    Control,
    Beyond,
}

impl Kin {
    pub(super) fn of(symbol: u32) -> Self {
        match char::from_u32(symbol) {
            Some('0'..='9') => Self::Digit,
            Some('a'..='z') => Self::Small,
            Some('A'..='Z') => Self::Capital,
            Some(one) if one.is_ascii() || LOOK_ALIKES.contains(&one) => Self::One(symbol),
            _ => Self::Wide,
        }
    }

    /// The symbols that are of it, one of them given.
    pub(super) fn range(self) -> (u32, u32) {
        match self {
            Self::Digit => (0x30, 0x39),
            Self::Small => (0x61, 0x7A),
            Self::Capital => (0x41, 0x5A),
            Self::One(symbol) => (symbol, symbol),
            Self::Wide => (0x80, u32::MAX),
        }
    }

    pub(super) fn sort(self) -> Sort {
        match self {
            Self::Digit => Sort::Digit,
            Self::Small | Self::Capital => Sort::Letter,
            Self::Wide => Sort::Beyond,
            Self::One(symbol) => match char::from_u32(symbol) {
                Some(c) if c.is_ascii_whitespace() => Sort::White,
                Some(c) if c.is_ascii_control() => Sort::Control,
                Some(c) if c.is_ascii() => Sort::Mark,
                _ => Sort::Beyond,
            },
        }
    }
}

impl Sort {
    /// One of it, in words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Digit => "a digit",
            Self::Letter => "a letter",
            Self::White => "white space",
            Self::Mark => "a mark",
            Self::Control => "a control character",
            Self::Beyond => "a character beyond ASCII",
        }
    }
}
