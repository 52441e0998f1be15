//! `pleach diff`, driven as a person drives it.
#![cfg(unix)]

use std::process::Output;

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

fn run(arguments: &[&str]) -> Output {
    PLEACH.run(&[&["diff"], arguments].concat())
}

fn json(arguments: &[&str]) -> (Value, i32) {
    PLEACH.json(&[&["diff"], arguments].concat())
}

fn texts(report: &Value) -> Vec<&str> {
    let strings = report["strings"].as_array().unwrap();
    strings.iter().map(|string| string["text"].as_str().unwrap()).collect()
}

const CREDENTIALS: &str = "[^:]*:(?<password>([^:]|(?<data>:))*)";

#[test]
fn equal_languages_end_well() {
    let (report, code) = json(&["--spec", "a+", "--impl", "aa*"]);
    assert_eq!(code, 0);
    assert_eq!(report["equal"], true);
    assert_eq!(report["exact"], true);
    assert_eq!(report["difference_states"], 0);
    assert_eq!((&report["spec_states"], &report["impl_states"]), (&2.into(), &2.into()));
    assert_eq!(report["strings"], Value::Array(Vec::new()));
    let output = run(&["--spec", "a+", "--impl", "aa*"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    assert!(text(&output.stderr).ends_with("the specification and the implementation are equal\n"));
}

#[test]
fn an_implementation_by_itself_is_no_difference() {
    let output = run(&["--impl", "a+b"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("\"ab\""));
}

#[test]
fn a_difference_is_exit_code_1_and_strings_in_order() {
    let (report, code) = json(&["--spec", "[0-9]{1,3}", "--impl", "[0-9]+|x"]);
    assert_eq!(code, 1);
    assert_eq!(report["equal"], false);
    let strings = report["strings"].as_array().unwrap();
    for (index, string) in strings.iter().enumerate() {
        assert_eq!(string["rank"], index + 1);
        assert_eq!(string["accepted_by"], "impl");
        assert!(string["transition"]["from"].is_u64());
    }
    assert!(texts(&report).contains(&"x"));
    let (few, _) = json(&["--spec", "[0-9]{1,3}", "--impl", "[0-9]+|x", "-n", "2"]);
    assert_eq!(texts(&few), texts(&report)[..2]);
    assert_eq!(json(&["--spec", "[0-9]{1,3}", "--impl", "[0-9]+|x"]).0, report);
}

#[test]
fn every_strategy_and_special_characters() {
    for strategy in ["edge-cover", "paper-dfs", "undirected"] {
        let sides = ["--spec", "[a-z]+", "--impl", "(?s).+", "--strategy", strategy, "-n", "30"];
        let (report, code) = json(&sides);
        assert_eq!(code, 1, "{strategy}");
        assert!(!texts(&report).is_empty(), "{strategy}");
        let differing =
            report["strings"].as_array().unwrap().iter().filter(|it| it["differs"] == true);
        assert_eq!(differing.count() > 0, strategy != "undirected");
    }
    let (report, _) = json(&["--spec", "[a-z]+", "--impl", "(?s).+", "--special", "~", "-n", "2"]);
    assert!(texts(&report).contains(&"~"), "{report}");
}

#[test]
fn roles_are_named() {
    let (report, _) = json(&["--spec", CREDENTIALS, "--impl", "[^:]*:[^:]*", "-n", "1"]);
    let string = &report["strings"][0];
    assert_eq!(string["roles"], true);
    assert_eq!((&string["text"], &string["accepted_by"]), (&"::".into(), &"spec".into()));
    assert_eq!(string["transition"]["symbol"], ":");
    let output = run(&["--spec", CREDENTIALS, "--impl", "[^:]*:[^:]*", "-n", "1"]);
    assert!(text(&output.stdout).contains("':' as data at 1"), "{}", text(&output.stdout));
}

#[test]
fn a_command_is_run_and_judged() {
    let cut = "cmd:cut -d: -f2";
    let (report, code) = json(&["--spec", CREDENTIALS, "--impl", cut, "--expect", "password"]);
    assert_eq!(code, 1);
    assert_eq!(report["impl_states"], Value::Null);
    let strings = report["strings"].as_array().unwrap();
    let wrong = strings.iter().find(|it| it["verdict"] == "wrong value").unwrap();
    assert_eq!((&wrong["text"], &wrong["value"]), (&"::".into(), &"".into()));
    assert_eq!((&wrong["expected"], &wrong["accepted_by"]), (&":".into(), &"spec".into()));
    assert!(report["deviations"].as_u64() <= report["runs"].as_u64());

    // One that is right.
    let right = "cmd:grep -q : input 2>/dev/null; t=$(cat; echo x); t=${t%x}; case $t in \
                 *:*) printf '%s\\n' \"${t#*:}\";; *) exit 1;; esac";
    let (report, code) = json(&["--spec", CREDENTIALS, "--impl", right, "--expect", "password"]);
    let deviating: Vec<_> = report["strings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["verdict"] != "agrees")
        .collect();
    // A shell cannot keep NUL in a variable.
    assert!(
        deviating.iter().all(|it| it["text"].as_str().unwrap().contains('\0')),
        "{deviating:?}"
    );
    assert_eq!(code, i32::from(!deviating.is_empty()));
}

#[test]
fn a_command_that_accepts_the_same_shows_no_deviation() {
    // Nothing but letters, and at least one; grep adds the last newline that there is none of.
    let letters = "cmd:LC_ALL=C; t=$(tr -d a-z; echo x); test \"$t\" = x && exit 3; exit 1";
    let (report, code) = json(&["--spec", "[0-9]+", "--impl", letters]);
    assert_eq!((code, &report["equal"]), (1, &false.into()));
    let digits = "cmd:LC_ALL=C; t=$(tr '\\000' x; echo x); case $t in x|*[!0-9]*x) exit 1;; *) exit 0;; esac";
    let (report, code) = json(&["--spec", "[0-9]+", "--impl", digits, "--special", "x"]);
    assert_eq!((code, &report["equal"]), (0, &true.into()), "{report}");
    assert!(report["runs"].as_u64() > Some(10));
}

#[test]
fn without_an_expectation_values_are_shown_smallest_first() {
    let output = run(&["--spec", CREDENTIALS, "--impl", "[^:]*:[^:]*", "--command", "cut -d: -f2"]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = text(&output.stdout);
    // An escape is one character.
    let length = |line: &str| {
        let input = line.split("\"  ").next().unwrap().split_once('"').unwrap().1;
        input.replace("\\x00", "0").replace("\\\\", "0").replace('\\', "").chars().count()
    };
    assert!(stdout.lines().count() > 10 && stdout.lines().is_sorted_by_key(length), "{stdout}");
}

/// A path that is cut off the host at the last slash, by a function that accepts more than the specification: strings of the
/// difference alone say nothing about the value.
#[test]
fn values_are_judged_where_the_languages_differ() {
    let file = PLEACH.source(
        "diff-values",
        "pub fn host(text: &str) -> Option<&str> {\n\
            let rest = text.strip_prefix(\"//\")?;\n\
            Some(rest.rsplit_once('/').map_or(rest, |(host, _)| host))\n}\n",
    );
    let spec = "//(?<host>[a-z]+)(?:/[a-z]*)*";
    let sides = [
        "--spec",
        spec,
        "--impl",
        &format!("{file}#host"),
        "--run",
        "--expect",
        "host",
        "-n",
        "20",
    ];
    let (report, code) = json(&sides);
    assert_eq!((code, &report["equal"]), (1, &false.into()));
    let strings = report["strings"].as_array().unwrap();
    let wrong = strings.iter().find(|it| it["verdict"] == "wrong value").expect("a wrong host");
    assert!(wrong["rank"].as_u64() <= Some(12), "{wrong}");
    assert!(strings.iter().any(|it| it["verdict"] == "over-accepted"), "{report}");
}

/// What is in a group and what is outside are states of their own, though the same may follow both.
#[test]
fn the_borders_of_a_group_are_covered() {
    let sides = ["--impl", "cmd:cat", "--expect", "first", "-n", "12"];
    let (report, _) = json(&[&["--spec", "(?<first>a*)a*"][..], &sides].concat());
    assert!(
        report["strings"].as_array().unwrap().iter().any(|it| it["expected"] == "a"),
        "{report}"
    );
}

#[test]
fn slow_and_crashing_commands_fail() {
    let (report, code) =
        json(&["--spec", "a", "--impl", "cmd:sleep 9", "-n", "1", "--timeout", "0.2"]);
    assert_eq!((code, &report["strings"][0]["verdict"]), (1, &"failed".into()));
    assert_eq!(report["strings"][0]["value"], "a timeout");
    let (report, _) = json(&["--spec", "a", "--impl", "cmd:kill -9 $$", "-n", "1"]);
    assert_eq!(report["strings"][0]["value"], "death by signal 9");
}

#[test]
fn rules_of_grammars_are_sides() {
    let (report, code) = json(&["--spec", "grammars/semver.pleach", "--impl", r"\d+\.\d+\.\d+"]);
    assert_eq!((code, &report["exact"]), (1, &true.into()));
    assert!(texts(&report).iter().any(|text| text.contains('-')), "{report}");
    let output = run(&["--spec", "grammars/json.pleach#", "--impl", ".*"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = text(&output.stderr);
    assert!(stderr.contains(" -> ") && stderr.contains("--depth"), "{stderr}");
    let (report, code) =
        json(&["--spec", "tests/data/cli/list.pleach", "--impl", r"\[\]", "--depth", "2"]);
    assert_eq!((code, &report["exact"]), (1, &false.into()));
    assert!(report["imprecisions"][0].as_str().unwrap().starts_with("spec:"));
    // What a rule has of a string is what is expected.
    let (report, code) = json(&[
        "--spec",
        "grammars/rfc3339.pleach#full-date",
        "--impl",
        "cmd:cut -d- -f2",
        "--expect",
        "date-month",
        "-n",
        "20",
    ]);
    assert_eq!(code, 1);
    let right = report["strings"].as_array().unwrap().iter().filter(|it| it["verdict"] == "agrees");
    assert!(right.clone().count() > 0);
    for string in right {
        assert_eq!(string["value"], string["expected"]);
    }
}

#[test]
fn faults_are_named() {
    for (arguments, code, words) in [
        (&["--spec", "a(b", "--impl", "."][..], 2, "^"),
        (&["--spec", "(a|b)*a(a|b){17}", "--impl", "."], 3, "states"),
        (&["--spec", "a", "--impl", "b", "--run"], 2, "--command"),
        (&["--spec", "a", "--impl", "b", "--expect", "x"], 2, "--run"),
        (&["--spec", "a", "--impl", "cmd:true", "--expect", "x"], 2, "no group `x`"),
        (&["--spec", "known:nothing-of-the-kind", "--impl", "a"], 2, "nothing-of-the-kind"),
        (&["--spec", "missing.pleach#x", "--impl", "a"], 2, "missing.pleach"),
        (&["--spec", "a"], 2, "--impl"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn patterns_and_texts_may_begin_with_a_hyphen() {
    let (report, code) = json(&["--spec", "-?[0-9]+", "--impl", "-[0-9]+", "-n", "3"]);
    assert_eq!(code, 1);
    assert!(texts(&report).iter().all(|text| !text.starts_with('-')), "{report}");
    let (report, code) = json(&["--spec", "-+", "--impl", "-{1,}", "--special", "-"]);
    assert_eq!((code, &report["equal"]), (0, &true.into()));
    let suite = PLEACH.run(&["suite", "--spec", "-?a", "--impl", "-?a", "--against", "-?a"]);
    assert_eq!(suite.status.code(), Some(0), "{}", text(&suite.stderr));
    let output = PLEACH.run(&["suggest", "-3 or another integer, in RFC 3339 format"]);
    assert!(text(&output.stdout).contains("date-time"), "{}", text(&output.stderr));
}
