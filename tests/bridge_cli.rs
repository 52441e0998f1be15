//! `pleach bridge`, driven as a person drives it.
#![cfg(unix)]

mod command;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use command::{json, run, text};

/// A folder for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bridge").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The message's source in a file of its own, at a path that stays the same, so that what was built is fresh.
fn target() -> [String; 3] {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bridge");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("message.rs");
    let source = include_str!("data/inside/message.rs");
    if fs::read_to_string(&file).ok().as_deref() != Some(source) {
        fs::write(&file, source).unwrap();
    }
    let keep = folder.join("keep").display().to_string();
    [format!("{}#message", file.display()), "--keep".into(), keep]
}

fn arguments<'a>(target: &'a [String; 3], more: &[&'a str]) -> Vec<&'a str> {
    ["bridge"].into_iter().chain(target.iter().map(String::as_str)).chain(more.to_vec()).collect()
}

fn seed(folder: &Path) -> String {
    let path = folder.join("seed");
    fs::write(&path, "3:616263").unwrap();
    path.display().to_string()
}

#[test]
fn a_fault_is_found_in_a_unit_and_its_input_written_with_what_was_mapped() {
    let (folder, target) = (folder("fault"), target());
    let (seed, out) = (seed(&folder), folder.join("out").display().to_string());
    let more = [
        &*seed,
        "-o",
        &out,
        "--focus",
        "record",
        "--system",
        "none",
        "--seconds",
        "60",
        "--fail-fast",
    ];
    let (object, code) = json(&arguments(&target, &more));
    assert_eq!(code, 1, "{object}");
    let [crash] = &object["alarms"].as_array().expect("there is a list")[..] else {
        panic!("{object}");
    };
    assert_eq!(crash["message"], "attempt to divide by zero");
    assert!(crash["location"].as_str().unwrap().contains("message.rs:"), "{crash}");
    let unit = &crash["unit"];
    assert!(unit["function"].as_str().unwrap().ends_with("::record"), "{unit}");
    let [part] = &unit["mapping"].as_array().unwrap()[..] else { panic!("{unit}") };
    assert_eq!((&part["from"], &part["copy"]), (&serde_json::json!([2, 7]), &false.into()));
    assert_eq!((&part["old"], &part["new"]), (&"abc".into(), &"#\\xe8\\x03".into()));
    let file = Path::new(crash["file"].as_str().expect("it was written"));
    assert_eq!(file.parent().unwrap(), folder.join("out/crashes"));
    let input = fs::read_to_string(file).unwrap();
    assert_eq!(input.to_lowercase(), "3:23e803");
    let names = ["called", "carved", "tested", "lifted", "effective"];
    let functions = names.map(|name| object["functions"][name].as_u64().unwrap());
    assert_eq!(functions, [1; 5], "{object}");
    assert!(object["outcomes"]["new"].as_u64() > Some(0), "{object}");
    let [tested, lifted, effective] =
        ["tested", "lifted", "effective"].map(|name| object[name].as_u64().unwrap());
    assert!(tested > 0 && lifted >= effective && effective > 0, "{object}");
}

#[test]
fn the_same_seed_tells_the_same_by_either_unit_tester() {
    let (folder, target) = (folder("same"), target());
    let seed = seed(&folder);
    for (units, code, says) in [("concolic", 1, "found in subject::"), ("fuzz", 0, "lifted by ")] {
        let more = [&*seed, "--units", units, "--focus", "record", "--system", "none"];
        let texts = [0, 1].map(|_| {
            let output = run(&arguments(&target, &more));
            let said = text(&output.stdout);
            assert_eq!(output.status.code(), Some(code), "{said}");
            assert!(said.contains(says), "{said}");
            // The first line ends with how long it took.
            let (first, rest) = said.split_once('\n').unwrap();
            format!("{}\n{rest}", first.rsplit_once(", ").unwrap().0)
        });
        assert_eq!(texts[0], texts[1]);
    }
}

#[test]
fn inputs_by_a_grammar_go_beside_the_units() {
    let (folder, target) = (folder("grammar"), target());
    let grammar = folder.join("message.pleach").display().to_string();
    fs::write(&grammar, r#"message = [0-9] ":" byte* ; byte = /[0-9a-f]{2}/ ;"#).unwrap();
    let seed = seed(&folder);
    let more = [&*seed, "--grammar", &grammar, "--time", "3s"];
    let (object, _) = json(&arguments(&target, &more));
    assert!(object["runs"].as_u64() > Some(20), "{object}");
    assert!(object["units"].as_u64() > Some(0), "{object}");
}

#[test]
fn a_function_that_is_not_there_is_said() {
    let (folder, target) = (folder("absent"), target());
    let seed = seed(&folder);
    let output = run(&arguments(&target, &[&seed, "--focus", "absent"]));
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("--focus absent: the program has no such function"), "{said}");
}

#[test]
fn functions_that_have_changed_are_the_units() {
    let folder = folder("since");
    let file = folder.join("message.rs");
    let source = include_str!("data/inside/message.rs");
    fs::write(&file, source.replace("parts ^ 1000", "parts | 1000")).unwrap();
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.name=pleach", "-c", "user.email=pleach@example.org"];
        let status =
            Command::new("git").args(who).args(arguments).current_dir(&folder).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "message.rs"]);
    git(&["commit", "--quiet", "-m", "A message"]);
    fs::write(&file, source).unwrap();
    fs::write(folder.join("seed"), "3:236162").unwrap();
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bridge/keep-since");
    let bridge = |revision: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.args(["bridge", "message.rs#message", "seed", "--system", "none", "--fail-fast"]);
        command.args(["--since", revision, "--format", "json", "--keep"]).arg(&keep);
        command.current_dir(&folder).output().unwrap()
    };
    let output = bridge("HEAD");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let unit = &object["alarms"][0]["unit"]["function"];
    assert!(unit.as_str().unwrap().ends_with("::share"), "{object}");
    assert_eq!(object["functions"]["carved"], 1, "{object}");
    git(&["commit", "--quiet", "--all", "-m", "A fault"]);
    for revision in ["HEAD", "absent"] {
        let output = bridge(revision);
        assert_eq!(output.status.code(), Some(2), "{revision}");
        assert!(text(&output.stderr).contains("--since"), "{}", text(&output.stderr));
    }
}
