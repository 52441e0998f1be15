//! A symbol that a prefix leaves to be expanded, in two words.

use crate::table::{Symbol, SymbolKind};

/// No choice: the symbol is a terminal, or is expanded with care.
pub(in crate::produce) const LEAF: u32 = 0xFFFF;

/// No choice: the rest of a repetition's count is to be drawn.
pub(in crate::produce) const TAIL: u32 = 0xFFFE;

/// A symbol to be expanded: two words.
///
/// The way from one draw to the next leads through here, so what it needs is in these words and
/// not behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(in crate::produce) struct Pending {
    /// The symbol in the high half. In the low half the first slot of the choice to make, and in
    /// its low bits how many bits index its slots.
    place: u64,
    /// In the high half the height that is left for what the symbol expands to; in a prefix, less
    /// the height that is left for what the prefix expands (wrapping). Below that the number of
    /// the choice, or what it is instead, in 16 bits, and how often in 16.
    state: u64,
}

/// How many bits say how many bits index slots.
pub(super) const BITS: u32 = 5;

impl Pending {
    pub(in crate::produce) const NONE: Self = Self::new(Symbol::LAYOUT, LEAF, 0, 0);

    /// The most times that one entry says.
    pub(in crate::produce) const MOST: u32 = 0xFFFF;

    pub(super) const fn new(symbol: Symbol, choice: u32, height: u32, count: u32) -> Self {
        Self {
            place: (symbol.to_bits() as u64) << 32 | 1,
            state: (height as u64) << 32 | (choice as u64) << 16 | count as u64,
        }
    }

    pub(super) fn set_slots(&mut self, slots: u32) {
        self.place = self.place >> 32 << 32 | u64::from(slots);
    }

    #[inline]
    pub(in crate::produce) fn symbol(self) -> Symbol {
        Symbol::from_bits((self.place >> 32) as u32)
    }

    /// The number of the choice, [`LEAF`] or [`TAIL`].
    #[inline]
    pub(in crate::produce) fn choice(self) -> u32 {
        (self.state as u32) >> 16
    }

    /// The height that is left for what the symbol expands to.
    #[inline]
    pub(in crate::produce) fn height(self) -> u32 {
        (self.state >> 32) as u32
    }

    /// How often.
    #[inline]
    pub(in crate::produce) fn count(self) -> u32 {
        self.state as u32 & Self::MOST
    }

    /// The slot that a word means.
    #[inline]
    pub(in crate::produce) fn slot(self, word: u64) -> usize {
        let slots = self.place as u32;
        let bits = slots & ((1 << BITS) - 1);
        (slots >> BITS) as usize + (word >> (u64::BITS - bits)) as usize
    }

    /// The same once less.
    #[inline]
    pub(in crate::produce) fn less(self) -> Self {
        Self { state: self.state.wrapping_sub(1), ..self }
    }

    /// The same, so often.
    pub(in crate::produce) fn times(self, count: u32) -> Self {
        Self { state: self.state >> 16 << 16 | u64::from(count.min(Self::MOST)), ..self }
    }

    /// The same, of a prefix, where so much height is left for what the prefix expands.
    #[inline]
    pub(in crate::produce) fn within(self, height: u32) -> Self {
        Self { state: self.state.wrapping_add(u64::from(height) << 32), ..self }
    }

    /// This if `condition`, else the other; without a branch, for which it is cannot be predicted.
    #[inline]
    pub(in crate::produce) fn select(self, condition: bool, other: Self) -> Self {
        let word = |this, other| std::hint::select_unpredictable(condition, this, other);
        Self { place: word(self.place, other.place), state: word(self.state, other.state) }
    }

    /// The height that is left for the rule that the symbol stands in.
    pub(in crate::produce) fn height_around(self) -> u32 {
        self.height() + below(self.symbol())
    }
}

/// How much deeper what a symbol expands to is than the symbol.
pub(super) fn below(symbol: Symbol) -> u32 {
    u32::from(matches!(symbol.kind(), SymbolKind::Reference(_)))
}
