//! Builds a program that runs a function: a package of its own, in a folder that is kept, by Cargo, which knows what is fresh.
//!
//! A file is only written where that changes it, and which way of calling the function compiled is remembered and tried first: so
//! where nothing has changed, nothing is compiled.

use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::inputs::shown;
use crate::kept::{Workspace, tool};

/// What calls the function and answers: a module, with `@CALL@` for the call.
const HARNESS: &str = include_str!("harness.rs");

/// The program of a crate that has the module in it.
const MAIN: &str = "extern crate subject as _;\nunsafe extern \"Rust\" { safe fn __pleach_run(); }\nfn main() { __pleach_run() }\n";

/// How many source files of a folder are copied at most, and how many bytes of each.
const COPIED: (usize, u64) = (2_000, 4 << 20);

/// How many folders are looked into for them.
const FOLDERS: usize = 1_000;

/// How a function takes a text: what stands for it in a call. The first that compiles is taken. What is not
/// UTF-8 is rejected for a function that takes text.
const TAKES: [&str; 3] = ["text_or_nothing(text)?", "text_or_nothing(text)?.to_owned()", "text"];

/// The same of a text that is there.
const ARGUMENTS: [&str; TAKES.len()] = ["text", "text.to_owned()", "text.as_bytes()"];

/// How others call a function: its path from a test of its package, or from a module in its file, and what it takes in the
/// place of `text`.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    pub(crate) path: String,
    pub(crate) argument: &'static str,
}

/// The editions of a file that is a crate by itself: what is idiomatic today comes first, but much is written for the one
/// before.
const EDITIONS: [&str; 2] = ["2024", "2021"];

pub(super) enum BuildError {
    Io(io::Error),
    /// What the compiler said, and what could be done about it.
    Refused {
        text: String,
        mend: String,
    },
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// How a function is called.
#[derive(Clone, Copy)]
enum Way {
    /// Through the library package that its file is of.
    Package,
    /// In a copy of its file, as a crate of this edition: a private function of a file that needs no other crate can be run,
    /// too.
    Alone(&'static str),
}

/// A function whose caller is built.
struct Build<'a> {
    file: &'a Path,
    function: &'a str,
    package: Option<Package>,
    /// Where the caller's package is.
    folder: PathBuf,
    /// Where Cargo builds all callers.
    target: PathBuf,
    /// The caller's name.
    name: String,
    /// The lock file of the function's workspace.
    lock: Option<PathBuf>,
}

/// Builds what runs a function in a folder that keeps it, in the first way that compiles; what is said of the first is
/// said. The file's path is the whole one.
pub(super) fn program(
    file: &Path,
    function: &str,
    kept: &Path,
    workspace: Option<&Workspace>,
) -> Result<(PathBuf, Called), BuildError> {
    let last = function.rsplit("::").next().unwrap_or(function).trim_start_matches("r#");
    let last: String = last.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut hasher = DefaultHasher::new();
    (file, function).hash(&mut hasher);
    let name = format!("call-{last}-{:016x}", hasher.finish());
    let package = Package::of(file);
    let build = Build {
        file,
        function,
        folder: kept.join("callers").join(&name),
        target: kept.join("callers").join("target"),
        name,
        lock: workspace.map(|it| it.root.join("Cargo.lock")).filter(|_| package.is_some()),
        package,
    };
    fs::create_dir_all(&build.folder)?;
    build.any()
}

impl Build<'_> {
    fn any(&self) -> Result<(PathBuf, Called), BuildError> {
        let package = self.package.as_ref().map(|_| Way::Package);
        let alone = EDITIONS.map(Way::Alone);
        let ways: Vec<(Way, &str)> = TAKES
            .iter()
            .flat_map(|&takes| package.into_iter().chain(alone).map(move |way| (way, takes)))
            .collect();
        let mut order: Vec<usize> = (0..ways.len()).collect();
        let remembered = self.folder.join("way");
        let known = fs::read_to_string(&remembered).ok().and_then(|text| text.parse().ok());
        if let Some(known) = known.filter(|&known: &usize| known < ways.len()) {
            order[..=known].rotate_right(1);
        }
        let mut first = None;
        for number in order {
            let (way, takes) = ways[number];
            let built = match way {
                Way::Package => self.in_package(takes),
                Way::Alone(edition) => self.alone(edition, takes),
            };
            match built {
                Ok(program) => {
                    write(&remembered, number.to_string().as_bytes())?;
                    return Ok((program, self.called(way, number)));
                }
                Err(refused @ BuildError::Refused { .. }) => {
                    first.get_or_insert(refused);
                }
                Err(error) => return Err(error),
            }
        }
        Err(first.unwrap_or_else(|| io::Error::other("there is no way to build it").into()))
    }

