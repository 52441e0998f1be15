//! What the crates above this one share of its inside. It is no interface: it changes without notice.

pub use crate::grammar::notation::nesting::MAX_DEPTH;
pub use crate::grammar::notation::print::Labels;
pub use crate::grammar::notation::read::without_surrogates;
pub use crate::parts::marked;
pub use crate::regular::alphabet::{difference, normalize};
pub use crate::regular::syntax::{is_data, pattern, written_name};
pub use crate::table::lower::automata::{Automata, RuleFailure, RuleLanguage};
pub use crate::table::lower::parts::join_parts;
