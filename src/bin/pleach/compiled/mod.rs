//! Runs a function of a Rust source file on texts: in a program of its own that is built for it.
//!
//! A file that belongs to a library package is reached through that package, if the function is public
//! there. Else the file is taken as the root of a crate: its folder's sources are copied, within bounds, and what calls
//! the function is appended to the copy. Either program is kept, and reads the
//! texts from a file and appends its answers to another, so nothing that the function prints is in their
//! way, and where it hangs or dies it is known on which text.

mod build;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use build::{BuildError, program};

pub(crate) use build::Called;

use crate::failure::Failure;
use crate::inputs::shown;
use crate::kept::{Workspace, cache};
use crate::runs::{TemporaryFolder, end_group};

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
    temporary: TemporaryFolder,
    program: PathBuf,
    /// How tests call it.
    pub(crate) called: Called,
}

impl Compiled {
    /// Builds a program that runs a function, named by its path from the file: `parse` or `Uri::parse`; or finds it
    /// built, in the folder that keeps it. Without one, that is the folder of its package, or the user's cache.
    pub(crate) fn build(file: &Path, function: &str, keep: Option<&Path>) -> Result<Self, Failure> {
        let shown = shown(file);
        let failed = |error: io::Error| Failure::input(format!("error: {shown}: {error}"));
        let file = fs::canonicalize(file).map_err(failed)?;
        let workspace = file.parent().and_then(Workspace::of);
        let kept = match (keep, &workspace) {
            (Some(folder), _) => folder.to_owned(),
            // The sources of a registry may not be written to.
            (None, Some(workspace)) if fs::create_dir_all(workspace.folder()).is_ok() => {
                workspace.folder()
            }
            _ => cache()?,
        };
        fs::create_dir_all(&kept).map_err(failed)?;
        let kept = fs::canonicalize(kept).map_err(failed)?;
        let program = program(&file, function, &kept, workspace.as_ref());
        let message = |error: BuildError| match error {
            BuildError::Io(error) => failed(error),
            BuildError::Refused { text, mend } => Failure::input(format!(
                "error: {shown}: `{function}` was not built to be run: {mend}, or say \
                 `cmd:COMMAND` for a program that runs it\n{text}"
            )),
        };
        let (program, called) = program.map_err(message)?;
        Ok(Self { program, called, temporary: TemporaryFolder::new("run").map_err(failed)? })
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
        let [from, to] = ["texts", "answers"].map(|name| self.temporary.path().join(name));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(source: &str, function: &str, texts: &[&str]) -> Vec<Outcome> {
        let folder = TemporaryFolder::new("test").expect("a temporary folder");
        let file = folder.path().join("it.rs");
        fs::write(&file, source).expect("a file");
        let kept = folder.path().join("kept");
        let compiled = Compiled::build(&file, function, Some(&kept)).expect("it compiles");
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
        let folder = TemporaryFolder::new("test").expect("a temporary folder");
        let file = folder.path().join("it.rs");
        fs::write(&file, "fn f(text: &str) -> bool { missing(text) }").expect("a file");
        let kept = folder.path().join("kept");
        let error = Compiled::build(&file, "f", Some(&kept)).expect_err("it does not compile");
        let Failure::Input(message) = error else { panic!("{error:?}") };
        assert!(message.contains("it.rs") && message.contains("`cmd:COMMAND`"), "{message}");
        assert!(message.contains("missing"), "{message}");
    }
}
