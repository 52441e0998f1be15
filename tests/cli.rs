//! The command line, driven as a person drives it.
//!
//! `PLEACH_BLESS=1 cargo test --test cli` writes the golden hashes anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pleach_testing::{Pleach, text};
use serde_json::Value;

const PLEACH: Pleach = pleach_testing::pleach!();

const LIST: &str = "tests/data/cli/list.pleach";
const ABNF: &str = "tests/data/import/abnf/rfc8259.abnf";
const JSON: &str = "grammars/json.pleach";

/// What a command that succeeds prints.
fn stdout(arguments: &[&str]) -> Vec<u8> {
    let output = PLEACH.run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    output.stdout
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&stdout(arguments)).unwrap()
}

/// What a command that fails with this status says.
fn failure(status: i32, arguments: &[&str]) -> String {
    let output = PLEACH.run(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "{arguments:?}");
    text(&output.stderr)
}

/// A folder for one test, empty at its beginning.
fn folder(name: &str) -> PathBuf {
    PLEACH.folder(format!("cli-{name}"))
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn check_counts_and_warns() {
    let report = json(&["check", LIST, "--format", "json"]);
    let expected = r#"{"start":"list","rules":2,"alternatives":3,"occurrences":7,"read_only":0,
        "warnings":[],"kpaths":{"1":7,"2":9,"3":14,"4":18,"5":28}}"#;
    assert_eq!(report, serde_json::from_str::<Value>(expected).unwrap());
    assert_eq!(json(&["check", LIST, "--start", "item", "--format", "json"])["start"], "item");

    let output = PLEACH.with_stdin(&["check", "-", "--format", "json"], "a = \"x\" ;\nb = a ;\n");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let warning = &report["warnings"][0];
    assert_eq!(warning["severity"], "warning");
    assert_eq!(warning["file"], "<stdin>");
    assert_eq!((&warning["line"], &warning["column"]), (&2.into(), &1.into()));
    assert!(warning["message"].is_string() && warning.get("help").is_some());

    let output = PLEACH.with_stdin(&["check", "-"], "a = \"x\" ;\nb = a ;\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains(" --> <stdin>:2:1\n"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("start         a\n"));

    let output = PLEACH.with_stdin(&["check", "-"], "a = \"x\" | @read \"y\" ;\n");
    let expected =
        "rules         1\nalternatives  1\noccurrences   1\nread only     1\n1-paths       1\n";
    assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
}

#[test]
fn counts_beyond_64_bits_are_strings() {
    let grammar = format!("a = \"x\" {} ;", "| a a a a a a a a ".repeat(900));
    let output = PLEACH.with_stdin(&["check", "-", "--format", "json"], &grammar);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = report["kpaths"]["5"].as_str().unwrap().parse::<u128>().unwrap();
    assert!(count > u64::MAX.into(), "{report}");
}

#[test]
fn bad_grammars_are_shown_and_end_with_2() {
    for command in ["check", "dict"] {
        let output = PLEACH.with_stdin(&[command, "-"], "a = b ;");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        assert!(text(&output.stderr).contains(" --> <stdin>:1:5\n  |\n1 | a = b ;\n  |     ^\n"));
    }
    assert!(failure(2, &["check", "no/such.pleach"]).contains("no/such.pleach"));
    assert!(failure(2, &["check", "grammars"]).contains("grammars"));
    assert!(failure(2, &["check", LIST, "--start", "nothing"]).contains("nothing"));
}

#[test]
fn grammars_that_are_no_text_name_the_byte() {
    let path = folder("utf8").join("bad.pleach");
    fs::write(&path, b"a = \"x\" ;\n// \xC3\xA9 \xFF\n").unwrap();
    let said = ":2:6: byte 0xff is not UTF-8: write the text in UTF-8\n";
    let found = failure(2, &["check", path.to_str().unwrap()]);
    assert!(found.ends_with(&format!("bad.pleach{said}")), "{found}");
    let output =
        PLEACH.command(&["check", "-"]).stdin(fs::File::open(&path).unwrap()).output().unwrap();
    assert_eq!(text(&output.stderr), format!("error: <stdin>{said}"));
}

/// Once only the native notation was heard of, and a grammar that derives nothing did not say what was lost.
#[test]
fn texts_of_other_notations_are_told_how_they_are_read() {
    let output = PLEACH.with_stdin(&["check", "-"], "grammar t; a : 'x' ;");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--from abnf, antlr, "), "{}", text(&output.stderr));

    let grammar = "grammar t; a : W ; W : ' ' -> skip ;";
    let output = PLEACH.with_stdin(&["check", "-", "--from", "antlr"], grammar);
    assert_eq!(output.status.code(), Some(2));
    let found = text(&output.stderr);
    assert!(found.starts_with("warning: the parser never sees the token `W`\n"), "{found}");
    assert!(found.contains("error: rule `a` derives no string\n"), "{found}");

    // Once it was written, and refused by every other command.
    let output =
        PLEACH.with_stdin(&["import", "-", "--from", "abnf", "--start", "q"], "a = \"x\"\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(text(&output.stderr).contains("there is no rule `q` to begin with"));
    assert!(text(&output.stderr).contains("= help: its rules are `a`"));
}

#[test]
fn what_a_native_grammar_has_words_for_is_no_option() {
    let output = PLEACH.with_stdin(&["check", "-", "--encoding", "bytes"], "item = \"x\" ;");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`%encoding bytes;`"), "{}", text(&output.stderr));

    let output = PLEACH.with_stdin(&["check", "-", "--start", "itm"], "item = \"x\" ;");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean `item`?"), "{}", text(&output.stderr));
}

#[test]
fn includes_are_relative_to_the_file_that_has_them() {
    let folder = folder("includes");
    fs::create_dir(folder.join("sub")).unwrap();
    let main = folder.join("main.pleach");
    fs::write(&main, "%include \"sub/one.pleach\"; a = b c ;").unwrap();
    fs::write(folder.join("sub/one.pleach"), "%include \"../two.pleach\"; b = c ;").unwrap();
    // The same file again, by another path.
    fs::write(folder.join("two.pleach"), "%include \"sub/../two2.pleach\"; c = d ;").unwrap();
    fs::write(folder.join("two2.pleach"), "d = \"x\" ;").unwrap();
    let report = json(&["check", main.to_str().unwrap(), "--format", "json"]);
    assert_eq!(report["rules"], 4);

    let output = PLEACH
        .command(&["check", "-"])
        .current_dir(&folder)
        .stdin(fs::File::open(&main).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn paths_are_counted_and_listed() {
    assert_eq!(stdout(&["paths", LIST, "-k", "5", "--exact"]), b"28\n");
    assert_eq!(stdout(&["paths", LIST, "-k", "5"]), b"76\n");
    let listed = text(&stdout(&["paths", LIST, "-k", "2", "--list", "--exact"]));
    assert_eq!(
        listed,
        "\
list: item#1 > \"a\"
list: item#1 > list
list: item#2 > \"a\"
list: item#2 > list
item: list > \"[\"
item: list > item#1
item: list > \",\"
item: list > item#2
item: list > \"]\"
"
    );
    let listed = text(&stdout(&["paths", JSON, "-k", "4", "--list"]));
    let distinct: BTreeSet<&str> = listed.lines().collect();
    assert_eq!(format!("{}\n", distinct.len()).as_bytes(), stdout(&["paths", JSON, "-k", "4"]));
    assert_eq!(distinct.len(), listed.lines().count());
}

#[test]
fn what_exceeds_a_limit_ends_with_3() {
    assert!(failure(3, &["paths", JSON, "-k", "64", "--list"]).contains("limit"));
    assert!(failure(3, &["generate", JSON, "-k", "5", "--limit", "1000"]).contains("limit"));
    // An automaton that grows too large, wherever it is met.
    let large = "(a|b)*a(a|b){24}";
    let grammar = folder("limits").join("large.pleach");
    fs::write(&grammar, format!("a = /{large}/ ;")).unwrap();
    let grammar = grammar.to_str().unwrap();
    for arguments in [
        &["check", grammar][..],
        &["check", grammar, "--format", "json"],
        &["generate", grammar],
        &["parse", grammar, JSON],
        &["export", grammar, "--to", "native"],
        &["diff", "--spec", grammar, "--impl", "a"],
        &["diff", "--spec", large, "--impl", "a", "--format", "json"],
        &["suite", "--spec", large],
    ] {
        let output = PLEACH.run(arguments);
        let exports = arguments[0] == "export";
        assert_eq!(output.status.code(), Some(if exports { 0 } else { 3 }), "{arguments:?}");
        assert!(exports || text(&output.stderr).contains("states"), "{}", text(&output.stderr));
    }
}

#[test]
fn usage_errors_end_with_2() {
    for arguments in [
        &["generate", LIST, "--mode", "recurrent"][..],
        &["generate", LIST, "--shard", "0/4"],
        &["generate", LIST, "--shard", "5/4"],
        &["generate", LIST, "-k", "0"],
        &["generate", LIST, "-k", "65"],
        &["generate", LIST, "-n", "0"],
        &["generate", LIST, "--separator", "\\q"],
        &["generate", LIST, "--suffix", ".x"],
        &["generate", LIST, "--format", "json"],
        &["generate", LIST, "-o", "x", "--suffix", "a/b"],
        &["generate", LIST, "--max-depth", "0"],
        &["generate", LIST, "--max-bytes", "1"],
        &["generate", LIST, "--mode", "random", "--max-nodes", "1"],
        &["generate", LIST, "--mode", "purdom", "--max-nodes", "1"],
        &["generate", LIST, "--mode", "purdom", "--shard", "1/2"],
        &["generate", LIST, "--mode", "purdom", "--size", "9"],
        &["paths", LIST],
        &["man", "nothing"],
        &["completions", "nothing"],
        &["nothing"],
        &[],
    ] {
        assert!(!failure(2, arguments).is_empty());
    }
    assert!(!Path::new("x").exists(), "usage is checked before anything is written");
}

#[test]
fn generation_covers_and_reports() {
    let folder = folder("report");
    let (out, report) = (folder.join("out"), folder.join("report.json"));
    let arguments = ["generate", JSON, "-k", "3", "--suffix", ".json", "--format", "json", "-o"];
    let arguments: Vec<&str> = arguments
        .into_iter()
        .chain([out.to_str().unwrap(), "--report", report.to_str().unwrap()])
        .collect();
    let printed = json(&arguments);
    let saved: Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    assert_eq!(printed, saved);
    let written = files(&out);
    assert_eq!(printed["seed"], 0);
    assert_eq!(printed["files"], written.len());
    assert_eq!(printed["bytes"], written.values().map(Vec::len).sum::<usize>());
    assert!(printed["seconds"].as_f64().unwrap() > 0.0);
    let expected: Value =
        serde_json::from_str(r#"{"k":3,"mode":"up-to","covered":521,"total":521,"infeasible":0}"#)
            .unwrap();
    assert_eq!(printed["kpath"], expected);
    for (name, content) in &written {
        assert_eq!((name.len(), &name[16..]), (21, ".json"));
        // A lone surrogate is where the grammar is wider than the parser of strings.
        serde_json::from_slice::<&serde_json::value::RawValue>(content)
            .unwrap_or_else(|error| panic!("{name}: {error}: {}", text(content)));
    }

    // Again: nothing changes, and what is there is left alone.
    let (first, _) = written.iter().next().unwrap();
    fs::write(out.join(first), "mine").unwrap();
    assert_eq!(json(&arguments)["files"], written.len());
    assert_eq!(fs::read(out.join(first)).unwrap(), b"mine");
    assert_eq!(files(&out).len(), written.len());
}

#[test]
fn every_mode_reports_coverage() {
    let folder = folder("modes");
    for mode in ["random", "uniform", "weighted", "inverted", "recurrent"] {
        let out = folder.join(mode);
        let arguments = ["generate", LIST, "--mode", mode, "-n", "40", "--format", "json", "-o"];
        let arguments: Vec<&str> =
            arguments.into_iter().chain([out.to_str().unwrap(), "--repetition-goals"]).collect();
        let report = json(&arguments);
        let kpath = &report["kpath"];
        assert_eq!(report["files"], files(&out).len());
        assert_eq!(kpath["total"], 7 + 9 + 14 + 5, "{mode}");
        let covered = kpath["covered"].as_u64().unwrap();
        assert!((20..=35).contains(&covered), "{mode}: {covered}");
    }
}

#[test]
fn purdom_mode_ends_when_every_alternative_is_used() {
    let all = PLEACH.run(&["generate", JSON, "--mode", "purdom"]);
    assert_eq!(all.status.code(), Some(0));
    let said = text(&all.stderr);
    assert!(said.contains("; 63 of 63 alternatives used\n"), "{said}");
    let inputs: Vec<&str> = std::str::from_utf8(&all.stdout).unwrap().lines().collect();
    for literal in ["true", "false", "null"] {
        assert!(inputs.iter().any(|input| input.contains(literal)), "{literal}: {inputs:?}");
    }
    let few = PLEACH.run(&["generate", JSON, "--mode", "purdom", "-n", "2"]);
    assert!(text(&few.stderr).contains("2 inputs, "));
    assert!(all.stdout.starts_with(&few.stdout) && few.stdout.len() < all.stdout.len());
}

#[test]
fn infeasible_goals_are_named() {
    for mode in ["kpath", "random"] {
        let report = folder("infeasible").join("report.json");
        let output = PLEACH.run(&[
            "generate",
            LIST,
            "--mode",
            mode,
            "-k",
            "3",
            "--max-depth",
            "3",
            "--report",
            report.to_str().unwrap(),
        ]);
        let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
        let kpath = &report["kpath"];
        assert!(kpath["infeasible"].as_u64().unwrap() > 0);
        assert_eq!(kpath["total"].as_u64().unwrap() + kpath["infeasible"].as_u64().unwrap(), 30);
        if mode == "kpath" {
            assert_eq!(kpath["covered"], kpath["total"]);
            let said = text(&output.stderr);
            assert!(said.contains("infeasible: list: item#1 > list > item#1 (it needs a depth of"));
        }
    }
}

#[test]
fn the_seed_is_told() {
    assert!(text(&PLEACH.run(&["generate", LIST]).stderr).contains("seed 0\n"));
    assert!(text(&PLEACH.run(&["generate", LIST, "--seed", "77"]).stderr).contains("seed 77\n"));
}

#[test]
fn separators_stand_between_inputs() {
    let random = ["generate", LIST, "--mode", "random", "--max-bytes", "3", "-n", "2"];
    let lines = text(&stdout(&random));
    assert!(["[]\n[a]", "[a]\n[]"].contains(&&*lines), "{lines}");
    let separated: Vec<&str> = random.into_iter().chain(["--separator", "-\\0-\\xFF"]).collect();
    let expected: Vec<&[u8]> = lines.split('\n').map(str::as_bytes).collect();
    assert_eq!(stdout(&separated), expected.join(&b"-\0-\xFF"[..]));
    let ten = ["generate", LIST, "--mode", "random"];
    assert_eq!(text(&stdout(&ten)).lines().count(), 10);
}

#[test]
fn inputs_of_a_run_differ_and_a_small_language_ends_it() {
    for mode in ["random", "uniform", "weighted", "inverted", "recurrent"] {
        let lines =
            text(&stdout(&["generate", JSON, "--mode", mode, "-n", "500", "--separator", "\\0"]));
        let lines: Vec<&str> = lines.split('\0').collect();
        assert_eq!(lines.len(), 500, "{mode}");
        assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), 500, "{mode}");
    }
    let output =
        PLEACH.run(&["generate", LIST, "--mode", "random", "--max-bytes", "4", "-n", "100"]);
    assert_eq!(output.status.code(), Some(0));
    let lines: BTreeSet<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines, ["[]", "[a]", "[[]]"].map(str::to_owned).into());
    let said = text(&output.stderr);
    assert!(said.contains("the language may have no more than these 3"), "{said}");
    assert!(said.contains("\n3 inputs, "), "{said}");
}

#[test]
fn inputs_have_the_sizes_asked_for() {
    let sized = |unit: &str, sizes: &str| {
        text(&stdout(&["generate", LIST, "--mode", "random", unit, sizes, "-n", "30"]))
    };
    let bytes = sized("--bytes", "5..7");
    let lines: BTreeSet<&str> = bytes.lines().collect();
    assert_eq!((lines.len(), bytes.lines().count()), (11, 11), "{lines:?}");
    assert!(lines.iter().all(|line| (5..=7).contains(&line.len())), "{lines:?}");
    assert!(
        lines.contains("[a,a]") && lines.contains("[[a]]") && lines.contains("[[[]]]"),
        "{lines:?}"
    );
    assert_eq!(sized("--nodes", "4..4").trim(), "[]");
    let said =
        |arguments: &[&str], code| failure(code, &[&["generate", LIST][..], arguments].concat());
    assert!(said(&["--nodes", "1..9"], 2).contains("in random and uniform mode alone"));
    let one = PLEACH.run(&["generate", LIST, "--mode", "uniform", "--bytes", "2..2", "-n", "1"]);
    assert_eq!(text(&one.stdout), "[]");
    assert!(text(&one.stderr).contains("derivations: 1\n"), "{}", text(&one.stderr));
    assert!(
        said(&["--mode", "random", "--nodes", "1..3"], 2).contains("no derivation of 1 to 3 nodes")
    );
    assert!(said(&["--mode", "random", "--nodes", "1..99999999"], 3).contains("takes more than"));
}

/// What is in a folder after a signal to a run that writes many files.
#[cfg(unix)]
fn after_signal(out: &Path, signal: &str) -> Vec<String> {
    let arguments = ["generate", JSON, "--mode", "random", "-n", "10000000", "-o"];
    let mut child = PLEACH.command(&arguments).arg(out).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_dir(out).map_or(0, Iterator::count) < 50 {
        assert!(child.try_wait().unwrap().is_none(), "it ended early");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let killed = Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    assert!(!status.success(), "{signal}: {status}");
    files(out).into_keys().collect()
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_unfinished_file() {
    let folder = folder("signals");
    for round in 0..12 {
        for signal in ["-INT", "-TERM", "-HUP"] {
            let names = after_signal(&folder.join(format!("{round}{signal}")), signal);
            let unfinished: Vec<&String> = names.iter().filter(|name| name.len() != 16).collect();
            assert!(unfinished.is_empty(), "{signal}: {unfinished:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_leaves_is_no_input() {
    let folder = folder("killed");
    for round in 0..20 {
        let out = folder.join(round.to_string());
        let names = after_signal(&out, "-KILL");
        let whole = names.iter().filter(|name| name.len() == 16).count();
        let report = json(&["cover", JSON, out.to_str().unwrap(), "--format", "json"]);
        assert_eq!(
            (&report["files"], &report["parsed"]),
            (&whole.into(), &whole.into()),
            "{names:?}"
        );
    }
}

#[test]
fn what_is_read_is_never_written_over() {
    let folder = folder("over");
    let grammar = folder.join("list.pleach");
    let grammar_text = fs::read(LIST).unwrap();
    fs::write(&grammar, &grammar_text).unwrap();
    fs::write(folder.join("in"), "[a]").unwrap();
    let (grammar, input) = (grammar.to_str().unwrap(), folder.join("in"));
    let (input, around) = (input.to_str().unwrap(), folder.join("../cli-over/in"));
    for arguments in [
        &["cover", grammar, input, "--html", grammar][..],
        &["cover", grammar, input, "--html", input],
        &["cover", grammar, folder.to_str().unwrap(), "--html", around.to_str().unwrap()],
        &["generate", grammar, "--report", grammar],
        &["generate", grammar, "--given", input, "--report", input],
        &["import", grammar, "-o", grammar],
        &["import", ABNF, "--with", grammar, "-o", grammar],
        &["export", grammar, "--to", "abnf", "-o", grammar],
        &["reduce", grammar, input, "-o", grammar, "--", "false"],
    ] {
        for arguments in [arguments, &[&arguments[..2], &["--force"], &arguments[2..]].concat()] {
            assert!(failure(2, arguments).contains("is not written over"), "{arguments:?}");
        }
    }
    assert_eq!(fs::read(grammar).unwrap(), grammar_text);
    assert_eq!(fs::read(input).unwrap(), b"[a]");
}

#[test]
fn a_folder_that_is_missing_is_noticed_before_the_work() {
    let page = folder("missing").join("no/such/page.html");
    let page = page.to_str().unwrap();
    for arguments in [
        &["cover", JSON, JSON, "--html", page][..],
        &["generate", JSON, "--report", page],
        &["learn", JSON, JSON, "-o", page],
    ] {
        assert!(failure(2, arguments).contains("there is no folder"), "{arguments:?}");
    }
}

#[test]
fn what_pleach_did_not_write_stays_unless_forced() {
    let folder = folder("stays");
    let (place, document) = (folder.join("place"), "tests/data/cli/document.json");
    let at = place.to_str().unwrap();
    for arguments in [
        &["cover", JSON, document, "--html", at][..],
        &["generate", JSON, "--report", at],
        &["import", "tests/data/import/antlr/Json.g4", "-o", at],
        &["export", JSON, "--to", "abnf", "-o", at],
    ] {
        let forced = [&arguments[..2], &["--force"], &arguments[2..]].concat();
        fs::write(&place, "precious").unwrap();
        let said = failure(2, arguments);
        assert!(said.contains("place is there already") && said.contains("--force"), "{said}");
        assert_eq!(fs::read(&place).unwrap(), b"precious");
        stdout(&forced);
        let written = fs::read(&place).unwrap();
        assert!(written.len() > 40, "{arguments:?}");
        // What it wrote itself it replaces, and what is empty.
        stdout(arguments);
        fs::write(&place, "").unwrap();
        stdout(arguments);
        fs::remove_file(&place).unwrap();
        stdout(arguments);
    }
    // An export that was worked on is the user's.
    fs::write(&place, [&fs::read(&place).unwrap()[..], b"; mine\n"].concat()).unwrap();
    failure(2, &["export", JSON, "--to", "abnf", "-o", at]);
}

#[cfg(unix)]
#[test]
fn arguments_reach_a_terminal_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let red = "no\u{1B}[31mwhere\u{202E}\r";
    for arguments in [
        &["check", red][..],
        &["parse", JSON, red],
        &["cover", JSON, red],
        &["mutate", JSON, red],
        &["reduce", JSON, JSON, "--", red],
        &["generate", JSON, "-o", red, "--suffix", "/"],
        &["generate", JSON, "--mode", red],
        &["export", JSON, "--to", red],
        &["check", JSON, "--start", red],
        &["infer", red],
        &["diff", "--spec", red, "--impl", "("],
        &["suggest", "x", "--known", red],
        &["man", red],
        &["--color", red],
        &[red],
    ] {
        let output = PLEACH.run(arguments);
        let said = text(&output.stderr);
        assert!(!output.status.success() && !said.is_empty(), "{arguments:?}");
        assert!(!said.contains(['\u{1B}', '\r', '\u{202E}']), "{arguments:?}: {said:?}");
    }
    let name = std::ffi::OsStr::from_bytes(b"\xFF\x1B[2J");
    let output = PLEACH.command(&["check"]).arg(name).output().unwrap();
    assert!(!output.stderr.contains(&0x1B), "{}", text(&output.stderr));
}

#[test]
fn shards_are_disjoint_work_and_cover_all_together() {
    let folder = folder("shards");
    let (mut goals, mut whole) = (0, 0);
    for part in ["1/1", "1/3", "2/3", "3/3"] {
        let out = folder.join(part.replace('/', "-"));
        let arguments =
            ["generate", JSON, "--shard", part, "--format", "json", "-o", out.to_str().unwrap()];
        let report = json(&arguments);
        let kpath = &report["kpath"];
        assert_eq!(kpath["covered"], kpath["total"]);
        let total = kpath["total"].as_u64().unwrap();
        if part == "1/1" {
            whole = total;
        } else {
            goals += total;
        }
    }
    assert_eq!(goals, whole);
    let of = |part: &str| {
        text(&stdout(&["generate", JSON, "--mode", "random", "-n", "100", "--shard", part]))
    };
    let parts = ["1/3", "2/3", "3/3"].map(of);
    assert_ne!(parts[0], parts[1]);
    assert_ne!(parts[1], parts[2]);
    let count = |part: &str| {
        let lines = ["generate", LIST, "--mode", "random", "-n", "100", "--shard", part];
        stdout(&lines).iter().filter(|&&byte| byte == b'\n').count() + 1
    };
    assert_eq!(["1/3", "2/3", "3/3"].map(count).iter().sum::<usize>(), 100);
}

#[test]
fn unwritable_places_are_named() {
    let folder = folder("unwritable");
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below")] {
        let place = place.to_str().unwrap();
        assert!(failure(2, &["generate", LIST, "-o", place]).contains(place));
    }
    let report = folder.join("no/report.json");
    let report = report.to_str().unwrap();
    let output = PLEACH.run(&["generate", LIST, "--report", report]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(report));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    for arguments in [
        &["help"][..],
        &["help", "generate"],
        &["cover", "--help"],
        &["--version"],
        &["check", LIST],
        &["check", LIST, "--format", "json"],
        &["paths", LIST, "-k", "2"],
        &["paths", LIST, "-k", "2", "--list"],
        &["generate", LIST],
        &["mutate", JSON, "tests/data/cli/document.json"],
        &["reduce", JSON, "tests/data/cli/document.json", "--max-runs", "1", "--", "true"],
        &["dict", JSON],
        &["import", LIST],
        &["export", JSON, "--to", "abnf"],
        &["diff", "--spec", "a", "--impl", "b"],
        &["diff", "--spec", "a", "--impl", "b", "--format", "json"],
        &["suite", "--spec", "a"],
        &["suggest", "--list"],
        &["suggest", "a date in RFC 3339 format", "--format", "json"],
        &["completions", "bash"],
        &["man"],
        &["cover", LIST, "corpus/json"],
        &["cover", LIST, "corpus/json", "--format", "json"],
        &["parse", JSON, "tests/data/cli/document.json"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = PLEACH.command(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("standard output"), "{arguments:?}");
    }
}

#[test]
fn inputs_are_read_within_the_bounds_of_the_command() {
    let folder = folder("bounds");
    let path = folder.join("long.json");
    fs::write(&path, format!("[{}1]", "1,".repeat(50_000))).unwrap();
    let path = path.to_str().unwrap();
    let out = folder.join("out");
    let out = out.to_str().unwrap();
    let inputs: [&[&str]; 5] = [
        &["parse", JSON, path],
        &["cover", JSON, path, "--fail-under", "1"],
        &["mutate", JSON, path],
        &["reduce", JSON, path, "-o", out, "--max-runs", "1"],
        &["generate", JSON, "--given", path, "-k", "1"],
    ];
    for (bounds, reason) in [
        (["--max-input", "1000"], "it has 100003 bytes, over --max-input 1000"),
        (["--memory", "200000"], "reading takes more than the 200000 bytes of memory"),
    ] {
        for arguments in inputs {
            let mut arguments = [arguments, &bounds].concat();
            if arguments[0] == "reduce" {
                arguments.extend(["--", "true"]);
            }
            let output = PLEACH.run(&arguments);
            let said = text(&output.stderr);
            assert!(said.contains(reason), "{arguments:?}: {said}");
            let expected = match arguments[0] {
                // What is left out is no failure of a run that can do without it.
                "generate" => 0,
                _ => 3,
            };
            assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {said}");
        }
    }
    // Standard input has no length.
    let output = PLEACH.with_stdin(&["parse", JSON, "-", "--max-input", "4"], "[1,2]");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("<stdin>: it has more than 4 bytes"));
    assert_eq!(PLEACH.run(&["parse", JSON, path]).status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_input_is_refused_where_there_is_no_memory_for_it() {
    let folder = folder("space");
    let count = 2_000_000;
    for (name, input) in [
        ("ones", format!("[{}1]", "1,".repeat(count))),
        ("objects", format!("[{}1]", r#"{"a": [true, 2.5, "text"]},"#.repeat(count / 10))),
        ("string", format!("\"{}\"", "a".repeat(2 * count))),
        ("brackets", "[".repeat(count)),
        ("nested", format!("{}{}", "[".repeat(count), "]".repeat(count))),
    ] {
        let path = folder.join(name);
        fs::write(&path, input).unwrap();
        // With less address space than is needed, and with the same in the command's own words.
        for (space, memory) in [("110000", "2000000000"), ("1000000", "20000000")] {
            let script = r#"ulimit -v "$1" && shift && exec "$0" "$@""#;
            let output = Command::new("sh")
                .args(["-c", script, env!("CARGO_BIN_EXE_pleach"), space, "parse", JSON])
                .arg(&path)
                .args(["--memory", memory])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .unwrap();
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{name} {space}: {said}");
            assert!(said.contains("bytes of memory"), "{name} {space}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_finished_leaves_nothing_behind() {
    let out = folder("limit");
    // The system ends a write at 1 or 512 bytes to a block, as a full disk would.
    let script = r#"trap '' XFSZ; ulimit -f 1; exec "$0" "$@""#;
    let mode = ["generate", LIST, "--mode", "random", "-n", "300", "--size", "800", "-o"];
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pleach")])
        .args(mode)
        .arg(&out)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(out.to_str().unwrap()));
    for (name, content) in files(&out) {
        assert!(name.len() == 16 && content.ends_with(b"]"), "{name}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for arguments in [
        &["paths", JSON, "-k", "9", "--list"][..],
        &["generate", JSON, "--mode", "random", "-n", "100000"],
    ] {
        let mut child = PLEACH
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("panic"));
    }
}

#[test]
fn dictionaries_are_what_engines_read() {
    let printed = text(&stdout(&["dict", JSON]));
    let words: Vec<Vec<u8>> = printed.lines().map(word).collect();
    assert_eq!(words, [&b"false"[..], b"null", b"true"]);
    let escaped = PLEACH
        .with_stdin(&["dict", "-"], r#"a = "\"\\" | "\n\xE9" | "\n\xE9" "b" ; %encoding bytes;"#);
    let words: Vec<Vec<u8>> = text(&escaped.stdout).lines().map(word).collect();
    assert_eq!(words, [b"\"\\", b"\n\xE9"]);
}

/// An entry as libFuzzer reads it: between the first and the last quote, three escapes.
fn word(line: &str) -> Vec<u8> {
    let body = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap();
    let mut bytes = body.bytes();
    let mut word = Vec::new();
    while let Some(byte) = bytes.next() {
        assert!((b' '..=b'~').contains(&byte) && byte != b'"', "{line}");
        if byte != b'\\' {
            word.push(byte);
            continue;
        }
        match bytes.next().unwrap() {
            escaped @ (b'\\' | b'"') => word.push(escaped),
            b'x' => {
                let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
                let digits = std::str::from_utf8(&digits).unwrap();
                word.push(u8::from_str_radix(digits, 16).unwrap());
            }
            other => panic!("{line}: \\{}", char::from(other)),
        }
    }
    word
}

#[test]
fn pages_and_completions_know_every_command() {
    let page = text(&stdout(&["man"]));
    let completions = text(&stdout(&["completions", "bash"]));
    for command in [
        "check",
        "paths",
        "generate",
        "parse",
        "cover",
        "run",
        "dict",
        "diff",
        "completions",
        "man",
    ] {
        assert!(page.contains(&format!("pleach\\-{command}")), "{command}");
        assert!(completions.contains(command), "{command}");
        let own = text(&stdout(&["man", command]));
        assert!(own.contains(&format!(".TH pleach-{command} 1")), "{own}");
    }
    assert!(text(&stdout(&["--version"])).starts_with("pleach 0."));
}

#[test]
fn the_same_seed_is_the_same_bytes() {
    let mut found = String::new();
    for grammar in [LIST, JSON, "grammars/expr.pleach", "grammars/uri.pleach"] {
        for mode in MODES {
            let arguments = [
                "generate",
                grammar,
                "--mode",
                mode,
                "-n",
                "50",
                "--seed",
                "1",
                "--separator",
                "\\0",
            ];
            let output = stdout(&arguments);
            assert!(stdout(&arguments) == output, "{grammar} {mode}");
            let hash = output.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
            });
            found += &format!("{grammar} {mode} {hash:016x}\n");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cli/golden.txt");
    if std::env::var_os("PLEACH_BLESS").is_some() {
        fs::write(&path, &found).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), found, "what seeds produce has changed");
}

/// Modes whose bytes a seed fixes.
const MODES: [&str; 7] =
    ["kpath", "random", "uniform", "weighted", "inverted", "recurrent", "purdom"];

#[test]
fn grammars_go_to_other_notations_and_come_back() {
    let folder = folder("export");
    let there = folder.join("json.gbnf");
    let there = there.to_str().unwrap();
    assert!(stdout(&["export", JSON, "--to", "gbnf", "-o", there]).is_empty());
    assert!(
        text(&stdout(&["export", JSON, "--to", "abnf"]))
            .starts_with("; A JSON text: any value.\nJSON-text = ")
    );
    assert!(text(&stdout(&["export", there, "--to", "native"])).contains("\nroot = JSON-text ;\n"));
    assert_eq!(json(&["check", there, "--format", "json"])["start"], "root");
    // What is lost is said, and refused by who is strict.
    let lossy = ["export", "grammars/csv.pleach", "--to", "w3c"];
    let output = PLEACH.run(&lossy);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("warning: the weights of this rule are left out"));
    let strict = failure(2, &[&lossy[..], &["--strict"]].concat());
    assert!(strict.contains("error: what is read only is written as the other alternatives"));
    assert!(
        failure(2, &["export", JSON, "--to", "g4"])
            .contains("[possible values: abnf, gbnf, native, w3c]")
    );
}

/// A grammar that somebody else wrote could have the lines of any file printed.
#[test]
fn an_include_from_outside_of_the_folder_is_not_shown() {
    let outside = folder("outside");
    let inside = outside.join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(outside.join("private"), "password: hunter2\n").unwrap();
    fs::write(outside.join("other.pleach"), "b = hunter2 ;\n").unwrap();
    fs::write(inside.join("beside"), "password: hunter2\n").unwrap();
    let said = |text: &str| {
        let file = inside.join("it.pleach");
        fs::write(&file, text).unwrap();
        failure(2, &["check", file.to_str().unwrap()])
    };
    let private = said("a = \"x\" ; %include \"../private\";");
    assert!(private.contains("private:1:9\n  = help: the file is outside of"), "{private}");
    assert!(!private.contains("password") && !private.contains("hunter2"), "{private}");
    let other = said("a = b ; %include \"../other.pleach\";");
    assert!(other.contains("other.pleach:1:5\n") && !other.contains("b = hunter2"), "{other}");
    let beside = said("a = \"x\" ; %include \"beside\";");
    assert!(beside.contains("1 | password: hunter2"), "{beside}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.join("private"), inside.join("link")).unwrap();
        assert!(!said("a = \"x\" ; %include \"link\";").contains("hunter2"));
    }
    // One that is named itself is shown.
    let named = failure(2, &["check", outside.join("private").to_str().unwrap()]);
    assert!(named.contains("hunter2"), "{named}");
}

/// They were read without end.
#[test]
#[cfg(unix)]
fn endless_grammars_are_refused() {
    for arguments in [
        &["check", "/dev/zero"][..],
        &["parse", "/dev/zero", LIST],
        &["generate", "/dev/zero"],
        &["import", "/dev/zero", "--from", "abnf"],
        &["check", ABNF, "--with", "/dev/zero"],
    ] {
        let said = failure(2, arguments);
        assert!(said.contains("/dev/zero: a grammar and what it includes have at most"), "{said}");
    }
    let mut endless =
        PLEACH.command(&["check", "-"]).stdin(fs::File::open("/dev/zero").unwrap()).output();
    let said = text(&endless.as_mut().unwrap().stderr);
    assert!(said.contains("<stdin>: a grammar and what it includes have at most"), "{said}");
    // A pipe is no file, and has an end.
    let piped =
        ["-c", "\"$0\" check <(cat tests/data/cli/list.pleach)", env!("CARGO_BIN_EXE_pleach")];
    let bash = Command::new("bash").args(piped).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    if let Ok(output) = bash {
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}
