//! What faults are planted in: a program or a row whose released crates are copies that can be changed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{cargo, remove};
use harness::place;
use pleach_concolic::build::{Builder, Built, Target};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::native::{Fault, Judge, Verdict};
use pleach_explore::parts;
use pleach_explore::random::Random;
use serde_json::Value;

use super::site::{self, Site};
use crate::compare::{self, arms};
use crate::explore::{PATIENCE, STACK, STEPS};
use crate::fix::copy;
use crate::row::{Row, rows};

/// Rows whose crates may get faults: what they read is text that comes through several functions.
const ROWS: [&str; 2] = ["chrono-rfc2822", "dtparse-month"];
/// The variable that names the file to which arguments are told.
const TOLD: &str = "PLEACH_TOLD";
/// How many inputs are made to see what functions are called with.
const INPUTS: usize = 600;
/// How many lines a process tells at most.
const LINES: usize = 4096;
/// How many texts are tried with the compiler until all statements compile.
const ROUNDS: usize = 32;

/// What tells arguments: once each in a process, with how deep the call is the first time.
const TELL: &str = r#"
/// Tells an argument.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_told(of: u32, at: *const u8, length: usize) {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;
    use std::io::Write as _;
    use std::sync::Mutex;
    static SEEN: Mutex<(usize, BTreeMap<u32, (usize, Vec<Vec<u8>>)>)> = Mutex::new((0, BTreeMap::new()));
    let Some(path) = std::env::var_os("PLEACH_TOLD") else { return };
    let value = unsafe { std::slice::from_raw_parts(at, length) };
    let Ok(mut seen) = SEEN.lock() else { return };
    if length > 64 || seen.0 >= LINES {
        return;
    }
    seen.0 += 1;
    let known = seen.1.entry(of).or_insert_with(|| {
        let trace = std::backtrace::Backtrace::force_capture().to_string();
        let names = trace.lines().filter_map(|line| line.trim_start().split_once(": ").map(|it| it.1));
        let own = |name: &&str| {
            let name = name.trim_start_matches('<');
            !["std::", "core::", "alloc::", "__", "main", "_start"].iter().any(|it| name.starts_with(it)) && !name.ends_with("pleach_told")
        };
        (names.filter(own).count(), Vec::new())
    });
    if known.1.iter().any(|it| it == value) {
        return;
    }
    known.1.push(value.to_vec());
    let mut line = format!("{of} {} ", known.0);
    for byte in value {
        let _ = write!(line, "{byte:02x}");
    }
    line.push('\n');
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}
"#;

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
    /// The inputs to begin with.
    pub seeds: Vec<Vec<u8>>,
}

/// An argument's value that one input alone has brought.
pub struct Met {
    pub site: Site,
    pub value: Vec<u8>,
    /// How many calls deep the function is, `main`'s own call of another function being the first.
    pub depth: u32,
    /// The input.
    pub witness: Vec<u8>,
}

impl Met {
    /// Whether a failure is the fault that was planted here.
    pub fn is(&self, fault: &Fault) -> bool {
        let location = fault.location.as_ref();
        location.is_some_and(|(file, line, _)| self.is_at(file, *line, &fault.message))
    }

