//! A `grammar.json` out of a crate's own package, with the parser that was generated from it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::{check, compare, import};

/// Where the package of a crate that this one depends on is.
fn package(name: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("cargo metadata: {error}: {}", String::from_utf8_lossy(&output.stderr))
    });
    let packages = metadata["packages"].as_array().expect("cargo lists packages");
    let found = packages.iter().find(|package| package["name"] == name);
    let manifest = found.and_then(|package| package["manifest_path"].as_str());
    let manifest = PathBuf::from(manifest.unwrap_or_else(|| panic!("there is no package {name}")));
    manifest.parent().expect("a manifest stands in a folder").to_owned()
}

/// Whether a number has two full stops, as `1.2.` has. The grammar allows `1.` and `2.` side by side; the lexer
/// takes `1.2` first and does not come back, and the parser here reads every way.
fn has_two_stops(text: &str) -> bool {
    let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let mut runs = text.as_bytes().split(|&byte| !is_number(byte));
    runs.any(|run| run.iter().filter(|&&byte| byte == b'.').count() > 1)
}

#[test]
fn tree_sitter_reads_what_its_grammar_derives() {
    let path = package("tree-sitter-json").join("src/grammar.json");
    let accepts = |text: &str| {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_json::LANGUAGE.into()).unwrap();
        // `has_error` tells of nodes that are errors and of those that are missing.
        !parser.parse(text, None).expect("nothing cancels it").root_node().has_error()
    };
    let findings = compare(&import(&path), accepts, has_two_stops);
    check("tree-sitter-json", &findings).unwrap_or_else(|error| panic!("{error}"));
}
