//! The rows: a folder each under `rows/`.

use std::fmt;
use std::path::{Path, PathBuf};

use harness::Fault;
use serde::Deserialize;

/// What `row.toml` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The crate that has the fault.
    #[serde(rename = "crate")]
    pub subject: String,
    /// Its version, the one that `Cargo.toml` asks for.
    pub version: String,
    /// Where the fault is told of: an advisory, an issue, a line of `pool.tsv`, or `planted`.
    pub source: String,
    /// What kind of fault it is.
    pub kind: Kind,
    /// Where it is, as the harness writes places; of a spent stack and a hang, the function that recurs or
    /// loops.
    pub place: String,
    /// The path of a grammar in the repository, without its suffix; a row may have its own, in
    /// `grammar.pleach`, or none.
    pub grammar: Option<String>,
    /// Whether inputs are bytes. Otherwise they are text.
    #[serde(default)]
    pub bytes: bool,
    /// Whether two or more functions of the subject are between the input and the fault.
    pub deep: bool,
    /// Whether the row may be looked at when something is tuned.
    pub tuning: bool,
    /// Whether the witness also fails in a plain release build, which does not check for overflows.
    pub plain: bool,
}

/// What a fault is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An index or a range that is out of bounds, or within a character.
    Bounds,
    /// Arithmetic that overflows, or divides by zero.
    Arithmetic,
    /// `unwrap` or `expect` of what is not there.
    Unwrap,
    /// Any other panic, such as a failed assertion.
    Panic,
    /// The stack is spent.
    Stack,
    /// An execution that takes more than five seconds.
    Hang,
}

/// A row.
#[derive(Debug)]
pub struct Row {
    /// The name of its folder.
    pub name: String,
    /// What `row.toml` says.
    pub facts: Facts,
    folder: PathBuf,
}

impl Row {
    /// Reads the row in a folder.
    ///
    /// # Errors
    ///
    /// Where `row.toml` cannot be read.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join("row.toml");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let facts = toml_edit::de::from_str(&text)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, facts, folder: folder.to_owned() })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The input that fails.
    pub fn witness(&self) -> PathBuf {
        self.folder.join("witness")
    }

    /// The harmless inputs, in order.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn seeds(&self) -> Result<Vec<PathBuf>, String> {
        let folder = self.folder.join("seeds");
        let mut seeds: Vec<_> = std::fs::read_dir(&folder)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        if seeds.is_empty() {
            return Err(format!("{}: there is no seed", folder.display()));
        }
        seeds.sort_unstable();
        Ok(seeds)
    }

    /// The grammar, where there is one.
    pub fn grammar(&self) -> Option<PathBuf> {
        let own = self.folder.join("grammar.pleach");
        if own.exists() {
            return Some(own);
        }
        self.facts.grammar.as_ref().map(|path| root().join(format!("{path}.pleach")))
    }

    /// What is a hit, as the harness has it.
    pub fn fault(&self) -> Fault<'_> {
        match self.facts.kind {
            Kind::Stack => Fault::Stack,
            Kind::Hang => Fault::Hang,
            Kind::Bounds | Kind::Arithmetic | Kind::Unwrap | Kind::Panic => {
                Fault::Panic(&self.facts.place)
            }
        }
    }

    /// Whether the fault was planted.
    pub fn is_planted(&self) -> bool {
        self.facts.source == "planted"
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bounds => "bounds",
            Self::Arithmetic => "arithmetic",
            Self::Unwrap => "unwrap",
            Self::Panic => "panic",
            Self::Stack => "stack",
            Self::Hang => "hang",
        })
    }
}

/// The folder of this package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    package().join("../..")
}

/// All rows by name, or those of some names.
///
/// # Errors
///
/// Where one cannot be read, or there is none of a name.
pub fn rows(names: &[String]) -> Result<Vec<Row>, String> {
    rows_of("rows", names)
}

/// The same of another folder of this package.
///
/// # Errors
///
/// Where one cannot be read, or there is none of a name.
pub fn rows_of(folder: &str, names: &[String]) -> Result<Vec<Row>, String> {
    let folder = package().join(folder);
    let mut folders: Vec<PathBuf> = match names {
        [] => std::fs::read_dir(&folder)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .map_err(|error| format!("{}: {error}", folder.display()))?,
        names => names.iter().map(|name| folder.join(name)).collect(),
    };
    folders.sort_unstable();
    folders.iter().map(|folder| Row::read(folder)).collect()
}
