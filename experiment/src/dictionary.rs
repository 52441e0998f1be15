//! The dictionaries that `pleach dict` prints.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cargo;

/// What `pleach dict` prints for a grammar, by the command of a copy of the repository, which is built where
/// Cargo builds it by itself.
///
/// # Errors
///
/// Where Cargo or the command fails.
pub fn dictionary(root: &Path, grammar: &Path) -> io::Result<Vec<u8>> {
    let output = Command::new(cargo())
        .args(["run", "--quiet", "--bin", "pleach", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .args(["--", "dict"])
        .arg(grammar)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("`pleach dict` failed: {}", output.status)));
    }
    Ok(output.stdout)
}
