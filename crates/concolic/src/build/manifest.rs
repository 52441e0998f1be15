//! The manifest of a package that calls a function, and what it has to say of the function's own package.
//!
//! Where the function is in a library, that is one dependency. A program can't be depended on: its root becomes the
//! caller's library, with the dependencies, features and build script that its package has. Patches hold where the
//! workspace's root says them, so they are said again, with paths from the root of the file system.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toml_edit::DocumentMut;

use super::BuildError;
use super::package::Crate;

/// What a manifest says.
pub(super) struct Manifest<'a> {
    /// The program's name.
    pub(super) name: &'a str,
    pub(super) edition: &'a str,
    /// The crate that the function is in, if it is in one.
    pub(super) subject: Option<&'a Crate<'a>>,
    pub(super) file: &'a Path,
    /// Features of the crate.
    pub(super) features: &'a [String],
    /// The workspace's own.
    pub(super) patches: &'a str,
}

/// A string of TOML, which one of JSON is.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn quoted_path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", texts.join(", "))
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

impl fmt::Display for Manifest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.subject.filter(|it| !it.is_library);
        writeln!(f, "[package]\nname = \"pleach-target\"\nedition = {}", quoted(self.edition))?;
        let version = program.and_then(|it| it.package["version"].as_str()).unwrap_or("0.0.0");
        writeln!(f, "version = {}", quoted(version))?;
        if let Some(script) = program.and_then(Crate::script) {
            writeln!(f, "build = {}", quoted_path(&script))?;
        }
        writeln!(
            f,
            "\n[workspace]\n\n[[bin]]\nname = {}\npath = \"main.rs\"\n",
            quoted(self.name)
        )?;
        match self.subject {
            Some(subject) if subject.is_library => {
                writeln!(
                    f,
                    "[dependencies.subject]\npackage = {}\npath = {}\nfeatures = {}",
                    quoted(subject.package["name"].as_str().unwrap_or_default()),
                    quoted_path(&subject.folder()),
                    list(self.features.iter().map(String::as_str))
                )?;
            }
            Some(program) => self.program(f, program)?,
            None => writeln!(f, "[lib]\nname = \"subject\"\npath = {}", quoted_path(self.file))?,
        }
        f.write_str(self.patches)
    }
}

impl Manifest<'_> {
    /// A program as a library.
    fn program(&self, f: &mut fmt::Formatter<'_>, program: &Crate<'_>) -> fmt::Result {
        writeln!(f, "[lib]\nname = \"subject\"\npath = {}", quoted_path(&program.root))?;
        let package = program.package;
        if let Some(library) = program.library() {
            let name = library["name"].as_str().unwrap_or_default();
            let own = package["name"].as_str().unwrap_or_default();
            let folder = program.folder();
            writeln!(
                f,
                "\n[dependencies.{}]\npackage = {}\npath = {}",
                quoted(name),
                quoted(own),
                quoted_path(&folder)
            )?;
            writeln!(f, "features = {}", list(self.features.iter().map(String::as_str)))?;
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            dependency_table(f, dependency)?;
        }
        let own = package["features"].as_object();
        writeln!(f, "\n[features]")?;
        let asked: Vec<&str> = self.features.iter().map(String::as_str).collect();
        let default = own.and_then(|all| all.get("default")).map(strings).into_iter().flatten();
        writeln!(f, "default = {}", list(default.chain(asked)))?;
        for (name, parts) in own.into_iter().flatten().filter(|(name, _)| *name != "default") {
            writeln!(f, "{} = {}", quoted(name), list(strings(parts)))?;
        }
        Ok(())
    }
}

/// A dependency, as Cargo says it, as a table of a manifest; nothing of one for tests.
fn dependency_table(f: &mut fmt::Formatter<'_>, dependency: &Value) -> fmt::Result {
    let kind = match dependency["kind"].as_str() {
        None => "dependencies",
        Some("build") => "build-dependencies",
        Some(_) => return Ok(()),
    };
    let text = |name: &str| dependency[name].as_str();
    let name = text("name").unwrap_or_default();
    let target = text("target").map_or_else(String::new, |it| format!("target.{}.", quoted(it)));
    writeln!(f, "\n[{target}{kind}.{}]", quoted(text("rename").unwrap_or(name)))?;
    writeln!(f, "package = {}\nversion = {}", quoted(name), quoted(text("req").unwrap_or("*")))?;
    if let Some(path) = text("path") {
        writeln!(f, "path = {}", quoted(path))?;
    } else if let Some(git) = text("source").and_then(|it| it.strip_prefix("git+")) {
        let (url, query) = git.split_once('?').unwrap_or((git, ""));
        writeln!(f, "git = {}", quoted(url.split('#').next().unwrap_or(url)))?;
        if let Some((kind @ ("branch" | "tag" | "rev"), which)) = query.split_once('=') {
            writeln!(f, "{kind} = {}", quoted(which.split('#').next().unwrap_or(which)))?;
        }
    } else if let Some(index) = text("registry") {
        writeln!(f, "registry-index = {}", quoted(index))?;
    }
    writeln!(f, "default-features = {}", dependency["uses_default_features"] != false)?;
    writeln!(f, "optional = {}", dependency["optional"] == true)?;
    writeln!(f, "features = {}", list(strings(&dependency["features"])))
}

/// The patches of a workspace, by its root's folder, with paths from the root of the file system.
pub(super) fn patches(root: &Path) -> Result<String, BuildError> {
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(BuildError::io(&manifest))?;
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        BuildError::Compile { target: manifest.display().to_string(), text: error.to_string() }
    })?;
    let Some(mut patch) = document.remove("patch") else { return Ok(String::new()) };
    for (_, source) in patch.as_table_like_mut().into_iter().flat_map(|it| it.iter_mut()) {
        for (_, by) in source.as_table_like_mut().into_iter().flat_map(|it| it.iter_mut()) {
            if let Some(path) = by.get_mut("path")
                && let Some(relative) = path.as_str().map(PathBuf::from)
            {
                *path = toml_edit::value(root.join(relative).to_string_lossy().into_owned());
            }
        }
    }
    let mut only = DocumentMut::new();
    only.insert("patch", patch);
    Ok(format!("\n{only}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_said_again_with_whole_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let of = |text: &str| {
            fs::write(root.join("Cargo.toml"), text).expect("a file");
            patches(root)
        };
        assert_eq!(of("[package]\nname = \"a\"\n").expect("it is read"), "");
        let said = of("[patch.crates-io]\na = { path = \"own/a\" }\nb = { git = \"https://x\", rev = \"1\" }\n\
            [patch.\"https://y\".c]\npath = \"/c\"\n").expect("it is read");
        let again: DocumentMut = said.parse().expect("it is TOML");
        let patch = &again["patch"];
        assert_eq!(patch["crates-io"]["a"]["path"].as_str(), root.join("own/a").to_str());
        assert_eq!(patch["crates-io"]["b"]["rev"].as_str(), Some("1"));
        assert_eq!(patch["https://y"]["c"]["path"].as_str(), Some("/c"));
        assert!(of("[patch").is_err());
    }
}
