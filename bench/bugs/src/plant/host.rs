//! What faults are planted in: a program or a row whose released crates are copies that can be changed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use experiment::{cargo, remove};
use harness::place;
use pleach_concolic::build::{Builder, Built, Target};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::native::{Fault, Judge, Verdict};

use super::site::{self, Site};
use super::told::{Met, tell};
use super::words::wrap;
use crate::compare::{self, arms};
use crate::explore::{PATIENCE, STACK, STEPS};
use crate::fix::{copy, released};
use crate::row::{Row, rows};

/// Rows whose crates may get faults: what they read is text that comes through several functions.
const ROWS: [&str; 2] = ["chrono-rfc2822", "dtparse-month"];

/// A program that reads what a row does.
const MAIN: &str = "//! Runs the row on standard input.

fn main() {
    let mut data = Vec::new();
    let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut data);
    row::read(&data);
}
";

/// What is behind a length and base64.
const WRAPPED: &str = "//! What is read stands behind its length, in base64.

mod inner;

use base64::Engine as _;

/// Reads one input.
pub fn run(text: &str) {
    let Some((length, text)) = text.split_once(':') else { return };
    let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(text) else { return };
    if length.parse() != Ok(bytes.len()) {
        return;
    }
    let Ok(text) = std::str::from_utf8(&bytes) else { return };
    inner::run(text);
}
";

/// The grammar of that.
const GRAMMAR: &str = "// A length, and so many bytes in base64.

%start wrapped;

