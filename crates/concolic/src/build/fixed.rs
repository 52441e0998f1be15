//! What the system answers by chance, fixed: random bytes, from which hash maps take their keys, and the time. The machine
//! answers the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::BuildError;
use super::toolchain::Host;

/// When the clocks begin, in seconds of the calendar: 2001-09-09. Each reading is a microsecond later.
pub const CLOCK_SECONDS: u64 = 1_000_000_000;

/// What each random byte is. A hash map has the same order wherever its keys are made of the same.
pub const RANDOM_BYTE: u8 = 0;

/// A library that answers so, to be loaded before the system's.
const PRELOAD: &str = include_str!("preload.rs");

/// Compiles the library, if this compiler has not.
pub(super) fn preload(rustc: &Path, folder: &Path, host: &Host) -> Result<PathBuf, BuildError> {
    let source = PRELOAD
        .replace("@CLOCK@", &CLOCK_SECONDS.to_string())
        .replace("@BYTE@", &RANDOM_BYTE.to_string());
    let file = folder.join("preload.rs");
    let library = folder.join(format!("preload-{}.so", host.release));
    if library.is_file() && fs::read_to_string(&file).is_ok_and(|old| old == source) {
        return Ok(library);
    }
    // Another may build it at the same time: each does it apart, and it appears whole.
    let apart = tempfile::tempdir_in(folder).map_err(BuildError::io(folder))?;
    let made = apart.path().join("preload.so");
    let own = apart.path().join("preload.rs");
    super::write(&own, &source)?;
    let mut command = Command::new(rustc);
    command.args([
        "--edition=2024",
        "--crate-type=cdylib",
        "--crate-name=preload",
        "-Cpanic=abort",
        "-O",
    ]);
    command.args(["--target", &host.triple, "-o"]).arg(&made).arg(&own);
    let output = command.stdin(Stdio::null()).output().map_err(BuildError::io(rustc))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(BuildError::Compile { target: own.display().to_string(), text });
    }
    fs::rename(&made, &library).map_err(BuildError::io(&library))?;
    fs::rename(&own, &file).map_err(BuildError::io(&file))?;
    Ok(library)
}
