//! What keeps a target from being built, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Why a target was not built. Its text says what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// A text is no target.
    NoTarget {
        /// The text.
        text: String,
    },
    /// The compiler prints IR that the reader does not know, or for another machine.
    Toolchain {
        /// What it is, and what is supported.
        text: String,
    },
    /// A file can't be read as Rust.
    Source {
        /// The file.
        file: PathBuf,
        /// The line and column, from 1.
        place: (usize, usize),
        /// What the parser said.
        text: String,
    },
    /// There is no such function in the file.
    Absent {
        /// The file.
        file: PathBuf,
        /// The function asked for.
        function: String,
        /// One with a name like it, if there is one.
        near: Option<String>,
    },
    /// Nothing outside the function's crate can call it.
    Private {
        /// The file.
        file: PathBuf,
        /// The line and column of the function's name, from 1.
        place: (usize, usize),
        /// The function asked for.
        function: String,
        /// What the compiler said, if it was asked.
        text: String,
    },
    /// The function is generic: it is many, and none of them is named.
    Generic {
        /// The file.
        file: PathBuf,
        /// The line and column of the function's name, from 1.
        place: (usize, usize),
        /// The function asked for.
        function: String,
    },
    /// The function takes something else than one text or bytes.
    Unsupported {
        /// The file.
        file: PathBuf,
        /// The line and column of the function's name, from 1.
        place: (usize, usize),
        /// The function asked for.
        function: String,
        /// What it is that is not supported.
        what: String,
    },
    /// A package has no such program or fuzz target, or several have one.
    NoProgram {
        /// The program asked for.
        name: String,
        /// The manifest that was read.
        manifest: PathBuf,
        /// The programs that there are.
        known: Vec<String>,
    },
    /// There is no package, or no cargo-fuzz folder, at a folder or above it.
    NoPackage {
        /// The folder.
        folder: PathBuf,
        /// What is not there.
        what: &'static str,
    },
    /// It does not compile.
    Compile {
        /// The target.
        target: String,
        /// What the compiler said.
        text: String,
    },
    /// A tool could not be run, or a file not be read or written.
    Io {
        /// The tool or file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

impl BuildError {
    /// What an error of the system becomes, by the path that it befell.
    pub(super) fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |error| Self::Io { path, error }
    }

    /// Runs a tool, which reads nothing, to its end.
    pub(super) fn run(mut command: Command, tool: &Path) -> Result<Output, Self> {
        command.stdin(Stdio::null()).output().map_err(Self::io(tool))
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |file: &Path, (line, column): &(usize, usize)| {
            format!("{}:{line}:{column}", file.display())
        };
        match self {
            Self::NoTarget { text } => {
                write!(f, "`{text}` is no target: write FILE.rs#FUNCTION, fuzz:NAME or bin:NAME")
            }
            Self::Toolchain { text } => f.write_str(text),
            Self::Source { file, place, text } => write!(f, "{}: {text}", at(file, place)),
            Self::Absent { file, function, near } => {
                write!(f, "{}: there is no function `{function}`", file.display())?;
                match near {
                    Some(near) => write!(f, ": is it `{near}`"),
                    None => f.write_str(
                        ": name it by its path in the file (`module::function` or `Type::function`); \
                         one that a macro makes needs one that calls it",
                    ),
                }
            }
            Self::Private { file, place, function, text } => write!(
                f,
                "{}: `{function}` is private: make it and its modules `pub`, or name a public function \
                 that calls it{}{text}",
                at(file, place),
                if text.is_empty() { "" } else { "\n" },
            ),
            Self::Generic { file, place, function } => write!(
                f,
                "{}: `{function}` is generic: name a function that calls it with types of its own",
                at(file, place)
            ),
            Self::Unsupported { file, place, function, what } => write!(
                f,
                "{}: `{function}` {what}: name a function that takes one `&str`, `&[u8]`, `String`, `Vec<u8>` or \
                 array of bytes",
                at(file, place)
            ),
            Self::NoProgram { name, manifest, known } => {
                write!(f, "{}: no single program is named `{name}`", manifest.display())?;
                match &known[..] {
                    [] => f.write_str(", and there are no others: name a package that has one"),
                    known => write!(f, ": name one of {}", known.join(", ")),
                }
            }
            Self::NoPackage { folder, what } => {
                write!(
                    f,
                    "{}: there is no {what} here or above: go to the package's folder",
                    folder.display()
                )
            }
            Self::Compile { target, text } => {
                write!(
                    f,
                    "`{target}` does not compile: see that it does in its release profile\n{text}"
                )
            }
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
