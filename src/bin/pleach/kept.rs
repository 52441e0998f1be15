//! Where what commands build is kept: `pleach` in the target folder of the package that it is of, as Cargo's own things, so
//! that `cargo clean` takes it away; what is of no package, in the user's cache.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::failure::Failure;

/// A package or workspace that a file is in.
pub(crate) struct Workspace {
    /// The folder with `Cargo.lock`.
    pub(crate) root: PathBuf,
    /// The folder that Cargo builds in.
    target: PathBuf,
}

impl Workspace {
    /// Asks Cargo in which one a folder is; none where it is in none, or where Cargo refuses it.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        folder.ancestors().find(|it| it.join("Cargo.toml").is_file())?;
        let mut command = Command::new(tool("CARGO", "cargo"));
        command.args(["metadata", "--no-deps", "--format-version=1"]).current_dir(folder);
        let output = command.stdin(Stdio::null()).output().ok()?;
        let value: Value = serde_json::from_slice(&output.stdout).ok()?;
        let path = |name: &str| value[name].as_str().map(PathBuf::from);
        Some(Self { root: path("workspace_root")?, target: path("target_directory")? })
    }

    /// Where its things are kept.
    pub(crate) fn folder(&self) -> PathBuf {
        self.target.join("pleach")
    }
}

/// Where what belongs to no package is kept.
pub(crate) fn cache() -> Result<PathBuf, Failure> {
    let set = |name| env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let home = || set("HOME").map(|home| home.join(".cache"));
    let folder = set("XDG_CACHE_HOME").or_else(home).or_else(|| set("LOCALAPPDATA"));
    folder.map(|it| it.join("pleach")).ok_or_else(|| {
        Failure::input("error: there is no folder for what is built: name one with --keep DIR")
    })
}

/// A tool of Rust's: what the environment names, else what stands in the path.
pub(crate) fn tool(variable: &str, name: &str) -> std::ffi::OsString {
    env::var_os(variable).unwrap_or_else(|| name.into())
}
