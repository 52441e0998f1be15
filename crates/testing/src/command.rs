//! The command `pleach`, driven as a person drives it.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, io};

use serde_json::Value;

/// The command `pleach` as the package's tests run it: made by [`pleach!`](crate::pleach).
#[derive(Clone, Copy, Debug)]
pub struct Pleach {
    /// The executable.
    pub executable: &'static str,
    /// The folder that commands run in: the package's.
    pub package: &'static str,
    /// The folder in which tests may leave files.
    pub temporary: &'static str,
}

/// The command `pleach` of the package whose integration test this is in; only there Cargo says where it is.
#[macro_export]
macro_rules! pleach {
    () => {
        $crate::Pleach {
            executable: env!("CARGO_BIN_EXE_pleach"),
            package: env!("CARGO_MANIFEST_DIR"),
            temporary: env!("CARGO_TARGET_TMPDIR"),
        }
    };
}

impl Pleach {
    /// The command with arguments, to be run in the package's folder and with no standard input.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(self.executable);
        command.args(arguments).current_dir(self.package).stdin(Stdio::null());
        // What is built for the subjects of tests is kept beside them, wherever Cargo keeps what it builds here.
        command.env_remove("CARGO_TARGET_DIR");
        command
    }

    /// Runs it to its end.
    ///
    /// # Panics
    ///
    /// Where it cannot be run.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        self.command(arguments).output().expect("the command is built with its tests")
    }

    /// Runs it to its end with a text as standard input, of which it need not read all.
    ///
    /// # Panics
    ///
    /// Where it cannot be run.
    pub fn with_stdin<S: AsRef<OsStr>>(&self, arguments: &[S], input: impl AsRef<[u8]>) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command is built with its tests");
        let mut stdin = child.stdin.take().expect("it has a pipe");
        match stdin.write_all(input.as_ref()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => panic!("{error}"),
            _ => drop(stdin),
        }
        child.wait_with_output().expect("it was started here")
    }

    /// Runs it to its end, and gives what it writes to standard output and standard error.
    ///
    /// # Panics
    ///
    /// Where it ends with another status.
    pub fn told<S: AsRef<OsStr> + Debug>(&self, status: i32, arguments: &[S]) -> (Vec<u8>, String) {
        let output = self.run(arguments);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
        (output.stdout, stderr)
    }

    /// The object that it prints with `--format json`, and its exit code.
    ///
    /// # Panics
    ///
    /// Where it prints none, or was ended by a signal.
    pub fn json(&self, arguments: &[&str]) -> (Value, i32) {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        let code = output.status.code().expect("it ends by itself");
        let value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", text(&output.stderr)));
        (value, code)
    }

    /// A folder for one test, empty at its beginning; the name must be no other test's.
    ///
    /// # Panics
    ///
    /// Where the file system refuses it.
    pub fn folder(&self, name: impl AsRef<Path>) -> PathBuf {
        let path = Path::new(self.temporary).join(name);
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => panic!("{path:?}: {error}"),
            _ => fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{path:?}: {error}")),
        }
        path
    }

    /// The path of a file of Rust source in a folder of its own, which `name` tells from others.
    ///
    /// # Panics
    ///
    /// Where the file system refuses it.
    pub fn source(&self, name: &str, text: &str) -> String {
        let folder = Path::new(self.temporary).join("source").join(name);
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        let file = folder.join("it.rs");
        fs::write(&file, text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        file.display().to_string()
    }
}

/// What a command wrote, as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
