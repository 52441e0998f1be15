//! Runs a function of a Rust source file on texts: in a program of its own that is built for it.
//!
//! A file that belongs to a library package is reached through that package, if the function is public
//! there. Else the file is taken as the root of a crate: its folder's sources are copied, and what calls
//! the function is appended to the copy. Either program reads the
//! texts from a file and appends its answers to another, so nothing that the function prints is in their
//! way, and where it hangs or dies it is known on which text.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::inputs::shown;
use crate::runs::{Workshop, end_group};

/// What calls the function and answers: a module, with `@CALL@` for the call.
const HARNESS: &str = include_str!("harness.rs");

/// What the program's own file says.
const MAIN: &str = "extern crate subject as _;\nunsafe extern \"Rust\" { safe fn __pleach_run(); }\nfn main() { __pleach_run() }\n";

/// How many source files of a folder are copied at most, and how many bytes of each.
const COPIED: (usize, u64) = (2_000, 4 << 20);

/// How a function takes a text: what stands for it in a call. The first that compiles is taken. What is not
/// UTF-8 is rejected for a function that takes text.
const TAKES: [&str; 3] = ["text_or_nothing(text)?", "text_or_nothing(text)?.to_owned()", "text"];

/// What a function made of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It returned: whether that accepts, and what it is, one text for each part.
    Returned { accepted: bool, parts: Vec<String> },
    /// It panicked, with a message, or the process died, or there was no answer in time.
    Failed(String),
}

/// A function that was built to be run.
#[derive(Debug)]
pub(crate) struct Compiled {
    workshop: Workshop,
    program: PathBuf,
}

impl Compiled {
    /// Builds a program that runs a function, named by its path from the file: `parse` or `Uri::parse`.
    pub(crate) fn build(file: &Path, function: &str) -> Result<Self, Failure> {
        let shown = shown(file);
        let failed = |error: io::Error| Failure::input(format!("error: {shown}: {error}"));
        let workshop = Workshop::new("run").map_err(failed)?;
        let file = fs::canonicalize(file).map_err(failed)?;
        let program = program(&file, workshop.path(), function);
        let message = |error: BuildError| match error {
            BuildError::Io(error) => failed(error),
            BuildError::Refused { text, mend } => Failure::input(format!(
                "error: {shown}: `{function}` was not built to be run: {mend}, or say \
                 `cmd:COMMAND` for a program that runs it\n{text}"
            )),
        };
        Ok(Self { program: program.map_err(message)?, workshop })
    }

