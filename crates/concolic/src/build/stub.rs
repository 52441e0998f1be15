//! A program that calls a function: a package of its own that depends on the function's.
//!
//! A file that belongs to a library is reached through its package; how such packages are written is `manifest`'s. A
//! program's becomes a library with what the program depends on. Any other file is taken as the root of a crate without
//! dependencies.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::cargo::{Artifact, Compile, Refused};
use super::function::{self, Function};
use super::manifest::{self, Manifest};
use super::package::{self, Crate, Metadata};
use super::{BuildError, Builder, Place, Wanted, ir_path, write};

/// What the machine enters.
pub(super) const ENTRY: &str = "__pleach_entry";

/// Where callers are kept, in the builder's folder.
pub(super) const FOLDER: &str = "stubs";

const CALLER: &str = include_str!("caller.rs");

/// What the compiler calls a use of something private.
const PRIVATE: [&str; 2] = ["E0603", "E0624"];

/// What is tried: how a function is reached, and what its package is made of.
struct Way {
    /// The function's path from `subject`.
    path: String,
    edition: String,
    /// The function's path where it is defined, if `path` may lead to another.
    defined: Option<String>,
}

/// Builds the program that calls a function.
pub(super) fn build(
    builder: &Builder,
    Place { folder, host }: &Place,
    file: &Path,
    function: &str,
    wanted: Wanted<'_>,
) -> Result<Artifact, BuildError> {
    let file = fs::canonicalize(file).map_err(BuildError::io(file))?;
    let found = function::find(&file, function)?;
    let near = file.parent().unwrap_or(&file);
    let metadata = match package::manifest_above(near) {
        Some(_) => Some(Metadata::of(&builder.cargo, near)?),
        None => None,
    };
    let subject = metadata.as_ref().and_then(|it| it.crate_of(&file));
    let root = metadata.as_ref().filter(|_| subject.is_some()).map(|it| it.root.as_path());
    let name = function.rsplit("::").next().unwrap_or(function).trim_start_matches("r#").to_owned();
    let ir = ir_path(folder, &name, &file.join(function));
    let name = ir.file_stem().and_then(OsStr::to_str).unwrap_or(&name).to_owned();
    let stub = folder.join(FOLDER).join(&name);
    fs::create_dir_all(&stub).map_err(BuildError::io(&stub))?;
    if let Some(root) = root
        && let Ok(lock) = fs::read_to_string(root.join("Cargo.lock"))
    {
        write(&stub.join("Cargo.lock"), &lock)?;
    }
    let mut first: Option<Refused> = None;
    let patches = root.map(manifest::patches).transpose()?.unwrap_or_default();
    for way in ways(&subject, function, &found) {
        let manifest = stub.join("Cargo.toml");
        let text = Manifest {
            name: &name,
            edition: &way.edition,
            subject: subject.as_ref(),
            file: &file,
            features: &builder.features,
            patches: &patches,
        };
        write(&manifest, &text.to_string())?;
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
            wanted,
            folder,
        };
        match compile.run()? {
            Ok(artifact) if is_defined(&artifact.program, way.defined.as_deref())? => {
                return Ok(artifact);
            }
            Ok(_) => {}
            Err(refused) => {
                let goes_on = subject.is_none() || is_private(&refused);
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
            if subject.is_none() {
                text += "the file is none of a package's modules, and was taken as a crate without dependencies\n";
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
fn ways(subject: &Option<Crate<'_>>, function: &str, found: &Function) -> Vec<Way> {
    let Some(subject) = subject else {
        // What is idiomatic today comes first, but much is written for the one before.
        let way = |edition: &str| Way {
            path: function.to_owned(),
            edition: edition.to_owned(),
            defined: None,
        };
        return vec![way("2024"), way("2021")];
    };
    // A program becomes a part of the caller's package, whose edition it needs.
    let own = subject.package["edition"].as_str().filter(|_| !subject.is_library);
    let edition = own.unwrap_or("2024");
    let mut parts: Vec<&str> = subject.modules.iter().map(String::as_str).collect();
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
            Way { path, edition: edition.to_owned(), defined }
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