    /// How the way of a number calls the function.
    fn called(&self, way: Way, number: usize) -> Called {
        let ways = EDITIONS.len() + usize::from(self.package.is_some());
        let path = match (way, &self.package) {
            (Way::Package, Some(package)) => {
                let name = package.library().unwrap_or_default();
                let modules = package.modules.iter().map(String::as_str);
                let path = [&*name].into_iter().chain(modules).chain([self.function]);
                path.collect::<Vec<_>>().join("::")
            }
            _ => format!("super::{}", self.function),
        };
        Called { path, argument: ARGUMENTS[number / ways] }
    }

    /// Builds a program that depends on the function's package.
    fn in_package(&self, takes: &str) -> Result<PathBuf, BuildError> {
        let Some(package) = &self.package else {
            return Err(io::Error::other("the file is of no package").into());
        };
        let mut manifest = self.manifest("2024");
        manifest["dependencies"]["subject"]["package"] = toml_edit::value(package.name()?);
        manifest["dependencies"]["subject"]["path"] =
            toml_edit::value(package.folder.to_string_lossy().into_owned());
        let path = ["::subject"].into_iter().chain(package.modules.iter().map(String::as_str));
        let path = path.chain([self.function]).collect::<Vec<_>>().join("::");
        let main = format!("fn main() {{ __pleach::__pleach_run() }}\n{}", harness(&path, takes));
        self.cargo(&manifest, &main, &format!("see that `{path}` is public"))
    }

    /// Builds a copy of the function's file, as the root of a crate, with the sources of its folder beside it.
    fn alone(&self, edition: &str, takes: &str) -> Result<PathBuf, BuildError> {
        let sources = self.folder.join("sources");
        let name = self.file.file_name().unwrap_or(OsStr::new("lib.rs"));
        let root =
            fs::read_to_string(self.file)? + &harness(&format!("super::{}", self.function), takes);
        copy_sources(self.file, &sources, root.as_bytes())?;
        let mut manifest = self.manifest(edition);
        manifest["lib"]["name"] = toml_edit::value("subject");
        let path = Path::new("sources").join(name);
        manifest["lib"]["path"] = toml_edit::value(path.to_string_lossy().into_owned());
        manifest["profile"]["dev"]["opt-level"] = toml_edit::value(1);
        self.cargo(&manifest, MAIN, "see that the file compiles without other crates")
    }

    fn manifest(&self, edition: &str) -> toml_edit::DocumentMut {
        let mut manifest = toml_edit::DocumentMut::new();
        // Cargo tells packages in one folder apart by their names: each caller's workspace has its own.
        manifest["package"]["name"] = toml_edit::value(&self.name);
        manifest["package"]["version"] = toml_edit::value("0.0.0");
        manifest["package"]["edition"] = toml_edit::value(edition);
        let mut program = toml_edit::Table::new();
        program["name"] = toml_edit::value(&self.name);
        program["path"] = toml_edit::value("main.rs");
        let mut programs = toml_edit::ArrayOfTables::new();
        programs.push(program);
        manifest["bin"] = toml_edit::Item::ArrayOfTables(programs);
        // A workspace of its own, wherever it is kept.
        manifest["workspace"] = toml_edit::table();
        manifest
    }

