//! Builds the program that measures, and runs it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{Instrumented, Reading, Texts};

/// The program that measures.
pub struct Measure {
    program: PathBuf,
    folder: PathBuf,
}

impl Measure {
    /// Builds it, beside this program's own folder.
    ///
    /// # Errors
    ///
    /// Where Cargo fails.
    pub fn build() -> io::Result<Self> {
        let folder = target_folder(&std::env::current_exe()?).join("experiment");
        let build = Instrumented {
            manifest: &Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"),
            program: "measure",
            feature: "measure",
            crates: &experiment::crates(),
        };
        Ok(Self { program: build.build(&folder)?, folder })
    }

    /// The folder that it is built in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads a corpus in a new process, and tells what was reached after so many texts.
    ///
    /// # Errors
    ///
    /// Where the process fails, as by a stack overflow of the parser.
    pub fn read(&self, grammar: &str, texts: &Texts, points: &[usize]) -> io::Result<Reading> {
        let points: Vec<_> = points.iter().map(ToString::to_string).collect();
        let output = self.run(&[grammar, &points.join(",")], |input| texts.send(input))?;
        Reading::receive(&output).ok_or_else(|| io::Error::other("the reading is no reading"))
    }

    /// The mangled names of the functions in whose code edges are, in the edges' order.
    ///
    /// # Errors
    ///
    /// Where the process fails.
    pub fn functions(&self, grammar: &str, edges: &[u32]) -> io::Result<Vec<String>> {
        let lines: String = edges.iter().map(|edge| format!("{edge}\n")).collect();
        let names =
            self.run(&[grammar], |mut input| io::Write::write_all(&mut input, lines.as_bytes()))?;
        Ok(names.lines().map(str::to_owned).collect())
    }

    /// Runs the program; it reads all its input before it writes.
    fn run(
        &self,
        arguments: &[&str],
        send: impl FnOnce(io::BufWriter<std::process::ChildStdin>) -> io::Result<()>,
    ) -> io::Result<String> {
        let mut child = Command::new(&self.program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().expect("it is piped");
        // Where the process ends early, its status tells more than the broken pipe does.
        let sent = send(io::BufWriter::new(input));
        let output = child.wait_with_output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let message = format!("measure {}: {}: {said}", arguments.join(" "), output.status);
            return Err(io::Error::other(message));
        }
        sent?;
        String::from_utf8(output.stdout).map_err(io::Error::other)
    }
}

/// Cargo's folder, which this program is in: `target/release/pleach-experiment`.
fn target_folder(this: &Path) -> PathBuf {
    let folder = this.parent().and_then(Path::parent);
    folder.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), Path::to_owned)
}
