//! `pleach infer`: the language that a Rust function accepts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pleach::differential::infer::{self, Derived, Imprecision, Infer, InferError, Inference};
use pleach::differential::to_regex;
use serde_json::json;

use crate::failure::{Failure, print, to_stderr};
use crate::inputs::shown;

/// Infers the language that a Rust function accepts, from its source
///
/// A function accepts by `true`, `Some` or `Ok`; one that returns something else accepts by
/// returning without a panic. What is printed is a regex that matches whole strings, for each string
/// parameter. It includes all strings that are accepted; if it may include others, it says why, and
/// with file and line where.
///
/// With --format json, one object is printed: {"function","parameters":[{"parameter","regex","exact","states",
/// "specials","imprecisions":[{"file","line","column","message"}],"returned":[...]}]}; a "regex" that would be
/// too long is null, and the exit code is 3.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach infer src/version.rs#is_version
  pleach infer src/version.rs#Version::parse:text --format json
  pleach infer src/url.rs#is_valid --functions own.table")]
pub(crate) struct Command {
    /// The function, as FILE.rs#FUNCTION or FILE.rs#FUNCTION:PARAMETER
    #[arg(value_name = "FILE.rs#FUNCTION[:PARAMETER]")]
    function: String,
    /// How the language is put together
    #[arg(long, value_enum, default_value_t = Mode::View)]
    mode: Mode,
    /// What conditions on values say that cannot be followed back to the input; `possible` in mode
    /// `view` and `strict` in mode `paper`, if not given
    #[arg(long, value_enum)]
    derived: Option<Of>,
    /// A table of more functions, in the notation of the one that ships; may be repeated
    #[arg(long, value_name = "FILE")]
    functions: Vec<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// By following which part of the input each value is
    View,
    /// By concatenating regexes along the control flow, as published
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Of {
    /// The same as of the input
    Strict,
    /// Nothing
    Possible,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// JSON
    Json,
}

/// How long a regex is printed.
const LONGEST: usize = 1 << 16;

impl Command {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (file, function, parameter) = divide(&self.function)?;
        let files = sources(&file)?;
        let mut infer = Infer::new().mode(match self.mode {
            Mode::View => infer::Mode::View,
            Mode::Paper => infer::Mode::Paper,
        });
        if let Some(derived) = self.derived {
            infer = infer.derived(match derived {
                Of::Strict => Derived::Strict,
                Of::Possible => Derived::Possible,
            });
        }
        infer = with_tables(infer, &self.functions)?;
        let parameters = match parameter {
            Some(parameter) => vec![parameter],
            None => infer.parameters(&files, &function).map_err(failure)?,
        };
        if parameters.is_empty() {
            return Err(Failure::input(format!("error: `{function}` has no string parameter")));
        }
        let mut reports = Vec::new();
        let mut path = function.clone();
        let mut unsaid = Ok(());
        for parameter in parameters {
            let inference = infer.run(&files, &function, Some(&parameter)).map_err(failure)?;
            let line = to_regex(&inference.language, LONGEST).ok();
            if line.is_none() && unsaid.is_ok() {
                unsaid = Err(too_long(&inference));
            }
            match (self.format, line) {
                (Format::Json, line) => reports.push(of_parameter(&inference, line)),
                (Format::Text, Some(line)) => self.tell(&inference, &line)?,
                (Format::Text, None) => {}
            }
            path = inference.function;
        }
        match self.format {
            Format::Json => {
                let report = json!({"function": path, "parameters": reports});
                print(format!("{report}\n").as_bytes())?;
            }
            Format::Text => {}
        }
        unsaid
    }

    fn tell(&self, inference: &Inference, line: &str) -> Result<(), Failure> {
        let exact = match (inference.exact, self.mode) {
            (true, _) => "exactly",
            (false, Mode::View) => "at most",
            (false, Mode::Paper) => "about",
        };
        to_stderr(format_args!(
            "{} accepts of `{}`, {exact}:",
            inference.function, inference.parameter
        ));
        print(format!("{line}\n").as_bytes())?;
        if !inference.specials.is_empty() {
            let specials: String = inference.specials.iter().collect();
            to_stderr(format_args!("special characters: {specials:?}"));
        }
        for returned in &inference.returned {
            to_stderr(format_args!("returns: {returned}"));
        }
        for imprecision in &inference.imprecisions {
            to_stderr(format_args!("not exact: {imprecision}"));
        }
        Ok(())
    }
}