    /// Builds the caller's package.
    fn cargo(
        &self,
        manifest: &toml_edit::DocumentMut,
        main: &str,
        mend: &str,
    ) -> Result<PathBuf, BuildError> {
        write(&self.folder.join("Cargo.toml"), manifest.to_string().as_bytes())?;
        write(&self.folder.join("main.rs"), main.as_bytes())?;
        if let Some(lock) = &self.lock {
            let own = self.folder.join("Cargo.lock");
            let changed = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
            // Cargo adds the caller to it.
            if changed(lock).is_some_and(|time| changed(&own).is_none_or(|own| own < time)) {
                fs::copy(lock, own)?;
            }
        }
        let mut command = Command::new(tool("CARGO", "cargo"));
        command.args(["build", "--quiet", "--bin", &self.name, "--target-dir"]).arg(&self.target);
        // Where the program is depends on the user's configuration.
        command.arg("--message-format=json-render-diagnostics");
        command
            .current_dir(&self.folder)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET")
            .env("RUSTFLAGS", "--cap-lints=allow");
        let messages = finish(command, mend)?;
        let program = messages.split(|&byte| byte == b'\n').find_map(|line| {
            let message: Value = serde_json::from_slice(line).ok()?;
            let is_program = message["target"]["name"] == *self.name;
            message["executable"].as_str().filter(|_| is_program).map(PathBuf::from)
        });
        program.ok_or_else(|| io::Error::other("Cargo does not say where it built it").into())
    }
}

/// The module that calls a function by a path.
fn harness(path: &str, takes: &str) -> String {
    HARNESS.replace("@CALL@", &format!("{path}({takes})"))
}

/// Writes a file, if that changes it: Cargo goes by the time of its last change.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::read(path) {
        Ok(old) if old == bytes => Ok(()),
        _ => fs::write(path, bytes),
    }
}

