//! Mutation: a tree into a tree that differs a little.
//!
//! A [`Mutation`] takes a [`SizedTree`], picks one of the [`MUTATORS`] by weight and writes another
//! tree: nodes, sizes and text. Most of it is copied as memory; only what is new is derived. What
//! stays in the language by its construction is not checked again; it parses, within the parser's
//! budget, and the tree is one that [`Tree::check`](crate::tree::Tree::check) accepts.
//!
//! # Mutators
//!
//! | name | weight | what it does |
//! | --- | --- | --- |
//! | `regrow` | 512 | grows a subtree anew |
//! | `toward` | 256 | grows a subtree anew along a k-path that the caller's coverage lacks |
//! | `splice` | 384 | puts in a subtree of the same rule, of another tree or of the pool |
//! | `replicate` | 192 | repeats elements of a repetition |
//! | `populate` | 128 | grows more elements of a repetition |
//! | `delete` | 256 | leaves out elements of a repetition |
//! | `exchange` | 128 | lets two elements of a repetition change places |
//! | `shuffle` | 64 | puts up to 8 neighbours in a repetition in another order |
//! | `recursion` | 128 | repeats a recursion: the whole stands there 2, 4, ... 256 times |
//! | `deepen` | 1 | repeats a recursion as often as there is room, or half as often, and so on: at most 4,096 times |
//! | `nest` | 192 | puts a subtree inside another of the same rule |
//! | `hoist` | 128 | puts a subtree in the place of one of the same rule above it |
//! | `swap` | 192 | lets two subtrees of one rule change places |
//! | `echo` | 192 | puts a copy of a subtree in the place of another of its rule, of all with that one's text, or of all of the rule |
//! | `keyword` | 128 | replaces a literal by another alternative of its rule |
//! | `token` | 192 | draws a token's text anew |
//! | `dictionary` | 128 | puts a word into a token |
//! | `havoc` | 256 | changes bytes inside a token by the caller's function |
//!
//! These are the valid mutators. One mutation in eight ([`Options::breaking`]) is by an invalid one, which
//! leaves the language, for the paths of errors count, too. Invalid mutators write bytes and no tree.
//!
//! | name | weight | what it does |
//! | --- | --- | --- |
//! | `omit` | 192 | leaves out a leaf |
//! | `stammer` | 128 | duplicate token: writes a leaf twice or more |
//! | `displace` | 128 | cross-rule substitution: puts a subtree where one of another kind stood |
//! | `truncate` | 64 | cuts off the end |
//! | `plunge` | 1 | the same, and ends where the recursion is deepest |
//! | `widen` | 256 | puts a character of several bytes in the place of others |
//! | `garble` | 256 | byte havoc: changes bytes by the caller's function |
//! | `implant` | 1024 | injection: puts a text of the caller's in the place of what a rule derives: [`Options::implants`] |
//!
//! One that has nothing to do in a tree gives way to another. What is reported as a change is one:
//! the bytes differ.
//!
//! # Where
//!
//! A place in the tree is drawn, every node alike; the next node there at which a mutator has
//! something to do is taken, or with one chance in two the nearest above that, and so on. So most
//! changes are small, and large ones are not lost.
//!
//! # Examples
//!
//! ```
//! use pleach::mutate::{Mutation, Options, Sources};
//! use pleach::parse::{Parser, Scratch};
//! use pleach::tree::{SizedTree, Tree};
//! use pleach::{Seeded, table::Table};
//!
//! let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = /[a-z]+/ | list;"#)?;
//! let mut tree = Tree::new();
//! Parser::new(&table).parse(b"[one,[two,three]]", &mut Scratch::new(), &mut tree)?;
//! let base = SizedTree::of(&table, &tree);
//!
//! let mut mutation = Mutation::new(&table, Options::new().breaking(0))?;
//! let (mut seed, mut mutant) = (Seeded::new(1), SizedTree::new());
//! let name = mutation.mutate(base.as_ref(), Sources::default(), 100, &mut seed, &mut mutant);
//! assert!(name.is_some() && mutant.text() != base.text());
//! mutant.tree().check(&table)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`SizedTree`]: crate::tree::SizedTree