/// How a command ends that cannot print a language.
fn too_long(inference: &Inference) -> Failure {
    Failure::Budget(format!(
        "error: {} accepts of `{}` a language of {} states, which no regex of {LONGEST} bytes says: \
         `pleach diff` compares it with another",
        inference.function,
        inference.parameter,
        inference.language.state_count()
    ))
}

/// What is printed of a parameter as JSON.
fn of_parameter(inference: &Inference, regex: Option<String>) -> serde_json::Value {
    let imprecision = |of: &Imprecision| json!({"file": of.file, "line": of.line, "column": of.column, "message": of.message});
    let specials: String = inference.specials.iter().collect();
    json!({
        "parameter": inference.parameter,
        "regex": regex,
        "exact": inference.exact,
        "states": inference.language.state_count(),
        "specials": specials,
        "imprecisions": inference.imprecisions.iter().map(imprecision).collect::<Vec<_>>(),
        "returned": inference.returned,
    })
}

/// An analysis with more tables of functions.
pub(crate) fn with_tables(mut infer: Infer, tables: &[PathBuf]) -> Result<Infer, Failure> {
    for path in tables {
        infer = infer.functions(path.display().to_string(), read(path)?);
    }
    Ok(infer)
}

/// Why there is no language.
pub(crate) fn failure(error: InferError) -> Failure {
    let message = format!("error: {error}");
    if error.is_budget_exceeded() { Failure::Budget(message) } else { Failure::Input(message) }
}

/// The file, the function and the parameter of an argument.
pub(crate) fn divide(text: &str) -> Result<(PathBuf, String, Option<String>), Failure> {
    let Some((file, function)) = text.rsplit_once('#').filter(|(_, function)| !function.is_empty())
    else {
        let message = format!("error: `{text}` names no function: write FILE.rs#FUNCTION");
        return Err(Failure::Input(message));
    };
    // A path has two colons, and a parameter is after one.
    let at = function
        .rfind(':')
        .filter(|&at| !function[..at].ends_with(':') && !function[at + 1..].is_empty());
    Ok(match at {
        Some(at) => (file.into(), function[..at].into(), Some(function[at + 1..].into())),
        None => (file.into(), function.into(), None),
    })
}

/// How many files and bytes of a crate are read.
const MOST_FILES: usize = 400;
const MOST_BYTES: usize = 8 << 20;

/// A file and those that it may call into: its modules, and the files beside it and their modules.
///
/// The file itself comes first. Others that cannot be read or are not Rust are left out.
pub(crate) fn sources(file: &Path) -> Result<Vec<(String, String)>, Failure> {
    let text = read(file)?;
    let mut bytes = text.len();
    let mut files = vec![(file.display().to_string(), text)];
    let mut seen: BTreeSet<PathBuf> = [identity(file)].into_iter().collect();
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut folders = vec![folder.unwrap_or(Path::new(".")).to_owned()];
    // Beside a file of a library or a program stands the rest of it; elsewhere, only what the file
    // itself declares.
    let is_crate =
        ["lib.rs", "main.rs", "mod.rs"].iter().any(|root| folders[0].join(root).exists());
    let stem = file.file_stem().map(|stem| folders[0].join(stem));
    if !is_crate {
        let declared = modules(&files[0].1);
        folders.clear();
        for name in &declared {
            for path in [
                file.with_file_name(format!("{name}.rs")),
                stem.clone().unwrap_or_default().join(format!("{name}.rs")),
            ] {
                add(&path, &mut files, &mut seen, &mut bytes);
            }
        }
    }
    folders.extend(stem.filter(|stem| stem.is_dir()));
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                add(&path, &mut files, &mut seen, &mut bytes);
            }
            if files.len() >= MOST_FILES || bytes >= MOST_BYTES {
                return Ok(files);
            }
        }
    }
    Ok(files)
}

fn add(
    path: &Path,
    files: &mut Vec<(String, String)>,
    seen: &mut BTreeSet<PathBuf>,
    bytes: &mut usize,
) {
    if !seen.insert(identity(path)) {
        return;
    }
    let Ok(text) = fs::read_to_string(path) else { return };
    if *bytes + text.len() > MOST_BYTES {
        return;
    }
    *bytes += text.len();
    files.push((path.display().to_string(), text));
}

/// A file by whatever path.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The modules that a file declares in other files.
fn modules(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            found.push(name.trim().to_owned());
        }
    }
    found
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::Input(format!("error: {}: {error}", shown(path))))
}