wrapped = length \":\" base64 ;
length  = digit+ ;
digit   = \"0\"..\"9\" ;
base64  = ( symbol symbol symbol symbol )* ( symbol symbol \"==\" | symbol symbol symbol \"=\" )? ;
symbol  = \"A\"..\"Z\" | \"a\"..\"z\" | digit | \"+\" | \"/\" ;
";

/// What kind of program it is.
pub enum Kind {
    /// A subject of `compare`, as a process with arguments and files.
    Program(&'static compare::Subject),
    /// A row.
    Row(Row),
    /// A row behind a length and base64.
    Wrapped(Row),
}

/// A program of which some packages are copies.
pub struct Host {
    pub name: String,
    pub kind: Kind,
    /// Where it is.
    folder: PathBuf,
    /// Texts to begin with, and the inputs that they are.
    pub texts: Vec<Vec<u8>>,
    pub seeds: Vec<Vec<u8>>,
}

impl Host {
    /// All, those that are wrapped last.
    pub fn all(folder: &Path) -> Result<Vec<Self>, String> {
        let names: Vec<String> = ROWS.map(String::from).to_vec();
        let programs = compare::SUBJECTS.iter().map(Kind::Program);
        let plain = rows(&names)?.into_iter().map(Kind::Row);
        let wrapped = rows(&names)?.into_iter().map(Kind::Wrapped);
        programs.chain(plain).chain(wrapped).map(|kind| Self::new(kind, folder)).collect()
    }

    fn new(kind: Kind, folder: &Path) -> Result<Self, String> {
        let of_row = |row: &Row| -> Result<Vec<Vec<u8>>, String> {
            let read = |path: &PathBuf| {
                fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
            };
            row.seeds()?.iter().map(read).collect()
        };
        let (name, texts) = match &kind {
            Kind::Program(of) => (of.name.to_owned(), of.seeds().map_err(|it| it.to_string())?),
            Kind::Row(row) => (row.name.clone(), of_row(row)?),
            Kind::Wrapped(row) => (format!("{}-base64", row.name), of_row(row)?),
        };
        let mut host = Self { folder: folder.join(&name), name, kind, texts, seeds: Vec::new() };
        host.seeds = host.texts.iter().map(|text| host.input(text)).collect();
        Ok(host)
    }

    /// The input that a text is.
    pub fn input(&self, text: &[u8]) -> Vec<u8> {
        if self.is_wrapped() { wrap(text) } else { text.to_vec() }
    }

    /// Whether what it reads is behind base64 and a length.
    pub fn is_wrapped(&self) -> bool {
        matches!(self.kind, Kind::Wrapped(_))
    }

    /// The package that is built.
    pub fn driver(&self) -> PathBuf {
        self.folder.join("driver")
    }

    /// The folder of the packages that are copies.
    pub fn packages(&self) -> PathBuf {
        self.folder.join("packages")
    }

    /// Where what one arm keeps may be.
    pub fn place(&self, arm: &str) -> PathBuf {
        self.folder.join(arm)
    }

    /// The folder in which programs are kept.
    pub fn kept(&self) -> PathBuf {
        self.folder.join("kept")
    }

    /// The machine that runs it.
    pub fn machine(&self) -> Machine {
        match self.kind {
            Kind::Program(_) => Machine::new().steps(arms::STEPS),
            Kind::Row(_) | Kind::Wrapped(_) => Machine::new().steps(STEPS).stack(STACK),
        }
    }

    /// Makes it anew, as released.
    pub fn make(&self) -> Result<(), String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        for folder in [self.driver(), self.packages()] {
            remove(&folder).map_err(said)?;
            fs::create_dir_all(&folder).map_err(said)?;
        }
        let driver = self.driver();
        let (manifest, names) = match &self.kind {
            Kind::Program(of) => {
                copy(&compare::subjects().join("src"), &driver.join("src")).map_err(said)?;
                append(&driver.join("src/lib.rs"), &tell()).map_err(said)?;
                (compare::subjects().join("Cargo.toml"), of.crates.to_vec())
            }
            Kind::Row(row) | Kind::Wrapped(row) => {
                let from = row.folder().join("src");
                copy(&from, &driver.join("src")).map_err(said)?;
                let library = driver.join("src/lib.rs");
                if self.is_wrapped() {
                    fs::rename(&library, driver.join("src/inner.rs")).map_err(said)?;
                    fs::write(&library, WRAPPED).map_err(said)?;
                    fs::write(driver.join("grammar.pleach"), GRAMMAR).map_err(said)?;
                } else if let Some(grammar) = row.grammar() {
                    fs::copy(grammar, driver.join("grammar.pleach")).map_err(said)?;
                }
                let read = if row.facts.bytes && !self.is_wrapped() {
                    "run(data)"
                } else {
                    "let _ = std::str::from_utf8(data).map(run)"
                };
                let read = format!(
                    "\n/// Reads what is told to a process.\npub fn read(data: &[u8]) {{\n    {read};\n}}\n"
                );
                append(&library, &(read + &tell())).map_err(said)?;
                fs::write(driver.join("src/main.rs"), MAIN).map_err(said)?;
                (row.folder().join("Cargo.toml"), vec![row.facts.subject.as_str()])
            }
        };
        fs::copy(manifest.with_extension("lock"), driver.join("Cargo.lock")).map_err(said)?;
        let mut text = fs::read_to_string(&manifest).map_err(said)?;
        let mut patch = "\n[patch.crates-io]\n".to_owned();
        for name in names {
            let from = released(&manifest, name, None)?;
            // `uucore` looks beside it for packages of such names.
            let to = self.packages().join(from.file_name().unwrap_or_default());
            copy(&from, &to).map_err(said)?;
            allow_lints(&to.join("src/lib.rs")).map_err(said)?;
            let path = format!("path = {:?}", to.display().to_string());
            match &self.kind {
                Kind::Program(_) => patch += &format!("{name} = {{ {path} }}\n"),
                // What depends on a row has the same copy.
                Kind::Row(row) | Kind::Wrapped(row) => {
                    let version = format!("{name} = \"={}\"", row.facts.version);
                    if !text.contains(&version) {
                        return Err(format!("{}: {version} is not what it asks for", self.name));
                    }
                    text = text.replace(&version, &format!("{name} = {{ {path} }}"));
                }
            }
        }
        match self.kind {
            Kind::Program(_) => text += &patch,
            Kind::Row(_) => {}
            Kind::Wrapped(_) => {
                text = text.replace("[dependencies]\n", "[dependencies]\nbase64 = \"0.22\"\n");
            }
        }
        fs::write(driver.join("Cargo.toml"), text).map_err(said)?;
        let fetched = Command::new(cargo())
            .args(["fetch", "--quiet", "--manifest-path"])
            .arg(driver.join("Cargo.toml"))
            .status()
            .map_err(said)?;
        match fetched.success() {
            true => Ok(()),
            false => Err(format!("{}: its packages are not to be had", self.name)),
        }
    }

    /// All sites of its packages, and the texts of the sources that have some.
    pub fn sites(&self) -> Result<(Vec<Site>, BTreeMap<PathBuf, String>), String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let (mut sites, mut texts) = (Vec::new(), BTreeMap::new());
        let mut paths = Vec::new();
        for package in compare::files(&self.packages()).map_err(said)? {
            sources(&package.join("src"), &mut paths).map_err(said)?;
        }
        for path in paths {
            let text = fs::read_to_string(&path).map_err(said)?;
            let name = path.strip_prefix(self.packages()).unwrap_or(&path).to_owned();
            let own = site::find(&name, &text);
            if !own.is_empty() {
                sites.extend(own);
                texts.insert(name, text);
            }
        }
        Ok((sites, texts))
    }

    /// Plants a fault, and builds it: where the witness fails, if it does there and no seed fails.
    pub fn plant(&self, met: &Met) -> Result<(Built, Option<Fault>), String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let path = self.packages().join(&met.site.file);
        let text = fs::read_to_string(&path).map_err(said)?;
        fs::write(&path, site::write(&text, [(&met.site, met.site.failing(&met.value))]))
            .map_err(said)?;
        let target = match &self.kind {
            Kind::Program(of) => Target::Program { name: of.name.into(), folder: self.driver() },
            Kind::Row(_) | Kind::Wrapped(_) => {
                Target::Function { file: self.driver().join("src/lib.rs"), function: "run".into() }
            }
        };
        let built = Builder::new(self.kept()).build(&target);
        let built = built.map_err(|error| format!("{}: {error}", self.name))?;
        let mut native = built.native.clone().patience(PATIENCE);
        let mut fault = match native.judge(&met.witness, None) {
            Verdict::Failed(fault) => Some(fault),
            Verdict::Passed | Verdict::Unknown(_) => None,
        };
        fault = fault.filter(|it| met.is(it));
        if self.seeds.iter().any(|seed| matches!(native.judge(seed, None), Verdict::Failed(_))) {
            fault = None;
        }
        Ok((built, fault))
    }

    /// Takes the fault out again.
    pub fn mend(&self, met: &Met) -> Result<(), String> {
        let path = self.packages().join(&met.site.file);
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let text = fs::read_to_string(&path).map_err(said)?;
        fs::write(&path, text.replace(&met.site.failing(&met.value), "")).map_err(said)
    }

    /// Writes the driver of a row as a row, with the fault's place.
    pub fn as_row(&self, fault: &Fault) -> Result<Option<Row>, String> {
        let (Kind::Row(row) | Kind::Wrapped(row)) = &self.kind else { return Ok(None) };
        let Some((file, line, _)) = &fault.location else { return Ok(None) };
        let text = format!(
            "crate = {:?}\nversion = {:?}\nsource = \"planted\"\nkind = \"panic\"\nplace = {:?}\nbytes = {}\ndeep = true\ntuning = false\nplain = true\n",
            row.facts.subject,
            row.facts.version,
            place(file, *line),
            row.facts.bytes && !self.is_wrapped(),
        );
        let path = self.driver().join("row.toml");
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Some(Row::read(&self.driver())?))
    }
}

/// What a package denies keeps it from compiling in a folder of one's own only: of a dependency lints are capped. Lines keep their numbers.
fn allow_lints(library: &Path) -> io::Result<()> {
    let Ok(text) = fs::read_to_string(library) else { return Ok(()) };
    fs::write(library, text.replace("#![deny(", "#![allow("))
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}

/// The sources in a folder, and in those in it.
fn sources(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for path in compare::files(folder)? {
        if path.is_dir() {
            sources(&path, paths)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}
