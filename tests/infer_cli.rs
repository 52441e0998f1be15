//! `pleach infer`, and functions as implementations, driven as a person drives them.
#![cfg(unix)]

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

const PORT: &str =
    "/// A port.\npub fn port(text: &str) -> Option<u16> {\n    text.parse().ok()\n}\n";

const PAIR: &str = "fn pair(text: &str) -> Option<(&str, &str)> {\n    \
    let mut parts = text.split(':');\n    Some((parts.next()?, parts.next()?))\n}\n";

#[test]
fn a_regex_is_printed_with_what_is_special() {
    let file = PLEACH.source("infer-pair", PAIR);
    let output = PLEACH.run(&["infer", &format!("{file}#pair")]);
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
    let file = PLEACH
        .source("infer-mystery", "pub fn f(s: &str) -> bool {\n    s.len() < 3 && mystery(s)\n}\n");
    let (report, code) = PLEACH.json(&["infer", &format!("{file}#f:s")]);
    assert_eq!(code, 0);
    let report = &report["parameters"][0];
    assert_eq!(report["exact"], false);
    assert_eq!(report["parameter"], "s");
    let imprecision = &report["imprecisions"][0];
    assert_eq!((&imprecision["line"], &imprecision["file"]), (&2.into(), &Value::from(file)));
    assert!(imprecision["message"].as_str().unwrap().contains("mystery"), "{imprecision}");
}

#[test]
fn the_published_analysis_and_tables_of_ones_own_are_options() {
    let file = PLEACH.source(
        "infer-paper",
        "fn f(s: &str) -> bool { s.ends_with(\"b\") && s.starts_with(\"a\") }\n",
    );
    let function = format!("{file}#f");
    let of = |more: &[&str]| {
        let (report, _) = PLEACH.json(&[&["infer", &*function], more].concat());
        report["parameters"][0].clone()
    };
    let view = of(&[]);
    let paper = of(&["--mode", "paper"]);
    assert_eq!(view["exact"], true);
    assert_ne!(view["regex"], paper["regex"]);
    let possible = of(&["--mode", "paper", "--derived", "possible"]);
    assert_ne!(possible["regex"], paper["regex"]);
    // It leaves out what is accepted, so it is no bound.
    let output = PLEACH.run(&["infer", &function, "--mode", "paper"]);
    assert!(text(&output.stderr).contains("accepts of `s`, about:"), "{output:?}");
}

#[test]
fn parameters_are_in_one_object() {
    let file = PLEACH.source(
        "infer-two",
        "pub struct P;\nimpl TryFrom<&str> for P { type Error = ();\n    \
         fn try_from(s: &str) -> Result<P, ()> { if s == \"x\" { Ok(P) } else { Err(()) } } }\n\
         impl TryFrom<String> for P { type Error = ();\n    \
         fn try_from(s: String) -> Result<P, ()> { P::try_from(&*s) } }\n\
         pub fn two(a: &str, b: &str) -> bool { a == \"1\" && b == \"2\" }\n",
    );
    let (report, _) = PLEACH.json(&["infer", &format!("{file}#two")]);
    let names: Vec<_> =
        report["parameters"].as_array().unwrap().iter().map(|it| &it["parameter"]).collect();
    assert_eq!(names, ["a", "b"], "{report}");
    // Two of one path: the first is meant.
    let (report, code) = PLEACH.json(&["infer", &format!("{file}#P::try_from")]);
    assert_eq!((code, &report["parameters"][0]["regex"]), (0, &"x".into()), "{report}");
}

#[test]
fn tables_of_ones_own_are_for_differences_too() {
    let file = PLEACH.source("infer-own", "fn f(s: &str) -> bool { is_name(s) }\n");
    let table = PLEACH.source("infer-own-table", "fn.is_name in [a-z]+\n");
    let implementation = format!("{file}#f");
    let arguments = ["diff", "--spec", "[a-z]+", "--impl", &implementation, "--functions", &table];
    let (report, code) = PLEACH.json(&arguments);
    assert_eq!((code, &report["equal"]), (0, &true.into()), "{report}");
}

