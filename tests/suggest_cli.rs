//! `pleach suggest`, driven as a person drives it.
#![cfg(feature = "cli")]

use std::fs;
use std::path::PathBuf;

use pleach_testing::Pleach;
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

/// What a command writes to standard output and standard error, if it ends with a status.
fn told(status: i32, arguments: &[&str], input: &str) -> (String, String) {
    let output = PLEACH.with_stdin(arguments, input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stderr}");
    (out, stderr)
}

/// A file of specifications for one test, which is not there yet.
fn own(name: &str) -> PathBuf {
    let folder = PLEACH.folder(format!("suggest-{name}"));
    folder.join("own.toml")
}

#[test]
fn the_likeliest_come_first_one_a_line() {
    let (out, stderr) = told(0, &["suggest", "the timestamp in RFC 3339 format", "-n", "2"], "");
    assert!(stderr.is_empty());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    let words: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(words[1], "date-time");
    assert!(lines[0].ends_with("(RFC 3339, section 5.6 (date-time))"), "{out}");
    let score: f64 = words[0].parse().unwrap();
    assert!(score > 0.2 && score <= 1.0, "{out}");
    let (from_stdin, _) = told(0, &["suggest", "-", "-n", "2"], "the timestamp in RFC 3339 format");
    assert_eq!(from_stdin, out);
}

#[test]
fn json_has_the_specification() {
    let phrase = "a MAC address";
    let (out, _) = told(0, &["suggest", phrase, "--format", "json"], "");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["phrase"], phrase);
    let first = &report["suggestions"][0];
    assert_eq!(first["name"], "mac-address");
    assert!(first["score"].as_f64().unwrap() > 0.2);
    assert!(first["source"].as_str().unwrap().starts_with("IEEE Std 802"));
    assert!(first["description"].as_str().unwrap().contains("48 bits"));
    let specification = first["specification"].as_str().unwrap();
    let regex = regex::Regex::new(&format!(r"\A(?:{specification})\z")).unwrap();
    assert!(regex.is_match("00:1a:2b:3c:4d:5e") && !regex.is_match("00:1a:2b:3c:4d"));
}

#[test]
fn nothing_alike_is_a_no() {
    let (out, stderr) = told(1, &["suggest", "a recipe for banana bread"], "");
    assert!(out.is_empty() && stderr.contains("lower --threshold"), "{stderr}");
    let arguments = ["suggest", "a recipe for banana bread", "--format", "json"];
    let (out, _) = told(1, &arguments, "");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["suggestions"].as_array().unwrap().len(), 0);
    told(1, &["suggest", "the user's email address", "--threshold", "0.99"], "");
    told(1, &["suggest", ""], "");
}

#[test]
fn what_is_added_is_suggested() {
    let file = own("added");
    let path = file.to_str().unwrap();
    let phrase = "the number plate of a car";
    let add = |name: &'static str, spec: &'static str| {
        vec!["suggest", phrase, "--known", path, "--add", name, "--spec", spec]
    };
    let (out, stderr) = told(0, &add("plate", "{alnum}{3,7}"), "");
    assert!(out.is_empty());
    assert_eq!(stderr, format!("plate is added to {path}\n"));
    let (out, _) = told(0, &["suggest", "a plate", "--known", path, "--format", "json"], "");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["suggestions"][0]["name"], "plate");
    assert_eq!(report["suggestions"][0]["specification"], "[0-9A-Za-z]{3,7}");
    // A second one goes behind it, and the same name does not go in twice.
    told(0, &add("plate2", "[A-Z]+'\"\\\\?"), "");
    let before = fs::read_to_string(&file).unwrap();
    let (_, stderr) = told(2, &add("plate", "x"), "");
    assert!(stderr.contains("has `plate` already"), "{stderr}");
    let (_, stderr) = told(2, &add("plate3", "x("), "");
    assert!(stderr.contains("unclosed group"), "{stderr}");
    let (_, stderr) = told(3, &add("plate4", "(a|b)*a(a|b){30}"), "");
    assert!(stderr.contains("needs more than"), "{stderr}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(before.matches("description = ").count(), 2);
}

#[test]
fn faults_of_a_file_have_a_place() {
    let file = own("faults");
    let path = file.to_str().unwrap();
    let (_, stderr) = told(2, &["suggest", "a", "--known", path], "");
    assert!(stderr.starts_with(&format!("error: cannot read {path}")), "{stderr}");
    fs::write(&file, "[a]\ndescription = 'd'\nsource = 's'\nspecification = 'é('\n").unwrap();
    let (_, stderr) = told(2, &["suggest", "a", "--known", path], "");
    assert!(stderr.starts_with(&format!("error: {path}:4:19: unclosed group")), "{stderr}");
    told(2, &["suggest", "a", "--add", "x", "--spec", "y"], "");
    told(2, &["suggest", "a", "--add", "x", "--known", path], "");
}

#[test]
fn all_structures_are_listed() {
    let (out, _) = told(0, &["suggest", "--list"], "");
    assert!(out.lines().count() >= 48);
    assert!(out.lines().any(|line| line.starts_with("ipv4-cidr  ")), "{out}");
    let (json, _) = told(0, &["suggest", "--list", "--format", "json"], "");
    let report: Value = serde_json::from_str(&json).unwrap();
    let structures = report["structures"].as_array().unwrap();
    assert_eq!(structures.len(), out.lines().count());
    assert!(structures.iter().all(|structure| structure.get("score").is_none()));
    told(2, &["suggest"], "");
    told(2, &["suggest", "a phrase", "--list"], "");
}
