//! A program that calls a function: a package of its own that depends on the function's.
//!
//! A file that belongs to a library is reached through its package. Any other is taken as the root of a crate
//! without dependencies.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::cargo::{Artifact, Compile, Refused};
use super::function::{self, Function};
use super::package::{self, Library, Metadata};
use super::toolchain::Host;
use super::{BuildError, Builder, ir_path, write};

/// What the machine enters.
pub(super) const ENTRY: &str = "__pleach_entry";

const CALLER: &str = include_str!("caller.rs");

/// What the compiler calls a use of something private.
const PRIVATE: [&str; 2] = ["E0603", "E0624"];

/// What is tried: how a function is reached, and what its package is made of.
struct Way {
    /// The function's path from `subject`.
    path: String,
    edition: &'static str,
    /// The function's path where it is defined, if `path` may lead to another.
    defined: Option<String>,
}

/// Builds the program that calls a function.
pub(super) fn build(
    builder: &Builder,
    folder: &Path,
    host: &Host,
    file: &Path,
    function: &str,
) -> Result<Artifact, BuildError> {
    let file = fs::canonicalize(file).map_err(BuildError::io(file))?;
    let found = function::find(&file, function)?;
    let near = file.parent().unwrap_or(&file);
    let metadata = match package::manifest_above(near) {
        Some(_) => Some(Metadata::of(&builder.cargo, near)?),
        None => None,
    };
    let library = metadata.as_ref().and_then(|it| Some((it.root.as_path(), it.library(&file)?)));
    let name = function.rsplit("::").next().unwrap_or(function).trim_start_matches("r#").to_owned();
    let ir = ir_path(folder, &name, &file.join(function));
    let name = ir.file_stem().and_then(OsStr::to_str).unwrap_or(&name).to_owned();
    let stub = folder.join("stubs").join(&name);
    fs::create_dir_all(&stub).map_err(BuildError::io(&stub))?;
    if let Some((root, _)) = &library
        && let Ok(lock) = fs::read_to_string(root.join("Cargo.lock"))
    {
        write(&stub.join("Cargo.lock"), &lock)?;
    }
    let mut first: Option<Refused> = None;
    for way in ways(&library, function, &found) {
        let manifest = stub.join("Cargo.toml");
        write(&manifest, &package_of(&name, &way, &library, &file, &builder.features))?;
        let path = format!("subject::{}", way.path);
        write(
            &stub.join("main.rs"),
            &CALLER.replace("@PATH@", &path).replace("@ARGUMENT@", found.argument),
        )?;
        let ir = ir.clone();
        let compile = Compile {
            builder,
            host,
            manifest: &manifest,
            name: &name,
            features: &[],
            fuzzing: false,
            ir,
            folder,
        };
        match compile.run()? {
            Ok(artifact) if is_defined(&artifact.program, way.defined.as_deref())? => {
                return Ok(artifact);
            }
            Ok(_) => {}
            Err(refused) => {
                let goes_on = library.is_none() || is_private(&refused);
                first.get_or_insert(refused);
                if !goes_on {
                    break;
                }
            }
        }
    }
    let target = format!("{}#{function}", file.display());
    Err(match first {
        Some(refused) if is_private(&refused) => BuildError::Private {
            file,
            place: found.place,
            function: function.to_owned(),
            text: refused.text,
        },
        refused => {
            let mut text = refused.map(|it| it.text).unwrap_or_default();
            if library.is_none() {
                text += "the file is none of a library's modules, and was taken as a crate without dependencies\n";
            }
            BuildError::Compile { target, text }
        }
    })
}

/// Whether the compiler refused nothing but the use of something private.
fn is_private(refused: &Refused) -> bool {
    !refused.codes.is_empty() && refused.codes.iter().all(|it| PRIVATE.contains(&it.as_str()))
}

/// How the function may be reached: by its modules, or, where they are private, by a public use nearer to the root.
fn ways(library: &Option<(&Path, Library)>, function: &str, found: &Function) -> Vec<Way> {
    let Some((_, library)) = library else {
        // What is idiomatic today comes first, but much is written for the one before.
        let way = |edition| Way { path: function.to_owned(), edition, defined: None };
        return vec![way("2024"), way("2021")];
    };
    let mut parts: Vec<&str> = library.modules.iter().map(String::as_str).collect();
    parts.extend(function.split("::"));
    // An associated function goes with its type.
    let last = 1 + usize::from(found.associated);
    let modules = parts.len().saturating_sub(last);
    let full = parts.join("::");
    (0..=modules)
        .rev()
        .map(|kept| {
            let path = [&parts[..kept], &parts[modules..]].concat().join("::");
            let defined = (kept < modules && !found.associated).then(|| full.clone());
            Way { path, edition: "2024", defined }
        })
        .collect()
}

/// Whether a program calls the function that is meant: names nearer to the root may be others'.
fn is_defined(program: &Path, defined: Option<&str>) -> Result<bool, BuildError> {
    let Some(defined) = defined else { return Ok(true) };
    let output = Command::new(program).arg("--definition").stdin(Stdio::null()).output();
    let output = output.map_err(BuildError::io(program))?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.trim().split_once("::").is_some_and(|(_, path)| path == defined))
}

/// The manifest of the package.
fn package_of(
    name: &str,
    way: &Way,
    library: &Option<(&Path, Library)>,
    file: &Path,
    features: &[String],
) -> String {
    // A string of JSON is one of TOML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let subject = match library {
        Some((_, library)) => {
            let features: Vec<String> = features.iter().map(|it| quoted(it)).collect();
            format!(
                "[dependencies.subject]\npackage = {}\npath = {}\nfeatures = [{}]\n",
                quoted(&library.package),
                quoted(&library.folder.to_string_lossy()),
                features.join(", ")
            )
        }
        None => format!("[lib]\nname = \"subject\"\npath = {}\n", quoted(&file.to_string_lossy())),
    };
    format!(
        "[package]\nname = \"pleach-target\"\nversion = \"0.0.0\"\nedition = \"{}\"\n\n\
         [workspace]\n\n[[bin]]\nname = {}\npath = \"main.rs\"\n\n{subject}",
        way.edition,
        quoted(name)
    )
}
