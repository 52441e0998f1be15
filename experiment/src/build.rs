//! Builds programs with coverage flags for some of their crates.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::wrapper;

/// A program to be built with coverage flags. The program that builds it is its own
/// [`wrapper`]: it calls [`wrapper::run`] first of all where [`wrapper::CRATES`] is set.
pub struct Instrumented<'a> {
    /// The `Cargo.toml` of its package.
    pub manifest: &'a Path,
    /// The program's name.
    pub program: &'a str,
    /// The feature of the package that it needs; the default ones are left out.
    pub feature: &'a str,
    /// The crates whose edges are to be told, as the compiler names them.
    pub crates: &'a [&'a str],
}

impl Instrumented<'_> {
    /// Builds it in a folder of its own, and gives the program's path.
    ///
    /// # Errors
    ///
    /// Where Cargo fails.
    pub fn build(&self, target: &Path) -> io::Result<PathBuf> {
        let crates = self.crates.join(",");
        discard_other(target, &format!("{crates}\n{}\n", wrapper::FLAGS.join("\n")))?;
        let host = host()?;
        eprintln!("building the parsers with coverage flags, in {}", target.display());
        let status = Command::new(cargo())
            .args(["build", "--release", "--bin", self.program, "--no-default-features"])
            .args(["--features", self.feature, "--target", &host, "--target-dir"])
            .arg(target)
            .arg("--manifest-path")
            .arg(self.manifest)
            .env("RUSTC_WRAPPER", std::env::current_exe()?)
            .env(wrapper::CRATES, crates)
            // As cargo-fuzz builds: one unit a crate, so no function is compiled twice in one.
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            // Inlining across all crates is not what a fuzzer's user builds.
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(io::Error::other("the parsers were not built"));
        }
        let program = format!("{}{}", self.program, std::env::consts::EXE_SUFFIX);
        Ok(target.join(host).join("release").join(program))
    }
}

/// The Cargo that runs this program, or the one that there is.
pub fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The platform of this machine. Cargo builds what is for build scripts and macros apart where a
/// target is named, even if it is the same.
///
/// # Errors
///
/// Where there is no compiler, or it does not tell.
pub fn host() -> io::Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| io::Error::other("`rustc -vV` names no host"))
}

/// Empties a folder of Cargo's, unless what is in it was built with the same flags, which a text
/// tells: Cargo does not know of those that a wrapper adds.
///
/// # Errors
///
/// Where the folder cannot be emptied or written.
pub fn discard_other(target: &Path, flags: &str) -> io::Result<()> {
    let stamp = target.join("coverage-flags");
    if std::fs::read_to_string(&stamp).is_ok_and(|before| before == flags) {
        return Ok(());
    }
    remove(target)?;
    std::fs::create_dir_all(target)?;
    std::fs::write(stamp, flags)
}

/// Removes a folder, if it is there.
///
/// # Errors
///
/// Where the system refuses.
pub fn remove(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
