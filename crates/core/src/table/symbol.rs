//! What an item of an alternative or a node of a tree stands for, in one word.

use super::id::{OccurrenceId, RepetitionId, RuleId};
use crate::pack::packed;

/// An item of an alternative or the label of a node, in 32 bits: three of its kind, 29 of an
/// identifier.
///
/// Items of alternatives use the first four kinds; the nodes of trees use all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Symbol(u32);

/// What a [`Symbol`] stands for, with the identifier of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// An occurrence that references a rule.
    Reference(OccurrenceId),
    /// An occurrence of a terminal.
    Terminal(OccurrenceId),
    /// A group: an alternation inside an alternative, kept as a rule without a name.
    Group(RuleId),
    /// A repetition.
    Repetition(RepetitionId),
    /// The root of a tree: the start rule, which is no occurrence.
    Root(RuleId),
    /// Layout between two tokens.
    Layout,
}

const SHIFT: u32 = 29;
const MASK: u32 = (1 << SHIFT) - 1;

impl Symbol {
    /// The most identifiers of one kind that a table may have.
    pub const CAPACITY: u32 = 1 << SHIFT;

    /// The symbol of an occurrence that references a rule.
    #[inline]
    pub const fn reference(occurrence: OccurrenceId) -> Self {
        Self(occurrence.get())
    }

    /// The symbol of an occurrence at which a terminal stands.
    #[inline]
    pub const fn terminal(occurrence: OccurrenceId) -> Self {
        Self(1 << SHIFT | occurrence.get())
    }

    /// The symbol of a group, which is a rule without a name.
    #[inline]
    pub const fn group(rule: RuleId) -> Self {
        Self(2 << SHIFT | rule.get())
    }

    /// The symbol of a repetition, whose element is an item of its own.
    #[inline]
    pub const fn repetition(repetition: RepetitionId) -> Self {
        Self(3 << SHIFT | repetition.get())
    }

    /// The root of a tree.
    #[inline]
    pub const fn root(rule: RuleId) -> Self {
        Self(4 << SHIFT | rule.get())
    }

    /// The label of nodes that stand for white space and comments between tokens.
    pub const LAYOUT: Self = Self(5 << SHIFT);

    /// What the symbol is.
    #[inline]
    pub const fn kind(self) -> SymbolKind {
        let id = self.0 & MASK;
        match self.0 >> SHIFT {
            0 => SymbolKind::Reference(OccurrenceId::new(id)),
            1 => SymbolKind::Terminal(OccurrenceId::new(id)),
            2 => SymbolKind::Group(RuleId::new(id)),
            3 => SymbolKind::Repetition(RepetitionId::new(id)),
            4 => SymbolKind::Root(RuleId::new(id)),
            _ => SymbolKind::Layout,
        }
    }

    /// The occurrence that the symbol is, if it is one.
    #[inline]
    pub const fn occurrence(self) -> Option<OccurrenceId> {
        if self.0 >> SHIFT <= 1 { Some(OccurrenceId::new(self.0 & MASK)) } else { None }
    }

    /// Whether the symbol ends in bytes: a terminal or layout.
    #[inline]
    pub const fn is_leaf(self) -> bool {
        matches!(self.0 >> SHIFT, 1 | 5)
    }

    /// All bits if the symbol ends in bytes, else none: [`Symbol::is_leaf`] without a comparison.
    #[inline]
    pub(crate) const fn leaf_mask(self) -> u32 {
        // Of the three bits the lowest is set, and the next is not.
        ((self.0 & !(self.0 >> 1)) >> SHIFT & 1).wrapping_neg()
    }

    /// The number of the kind, 0 to 5, and the identifier.
    #[inline]
    pub(crate) const fn parts(self) -> (usize, usize) {
        ((self.0 >> SHIFT) as usize, (self.0 & MASK) as usize)
    }

    /// The symbol that a word of [`Symbol::to_bits`] stands for.
    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The word, for compact storage.
    #[inline]
    pub const fn to_bits(self) -> u32 {
        self.0
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind().fmt(f)
    }
}

// The kind last, so that most are small numbers.
packed!(id Symbol, |bits: u32| Self(bits.rotate_right(3)), |symbol: Self| symbol.0.rotate_left(3));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_packing() {
        let last = Symbol::CAPACITY - 1;
        for id in [0, 1, last] {
            assert_eq!(
                Symbol::reference(OccurrenceId::new(id)).kind(),
                SymbolKind::Reference(OccurrenceId::new(id))
            );
            assert_eq!(
                Symbol::terminal(OccurrenceId::new(id)).kind(),
                SymbolKind::Terminal(OccurrenceId::new(id))
            );
            assert_eq!(Symbol::group(RuleId::new(id)).kind(), SymbolKind::Group(RuleId::new(id)));
            assert_eq!(
                Symbol::repetition(RepetitionId::new(id)).kind(),
                SymbolKind::Repetition(RepetitionId::new(id))
            );
            assert_eq!(Symbol::root(RuleId::new(id)).kind(), SymbolKind::Root(RuleId::new(id)));
        }
        assert_eq!(Symbol::LAYOUT.kind(), SymbolKind::Layout);
        for kind in 0..6 {
            let symbol = Symbol::from_bits(kind << SHIFT | last);
            assert_eq!(symbol.leaf_mask() == u32::MAX, symbol.is_leaf());
            assert_eq!(symbol.leaf_mask() == 0, !symbol.is_leaf());
            assert_eq!(symbol.parts(), (kind as usize, last as usize));
        }
        assert!(Symbol::LAYOUT.is_leaf());
    }
}
