//! `pleach learn` and `pleach generate --weights`, driven as a person drives them.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

const JSON: &str = "grammars/json.pleach";

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    PLEACH.folder(format!("learn-{name}"))
}

/// A folder of documents, and its path.
fn corpus(folder: &Path, name: &str, texts: &[&str]) -> String {
    let path = folder.join(name);
    fs::create_dir_all(&path).unwrap();
    for (number, text) in texts.iter().enumerate() {
        fs::write(path.join(number.to_string()), text).unwrap();
    }
    path.display().to_string()
}

/// Runs a command that ends with a status, and gives what it says.
fn told(status: i32, arguments: &[&str]) -> (String, String) {
    let output = PLEACH.run(arguments);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
    (text(&output.stdout), stderr)
}

fn read(path: &str) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn what_is_learnt_in_parts_and_added_is_what_is_learnt_at_once() {
    let folder = folder("parts");
    let first = corpus(&folder, "first", &["[1, 2, 30]", "{\"a\": null}", "[1,"]);
    let second = corpus(&folder, "second", &["{\"a\": [true]}", "-7.5"]);
    let [one, two, all] = ["one", "two", "all"].map(|name| folder.join(name).display().to_string());
    let (report, code) = PLEACH.json(&["learn", JSON, &first, "-o", &one]);
    assert_eq!((code, &report["files"], &report["learnt"]), (0, &3.into(), &2.into()));
    assert_eq!(report["rejected"][0]["line"], 1);
    told(0, &["learn", JSON, &second, "--add", &one, "-o", &two]);
    told(0, &["learn", JSON, &first, &second, "-o", &all]);
    assert_eq!(read(&two), read(&all));
    assert_eq!(read(&all)["trees"], 4);
    // Files alone are added, too, and a file of the user is not overwritten unasked.
    let sum = folder.join("sum").display().to_string();
    told(0, &["learn", JSON, "--add", &one, "--add", &two, "-o", &sum]);
    assert_eq!(read(&sum)["trees"], 6);
    let before = fs::read(&sum).unwrap();
    let (_, stderr) = told(2, &["learn", JSON, &first, "-o", &sum]);
    assert!(stderr.contains("--force"), "{stderr}");
    assert_eq!(fs::read(&sum).unwrap(), before);
}

/// As of other commands, no is an answer, and a spent budget is none.
#[test]
fn where_nothing_is_of_the_grammar_nothing_is_learnt() {
    let folder = folder("none");
    let (wrong, none) = (corpus(&folder, "wrong", &["[1,"]), folder.join("none"));
    let none = none.display().to_string();
    let (_, stderr) = told(1, &["learn", JSON, &wrong, "-o", &none]);
    assert!(stderr.contains("no input is of the grammar"), "{stderr}");
    let large = corpus(&folder, "large", &[&"[".repeat(9000)]);
    told(3, &["learn", JSON, &large, "--max-input", "1000", "-o", &none]);
    assert!(!Path::new(&none).exists());
}

#[test]
fn what_is_generated_is_as_the_corpus() {
    let folder = folder("generate");
    let seeds = corpus(&folder, "seeds", &["[true, true, true]", "[true]", "[]"]);
    let weights = folder.join("weights").display().to_string();
    told(0, &["learn", JSON, &seeds, "-o", &weights]);
    let generate = |name: &str, more: &[&str]| {
        let out = folder.join(name);
        let first = ["generate", JSON, "-n", "200", "--mode", "weighted", "--exotic", "0", "-o"];
        told(0, &[&first[..], &[&out.display().to_string()], more].concat());
        let files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let texts: BTreeMap<_, _> =
            files.map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect();
        texts.into_values().collect::<Vec<String>>()
    };
    let learnt = generate("learnt", &["--weights", &weights]);
    assert_eq!(learnt, generate("again", &["--weights", &weights]));
    let share = |texts: &[String]| {
        texts.iter().filter(|text| text.trim_start().starts_with('[')).count() * 100 / texts.len()
    };
    let (with, without) = (share(&learnt), share(&generate("plain", &[])));
    assert!(with > 60 && with > 2 * without, "{with} and {without} %");
    for text in learnt {
        serde_json::from_str::<serde::de::IgnoredAny>(&text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn files_that_hold_no_weights_are_named_by_the_place_that_is_wrong() {
    let folder = folder("wrong");
    let (file, out) = (folder.join("it"), folder.join("out").display().to_string());
    let name = file.display().to_string();
    for (text, said) in [
        ("{\"weights\":1,\n\"trees\":-1}", ["it:2:", "invalid value"]),
        (
            "{\"weights\":1,\"trees\":1,\"rules\":{\"value\":{\n\"choices\":[]}}}",
            ["it:2:", "invalid type"],
        ),
        ("{\"weights\":1,\"trees\":1,\n\"rules\":{}", ["it:2:", "EOF"]),
        ("[1, 2]", ["it:1:", "invalid length"]),
        ("{}", ["it:1:", "missing field `weights`"]),
        ("{\"weights\":2,\"trees\":0,\"rules\":{}}", ["it: its weights", "learn them again"]),
    ] {
        fs::write(&file, text).unwrap();
        for arguments in [
            &["generate", JSON, "--mode", "random", "--weights", &name][..],
            &["learn", JSON, "--add", &name, "-o", &out],
        ] {
            let (_, stderr) = told(2, arguments);
            assert!(stderr.contains(&name), "{text}: {stderr}");
            assert!(said.iter().all(|said| stderr.contains(said)), "{text}: {stderr}");
        }
    }
    let (_, stderr) = told(2, &["learn", JSON, "--add", "no such file", "-o", &out]);
    assert!(stderr.contains("cannot read no such file"), "{stderr}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_file_without_an_end_is_refused() {
    let folder = folder("endless");
    let file = folder.join("it");
    // Sparse: it takes no room.
    fs::File::create(&file).unwrap().set_len(257 << 20).unwrap();
    let name = file.display().to_string();
    let (_, stderr) = told(2, &["generate", JSON, "--mode", "random", "--weights", &name]);
    assert!(stderr.contains("is longer than 268435456 bytes"), "{stderr}");
}

#[test]
fn what_the_grammar_does_not_have_is_a_warning() {
    let folder = folder("edited");
    let [old, new] = ["old.pleach", "new.pleach"].map(|name| folder.join(name));
    fs::write(&old, "s = \"a\" | \"b\" t ; t = \"c\"* ;").unwrap();
    fs::write(&new, "s = \"a\" | \"b\" u ; u = \"c\"* ;").unwrap();
    let [old, new] = [old, new].map(|path| path.display().to_string());
    let seeds = corpus(&folder, "seeds", &["a", "a", "bcc"]);
    let weights = folder.join("weights").display().to_string();
    told(0, &["learn", &old, &seeds, "-o", &weights]);
    let (_, stderr) =
        told(0, &["generate", &new, "-n", "5", "--mode", "random", "--weights", &weights]);
    assert!(stderr.contains("the grammar has no \"b\" t in rule s"), "{stderr}");
    assert!(stderr.contains("the grammar has no rule t"), "{stderr}");
}