mod bytes;
mod capabilities;
mod edit;
mod filter;
mod invalid;
mod mutation;
mod options;
mod pool;
mod recursions;
pub(crate) mod seeds;
mod splitmix;
mod valid;
mod work;
mod wrap;

pub use bytes::Bytes;
pub use mutation::{Mutation, Sources};
pub use options::{MutateError, Options};
pub use pool::Pool;

pub(crate) use bytes::ByteMutator;
pub(crate) use splitmix::{SplitMix64, mix};

use capabilities::Mask;
use work::Work;

/// What the table of mutators says of one.
trait Listed {
    /// What it is called in options.
    fn name(&self) -> &'static str;

    /// How often it is taken, beside the others' weights.
    fn weight(&self) -> u32;

    /// Whether what it writes need not be of the language: bytes, and no tree.
    fn breaks(&self) -> bool;
}

/// One way to change a tree.
trait Mutator: Listed + Sync {
    /// Whether it may use all the room that there is, and not only what inputs grow by at a time.
    fn is_far(&self) -> bool {
        false
    }

    /// What must be possible at some symbol of a table for it to have anything to do; 0 for nothing.
    fn needs(&self) -> Mask {
        0
    }

    /// Writes a mutant that differs from the base. False where nothing was found to be done; what is
    /// written then has no meaning.
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool;
}

/// Makes of one table the list of mutators, that of their names, and what each says of itself.
macro_rules! mutators {
    ($($kind:ident::$mutator:ident: $name:literal $weight:literal,)*) => {
        /// All mutators, the invalid ones last.
        const ALL: [&dyn Mutator; MUTATORS.len()] = [$(&$kind::$mutator),*];

        /// The names of all mutators, those that leave the language last.
        pub const MUTATORS: [&str; [$($name),*].len()] = [$($name),*];

        $(
            impl Listed for $kind::$mutator {
                fn name(&self) -> &'static str {
                    $name
                }

                fn weight(&self) -> u32 {
                    $weight
                }

                fn breaks(&self) -> bool {
                    $kind::BREAKS
                }
            }
        )*
    };
}

// Where each is, its name in options, and its weight. The docs above and the help of `pleach mutate` are checked against it.
mutators! {
    valid::Regrow: "regrow" 512,
    valid::Toward: "toward" 256,
    valid::Splice: "splice" 384,
    valid::Replicate: "replicate" 192,
    valid::Populate: "populate" 128,
    valid::Delete: "delete" 256,
    valid::Exchange: "exchange" 128,
    valid::Shuffle: "shuffle" 64,
    valid::Recursion: "recursion" 128,
    valid::Deepen: "deepen" 1,
    valid::Nest: "nest" 192,
    valid::Hoist: "hoist" 128,
    valid::Swap: "swap" 192,
    valid::Echo: "echo" 192,
    valid::Keyword: "keyword" 128,
    valid::Token: "token" 192,
    valid::Dictionary: "dictionary" 128,
    valid::Havoc: "havoc" 256,
    invalid::Omit: "omit" 192,
    invalid::Stammer: "stammer" 128,
    invalid::Displace: "displace" 128,
    invalid::Truncate: "truncate" 64,
    invalid::Plunge: "plunge" 1,
    invalid::Widen: "widen" 256,
    invalid::Garble: "garble" 256,
    // More than half of all that leave the language: who gives such texts wants them tried.
    invalid::Implant: "implant" 1024,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_are_those_of_the_table() {
        let text = include_str!("mod.rs");
        for mutator in ALL {
            let row = format!("//! | `{}` | {} |", mutator.name(), mutator.weight());
            assert_eq!(text.matches(&row).count(), 1, "{row}");
        }
        let first = ALL.iter().position(|mutator| mutator.breaks());
        assert!(ALL.iter().skip(first.unwrap_or(0)).all(|mutator| mutator.breaks()));
    }
}
