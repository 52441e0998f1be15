//! Characters that deserve transitions of their own, and how much.

use std::collections::{BTreeMap, BTreeSet};

use super::Language;
use pleach_core::regular::Alphabet;

/// Characters that stand in neither specification nor implementation and often make a
/// difference nevertheless: white space, quotes, what escapes, and a letter that is not ASCII.
pub const IMPLICIT: &[char] = &[' ', '\0', '\n', '\t', '%', '\\', '+', '"', '\'', 'é'];

/// How telling a symbol is; less is more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Tier {
    /// A character in its other role.
    Role,
    /// A character that the user named.
    User,
    /// One that stands in the implementation.
    Code,
    /// One that stands in the specification.
    Specification,
    /// One of [`IMPLICIT`].
    Implicit,
    /// A letter or digit that stands in the implementation or the specification.
    Word,
    /// Any other.
    Ordinary,
}

/// Special characters, by where they are from.
///
/// Before strings are made, each is split off into transitions of its own, and these come
/// first: those in their other role and those that the user named, then those that stand in the
/// implementation, then those of the specification, then [`IMPLICIT`] ones; letters and digits
/// among them come last.
///
/// # Examples
///
/// ```
/// use pleach::differential::Specials;
///
/// let specials = Specials::new().code(":@".chars()).user(";".chars());
/// assert!(specials.contains(';') && specials.contains('\0') && !specials.contains('a'));
/// ```
#[derive(Clone, Debug)]
pub struct Specials {
    tiers: BTreeMap<char, Tier>,
    /// Those that the user named or that stand in the implementation, which is all that the
    /// published method knows.
    published: BTreeSet<char>,
}

impl Default for Specials {
    fn default() -> Self {
        Self::new()
    }
}

impl Specials {
    /// The implicit ones.
    pub fn new() -> Self {
        Self::none().with(IMPLICIT.iter().copied(), Tier::Implicit)
    }

    /// An empty set, to which characters are added.
    pub fn none() -> Self {
        Self { tiers: BTreeMap::new(), published: BTreeSet::new() }
    }

    /// Those of two languages, and the implicit ones.
    pub fn of(specification: &Language, implementation: &Language) -> Self {
        Self::new()
            .specification(specification.specials().iter().copied())
            .code(implementation.specials().iter().copied())
    }

    /// Adds characters that stand in the implementation's code.
    #[must_use]
    pub fn code(self, characters: impl IntoIterator<Item = char>) -> Self {
        self.with(characters, Tier::Code)
    }

    /// Adds characters that stand in the specification.
    #[must_use]
    pub fn specification(self, characters: impl IntoIterator<Item = char>) -> Self {
        self.with(characters, Tier::Specification)
    }

    /// Adds the user's own.
    #[must_use]
    pub fn user(self, characters: impl IntoIterator<Item = char>) -> Self {
        self.with(characters, Tier::User)
    }

    fn with(mut self, characters: impl IntoIterator<Item = char>, tier: Tier) -> Self {
        for character in characters {
            if matches!(tier, Tier::User | Tier::Code) {
                self.published.insert(character);
            }
            let is_word = character.is_ascii_alphanumeric() && tier != Tier::User;
            let tier = if is_word { Tier::Word } else { tier };
            let known = self.tiers.entry(character).or_insert(tier);
            *known = tier.min(*known);
        }
        self
    }

    /// Whether a character is special.
    pub fn contains(&self, character: char) -> bool {
        self.tiers.contains_key(&character)
    }

    /// All of them, in the order of their code points.
    pub fn iter(&self) -> impl Iterator<Item = char> + '_ {
        self.tiers.keys().copied()
    }

    /// Those that a user named or that stand in the implementation, which is all that the
    /// published method knows.
    pub(super) fn published(&self) -> &BTreeSet<char> {
        &self.published
    }

    /// How telling a symbol is.
    pub(super) fn tier(&self, symbol: u32) -> Tier {
        if Alphabet::is_role(symbol) {
            return Tier::Role;
        }
        let character = Alphabet::character(symbol);
        let tier = character.and_then(|character| self.tiers.get(&character));
        tier.copied().unwrap_or(Tier::Ordinary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_reason_counts() {
        let specials = Specials::new()
            .specification("+:a".chars())
            .code("%a:".chars())
            .user("b".chars())
            .code("b".chars());
        let tier = |character: char| specials.tier(character.into());
        assert_eq!(tier(':'), Tier::Code);
        assert_eq!(tier('%'), Tier::Code);
        assert_eq!(tier('+'), Tier::Specification);
        assert_eq!(tier('"'), Tier::Implicit);
        assert_eq!(tier('a'), Tier::Word);
        assert_eq!(tier('b'), Tier::User);
        assert_eq!(tier('c'), Tier::Ordinary);
        assert_eq!(specials.tier(Alphabet::role('c')), Tier::Role);
        assert_eq!(specials.published().iter().collect::<String>(), "%:ab");
    }
}