#[test]
fn a_function_of_a_trait_is_run() {
    let file = PLEACH.source(
        "infer-from-str",
        "pub struct T;\nimpl std::str::FromStr for T { type Err = ();\n    \
         fn from_str(s: &str) -> Result<T, ()> { if s == \"z\" { Ok(T) } else { Err(()) } } }\n",
    );
    let implementation = format!("{file}#T::from_str");
    let (report, code) =
        PLEACH.json(&["diff", "--spec", "y*z", "--impl", &implementation, "--run"]);
    assert_eq!(code, 1, "{report}");
    assert!(report["deviations"].as_u64() > Some(0), "{report}");
}

#[test]
fn values_are_judged_where_languages_are_equal() {
    let file = PLEACH
        .source("infer-equal", "pub fn second(s: &str) -> Option<&str> { s.split(':').nth(1) }\n");
    let implementation = format!("{file}#second");
    let arguments = [
        "diff",
        "--spec",
        "[^:]*:(?<rest>(?s:.)*)",
        "--impl",
        &implementation,
        "--run",
        "--expect",
        "rest",
    ];
    let (report, code) = PLEACH.json(&arguments);
    assert_eq!((code, &report["equal"]), (1, &true.into()), "{report}");
    assert!(report["deviations"].as_u64() > Some(0), "{report}");
}

#[test]
fn without_a_specification_nothing_is_wrong() {
    let file = PLEACH.source("infer-alone", PORT);
    let (report, code) =
        PLEACH.json(&["diff", "--impl", &format!("{file}#port"), "--run", "-n", "5"]);
    assert_eq!((code, &report["deviations"]), (0, &0.into()), "{report}");
    assert_eq!(report["strings"].as_array().unwrap().len(), 5, "{report}");
}

#[test]
fn a_function_is_an_implementation_that_is_inferred_and_run() {
    let file = PLEACH.source("infer-port", PORT);
    let implementation = format!("{file}#port");
    let (report, code) =
        PLEACH.json(&["diff", "--spec", "known:port", "--impl", &implementation, "-n", "9"]);
    assert_eq!(code, 1);
    assert_eq!(report["exact"], true, "{report}");
    let strings = report["strings"].as_array().unwrap();
    assert!(strings.iter().all(|string| string["accepted_by"] == "impl"), "{report}");
    assert!(strings.iter().any(|string| string["text"].as_str().unwrap().starts_with('+')));

    let arguments = ["diff", "--spec", "known:port", "--impl", &implementation, "--run", "-n", "9"];
    let (report, code) = PLEACH.json(&arguments);
    assert_eq!(code, 1);
    let strings = report["strings"].as_array().unwrap();
    assert!(strings.iter().all(|string| string["verdict"] == "over-accepted"), "{report}");
}

#[test]
fn the_value_that_is_returned_is_judged() {
    let file = PLEACH.source(
        "infer-password",
        "pub fn password(text: &str) -> Option<&str> {\n    text.split(':').nth(1)\n}\n",
    );
    let (report, code) = PLEACH.json(&[
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
    let file = PLEACH.source("infer-broken", "fn f(s: &str) -> bool {\n    s.is_empty(\n}\n");
    let port = PLEACH.source("infer-other-port", PORT);
    for (function, said) in [
        (format!("{file}#f"), "it.rs:"),
        (format!("{port}#missing"), "missing"),
        ("nothing-there.rs#f".to_owned(), "nothing-there.rs"),
        ("no-function".to_owned(), "FILE.rs#FUNCTION"),
    ] {
        let output = PLEACH.run(&["infer", &function]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{function}: {shown}");
        assert!(shown.contains(said), "{function}: {shown}");
    }
}

#[test]
fn a_language_that_no_regex_says_ends_with_3_in_either_format() {
    // Characters that a regex writes by their numbers.
    let long = (0..9000).filter_map(|n| char::from_u32(0xE000 + n * n / 3 % 7));
    let long: String = long.collect();
    let file =
        PLEACH.source("infer-long", &format!("fn f(s: &str) -> bool {{ s == \"{long}\" }}\n"));
    let function = format!("{file}#f");
    let output = PLEACH.run(&["infer", &function]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("which no regex of"), "{}", text(&output.stderr));
    let (report, code) = PLEACH.json(&["infer", &function]);
    assert_eq!((code, &report["parameters"][0]["regex"]), (3, &Value::Null));
}