    /// The same by where it is and what it says.
    pub fn is_at(&self, file: &str, line: u32, message: &str) -> bool {
        line == self.site.line
            && Path::new(file).ends_with(&self.site.file)
            && message.contains("planted")
    }
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
        let (name, seeds) = match &kind {
            Kind::Program(of) => (of.name.to_owned(), of.seeds().map_err(|it| it.to_string())?),
            Kind::Row(row) => (row.name.clone(), of_row(row)?),
            Kind::Wrapped(row) => {
                let seeds = of_row(row)?.iter().map(|seed| wrap(seed)).collect();
                (format!("{}-base64", row.name), seeds)
            }
        };
        Ok(Self { folder: folder.join(&name), name, kind, seeds })
    }

    /// Whether what it reads is behind base64 and a length.
    pub fn is_wrapped(&self) -> bool {
        matches!(self.kind, Kind::Wrapped(_))
    }

    /// The package that is built.
    pub fn driver(&self) -> PathBuf {
        self.folder.join("driver")
    }

    fn packages(&self) -> PathBuf {
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
        for (name, from) in self.released(&manifest, &names)? {
            // `uucore` looks beside it for packages of such names.
            let to = self.packages().join(from.file_name().unwrap_or_default());
            copy(&from, &to).map_err(said)?;
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

    /// The folders in which Cargo keeps these packages.
    fn released(&self, manifest: &Path, names: &[&str]) -> Result<Vec<(String, PathBuf)>, String> {
        let said = |why: &dyn std::fmt::Display| format!("{}: {why}", self.name);
        let output = Command::new(cargo())
            .args([
                "metadata",
                "--format-version",
                "1",
                "--locked",
                "--all-features",
                "--manifest-path",
            ])
            .arg(manifest)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| said(&error))?;
        let metadata: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| said(&error))?;
        let of = |&name: &&str| {
            let mut packages = metadata["packages"].as_array().into_iter().flatten();
            let package = packages.find(|it| it["name"] == *name);
            let manifest = package.and_then(|it| it["manifest_path"].as_str()).map(Path::new);
            let folder = manifest.and_then(Path::parent).map(Path::to_owned);
            folder.map(|it| (name.to_owned(), it)).ok_or_else(|| said(&format_args!("no {name}")))
        };
        names.iter().map(of).collect()
    }

    /// All sites of its packages, and the texts of the sources that have some.
    fn sites(&self) -> Result<(Vec<Site>, BTreeMap<PathBuf, String>), String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let (mut sites, mut texts) = (Vec::new(), BTreeMap::new());
        let mut paths = Vec::new();
        for package in listed(&self.packages()).map_err(said)? {
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

    /// What functions three calls deep and deeper are called with by inputs in which words are other ones, and by no seed.
    pub fn met(&self, random: &mut Random) -> Result<Vec<Met>, String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let (sites, texts) = self.sites()?;
        let program = self.telling(&sites, &texts)?;
        let file = self.folder.join("told");
        let mut met: BTreeMap<(usize, Vec<u8>), (u32, Vec<usize>)> = BTreeMap::new();
        let inner: Vec<Vec<u8>> = match &self.kind {
            Kind::Wrapped(row) => {
                Self::new(Kind::Row(Row::read(row.folder())?), &self.folder)?.seeds
            }
            Kind::Program(_) | Kind::Row(_) => self.seeds.clone(),
        };
        let mut inputs = self.seeds.clone();
        while inputs.len() < INPUTS {
            let text = changed(&inner[inputs.len() % inner.len()], random);
            inputs.push(if self.is_wrapped() { wrap(&text) } else { text });
        }
        for (number, input) in inputs.iter().enumerate() {
            fs::write(&file, "").map_err(said)?;
            self.process(&program, input, &file).map_err(said)?;
            for line in fs::read_to_string(&file).unwrap_or_default().lines() {
                let Some((of, depth, value)) = told(line) else { continue };
                let known = met.entry((of, value)).or_insert((depth, Vec::new()));
                known.0 = known.0.min(depth);
                known.1.push(number);
            }
        }
        let all = met.into_iter().filter_map(|((of, value), (depth, by))| {
            let site = sites.get(of)?;
            let is_rare = match site.kind {
                site::Kind::Number => u64::from_le_bytes(value.as_slice().try_into().ok()?) >= 1000,
                _ => value.len() >= 4,
            };
            let [by] = by[..] else { return None };
            (is_rare && depth >= 3 && by >= self.seeds.len()).then(|| {
                let witness = inputs[by].clone();
                Met { site: site.clone(), value, depth, witness }
            })
        });
        Ok(all.collect())
    }

    /// Builds it with statements that tell arguments, without those that the compiler refuses: the program.
    fn telling(
        &self,
        sites: &[Site],
        texts: &BTreeMap<PathBuf, String>,
    ) -> Result<PathBuf, String> {
        let said = |error: io::Error| format!("{}: {error}", self.name);
        let mut refused = vec![false; sites.len()];
        for _ in 0..ROUNDS {
            for (file, text) in texts {
                let own =
                    sites.iter().enumerate().filter(|(at, it)| it.file == *file && !refused[*at]);
                let text = site::write(text, own.map(|(at, it)| (it, it.telling(at))));
                fs::write(self.packages().join(file), text).map_err(said)?;
            }
            let bin = match &self.kind {
                Kind::Program(of) => of.name,
                Kind::Row(_) | Kind::Wrapped(_) => "row",
            };
            let target = self.folder.join("telling");
            let mut command = Command::new(cargo());
            command.args(["build", "--quiet", "--bin", bin, "--target-dir"]).arg(&target);
            if let Kind::Program(of) = &self.kind {
                command.args(["--features", of.name]);
            }
            let output = command
                .arg("--manifest-path")
                .arg(self.driver().join("Cargo.toml"))
                .env("RUSTFLAGS", "--cap-lints=allow")
                .output()
                .map_err(said)?;
            if output.status.success() {
                for (file, text) in texts {
                    fs::write(self.packages().join(file), text).map_err(said)?;
                }
                return Ok(target.join("debug").join(bin));
            }
            let text = String::from_utf8_lossy(&output.stderr);
            let mut is_known = false;
            for line in text.lines() {
                let Some((_, place)) = line.split_once("--> ") else { continue };
                let mut parts = place.trim_end().rsplitn(3, ':');
                let (_, line, path) = (parts.next(), parts.next(), parts.next());
                let (Some(Ok(line)), Some(path)) = (line.map(str::parse::<u32>), path) else {
                    continue;
                };
                for (at, site) in sites.iter().enumerate() {
                    if site.line == line && Path::new(path).ends_with(&site.file) {
                        is_known |= !refused[at];
                        refused[at] = true;
                    }
                }
            }
            if !is_known {
                return Err(format!("{}: it does not compile: {text}", self.name));
            }
        }
        Err(format!("{}: the compiler refuses too many statements", self.name))
    }

    /// Runs a program on an input, with a file to tell to.
    fn process(&self, program: &Path, input: &[u8], file: &Path) -> io::Result<()> {
        let place = self.folder.join("place");
        remove(&place)?;
        fs::create_dir_all(&place)?;
        let input = match self.kind {
            Kind::Program(_) => parts::input(input),
            Kind::Row(_) | Kind::Wrapped(_) => pleach_concolic::build::Input::bytes(input),
        };
        let mut command = Command::new("timeout");
        command.arg("5").arg(program);
        command.args(input.arguments.iter().map(|it| std::ffi::OsStr::from_bytes(it)));
        for (path, text) in &input.files {
            fs::write(place.join(path.file_name().unwrap_or_default()), text)?;
        }
        command.env(TOLD, file).current_dir(&place);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = match command.spawn() {
            // A zero in an argument.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(()),
            child => child?,
        };
        // A program need not read it all.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(&input.bytes));
        child.wait().map(|_| ())
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

/// The function that is told.
fn tell() -> String {
    TELL.replace("LINES", &LINES.to_string())
}

/// A line that was told: which site, how deep, and the value.
fn told(line: &str) -> Option<(usize, u32, Vec<u8>)> {
    let mut parts = line.splitn(3, ' ');
    let (of, depth) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let digits = parts.next()?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some((of, depth, (0..digits.len() / 2).map(|at| byte(2 * at)).collect::<Option<_>>()?))
}

/// A text behind its length, in base64.
fn wrap(text: &[u8]) -> Vec<u8> {
    const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut wrapped = format!("{}:", text.len()).into_bytes();
    for bytes in text.chunks(3) {
        let all = bytes.iter().fold(0u32, |all, &byte| all << 8 | u32::from(byte))
            << (8 * (3 - bytes.len()));
        for at in 0..4 {
            let symbol = SYMBOLS[(all >> (18 - 6 * at) & 63) as usize];
            wrapped.push(if at > bytes.len() { b'=' } else { symbol });
        }
    }
    wrapped
}

/// A text in which one or two words are other ones: of an input of several parts, behind the marks of lines.
fn changed(text: &[u8], random: &mut Random) -> Vec<u8> {
    let is_parts = text.starts_with(b"%parts\n");
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_own = is_parts && line.first() != Some(&b'|');
        for at in begin + usize::from(is_parts)..begin + line.len() {
            if is_own || !text[at].is_ascii_alphanumeric() {
                continue;
            }
            match words.last_mut() {
                Some(word) if word.end == at => word.end += 1,
                _ => words.push(at..at + 1),
            }
        }
        begin += line.len();
    }
    let mut changed = text.to_vec();
    let mut left = words.len();
    // From the end on, so that the places before stay.
    for _ in 0..1 + random.below(2) {
        if left == 0 {
            break;
        }
        let at = random.below(left);
        changed.splice(words[at].clone(), word(random));
        left = at;
    }
    changed
}

