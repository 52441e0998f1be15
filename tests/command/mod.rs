//! The command `pleach`, driven as a person drives it.
// Not every test needs all of it.
#![allow(dead_code)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs the command in the package's folder.
pub fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    // What is built for the subjects of tests is kept beside them, wherever Cargo keeps what it builds here.
    command.env_remove("CARGO_TARGET_DIR");
    command.stdin(Stdio::null()).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The object that is printed, and the exit code.
pub fn json(arguments: &[&str]) -> (Value, i32) {
    let output = run(&[arguments, &["--format", "json"]].concat());
    let code = output.status.code().unwrap();
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", text(&output.stderr)));
    (value, code)
}

/// The path of a file of Rust source in a folder of its own, which `name` tells from others.
pub fn source(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("source").join(name);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("it.rs");
    fs::write(&file, text).unwrap();
    file.display().to_string()
}
