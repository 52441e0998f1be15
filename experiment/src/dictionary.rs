//! What the command `pleach` prints, as the dictionaries of `pleach dict`.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cargo;

/// What `pleach dict` prints for a grammar, by [`pleach`].
///
/// # Errors
///
/// Where Cargo or the command fails.
pub fn dictionary(root: &Path, grammar: &Path) -> io::Result<Vec<u8>> {
    pleach(root, ["dict".as_ref(), grammar.as_os_str()])
}

/// What `pleach` prints with some arguments, by the command of a copy of the repository, which is built where
/// Cargo builds it by itself.
///
/// # Errors
///
/// Where Cargo or the command fails.
pub fn pleach<'a>(
    root: &Path,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> io::Result<Vec<u8>> {
    let output = Command::new(cargo())
        .args(["run", "--quiet", "--bin", "pleach", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .arg("--")
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("`pleach` failed: {}", output.status)));
    }
    Ok(output.stdout)
}
