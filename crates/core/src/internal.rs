//! What the crates above this one share of its inside. It is no interface: it changes without notice.

#[cfg(feature = "front")]
pub use crate::grammar::notation::{nesting::MAX_DEPTH, print::Labels, read::without_surrogates};
#[cfg(feature = "front")]
pub use crate::parse::packed::pack;
pub use crate::parse::packed::unpack;
pub use crate::parts::marked;
#[cfg(feature = "front")]
pub use crate::regular::alphabet::difference;
#[cfg(feature = "front")]
pub use crate::regular::alphabet::normalize;
#[cfg(feature = "front")]
pub use crate::regular::syntax::{is_data, pattern, written_name};
#[cfg(feature = "front")]
pub use crate::table::lower::automata::{Automata, RuleFailure, RuleLanguage};
#[cfg(feature = "front")]
pub use crate::table::lower::parts::join_parts;
