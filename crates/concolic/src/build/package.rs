//! What `cargo metadata` says of a package or workspace: where its library and its programs are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::BuildError;

/// The packages of a workspace.
pub(super) struct Metadata {
    /// The manifest that was asked of.
    manifest: PathBuf,
    /// The folder with `Cargo.lock`.
    pub(super) root: PathBuf,
    /// The folder that Cargo builds in.
    pub(super) target: PathBuf,
    packages: Vec<Value>,
}

/// A program of a package.
pub(super) struct Program {
    /// Its package's manifest.
    pub(super) manifest: PathBuf,
    /// The features that it needs.
    pub(super) required_features: Vec<String>,
}

/// A crate with a file among its modules.
pub(super) struct Crate<'m> {
    /// Its package, as Cargo says it.
    pub(super) package: &'m Value,
    /// Whether others can depend on it. A program is to be made a library first.
    pub(super) is_library: bool,
    /// The crate's first file.
    pub(super) root: PathBuf,
    /// The modules from there to the file, by the files' names.
    pub(super) modules: Vec<String>,
}

impl Crate<'_> {
    /// The package's folder.
    pub(super) fn folder(&self) -> PathBuf {
        path(&self.package["manifest_path"]).parent().map(Path::to_owned).unwrap_or_default()
    }

    /// What the package itself offers to others.
    pub(super) fn library(&self) -> Option<&Value> {
        LIBRARIES.iter().find_map(|kind| targets(self.package, kind).next())
    }

    /// The package's build script.
    pub(super) fn script(&self) -> Option<PathBuf> {
        targets(self.package, "custom-build").next().map(|it| path(&it["src_path"]))
    }
}

/// The kinds of targets that others can depend on.
const LIBRARIES: [&str; 5] = ["lib", "rlib", "dylib", "cdylib", "staticlib"];

impl Metadata {
    /// Of the package or workspace that a folder is in.
    pub(super) fn of(cargo: &Path, folder: &Path) -> Result<Self, BuildError> {
        let manifest = manifest_above(folder).ok_or_else(|| BuildError::NoPackage {
            folder: folder.to_owned(),
            what: "Cargo.toml",
        })?;
        Self::read(cargo, manifest)
    }

    /// Of the cargo-fuzz package with a target: the folder's own, or the one in `fuzz` here or above.
    pub(super) fn of_fuzz(cargo: &Path, folder: &Path, name: &str) -> Result<Self, BuildError> {
        let mut other = None;
        for above in absolute(folder).ancestors() {
            for manifest in [above.join("Cargo.toml"), above.join("fuzz/Cargo.toml")] {
                // Others are not asked of: they need not be well for this.
                if !fs::read_to_string(&manifest).is_ok_and(|it| it.contains("cargo-fuzz")) {
                    continue;
                }
                let metadata = Self::read(cargo, manifest)?;
                let fuzzing =
                    metadata.packages.iter().any(|it| it["metadata"]["cargo-fuzz"] == true);
                if fuzzing && metadata.program(name).is_ok() {
                    return Ok(metadata);
                }
                if fuzzing {
                    // The nearest says which targets there are.
                    other.get_or_insert(metadata);
                }
            }
        }
        other.ok_or_else(|| BuildError::NoPackage {
            folder: folder.to_owned(),
            what: "cargo-fuzz folder",
        })
    }

