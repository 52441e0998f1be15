//! `pleach run`, driven as a person drives it, and what other commands do with inputs of several parts.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use pleach_testing::Pleach;

const PLEACH: Pleach = pleach_testing::pleach!();

/// What a command is told, in its own words: arguments, a variable, its folder's files, standard input.
const TELL: &str = "for it in \"$@\"; do printf '[%s]' \"$it\"; done; printf ' %s\\n' \"${WHO-nobody}\"; \
                    find . -type f | LC_ALL=C sort | while read -r it; do printf '%s: ' \"$it\"; cat \"$it\"; done; \
                    echo; cat";

const INPUT: &str = "%parts\nargs\n|--name=a b\n|\n|it's $HOME\narg\n|two\n|lines\nenv WHO\n|me\nfile a/b.txt\n\
                     |stdin\n|\nfile c\n|\nstdin\n|hello\n|\n";

const TOLD: &str = "[--name=a b][][it's $HOME][two\nlines] me\n./a/b.txt: stdin\n./c: \nhello\n";

/// A folder for one test, with an input.
fn folder(name: &str, input: &str) -> PathBuf {
    let path = PLEACH.folder(format!("run-{name}"));
    fs::write(path.join("input"), input).unwrap();
    path
}

fn pleach(folder: &Path, arguments: &[&str]) -> Output {
    PLEACH.command(arguments).current_dir(folder).env_remove("WHO").output().unwrap()
}

/// What a command prints that ends with a status.
fn told(status: i32, folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = pleach(folder, arguments);
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {stdout}{stderr}");
    (stdout, stderr)
}

