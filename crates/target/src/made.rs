//! A grammar that was compiled with the target.

use std::error::Error;
use std::fmt;

use pleach_core::internal::unpack;
use pleach_core::table::Table;

use crate::fuzz::TargetOptions;

/// Why there is no table.
#[derive(Debug)]
#[doc(hidden)]
pub enum Unmade {
    /// The macro is of another version.
    Version,
    /// The grammar has no such rule for the texts of `implants`.
    Missing(String),
}

impl fmt::Display for Unmade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version => f.write_str(
                "error: pleach-ahead and pleach-target are of different versions: update both with cargo update",
            ),
            Self::Missing(rule) => write!(
                f,
                "error: there is no rule `{rule}` for the texts of `implants`: name a rule of this grammar"
            ),
        }
    }
}

impl Error for Unmade {}

impl TargetOptions {
    /// The table that the macro of `pleach_ahead` made.
    #[doc(hidden)]
    pub fn made(&self, packed: &[u8]) -> Result<Table, Unmade> {
        let (table, left_out) = unpack(packed).ok_or(Unmade::Version)?;
        let has =
            |rule: &String| table.names().find_rule(rule).is_some() || left_out.contains(rule);
        match self.implants.iter().find(|(rule, _)| !has(rule)) {
            Some((rule, _)) => Err(Unmade::Missing(rule.clone())),
            None => Ok(table),
        }
    }
}
