//! `pleach trace`, driven as a person drives it.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

/// A folder with a package: a library and a program, at a path that stays the same, so that what was built is fresh.
fn package() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace");
    let manifest =
        "[package]\nname = \"traced\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/lib.rs", include_str!("data/inside/range.rs")),
        ("src/main.rs", include_str!("data/inside/program.rs")),
        ("range.pleach", include_str!("data/inside/range.pleach")),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            fs::write(path, text).unwrap();
        }
    }
    folder
}

/// The path of an input.
fn input(name: &str, bytes: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace-inputs").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// Runs `pleach trace`, a function's target by its name, and gives what it printed.
fn traced(arguments: &[&str]) -> (Output, String) {
    let target = format!("{}#length", package().join("src/lib.rs").display());
    let output = PLEACH.run(&[&["trace", &*target], arguments].concat());
    let said = text(&output.stdout);
    (output, said)
}

fn object(arguments: &[&str]) -> Value {
    let target = format!("{}#length", package().join("src/lib.rs").display());
    let (value, code) = PLEACH.json(&[&["trace", &*target], arguments].concat());
    assert_eq!(code, 0, "{value}");
    value
}

#[test]
fn a_panic_is_shown_with_the_path_that_leads_to_it() {
    let path = input("backwards", "17-3");
    let (output, said) = traced(&[&path]);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines.contains(&"-> traced::length"), "what calls it is not shown: {said}");
    // The call of the private function, and a branch in it with its source, values and bytes.
    assert!(
        lines.iter().any(|it| it.trim_start().starts_with("-> traced::number from ")),
        "{said}"
    );
    let at = lines.iter().position(|it| it.contains(": if !byte.is_ascii_digit() {")).expect(&said);
    assert!(lines[at].contains("src/lib.rs:11:"), "{said}");
    assert!(lines[at + 1].contains("by input 0 \"1\""), "{said}");
    let last = lines.iter().rposition(|it| it.contains(": Some(last - first + 1)")).expect(&said);
    assert!(
        lines[last + 1].trim_start().starts_with("3 < 17, by input 0..2 \"17\", input 3 \"3\""),
        "{said}"
    );
    assert!(said.contains("attempt to subtract with overflow"), "{said}");
    assert!(said.contains("in traced::length at ") && said.contains("src/lib.rs:5:10"), "{said}");
}

#[test]
fn an_object_has_events_with_values_and_nodes() {
    let path = input("forwards", "7-9");
    let grammar = package().join("range.pleach").display().to_string();
    let value = object(&[&path, "--grammar", &grammar]);
    assert_eq!((&value["outcome"]["kind"], &value["parsed"]), (&"returned".into(), &true.into()));
    assert_eq!(value["outcome"]["verdict"], "the input is accepted");
    assert_eq!(value["left_out"], 0);
    let events = value["events"].as_array().unwrap();
    let called = |it: &&Value| it["event"] == "call" && it["function"] == "traced::number";
    assert_eq!(events.iter().filter(called).count(), 2, "{value}");
    let on_nine = |it: &&Value| {
        it["source"].as_str().is_some_and(|it| it.contains("is_ascii_digit"))
            && it["bytes"][0]["start"] == 2
    };
    let branch = events.iter().find(on_nine).expect("the last byte decides");
    assert_eq!(branch["bytes"].as_array().unwrap().len(), 1, "{branch}");
    let node = &branch["bytes"][0]["node"];
    assert_eq!(
        (&node["rule"], &node["start"], &node["end"]),
        (&"number".into(), &2.into(), &3.into())
    );
    assert_eq!((&branch["place"]["line"], &branch["depth"]), (&11.into(), &2.into()));
    let calls = value["calls"].as_array().unwrap();
    let counted = calls.iter().filter(|it| it["callee"] == "traced::number");
    assert_eq!(counted.map(|it| it["count"].as_u64().unwrap()).sum::<u64>(), 2);
    assert!(
        calls.iter().any(|it| it["caller"] == "traced::length" && it["callee"] == "traced::number")
    );
}

