//! `pleach reduce`, driven as a person drives it: with shell commands that fail in many ways.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

const LIST: &str = "tests/data/cli/list.pleach";
const JSON: &str = "grammars/json.pleach";

/// A folder for one test, empty at its beginning; the temporary files of its runs go there.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new(name: &str) -> Self {
        let path = PLEACH.folder(format!("reduce-{name}"));
        fs::create_dir_all(path.join("tmp")).unwrap();
        Self { path }
    }

    fn file(&self, name: &str, content: &str) -> String {
        let path = self.path.join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().into()
    }

    fn at(&self, name: &str) -> String {
        self.path.join(name).to_str().unwrap().into()
    }

    fn pleach(&self, arguments: &[&str]) -> Command {
        let mut command = PLEACH.command(arguments);
        command.env("TMPDIR", self.path.join("tmp"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.pleach(arguments).output().unwrap()
    }

    /// What a reduction to standard output that succeeds leaves.
    fn left(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        assert!(self.is_clean());
        text(&output.stdout)
    }

    /// Whether no temporary files are left.
    fn is_clean(&self) -> bool {
        fs::read_dir(self.path.join("tmp")).unwrap().next().is_none()
    }
}

const NESTED: &str = "[a,[a,a],[[],[a,[a,[a]]]],a]";

#[test]
fn the_exit_status_is_kept() {
    let folder = Folder::new("status");
    let file = folder.file("in.txt", NESTED);
    // By a path in an argument, in each way, and by standard input.
    let fails = "if grep -q '\\[\\[\\]' \"$1\"; then exit 3; fi";
    for mark in ["@@", "{}"] {
        let left = folder.left(&["reduce", LIST, &file, "--", "sh", "-c", fails, "sh", mark]);
        assert_eq!(left, "[[]]", "{mark}");
    }
    let fails = "if grep -q 'a.*a.*a.*a'; then exit 9; fi";
    assert_eq!(folder.left(&["reduce", LIST, &file, "--", "sh", "-c", fails]), "[a,a,a,a]");
    // With --stdin the marks are as they are.
    let fails = "test \"$1\" = @@ && grep -q 'a,a'";
    let left = folder.left(&["reduce", LIST, &file, "--stdin", "--", "sh", "-c", fails, "x", "@@"]);
    assert_eq!(left, "[a,a]");
    // Another status is not the same failure.
    let fails = "s=$(cat); case $s in *'[[]'*) exit 4;; *'[a,[a'*) exit 5;; esac";
    let left = folder.left(&["reduce", LIST, &file, "--", "sh", "-c", fails]);
    assert_eq!(left, "[[]]");
}

#[test]
fn death_by_a_signal_is_kept() {
    let folder = Folder::new("signal");
    let file = folder.file("in.txt", NESTED);
    let fails = "s=$(cat); case $s in *'[[]'*) kill -SEGV $$;; *'[a,[a'*) kill -ABRT $$;; esac";
    let output = folder.run(&["reduce", LIST, &file, "--", "sh", "-c", fails]);
    assert_eq!(text(&output.stdout), "[[]]");
    assert!(text(&output.stderr).contains("death by signal 11"), "{}", text(&output.stderr));
}

#[test]
fn a_message_is_kept_whatever_the_status() {
    let folder = Folder::new("message");
    let file = folder.file("in.txt", NESTED);
    let fails = "s=$(cat); case $s in *a,a*) echo 'bad pair' >&2; exit ${#s};; esac";
    let reduce = ["reduce", LIST, &file, "--output-contains"];
    let left = folder.left(&[&reduce[..], &["bad pair", "--", "sh", "-c", fails]].concat());
    assert_eq!(left, "[a,a]");
    let output = folder.run(&[&reduce[..], &["good pair", "--", "sh", "-c", fails]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("does not write \"good pair\""));
    assert!(output.stdout.is_empty() && folder.is_clean());
}

/// Much more than a pipe holds, on both streams at a time, with the message at the very end.
#[test]
fn huge_output_is_drained() {
    let folder = Folder::new("huge");
    let file = folder.file("in.txt", "[a,[a,a],[]]");
    let fails = "s=$(cat); head -c 20000000 /dev/zero & head -c 20000000 /dev/zero >&2; wait; \
                 case $s in *a,a*) echo the end;; esac";
    let arguments = ["--output-contains", "the end", "--", "sh", "-c", fails];
    let left = folder.left(&[&["reduce", LIST, &file][..], &arguments].concat());
    assert_eq!(left, "[a,a]");
    let left = folder.left(&["reduce", LIST, &file, "--", "sh", "-c", "yes | head -c 9999999"]);
    assert_eq!(left, "[]");
}

#[test]
fn a_hang_is_a_status_of_its_own() {
    let folder = Folder::new("hang");
    let file = folder.file("in.txt", "[a,[a,[a]],a]");
    // What is started hangs as well, and leaves a mark if it outlives the time limit.
    let mark = folder.at("mark");
    let fails =
        format!("grep -q '\\[a,\\[a' && {{ (sleep 5; touch '{mark}') & sleep 5; }}; exit 1");
    let started = Instant::now();
    let arguments = ["--timeout", "0.3", "--", "sh", "-c", &fails];
    let output = folder.run(&[&["reduce", LIST, &file][..], &arguments].concat());
    assert_eq!(text(&output.stdout), "[a,[a]]");
    let told = text(&output.stderr);
    assert!(told.contains("keeping a timeout") && told.contains("--timeout"), "{told}");
    std::thread::sleep(Duration::from_secs(6).saturating_sub(started.elapsed()));
    assert!(!Path::new(&mark).exists(), "a process was left");
}

/// A process that leaves the group and keeps the pipes open is not waited for.
#[test]
fn what_runs_away_does_not_hold_up() {
    let folder = Folder::new("away");
    let file = folder.file("in.txt", "[a]");
    let fails = "setsid sleep 15 & echo here";
    let arguments = ["--output-contains", "nowhere", "--", "sh", "-c", fails];
    let output = folder.run(&[&["reduce", LIST, &file][..], &arguments].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn failures_say_which() {
    let folder = Folder::new("failures");
    let good = folder.file("good.txt", "[a]");
    let bad = folder.file("bad.txt", "[a");
    let told = |status, arguments: &[&str]| {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty() && folder.is_clean());
        text(&output.stderr)
    };
    let lacks = ["reduce", LIST, &bad, "--output-contains", "x", "--", "cat"];
    assert!(told(1, &lacks).contains("does not write \"x\""));
    assert!(told(2, &["reduce", LIST, "no/such.txt", "--", "false"]).contains("no/such.txt"));
    let missing = told(2, &["reduce", LIST, &good, "--", "no-such-command", "@@"]);
    assert!(missing.contains("cannot run no-such-command"), "{missing}");
    assert!(told(2, &["reduce", LIST, &good, "--", &good]).contains("cannot run"));
    told(2, &["reduce", LIST, &good]);
    told(2, &["reduce", LIST, &good, "--timeout", "0", "--", "false"]);
    told(2, &["reduce", LIST, &good, "--timeout", "NaN", "--", "false"]);
    told(2, &["reduce", LIST, &good, "--output-contains", "", "--", "false"]);
    told(2, &["reduce", LIST, &good, "--format", "json", "--", "false"]);
    assert!(told(2, &["reduce", "-", "-", "--", "false"]).contains("only one"));
    let nowhere = folder.at("no/such/out.txt");
    assert!(told(2, &["reduce", LIST, &good, "-o", &nowhere, "--", "false"]).contains("out.txt"));
}

/// Most crashes are no sentences, and were refused.
#[test]
fn what_is_no_sentence_is_reduced_too() {
    let folder = Folder::new("broken");
    let items: Vec<String> = (0..40)
        .map(|n| format!("  {{\"id\": {n}, \"tags\": [[{n}], [true, [\"x\", {n}]]]}}"))
        .collect();
    // A bracket too few, and one of the wrong kind.
    let broken = format!("{{\"a\": [\n{},\n  {{\"b\": [null, [7, [8}}]]]}}\n", items.join(",\n"));
    let file = folder.file("crash.json", &broken);
    let fails = "grep -q '\\[\\[' \"$1\" && grep -q '8}' \"$1\"";
    let mut results = Vec::new();
    for jobs in ["1", "2", "7"] {
        let out = folder.at(&format!("small{jobs}"));
        let reduce = ["reduce", JSON, &file, "-o", &out, "-j", jobs, "--format", "json"];
        let output = folder.run(&[&reduce[..], &["--", "sh", "-c", fails, "sh", "@@"]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(
            said.matches("is no sentence of the grammar (line 42, column 22: ").count(),
            1,
            "{said}"
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["sentence"], &report["finished"]), (&false.into(), &true.into()));
        results.push((fs::read_to_string(&out).unwrap(), report["runs"].clone()));
    }
    assert!(["[[8}", "8}[["].contains(&&*results[0].0), "{results:?}");
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
    assert!(results[0].1.as_u64().unwrap() < 100, "{results:?}");

    // What is not UTF-8 goes by bytes, and the bound on runs holds.
    let path = folder.at("bytes");
    fs::write(&path, b"[\xFF\xFEq[\xC3(").unwrap();
    let reduce = ["reduce", JSON, &path, "-o", &path, "--force", "--", "grep", "-qa", "q"];
    assert_eq!(folder.run(&reduce).status.code(), Some(0));
    assert_eq!(fs::read(&path).unwrap(), b"q");
    let reduce = ["reduce", JSON, &file, "--max-runs", "5", "--", "grep", "-q", "8}"];
    let output = folder.run(&reduce);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(" 5 runs"), "{}", text(&output.stderr));
    assert!(folder.is_clean());
}

#[test]
fn names_with_spaces_stay_whole() {
    let folder = Folder::new("spaces");
    let file = folder.file("a name, with 'quotes'.txt", NESTED);
    let out = folder.at("the result.txt");
    let fails = "case \"$1\" in *\"a name, with 'quotes'.txt\") grep -q '\\[\\[' \"$1\";; esac";
    let reduce = ["reduce", LIST, &file, "-o", &out, "--", "sh", "-c", fails, "sh", "@@"];
    assert_eq!(folder.left(&reduce), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), "[[]]");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let folder = Folder::new("jobs");
    let file = folder.file("in.json", &json());
    let fails = "grep -q 'x.*:.*\\[.*\\[' \"$1\"";
    let reports: Vec<(String, Value, Value)> = ["1", "2", "7"]
        .into_iter()
        .map(|jobs| {
            let out = folder.at(&format!("out{jobs}"));
            let reduce = ["reduce", JSON, &file, "-o", &out, "-j", jobs, "--format", "json"];
            let report =
                folder.left(&[&reduce[..], &["--", "sh", "-c", fails, "sh", "@@"]].concat());
            let report: Value = serde_json::from_str(&report).unwrap();
            assert_eq!(report["before"], json().len());
            assert_eq!(report["after"], fs::read(&out).unwrap().len());
            assert_eq!(report["finished"], true);
            assert_eq!(report["keeps"], "exit status 0");
            assert!(report["seconds"].as_f64().unwrap() > 0.0);
            assert!(jobs != "1" || report["ahead"] == 0);
            (fs::read_to_string(&out).unwrap(), report["runs"].clone(), report["kept"].clone())
        })
        .collect();
    assert_eq!(reports[0].0, "{\"x\":[[]]}");
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

/// Some kilobytes.
fn json() -> String {
    let items: Vec<String> = (0..60)
        .map(|n| {
            format!("{{ \"id\" : {n}, \"name\": \"item \\u00e4 {n}\", \"tags\": [true, null] }}")
        })
        .collect();
    format!("{{ \"items\": [{}],\n \"x\": [1, {{\"y\": [2.5e7]}}] }}\n", items.join(", "))
}

#[test]
fn max_runs_ends_the_work_at_the_same_place_for_any_number_of_jobs() {
    let folder = Folder::new("max");
    let file = folder.file("in.json", &json());
    let mut results = Vec::new();
    for jobs in ["1", "2", "5"] {
        let out = folder.at(&format!("out{jobs}"));
        let reduce = ["reduce", JSON, &file, "-o", &out, "-j", jobs, "--max-runs", "20"];
        let more = ["--format", "json", "--", "grep", "-q", "2.5"];
        let output = folder.run(&[&reduce[..], &more].concat());
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["runs"], &report["finished"]), (&20.into(), &false.into()));
        results.push(fs::read_to_string(&out).unwrap());
    }
    assert!(results[0].len() < json().len() && results[0].contains("2.5"));
    assert!(results.iter().all(|result| *result == results[0]));
    let reduce = ["reduce", JSON, &file, "--max-runs", "0", "--", "grep", "-q", "2.5"];
    let output = folder.run(&reduce);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), json()));
}

