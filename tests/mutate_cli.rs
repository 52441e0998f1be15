//! `pleach mutate`, driven as a person drives it.
#![cfg(feature = "cli")]

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use pleach::mutate::MUTATORS;
use pleach_testing::Pleach;

const PLEACH: Pleach = pleach_testing::pleach!();

const JSON: &str = "grammars/json.pleach";

/// A folder for one test, with two documents and what is none.
fn folder(name: &str) -> PathBuf {
    let path = PLEACH.folder(format!("mutate-{name}"));
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
    let (stdout, stderr) = PLEACH.told(
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
        PLEACH.told(0, &["parse", JSON, path.to_str().unwrap()]);
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
        let (stdout, stderr) = PLEACH.told(0, &arguments);
        assert!(stderr.ends_with(" of 1 input\n"), "{stderr}");
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
    let (_, stderr) = PLEACH.told(1, &["mutate", JSON, bad]);
    assert!(
        stderr.contains("left out: ") && stderr.contains("no input is of the grammar"),
        "{stderr}"
    );
    let (_, stderr) = PLEACH.told(2, &["mutate", JSON, good, "--only", "regrwo"]);
    assert!(stderr.contains("there is no mutator `regrwo`; there are regrow, "), "{stderr}");
    let (_, stderr) = PLEACH.told(2, &["mutate", JSON]);
    assert!(stderr.contains("<FILE>..."), "{stderr}");
    let (_, stderr) = PLEACH.told(2, &["mutate", "-", "-"]);
    assert!(stderr.contains("standard input"), "{stderr}");
    PLEACH.told(2, &["mutate", JSON, good, "-n", "0"]);
}

/// The help names the mutators of the table, but for those that have nothing to do from the command line.
#[test]
fn the_help_names_all_mutators_that_can_be_taken() {
    let (help, _) = PLEACH.told(0, &["mutate", "--help"]);
    let help = String::from_utf8(help).unwrap();
    let (_, list) = help.split_once("Mutators: ").expect("there is a list");
    let (list, _) = list.split_once("\n\n").expect("a list ends");
    let said = list.replace(" stay in the grammar;", ",").replace(" leave it.", "");
    let names = said.split([',', ' ', '\n']).filter(|word| !["", "and"].contains(word));
    let expected = MUTATORS.into_iter().filter(|name| !["toward", "implant"].contains(name));
    assert_eq!(names.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