    fn read(cargo: &Path, manifest: PathBuf) -> Result<Self, BuildError> {
        let mut command = Command::new(cargo);
        command.args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"]);
        let output =
            command.arg(&manifest).stdin(Stdio::null()).output().map_err(BuildError::io(cargo))?;
        let refused =
            |text: String| BuildError::Compile { target: manifest.display().to_string(), text };
        if !output.status.success() {
            return Err(refused(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let mut value: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| refused(error.to_string()))?;
        let packages = value["packages"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let (root, target) = (path(&value["workspace_root"]), path(&value["target_directory"]));
        Ok(Self { manifest, root, target, packages })
    }

    /// The program of a name: that of the manifest's own package, or the only one in the workspace.
    pub(super) fn program(&self, name: &str) -> Result<Program, BuildError> {
        let mut found = Vec::new();
        let mut known = Vec::new();
        for package in &self.packages {
            let manifest = path(&package["manifest_path"]);
            for target in targets(package, "bin") {
                let called = target["name"].as_str().unwrap_or_default();
                known.push(called.to_owned());
                if called == name {
                    let features = target["required-features"].as_array().into_iter().flatten();
                    let required_features =
                        features.filter_map(|it| it.as_str().map(str::to_owned)).collect();
                    found.push(Program { manifest: manifest.clone(), required_features });
                }
            }
        }
        if let Some(own) = found.iter().position(|it| it.manifest == self.manifest) {
            return Ok(found.swap_remove(own));
        }
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => Ok(only),
            _ => Err(BuildError::NoProgram {
                name: name.to_owned(),
                manifest: self.manifest.clone(),
                known,
            }),
        }
    }

    /// The crate that has a file, by its path, among its modules: a library, or else a program.
    pub(super) fn crate_of(&self, file: &Path) -> Option<Crate<'_>> {
        let of_kinds = |kinds: &'static [&'static str], is_library: bool| {
            let all = self.packages.iter().flat_map(move |package| {
                kinds
                    .iter()
                    .flat_map(move |kind| targets(package, kind))
                    .map(move |it| (package, it))
            });
            all.into_iter().find_map(move |(package, target)| {
                let root = path(&target["src_path"]);
                let modules = modules(&root, file, is_library)?;
                Some(Crate { package, is_library, root, modules })
            })
        };
        of_kinds(&LIBRARIES, true).or_else(|| of_kinds(&["bin"], false))
    }
}

fn path(value: &Value) -> PathBuf {
    value.as_str().unwrap_or_default().into()
}

/// The targets of a package that are of a kind.
fn targets<'a>(package: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let of_kind =
        move |it: &&Value| it["kind"].as_array().is_some_and(|all| all.iter().any(|it| it == kind));
    package["targets"].as_array().into_iter().flatten().filter(of_kind)
}

/// A folder's path from the root: `Path::ancestors` goes by names.
fn absolute(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The nearest manifest at a folder or above it.
pub(super) fn manifest_above(folder: &Path) -> Option<PathBuf> {
    absolute(folder).ancestors().map(|it| it.join("Cargo.toml")).find(|it| it.is_file())
}

/// The modules from a crate's root file to another file, by their names, if the other can be a module.
fn modules(root: &Path, file: &Path, is_library: bool) -> Option<Vec<String>> {
    if root == file {
        return Some(Vec::new());
    }
    let inside = file.strip_prefix(root.parent()?).ok()?.with_extension("");
    let mut modules: Vec<String> =
        inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    // The roots of a package's programs stand in the same folder as that of its library.
    let of_program = matches!(&modules[..], [only] if only == "main")
        || (is_library && modules.first().is_some_and(|it| it == "bin"));
    (!of_program && !modules.is_empty()).then_some(modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_go_by_the_names_of_files() {
        let of = |file: &str| modules(Path::new("/p/src/lib.rs"), Path::new(file), true);
        assert_eq!(of("/p/src/lib.rs"), Some(vec![]));
        assert_eq!(of("/p/src/a/mod.rs"), Some(vec!["a".to_owned()]));
        assert_eq!(of("/p/src/a/b.rs"), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(of("/p/src/main.rs"), None);
        assert_eq!(of("/p/src/bin/a.rs"), None);
        assert_eq!(of("/p/tests/a.rs"), None);
        let of = |file: &str| modules(Path::new("/p/src/bin/a.rs"), Path::new(file), false);
        assert_eq!(of("/p/src/bin/a.rs"), Some(vec![]));
        assert_eq!(of("/p/src/bin/a/b.rs"), Some(vec!["a".to_owned(), "b".to_owned()]));
    }
}