#[test]
fn a_command_gets_arguments_variables_files_and_standard_input() {
    let folder = folder("all", INPUT);
    let (stdout, stderr) = told(0, &folder, &["run", "input", "--", "sh", "-c", TELL, "sh"]);
    assert_eq!((stdout.as_str(), stderr.as_str()), (TOLD, ""));
    // Where they are asked for.
    for mark in ["@@", "{}"] {
        let (stdout, _) =
            told(0, &folder, &["run", "input", "--", "sh", "-c", TELL, "sh", mark, "end"]);
        assert_eq!(stdout, TOLD.replacen("lines]", "lines][end]", 1));
    }
    // Without parts there are none, and what is read is empty.
    fs::write(folder.join("input"), "%parts\n").unwrap();
    let (stdout, _) = told(0, &folder, &["run", "input", "--", "sh", "-c", TELL, "sh"]);
    assert_eq!(stdout, " nobody\n\n");
    // An input from standard input is another than what the command reads.
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command.args(["run", "-", "--", "cat"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"%parts\nstdin\n|x\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"x");
}

#[test]
fn nothing_is_left_behind_and_the_status_is_the_commands() {
    let folder = folder("status", INPUT);
    let (place, _) = told(7, &folder, &["run", "input", "--", "sh", "-c", "pwd; exit 7"]);
    assert!(!place.is_empty() && !Path::new(place.trim()).exists(), "{place}");
    told(143, &folder, &["run", "input", "--", "sh", "-c", "kill -TERM $$"]);
    told(0, &folder, &["run", "input", "--", "true"]);
    let (_, said) = told(2, &folder, &["run", "input", "--", "./missing"]);
    assert!(said.starts_with("error: cannot run ") && said.contains("/missing: "), "{said}");
    // A program of a relative path is the one here, not one in the folder of the files.
    fs::write(folder.join("it"), "#!/bin/sh\necho \"$1\"\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.join("it"), mode).unwrap();
    let (stdout, _) = told(0, &folder, &["run", "input", "--", "./it"]);
    assert_eq!(stdout, "--name=a b\n");
}

#[test]
fn what_is_extracted_does_the_same_without_pleach() {
    let folder = folder("extract", INPUT);
    let run = |arguments: &[&str]| {
        let mut sh = Command::new("sh");
        let output = sh.args(arguments).current_dir(&folder).env_remove("WHO").output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // With the command, which is run, too.
    let (stdout, said) = told(
        0,
        &folder,
        &["run", "input", "--extract", "one", "--", "sh", "-c", TELL, "sh", "@@", "end"],
    );
    let expected = TOLD.replacen("lines]", "lines][end]", 1);
    assert_eq!(stdout, expected);
    assert_eq!(said, "wrote one; `sh one/run.sh` runs it\n");
    assert_eq!(run(&["one/run.sh"]), expected);
    assert_eq!(fs::read(folder.join("one/files/a/b.txt")).unwrap(), b"stdin\n");
    assert_eq!(fs::read(folder.join("one/stdin")).unwrap(), b"hello\n");
    // Without one, for any.
    let (stdout, said) = told(0, &folder, &["run", "input", "--extract", "new/two"]);
    assert_eq!(
        (stdout.as_str(), said.as_str()),
        ("", "wrote new/two; `sh new/two/run.sh COMMAND` runs it\n")
    );
    assert_eq!(run(&["new/two/run.sh", "sh", "-c", TELL, "sh"]), TOLD);
    // A program of a path is the one here, and without a command nothing of the input becomes one.
    fs::write(folder.join("it"), "#!/bin/sh\necho \"$1\"\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.join("it"), mode).unwrap();
    assert_eq!(run(&["new/two/run.sh", "./it"]), "--name=a b\n");
    fs::remove_file(folder.join("it")).unwrap();
    let status = Command::new("sh").arg("new/two/run.sh").current_dir(&folder).status().unwrap();
    assert_eq!(status.code(), Some(2));
    // An empty folder is taken, and nothing that is there is touched.
    fs::create_dir(folder.join("empty")).unwrap();
    told(0, &folder, &["run", "input", "--extract", "empty"]);
    for taken in ["one", "input", "."] {
        let (_, said) =
            told(2, &folder, &["run", "input", "--extract", taken, "--", "touch", "ran"]);
        assert!(said.contains("name a folder that is new or empty"), "{said}");
    }
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["empty", "input", "new", "one"]);
    // Without standard input the script has none.
    fs::write(folder.join("input"), "%parts\narg\n|x\n").unwrap();
    told(0, &folder, &["run", "input", "--extract", "none", "--", "sh", "-c", "cat"]);
    assert!(!folder.join("none/stdin").exists());
    assert!(run(&["none/run.sh"]).is_empty());
}

#[test]
fn inputs_that_lead_elsewhere_are_refused_before_anything_is_run() {
    let folder = folder("hostile", "");
    for (input, place, said) in [
        ("%parts\nfile ../x\n|\n", "2:6", "`../x` is no path of a part"),
        ("%parts\nfile /tmp/x\n|\n", "2:6", "`/tmp/x` is no path"),
        ("%parts\nstdin\n|\nfile a/../../x\n|\n", "4:6", "is no path"),
        ("%parts\nargs\n|a\0b\n", "2:1", "a zero byte in `args`"),
        ("%parts\nenv A=B\n|\n", "2:5", "is no name of a variable"),
        ("[1]", "1:1", "its first line is not `%parts`"),
    ] {
        fs::write(folder.join("input"), input).unwrap();
        for arguments in
            [&["run", "input", "--", "touch", "ran"][..], &["run", "input", "--extract", "out"]]
        {
            let (stdout, told) = told(2, &folder, arguments);
            assert!(stdout.is_empty() && told.starts_with("error: "), "{told}");
            assert!(
                told.contains(said) && told.ends_with(&format!(" --> input:{place}\n")),
                "{told}"
            );
        }
    }
    fs::write(folder.join("input"), format!("%parts\nstdin\n|{}\n", "x".repeat(100))).unwrap();
    let (_, said) = told(3, &folder, &["run", "input", "--max-input", "50", "--", "touch", "ran"]);
    assert!(said.contains("--max-input 50"), "{said}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    let (_, said) = told(2, &folder, &["run", "input"]);
    assert!(said.contains("--extract") || said.contains("COMMAND"), "{said}");
}

/// A filter whose fault needs an option, a file and standard input that go together.
const GRAMMAR: &str = r#"
%start input;
%part args options;
%part file "words" words;
%part stdin text;

input = options words? text ;
options = ( "--strict\n" | "--words\n" "words\n" )* ;
words = ( word "\n" )* ;
text = ( word ( " " word )* "\n" )* ;
word = "one" | "two" | "three" ;
"#;

#[test]
fn the_other_commands_take_inputs_of_several_parts_as_they_are() {
    let input = "%parts\nargs\n|--strict\n|--words\n|words\n|\nfile words\n|three\n|one\n|\nstdin\n|two one\n|three\n|\n";
    let folder = folder("others", input);
    fs::write(folder.join("g.pleach"), GRAMMAR).unwrap();
    told(0, &folder, &["check", "g.pleach"]);
    let (_, said) =
        told(0, &folder, &["generate", "g.pleach", "-k", "2", "--size", "0", "-o", "out"]);
    assert!(said.contains("k-paths up to 2 covered"), "{said}");
    let mut count = 0;
    for entry in fs::read_dir(folder.join("out")).unwrap() {
        let path = entry.unwrap().path();
        told(0, &folder, &["run", path.to_str().unwrap(), "--", "true"]);
        count += 1;
    }
    assert!(count > 1);
    told(0, &folder, &["cover", "g.pleach", "out", "-k", "2", "--fail-under", "100"]);
    let (tree, _) = told(0, &folder, &["parse", "g.pleach", "input"]);
    assert!(tree.contains("file words"), "{tree}");
    told(
        0,
        &folder,
        &["mutate", "g.pleach", "input", "-n", "40", "--breaking", "0", "-o", "mutants"],
    );
    for entry in fs::read_dir(folder.join("mutants")).unwrap() {
        told(0, &folder, &["parse", "g.pleach", entry.unwrap().path().to_str().unwrap()]);
    }
    // What is reduced is run by pleach, which the reduction runs as any other command.
    let pleach = env!("CARGO_BIN_EXE_pleach");
    let fails =
        "case \"$*\" in *--words*) grep -q three words && grep -q three && exit 9; esac; exit 0";
    told(
        0,
        &folder,
        &[
            "reduce", "g.pleach", "input", "-o", "small", "--jobs", "1", "--", pleach, "run", "@@",
            "--", "sh", "-c", fails, "sh", "{}",
        ],
    );
    let small = fs::read_to_string(folder.join("small")).unwrap();
    assert_eq!(
        small,
        "%parts\nargs\n|--words\n|words\n|\nfile words\n|three\n|\nstdin\n|three\n|\n"
    );
}