/// Copies the Rust sources of a file's folder and those below it, the nearest first, with another text for the file. What is hidden
/// or cannot be read is left out, and so is `target`. What was copied before and is no more is removed.
fn copy_sources(file: &Path, to: &Path, text: &[u8]) -> io::Result<()> {
    let from = file.parent().unwrap_or(Path::new("."));
    let root = to.join(file.file_name().unwrap_or(OsStr::new("lib.rs")));
    fs::create_dir_all(to)?;
    write(&root, text)?;
    let mut copied = HashSet::from([root]);
    let mut folders = VecDeque::from([(from.to_owned(), to.to_owned())]);
    let mut found = 1;
    while let Some((from, copies)) = folders.pop_front() {
        let entries = fs::read_dir(&from).into_iter().flatten().flatten();
        for entry in entries.filter(|it| !it.file_name().to_string_lossy().starts_with('.')) {
            let (path, copy) = (entry.path(), copies.join(entry.file_name()));
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // What is kept may be kept below the sources.
                let is_wanted = !to.starts_with(&path) && entry.file_name() != "target";
                if is_wanted && found < FOLDERS {
                    found += 1;
                    folders.push_back((path, copy));
                }
            } else if path.extension() == Some(OsStr::new("rs"))
                && copied.len() < COPIED.0
                && !copied.contains(&copy)
                && fs::metadata(&path).is_ok_and(|it| it.is_file() && it.len() <= COPIED.1)
                && let Ok(bytes) = fs::read(&path)
            {
                fs::create_dir_all(&copies)?;
                write(&copy, &bytes)?;
                copied.insert(copy);
            }
        }
    }
    let mut folders = vec![to.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if !copied.contains(&entry.path()) {
                fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

/// A library package that a file belongs to.
struct Package {
    folder: PathBuf,
    /// The modules from the crate's root to the file.
    modules: Vec<String>,
}

impl Package {
    /// The package whose `src/lib.rs` has the file as a module, by their paths.
    fn of(file: &Path) -> Option<Self> {
        let folder = file.ancestors().skip(1).find(|path| path.join("Cargo.toml").is_file())?;
        let sources = folder.join("src");
        let inside = file.strip_prefix(&sources).ok()?;
        if !sources.join("lib.rs").is_file() {
            return None;
        }
        let mut modules: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = modules.pop()?;
        match name.as_str() {
            "lib.rs" | "mod.rs" => {}
            _ => modules.push(name.strip_suffix(".rs")?.to_owned()),
        }
        (modules.first().map(String::as_str) != Some("bin"))
            .then(|| Self { folder: folder.to_owned(), modules })
    }

    /// The package's name, as its manifest has it.
    fn name(&self) -> Result<String, BuildError> {
        self.names().map(|names| names.0)
    }

    /// The name by which tests know its library.
    fn library(&self) -> Result<String, BuildError> {
        let (package, library) = self.names()?;
        Ok(library.unwrap_or(package).replace('-', "_"))
    }

    /// The names of the package, and of its library where that has one of its own.
    fn names(&self) -> Result<(String, Option<String>), BuildError> {
        let manifest = self.folder.join("Cargo.toml");
        let refused = |text: String| BuildError::Refused {
            text,
            mend: format!("see that {} names its package", shown(&manifest)),
        };
        let text = fs::read_to_string(&manifest)?;
        let document: toml_edit::DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| refused(error.to_string()))?;
        let name = |table: &str| Some(document.get(table)?.get("name")?.as_str()?.to_owned());
        let package = name("package").ok_or_else(|| refused(String::new()))?;
        Ok((package, name("lib")))
    }
}

/// Runs Cargo, and has what it prints.
fn finish(mut command: Command, mend: &str) -> Result<Vec<u8>, BuildError> {
    let name = command.get_program().to_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| BuildError::Refused {
        text: error.to_string(),
        mend: format!("install Rust, so that `{}` can be run", name.display()),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(BuildError::Refused { text, mend: mend.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::TemporaryFolder;

    #[test]
    fn sources_are_copied_within_bounds() {
        let folder = TemporaryFolder::new("copies").expect("a temporary folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let put = |path: &str| {
            let path = from.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "mod it;").expect("a file");
        };
        let kept = ["it.rs", "a.rs", "b/c.rs"];
        kept.into_iter().for_each(put);
        [".#a.rs", ".git/a.rs", "target/a.rs", "no/text.md"].into_iter().for_each(put);
        for number in 0..FOLDERS + 10 {
            fs::create_dir_all(from.join(format!("b/{number}/deep"))).expect("a folder");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/nowhere", from.join("dangling.rs")).expect("a link");
        let copies = || {
            let mut files = Vec::new();
            let (mut folders, mut count) = (vec![to.clone()], 0);
            while let Some(folder) = folders.pop() {
                count += 1;
                for entry in fs::read_dir(folder).expect("a folder").flatten() {
                    match entry.path().is_dir() {
                        true => folders.push(entry.path()),
                        false => files.push(entry.path()),
                    }
                }
            }
            files.sort();
            (files, count)
        };
        copy_sources(&from.join("it.rs"), &to, b"other").expect("it is copied");
        let mut expected = kept.map(|path| to.join(path)).to_vec();
        expected.sort();
        assert_eq!(copies(), (expected, 2));
        assert_eq!(fs::read(to.join("it.rs")).expect("a file"), b"other");
        // However many there are, the file itself is there, and what is gone is removed.
        fs::remove_file(from.join("b/c.rs")).expect("a file");
        for number in 0..COPIED.0 + 5 {
            put(&format!("more{number}.rs"));
        }
        copy_sources(&from.join("it.rs"), &to, b"third").expect("it is copied");
        assert_eq!(copies().0.len(), COPIED.0);
        assert!(!to.join("b/c.rs").exists());
        assert_eq!(fs::read(to.join("it.rs")).expect("a file"), b"third");
    }
}
