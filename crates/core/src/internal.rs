//! What the crates above this one share of its inside. It is no interface: it changes without notice.

#[cfg(feature = "front")]
pub use crate::grammar::near::near;
#[cfg(feature = "front")]
pub use crate::grammar::notation::{
    include::resolved, nesting::MAX_DEPTH, print::Labels, read::without_surrogates,
};
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

use crate::pack::{Pack as _, bytes};
use crate::table::Table;

/// What packed tables begin with: what made them is to be what reads them.
const SIGNATURE: &[u8] = concat!("pleach ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// The bytes of a table with what is made of it ahead, and the names of the grammar's rules that are not in it.
#[cfg(feature = "front")]
pub fn pack<'n>(table: &Table, left_out: impl IntoIterator<Item = &'n str>) -> Vec<u8> {
    let mut out = SIGNATURE.to_vec();
    table.pack(&mut out);
    let left_out: Vec<String> = left_out.into_iter().map(str::to_owned).collect();
    left_out.pack(&mut out);
    crate::parse::packed::pack(table).pack(&mut out);
    crate::mutate::seeds::pack(table).pack(&mut out);
    out
}

/// The table, which keeps what was made ahead, and the names of what `pack` of this version made; none where another
/// version did.
#[pleach_unhooked::unhooked]
pub fn unpack(packed: &[u8]) -> Option<(Table, Vec<String>)> {
    let mut rest = packed.strip_prefix(SIGNATURE)?;
    let (mut table, left_out) = (Table::unpack(&mut rest)?, Vec::unpack(&mut rest)?);
    table.ahead.parser = Some(bytes(&mut rest)?.into());
    table.ahead.trees = Some(bytes(&mut rest)?.into());
    rest.is_empty().then_some((table, left_out))
}
