//! `pleach suggest`: which specification does a phrase mean?

use std::fmt::Write;
use std::fs;
use std::io::{self, Read};

use clap::Args;
use pleach::differential::known::{Known, Structure};
use serde::Serialize;

use crate::check::Format;
use crate::failure::{Failure, print, to_stderr};
use crate::inputs::shown;
use crate::known::{KnownFiles, failure};
use crate::output::write_named;
use crate::report::json;

/// Suggests specifications of what a phrase says that strings are
///
/// The phrase, a line of a function's documentation say, is compared with the descriptions of standard
/// string structures that ship, and with those of --known files. The likeliest come first, each with a
/// score: 1 is for the same words, 0 for none in common. `known:NAME` is then a specification for other
/// commands. Exit code 1 if none reaches --threshold.
///
/// With --add, what PHRASE means is added to the last --known file, so that it is suggested from then on.
///
/// With --format json, one object is printed: {"phrase","suggestions":[{"name","score","description",
/// "source","specification"}]}, where the specification is a regex that matches whole strings. With
/// --list it is {"structures":[...]}, of the same without scores.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach suggest 'the timestamp, in RFC 3339 format'
  pleach suggest 'address of the mail server' -n 3 --format json
  pleach suggest 'the number of a part' --known own.toml --add part --spec '[A-Z]{2}-[0-9]+'")]
pub(crate) struct Suggest {
    /// What the strings are, in words; `-` reads standard input
    #[arg(required_unless_present = "list", allow_hyphen_values = true)]
    phrase: Option<String>,
    /// List all structures that are known, instead
    #[arg(long, conflicts_with_all = ["phrase", "n", "threshold", "add"])]
    list: bool,
    /// Show at most this many
    #[arg(short, default_value_t = 5)]
    n: usize,
    #[command(flatten)]
    known: KnownFiles,
    /// Show what has at least this score
    #[arg(long, value_name = "SCORE", default_value_t = Known::THRESHOLD)]
    threshold: f64,
    /// Add a structure of this name to the last --known file, which is made if it is not there, with
    /// PHRASE as its description
    #[arg(long, value_name = "NAME", requires = "spec", requires = "files")]
    add: Option<String>,
    /// The specification of what is added: a regex that matches whole strings, with {fragments}
    #[arg(long, value_name = "REGEX", requires = "add", allow_hyphen_values = true)]
    spec: Option<String>,
    /// Where that specification is from
    #[arg(long, value_name = "TEXT", requires = "add", default_value = "pleach suggest --add")]
    #[arg(allow_hyphen_values = true)]
    source: String,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    phrase: &'a str,
    suggestions: Vec<Found<'a>>,
}

/// What is printed as JSON with --list.
#[derive(Serialize)]
struct Listed<'a> {
    structures: Vec<Found<'a>>,
}

/// One structure.
#[derive(Serialize)]
struct Found<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    description: &'a str,
    source: &'a str,
    specification: &'a str,
}

impl<'a> Found<'a> {
    fn new(structure: &'a Structure, score: Option<f64>) -> Self {
        Self {
            name: structure.name(),
            score,
            description: structure.description(),
            source: structure.source(),
            specification: structure.pattern(),
        }
    }
}

impl Suggest {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Some(phrase) = &self.phrase else { return self.list() };
        let phrase = read_phrase(phrase)?;
        if let (Some(name), Some(spec)) = (&self.add, &self.spec) {
            return self.add(name, &phrase, spec);
        }
        let known = self.known.read()?;
        let mut found = known.suggest_from(&phrase, self.threshold);
        found.truncate(self.n);
        match self.format {
            Format::Json => {
                let suggestions =
                    found.iter().map(|one| Found::new(one.structure, Some(one.score))).collect();
                print(json(&Report { phrase: &phrase, suggestions })?.as_bytes())?;
            }
            Format::Text => {
                let found = found.iter().map(|found| (Some(found.score), found.structure));
                print(text(found).as_bytes())?;
            }
        }
        if found.is_empty() {
            let message = "nothing that is known resembles the phrase: say it in other words, lower \
                           --threshold, or add a structure with --add";
            return Err(Failure::No(message.into()));
        }
        Ok(())
    }

    /// Prints what is known.
    fn list(&self) -> Result<(), Failure> {
        let known = self.known.read()?;
        let structures = known.structures();
        if self.format == Format::Json {
            let structures = structures.iter().map(|one| Found::new(one, None)).collect();
            return print(json(&Listed { structures })?.as_bytes());
        }
        print(text(structures.iter().map(|structure| (None, structure))).as_bytes())
    }

    /// Appends a structure to the last file.
    fn add(&self, name: &str, phrase: &str, spec: &str) -> Result<(), Failure> {
        let Some((path, others)) = self.known.files.split_last() else {
            return Err(Failure::Input("error: --add needs a --known file".into()));
        };
        let mut known = KnownFiles { files: others.to_vec() }.read()?;
        let file = shown(path);
        let mut text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(Failure::Input(format!("error: cannot read {file}: {error}")));
            }
        };
        known.read(&file, &text).map_err(failure)?;
        // A structure that ships or is in another file is replaced; a table may not be there twice.
        if text.lines().any(|line| line.trim() == format!("[{name}]")) {
            let message =
                format!("error: {file} has `{name}` already: edit it there, or use another name");
            return Err(Failure::Input(message));
        }
        let structure = Structure::new(name, phrase.trim(), self.source.trim(), spec);
        known.add(structure.clone()).map_err(failure)?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&structure.to_toml());
        write_named(path, text.as_bytes())?;
        to_stderr(format_args!("{name} is added to {file}"));
        Ok(())
    }
}

fn read_phrase(phrase: &str) -> Result<String, Failure> {
    if phrase != "-" {
        return Ok(phrase.to_owned());
    }
    let mut phrase = String::new();
    let read = io::stdin().lock().read_to_string(&mut phrase);
    read.map_err(|error| Failure::Input(format!("error: standard input: {error}")))?;
    Ok(phrase)
}

/// A line for each structure, with its score if it has one.
fn text<'a>(found: impl Iterator<Item = (Option<f64>, &'a Structure)> + Clone) -> String {
    let width = found.clone().map(|(_, structure)| structure.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (score, structure) in found {
        let (name, description) = (structure.name(), structure.description());
        if let Some(score) = score {
            // Writing to a string cannot fail.
            let _ = write!(text, "{score:.2}  ");
        }
        let _ = writeln!(text, "{name:width$}  {description} ({})", structure.source());
    }
    text
}