    /// What the function makes of each text; one that takes longer than `patience` fails. An error of
    /// the kind [`io::ErrorKind::Interrupted`] says that it was.
    pub(crate) fn outcomes<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t [u8]>,
        patience: Duration,
        interrupted: &AtomicBool,
    ) -> io::Result<Vec<Outcome>> {
        let mut input = Vec::new();
        let mut count = 0;
        for text in texts {
            let length = u32::try_from(text.len()).map_err(io::Error::other)?;
            input.extend(length.to_le_bytes());
            input.extend(text);
            count += 1;
        }
        let [from, to] = ["texts", "answers"].map(|name| self.workshop.path().join(name));
        fs::write(&from, input)?;
        let mut outcomes = Vec::with_capacity(count);
        while outcomes.len() < count {
            File::create(&to)?;
            let ended = self.run([&from, &to], outcomes.len(), patience, interrupted)?;
            read(&fs::read(&to)?, &mut outcomes);
            if outcomes.len() < count {
                outcomes.push(Outcome::Failed(ended));
            }
        }
        outcomes.truncate(count);
        Ok(outcomes)
    }

    /// Runs the program on all texts but the first ones until it ends or makes no progress, and says
    /// how that was.
    fn run(
        &self,
        [from, to]: [&Path; 2],
        skip: usize,
        patience: Duration,
        interrupted: &AtomicBool,
    ) -> io::Result<String> {
        let mut command = Command::new(&self.program);
        command.args([from, to]).arg(skip.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (mut length, mut since) = (0, Instant::now());
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(format!("the process ended with {status}"));
            }
            if interrupted.load(Ordering::Relaxed) {
                end_group(&mut child);
                child.wait()?;
                return Err(io::ErrorKind::Interrupted.into());
            }
            let now = fs::metadata(to)?.len();
            if now != length {
                (length, since) = (now, Instant::now());
            } else if since.elapsed() >= patience {
                end_group(&mut child);
                child.wait()?;
                return Ok(format!("there was no answer in {} ms", patience.as_millis()));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

/// Reads answers as far as they were written whole.
fn read(mut rest: &[u8], outcomes: &mut Vec<Outcome>) {
    fn number(rest: &mut &[u8]) -> Option<usize> {
        let (number, after) = rest.split_first_chunk::<4>()?;
        *rest = after;
        Some(u32::from_le_bytes(*number) as usize)
    }
    fn one(rest: &mut &[u8]) -> Option<Outcome> {
        let (&kind, after) = rest.split_first()?;
        *rest = after;
        let mut parts = Vec::new();
        for _ in 0..number(rest)? {
            let length = number(rest)?;
            let (part, after) = rest.split_at_checked(length)?;
            parts.push(String::from_utf8_lossy(part).into_owned());
            *rest = after;
        }
        Some(match kind {
            2 => Outcome::Failed(format!("it panicked: {}", parts.concat())),
            _ => Outcome::Returned { accepted: kind == 1, parts },
        })
    }
    while let Some(outcome) = one(&mut rest) {
        outcomes.push(outcome);
    }
}

enum BuildError {
    Io(io::Error),
    /// What the compiler said, and what could be done about it.
    Refused {
        text: String,
        mend: String,
    },
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Builds what runs a function, in the first way that compiles; what is said of the first is said.
fn program(file: &Path, folder: &Path, function: &str) -> Result<PathBuf, BuildError> {
    let package = Package::of(file);
    let mut first = None;
    for takes in TAKES {
        let mut ways: Vec<Box<dyn Fn() -> Result<PathBuf, BuildError> + '_>> = Vec::new();
        if let Some(package) = &package {
            ways.push(Box::new(|| package.build(folder, function, takes)));
        }
        // A private function of a file that needs no other crate can be run, too.
        ways.push(Box::new(|| alone(file, folder, function, takes)));
        for way in ways {
            match way() {
                Err(refused @ BuildError::Refused { .. }) => {
                    first.get_or_insert(refused);
                }
                done => return done,
            }
        }
    }
    Err(first.unwrap_or_else(|| io::Error::other("there is no way to build it").into()))
}

/// The module that calls a function by a path.
fn harness(path: &str, takes: &str) -> String {
    HARNESS.replace("@CALL@", &format!("{path}({takes})"))
}

/// Builds a file that is the root of a crate, with the sources of its folder beside it.
fn alone(file: &Path, folder: &Path, function: &str, takes: &str) -> Result<PathBuf, BuildError> {
    let sources = folder.join("sources");
    copy_sources(file.parent().unwrap_or(Path::new(".")), &sources)?;
    let root = sources.join(file.file_name().unwrap_or(OsStr::new("lib.rs")));
    let harness = harness(&format!("super::{function}"), takes);
    fs::write(&root, fs::read_to_string(file)? + &harness)?;
    let main = folder.join("main.rs");
    fs::write(&main, MAIN)?;
    let mut refused = None;
    // What is idiomatic today comes first, but much is written for the one before.
    for edition in ["2024", "2021"] {
        let compile = |source: &Path, name: &str, kind: &str| {
            let mut command = Command::new(tool("RUSTC", "rustc"));
            command.args(["--edition", edition, "--crate-name", name, "--crate-type", kind]);
            command.args(["--cap-lints", "allow", "-Cdebug-assertions", "-Copt-level=1", "-L"]);
            command.arg(folder).arg("--out-dir").arg(folder).arg(source);
            finish(command, "see that the file compiles without other crates")
        };
        match compile(&root, "subject", "rlib").and_then(|()| compile(&main, "main", "bin")) {
            Ok(()) => return Ok(folder.join(format!("main{}", std::env::consts::EXE_SUFFIX))),
            Err(BuildError::Refused { text, mend }) => {
                refused.get_or_insert(BuildError::Refused { text, mend });
            }
            Err(error) => return Err(error),
        }
    }
    Err(refused.unwrap_or_else(|| io::Error::other("no edition to build with").into()))
}

/// Copies the Rust sources of a folder and those below it; hidden folders and `target` are left out.
fn copy_sources(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    let mut copied = 0;
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            if kind.is_dir() {
                let skipped = name == "target" || name.to_string_lossy().starts_with('.');
                if !skipped {
                    folders.push((entry.path(), to.join(&name)));
                }
            } else if Path::new(&name).extension() == Some(OsStr::new("rs"))
                && entry.metadata()?.len() <= COPIED.1
            {
                copied += 1;
                if copied > COPIED.0 {
                    return Ok(());
                }
                fs::copy(entry.path(), to.join(&name))?;
            }
        }
    }
    Ok(())
}

/// A library package that a file belongs to.
struct Package {
    folder: PathBuf,
    /// The modules from the crate's root to the file.
    modules: Vec<String>,
}

impl Package {
    /// The package whose `src/lib.rs` has the file as a module, by their paths.
    fn of(file: &Path) -> Option<Self> {
        let folder = file.ancestors().skip(1).find(|path| path.join("Cargo.toml").is_file())?;
        let sources = folder.join("src");
        let inside = file.strip_prefix(&sources).ok()?;
        if !sources.join("lib.rs").is_file() {
            return None;
        }
        let mut modules: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = modules.pop()?;
        match name.as_str() {
            "lib.rs" | "mod.rs" => {}
            _ => modules.push(name.strip_suffix(".rs")?.to_owned()),
        }
        (modules.first().map(String::as_str) != Some("bin"))
            .then(|| Self { folder: folder.to_owned(), modules })
    }

    /// The package's name, as its manifest has it.
    fn name(&self) -> Result<String, BuildError> {
        let manifest = self.folder.join("Cargo.toml");
        let refused = |text: String| BuildError::Refused {
            text,
            mend: format!("see that {} names its package", shown(&manifest)),
        };
        let text = fs::read_to_string(&manifest)?;
        let document: toml_edit::DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| refused(error.to_string()))?;
        let name = document.get("package").and_then(|package| package.get("name")?.as_str());
        name.map(str::to_owned).ok_or_else(|| refused(String::new()))
    }

    /// Builds a program that depends on the package.
    fn build(&self, folder: &Path, function: &str, takes: &str) -> Result<PathBuf, BuildError> {
        let name = self.name()?;
        let mut manifest = toml_edit::DocumentMut::new();
        manifest["package"]["name"] = toml_edit::value("main");
        manifest["package"]["version"] = toml_edit::value("0.0.0");
        manifest["package"]["edition"] = toml_edit::value("2024");
        manifest["dependencies"]["subject"]["package"] = toml_edit::value(name);
        manifest["dependencies"]["subject"]["path"] =
            toml_edit::value(self.folder.to_string_lossy().into_owned());
        // A workspace of its own, wherever temporary folders are.
        manifest["workspace"] = toml_edit::table();
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest.to_string())?;
        let lock = self.folder.join("Cargo.lock");
        if lock.is_file() {
            fs::copy(lock, folder.join("Cargo.lock"))?;
        }
        let path = ["::subject"].into_iter().chain(self.modules.iter().map(String::as_str));
        let path = path.chain([function]).collect::<Vec<_>>().join("::");
        let harness = harness(&path, takes);
        fs::write(
            folder.join("src/main.rs"),
            format!("fn main() {{ __pleach::__pleach_run() }}\n{harness}"),
        )?;
        let mut command = Command::new(tool("CARGO", "cargo"));
        command.args(["build", "--quiet", "--target-dir"]).arg(folder.join("target"));
        command
            .current_dir(folder)
            .env_remove("CARGO_TARGET_DIR")
            .env("RUSTFLAGS", "--cap-lints=allow");
        finish(command, &format!("see that `{path}` is public"))?;
        Ok(folder.join(format!("target/debug/main{}", std::env::consts::EXE_SUFFIX)))
    }
}

