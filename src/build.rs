//! Grammars in files: the part of the library that reads them, for build scripts and tools.
//!
//! Everything else takes text and a [`Resolver`]. A program that embeds a grammar calls [`check`]
//! from its `build.rs`, so that a mistake in the grammar fails the build at the line that has it,
//! and then includes the text with `include_str!` and trusts it.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::grammar::{Diagnostic, Grammar, GrammarError, Resolver, SourceFile, SourceMap};
use crate::table::Lowering;

/// A resolver that reads files: a path is relative to the folder of the including file.
///
/// A file that is reached by two paths, by way of `..` or a link, is one file under the name by
/// which it was first reached. Messages show no text of an included file that is outside of the folder of
/// the grammar that includes it.
///
/// # Examples
///
/// ```
/// use pleach::{build::FileSystem, grammar::Grammar};
///
/// let files = FileSystem::new();
/// let main = files.read("grammars/uri.pleach".as_ref())?;
/// let grammar = Grammar::read(&main.name, &main.text, &files).unwrap();
/// assert_eq!(files.paths().len(), 2);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct FileSystem {
    seen: RefCell<Vec<Seen>>,
    /// How many bytes are read together, and how many of these are left.
    most: u64,
    left: Cell<u64>,
}

/// How many bytes are read together, by default.
const MOST: u64 = 16 << 20;

/// A file that was read.
#[derive(Debug)]
struct Seen {
    /// The path as it was put together, which need not be Unicode.
    path: PathBuf,
    /// What is the same for every path to the file.
    canonical: PathBuf,
    /// The name in messages.
    name: String,
    /// The folder of the grammar that it is a part of.
    folder: PathBuf,
    hidden: bool,
}

impl Default for FileSystem {
    fn default() -> Self {
        Self { seen: RefCell::default(), most: MOST, left: Cell::new(MOST) }
    }
}

impl FileSystem {
    /// A resolver that has read nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many bytes may be read of all files together: a pipe or a device may have no end. The default is
    /// 16 MiB.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self.left.set(bytes);
        self
    }

    /// Reads a file that nothing includes.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is too long or is not UTF-8: why, with its name.
    pub fn read(&self, path: &Path) -> Result<SourceFile, String> {
        self.open(path, None)
    }

    /// Reads a file, of the grammar that is in a folder unless it is one itself.
    fn open(&self, path: &Path, folder: Option<&Path>) -> Result<SourceFile, String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut read = self.text(&path.display().to_string(), file)?;
        // A pipe has no canonical path.
        let canonical = path.canonicalize().unwrap_or_else(|_| path.into());
        let mut seen = self.seen.borrow_mut();
        if let Some(seen) = seen.iter_mut().find(|seen| seen.canonical == canonical) {
            seen.hidden &= folder.is_some();
            (read.name, read.hidden) = (seen.name.clone(), seen.hidden);
            return Ok(read);
        }
        let own = || canonical.parent().unwrap_or(&canonical).to_path_buf();
        let hidden = folder.is_some_and(|folder| !canonical.starts_with(folder));
        let folder = folder.map_or_else(own, Path::to_path_buf);
        read.hidden = hidden;
        seen.push(Seen { path: path.into(), canonical, name: read.name.clone(), folder, hidden });
        Ok(read)
    }

    /// A text that is in no file, as what a pipe gives, by a name for messages.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, is too long or is not UTF-8: the first byte that is not, and its place.
    pub fn text(&self, name: &str, from: impl Read) -> Result<SourceFile, String> {
        let mut bytes = Vec::new();
        let left = self.left.get();
        let read = from.take(left.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| format!("{name}: {error}"))?;
        let Some(left) = left.checked_sub(bytes.len() as u64) else {
            self.left.set(0);
            let most = self.most;
            return Err(format!(
                "{name}: a grammar and what it includes have at most {most} bytes together: name a text that ends, \
                 or a shorter one"
            ));
        };
        self.left.set(left);
        let text = String::from_utf8(bytes).map_err(|error| {
            let (valid, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
            let start = valid.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
            let column = String::from_utf8_lossy(&valid[start..]).chars().count() + 1;
            let byte = rest.first().copied().unwrap_or_default();
            format!(
                "{name}:{line}:{column}: byte {byte:#04x} is not UTF-8: write the text in UTF-8"
            )
        })?;
        Ok(SourceFile::new(name, text))
    }

    /// The files that were read, in order, each once.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.seen.borrow().iter().map(|seen| seen.path.clone()).collect()
    }

    /// The path of an included file, and the folder of the grammar that it is a part of.
    fn path(&self, including: &str, path: &str) -> (PathBuf, PathBuf) {
        let seen = self.seen.borrow();
        let Some(file) = seen.iter().find(|seen| seen.name == including) else {
            // A text that is no file, as one from a pipe, includes from the current folder.
            return (path.into(), Path::new(".").canonicalize().unwrap_or_default());
        };
        let beside = file.path.parent().unwrap_or(Path::new(""));
        (beside.join(path), file.folder.clone())
    }
}

impl Resolver for FileSystem {
    fn resolve(&self, including: &str, path: &str) -> Result<SourceFile, String> {
        let (path, folder) = self.path(including, path);
        self.open(&path, Some(&folder))
    }
}

