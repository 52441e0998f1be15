//! A package whose grammar is bad does not build, and the message names the place.
//!
//! A copy of `tests/data/build-check` is built by Cargo, offline, with this package's lock file.
#![cfg(feature = "build")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Builds the package with a grammar.
fn check(grammar: &str) -> Output {
    let from = Path::new(ROOT).join("tests/data/build-check");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-check");
    fs::create_dir_all(to.join("src")).unwrap();
    for file in ["build.rs", "src/lib.rs"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    fs::copy(Path::new(ROOT).join("Cargo.lock"), to.join("Cargo.lock")).unwrap();
    fs::copy(from.join(grammar), to.join("grammar.pleach")).unwrap();
    let manifest = fs::read_to_string(from.join("Cargo.toml.in")).unwrap();
    let root = format!("{ROOT:?}");
    fs::write(to.join("Cargo.toml"), manifest.replace("\"@pleach@\"", &root)).unwrap();
    Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--target-dir"])
        // Beside the copy, so that a second run of the test compiles nothing anew.
        .arg(to.join("target"))
        .current_dir(&to)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}

#[test]
fn a_bad_grammar_fails_the_build() {
    let good = check("good.pleach");
    let said = String::from_utf8_lossy(&good.stderr);
    assert!(good.status.success(), "{said}");

    let bad = check("bad.pleach");
    let said = String::from_utf8_lossy(&bad.stderr);
    assert!(!bad.status.success());
    assert!(said.contains("grammar.pleach:2:11: "), "{said}");
    assert!(said.contains("`item`"), "{said}");
}
