//! `pleach infer`, and functions as implementations, driven as a person drives them.
#![cfg(unix)]

mod command;

use serde_json::Value;

use command::{json, run, source, text};

const PORT: &str =
    "/// A port.\npub fn port(text: &str) -> Option<u16> {\n    text.parse().ok()\n}\n";

const PAIR: &str = "fn pair(text: &str) -> Option<(&str, &str)> {\n    \
    let mut parts = text.split(':');\n    Some((parts.next()?, parts.next()?))\n}\n";

#[test]
fn a_regex_is_printed_with_what_is_special() {
    let file = source("infer-pair", PAIR);
    let output = run(&["infer", &format!("{file}#pair")]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("pair accepts of `text`, exactly"), "{said}");
    assert!(said.contains("special characters: \":\""), "{said}");
    let pattern = text(&output.stdout);
    // The language is judged by another implementation of regexes.
    let regex = regex::Regex::new(&format!("^(?:{})$", pattern.trim())).unwrap();
    assert!(regex.is_match("a:b:c") && regex.is_match(":") && !regex.is_match("ab"), "{pattern}");
}

#[test]
fn an_object_says_how_exact_it_is_and_where_not() {
    let file =
        source("infer-mystery", "pub fn f(s: &str) -> bool {\n    s.len() < 3 && mystery(s)\n}\n");
    let (report, code) = json(&["infer", &format!("{file}#f:s")]);
    assert_eq!(code, 0);
    assert_eq!(report["exact"], false);
    assert_eq!(report["parameter"], "s");
    let imprecision = &report["imprecisions"][0];
    assert_eq!((&imprecision["line"], &imprecision["file"]), (&2.into(), &Value::from(file)));
    assert!(imprecision["message"].as_str().unwrap().contains("mystery"), "{imprecision}");
}

#[test]
fn the_published_analysis_and_tables_of_ones_own_are_options() {
    let file = source(
        "infer-paper",
        "fn f(s: &str) -> bool { s.ends_with(\"b\") && s.starts_with(\"a\") }\n",
    );
    let function = format!("{file}#f");
    let (view, _) = json(&["infer", &function]);
    let (paper, _) = json(&["infer", &function, "--mode", "paper"]);
    assert_eq!(view["exact"], true);
    assert_ne!(view["regex"], paper["regex"]);
    let (possible, _) = json(&["infer", &function, "--mode", "paper", "--derived", "possible"]);
    assert_ne!(possible["regex"], paper["regex"]);
}

#[test]
fn a_function_is_an_implementation_that_is_inferred_and_run() {
    let file = source("infer-port", PORT);
    let implementation = format!("{file}#port");
    let (report, code) =
        json(&["diff", "--spec", "known:port", "--impl", &implementation, "-n", "9"]);
    assert_eq!(code, 1);
    assert_eq!(report["exact"], true, "{report}");
    let strings = report["strings"].as_array().unwrap();
    assert!(strings.iter().all(|string| string["accepted_by"] == "impl"), "{report}");
    assert!(strings.iter().any(|string| string["text"].as_str().unwrap().starts_with('+')));

    let arguments = ["diff", "--spec", "known:port", "--impl", &implementation, "--run", "-n", "9"];
    let (report, code) = json(&arguments);
    assert_eq!(code, 1);
    let strings = report["strings"].as_array().unwrap();
    assert!(strings.iter().all(|string| string["verdict"] == "over-accepted"), "{report}");
}

#[test]
fn the_value_that_is_returned_is_judged() {
    let file = source(
        "infer-password",
        "pub fn password(text: &str) -> Option<&str> {\n    text.split(':').nth(1)\n}\n",
    );
    let (report, code) = json(&[
        "diff",
        "--spec",
        "[^:]*:(?<pwd>([^:]|(?<data>:))*)",
        "--impl",
        &format!("{file}#password"),
        "--run",
        "--expect",
        "pwd",
        "-n",
        "12",
    ]);
    assert_eq!(code, 1, "{report}");
    let strings = report["strings"].as_array().unwrap();
    let wrong = strings.iter().find(|string| string["verdict"] == "wrong value");
    let wrong = wrong.expect("a password with a colon is cut off");
    assert!(wrong["text"].as_str().unwrap().matches(':').count() > 1, "{wrong}");
}

#[test]
fn mistakes_are_said_with_a_place() {
    let file = source("infer-broken", "fn f(s: &str) -> bool {\n    s.is_empty(\n}\n");
    let port = source("infer-other-port", PORT);
    for (function, said) in [
        (format!("{file}#f"), "it.rs:"),
        (format!("{port}#missing"), "missing"),
        ("nothing-there.rs#f".to_owned(), "nothing-there.rs"),
        ("no-function".to_owned(), "FILE.rs#FUNCTION"),
    ] {
        let output = run(&["infer", &function]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{function}: {shown}");
        assert!(shown.contains(said), "{function}: {shown}");
    }
}
