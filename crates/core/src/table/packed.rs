//! A table as bytes.

use super::production::Table;
use crate::pack::Pack as _;

/// What packed tables begin with: what made them is to be what reads them.
const SIGNATURE: &[u8] = concat!("pleach ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// The bytes of a table, and the names of the grammar's rules that are not in it.
#[cfg(feature = "front")]
pub fn pack<'n>(table: &Table, left_out: impl IntoIterator<Item = &'n str>) -> Vec<u8> {
    let mut out = SIGNATURE.to_vec();
    table.pack(&mut out);
    let left_out: Vec<String> = left_out.into_iter().map(str::to_owned).collect();
    left_out.pack(&mut out);
    out
}

/// The table and the names of what `pack` of this version made; none where another version did.
pub fn unpack(packed: &[u8]) -> Option<(Table, Vec<String>)> {
    let mut rest = packed.strip_prefix(SIGNATURE)?;
    let (table, left_out) = (Table::unpack(&mut rest)?, Vec::unpack(&mut rest)?);
    rest.is_empty().then_some((table, left_out))
}
