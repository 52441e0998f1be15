//! Builds the program that measures, and runs it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{Reading, Texts};

use crate::wrapper;

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
        let this = std::env::current_exe()?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let target = target_folder(&this).join("experiment");
        let crates = experiment::crates().join(",");
        discard_other(&target, &format!("{crates}\n{}\n", wrapper::FLAGS.join("\n")))?;
        let host = host()?;
        eprintln!("building the parsers with coverage flags, in {}", target.display());
        let status = Command::new(cargo)
            .args(["build", "--release", "--bin", "measure", "--no-default-features"])
            .args(["--features", "measure", "--target", &host, "--target-dir"])
            .arg(&target)
            .arg("--manifest-path")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .env("RUSTC_WRAPPER", &this)
            .env(wrapper::CRATES, crates)
            // As cargo-fuzz builds: one unit a crate, so no function is compiled twice in one.
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            // Inlining across all crates is not what a fuzzer's user builds.
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(io::Error::other("the parsers were not built"));
        }
        let program = format!("measure{}", std::env::consts::EXE_SUFFIX);
        Ok(Self { program: target.join(host).join("release").join(program), folder: target })
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

/// Cargo does not know of the flags that a wrapper adds, so what was built with others must go.
fn discard_other(target: &Path, flags: &str) -> io::Result<()> {
    let stamp = target.join("coverage-flags");
    if std::fs::read_to_string(&stamp).is_ok_and(|before| before == flags) {
        return Ok(());
    }
    match std::fs::remove_dir_all(target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => std::fs::create_dir_all(target)?,
    }
    std::fs::write(stamp, flags)
}

/// The platform of this machine. Cargo builds what is for build scripts and macros apart where a
/// target is named, even if it is the same.
fn host() -> io::Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| io::Error::other("`rustc -vV` names no host"))
}