/// A tool of Rust's: what the environment names, else what stands in the path.
fn tool(variable: &str, name: &str) -> std::ffi::OsString {
    std::env::var_os(variable).unwrap_or_else(|| name.into())
}

/// Runs a compiler.
fn finish(mut command: Command, mend: &str) -> Result<(), BuildError> {
    let name = command.get_program().to_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| BuildError::Refused {
        text: error.to_string(),
        mend: format!("install Rust, so that `{}` can be run", name.display()),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(BuildError::Refused { text, mend: mend.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(source: &str, function: &str, texts: &[&str]) -> Vec<Outcome> {
        let folder = Workshop::new("test").expect("a temporary folder");
        let file = folder.path().join("it.rs");
        fs::write(&file, source).expect("a file");
        let compiled = Compiled::build(&file, function).expect("it compiles");
        compiled
            .outcomes(
                texts.iter().map(|text| text.as_bytes()),
                Duration::from_millis(1500),
                &AtomicBool::new(false),
            )
            .expect("it runs")
    }

    fn returned(accepted: bool, parts: &[&str]) -> Outcome {
        Outcome::Returned { accepted, parts: parts.iter().map(|part| (*part).to_owned()).collect() }
    }

    #[test]
    fn what_is_returned_is_seen_in_parts() {
        let source = "//! A crate.\n#![forbid(unsafe_code)]\nuse std::num::ParseIntError;\n\
            fn pair(text: &str) -> Result<(&str, Option<u8>), ParseIntError> {\n\
                println!(\"noise\");\n\
                let (name, number) = text.split_once('=').unwrap();\n\
                Ok((name, Some(number.parse()?)))\n}\n";
        let got = outcomes(source, "pair", &["a=7", "b=x", "c", "é=1"]);
        assert_eq!(got[0], returned(true, &["a", "7"]));
        assert_eq!(got[1], returned(false, &[]));
        assert!(
            matches!(&got[2], Outcome::Failed(text) if text.starts_with("it panicked: ")),
            "{got:?}"
        );
        assert_eq!(got[3], returned(true, &["é", "1"]));
    }

    #[test]
    fn types_of_ones_own_and_every_kind_of_text() {
        let source = "pub struct Own(u8);\n#[derive(Debug)]\nstruct Shown { n: usize }\n\
            impl Own { fn new(_: String) -> Own { Own(1) } }\n\
            fn shown(text: &[u8]) -> Option<Shown> { (text != b\"no\").then(|| Shown { n: text.len() }) }\n";
        assert_eq!(outcomes(source, "Own::new", &["a"]), [returned(true, &[])]);
        let got = outcomes(source, "shown", &["ab", "no"]);
        assert_eq!(got, [returned(true, &["Some(Shown { n: 2 })"]), returned(false, &["None"])]);
    }

    #[test]
    fn what_hangs_or_dies_fails_alone() {
        let source = "fn f(text: &str) -> bool {\n match text { \"hang\" => loop {},\n\
            \"die\" => std::process::abort(), \"deep\" => deep(1) > 1, _ => text == \"yes\" } }\n\
            #[allow(unconditional_recursion)] fn deep(n: u64) -> u64 { std::hint::black_box(deep(n + 1)) + 1 }";
        let got = outcomes(source, "f", &["yes", "hang", "no", "die", "deep", "yes"]);
        assert_eq!((&got[0], &got[2]), (&returned(true, &[]), &returned(false, &[])));
        assert_eq!(got[5], got[0]);
        for (at, expected) in [(1, "no answer"), (3, "ended with"), (4, "ended with")] {
            assert!(
                matches!(&got[at], Outcome::Failed(text) if text.contains(expected)),
                "{got:?}"
            );
        }
    }

    #[test]
    fn what_does_not_compile_is_said_with_a_mend() {
        let folder = Workshop::new("test").expect("a temporary folder");
        let file = folder.path().join("it.rs");
        fs::write(&file, "fn f(text: &str) -> bool { missing(text) }").expect("a file");
        let error = Compiled::build(&file, "f").expect_err("it does not compile");
        let Failure::Input(message) = error else { panic!("{error:?}") };
        assert!(message.contains("it.rs") && message.contains("`cmd:COMMAND`"), "{message}");
        assert!(message.contains("missing"), "{message}");
    }
}