/// A word of four to twelve characters, or a number.
fn word(random: &mut Random) -> Vec<u8> {
    let symbols: &[u8] = match random.below(3) {
        0 => b"0123456789",
        1 => b"abcdefghijklmnopqrstuvwxyz",
        _ => b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
    };
    (0..4 + random.below(9)).map(|_| symbols[random.below(symbols.len())]).collect()
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}

/// What is in a folder, in order.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|it| Ok(it?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

/// The sources in a folder, and in those in it.
fn sources(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for path in listed(folder)? {
        if path.is_dir() {
            sources(&path, paths)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrapped_has_its_length_and_is_base64() {
        for (text, wrapped) in [
            ("", "0:"),
            ("f", "1:Zg=="),
            ("fo", "2:Zm8="),
            ("foo", "3:Zm9v"),
            ("foob", "4:Zm9vYg=="),
        ] {
            assert_eq!(wrap(text.as_bytes()), wrapped.as_bytes());
        }
    }

    #[test]
    fn words_are_changed_and_nothing_else_of_an_input_of_parts() {
        let text = b"%parts\nargs\n|-d\n|:\nstdin\n|a:b\n|";
        for seed in 0..200 {
            let changed = changed(text, &mut Random(seed));
            assert!(parts::input(&changed).arguments.len() == 2, "{}", changed.escape_ascii());
            assert_ne!(changed, text);
        }
        assert_eq!(changed(b"::", &mut Random(1)), b"::");
    }

    #[test]
    fn what_is_told_is_read() {
        assert_eq!(told("12 3 00ff"), Some((12, 3, vec![0, 255])));
        assert_eq!(told("12 3 "), Some((12, 3, vec![])));
        assert!(told("12 3").is_none() && told("12 x 00").is_none());
    }
}
