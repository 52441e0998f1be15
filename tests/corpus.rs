//! `pleach parse`, `cover` and `generate --given`, driven as a person drives them.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

const LIST: &str = "tests/data/cli/list.pleach";
const JSON: &str = "grammars/json.pleach";

/// What a command prints that ends with a status.
fn stdout<S: AsRef<std::ffi::OsStr> + std::fmt::Debug>(status: i32, arguments: &[S]) -> String {
    let output = PLEACH.run(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn json<S: AsRef<std::ffi::OsStr> + std::fmt::Debug>(status: i32, arguments: &[S]) -> Value {
    serde_json::from_str(&stdout(status, arguments)).unwrap()
}

/// A folder for one test, empty at its beginning.
fn folder(name: &str) -> PathBuf {
    PLEACH.folder(format!("corpus-{name}"))
}

/// A folder of files with these contents, named by their order.
fn files(name: &str, contents: &[&[u8]]) -> PathBuf {
    let folder = folder(name);
    for (index, content) in contents.iter().enumerate() {
        fs::write(folder.join(format!("{index:02}")), content).unwrap();
    }
    folder
}

fn read(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn a_tree_is_printed_in_every_format() {
    let printed = PLEACH.with_stdin(&["parse", LIST, "-"], b"[a,[]]");
    assert_eq!(printed.status.code(), Some(0), "{}", text(&printed.stderr));
    let expected = "\
list 0..6
  \"[\" 0..1
  item 1..2
    \"a\" 1..2
  \",\" 2..3
  item 3..5
    list 3..5
      \"[\" 3..4
      \"]\" 4..5
  \"]\" 5..6
";
    assert_eq!(text(&printed.stdout), expected);
    let tree = PLEACH.with_stdin(&["parse", LIST, "-", "--format", "json"], b"[a]");
    let expected = r#"{"rule":"list","occurrence":null,"start":0,"end":3,"children":[
        {"terminal":"\"[\"","occurrence":"list: \"[\"","start":0,"end":1,"text":"[","children":[]},
        {"rule":"item","occurrence":"list: item#1","start":1,"end":2,"children":[
            {"terminal":"\"a\"","occurrence":"item: \"a\"","start":1,"end":2,"text":"a","children":[]}]},
        {"terminal":"\"]\"","occurrence":"list: \"]\"","start":2,"end":3,"text":"]","children":[]}]}"#;
    let (tree, expected): (Value, Value) =
        (serde_json::from_slice(&tree.stdout).unwrap(), serde_json::from_str(expected).unwrap());
    assert_eq!(tree, expected);
    let dot = PLEACH.with_stdin(&["parse", LIST, "-", "--format", "dot"], b"[a]");
    assert!(text(&dot.stdout).starts_with("digraph derivation {"));
    let svg = PLEACH.with_stdin(&["parse", LIST, "-", "--format", "svg"], b"[a]");
    assert!(text(&svg.stdout).starts_with("<svg ") && text(&svg.stdout).ends_with("</svg>\n"));
}

#[test]
fn what_does_not_parse_names_the_place_and_ends_with_1() {
    let folder = files("refused", &[b"[a,[a,]]", b"", b"[a,\xFF]", b"[a] "]);
    let said = |file: &str| {
        let path = folder.join(file);
        let output = PLEACH.run(&["parse", LIST, path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    };
    let syntax = said("00");
    assert!(syntax.contains("00:1:7\n") && syntax.contains("item"), "{syntax}");
    assert!(syntax.contains("1 | [a,[a,]]\n  |       ^"), "{syntax}");
    assert!(said("01").contains("01:1:1\n"));
    assert!(said("02").contains("02:1:4\n"), "bytes that are no text have a place, too");
    assert!(said("03").contains("03:1:4\n"));
    let output = PLEACH.with_stdin(&["parse", JSON, "-"], b"[1,\n \xC3\xA9]");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("<stdin>:2:2\n"), "{}", text(&output.stderr));
}

#[test]
fn a_spent_budget_ends_with_3() {
    let folder = folder("budget");
    let (grammar, input) = (folder.join("s.pleach"), folder.join("input"));
    fs::write(&grammar, "S = S S | \"a\" ;").unwrap();
    fs::write(&input, "a".repeat(3000)).unwrap();
    let [grammar, input] = [&grammar, &input].map(|path| path.to_str().unwrap());
    let output = PLEACH.run(&["parse", grammar, input]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("/input: the budget of work was spent"));
    let little = folder.join("little");
    fs::write(&little, "a".repeat(30)).unwrap();
    let little = little.to_str().unwrap();
    assert_eq!(PLEACH.run(&["parse", grammar, little]).status.code(), Some(0));
    assert_eq!(PLEACH.run(&["parse", grammar, little, "--budget", "2"]).status.code(), Some(3));

    // What is not known is no rejection: under a share, the answer is not known either.
    let cover = ["cover", grammar, input, "--format", "json"];
    let report = json(0, &cover);
    assert!(report["rejected"][0]["reason"].as_str().unwrap().contains("budget"));
    assert_eq!(PLEACH.run(&[&cover[..], &["--fail-under", "50"]].concat()).status.code(), Some(3));
}

#[test]
fn usage_errors_end_with_2() {
    let folder = files("usage", &[b"[]"]);
    let good = folder.join("00");
    let good = good.to_str().unwrap();
    for arguments in [
        &["parse", LIST, "no/such/file"][..],
        &["parse", LIST],
        &["parse", "-", "-"],
        &["parse", LIST, "grammars"],
        &["parse", LIST, good, "--format", "html"],
        &["cover", LIST],
        &["cover", LIST, "no/such/file"],
        &["cover", LIST, good, "no/such/file"],
        &["cover", LIST, good, "-k", "0"],
        &["cover", LIST, good, "-k", "65"],
        &["cover", LIST, good, "--fail-under", "101"],
        &["cover", LIST, good, "--fail-under", "NaN"],
        &["cover", LIST, good, "--jobs", "0"],
        &["cover", "-", "-"],
        &["cover", LIST, "-", "-"],
        &["cover", LIST, good, "--html", "no/such/folder/x.html"],
        &["generate", LIST, "--given", "no/such/file"],
        &["generate", LIST, "--mode", "random", "--given", good],
        &["generate", LIST, "--mode", "recurrent", "-n", "3", "--given", good],
    ] {
        let output = PLEACH.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", text(&output.stderr));
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn too_many_k_paths_end_with_3() {
    let folder = files("limit", &[b"[]"]);
    let path = folder.to_str().unwrap();
    for arguments in [
        &["cover", LIST, path, "-k", "64"][..],
        &["cover", LIST, path, "--limit", "10"],
        &["generate", LIST, "--given", path, "--limit", "10"],
    ] {
        let output = PLEACH.run(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(text(&output.stderr).contains("limit"), "{}", text(&output.stderr));
    }
}

#[test]
fn coverage_is_reported() {
    let folder = files("report", &[b"[a]", b"[", b"[]", b"[[]]"]);
    let path = folder.to_str().unwrap();
    let report = json(0, &["cover", LIST, path, "-k", "2", "--format", "json"]);
    assert_eq!((&report["files"], &report["parsed"]), (&4.into(), &3.into()));
    let rejected = &report["rejected"][0];
    assert!(rejected["file"].as_str().unwrap().ends_with("01"), "{rejected}");
    assert_eq!((&rejected["line"], &rejected["column"]), (&1.into(), &2.into()));
    assert_eq!(rejected["offset"], 1);
    // Of 7 places all but the comma and the second item; four of 9 pairs.
    let expected = r#"{"k":2,"mode":"up-to","covered":9,"total":16,"infeasible":0}"#;
    assert_eq!(report["kpath"], serde_json::from_str::<Value>(expected).unwrap());
    let lengths = r#"[{"k":1,"covered":5,"total":7},{"k":2,"covered":4,"total":9}]"#;
    assert_eq!(report["lengths"], serde_json::from_str::<Value>(lengths).unwrap());
    let sum = |key: &str, what: &str| -> u64 {
        report[key].as_array().unwrap().iter().map(|one| one[what].as_u64().unwrap()).sum()
    };
    for key in ["lengths", "rules"] {
        assert_eq!((sum(key, "covered"), sum(key, "total")), (9, 16), "{key}");
    }
    let uncovered = report["uncovered"].as_array().unwrap();
    assert_eq!(uncovered.len(), 16 - 9);
    assert_eq!(uncovered[0]["example"], "[a,a]");
    assert!(uncovered.iter().all(|gap| gap["path"].as_str().unwrap().contains(": ")));

    let shown = stdout(0, &["cover", LIST, path, "-k", "2"]);
    assert!(shown.starts_with("4 files, 3 parsed, 1 left out: 1 not of the grammar\n"), "{shown}");
    assert!(shown.contains(" all        9       16   56.2\n"), "{shown}");
    assert!(text(&PLEACH.run(&["cover", LIST, path]).stderr).contains("01: line 1, column 2: "));

    let exact = json(0, &["cover", LIST, path, "-k", "2", "--exact", "--format", "json"]);
    assert_eq!(exact["kpath"]["mode"], "exact");
    assert_eq!(exact["kpath"]["total"], 9);
    assert_eq!(exact["lengths"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_left_out_is_measured_by_its_parts() {
    let folder = files("parts", &[b"[]", b"[[a,[]],a", b"]]", b"[[],[a]"]);
    let (path, page) = (folder.to_str().unwrap(), folder.join("../parts.html"));
    let _ = fs::remove_file(&page);
    let (page, small) = (page.to_str().unwrap(), folder.join("small"));
    let all = ["cover", LIST, path, "-k", "2", "--format", "json", "--html", page, "--jobs", "1"];
    let report = json(0, &all);
    assert_eq!((&report["files"], &report["parsed"]), (&4.into(), &1.into()));
    // `[a,[]]`, and of the last file `[]` and `[a]`; single characters say nothing.
    let parts = &report["parts"];
    assert_eq!((&parts["files"], &parts["parts"]), (&3.into(), &3.into()), "{parts}");
    assert_eq!((&parts["bytes"], &parts["of"]), (&11.into(), &18.into()), "{parts}");
    let kpath = &parts["kpath"];
    assert_eq!(kpath["total"], report["kpath"]["total"]);
    let covered = |kpath: &Value| kpath["covered"].as_u64().unwrap();
    // The empty list's brackets are all that the whole input covers, and the parts have them, too.
    assert_eq!(covered(&report["kpath"]), 2, "whole inputs are measured as before");
    assert_eq!(parts["new"], covered(kpath) - 2);
    assert!(covered(kpath) > 8, "{kpath}");
    assert_eq!(
        json(0, &[&all[..10], &["4"]].concat())["parts"],
        *parts,
        "with any number of threads"
    );

    let shown = stdout(0, &["cover", LIST, path, "-k", "2"]);
    let expected = "4 files, 1 parsed, 3 left out: 3 not of the grammar\nparts of these that are of \
        some rule: 3, 61.1% of 18 bytes; by themselves they cover ";
    assert!(shown.starts_with(expected), "{shown}");
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains("Of 3 only parts can be read: 3 of them, with 61.1% of the bytes."),
        "{page}"
    );

    // What is judged and what is kept are whole inputs.
    let least = ["cover", LIST, path, "-k", "2", "--fail-under", "20"];
    assert_eq!(PLEACH.run(&least).status.code(), Some(1));
    stdout(0, &["cover", LIST, path, "-k", "2", "--minimize", small.to_str().unwrap()]);
    assert_eq!(read(&small).into_values().collect::<Vec<_>>(), [b"[]"]);
}

#[test]
fn files_that_a_run_did_not_finish_are_no_inputs() {
    let folder = files("unfinished", &[b"[]"]);
    fs::write(folder.join(".pleach-77-0.tmp"), "[a").unwrap();
    let path = folder.to_str().unwrap();
    let report = json(0, &["cover", LIST, path, "--format", "json"]);
    assert_eq!((&report["files"], &report["parsed"]), (&1.into(), &1.into()));
    // What is named itself is read.
    let named = folder.join(".pleach-77-0.tmp");
    assert_eq!(json(0, &["cover", LIST, named.to_str().unwrap(), "--format", "json"])["files"], 1);
}

#[test]
fn examples_close_the_gaps() {
    let folder = files("examples", &[b"1"]);
    let path = folder.to_str().unwrap();
    let cover =
        ["cover", "grammars/uri.pleach", path, "-k", "2", "--format", "json", "--top", "9999"];
    fs::write(folder.join("00"), "a:").unwrap();
    let before = json(0, &cover);
    let mut added = before["kpath"]["covered"].as_u64().unwrap();
    for (index, gap) in before["uncovered"].as_array().unwrap().iter().enumerate() {
        if let Some(example) = gap["example"].as_str() {
            added += gap["adds"].as_u64().unwrap();
            fs::write(folder.join(format!("more-{index:05}")), example).unwrap();
        }
    }
    let after = json(0, &cover);
    assert_eq!(after["rejected"].as_array().unwrap().len(), 0);
    assert_eq!(after["kpath"]["covered"], added, "each adds what it was said to");
    assert!(added > 900 * before["kpath"]["total"].as_u64().unwrap() / 1000, "{added}");
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let page = folder("threads").join("page.html");
    let of = |jobs: &str| {
        let out = stdout(
            0,
            &[
                "cover",
                JSON,
                "corpus/json",
                "grammars",
                "corpus/uri",
                "--jobs",
                jobs,
                "--format",
                "json",
                "--html",
                page.to_str().unwrap(),
            ],
        );
        (out, fs::read(&page).unwrap())
    };
    let one = of("1");
    assert!(one.0.contains("\"rejected\":[{"));
    for jobs in ["2", "3", "16"] {
        assert!(of(jobs) == one, "{jobs}");
    }
}

#[cfg(unix)]
#[test]
fn odd_files_do_not_stop_it() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let folder = folder("odd");
    let inside = folder.join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("good"), "[a]").unwrap();
    fs::write(inside.join("empty"), "").unwrap();
    fs::write(inside.join("huge"), vec![b'['; 5000]).unwrap();
    fs::write(inside.join(OsStr::from_bytes(b"\xFF\n\x1B[31m\"<b>")), "[]").unwrap();
    fs::write(inside.join(OsStr::from_bytes(b"bad \xFF\n\x1B[31m<b>")), "]").unwrap();
    symlink("good", inside.join("link")).unwrap();
    symlink("nowhere", inside.join("broken")).unwrap();
    symlink("circle", inside.join("circle")).unwrap();
    symlink("..", inside.join("up")).unwrap();
    symlink("/dev/zero", inside.join("endless")).unwrap();
    let status = Command::new("mkfifo").arg(inside.join("pipe")).status().unwrap();
    assert!(status.success());
    let mut deep = inside.join("deep");
    for _ in 0..40 {
        fs::create_dir(&deep).unwrap();
        deep = deep.join("d");
    }
    fs::write(&deep, "[[]]").unwrap();

    let page = folder.join("page.html");
    let arguments = ["cover", LIST, inside.to_str().unwrap(), "--max-input", "4096"];
    let arguments: Vec<&str> = arguments
        .into_iter()
        .chain(["--format", "json", "--html", page.to_str().unwrap()])
        .collect();
    let output = PLEACH.run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["parsed"], 4, "good, the link to it, the one with a bad name, the deep one");
    let rejected = report["rejected"].as_array().unwrap();
    assert_eq!(report["files"], 4 + rejected.len());
    let reason = |name: &str| {
        let found = rejected.iter().find(|one| one["file"].as_str().unwrap().contains(name));
        found.unwrap_or_else(|| panic!("{name}: {rejected:?}"))["reason"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(reason("/empty").contains("line 1, column 1"));
    assert!(reason("/huge").contains("over --max-input 4096"));
    assert!(reason("/broken").contains("cannot be read"));
    assert!(reason("/circle").contains("cannot be read"));
    assert!(reason("/up").contains("link to a folder"));
    assert!(reason("/endless").contains("no file"));
    assert!(reason("/pipe").contains("no file"));
    assert_eq!(rejected.len(), 8);
    // Names are shown on one line and cannot colour a terminal, or mark up a page.
    let said = text(&output.stderr);
    assert!(said.contains("bad \u{FFFD}\\n\\x1B[31m<b>: "), "{said}");
    assert!(!said.contains('\u{1B}'));
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("bad \u{FFFD}\\n\\x1B[31m&lt;b&gt;") && !page.contains("<b>]"));
    let names: Vec<&str> = rejected.iter().map(|one| one["file"].as_str().unwrap()).collect();
    assert!(names.is_sorted(), "in the order of the names: {names:?}");

    // A link and a device that are named themselves.
    let up = inside.join("up/inside/good");
    assert_eq!(json(0, &["cover", LIST, up.to_str().unwrap(), "--format", "json"])["parsed"], 1);
    let zero = json(0, &["cover", LIST, "/dev/zero", "--format", "json"]);
    assert!(zero["rejected"][0]["reason"].as_str().unwrap().contains("no file"));
    let lists = inside.join("up");
    let linked = json(0, &["cover", LIST, lists.to_str().unwrap(), "--format", "json"]);
    assert_eq!(linked["parsed"], 4, "a link to a folder is followed where it is named");
}

/// What nobody may read, and on Linux a file whose reading fails for the superuser as well.
#[cfg(unix)]
#[test]
fn unreadable_files_do_not_stop_it() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = files("unreadable", &[b"[]", b"[a]"]);
    fs::set_permissions(folder.join("00"), fs::Permissions::from_mode(0o000)).unwrap();
    let mut unreadable = usize::from(fs::read(folder.join("00")).is_err());
    if cfg!(target_os = "linux") {
        // A process's memory begins where nothing is mapped.
        symlink("/proc/self/mem", folder.join("memory")).unwrap();
        assert!(fs::read(folder.join("memory")).is_err());
        unreadable += 1;
    }
    let report = json(0, &["cover", LIST, folder.to_str().unwrap(), "--format", "json"]);
    let rejected = report["rejected"].as_array().unwrap();
    assert_eq!(
        (rejected.len(), &report["parsed"]),
        (unreadable, &(report["files"].as_u64().unwrap() - unreadable as u64).into())
    );
    for one in rejected {
        assert!(one["reason"].as_str().unwrap().contains("cannot be read"), "{one}");
    }
}

#[test]
fn an_empty_corpus_covers_nothing() {
    let folder = folder("empty");
    let path = folder.to_str().unwrap();
    let report = json(0, &["cover", LIST, path, "--format", "json"]);
    assert_eq!((&report["files"], &report["kpath"]["covered"]), (&0.into(), &0.into()));
    assert_eq!(report["uncovered"].as_array().unwrap().len(), 30);
    let page = folder.join("page.html");
    let out = folder.join("out");
    let arguments = ["--html", page.to_str().unwrap(), "--minimize", out.to_str().unwrap()];
    let shown = stdout(0, &[&["cover", LIST, path][..], &arguments].concat());
    assert!(shown.starts_with("0 files, 0 parsed\n"), "{shown}");
    assert!(page.exists() && read(&out).is_empty());
    assert_eq!(PLEACH.run(&["cover", LIST, path, "--fail-under", "0"]).status.code(), Some(0));
    assert_eq!(PLEACH.run(&["cover", LIST, path, "--fail-under", "1"]).status.code(), Some(1));
}

#[test]
fn standard_input_is_one_input() {
    let output = PLEACH.with_stdin(&["cover", LIST, "-", "--format", "json"], b"[a]");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["parsed"], 1);
    let output =
        PLEACH.with_stdin(&["cover", LIST, "-", "--max-input", "3", "--format", "json"], b"[a,a]");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["rejected"][0]["reason"].as_str().unwrap().contains("over --max-input 3"));
}

#[test]
fn too_little_coverage_ends_with_1() {
    let folder = files("under", &[b"[a]"]);
    let path = folder.to_str().unwrap();
    let cover = ["cover", LIST, path, "-k", "1", "--format", "json", "--fail-under"];
    // 4 of 7 are 57.14...%.
    for (least, status) in [("57", 0), ("57.1%", 0), ("57.2", 1), ("100", 1), ("0", 0)] {
        let output = PLEACH.run(&[&cover[..], &[least]].concat());
        assert_eq!(output.status.code(), Some(status), "{least}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["kpath"]["covered"], 4, "the report is printed all the same");
        assert_eq!(text(&output.stderr).contains("--fail-under"), status == 1);
    }
}

#[test]
fn a_minimized_corpus_covers_the_same() {
    let (all, small) = (folder("all"), folder("small"));
    let generate = [
        "generate",
        JSON,
        "--mode",
        "random",
        "-n",
        "120",
        "--max-bytes",
        "60",
        "--seed",
        "5",
        "-o",
    ];
    stdout(0, &[&generate[..], &[all.to_str().unwrap()]].concat());
    fs::write(all.join("refused"), "[").unwrap();
    let cover = |paths: &[&str]| {
        json(0, &[&["cover", JSON, "-k", "3", "--format", "json"][..], paths].concat())
    };
    let before = cover(&[all.to_str().unwrap(), "--minimize", small.to_str().unwrap()]);
    let after = cover(&[small.to_str().unwrap()]);
    assert_eq!(before["kpath"], after["kpath"]);
    assert_eq!(
        before["uncovered"].as_array().unwrap().len(),
        after["uncovered"].as_array().unwrap().len()
    );
    let (contents, kept) = (read(&all), read(&small));
    assert!(!kept.is_empty() && kept.len() < contents.len() / 2, "{}", kept.len());
    assert_eq!(before["minimized"]["files"], kept.len());
    assert_eq!(before["minimized"]["bytes"], kept.values().map(Vec::len).sum::<usize>());
    assert!(kept.values().all(|content| contents.values().any(|one| one == content)));
    let again = folder("again");
    cover(&[all.to_str().unwrap(), "--jobs", "3", "--minimize", again.to_str().unwrap()]);
    assert_eq!(read(&again), kept, "the same whatever the number of threads");
    let none = cover(&[small.to_str().unwrap(), "--minimize", folder("none").to_str().unwrap()]);
    assert_eq!(none["minimized"]["files"], kept.len(), "none of it can be left out");
}

#[test]
fn given_inputs_are_not_covered_again() {
    let (given, more) = (folder("given"), folder("given-more"));
    let generate = |arguments: &[&str]| {
        let all = ["generate", LIST, "-k", "3", "--format", "json", "-o", more.to_str().unwrap()];
        json(0, &[&all[..], arguments].concat())
    };
    let alone = generate(&["--size", "0"]);
    assert!(alone.get("given").is_none());
    fs::write(given.join("one"), "[a,[a,a]]").unwrap();
    fs::write(given.join("refused"), "[a,").unwrap();
    let report = generate(&["--size", "0", "--given", given.to_str().unwrap()]);
    assert_eq!((&report["given"]["files"], &report["given"]["parsed"]), (&2.into(), &1.into()));
    let covered = report["given"]["covered"].as_u64().unwrap();
    assert!(covered > 10 && covered < 30, "{covered}");
    assert_eq!((&report["kpath"]["covered"], &report["kpath"]["total"]), (&30.into(), &30.into()));
    assert!(report["files"].as_u64() < alone["files"].as_u64());
    // With what was made, nothing is left.
    let paths = [given.to_str().unwrap(), more.to_str().unwrap()];
    let nothing = generate(&["--given", paths[0], paths[1]]);
    assert_eq!((&nothing["files"], &nothing["given"]["covered"]), (&0.into(), &30.into()));
    let counted = generate(&["--given", paths[0], paths[1], "--repetition-goals"]);
    assert_eq!(counted["kpath"]["covered"], counted["kpath"]["total"]);
    let said = PLEACH.run(&["generate", LIST, "--given", paths[1]]);
    assert!(text(&said.stderr).contains("30 of 30 k-paths up to 3 covered, 30 of them by "));
    assert!(said.stdout.is_empty());
}

#[test]
fn every_corpus_is_read_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(root.join("corpus")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let grammar = format!("grammars/{name}.pleach");
        let report =
            json(0, &["cover", &grammar, path.to_str().unwrap(), "-k", "1", "--format", "json"]);
        assert_eq!(report["parsed"], report["files"], "{name}: {}", report["rejected"]);
        let covered = report["kpath"]["covered"].as_u64().unwrap();
        // Where a grammar is ambiguous some are read otherwise.
        let total = report["kpath"]["total"].as_u64().unwrap();
        assert!(covered * 10 > total * 8, "{name}: {covered} of {total}");
    }
}