#[test]
fn tokens_are_simplified_if_asked() {
    let folder = Folder::new("tokens");
    let file = folder.file("in.json", "[\"Zanzibar\", {\"k\": -31.25e-3}]");
    let fails = ["--", "grep", "-qE", "z.*b"];
    let left = folder.left(&[&["reduce", JSON, &file][..], &fails].concat());
    assert_eq!(left, "\"zb\"");
    let fails = ["--", "grep", "-qE", "[2-9]"];
    assert_eq!(folder.left(&[&["reduce", JSON, &file, "--tokens"][..], &fails].concat()), "3");
    let fails = ["--", "grep", "-qE", "\"..+\""];
    let plain = folder.left(&[&["reduce", JSON, &file, "--tokens"][..], &fails].concat());
    // Upper-case letters are of another class than lower-case ones in RFC 8259.
    assert_eq!(plain, "\"Aa\"");
}

/// Sends a signal to a process.
fn kill(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn ctrl_c_leaves_the_best_so_far() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new(&format!("interrupt{signal}"));
        let file = folder.file("in.json", &json());
        let (out, log) = (folder.at("out.json"), folder.at("log"));
        // Slow enough that it cannot be done within the test.
        let fails = format!("sleep 0.05; grep -q 2.5 \"$1\" && echo >> '{log}'");
        let reduce = ["reduce", JSON, &file, "-o", &out, "--", "sh", "-c", &fails, "sh", "@@"];
        let child = folder.pleach(&reduce).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        // The first run is on the whole file.
        while fs::read_to_string(&log).map_or(0, |log| log.len()) < 4 {
            assert!(Instant::now() < deadline, "nothing was kept");
            std::thread::sleep(Duration::from_millis(5));
        }
        kill(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("interrupted"), "{}", text(&output.stderr));
        let left = fs::read_to_string(&out).unwrap();
        assert!(left.contains("2.5") && left.len() < json().len(), "{left}");
        serde_json::from_str::<Value>(&left).unwrap();
        assert!(folder.is_clean());
        // Nothing but what was asked for, whole.
        let mut names: Vec<String> = fs::read_dir(&folder.path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["in.json", "log", "out.json", "tmp"]);
    }
}

