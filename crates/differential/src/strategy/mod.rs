//! Which strings of a difference are tried, and in which order.

pub(super) mod edge_cover;
pub(super) mod paper_dfs;
mod split;
pub(super) mod undirected;

use super::Side;

/// How test strings are picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Every transition of the difference once, between a shortest beginning and a shortest end;
    /// special characters first. The default.
    #[default]
    EdgeCover,
    /// As published: a walk, depth first, that takes each transition at most once, special
    /// characters first, and gives what it has wherever that is accepted.
    PaperDfs,
    /// Random strings of the specification, whether or not the implementation accepts them: what
    /// others are measured by.
    Undirected,
}

/// A string on which two languages disagree, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestString {
    /// The string. Of languages of bytes, what is not UTF-8 is replaced: see
    /// [`TestString::bytes`].
    pub text: String,
    /// Its symbols, which tell the roles of its characters.
    pub symbols: Vec<u32>,
    /// Which side accepts it.
    pub accepted_by: Side,
    /// Whether the other side does not: with [`Strategy::Undirected`] it may.
    pub differs: bool,
    /// Its place in the order, from 1.
    pub rank: usize,
    /// The transition of the difference that it is there for; none for the empty string and
    /// for random ones.
    pub transition: Option<Covered>,
}

/// The transition of a difference's automaton for which a string was picked, and where the string
/// takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Covered {
    /// The state that it leaves.
    pub from: usize,
    /// The symbol by which the string goes along it.
    pub symbol: u32,
    /// Where that symbol stands in the string.
    pub at: usize,
    /// The state that it leads to.
    pub to: usize,
    /// Whether the symbol is a special character or one in its other role.
    pub special: bool,
}

impl TestString {
    /// The string as an implementation gets it: in UTF-8, or of languages of bytes as it is.
    pub fn bytes(&self) -> std::borrow::Cow<'_, [u8]> {
        if self.text.contains(char::REPLACEMENT_CHARACTER) {
            let bytes = self.symbols.iter().map(|&symbol| u8::try_from(symbol));
            // A language of characters has the replacement as one, which is no byte.
            if let Ok(bytes) = bytes.collect::<Result<Vec<u8>, _>>() {
                return bytes.into();
            }
        }
        self.text.as_bytes().into()
    }

    /// Whether some of its characters are in their other role.
    pub fn has_roles(&self) -> bool {
        self.symbols.iter().any(|&symbol| pleach_core::regular::Alphabet::is_role(symbol))
    }
}
