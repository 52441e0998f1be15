//! `pleach bridge`, driven as a person drives it.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pleach_testing::{Pleach, text};

const PLEACH: Pleach = pleach_testing::pleach!();

/// A folder for a test, empty.
fn folder(name: &str) -> PathBuf {
    PLEACH.folder(Path::new("bridge").join(name))
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
    let (object, code) = PLEACH.json(&arguments(&target, &more));
    assert_eq!(code, 1, "{object}");
    let [crash] = &object["alarms"].as_array().expect("there is a list")[..] else {
        panic!("{object}");
    };
    assert_eq!(crash["message"], "attempt to divide by zero");
    assert!(crash["location"].as_str().unwrap().contains("message.rs:"), "{crash}");
    let unit = &crash["unit"];
    assert!(unit["function"].as_str().unwrap().ends_with("::record"), "{unit}");
    let [part] = &unit["mapping"].as_array().unwrap()[..] else { panic!("{unit}") };
    assert_eq!((&part["from"], &part["copy"]), (&serde_json::json!([2, 8]), &false.into()));
    assert_eq!((&part["old"], &part["new"]), (&"abc".into(), &"#\\xe8\\x03".into()));
    let file = Path::new(crash["file"].as_str().expect("it was written"));
    assert_eq!(file.parent().unwrap(), folder.join("out/crashes"));
    let input = fs::read_to_string(file).unwrap();
    assert_eq!(input.to_lowercase(), "3:23e803");
    assert_eq!(crash["input"], *input);
    let seconds = [&crash["seconds"], &object["seconds"]].map(|it| it.as_f64().unwrap());
    assert!(0.0 < seconds[0] && seconds[0] <= seconds[1], "{object}");
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
            let output = PLEACH.run(&arguments(&target, &more));
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
fn each_unit_tester_goes_with_each_system_tester() {
    let (folder, target) = (folder("pairs"), target());
    let seed = seed(&folder);
    let radamsa = PLEACH.run(&arguments(&target, &[&*seed, "--system", "radamsa", "--time", "1s"]));
    let is_there = !text(&radamsa.stderr).contains("neither a program");
    for units in ["concolic", "fuzz", r##"cmd:"$UNIT" < "$VALUES"; printf '#ab' | "$UNIT"; true"##]
    {
        for system in ["none", "pleach", "cmd:tr 6 2", "radamsa"] {
            let more = [&*seed, "--units", units, "--system", system, "--time", "2s"];
            if system == "radamsa" && !is_there {
                continue;
            }
            let (object, code) = PLEACH.json(&arguments(&target, &more));
            assert!(code < 2, "{units}, {system}: {object}");
            for count in ["tested", "runs"] {
                assert!(object[count].as_u64() > Some(1), "{units}, {system}: {object}");
            }
        }
    }
}

#[test]
fn inputs_by_a_grammar_go_beside_the_units() {
    let (folder, target) = (folder("grammar"), target());
    let grammar = folder.join("message.pleach").display().to_string();
    fs::write(&grammar, r#"message = [0-9] ":" byte* ; byte = /[0-9a-f]{2}/ ;"#).unwrap();
    let seed = seed(&folder);
    let more = [&*seed, "--grammar", &grammar, "--time", "3s"];
    let (object, _) = PLEACH.json(&arguments(&target, &more));
    assert!(object["runs"].as_u64() > Some(20), "{object}");
    assert!(object["units"].as_u64() > Some(0), "{object}");
}

/// A program that fails when a number of its argument, a word of its file and its standard input are as they should be.
const PARTS: &str = r#"
fn pick(text: &str, wanted: u32) -> Option<&str> {
    text.split(',').nth(wanted as usize)
}

fn judge(word: &str, line: &str) -> usize {
    match (word, line) {
        ("due", "no\n\nyes\n") => panic!("all of it"),
        _ => word.len(),
    }
}

fn main() {
    let arguments = std::env::args_os().map(|it| it.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    let [_, option, number] = &arguments[..] else { return };
    let ("-n", Ok(wanted)) = (option.as_str(), number.parse()) else { return };
    let Ok(text) = std::fs::read_to_string("words") else { return };
    let Ok(line) = std::io::read_to_string(std::io::stdin()) else { return };
    if let Some(word) = pick(&text, wanted) {
        println!("{}", judge(word, &line));
    }
}
"#;

#[test]
fn what_is_found_in_a_unit_is_lifted_into_argument_file_and_standard_input() {
    let folder = folder("parts");
    let manifest =
        "[package]\nname = \"parts\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
    for (name, text) in [("Cargo.toml", manifest), ("src/main.rs", PARTS)] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let seed = "%parts\nargs\n|-n\n|1\nfile words\n|one,two,six\nstdin\n|no..yes\n|\n";
    fs::write(folder.join("seed"), seed).unwrap();
    let bridge = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.current_dir(&folder).args(["bridge", "bin:parts"]).args(more);
        command.output().expect("it runs")
    };
    let more = ["seed", "-o", "found", "--system", "none", "--fail-fast", "--format", "json"];
    let output = bridge(&more);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    let object: serde_json::Value = serde_json::from_str(&said).unwrap();
    let crash = &object["alarms"][0];
    assert_eq!(crash["message"], "all of it", "{object}");
    let input = fs::read(folder.join(crash["file"].as_str().unwrap())).unwrap();
    let parts = pleach::parts::Parts::read(&input).expect("it is of parts");
    assert_eq!(parts.stdin(), b"no\n\nyes\n");
    let words: Vec<&[u8]> = parts.file("words").unwrap().split(|&byte| byte == b',').collect();
    let number = std::str::from_utf8(parts.arguments().nth(1).unwrap()).unwrap();
    assert_eq!(words[number.parse::<usize>().unwrap()], b"due");

    // The others that look inside programs take it, too.
    let file = crash["file"].as_str().unwrap();
    let others: [(&[&str], i32); 3] = [
        (&["trace", "bin:parts", file], 0),
        (&["explore", "bin:parts", file, "--time", "1s"], 1),
        (&["focal", "bin:parts", "seed", "--time", "1m", "--fail-fast"], 1),
    ];
    for (arguments, code) in others {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        let output = command.current_dir(&folder).args(arguments).output().expect("it runs");
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{said}{}", text(&output.stderr));
        assert!(said.contains("all of it"), "{said}");
    }

    fs::write(folder.join("bad"), "%parts\nargs\n-n\n").unwrap();
    let output = bridge(&["bad"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("bad:2:1"), "{}", text(&output.stderr));

    // An outside command changes one part at a time.
    let common = ["seed", "--focus", "pick", "--time", "3s", "--format", "json", "--system"];
    let output = bridge(&[&common[..], &["cmd:tr 16 20"]].concat());
    let object: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert!(object["runs"].as_u64() > Some(3) && object["inputs"].as_u64() > Some(1), "{object}");
    // One that tests units runs them as often as it likes.
    let command =
        "cmd:tr o a < $VALUES | $UNIT; tr o '\\0' < $VALUES | $UNIT; $UNIT < $VALUES; test $? = 0";
    let output = bridge(&[&common[..], &["none", "--units", command]].concat());
    let object: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(object["tested"].as_u64(), Some(3), "{object}{}", text(&output.stderr));
    let output = bridge(&[&common[..], &["none", "--units", "cmd:exit 4"]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--units cmd:exit 4: it ended with exit status 4"), "{said}");
    let output = bridge(&[&common[..], &["cmd:exit 3"]].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--system cmd:exit 3: it ended with exit status 3"), "{said}");
}

#[test]
fn a_function_that_is_not_there_is_said() {
    let (folder, target) = (folder("absent"), target());
    let seed = seed(&folder);
    let output = PLEACH.run(&arguments(&target, &[&seed, "--focus", "absent"]));
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("--focus absent: the program has no such function"), "{said}");
}

#[test]
fn where_the_target_is_the_only_unit_it_is_said_how_to_take_more() {
    let folder = folder("alone");
    fs::write(
        folder.join("alone.rs"),
        "pub fn alone(text: &[u8]) -> bool {
    text == b\"x\" || (text.len() == 9 && never(text))
}

#[inline(never)]
pub fn never(text: &[u8]) -> bool {
    text.is_empty()
}
",
    )
    .unwrap();
    fs::write(folder.join("seed"), "y").unwrap();
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bridge/keep-alone");
    let campaign = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.args(["bridge", "alone.rs#alone", "seed", "--system", "none", "--time", "1s"]);
        let output = command.args(more).arg("--keep").arg(&keep).current_dir(&folder).output();
        let output = output.unwrap();
        (text(&output.stderr), output.status.code())
    };
    let (said, code) = campaign(&[]);
    assert!(said.contains("--all takes those of its dependencies"), "{said}");
    assert_eq!(code, Some(0), "{said}");
    assert!(!campaign(&["--all"]).0.contains("--all"));
    let (said, code) = campaign(&["--focus", "never"]);
    assert!(said.contains("no function of --focus was called"), "{said}");
    assert_eq!(code, Some(2), "{said}");
}

/// Runs Git in a folder.
fn git(folder: &Path, arguments: &[&str]) {
    let who = ["-c", "user.name=pleach", "-c", "user.email=pleach@example.org"];
    let status =
        Command::new("git").args(who).args(arguments).current_dir(folder).status().unwrap();
    assert!(status.success(), "{arguments:?}");
}

/// A repository with one text of the message as its only commit, and another one in its file.
fn changed(name: &str, before: &str, after: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("message.rs"), before).unwrap();
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "message.rs"]);
    git(&folder, &["commit", "--quiet", "-m", "A message"]);
    fs::write(folder.join("message.rs"), after).unwrap();
    fs::write(folder.join("seed"), "3:236162").unwrap();
    folder
}

/// Takes units of what has changed in a repository since a revision.
fn since(folder: &Path, revision: &str, format: &str) -> Output {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bridge/keep-since");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(["bridge", "message.rs#message", "seed", "--system", "none", "--fail-fast"]);
    command.args(["--since", revision, "--format", format, "--keep"]).arg(&keep);
    command.current_dir(folder).output().unwrap()
}

/// The failure is found in the function that has changed, the only unit.
fn is_found_in_share(output: &Output) {
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let unit = &object["alarms"][0]["unit"]["function"];
    assert!(unit.as_str().unwrap().ends_with("::share"), "{object}");
    assert_eq!(object["functions"]["carved"], 1, "{object}");
}

#[test]
fn functions_that_have_changed_are_the_units() {
    let source = include_str!("data/inside/message.rs");
    let folder = changed("since", &source.replace("parts ^ 1000", "parts | 1000"), source);
    is_found_in_share(&since(&folder, "HEAD", "json"));
    let said = since(&folder, "HEAD", "text").stderr;
    assert!(text(&said).starts_with("changed since HEAD: subject::share\n"), "{}", text(&said));
    assert!(text(&said).contains(" s: panic at message.rs:"), "{}", text(&said));
    git(&folder, &["commit", "--quiet", "--all", "-m", "A fault"]);
    for revision in ["HEAD", "absent"] {
        let output = since(&folder, revision, "json");
        assert_eq!(output.status.code(), Some(2), "{revision}");
        assert!(text(&output.stderr).contains("--since"), "{}", text(&output.stderr));
    }
}

/// Neither the line before what is gone nor the one behind it has code.
#[test]
fn lines_that_are_gone_are_a_change_of_the_function_around_them() {
    let source = include_str!("data/inside/message.rs");
    let [before, after] = ["    if parts == 1000 {\n        return 0;\n    }\n", ""].map(|lines| {
        let begin = "fn share(parts: u16) -> u32 {\n";
        let commented = format!("{begin}    // None.\n{lines}    // Some.\n");
        source.replace(begin, &commented)
    });
    is_found_in_share(&since(&changed("since-gone", &before, &after), "HEAD", "json"));
}
