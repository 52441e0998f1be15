//! What the system answers by chance, fixed: random bytes, from which hash maps take their keys, and the time. The machine
//! answers the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::BuildError;
use super::toolchain::Host;

/// What every clock says, in seconds since its beginning, with no fraction: for the calendar, a day of 2026.
pub const CLOCK_SECONDS: i64 = 1_780_000_000;

/// The byte at a place of each answer of `getrandom`.
#[must_use]
pub const fn random_byte(at: usize) -> u8 {
    (at as u8).wrapping_mul(0x9d).wrapping_add(0x2b)
}

/// A library that answers so, to be loaded before the system's.
const PRELOAD: &str = include_str!("preload.rs");

/// Compiles the library, if this compiler has not.
pub(super) fn preload(rustc: &Path, folder: &Path, host: &Host) -> Result<PathBuf, BuildError> {
    let source = PRELOAD
        .replace("@CLOCK@", &CLOCK_SECONDS.to_string())
        .replace("@FACTOR@", &random_byte(1).wrapping_sub(random_byte(0)).to_string())
        .replace("@FIRST@", &random_byte(0).to_string());
    let file = folder.join("preload.rs");
    let library = folder.join(format!("preload-{}.so", host.release));
    if library.is_file() && fs::read_to_string(&file).is_ok_and(|old| old == source) {
        return Ok(library);
    }
    super::write(&file, &source)?;
    // Another may build it at the same time: it appears whole.
    let made = folder.join(format!("preload-{}.so.{}", host.release, std::process::id()));
    let mut command = Command::new(rustc);
    command.args([
        "--edition=2024",
        "--crate-type=cdylib",
        "--crate-name=preload",
        "-Cpanic=abort",
        "-O",
    ]);
    command.args(["--target", &host.triple, "-o"]).arg(&made).arg(&file);
    let output = command.stdin(Stdio::null()).output().map_err(BuildError::io(rustc))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(BuildError::Compile { target: file.display().to_string(), text });
    }
    fs::rename(&made, &library).map_err(BuildError::io(&library))?;
    Ok(library)
}
