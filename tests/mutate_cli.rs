//! `pleach mutate`, driven as a person drives it.
#![cfg(feature = "cli")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const JSON: &str = "grammars/json.pleach";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.output().unwrap()
}

/// What a command writes to standard output and standard error, if it ends with a status.
fn told(status: i32, arguments: &[&str]) -> (Vec<u8>, String) {
    let output = run(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
    (output.stdout, stderr)
}

/// A folder for one test, with two documents and what is none.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutate-{name}"));
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    let seeds = path.join("seeds");
    fs::create_dir_all(&seeds).unwrap();
    fs::write(seeds.join("a"), r#"{"one": [1, true, "text"]}"#).unwrap();
    fs::write(seeds.join("b"), "[null, -2.5e7, {}]").unwrap();
    fs::write(seeds.join("c"), "[1,").unwrap();
    path
}

#[test]
fn mutants_of_a_folder_are_files_that_the_parser_reads() {
    let folder = folder("files");
    let (seeds, out) = (folder.join("seeds"), folder.join("out"));
    let (seeds, out) = (seeds.to_str().unwrap(), out.to_str().unwrap());
    let (stdout, stderr) = told(
        0,
        &["mutate", JSON, seeds, "-n", "60", "--breaking", "0", "-o", out, "--suffix", ".json"],
    );
    assert!(stdout.is_empty());
    assert!(stderr.contains("seed 0\n") && stderr.contains("/c: line 1"), "{stderr}");
    assert!(stderr.ends_with("of 2 inputs\n"), "{stderr}");
    let mut count = 0;
    for entry in fs::read_dir(out).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.extension().is_some_and(|extension| extension == "json"));
        told(0, &["parse", JSON, path.to_str().unwrap()]);
        count += 1;
    }
    assert!((20..=60).contains(&count), "{count}");
    assert!(stderr.contains(&format!("{count} files, ")), "{stderr}");
}

#[test]
fn a_seed_is_the_same_mutants_and_mutators_are_chosen_by_name() {
    let folder = folder("seeds-and-names");
    let seed = folder.join("seeds/a");
    let file = seed.to_str().unwrap();
    let mutants = |more: &[&str]| {
        let arguments = [&["mutate", JSON, file, "-n", "40", "--separator", "\\0"], more].concat();
        let (stdout, _) = told(0, &arguments);
        stdout.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let first = mutants(&["--seed", "5"]);
    assert_eq!(first.len(), 40);
    assert_eq!(first, mutants(&["--seed", "5"]));
    assert_ne!(first, mutants(&["--seed", "6"]));
    let base = fs::read(&seed).unwrap();
    assert!(first.iter().all(|mutant| *mutant != base));
    // What is cut off is a beginning.
    let cut = mutants(&["--only", "truncate"]);
    assert!(cut.iter().all(|mutant| mutant.len() < base.len() && base.starts_with(mutant)));
    let cut: HashSet<_> = cut.into_iter().collect();
    assert!(cut.len() > 3);
    let small = mutants(&["--max-bytes", "20", "--breaking", "0"]);
    assert!(small.iter().all(|mutant| mutant.len() <= 20));
}

#[test]
fn what_cannot_be_is_said() {
    let folder = folder("errors");
    let bad = folder.join("seeds/c");
    let (bad, good) = (bad.to_str().unwrap(), folder.join("seeds/a"));
    let good = good.to_str().unwrap();
    let (_, stderr) = told(1, &["mutate", JSON, bad]);
    assert!(
        stderr.contains("left out: ") && stderr.contains("no input is of the grammar"),
        "{stderr}"
    );
    let (_, stderr) = told(2, &["mutate", JSON, good, "--only", "regrwo"]);
    assert!(stderr.contains("there is no mutator `regrwo`; there are regrow, "), "{stderr}");
    let (_, stderr) = told(2, &["mutate", JSON]);
    assert!(stderr.contains("<FILE>..."), "{stderr}");
    let (_, stderr) = told(2, &["mutate", "-", "-"]);
    assert!(stderr.contains("standard input"), "{stderr}");
    told(2, &["mutate", JSON, good, "-n", "0"]);
}