#[test]
fn what_is_not_of_the_grammar_is_traced_without_nodes() {
    let path = input("no-range", "7-");
    let grammar = package().join("range.pleach").display().to_string();
    let (output, said) = traced(&[&path, "--grammar", &grammar]);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        text(&output.stderr).contains("bytes are not named by nodes"),
        "{}",
        text(&output.stderr)
    );
    assert!(said.contains("by input 0 \"7\"") && !said.contains(" of number"), "{said}");
    let (_, said) = traced(&[&input("seven", "7-8"), "--grammar", &grammar]);
    assert!(said.contains("by input 0 \"7\" of number 0..1"), "{said}");
}

#[test]
fn filters_and_folds_keep_a_path_short() {
    let path = input("long", &format!("{}7-9", "0".repeat(40)));
    let (_, plain) = traced(&[&path]);
    assert!(plain.contains("elsewhere, by input"), "std is counted: {plain}");
    assert!(plain.contains("and so 39 times more, by input 0..41"), "{plain}");
    assert!(plain.contains("0 * 10 does not overflow, by input 0"), "{plain}");
    let lines = |more: &[&str]| {
        let (output, said) = traced(&[&[&*path], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        said.lines().count()
    };
    let usual = lines(&[]);
    assert!(lines(&["--unfolded"]) > usual + 100);
    assert!(lines(&["--all"]) > usual);
    assert!(lines(&["--independent"]) > usual);
    let (_, one) = traced(&[&path, "--function", "number"]);
    assert!(one.starts_with("-> traced::number") && !one.contains("-> traced::length"), "{one}");
    let (_, cut) = traced(&[&path, "--unfolded", "--limit", "10"]);
    assert!(
        cut.contains("lines left out: --limit") && cut.contains("\n-> traced::length\n"),
        "{cut}"
    );
    // Ten lines, what is left out, how it ended and what it took.
    assert_eq!(cut.lines().count(), 13, "{cut}");
}

#[test]
fn a_function_that_is_not_there_is_refused_with_those_alike() {
    let (output, _) = traced(&[&input("a", "1-2"), "--function", "umber"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no function `umber`") && said.contains("traced::number"), "{said}");
    let (output, _) = traced(&[&input("a", "1-2"), "--", "argument"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("for bin:NAME"), "{}", text(&output.stderr));
    let output = PLEACH.run(&["trace", "no target", "README.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: `no target` is no target"));
}

#[test]
fn a_run_of_too_many_steps_ends_with_3_and_shows_what_there_was() {
    let (output, said) = traced(&[&input("a", "1-2"), "--steps", "120"]);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("out of steps"), "{said}");
    assert!(text(&output.stderr).contains("--steps allows more than 120"));
}

/// Runs `pleach trace bin:traced` in the package's folder.
fn program(arguments: &[&str]) -> (Output, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(["trace", "bin:traced"]).args(arguments).current_dir(package());
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let said = text(&output.stdout);
    (output, said)
}

#[test]
fn a_program_has_its_input_as_standard_input_or_as_a_file_and_others_beside_it() {
    let settings = input("settings", "answer=42\nb=1\n");
    let (output, said) = program(&[&settings]);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.contains("exit 2") && said.contains("11 bytes to standard output"), "{said}");
    assert!(
        said.contains("src/main.rs:15:8: if settings")
            && said.contains("\"42\" == \"42\", by input 7..9"),
        "{said}"
    );
    let (output, said) = program(&[&settings, "--", "@@"]);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.contains("by settings ") && said.contains("exit 2"), "{said}");
    let other = input("other", "x=1\n");
    let file = format!("own.txt={other}");
    let (_, said) = program(&[&settings, "--file", &file, "--", "own.txt"]);
    assert!(said.contains("exit 1"), "{said}");
    let (output, said) = program(&[&settings, "--", "--threads"]);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(text(&output.stderr).contains("threads are not supported"), "{}", text(&output.stderr));
    let (output, _) = program(&[&settings, "--stdin", &other]);
    assert_eq!(output.status.code(), Some(2));
}
