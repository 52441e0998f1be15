//! The grammar that a command is about.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use pleach::build::FileSystem;
use pleach::grammar::{Encoding, Grammar, Resolver, SourceFile, SourceMap};
use pleach::import::{Imported, Importer, Notation};
use pleach::table::{Lowered, Lowering};

use crate::failure::{Failure, many, to_stderr};

/// Which grammar, and from which rule.
#[derive(Args)]
pub(crate) struct Load {
    /// The grammar, in the native notation or one that --from lists; `-` reads standard input, and
    /// includes are then relative to the current folder
    grammar: PathBuf,
    /// Start from this rule instead of the grammar's start rule
    #[arg(long, value_name = "RULE")]
    start: Option<String>,
    #[command(flatten)]
    foreign: Foreign,
}

/// How a grammar in another notation is read.
#[derive(Args)]
#[command(next_help_heading = "Other notations")]
pub(crate) struct Foreign {
    /// The grammar's notation, if its extension does not tell
    #[arg(long, value_name = "NOTATION", value_parser = notations())]
    from: Option<Notation>,
    /// A grammar that defines what this one only names; may be repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// What a symbol is, of this grammar and of those of --with, where the notation leaves it open
    #[arg(long, value_enum)]
    encoding: Option<Symbols>,
    /// Refuse a grammar of which something cannot be carried over
    #[arg(long)]
    strict: bool,
}

/// What a symbol of a grammar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Symbols {
    /// A Unicode scalar value, written as UTF-8
    Unicode,
    /// A byte
    Bytes,
}

fn notations() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::names()).try_map(|name| name.parse::<Notation>())
}

impl Load {
    /// Whether the grammar is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.grammar == Path::new("-")
    }

    /// Whether what cannot be carried over is an error.
    pub(crate) fn is_strict(&self) -> bool {
        self.foreign.strict
    }

    /// The files that a grammar was read from.
    pub(crate) fn paths(&self, grammar: &Grammar) -> Vec<PathBuf> {
        let included = grammar.files.iter().map(|file| PathBuf::from(&file.name));
        [&self.grammar].into_iter().chain(&self.foreign.with).cloned().chain(included).collect()
    }

    /// Reads and lowers the grammar.
    pub(crate) fn load(&self) -> Result<(Grammar, Lowered), Failure> {
        let files = FileSystem::new();
        let main = self.main(&files)?;
        let mut imported = self.foreign.read(&main, self.start.as_deref(), &files)?;
        let lowered = Lowering::new().lower(&imported.grammar);
        if lowered.is_err() {
            // What was lost may be why the grammar cannot be used.
            warn(&imported);
        }
        let mut lowered = lowered.map_err(Failure::grammar)?;
        imported.warnings.append(&mut lowered.warnings);
        lowered.warnings = imported.warnings;
        Ok((imported.grammar, lowered))
    }

    /// Reads the grammar.
    pub(crate) fn import(&self) -> Result<Imported, Failure> {
        let files = FileSystem::new();
        let main = self.main(&files)?;
        self.foreign.read(&main, self.start.as_deref(), &files)
    }

    fn main(&self, files: &FileSystem) -> Result<SourceFile, Failure> {
        if self.is_stdin() {
            return stdin(files);
        }
        files.read(&self.grammar).map_err(|error| Failure::Input(format!("error: {error}")))
    }

    /// As [`Load::load`], for a command that is not about the grammar's own faults.
    pub(crate) fn load_quietly(&self) -> Result<Lowered, Failure> {
        Ok(self.load_both_quietly()?.1)
    }

    /// As [`Load::load_quietly`], with the grammar.
    pub(crate) fn load_both_quietly(&self) -> Result<(Grammar, Lowered), Failure> {
        let (grammar, lowered) = self.load()?;
        if !lowered.warnings.is_empty() {
            let warnings = many(lowered.warnings.len() as u64, "warning");
            to_stderr(format_args!("the grammar has {warnings}, which `pleach check` shows"));
        }
        Ok((grammar, lowered))
    }
}

impl Foreign {
    /// Whether any of it was given.
    pub(crate) fn is_given(&self) -> bool {
        self.from.is_some() || !self.with.is_empty() || self.encoding.is_some() || self.strict
    }

    /// The notation of a grammar.
    pub(crate) fn notation(&self, main: &SourceFile) -> Notation {
        self.from.unwrap_or_else(|| Notation::of(&main.name, &main.text))
    }

    /// Reads a grammar from a rule on, with what it includes from a resolver.
    pub(crate) fn read(
        &self,
        main: &SourceFile,
        start: Option<&str>,
        included: &dyn Resolver,
    ) -> Result<Imported, Failure> {
        if self.notation(main) == Notation::Native {
            // What is not native is asked to say more of itself; this has words for it.
            let given =
                [("--with", !self.with.is_empty()), ("--encoding", self.encoding.is_some())];
            let words = ["%include \"FILE\" as NAME;", "%encoding bytes;"];
            if let Some(((option, _), word)) = given.iter().zip(words).find(|((_, it), _)| *it) {
                return Err(Failure::Input(format!(
                    "error: {}: {option} is for other notations than the native one, in which `{word}` says that",
                    main.name
                )));
            }
        }
        let files = FileSystem::new();
        let encoding = self.encoding.map(|symbols| match symbols {
            Symbols::Unicode => Encoding::Unicode,
            Symbols::Bytes => Encoding::Bytes,
        });
        let mut others = Importer::new().partial(true).strict(self.strict);
        let mut importer = Importer::new().strict(self.strict);
        if let Some(encoding) = encoding {
            (others, importer) = (others.encoding(encoding), importer.encoding(encoding));
        }
        for path in &self.with {
            let with =
                files.read(path).map_err(|error| Failure::Input(format!("error: {error}")))?;
            let with = others.read(&with.name, &with.text, &files).map_err(Failure::grammar)?;
            warn(&with);
            importer = importer.with(with.grammar);
        }
        if let Some(notation) = self.from {
            importer = importer.notation(notation);
        }
        if let Some(start) = start {
            importer = importer.start(start);
        }
        importer.read(&main.name, &main.text, included).map_err(Failure::grammar)
    }
}

/// Says what was lost.
pub(crate) fn warn(imported: &Imported) {
    let sources = SourceMap::new(&imported.grammar.files);
    for warning in &imported.warnings {
        to_stderr(sources.render(warning));
    }
}

/// Reads a grammar of which nothing but its file is said.
pub(crate) fn grammar(path: &Path) -> Result<Grammar, Failure> {
    grammar_by(Importer::new(), path)
}

/// Reads a grammar's file by an importer.
pub(crate) fn grammar_by(importer: Importer, path: &Path) -> Result<Grammar, Failure> {
    let files = FileSystem::new();
    let main = files.read(path).map_err(|error| Failure::Input(format!("error: {error}")))?;
    let imported = importer.read(&main.name, &main.text, &files).map_err(Failure::grammar)?;
    Ok(imported.grammar)
}

fn stdin(files: &FileSystem) -> Result<SourceFile, Failure> {
    files
        .text("<stdin>", std::io::stdin().lock())
        .map_err(|error| Failure::Input(format!("error: {error}")))
}

/// The table of a grammar of which nothing but its file is said.
#[cfg(all(feature = "inside", unix))]
pub(crate) fn table(path: &Path) -> Result<pleach::table::Table, Failure> {
    Ok(Lowering::new().lower(&grammar(path)?).map_err(Failure::grammar)?.table)
}
