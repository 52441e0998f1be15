//! Code of other languages in a program: what build scripts link in, of which rustc prints no IR.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};

use super::BuildError;
use super::cargo::Artifact;

/// A library of another language that a package links in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The package whose build script did it.
    pub package: String,
    /// The library's name, as the linker is told it.
    pub library: String,
    /// Those of its functions that the program's IR declares; none are known of a library that is loaded when the program
    /// starts.
    pub functions: Vec<String>,
}

/// The foreign libraries of a program whose functions no text defines, and the texts that Clang printed.
pub(super) fn find(artifact: &Artifact) -> Result<(Vec<Foreign>, Vec<PathBuf>), BuildError> {
    let mut more = Vec::new();
    let mut foreign = Vec::new();
    if artifact.scripts.iter().all(|it| it.libraries.is_empty()) {
        return Ok((foreign, more));
    }
    let ir = fs::read(&artifact.ir).map_err(BuildError::io(&artifact.ir))?;
    let mut wanted = names(&ir, b"\ndeclare ");
    for script in artifact.scripts.iter().filter(|it| !it.libraries.is_empty()) {
        for text in texts(&script.out)? {
            let ir = fs::read(&text).map_err(BuildError::io(&text))?;
            let defined = names(&ir, b"\ndefine ");
            // A build script may compile what is not linked: only what something calls counts, now or from another text.
            wanted.extend(names(&ir, b"\ndeclare "));
            wanted.retain(|name| !defined.contains(name));
            more.push(text);
        }
    }
    let defined: BTreeSet<String> = more
        .iter()
        .filter_map(|text| fs::read(text).ok())
        .flat_map(|ir| names(&ir, b"\ndefine "))
        .collect();
    wanted.retain(|name| !defined.contains(name));
    for script in &artifact.scripts {
        for library in &script.libraries {
            let (kind, name) = library.split_once('=').unwrap_or(("", library));
            let name = name.split_once(':').map_or(name, |(name, _)| name);
            let archive = script
                .folders
                .iter()
                .map(|it| it.join(format!("lib{name}.a")))
                .find(|it| it.is_file());
            let functions = match archive {
                Some(archive) => symbols(&archive)?.intersection(&wanted).cloned().collect(),
                None => Vec::new(),
            };
            // What an archive has is known: if nothing calls it, nothing is foreign.
            if !functions.is_empty() || !kind.starts_with("static") {
                foreign.push(Foreign {
                    package: script.package.clone(),
                    library: name.to_owned(),
                    functions,
                });
            }
        }
    }
    Ok((foreign, more))
}

/// Whether a program's own code, or that of a dependency, catches panics: that is a function of each closure that it is done for.
pub(super) fn catches(ir: &Path) -> Result<bool, BuildError> {
    let text = fs::read(ir).map_err(BuildError::io(ir))?;
    let mut defined = memmem::find_iter(&text, b"\ndefine ").map(|at| &text[at + 1..]);
    Ok(defined.any(|line| {
        let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
        memmem::find(&line[..end], b"12catch_unwind").is_some()
    }))
}

/// The names of the functions in a text's lines that begin with a word.
fn names(ir: &[u8], word: &[u8]) -> BTreeSet<String> {
    let of = |at: usize| {
        let line = &ir[at + word.len()..];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        let name = &line[memchr::memchr(b'@', line)? + 1..];
        let name = match name.strip_prefix(b"\"") {
            Some(quoted) => &quoted[..memchr::memchr(b'"', quoted)?],
            None => &name[..memchr::memchr(b'(', name)?],
        };
        let name = std::str::from_utf8(name).ok()?;
        (!name.starts_with("llvm.")).then(|| name.to_owned())
    };
    memmem::find_iter(ir, word).filter_map(of).collect()
}

/// What an archive of objects defines for others.
fn symbols(archive: &Path) -> Result<BTreeSet<String>, BuildError> {
    let failed = |error: object::Error| BuildError::Io {
        path: archive.to_owned(),
        error: std::io::Error::other(error),
    };
    let data = fs::read(archive).map_err(BuildError::io(archive))?;
    let mut defined = BTreeSet::new();
    for member in ArchiveFile::parse(&*data).map_err(failed)?.members() {
        let member = member.map_err(failed)?.data(&*data).map_err(failed)?;
        // Members need not be objects.
        let Ok(object) = object::File::parse(member) else { continue };
        let global = object.symbols().filter(|it| it.is_definition() && it.is_global());
        defined.extend(global.filter_map(|it| it.name().ok().map(str::to_owned)));
    }
    Ok(defined)
}

/// The texts of IR below a folder, in the order of their paths.
fn texts(folder: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).map_err(BuildError::io(&folder))? {
            let path = entry.map_err(BuildError::io(&folder))?.path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|it| it == "ll") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_declarations_alone() {
        let ir = b"\ndeclare void @llvm.trap()\ndeclare noundef i32 @one(ptr) #1\ndefine void @\"a b\"() {\n  call void @two()\n";
        assert_eq!(names(ir, b"\ndeclare "), ["one".to_owned()].into());
        assert_eq!(names(ir, b"\ndefine "), ["a b".to_owned()].into());
    }
}