/// Checks a grammar file from a build script, and ends the build where it is bad. With the feature
/// `import` it may be in another notation, told by its extension.
///
/// Prints what Cargo reads: `cargo::rerun-if-changed` for the file and all it includes, and each
/// finding as `cargo::error` or `cargo::warning` with file, line and column. The path is relative
/// to the package's folder, as Cargo runs build scripts there. Where the grammar cannot be used,
/// the process exits with status 1.
///
/// # Examples
///
/// All that `build.rs` says, with `pleach` among the build dependencies, its feature `build` on:
///
/// ```
/// pleach::build::check("grammars/json.pleach");
/// ```
pub fn check(path: impl AsRef<Path>) {
    // Cargo reads this output to its end; where nobody does, the status alone speaks.
    if !report(path.as_ref(), &mut io::stdout().lock()).unwrap_or(false) {
        std::process::exit(1);
    }
}

/// Writes Cargo's lines about a grammar, and tells whether it can be used.
fn report(path: &Path, out: &mut impl Write) -> io::Result<bool> {
    let files = FileSystem::new();
    let found = files.read(path).map(|main| lower(&main, &files));
    let mut reads = files.paths();
    if reads.is_empty() {
        // A file that cannot be read may be there the next time.
        reads.push(path.into());
    }
    for read in reads {
        writeln!(out, "cargo::rerun-if-changed={}", read.display())?;
    }
    match found {
        Err(message) => {
            writeln!(out, "cargo::error={}", line(&message))?;
            Ok(false)
        }
        Ok(Err(error)) => {
            let sources = SourceMap::new(error.files());
            error
                .diagnostics()
                .iter()
                .try_for_each(|found| write_finding(out, "error", found, &sources))?;
            Ok(false)
        }
        Ok(Ok((grammar, warnings))) => {
            let sources = SourceMap::new(&grammar.files);
            warnings.iter().try_for_each(|found| write_finding(out, "warning", found, &sources))?;
            Ok(true)
        }
    }
}

fn lower(
    main: &SourceFile,
    files: &FileSystem,
) -> Result<(Grammar, Vec<Diagnostic>), GrammarError> {
    let (grammar, mut warnings) = read(main, files)?;
    warnings.append(&mut Lowering::new().lower(&grammar)?.warnings);
    Ok((grammar, warnings))
}

/// A grammar in any notation, and what was lost of it.
#[cfg(feature = "import")]
fn read(main: &SourceFile, files: &FileSystem) -> Result<(Grammar, Vec<Diagnostic>), GrammarError> {
    let imported = crate::import::Importer::new().read(&main.name, &main.text, files)?;
    Ok((imported.grammar, imported.warnings))
}

/// A grammar in the native notation.
#[cfg(not(feature = "import"))]
fn read(main: &SourceFile, files: &FileSystem) -> Result<(Grammar, Vec<Diagnostic>), GrammarError> {
    Ok((Grammar::read(&main.name, &main.text, files)?, Vec::new()))
}

fn write_finding(
    out: &mut impl Write,
    key: &str,
    found: &Diagnostic,
    sources: &SourceMap<'_>,
) -> io::Result<()> {
    write!(out, "cargo::{key}=")?;
    if let Some(place) = sources.locate(found.span) {
        write!(out, "{place}: ")?;
    }
    write!(out, "{}", line(&found.message))?;
    if let Some(help) = &found.help {
        write!(out, " ({})", line(help))?;
    }
    writeln!(out)
}

/// A message on one line, as Cargo's are.
fn line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str) -> (bool, String) {
        let mut out = Vec::new();
        let good = report(path.as_ref(), &mut out).unwrap();
        (good, String::from_utf8(out).unwrap())
    }

    #[test]
    fn every_file_is_watched() {
        assert_eq!(
            told("grammars/uri.pleach"),
            (
                true,
                "cargo::rerun-if-changed=grammars/uri.pleach\n\
                 cargo::rerun-if-changed=grammars/ip.pleach\n"
                    .into()
            )
        );
    }

    #[test]
    fn a_mistake_is_one_line_with_its_place() {
        let (good, told) = told("tests/data/build-check/bad.pleach");
        assert!(!good);
        assert!(told.contains("cargo::error=tests/data/build-check/bad.pleach:2:11: "), "{told}");
        assert_eq!(told.lines().count(), 2, "{told}");
    }

    /// A device that has no end was read for ever, by its own name and as an include.
    #[test]
    fn endless_files_are_refused() {
        let ends = |most: u64, text: &str| {
            let files = FileSystem::new().max_bytes(most);
            let main = files.text("main", text.as_bytes()).unwrap();
            Grammar::read(&main.name, &main.text, &files).unwrap_err().to_string()
        };
        #[cfg(unix)]
        {
            let (good, told) = told("/dev/zero");
            assert!(!good && told.contains("at most 16777216 bytes together"), "{told}");
            let said = ends(1000, "%include \"/dev/zero\" ;");
            assert!(said.contains("/dev/zero: a grammar and what it includes have at"), "{said}");
        }
        // Each of them is shorter.
        let said = ends(4000, "%include \"grammars/uri.pleach\" ;");
        assert!(said.contains("ip.pleach: a grammar and what it includes have at"), "{said}");
        let files = FileSystem::new().max_bytes(4);
        assert_eq!(files.text("a", &b"1234"[..]).unwrap().text, "1234");
        assert!(files.text("b", &b"5"[..]).is_err());
        assert!(FileSystem::new().max_bytes(u64::MAX).text("c", &b"6"[..]).is_ok());
    }

    #[test]
    fn a_missing_file_is_watched_for() {
        let (good, told) = told("no/such.pleach");
        assert!(!good);
        assert!(told.starts_with("cargo::rerun-if-changed=no/such.pleach\ncargo::error=no/such"));
    }
}