#[test]
fn input_from_standard_input_and_output_in_place() {
    let folder = Folder::new("streams");
    let file = folder.file("in.txt", NESTED);
    let output = folder
        .pleach(&["reduce", LIST, "-", "--", "grep", "-q", "a,a"])
        .stdin(fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "[a,a]", "{}", text(&output.stderr));
    // The input is a file of the user's, and goes only if that is asked for.
    let refused = folder.run(&["reduce", LIST, &file, "-o", &file, "--", "grep", "-q", "a,a"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("in.txt is there already"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_to_string(&file).unwrap(), NESTED);
    folder.left(&["reduce", LIST, &file, "-o", &file, "--force", "--", "grep", "-q", "a,a"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "[a,a]");
    let output = PLEACH.run(&["reduce", LIST, &file, "-o", "/dev/stdout", "--", "grep", "-q", "a"]);
    assert_eq!(text(&output.stdout), "[a]");
}

#[test]
fn what_a_command_makes_of_its_file_is_no_missing_command() {
    let folder = Folder::new("replaced");
    let file = folder.file("in.txt", NESTED);
    let elsewhere = folder.file("elsewhere", "kept");
    for made in [
        "rm \"$1\"; mkdir -p \"$1/below\"",
        "rm -r \"$(dirname \"$1\")\"",
        &*format!("rm \"$1\"; ln -s '{elsewhere}' \"$1\""),
        "chmod 0 \"$1\" \"$(dirname \"$1\")\"",
    ] {
        let command = format!("grep -q a,a \"$1\"; s=$?; {made}; exit $s");
        let left = folder.left(&["reduce", LIST, &file, "--", "sh", "-c", &command, "sh", "@@"]);
        assert_eq!(left, "[a,a]", "{made}");
        assert!(folder.is_clean(), "{made}");
    }
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "kept", "no link is followed");
}

#[test]
fn a_text_that_is_looked_for_may_begin_with_a_hyphen() {
    let folder = Folder::new("hyphen");
    let file = folder.file("in.txt", NESTED);
    let contains = [
        "--output-contains",
        "-a,a",
        "--",
        "sh",
        "-c",
        "printf %s -; grep -o 'a,a' \"$1\"",
        "sh",
        "@@",
    ];
    let left = folder.left(&[&["reduce", LIST, &file][..], &contains].concat());
    assert_eq!(left, "[a,a]");
}
