//! The valid mutators, which stay in the language, one a file. To add one, write its file, name it here, and give it a row in
//! `mutators!`, in the folder above, from which names, weights and kinds follow;
//! the row says what else names it.

mod deepen;
mod delete;
mod dictionary;
mod echo;
mod exchange;
mod havoc;
mod hoist;
mod keyword;
mod nest;
mod populate;
mod recursion;
mod regrow;
mod replicate;
mod shuffle;
mod splice;
mod swap;
mod token;
mod toward;

/// Whether what these mutators write need not be of the language.
pub(super) const BREAKS: bool = false;

pub(super) use deepen::{Deepen, deepen, open};
pub(super) use delete::Delete;
pub(super) use dictionary::Dictionary;
pub(super) use echo::Echo;
pub(super) use exchange::Exchange;
pub(super) use havoc::Havoc;
pub(super) use hoist::Hoist;
pub(super) use keyword::Keyword;
pub(super) use nest::Nest;
pub(super) use populate::Populate;
pub(super) use recursion::Recursion;
pub(super) use regrow::Regrow;
pub(super) use replicate::Replicate;
pub(super) use shuffle::Shuffle;
pub(super) use splice::Splice;
pub(super) use swap::Swap;
pub(super) use token::Token;
pub(super) use toward::Toward;
