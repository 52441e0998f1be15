//! Outside commands that change texts: Radamsa, and what the user names.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pleach::bridge::system::{Broken, Change};
use pleach::explore::random::Random;

use crate::failure::Failure;
use crate::runs::{Ending, Runs, TemporaryFolder};
use crate::unfinished::interruption;

/// How long a command may take for a text.
const PATIENCE: Duration = Duration::from_secs(10);
/// What it may use: kilobytes of address space, and blocks of 512 bytes of a file.
pub(super) const LIMITS: &str = "ulimit -v 2097152; ulimit -f 65536";
/// How many files of it are read.
const FILES: usize = 1024;

/// Radamsa, which makes many texts at a time: to start it takes longer than to make one.
const RADAMSA: &str = "radamsa -n 64 -s \"$SEED\" -o \"$OUT/%n\"";
/// The same by its library.
const PYRADAMSA: &str = "python3 -c 'import os, sys, pyradamsa
radamsa, text = pyradamsa.Radamsa(), sys.stdin.buffer.read()
for number in range(64):
    # Each seed is one that no other text has.
    made = radamsa.fuzz(text, seed=64 * int(os.environ[\"SEED\"]) + number)
    open(os.path.join(os.environ[\"OUT\"], str(number)), \"wb\").write(made)'";

/// A command of the shell that makes texts of one: it reads that as standard input, and writes one to standard output, or any
/// number as files of the folder `$OUT`.
#[derive(Debug)]
pub(super) struct Outside {
    line: String,
    temporary: TemporaryFolder,
    /// Where its text is, and what it makes.
    text: PathBuf,
    made: PathBuf,
    stopped: Arc<AtomicBool>,
}

impl Outside {
    /// A command that the user names.
    pub(super) fn command(line: &str) -> Result<Self, Failure> {
        let io = |error: io::Error| {
            Failure::Input(format!("error: the temporary folder for {line}: {error}"))
        };
        let temporary = TemporaryFolder::new("bridge").map_err(io)?;
        let text = temporary.file(0, "text".as_ref()).map_err(io)?;
        let made = temporary.path().join("made");
        fs::create_dir(&made).map_err(io)?;
        Ok(Self { line: line.to_owned(), temporary, text, made, stopped: interruption()? })
    }

    /// Radamsa, as far as it is there.
    pub(super) fn radamsa() -> Result<Self, Failure> {
        let is_there = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        match () {
            () if is_there("radamsa", &["--version"]) => Self::command(RADAMSA),
            () if is_there("python3", &["-c", "import pyradamsa"]) => Self::command(PYRADAMSA),
            () => Err(Failure::input(
                "error: --system radamsa: there is neither a program `radamsa` nor Python's package `pyradamsa`: \
                 install one, as by `pip install pyradamsa`",
            )),
        }
    }

    fn broken(error: io::Error) -> Broken {
        Broken::NotRun(error.to_string())
    }

    /// The texts that were written as files, which go.
    fn files(&self, longest: usize) -> io::Result<Vec<Vec<u8>>> {
        let mut paths = fs::read_dir(&self.made)?
            .take(FILES)
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<Vec<PathBuf>>>()?;
        // Numbers by their value.
        paths.sort_by(|a, b| {
            (a.as_os_str().len(), a.as_path()).cmp(&(b.as_os_str().len(), b.as_path()))
        });
        let mut texts = Vec::new();
        for path in paths {
            if path.is_file() {
                let mut text = Vec::new();
                File::open(&path)?.take(longest as u64 + 1).read_to_end(&mut text)?;
                texts.push(text);
                fs::remove_file(path)?;
            } else {
                fs::remove_dir_all(path)?;
            }
        }
        Ok(texts)
    }
}

impl Change for Outside {
    fn change(
        &mut self,
        text: &[u8],
        longest: usize,
        random: &mut Random,
    ) -> Result<Vec<Vec<u8>>, Broken> {
        let seed = random.below(1 << 31);
        let (line, made, folder) = (&self.line, quoted(&self.made), quoted(self.temporary.path()));
        let line = format!(
            "{LIMITS}; SEED={seed} OUT={made} TMPDIR={folder}; export SEED OUT TMPDIR\n{line}"
        );
        let shell: [OsString; 3] = ["sh".into(), "-c".into(), line.into()];
        let runs = Runs::new(&shell, true).timeout(PATIENCE);
        let stop = || self.stopped.load(Ordering::Relaxed);
        let ran = runs.capture(&self.text, text, &stop).map_err(Self::broken)?;
        let output = match ran {
            None => return Ok(Vec::new()),
            Some((Ending::Code(0), output)) => output,
            Some((ending, _)) => return Err(ended(ending)),
        };
        let mut texts = self.files(longest).map_err(Self::broken)?;
        if texts.is_empty() {
            texts.push(output);
        }
        texts.retain(|text| text.len() <= longest);
        Ok(texts)
    }
}

/// That a command of the shell has ended as it should not.
pub(super) fn ended(ending: Ending) -> Broken {
    match ending {
        Ending::Code(126 | 127) => Broken::NotRun("the shell finds no such command".into()),
        ending => Broken::Ended(ending.to_string()),
    }
}

/// A path as the shell reads it.
pub(super) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(line: &str) -> Result<Vec<Vec<u8>>, Broken> {
        let mut outside = Outside::command(line).unwrap();
        outside.change(b"text", 10, &mut Random(1))
    }

    #[test]
    fn texts_come_by_standard_output_or_as_files_under_limits() {
        assert_eq!(changed("tr t T").unwrap(), [b"TexT"]);
        let files = "for i in 2 10 1; do echo $i > $OUT/$i; done; head -c 11 /dev/zero > $OUT/long";
        assert_eq!(changed(files).unwrap(), [&b"1\n"[..], b"2\n", b"10\n"]);
        assert_eq!(changed("exit 3"), Err(Broken::Ended("exit status 3".into())));
        assert!(matches!(changed("no-such-command"), Err(Broken::NotRun(_))));
        assert_eq!(changed("ulimit -v").unwrap(), [b"2097152\n"]);
    }
}
